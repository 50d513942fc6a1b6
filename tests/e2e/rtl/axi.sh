# The register map of axi_frontend: its page, its SystemRDL; and axi_frontend under a master that others wrote.
# The rest is tests/tb/test_axi_frontend.c.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "axi: does not depend on the sanitizers"
    exit 0
fi

page() { # the table of docs/design/axi.md is the generated one
    awk '$0 == "<!-- end -->" { show = 0 } show; $0 == "<!-- registers -->" { show = 1 }' docs/design/axi.md |
        cmp - "$build/gen/axi_regs.md"
}
check "docs/design/axi.md has the registers (make registers)" page
if ! cmp -s tests/axi/requirements.txt "$build/axi-venv/requirements.txt"; then
    skip "axi: no cocotb in $build/axi-venv: make axi-check installs it"
    finish
fi

bus() { # DIRECTORY: the tests with a seed, of the sources there
    (cd "$1" && limited sh tests/axi/run.sh "$root/$build" 20 1)
}
broken() { # the other half of the bus
    mkdir "$work/tree" && cp -r rtl tests "$work/tree/" &&
        sed -i 's/aw_addr_q\[2\] ? 8/!aw_addr_q[2] ? 8/' "$work/tree/rtl/axi/axi_master.v" || return 1
    ! bus "$work/tree" >"$work/bus" && grep -q '^axi: FAIL: seed 1' "$work/bus"
}
root=$(pwd)
case $build in /*) root= ;; esac
check "axi_frontend under cocotbext-axi" bus .
check "... finds a flag in the other half of the bus" broken
finish
