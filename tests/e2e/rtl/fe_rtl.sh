# rtl/fe: what is meant for block RAM lands there, and wrong parameters stop the elaboration.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "fe_rtl: does not depend on the sanitizers"
    exit 0
fi
gen=$build/gen
dirs="-y rtl/common -y rtl/fe"

# Block RAMs of 4096 bits, at most 16 wide, and flip-flops, after mapping for the iCE40.
mapped() { # MODULE BRAMS FLIP_FLOPS_AT_MOST
    yosys -q -p "read_verilog -defer -I$gen $(echo rtl/common/*.v rtl/fe/*.v)
        synth_ice40 -top $1 -run begin:map_luts; tee -o $work/stat stat" &&
        awk -v brams="$2" -v most="$3" '
            $1 == "SB_RAM40_4K" { found = $2 }
            $1 ~ /^SB_DFF/ || $1 ~ /^\$_.*DFF/ { flops += $2 }
            END { print found + 0 " block RAMs, " flops + 0 " flip-flops"
                  exit found != brams || flops > most }' "$work/stat"
}

rejects() { # MODULE PARAMETER VALUE: all three tools refuse to elaborate
    ! verilator --lint-only --top-module "$1" $dirs -I"$gen" "-G$2=$3" "rtl/fe/$1.v" &&
        ! iverilog -g2005 $dirs -I"$gen" -s "$1" "-P$1.$2=$3" -o "$work/vvp" "rtl/fe/$1.v" &&
        ! yosys -q -p "read_verilog -defer -I$gen $(echo rtl/common/*.v rtl/fe/*.v)
            chparam -set $2 $3 $1; hierarchy -check -top $1"
}

# 2048 rows of 32 bits; one written row and its flag stand beside them.
check "fe_bit_ram in block RAM" mapped fe_bit_ram 16 40
# 88 bits in 16-bit columns; flip-flops for the entry that has not been in the RAM, and control.
check "fe_queue in block RAM" mapped fe_queue 6 110
# 19 bits; a flag per place, what is being stored, and control.
check "fe_reply_order in block RAM" mapped fe_reply_order 2 190
check "fe_bit_ram refuses too few row bits" rejects fe_bit_ram RowBits 10
check "fe_queue refuses a depth of 12" rejects fe_queue Depth 12
check "fe_reply_order refuses a depth of 3" rejects fe_reply_order Depth 3
check "fe_range refuses too few row bits" rejects fe_range RowBits 10
check "fe_registers refuses lines of 64 words" rejects fe_registers Words 64
check "fe_dram_scheduler refuses lines of 100 bytes" rejects fe_dram_scheduler LineBytes 100
check "fe_dram_scheduler refuses lines of 256 bytes" rejects fe_dram_scheduler LineBytes 256
check "fe_dram_scheduler refuses a turn limit of 1" rejects fe_dram_scheduler TurnLimit 1
check "fe_dram_scheduler refuses a bit for 12 bytes" rejects fe_dram_scheduler GrainBytes 12
check "fe_dram_scheduler refuses a bit for two lines" rejects fe_dram_scheduler GrainBytes 256
check "fe_dram_scheduler refuses 9 heads" rejects fe_dram_scheduler LookAhead 9
check "fe_dram_scheduler refuses a queue depth of 6" rejects fe_dram_scheduler QueueDepth 6
finish
