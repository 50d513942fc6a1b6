# Proves that an idle gpu_frontend stands still, for every value of every register and input. Each block
# for itself: with its quiet_o 1 and the inputs that wake it 0, each register's next value is its present
# one. Yosys makes the registers ports (.q in, .d out) and its SAT solver looks for a counterexample. Then
# the tile: it is idle only if all five blocks were quiet and no input woke them, and when all five are
# quiet, none wakes another. The sizes are smaller than the machine's;
# what they leave out is more of the same.
#
# Assumed, since the blocks' own proofs have it: a write not judged is not accepted (doorbell_decoder); without a
# candidate there is no choice, and its registers hold what is formed for them (launch_order); a row's second word
# follows its first (event_kernel_table); the state of cores is asked for and compared, and an event
# offered, in states of their own (event_dispatch); answers are no more than completions, a read waits
# only while none can be taken, a completion that was just taken or is being judged is inside, and a bad pointer ends
# its event (event_completion).
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "idle proof: does not depend on the sanitizers"
    exit 0
fi

read="read_verilog -defer -I$build/gen $(echo rtl/common/*.v rtl/edge/*.v) rtl/tiles/gpu_frontend.v"

# Outputs that are a part of a register become ports of their own: the proofs set them to that part.
open_design() { # BLOCK PARAMETERS
    echo "$read; hierarchy -top $1 $2; prep -top $1 -flatten; memory_map; opt_clean -purge; opt; dffunmap;
        expose -evert-dff; opt_clean; select -assert-none t:\$dff*" |
        tr '\n' ' '
}

stands_still() { # BLOCK PARAMETERS ASSUMPTIONS: a block has the same parameters each time
    [ -s "$work/$1.il" ] || yosys -q -p "$(open_design "$1" "$2"); tee -q -o $work/$1.names select -list i:*.q o:*.d
        write_rtlil $work/$1.il" >/dev/null || return 1
    sed -n "s,^$1/,,; s/\.[dq]\$//p" "$work/$1.names" | sort | uniq -d >"$work/registers"
    [ "$(wc -l <"$work/registers")" -gt 6 ] || return 1
    {
        echo "read_rtlil $work/$1.il"
        echo "sat -verify -set rst_i 0 $3 $(sed 's/.*/-prove &.d &.q/' "$work/registers")" | tr '\n' ' '
        echo
    } >"$work/proof.ys"
    yosys -q -s "$work/proof.ys"
}

decoder() { # WR_VALID
    order="-set u_order.prefer_q.q u_order.prefer_q.d"
    for choice in 0 1 2 3 4; do
        choice="u_order.g_choice[$choice]"
        order="$order -set $choice.any_q.q 0 -set $choice.preferred_q.q 0 -set $choice.low_q.q $choice.low_q.d"
    done
    stands_still doorbell_decoder "-chparam Rows 4 -chparam RowBits 2 -chparam SeqBits 2
        -chparam FairEvery 2 -chparam FairBits 1" "-set wr_valid_i $1 -set open_valid_i 0
        -set close_valid_i 0 -set dec_valid_i 0 -set placed_i 0 -set queued_i 0 -set err_clear_i 0
        -set quiet_o 1 -set u_order.comes_i.q 0 $order"
}

table() {
    stands_still event_kernel_table "-chparam Rows 2 -chparam RowBits 1 -chparam AddressBits 8
        -chparam BlockThreads 4" "-set cmd_valid_i 0 -set launch_valid_i 0 -set quiet_o 1
        -set entering_q.q 0 -set ab_row_o.q close_row_o.q"
}

dispatch() {
    regs=$(awk '$2 == "EVG_EVENT_REGS" { print $3 }' "$build/gen/evgpu_defs.vh")
    stands_still event_dispatch "" "-set kernel_valid_i 0 -set quiet_o 1 -set stat_req_o.q 0
        -set ev_valid_o.q 0 -set u_min.enable_i.q 0 -set found_q.q 0
        -set stat_req_regs_o.q event_q.q[$regs]"
}

completion() {
    stands_still event_completion "-chparam Depth 2 -chparam DepthLog2 1 -chparam RowBits 1 -chparam AddressBits 6
        -chparam CounterBits 2 -chparam GenBits 1 -chparam LimitBits 3" "-set done_valid_i 0
        -set mr_rsp_valid_i 0 -set cmd_take_i 0
        -set open_valid_i 0 -set err_clear_i 0 -set took_q.q 0 -set pw_bad_o.q 0 -set quiet_o 1 -set mr_valid_o.q 0 -set judging_q.q 0
        -set wait_q.q 0 -set silence_q.q 0 -set over_q.q 0"
}

reserve() {
    stands_still event_reserve "" "-set acc_valid_i 0 -set dec_valid_i 0 -set quiet_o 1"
}

moves() {
    ! decoder 1
}

none_wakes_another() {
    quiet=
    for block in decoder table dispatch completion reserve; do
        quiet="$quiet -set u_$block.quiet_o 1"
    done
    yosys -q -p "$read; prep -top gpu_frontend -flatten; sat -verify -ignore_unknown_cells $quiet \
        -prove launch_valid 0 -prove open_valid 0 -prove close_valid 0 -prove acc_valid_o 0 \
        -set u_dispatch.ev_valid_q 0 \
        -prove kernel_valid 0 -prove dec_valid 0 -prove placed 0 -prove queued 0"
}

idle_is_quiet() {
    proofs=
    for wire in decoder_quiet table_quiet dispatch_quiet completion_quiet reserve_quiet; do
        proofs="$proofs -prove $wire 1"
    done
    for input in wr_valid_i cmd_valid_i done_valid_i mr_rsp_valid_i err_clear_i; do
        proofs="$proofs -prove $input 0"
    done
    yosys -q -p "$read; prep -top gpu_frontend; cd gpu_frontend; dffunmap; expose -evert-dff; cd ..
        sat -verify -ignore_unknown_cells -set rst_i 0 -set idle_o.d 1 $proofs gpu_frontend"
}

check "a quiet doorbell_decoder stands still" decoder 0
check "the proof fails with a doorbell write" moves
check "a quiet event_kernel_table stands still" table
check "a quiet event_dispatch stands still" dispatch
check "a quiet event_completion stands still" completion
check "a quiet event_reserve stands still" reserve
check "no quiet block wakes another" none_wakes_another
check "an idle gpu_frontend is quiet" idle_is_quiet
finish
