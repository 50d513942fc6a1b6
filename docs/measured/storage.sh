#!/bin/sh
# Counts the storage of the blocks that the papers give a size for, in bits of Yosys' coarse netlist:
# flip-flops, and memories (block or distributed RAM), with the block's sub-blocks. Prints the table of
# docs/measured/storage.md. Run by `make storage` in the project's directory. Usage: storage.sh GEN, the
# directory of evgpu_defs.vh.
set -e
gen=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# netlist MODULE: its figures, memories and wires in $work/MODULE.*, made once
netlist() {
    [ -e "$work/$1.wires" ] || yosys -q -p "read_verilog -defer -I$gen $(echo rtl/common/*.v rtl/edge/*.v rtl/cm/*.v)
        synth -top $1 -flatten -run begin:fine; opt_clean
        tee -o $work/$1.stat stat -width; tee -o $work/$1.memories dump t:\$mem_v2; tee -o $work/$1.wires dump w:*" >/dev/null
}

# count MODULE: "flip-flops memory" in bits
count() {
    netlist "$1"
    awk -v memories="$work/$1.memories" '
        $1 ~ /^\$(a|s)?dff/ { split($1, type, "_"); flops += type[2] * $2 }
        END {
            while ((getline line < memories) > 0) {
                split(line, word, " ")
                if (word[1] == "parameter" && word[2] == "\\SIZE") size = word[3]
                if (word[1] == "parameter" && word[2] == "\\WIDTH") width = word[3]
                # A table without a write port is logic.
                if (word[1] == "parameter" && word[2] == "\\WR_PORTS" && word[3] > 0) bits += size * width
            }
            print flops + 0, bits + 0
        }' "$work/$1.stat"
}

# wires MODULE NAME...: bits of these registers
wires() {
    module=$1
    shift
    netlist "$module"
    awk -v names="$*" '
        BEGIN { n = split(names, list, " "); for (i = 1; i <= n; i++) want["\\" list[i]] = 1 }
        $1 == "wire" {
            width = 1
            for (i = 2; i < NF; i++) if ($i == "width") width = $(i + 1)
            if ($NF in want) { bits += width; found++ }
        }
        END { if (found != n) { print "a register is not there: " names > "/dev/stderr"; exit 1 }
              print bits }' "$work/$module.wires"
}

row() { # MODULE PAPER STATE: bits of what the paper counts, as far as they have names
    set -- "$1" "$2" "$3" $(count "$1")
    awk -v m="$1" -v paper="$2" -v state="$3" -v f="$4" -v r="$5" 'BEGIN {
        printf "| `%s` | %s | %d = %.1f B | %d | %d | %d = %.1f B |\n", m, paper, state, state / 8, f, r,
            f + r, (f + r) / 8 }'
}

core_memory=$(count cm_bal_core | cut -d' ' -f2)
table=$(count event_kernel_table | cut -d' ' -f2)
echo "| block | paper | of that kind here [bit] | flip-flops | memory [bit] | all [bit] |"
echo "|---|---|---|---|---|---|"
row event_kernel_table "2.1 KB" "$table"
row pending_event_warp_table "160 B per core" "$(($(count pending_event_warp_table | tr ' ' +)))"
row cm_bal_core "16 B per core" \
    "$((core_memory + $(wires cm_bal_core limit_q stall_count same_q valid_q)))"
row cm_next_core "-" "$(wires cm_next_core limit_q stall_count issue_count began_q average_q average_known_q stay_q \
    trial_q bound_q pause_q)"
row mem_stall_monitor "3 B per partition" "$(count mem_stall_monitor | cut -d' ' -f1)"
row cm_controller "8 B" "$(wires cm_controller sum_mc_q sum_net_q high_q low_q)"
