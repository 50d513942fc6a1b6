# Every module under rtl/ as its own top: lint-clean in Verilator, synthesised by Yosys to words and
# memories without warnings, latches or combinational loops, elaborated by Icarus (down to gates: `make
# gates`). Single blocks also run their self-checking benches (tests/rtl); wrong parameters stop the
# elaboration.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "lint: does not depend on the sanitizers"
    exit 0
fi
. tests/sources.sh.inc
. tests/e2e/rtl/verilator.sh.inc
gen=$build/gen
dirs="-y rtl/common -y rtl/edge -y rtl/fe -y rtl/cm -y rtl/tiles -y rtl/axi -y rtl/example"

verilator_lint() { # FILE MODULE
    verilator -Wall --lint-only --top-module "$2" $dirs -I"$gen" "$1"
}

no_waiver() {
    ! grep -rnE 'lint_off|lint_on|verilator_config' rtl
}

licensed() { # every Verilog file says in its first line under which licence it stands (LICENSE)
    found=$(find rtl fpga docs tests tb -name '*.v' -o -name '*.vh')
    [ "$(echo "$found" | wc -l)" -ge 130 ] || return 1
    awk 'FNR == 1 { seen++; if (!/^(\/\/|#) SPDX-License-Identifier: Apache-2\.0$/) { print FILENAME ": no licence line"; bad = 1 } }
        END { exit bad || seen != ARGC - 1 }' $found rtl/evgpu.def # an empty file has no first line
}

clean() { # MODULE SYNTHESIS
    yosys -q -l "$work/$1.log" -p "read_verilog -defer -I$gen $(sources_of "$1"); $2
        check -assert; select -assert-none t:\$*latch* t:\$_*LATCH*" && ! grep '^Warning' "$work/$1.log"
}

# Down to words and memories, each module with the parameters that it has there; then flattened, which shows loops
# through the parts. A design that joins tiles or puts a bus around one is flattened alone: the parts are synthesised as
# modules of their own.
synthesis() { # MODULE
    case $1 in
    axi_frontend | event_system) echo "hierarchy -check -top $1; proc; flatten; opt_clean;" ;;
    *) echo "prep -top $1; flatten;" ;;
    esac
}

icarus() { # FILE MODULE
    iverilog -g2005 $dirs -I"$gen" -s "$2" -o "$work/vvp" "$1" 2>&1 | tee "$work/icarus"
    ! [ -s "$work/icarus" ]
}

# The event kernel table in block RAM: no flip-flop holds a row.
table_is_block_ram() {
    yosys -q -p "read_verilog -defer -I$gen $(sources_of event_kernel_table)
        synth_ice40 -top event_kernel_table -run begin:map_ffram; tee -o $work/ice40 stat" &&
        brams=$(awk '$1 == "SB_RAM40_4K" { print $2 }' "$work/ice40") &&
        echo "$brams block RAMs" && [ "$brams" -eq 17 ] # 264 bits in 16-bit columns
}

# A part-select at a multiple of a width that is no power of two
# is one, unless it is constant; so is a division. Nothing in rtl/ or fpga/ is meant to be.
no_multiplier() {
    yosys -q -p "read_verilog -I$gen $*; opt_expr
        tee -q -o $work/products select -list t:\$mul t:\$div t:\$mod t:\$divfloor t:\$modfloor t:\$pow"
    cat "$work/products"
    ! [ -s "$work/products" ]
}

# A board that runs by itself has parts that it leaves unconnected.
free_run_lint() {
    verilator -Wall -Wno-PINCONNECTEMPTY --lint-only --top-module free_run $dirs -y fpga/free -I"$gen" fpga/free/free_run.v &&
        iverilog -g2005 $dirs -y fpga/free -I"$gen" -s free_run -o "$work/vvp" fpga/free/free_run.v
}

multiplier() { # FILE
    ! no_multiplier "$1"
}

# What is only simulated is Verilog for all three tools, too.
counters_alone() {
    verilator -Wall -Wno-UNUSEDPARAM --lint-only -DEVG_COUNTERS_ALONE -GScheduler=0 $dirs -I"$gen" rtl/tiles/mem_frontend.v &&
        iverilog -g2005 -DEVG_COUNTERS_ALONE -Pmem_frontend.Scheduler=0 -s mem_frontend $dirs -I"$gen" -o "$work/vvp" \
            rtl/tiles/mem_frontend.v &&
        yosys -q -p "read_verilog -defer -DEVG_COUNTERS_ALONE -I$gen $(echo rtl/*/*.v); chparam -set Scheduler 0 mem_frontend
            prep -flatten -top mem_frontend; check -assert"
}

# The module with these files and nothing else around them.
alone() { # MODULE FILE...
    module=$1
    shift
    rm -rf "$work/alone"
    mkdir "$work/alone"
    for file; do
        cp "rtl/$file" "$work/alone/" || return 1
    done
    cp "$gen/evgpu_defs.vh" "$work/alone/"
    (cd "$work/alone" && exec 2>&1 && verilator -Wall --lint-only --top-module "$module" *.v &&
        iverilog -g2005 -s "$module" -o "$work/vvp" *.v &&
        yosys -q -p "read_verilog -defer $(echo *.v); hierarchy -check -top $module; proc; check -assert") \
        >"$work/alone.out"
    status=$?
    cat "$work/alone.out"
    [ "$status" -eq 0 ] && ! [ -s "$work/alone.out" ]
}

# Each tool elaborates the module with a parameter.
elaborate() { # TOOL MODULE PARAMETER VALUE
    file=$(echo rtl/*/"$2".v)
    case $1 in
    verilator) verilator --lint-only -Wno-WIDTH --top-module "$2" $dirs -I"$gen" "-G$3=$4" "$file" ;;
    icarus) iverilog -g2005 $dirs -I"$gen" -s "$2" "-P$2.$3=$4" -o "$work/vvp" "$file" ;;
    yosys) yosys -q -p "read_verilog -defer -I$gen $(sources_of "$2")
        chparam -set $3 $4 $2; hierarchy -check -top $2" ;;
    esac 2>&1
}

sed -n 's/ check_parameters.*//p' rtl/*/*.v | tr -d ' ' >"$work/reasons"
rejects() { # MODULE PARAMETER VALUE: all three tools refuse it, with a name that says why
    for tool in verilator icarus yosys; do
        if elaborate $tool "$@" >"$work/rejected"; then
            echo "$tool accepts it"
            return 1
        fi
        cat "$work/rejected"
        grep -qFf "$work/reasons" "$work/rejected" || return 1
    done
}

accepts() { # MODULE PARAMETER VALUE: all three tools take it
    for tool in verilator icarus yosys; do
        elaborate $tool "$@" || return 1
    done
}

for file in ${LINT_FILES:-rtl/*/*.v}; do # LINT_FILES: these alone, and no more
    module=$(basename "$file" .v)
    check "verilator $module" verilator_lint "$file" "$module"
    check "yosys $module" clean "$module" "$(synthesis "$module")"
    check "icarus $module" icarus "$file" "$module"
done
[ -z "${LINT_FILES:-}" ] || finish
check "the example of docs/design/rtl.md" verilator_lint docs/design/doorbell_example.v doorbell_example
check "... in Icarus" icarus docs/design/doorbell_example.v doorbell_example
sed -n '/^<!-- blocks -->$/,/^<!-- end -->$/s/^| `//p' docs/design/rtl.md | tr -d '`|' >"$work/blocks"
check "docs/design/rtl.md names the files of ten blocks" [ "$(wc -l <"$work/blocks")" -eq 10 ]
while read -r module files; do
    check "$module with the files that docs/design/rtl.md names" alone "$module" $files
done <"$work/blocks"
check "no waivers" no_waiver
check "licence lines" licensed
check "no multiplier in rtl/" no_multiplier rtl/*/*.v
check "... nor in fpga/" no_multiplier fpga/*.v fpga/*/*.v
check "a board that runs by itself" free_run_lint
printf 'module m (input [35:0] v, input [2:0] i, output [5:0] o); assign o = v[6*i+:6]; endmodule\n' >"$work/m.v"
check "... which a part-select of 6 bits is" multiplier "$work/m.v"
check "event kernel table in block RAM" table_is_block_ram
for file in tests/rtl/*.v; do
    case $file in
    */event_system_bench.v) set -- -Pevent_system_bench.Blocks=6 +policy=2 ;; # the others verilated: tests/tb/test_event_system.c
    *) set -- ;;
    esac
    check "$(basename "$file" .v)" sh tests/rtl/run.sh "$build" "$file" "$@"
done
check "min_select refuses 9 lanes" rejects min_select Lanes 9
check "sync_fifo refuses a depth of 12" rejects sync_fifo Depth 12
check "single_port_ram refuses too few address bits" rejects single_port_ram AddressBits 4
check "saturating_counter refuses no bits" rejects saturating_counter Width 0
check "doorbell_decoder refuses 31 rows" rejects doorbell_decoder Rows 31
check "event_kernel_table refuses 33 rows" rejects event_kernel_table Rows 33
check "gpu_frontend refuses 64 rows" rejects gpu_frontend RowBits 6
check "event_completion refuses a depth of 6" rejects event_completion Depth 6
check "event_completion refuses reads without tags" rejects event_completion GenBits 0
check "event_completion refuses a limit of one bit" rejects event_completion LimitBits 1
check "completion_window refuses addresses of 65 bits" rejects completion_window AddressBits 65
check "fe_bit_ram refuses grains of 3 words" rejects fe_bit_ram GrainWords 3
check "fe_head refuses grains of 3 words" rejects fe_head GrainWords 3
check "fe_look_ahead refuses nine heads" rejects fe_look_ahead LookAhead 9
check "fe_look_ahead refuses one head" rejects fe_look_ahead LookAhead 1
check "fe_dram_scheduler refuses lines of 4 bytes" rejects fe_dram_scheduler LineBytes 4
check "fe_dram_scheduler takes two heads" accepts fe_dram_scheduler LookAhead 2
check "fe_dram_scheduler takes grains of 32 bytes" accepts fe_dram_scheduler GrainBytes 32
check "cm_next_core refuses a thirteenth level" rejects cm_next_core FreeLevel 12
check "cm_controller refuses 17 partitions" rejects cm_controller Partitions 17
check "cm_controller refuses sums too narrow" rejects cm_controller SumWidth 13
check "cm_controller refuses counters without bits" rejects cm_controller StallWidth 0
check "cm_controller takes 16 partitions" accepts cm_controller Partitions 16
check "cm_bal_core refuses a third reading" rejects cm_bal_core RoundNearest 2
check "cm_next_core refuses a least level that is free" rejects cm_next_core LeastLevel 7
check "cm_next_core takes walks down to 4 warps" accepts cm_next_core LeastLevel 3
check "cm_next_core refuses a stay of nine" rejects cm_next_core Stay 9
check "cm_next_core refuses trials at the top" rejects cm_next_core FreeLevel 11
check "cm_next_core refuses a pause of 256" rejects cm_next_core Pause 256
check "cm_next_core takes no pause" accepts cm_next_core Pause 0
check "event_room refuses a core with eight events" rejects event_room Most 8
check "event_room refuses an interval without bits below its mean's" rejects event_room MostShift 8
check "event_room refuses intervals of 17 bits" rejects event_room MostShift 17
check "event_room refuses means in quarters" rejects event_room Fraction 2
check "event_room refuses a fall finer than the mean" rejects event_room Decay 9
check "event_room takes intervals of 512 cycles" accepts event_room MostShift 9
check "cm_bal_core takes the other reading" accepts cm_bal_core InvalidStopsBoth 1
check "fe_dram_scheduler refuses a region beyond the last line" rejects fe_dram_scheduler RegionBase 4294967295
check "fe_dram_scheduler refuses a region that is not aligned" rejects fe_dram_scheduler RegionBase 1024
check "fe_dram_scheduler takes line numbers of 31 bits" accepts fe_dram_scheduler LineBits 31
check "mem_frontend, counters alone" counters_alone
check "mem_frontend refuses a missing scheduler" rejects mem_frontend Scheduler 0
check "mem_stall_monitor refuses no bits" rejects mem_stall_monitor Width 0
finish
