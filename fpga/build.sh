#!/bin/sh
# Synthesis, place and route and bitstream of a board. Usage: build.sh BOARD BUILD [TILE]; TILE is what
# a board of one tile holds. Ends with one line that begins with "fpga: BOARD:". SEEDS in the
# environment (1) are those of place and route: the first one makes the bitstream. The figures are left in
# BUILD/fpga/BOARD.row, as ledger.sh wants them.
board=$1
build=$2
tile=$3
. fpga/lib.sh.inc
: "${SEEDS:=1}"
top=top_$(echo "$board" | tr - _)
name=$board
parameters=

fail() {
    say "$name: FAILED: $*"
    exit 1
}
refuse() {
    say "$*"
    exit 2
}

case $board in
ice40-hx8k) arch=ice40 mhz=12 default=sm_event_unit ;;
ice40-hx8k-replay) arch=ice40 mhz=50 default=concurrency_unit ;;
ulx3s-85f-replay) arch=ecp5 mhz=50 default=sm_event_unit ;;
ulx3s-85f | ulx3s-85f-event) arch=ecp5 mhz=25 default= ;;
ulx3s-85f-free) arch=ecp5 mhz=50 default= ;;
arty-a7-100t) arch=xc7 mhz=100 default= ;;
*) refuse "BOARD=$board: must be ice40-hx8k, ice40-hx8k-replay, ulx3s-85f, ulx3s-85f-free, ulx3s-85f-replay, ulx3s-85f-event or arty-a7-100t" ;;
esac
if [ -n "$default" ]; then # the board of one tile
    : "${tile:=$default}"
    case $tile in
    gpu_frontend) one=FrontEnds ;;
    sm_event_unit) one=EventUnits ;;
    mem_frontend) one=MemFrontEnds ;;
    concurrency_unit) one=ConcurrencyUnits ;;
    sm_concurrency_unit) one=CoreConcurrency ;;
    *) refuse "TILE=$tile: must be gpu_frontend, sm_event_unit, mem_frontend, concurrency_unit or sm_concurrency_unit" ;;
    esac
    name=$board-$tile
    parameters=$(one_tile "$one" "$top")
    case $name in
    ice40-hx8k-replay-*concurrency_unit) ;;
    ice40-hx8k-replay-*)
        refuse "TILE=$tile: the block RAMs of ice40-hx8k hold no recorded inputs of it; take ulx3s-85f-replay"
        ;;
    esac
elif [ -n "$tile" ]; then
    refuse "TILE is for BOARD=ice40-hx8k, ice40-hx8k-replay and ulx3s-85f-replay; $board holds every tile"
fi

# Of a board: place and route, and its bitstream.
place_board() { # SEED [OPTION...]
    case $arch in
    ice40) place ice40 "$name" "$1" "$mhz" --pcf "$board.pcf" --asc "$name.asc" ;;
    ecp5) place ecp5 "$name" "$1" "$mhz" --router router2 --lpf "$board.lpf" --textcfg "$name.config" ;;
    esac
}
pack_board() {
    case $arch in
    ice40) icepack "$out/$name.asc" "$out/$name.bit" ;;
    ecp5) (cd "$out" && "$venv/bin/yowasp-ecppack" --compress "$name.config" "$name.bit") ;;
    esac
}

case $arch in
ice40) cp "constraints/$board.pcf" "$out/" ;;
ecp5)
    cp "constraints/$board.lpf" "$out/"
    ecp5_tools || fail "fpga/requirements.txt cannot be installed"
    ;;
esac

read="$(read_design "$top" "$parameters" rtl/*/*.v fpga/*.v fpga/*/*.v "$gen/packed_tile.v")"
case $arch in
ice40) read="$read; $reduced" ;;
# Four equal tiles are synthesised once.
*) read="$read; setattr -mod -set keep_hierarchy 1 *tile_slot* *replay_slot* *free_unit*" ;;
esac
hash=$(netlist_hash "$arch" "$name" "$read" "$(sed '/^#/d' constraints/$board.*)") || fail "the design cannot be read"
if row_is_known "$name" "$arch" "$hash"; then
    say "$name: unchanged since its row was measured"
    exit 0
fi
say "$name: synthesis"
with_progress "$name: synthesis" "$out/$name.$arch.log" synthesise "$arch" "$top" "$name" "$read" ||
    fail "synthesis, see $out/$name.$arch.log"
figures=$(area "$arch" "$name")
set -- $figures
say "$name: $1 LUTs, $2 flip-flops, $3 block RAMs"

if [ "$arch" = xc7 ]; then
    write_row "$name" "$arch" "$mhz" "$figures" "$hash" -
    say "$name: $1 LUTs, $2 flip-flops, $3 18-Kbit block RAMs by Yosys; bitstream: vivado -mode batch -source fpga/arty-a7-100t.tcl -tclargs $gen $out"
    exit 0
fi

clocks=
for seed in $SEEDS; do
    say "$name: place and route, seed $seed: $out/$name.$arch.$seed.log"
    with_progress "$name: place and route" "$out/$name.$arch.$seed.log" place_board "$seed" ||
        fail "place and route, see $out/$name.$arch.$seed.log"
    reached=$(fmax "$name" "$arch" "$seed")
    awk -v reached="$reached" -v mhz="$mhz" 'BEGIN { exit !(reached + 0 >= mhz) }' ||
        fail "seed $seed: $reached MHz, needs $mhz"
    [ -n "$clocks" ] || pack_board || fail "bitstream"
    clocks="$clocks $reached"
done
write_row "$name" "$arch" "$mhz" "$figures" "$hash" "$clocks"
say "$name: $1 LUTs, $2 flip-flops, $3 block RAMs,$clocks MHz: $out/$name.bit"
