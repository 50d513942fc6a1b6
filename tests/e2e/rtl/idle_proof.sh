# Proves that an idle sm_event_unit stands still, for every value of every register and input: with the
# quiet conditions of the table and the controller true, and ev_valid, exit_valid and bar_done 0, each
# register's next value is its present one. Yosys makes the registers ports (.q in, .d out) and its SAT
# solver looks for a counterexample.
#
# Left out: idle_q itself; used, ready, occupancy and the warps taken, which are functions of the other
# registers' next values; victims, one of their present values, which idle_o outlives by an edge; cmd_hold_o, which is the register of vic_valid_o. Assumed, since unreachable
# otherwise: an empty queue counts 0, and an entry that is RETURNING is known to the give-back or the
# completion, so that a quiet table has none; and, since busy_o is that register, that bit 2 of
# take_state_o is 0 like the others. While no event is taken, no registers are claimed and no victim is
# asked for (asserted in warp_take_ctrl).
. tests/e2e/lib.sh.inc

if [ "${EVGPU_SAN:-0}" = 1 ]; then
    skip "idle proof: does not depend on the sanitizers"
    exit 0
fi

rtl="$(echo rtl/common/*.v rtl/edge/*.v) rtl/tiles/sm_event_unit.v"
open_design="read_verilog -defer -I$build/gen $rtl; prep -top sm_event_unit -flatten; memory_map;
    setattr -set keep 1 w:u_table.quiet_o w:u_ctrl.quiet_o w:u_table.g_entry*.state_q; opt_clean -purge; opt;
    dffunmap; expose -evert-dff; opt_clean"
derived='^(idle_o|ev_ready_o|u_table\.used_q|occupancy_o|victims_o|levels_o|cmd_hold_o|u_ctrl\.taken_i)$'

# Registers whose .d and .q both survive: others never change, or nobody reads them.
registers() {
    yosys -q -p "$open_design; tee -o $work/names select -list i:*.q o:*.d" >/dev/null
    sed -n 's,^sm_event_unit/,,; s/\.[dq]$//p' "$work/names" | sort | uniq -d |
        grep -vE "$derived"
}

# A port that is a field of a register has a .q of its own: the same bits.
field_of() { # REGISTER RECORD PORT FIELD
    bits=$(awk -v name="EVG_$2_$4" '$2 == name { print $3 }' "$build/gen/evgpu_defs.vh")
    echo "-set $3.q $1.q[$bits]"
}

assumptions() { # EV_VALID
    for field in ENTRY REGS; do
        field_of u_ctrl.save_o SAVE "save_$(echo $field | tr A-Z a-z)_o" $field
    done
    for field in KERNEL PARAM MASK DIMS REGS ROW TAG; do
        field_of u_ctrl.u_payload.event_q EVENT "push_$(echo $field | tr A-Z a-z)_o" $field
    done
    echo "-set rst_i 0 -set ev_valid_i $1 -set exit_valid_i 0 -set bar_done_i 0"
    echo "-set u_table.quiet_o 1 -set u_ctrl.quiet_o 1"
    echo "-set take_state_o.q[2] 0 -set claim_regs_o.q 0 -set now_req_o.q 0"
    echo "-set u_table.u_pending.count_o.q 0"
    for queue in back done; do
        echo "-set u_table.u_$queue.count_o.q 0 -set u_table.u_$queue.full_o.q 0"
    done
    for entry in 0 1 2 3; do
        echo "-set u_table.g_entry[$entry].state_q.q[2] 0" # not RETURNING
    done
}

stands_still() { # EV_VALID
    printf '%s; sat -verify ' "$open_design" | tr '\n;' ' \n' >"$work/proof.ys"
    {
        assumptions "$1"
        sed 's/.*/-prove &.d &.q/' "$work/registers"
    } | tr '\n' ' ' >>"$work/proof.ys"
    echo >>"$work/proof.ys"
    yosys -q -s "$work/proof.ys"
}

moves() {
    ! stands_still 1
}

registers >"$work/registers"
check "registers found" test "$(wc -l <"$work/registers")" -gt 100
check "an idle sm_event_unit stands still" stands_still 0
check "the proof fails with an event" moves
finish
