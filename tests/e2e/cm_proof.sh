# Proves the properties in the modules of rtl/cm by induction, for every input: counters saturate,
# the limit is always one that the mode has, decisions come at the ends of intervals only and equal
# the decision function, an idle unit stands still. A broken module must not be provable.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "cm proof: does not depend on the sanitizers"
    exit 0
fi

prove() { # MODULE FILE [PARAMETERS]
    yosys -q -p "read_verilog -formal -defer -I$build/gen rtl/common/saturating_counter.v $2
        ${3:+chparam $3 $1}
        prep -top $1 -flatten; memory_map; chformal -cover -remove; async2sync; dffunmap; opt_clean
        sat -verify -prove-asserts -set-assumes -tempinduct -seq 1 -maxsteps 8"
}

refuted() { # MODULE SED
    sed "$2" "rtl/cm/$1.v" >"$work/$1.v"
    ! cmp -s "rtl/cm/$1.v" "$work/$1.v" && ! prove "$1" "$work/$1.v" >"$work/log" 2>&1 &&
        grep -q 'proof did fail' "$work/log"
}

for module in mem_stall_monitor cm_controller cm_bal_core; do
    check "$module" prove "$module" "rtl/cm/$module.v"
done
check "cm_bal_core with the other readings" prove cm_bal_core rtl/cm/cm_bal_core.v \
    "-set StallNeedsBoth 1 -set RoundNearest 1 -set InvalidStopsBoth 1"
check "cm_controller with 2 partitions" prove cm_controller rtl/cm/cm_controller.v \
    "-set Partitions 2 -set SumWidth 11"
check "refuted: a stall lost at a read" refuted mem_stall_monitor 's/\.clear_i(read_i), \.count_i(mc_stall)/.clear_i(read_i), .count_i(mc_stall \&\& !read_i)/'
check "refuted: sums that wrap" refuted cm_controller "s/more_mc\[SumWidth\] ?/1'b0 ?/"
check "refuted: a limit of another mode" refuted cm_bal_core 's/Bal:     limit_set = .*/Bal:     limit_set = limit_q;/'
check "refuted: k reached is enough" refuted cm_bal_core 's/near_q} > work_q/near_q} >= work_q/'
finish
