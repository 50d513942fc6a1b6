#!/bin/sh
# One row of the ledger: a block's area is its own; its clock is measured over three seeds inside the top
# that harness.awk makes. Usage: measure.sh BUILD ARCH BLOCK, ARCH ice40 or ecp5.
build=$1
arch=$2
block=$3
. fpga/lib.sh.inc
LEDGER=yes
case $arch in
ice40) mhz=50 ;;
ecp5)
    mhz=100
    venv=$(cd "$build/venv" && pwd) || exit 1
    ;;
esac

fail() {
    say "$block $arch: FAILED: $*"
    exit 1
}

read=$(read_design "$arch" "$block" "" rtl/*/*.v)
hash=$(netlist_hash "$arch" "$block" "$read" "$(cat fpga/harness.awk)") || fail "cannot be read"
if row_is_known "$block" "$arch" "$hash"; then
    say "$block $arch: unchanged"
    exit 0
fi
ports=$out/$block.$arch.ports
harness=$out/$block.$arch.harness.v
yosys -q -p "$read; tee -o $ports portlist $block" >/dev/null &&
    awk -v module="$block" -f fpga/harness.awk "$ports" >"$harness" || fail "no harness"
synthesise "$arch" harness "$block" "$(read_design "$arch" harness "" rtl/*/*.v "$harness")
    setattr -mod -set keep_hierarchy 1 $block" || fail "synthesis, see $out/$block.$arch.log"
figures=$(area "$arch" "$block" "$block")
clocks=
for seed in 1 2 3; do
    if place "$arch" "$block" "$seed" "$mhz"; then
        clocks="$clocks $(fmax "$block" "$arch" "$seed")"
    else
        clocks="$clocks -"
    fi
done
write_row "$block" "$arch" "$mhz" "$figures" "$hash" "$clocks"
say "$block $arch: $figures:$clocks MHz"
