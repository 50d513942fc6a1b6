// SPDX-License-Identifier: Apache-2.0
// Properties of sm_event_unit, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One entry of the table is followed: the commands for its events keep the order of EDGE IV-D,
    // flush, save, push, run, pop, restore, release, each once.
    `EVG_FOLLOW_ONE(f_entry, IndexWidth)
    localparam [3:0] None = 0, Saving = 1, Saved = 2, Pushing = 3, Running = 4, Exited = 5,
                     Popped = 6, Restoring = 7, Restored = 8;

    wire [IndexWidth-1:0] take_entry = take[`EVG_TAKE_ENTRY];
    wire [Entries-1:0]    held       = holders[`EVG_HOLDERS_HELD];
    wire [6*Entries-1:0]  held_warp  = holders[`EVG_HOLDERS_WARP];
    reg       f_live = 1'b0; // there has been a reset
    reg       f_flushed;     // since it is held, the victim was seen flushed
    reg [3:0] f_step;
    reg [5:0] f_warp;
    reg       f_fresh, f_spare;

    wire f_save    = cmd_save_o && save_entry_o == f_entry;
    wire f_push    = cmd_push_o && push_entry_o == f_entry;
    wire f_pop     = cmd_pop_o && pop_entry_o == f_entry;
    wire f_restore = cmd_restore_o && restore_entry_o == f_entry;
    wire f_release = cmd_release_o && pop_entry_o == f_entry; // it was popped last
    wire f_pushed  = (f_push || f_step == Pushing) && (push_ok_i || push_fail_i);
    wire f_exit    = exit_valid_i && exit_warp_i == (f_push ? push_warp_o : f_warp);

    always @(posedge clk_i)
        if (rst_i) begin
            f_live    <= 1'b1;
            f_flushed <= 1'b0;
            f_step    <= None;
        end else begin
            f_flushed <= vic_valid_o &&
                         (f_flushed || (take_state_o == `EVG_TAKE_STATE_FLUSH && vic_alive_i &&
                                        vic_ibuf_i == 2'd0 && !vic_fetch_i && !vic_pipe_i &&
                                        !vic_loads_i && !vic_atomic_i));
            if (f_push) begin
                f_warp  <= push_warp_o;
                f_fresh <= push_fresh_o;
                f_spare <= push_spare_o;
            end
            if (f_pushed)
                f_step <= !push_ok_i ? None : f_exit ? Exited : Running;
            else if (f_push)
                f_step <= Pushing;
            else if (f_save)
                f_step <= save_done_i ? Saved : Saving;
            else if (f_restore)
                f_step <= restore_done_i ? Restored : Restoring;
            else if (f_pop)
                f_step <= f_fresh ? None : Popped;
            else if (f_release)
                f_step <= None;
            else if (f_step == Saving && save_done_i)
                f_step <= Saved;
            else if (f_step == Restoring && restore_done_i)
                f_step <= Restored;
            else if (f_step == Running && f_exit)
                f_step <= Exited;
        end

    always @*
        if (f_live) begin
            if (f_save) begin
                assert (f_step == None && f_flushed && vic_valid_o);
            end
            if (f_push && !push_fresh_o) begin
                assert (f_flushed && vic_valid_o && push_warp_o == vic_warp_o &&
                        f_step == (push_spare_o ? None : Saved));
            end
            if (f_push && push_fresh_o) begin
                assert (f_step == None);
            end
            if (f_pop) begin
                assert (f_step == Exited && pop_warp_o == f_warp);
            end
            if (f_restore) begin
                assert (f_step == Popped && !f_spare && restore_warp_o == f_warp);
            end
            if (f_release) begin
                assert (f_step == (f_spare ? Popped : Restored) && !f_fresh && release_warp_o == f_warp);
            end
        end

    // The invariant of the induction: what the step means in the registers of the parts.
`ifdef YOSYS
    (* hierconn *) wire [`EVG_PEWT_STATE_WIDTH*Entries-1:0] \u_table.f_state ;
    (* hierconn *) wire [Entries-1:0] \u_table.f_back_owed , \u_table.fresh , \u_table.spare ;
    (* hierconn *) wire \u_table.f_taking , \u_table.f_taking_bound , \u_table.f_returning ;
    (* hierconn *) wire [IndexWidth-1:0] \u_table.f_take_entry , \u_table.f_returning_entry ;
    (* hierconn *) wire \u_table.f_since_reset , \u_ctrl.u_select.f_since_reset ;
    (* hierconn *) wire \u_ctrl.u_take.f_since_reset , \u_ctrl.u_back.f_since_reset ;
    (* hierconn *) wire \u_ctrl.u_take.f_flushed , \u_ctrl.u_take.f_drains ;
    (* hierconn *) wire \u_ctrl.u_select.s0_valid_q ;
    (* hierconn *) wire [2:0] \u_ctrl.u_select.s0_group_q ;
    (* hierconn *) wire [5:0] \u_ctrl.u_select.best_warp_q ;
    (* hierconn *) wire [`EVG_SELECT_STATE_WIDTH-1:0] \u_ctrl.u_select.state_q ;
`endif
    wire f_taken   = take_state_o != `EVG_TAKE_STATE_IDLE && take_entry == f_entry;
    wire f_back    = back_state_o != `EVG_BACK_STATE_IDLE && pop_entry_o == f_entry;
    wire f_owed    = u_table.f_back_owed[f_entry];
    wire f_running = u_table.f_state[`EVG_PEWT_STATE_WIDTH*f_entry+:`EVG_PEWT_STATE_WIDTH] ==
                     `EVG_PEWT_STATE_RUNNING;
    wire f_victim  = vic_valid_o && (take_state_o == `EVG_TAKE_STATE_FLUSH ||
                                     take_state_o == `EVG_TAKE_STATE_SAVE ||
                                     take_state_o == `EVG_TAKE_STATE_PUSH);
    integer f_e;

    always @* begin
        assert (f_live == u_table.f_since_reset && f_live == u_ctrl.u_select.f_since_reset &&
                f_live == u_ctrl.u_take.f_since_reset && f_live == u_ctrl.u_back.f_since_reset);
        if (f_live) begin
            // One that has been put back is the one that was tried last until another is.
            assert (u_table.f_taking || take_state_o == `EVG_TAKE_STATE_IDLE);
            assert (!u_table.f_taking || take_state_o != `EVG_TAKE_STATE_IDLE || (pend_valid && u_ctrl.u_take.f_drains));
            assert (!u_table.f_taking || u_table.f_take_entry == take_entry);
            assert (take_state_o != `EVG_TAKE_STATE_PUSH || u_table.f_taking_bound);
            if (take_state_o != `EVG_TAKE_STATE_IDLE && take_state_o != `EVG_TAKE_STATE_CHOOSE)
                assert (push_entry_o == take_entry);
            assert (u_table.f_returning == (back_state_o != `EVG_BACK_STATE_IDLE));
            assert (!u_table.f_returning || u_table.f_returning_entry == pop_entry_o);
            assert (!u_ctrl.u_take.f_flushed || (vic_valid_o && f_flushed));
            case (take_state_o)
                `EVG_TAKE_STATE_SCAN:
                    assert (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_REQUEST ||
                            u_ctrl.u_select.state_q == `EVG_SELECT_STATE_DRAIN);
                `EVG_TAKE_STATE_CONFIRM:
                    assert (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_CONFIRM);
                `EVG_TAKE_STATE_CHOOSE:
                    assert (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_IDLE ||
                            (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_CONFIRM &&
                             u_ctrl.u_select.s0_valid_q));
                default:
                    assert (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_IDLE);
            endcase
            assert (take_state_o != `EVG_TAKE_STATE_CONFIRM || u_ctrl.u_select.best_warp_q == vic_warp_o);
            assert (take_state_o != `EVG_TAKE_STATE_CONFIRM || cand_req_group_o == vic_warp_o[`EVG_WARP_PLACE_GROUP]);
            assert (!u_ctrl.u_select.s0_valid_q ||
                    u_ctrl.u_select.state_q != `EVG_SELECT_STATE_CONFIRM ||
                    take_state_o == `EVG_TAKE_STATE_CHOOSE ||
                    u_ctrl.u_select.s0_group_q == vic_warp_o[`EVG_WARP_PLACE_GROUP]);
            for (f_e = 0; f_e < Entries; f_e = f_e + 1)
                assert (!f_victim || !held[f_e] || held_warp[6*f_e+:6] != vic_warp_o);
            // A push carries the fields that the table holds for the entry that is taken.
            if (take_state_o != `EVG_TAKE_STATE_IDLE && take_state_o != `EVG_TAKE_STATE_CHOOSE)
                assert (push_event == entry_event);
            if (idle_o && !ev_valid_i && !exit_valid_i)
                assert (table_quiet && ctrl_quiet);
            // Taking
            assert ((f_taken && take_state_o == `EVG_TAKE_STATE_SAVE) == (f_step == Saving || f_save));
            assert ((f_taken && take_state_o == `EVG_TAKE_STATE_PUSH) == (f_step == Pushing || f_push));
            assert (f_step != Saved || f_push);
            assert (!f_push || (push_fresh_o == u_table.fresh[f_entry] &&
                                push_spare_o == u_table.spare[f_entry] &&
                                push_warp_o == held_warp[6*f_entry+:6]));
            // Running, giving back
            assert (f_running == (f_step == Running));
            assert ((f_step == Exited) == (f_pop || (f_owed && !f_back)));
            assert ((f_back && back_state_o == `EVG_BACK_STATE_RESTORING) ==
                    (f_step == Restoring || f_restore));
            assert (!(f_back && back_state_o == `EVG_BACK_STATE_RESTORE) || (f_pop && !f_spare));
            assert (!(f_back && back_state_o == `EVG_BACK_STATE_RESTORING) || !f_spare);
            assert (!(f_back && back_state_o == `EVG_BACK_STATE_RELEASE) ||
                    (f_spare ? f_pop : f_step == Restored));
            assert (f_step != Popped || (f_spare ? f_release : f_restore));
            assert (f_step != Restored || (!f_spare && f_release) ||
                    (f_back && !f_spare && back_state_o == `EVG_BACK_STATE_RELEASE));
            assert (f_step <= Restored);
            assert (!f_pop || (f_fresh ? !f_owed : f_back));
            assert (!f_back || !f_fresh);
            assert (f_step < Pushing || (f_warp == held_warp[6*f_entry+:6] &&
                                         f_fresh == u_table.fresh[f_entry] &&
                                         f_spare == u_table.spare[f_entry]));
            assert (!(f_back || f_pop || f_release) || pop_warp_o == f_warp);
            assert (!f_back || f_step >= Exited);
            assert (!(cmd_restore_o && back_state_o != `EVG_BACK_STATE_RESTORING));
            assert (!cmd_restore_o || restore_entry_o == pop_entry_o);
            assert (!cmd_save_o || (take_state_o == `EVG_TAKE_STATE_SAVE && save_entry_o == take_entry));
            assert (!cmd_push_o || (take_state_o == `EVG_TAKE_STATE_PUSH && push_entry_o == take_entry));
        end
    end

    // The core runs one event per warp: a free context is not a warp that runs one.
`ifdef FORMAL_TOP_sm_event_unit
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    integer f_other;
    always @*
        for (f_other = 0; f_other < Entries; f_other = f_other + 1)
            if (f_live && held[f_other])
                `EVG_REQUIRE (!core_free_warp_i || held_warp[6*f_other+:6] != core_free_slot_i);
`undef EVG_REQUIRE

`ifdef FORMAL_TOP_sm_event_unit
    always @* begin
        cover (f_live && f_release && !f_spare && release_barrier_o);
        cover (f_live && f_release && f_spare);
        cover (f_live && f_pop && f_fresh);
    end
`endif
