# docs/measured/storage.md shows what the blocks hold now, and that is within the papers' figures.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "storage: does not depend on the sanitizers"
    exit 0
fi

sh docs/measured/storage.sh "$build/gen" >"$work/table"

bits() { # BLOCK: what the paper counts
    awk -F '[|=]' -v block="\`$1\`" 'index($2, block) { print $4 + 0 }' "$work/table"
}

at_most() { # BLOCK BYTES
    [ "$(bits "$1")" -gt 0 ] && [ "$(bits "$1")" -le $(($2 * 8)) ]
}

sed -n '/^<!-- storage -->$/,/^<!-- end -->$/p' docs/measured/storage.md | grep -v '^<!--' >"$work/shown"
check "docs/measured/storage.md is up to date (make storage)" cmp "$work/table" "$work/shown"
check "event kernel table: 2.1 KB of rows and counts" at_most event_kernel_table 2176
check "pending event warp table: 160 B" at_most pending_event_warp_table 160
check "CM-BAL in a core: 16 B" at_most cm_bal_core 16
check "stall monitor: 3 B" at_most mem_stall_monitor 3
check "controller: 8 B" at_most cm_controller 8
finish
