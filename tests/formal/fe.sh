#!/bin/sh
# Proofs of rtl/fe with Yosys and z3: every assertion of a module, from reset (bounded, DEPTH cycles) and
# by induction, hence for all time; and that each cover statement can be reached, so that no proof is
# empty. Small parameters: a property does not get easier to break with more of the same.
# Usage: fe.sh BUILD (which holds gen/evgpu_defs.vh). One "ok" or "not ok" line per proof.
gen=${1:-build}/gen
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

model() { # MODULE PARAMETERS: $work/MODULE.smt2
    upper=$(echo "$1" | tr a-z A-Z)
    set_parameters=
    [ -n "$2" ] && set_parameters="chparam $(echo $2) $1;"
    # rtl/common is proven by itself; here its assertions would be proven again.
    yosys -q -l "$work/$1.log" -p "read_verilog -defer rtl/common/saturating_counter.v
        read_verilog -formal -defer -DFORMAL -DFORMAL_$upper -I$gen $(echo rtl/fe/*.v)
        $set_parameters hierarchy -top $1; prep -flatten -top $1; memory_map -formal
        async2sync; opt -full; dffunmap; opt_clean; write_smt2 -wires $work/$1.smt2" >/dev/null
}

smt() { # NAME ARGUMENTS...
    name=$1
    shift
    # Unrolled, because z3 does not come back from the uninterpreted states of wide counters.
    if timeout 300 yosys-smtbmc -s z3 --unroll "$@" >"$work/log" 2>&1; then
        echo "ok $name"
    else
        echo "not ok $name"
        grep -E 'failed|Failed|Unreached|Status' "$work/log" | tail -n 8 | sed 's/^/    /'
        failures=$((failures + 1))
    fi
}

prove() { # MODULE BOUND COVER PARAMETERS
    if ! model "$1" "$4"; then
        echo "not ok $1: no model"
        tail -n 3 "$work/$1.log" | sed 's/^/    /'
        failures=$((failures + 1))
        return
    fi
    smt "$1 from reset, $2 cycles" -t "$2" "$work/$1.smt2"
    smt "$1 by induction" -i -t 3 "$work/$1.smt2"
    [ "$3" -eq 0 ] || smt "$1 reaches its covers" -c -t "$3" "$work/$1.smt2"
}

command -v z3 >/dev/null || { echo "skip z3 is not installed (Debian package z3)"; exit 0; }
prove fe_bit_ram 8 0 "-set Lines 4 -set RowBits 2 -set Words 2"
prove fe_queue 12 8 "-set Width 2 -set Depth 4 -set DepthLog2 2"
prove fe_range 10 6 "-set Lines 3 -set RowBits 2 -set Words 2 -set WordBits 1"
prove fe_registers 6 8 "-set Lines 2 -set RowBits 1 -set Words 2 -set WordBits 1 -set LineBits 3
    -set RegionBase 1 -set InfoBits 4"
prove fe_reply_order 8 8 "-set Depth 2 -set DepthLog2 1 -set Width 2"
prove fe_dram_scheduler 5 0 "-set LineBytes 8 -set RegionBase 1 -set RegionLines 2 -set QueueDepth 2
    -set QueueDepthLog2 1 -set ReplyDepth 2 -set ReplyDepthLog2 1 -set TurnLimit 2 -set LineBits 3
    -set IdBits 2"
[ "$failures" -eq 0 ]
