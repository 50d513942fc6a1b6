# Every module of fpga/ as its own top: lint-clean in Verilator, elaborated by Icarus; wrong
# parameters stop the elaboration. The smallest tile on the iCE40, from Verilog to the bitstream.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "fpga: does not depend on the sanitizers"
    exit 0
fi
. tests/e2e/rtl/verilator.sh.inc
gen=$build/gen
dirs="-y fpga -y rtl/common -y rtl/edge -y rtl/fe -y rtl/cm -y rtl/tiles -y rtl/example -y fpga/free -y fpga/replay -y fpga/ethernet -y $gen -I$gen"

verilator_lint() { # FILE MODULE
    verilator -Wall -Wno-UNUSEDPARAM -Wno-PINCONNECTEMPTY --lint-only --top-module "$2" $dirs "$1"
}
icarus() { # FILE MODULE
    iverilog -g2005 $dirs -s "$2" -o "$work/vvp" "$1" 2>&1 | tee "$work/icarus"
    ! [ -s "$work/icarus" ]
}
rejects() { # MODULE PARAMETER VALUE
    ! verilator --lint-only --top-module "$1" $dirs "-G$2=$3" "fpga/$1.v"
}

for file in fpga/*.v fpga/ethernet/*.v; do
    module=$(basename "$file" .v)
    # A vendor's clock cell is known to the synthesis alone.
    case $module in pll_* | *_replay | *_free) continue ;; esac
    check "verilator $module" verilator_lint "$file" "$module"
    check "icarus $module" icarus "$file" "$module"
done
check "uart_rx refuses 3 clocks per bit" rejects uart_rx ClocksPerBit 3
check "uart_tx refuses 3 clocks per bit" rejects uart_tx ClocksPerBit 3
check "link_engine refuses 256 tiles" rejects link_engine Tiles 256
check "link_engine refuses tiles beyond its bits" rejects link_engine Tiles 3

. fpga/lib.sh.inc
# build STATUS LAST-LINE ARGUMENT...: what build.sh says at its end
build() {
    want=$1
    text=$2
    shift 2
    sh fpga/build.sh "$1" "$build" "${2:-}" >"$work/build"
    got=$?
    cat "$work/build"
    [ "$got" -eq "$want" ] && tail -n 1 "$work/build" | grep -qE -- "$text"
}
check "no such board" build 2 "BOARD=de10: must be ice40-hx8k, ice40-hx8k-replay, ulx3s-85f, ulx3s-85f-free, ulx3s-85f-replay, ulx3s-85f-event or arty-a7-100t" de10
check "no such tile" build 2 "TILE=sm: must be gpu_frontend, sm_event_unit" ice40-hx8k sm
make_fpga() { # make_fpga LAST-LINE VARIABLE...
    text=$1
    shift
    env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS make -s fpga DEPS=0 BUILD="$build" "$@" >"$work/build" 2>"$work/error"
    cat "$work/build" "$work/error"
    tail -n 1 "$work/build" | grep -qF -- "$text"
}
check "make fpga without a board" make_fpga "BOARD=: must be ice40-hx8k" BOARD=
check "make fpga with two tiles" make_fpga "TILE=sm_event_unit mem_frontend: must be gpu_frontend" \
    BOARD=ice40-hx8k TILE="sm_event_unit mem_frontend"
check "a tile for a board that holds all" build 2 "TILE is for BOARD=ice40-hx8k, ice40-hx8k-replay and ulx3s-85f-replay; ulx3s-85f holds every tile" ulx3s-85f sm_event_unit
# A board of one tile holds that one, whichever it has by default.
holds_one_tile() { # TOP PARAMETER
    yosys -q -p "read_verilog -defer -I$gen $(echo rtl/*/*.v fpga/*.v fpga/*/*.v) $gen/packed_tile.v
        chparam $(one_tile "$2" "$1"); hierarchy -top $1; select -assert-count 1 t:*tile_slot* t:*replay_slot*"
}
if command -v yosys >/dev/null; then
    check "ice40-hx8k holds one tile" holds_one_tile top_ice40_hx8k ConcurrencyUnits
    check "ice40-hx8k-replay holds one tile" holds_one_tile top_ice40_hx8k_replay CoreConcurrency
    check "ulx3s-85f-replay holds one tile" holds_one_tile top_ulx3s_85f_replay MemFrontEnds
fi
# A reset net for each output byte of its tile would be more than a device routes. The slot has 8 registers with a
# reset beside those of the tile's 10 input bytes.
few_resets() {
    kind=$(sed -n 's/^`define EVG_LINK_CONCURRENCY_UNIT //p' "$gen/evgpu_link.vh")
    yosys -q -p "read_verilog -defer -I$gen $(echo rtl/*/*.v fpga/replay/*.v) $gen/packed_tile.v
        chparam -set Kind $kind replay_slot; hierarchy -top replay_slot; proc; opt
        select -assert-count 18 replay_slot/t:\$sdff*"
}
if command -v yosys >/dev/null; then
    check "the outputs of a replayed tile take no reset nets" few_resets
fi
# A row of the ledger is measured again when what its block is made of has changed, and only then.
hash_with() { # FILE...
    netlist_hash ice40 saturating_counter "$(read_design saturating_counter "" "$@")"
}
hash_of_own_files() {
    echo 'module other (input wire a_i, output wire a_o); assign a_o = !a_i; endmodule' >"$work/other.v"
    sed 's/value_d + 1/value_d - 1/' rtl/common/saturating_counter.v >"$work/saturating_counter.v"
    hash=$(hash_with rtl/*/*.v) && [ -n "$hash" ] && [ "$hash" = "$(hash_with "$work/other.v" rtl/*/*.v)" ] &&
        [ "$hash" != "$(hash_with "$work/saturating_counter.v")" ]
}
if command -v yosys >/dev/null; then
    check "a hash of a block's own files" hash_of_own_files
fi
for tool in yosys nextpnr-ice40 icepack; do
    command -v "$tool" >/dev/null || { skip "place and route: no $tool here"; finish; }
done
# What an interrupted build leaves running: nothing. (A test in the background cannot send Ctrl-C.)
interrupted() {
    log=$build/fpga/ice40-hx8k-mem_frontend.ice40.log
    netlist=$build/fpga/ice40-hx8k-mem_frontend.ice40.json
    rm -f "$log" "$netlist"
    sh fpga/build.sh ice40-hx8k "$build" mem_frontend >"$work/build" &
    job=$!
    until_true test -s "$log"
    processes=$(tree "$job")
    kill -TERM "$job"
    await "$job"
    [ $? -eq 143 ] && until_true none_left &&
        [ ! -e "$netlist" ] && # that a synthesis which goes on would make
        [ "$(echo "$processes" | wc -w)" -ge 3 ] # the script, its job, yosys
}
check "an interrupted build leaves nothing running" interrupted
bit=$build/fpga/ice40-hx8k-concurrency_unit.bit
rm -f "$bit"
check "concurrency_unit on the iCE40" build 0 \
    "^fpga: ice40-hx8k-concurrency_unit: [0-9]+ LUTs, [0-9]+ flip-flops, [0-9]+ block RAMs, [0-9.]+ MHz: $bit" \
    ice40-hx8k concurrency_unit
check "... its bitstream begins as one" sh -c "head -c 8 $bit | od -An -tx1 | grep -q 'ff 00 00 ff 7e aa 99 7e'"
finish
