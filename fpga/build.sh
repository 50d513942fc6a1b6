#!/bin/sh
# Synthesis, place and route and bitstream of a board. Usage: build.sh BOARD BUILD. Ends with one line
# that begins with "fpga: BOARD:". SEEDS in the environment (1) are those of place and route: the first one
# makes the bitstream, all are in the ledger's row.
board=$1
build=$2
. fpga/lib.sh.inc
top=top_$(echo "$board" | tr - _)
files="$(echo rtl/*/*.v fpga/*.v) $gen/packed_tile.v"

: "${SEEDS:=1}"
packed=
rows=$out/ledger
mkdir -p "$rows"

fail() {
    say "$board: FAILED: $*"
    exit 1
}

place_and_pack() { # ARCH MHZ PLACE-OPTION... ; packs into $board.bit
    arch=$1
    mhz=$2
    shift 2
    synthesise "$arch" "$top" "$board" "$files" || fail "synthesis, see $out/$board.$arch.log"
    clocks=
    for seed in $SEEDS; do
        place "$arch" "$board" "$seed" "$mhz" "$@" ||
            fail "place and route, see $out/$board.$arch.$seed.log"
        reached=$(fmax "$board" "$arch" "$seed")
        awk -v reached="$reached" -v mhz="$mhz" 'BEGIN { exit !(reached + 0 >= mhz) }' ||
            fail "seed $seed: $reached MHz, needs $mhz"
        clocks="$clocks $reached"
        [ -n "$packed" ] || pack || fail "bitstream"
        packed=yes
    done
}

case $board in
ice40-hx8k)
    cp constraints/ice40-hx8k.pcf "$out/"
    pack() {
        icepack "$out/ice40-hx8k.asc" "$out/$board.bit"
    }
    place_and_pack ice40 12 --pcf ice40-hx8k.pcf --asc ice40-hx8k.asc
    ;;
ulx3s-85f)
    ecp5_tools || fail "fpga/requirements.txt cannot be installed"
    cp constraints/ulx3s-85f.lpf "$out/"
    pack() {
        (cd "$out" && "$venv/bin/yowasp-ecppack" ulx3s-85f.config "$board.bit")
    }
    place_and_pack ecp5 25 --lpf ulx3s-85f.lpf --textcfg ulx3s-85f.config
    ;;
arty-a7-100t)
    synthesise xc7 "$top" "$board" "$files" || fail "synthesis, see $out/$board.xc7.log"
    set -- $(area xc7 "$board")
    echo "$board xc7 0 $1 $2 $3 -" >"$rows/~$board"
    say "$board: $1 LUTs, $2 flip-flops, $3 18-Kbit block RAMs by Yosys; bitstream: vivado -mode batch -source fpga/arty-a7-100t.tcl -tclargs $gen $out"
    exit 0
    ;;
*)
    say "BOARD=$board: must be ice40-hx8k, ulx3s-85f or arty-a7-100t"
    exit 2
    ;;
esac
set -- $(area "$arch" "$board")
echo "$board $arch $mhz $1 $2 $3$clocks" >"$rows/~$board"
say "$board: $1 LUTs, $2 flip-flops, $3 block RAMs, $reached MHz: $out/$board.bit"
