#!/bin/sh
# One row of the ledger: a block's area is its own; its clock is measured over three seeds inside the top
# that harness.awk makes. Usage: measure.sh [-a] BUILD ARCH BLOCK [PARAMETER VALUE | small]; ARCH is ice40 or
# ecp5; -a: the area alone. With a parameter the row is called BLOCK-PARAMETER-VALUE, or BLOCK-small with fewer
# lines of the region. `small` is of a tile: with all that a small board leaves out of it (the lines `small` of
# rtl/evgpu.def), by packed_tile.
seeds="1 2 3"
if [ "$1" = -a ]; then
    seeds=
    shift
fi
build=$1
arch=$2
block=$3
name=$block
case ${4:-} in
'') ;;
RegionLines | small) name=$block-small ;;
*) name=$block-$4-$5 ;;
esac
parameter=${4:+"-set $4 $5 $block"}
. fpga/lib.sh.inc
LEDGER=yes
designs=$(echo rtl/*/*.v)
rest=
if [ "${4:-}" = small ]; then
    link() { # MACRO [DIGITS-FROM-THE-RIGHT...]: what gen/evgpu_link.vh defines
        sed -n "s/^\`define EVG_LINK_$1 //p" "$gen/evgpu_link.vh"
    }
    kind=$(link "$(echo "$block" | tr a-z A-Z)" | sed "s/.*d//")
    bytes() { # MACRO: the entry of the kind in a list that begins with the last kind
        link "$1" | tr -d '{}' | tr , '\n' | sed 's/.*d//' | tail -n "$((kind + 1))" | head -n 1
    }
    parameter="-set Kind $kind -set Small 1 -set InBits $((8 * $(bytes IN_BYTES)))
        -set OutBits $((8 * $(bytes OUT_BYTES))) packed_tile"
    parameter=$(echo $parameter)
    designs="$designs $gen/packed_tile.v"
    block=packed_tile
    rest="; $reduced"
fi
case $arch in
ice40) mhz=50 ;;
ecp5)
    mhz=100
    venv=$(cd "$build/venv" && pwd) || exit 1
    ;;
esac

fail() {
    say "$name $arch: FAILED: $*"
    exit 1
}

read=$(read_design "$block" "$parameter" $designs)
hash=$(netlist_hash "$arch" "$name" "$read" "$(cat fpga/harness.awk)") || fail "cannot be read"
if row_is_known "$name" "$arch" "$hash"; then
    say "$name $arch: unchanged"
    exit 0
fi
ports=$out/$name.$arch.ports
harness=$out/$name.$arch.harness.v
yosys -q -p "$read; tee -o $ports portlist $block" >/dev/null &&
    awk -v module="$block" -f fpga/harness.awk "$ports" >"$harness" || fail "no harness"
synthesise "$arch" harness "$name" "$(read_design harness "$parameter" $designs "$harness")
    setattr -mod -set keep_hierarchy 1 $block$rest" || fail "synthesis, see $out/$name.$arch.log"
figures=$(area "$arch" "$name" "$block")
clocks=$([ -n "$seeds" ] || echo ' -')
for seed in $seeds; do
    if place "$arch" "$name" "$seed" "$mhz"; then
        clocks="$clocks $(fmax "$name" "$arch" "$seed")"
    else
        clocks="$clocks -"
    fi
done
write_row "$name" "$arch" "$mhz" "$figures" "$hash" "$clocks"
say "$name $arch: $figures:$clocks MHz"
