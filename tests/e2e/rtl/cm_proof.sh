# The proofs of rtl/cm are not empty: the assertions that tests/formal proves by induction refute each
# of these changes, and "stands still" is said of every register.
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "cm proof: does not depend on the sanitizers"
    exit 0
fi

# Two steps prove each module as it is.
refuted() { # MODULE SED
    rm -rf "$work/cm" && cp -r rtl/cm "$work/cm"
    sed "$2" "rtl/cm/$1.v" >"$work/cm/$1.v"
    ! cmp -s "rtl/cm/$1.v" "$work/cm/$1.v" &&
        ! yosys -q -p "read_verilog -formal -defer -I$build/gen rtl/common/saturating_counter.v $(echo "$work"/cm/*.v)
            prep -top $1 -flatten; memory_map; chformal -cover -remove; async2sync; dffunmap; opt_clean
            sat -verify -prove-asserts -set-assumes -tempinduct -seq 1 -maxsteps 2" >"$work/log" 2>&1 &&
        grep -q 'proof did fail' "$work/log"
}

flip_flops() { # MODULE: their bits
    yosys -q -p "read_verilog -defer -I$build/gen $(echo rtl/cm/c*.v); hierarchy -top $1; proc; flatten; memory_map
        opt_clean; tee -o $work/stat stat -width" >/dev/null
    sed -n 's/^ *$[a-z]*dff[a-z]*_\([0-9]*\) *\([0-9]*\)$/\1 \2/p' "$work/stat" |
        awk '{ bits += $1 * $2 } END { print bits + 0 }'
}

all_listed() { # MODULE: all_state of its properties holds every flip-flop
    yosys -q -p "read_verilog -formal -defer -I$build/gen $(echo rtl/cm/c*.v); hierarchy -top $1; proc
        dump -o $work/list w:all_state"
    grep -qx " *wire width $(flip_flops "$1") .all_state" "$work/list"
}

check "refuted: a stall lost at a read" refuted mem_stall_monitor \
    's/\.clear_i(read_i), \.count_i(mc_stall)/.clear_i(read_i), .count_i(mc_stall \&\& !read_i)/'
check "refuted: sums that wrap" refuted cm_controller "s/more_mc\[SumWidth\] ?/1'b0 ?/"
check "refuted: a partition left out" refuted cm_controller 's/index_q <= index_q + /index_q <= index_q + index_q[0] + /'
check "refuted: one low sum is enough" refuted cm_controller \
    's/sum_mc_q < low_q \&\& sum_net_q < low_q/sum_mc_q < low_q || sum_net_q < low_q/'
check "refuted: a limit of another mode" refuted cm_bal_core \
    's/limit_q <= limit_set;/limit_q <= (mode_i == Bal) ? limit_q : limit_set;/'
check "refuted: k reached is enough" refuted cm_bal_core 's/neighbour_avg_q} > weighted_stalls_q/neighbour_avg_q} >= weighted_stalls_q/'
check "refuted: k must be passed" refuted cm_next_core 's/average_q >= k_i/average_q > k_i/'
check "refuted: a kernel lost at a tick" refuted cm_next_core 's/ended_began_q <= began_q || kernel_begin_i/ended_began_q <= began_q/'
check "cm_next_core: every register must stand still" all_listed cm_next_core
check "cm_controller: every register must stand still" all_listed cm_controller
check "cm_bal_core: every register must stand still" all_listed cm_bal_core
finish
