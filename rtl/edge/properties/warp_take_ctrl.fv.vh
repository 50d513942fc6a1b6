// SPDX-License-Identifier: Apache-2.0
// Properties of warp_take_ctrl, included at its end under FORMAL (docs/design/proofs.md).

    // A taken event is started once, or put back; between, the commands keep their order. The flags below
    // are made from the commands alone.
    reg f_live = 1'b0;         // there has been a reset
    reg f_event, f_flushed;    // an event is being taken; its victim was seen flushed
    reg f_saving, f_saved, f_pushing;
    reg f_held, f_ended;
    wire f_since_reset = f_live; // for the proofs of the users
    wire [63:0] f_tried = select_o[`EVG_SELECT_TRIED];
    wire f_put_back = state_q == Wait && state_d == Idle;

    always @(posedge clk_i) begin
        f_held     <= !rst_i && vic_valid_o;
        f_ended    <= rst_i || step[Start] || !vic_alive; // the victim runs the event or has exited
        if (rst_i) begin
            f_live    <= 1'b1;
            f_event   <= 1'b0;
            f_flushed <= 1'b0;
            f_saving  <= 1'b0;
            f_saved   <= 1'b0;
            f_pushing <= 1'b0;
        end else begin
            f_event   <= take || (f_event && !step[Start] && !f_put_back);
            f_flushed <= vic_valid_d && (f_flushed || (state_q == Flush && vic_alive && flushed));
            f_saving  <= save || (f_saving && !(state_q == Save && save_done));
            f_saved   <= vic_valid_d && (f_saved || (f_saving && save_done));
            f_pushing <= push || (f_pushing && !push_ok && !push_fail);
        end
    end

    reg f_ran;                  // at the edge before, the event began on its warp
    reg f_waited, f_preempt;
    reg [TimerWidth-1:0] f_timer;
    reg [5:0] f_vic;
    reg       f_held_event, f_shown;  // an event was being taken; it has been shown
    reg [`EVG_PEWT_INDEX_BITS-1:0] f_entry;
    reg       f_now, f_now_drop, f_now_flush;
    reg [5:0] f_now_warp;
    always @(posedge clk_i) begin
        f_now       <= !rst_i && now;
        f_now_warp  <= now_warp;
        f_now_drop  <= now_drop;
        f_now_flush <= |(cfg_i[`EVG_EVENT_UNIT_CFG_OPTS] & `EVG_OPT_FLUSH_IBUF);
        f_ran     <= !rst_i && step[Start];
        f_waited  <= !rst_i && state_q == Wait && state_d == Wait;
        f_preempt <= cfg_preempt;
        f_timer   <= timer_q;
        f_vic     <= vic_warp_q;
        f_entry   <= take_o[`EVG_TAKE_ENTRY];
        f_held_event <= !rst_i && f_event;
        f_shown   <= !rst_i && !take && (show_o || f_shown);
    end
    always @*
        if (f_live) begin
            // The head of the table is taken at once.
            assert (take == (pend_valid_i && state_q == Idle));
            // A confirmation comes with the end of a scan, and of none but a found warp (victim_select assumes it).
            assert (!select_o[`EVG_SELECT_CONFIRM] ||
                    (selected_i[`EVG_SELECTED_DONE] && selected_i[`EVG_SELECTED_FOUND] && !select_o[`EVG_SELECT_START]));
            // A victim that runs the event is not resumed too.
            assert (!(flush_o[`EVG_FLUSH_RESUME] && f_ran));
            // It stays the same warp while it is held.
            assert (!(f_held && vic_valid_o) || vic_warp_o == f_vic);
            // A warp that can be flushed at once is the victim; its command comes with the hold.
            if (f_now)
                assert (vic_valid_o && vic_warp_o == f_now_warp && state_q == Flush &&
                        flush_o[`EVG_FLUSH_DROP] == f_now_drop && (flush_o[`EVG_FLUSH_FLUSH] || f_now_drop || !f_now_flush));
            assert (!now_req_o || (state_q != Idle && !state_q[BusyBit]) || state_q == Flush);
            // Waiting ends: a free context at once, a scan when the time is over.
            assert (timer_q <= RescanCycles);
            assert (!vic_valid_q || (state_q != Idle && state_q != Choose && state_q != Scan && state_q != Wait));
            if ((state_q == Choose || state_q == Wait) && free_i[`EVG_CORE_FREE_WARP] && fits)
                assert (push);
            if (state_q == Wait && cfg_preempt && !push && !now &&
                (timer_q == 0 || released_i || (cfg_i[`EVG_EVENT_UNIT_CFG_SPARE] && fits && !any_asked)))
                assert (f_put_back ? pend_valid_i && timer_q == 0 : select_start);
            if (f_waited && state_q == Wait)
                assert (f_timer == 0 ? !f_preempt && timer_q == 0 : timer_q == f_timer - 1'b1);
        end

    // Who is not served does not stop who is behind it, and keeps what is free.
    reg f_drains; // an event whose turn it was has waited, and none has run since
    always @(posedge clk_i)
        f_drains <= !rst_i && ((state_q == Wait && !lighter) || (f_drains && !(step[Start] && !lighter)));

`ifdef FORMAL_TOP_warp_take_ctrl
    always @*
        if (f_live && pend_valid_i && pend_lighter) // pending_order: once another one has been tried
            assume (state_q != Idle || f_drains);
`endif
    always @*
        if (f_live) begin
            if (f_put_back)
                assert (f_event && !vic_valid_q && pend_valid_i && !push && !now && drain_q);
            if (state_q == Wait && pend_valid_i && !push && !now && !(released_i || (any && !any_asked)) &&
                (cfg_preempt ? timer_q == 0 : !pend_lighter))
                assert (f_put_back);
            assert (!f_drains || want_drain_o);
            assert (state_q != Wait || want_drain_o);
            assert (!lighter || state_q == Idle || f_drains);
            if (lighter && push)
                assert (!take_o[`EVG_TAKE_FRESH] && !take_o[`EVG_TAKE_SPARE]);
            if (lighter && state_q != Idle)
                assert (!any_asked && claim_regs_o == 7'd0);
        end

    // The time of a flush, whose edges flush_watch counts from flush_start: the last one lets the victim
    // go, and no other one does.
    reg        f_gave_up, f_vanished, f_cleared;
    reg [5:0]  f_given_up;
    always @(posedge clk_i) begin
        f_gave_up  <= !rst_i && state_q == Flush && over && vic_alive && !flushed && !push && !swap;
        f_given_up <= vic_warp_q;
        f_vanished <= !rst_i && (take || (state_q == Scan && select_done && state_d == Wait));
        f_cleared  <= rst_i;
    end

    // So often has this event let a victim go that was neither flushed nor over.
    reg [3:0] f_swaps;
    wire      f_over = over && !swap;
    always @(posedge clk_i)
        if (rst_i || take)
            f_swaps <= 4'd0;
        else if (state_q == Flush && state_d == Choose && vic_alive && !flushed && !f_over)
            f_swaps <= f_swaps + 4'd1;

    always @*
        if (f_live) begin
            assert (f_swaps == {1'b0, swaps_q} && f_swaps <= {1'b0, Swaps});
            assert (flush_start == (state_q != Flush && state_d == Flush));
            assert (!over || (state_q == Flush && state_d != Flush));
            assert (flush_o[`EVG_FLUSH_TIMED_OUT] == f_gave_up);
            if (flush_o[`EVG_FLUSH_TIMED_OUT])
                assert (flush_o[`EVG_FLUSH_RESUME] && !vic_valid_o && state_q == Choose &&
                        f_tried[f_given_up] && vic_warp_o == f_given_up);
            if (f_vanished || f_cleared)
                assert (f_tried == 64'd0);
        end

    always @*
        if (f_live) begin
            assert (state_q != Save || f_saving);
            assert (f_saving == (state_q == Save) && f_pushing == (state_q == Push));
            // What push_payload holds is of the event that is pushed.
            assert (!(f_event && f_held_event) || take_o[`EVG_TAKE_ENTRY] == f_entry);
            assert (show_o == (f_event && state_q == Choose));
            assert (state_q == Idle || f_shown || show_o);
            // No event lost or run twice
            assert (f_event == (state_q != Idle));
            assert (!(take && f_event));
            if (step[Start])
                assert (f_event && f_pushing && push_ok);
            assert (take_o[`EVG_TAKE_BIND] == (f_event && !f_pushing));
            if (push)
                assert (take_o[`EVG_TAKE_BIND]);
            if (state_q == Push && push_ok)
                assert (step[Start]);
            // Order: hold, flush, save unless spare, push
            if (save)
                assert (vic_valid_q && !f_pushing != spare_q || f_flushed || flushed);
            if (push && !take_o[`EVG_TAKE_FRESH])
                assert (vic_valid_q && (take_o[`EVG_TAKE_SPARE] ? flushed && vic_alive
                                                     : f_saving && save_done));
            if (push && take_o[`EVG_TAKE_FRESH])
                assert (free_i[`EVG_CORE_FREE_WARP] && free_i[`EVG_CORE_FREE_REGS] >= {3'd0, now_regs_o});
            if (state_q == Confirm || state_q == Flush || state_q == Save)
                assert (vic_valid_q);
            if (state_q == Save)
                assert (f_flushed);
            // Registers: what is saved and what is pushed without its own came from a scan for warps
            // that have enough; what any warp may be taken for is claimed meanwhile, and there at last.
            if (save || state_q == Save || (push && !take_o[`EVG_TAKE_FRESH] && !take_o[`EVG_TAKE_SPARE]))
                assert (!any_asked);
            if (push && take_o[`EVG_TAKE_SPARE])
                assert (free_i[`EVG_CORE_FREE_REGS] >= {3'd0, now_regs_o});
            assert (claim_regs_o == (any_asked && (state_q == Scan || state_q[BusyBit]) ? now_regs_o : 7'd0));
            if (any_asked && state_q == Scan)
                assert (select_o[`EVG_SELECT_REGS] == 7'd0);
            if (state_q == Push)
                assert (fresh_q == !vic_valid_q && (fresh_q || f_flushed) && !(fresh_q && spare_q));
            // Commands for a victim that is held, or was until now
            if (flush_o[`EVG_FLUSH_FLUSH] || flush_o[`EVG_FLUSH_DROP] || cmd_save_o)
                assert (vic_valid_o);
            assert (!flush_o[`EVG_FLUSH_RESUME] || (f_held && !vic_valid_o));
            if (f_held && !vic_valid_o)
                assert (flush_o[`EVG_FLUSH_RESUME] || f_ended);
            assert (!(cmd_save_o && cmd_push_o));
            assert (take_o[`EVG_TAKE_BARRIER] == (!take_o[`EVG_TAKE_FRESH] && vic_barrier && !bar_done_i[vic_warp_q]));
        end

`ifdef FORMAL_TOP_warp_take_ctrl
    always @* begin
        cover (f_live && step[Start] && f_saved);
        cover (f_live && step[Start] && spare_q);
        cover (f_live && flush_o[`EVG_FLUSH_DROP]);
        cover (f_live && step[Start] && spare_q && any_asked);
`ifndef FORMAL_ANSWERS
        cover (f_live && step[Start] && lighter && f_saved);
        cover (f_live && f_put_back && lighter);
`endif
`ifndef FORMAL_ANSWERS
        cover (f_live && now && select_done && state_q == Scan);
        cover (f_live && step[Start] && fresh_q && drain_q);
        cover (f_live && flush_o[`EVG_FLUSH_RESUME] && !cmd_push_o);
        cover (f_live && flush_o[`EVG_FLUSH_RESUME] && any_asked && drain_q && state_q == Choose);
`endif
        cover (f_live && state_q == Save && cmd_save_o && f_held && spare_q);
`ifndef FORMAL_ANSWERS
        cover (f_live && flush_o[`EVG_FLUSH_TIMED_OUT] && !cmd_push_o);
        cover (f_live && step[Start] && f_saved && |f_tried);
`endif
    end
`endif

`ifdef FORMAL_ANSWERS
    // With a core that answers: select in 3 edges, confirmation in 2, flush in 2, save in 3, push in 2
    // without failing, and a victim that qualifies and lives.
    reg [2:0] f_scan, f_confirm, f_flush, f_save, f_push;
    reg [4:0] f_age;

    always @(posedge clk_i) begin
        f_scan    <= rst_i || state_q != Scan    ? 3'd0 : f_scan + 3'd1;
        f_confirm <= rst_i || state_q != Confirm ? 3'd0 : f_confirm + 3'd1;
        f_flush   <= rst_i || state_q != Flush   ? 3'd0 : f_flush + 3'd1;
        f_save    <= rst_i || state_q != Save    ? 3'd0 : f_save + 3'd1;
        f_push    <= rst_i || state_q != Push    ? 3'd0 : f_push + 3'd1;
        f_age     <= rst_i || !f_event || step[Start] ? 5'd0 : f_age + 5'd1;
    end

    always @* begin
        assume (cfg_preempt && vic_alive && !push_fail && confirm_ok && select_found);
        assume (!vic_barrier || |(cfg_i[`EVG_EVENT_UNIT_CFG_OPTS] & `EVG_OPT_SKIP_BARRIER));
        assume (cfg_i[`EVG_EVENT_UNIT_CFG_FLUSH_LIMIT] != 16'd1); // its second edge is not too late
        assume (!any_asked || fits); // blocks keep off what is claimed
        assume (!now_ok);            // each other warp that becomes ready begins the choice again
        if (f_scan == 3'd2)
            assume (select_done);
        if (f_confirm == 3'd1)
            assume (confirmed);
        if (f_flush == 3'd1)
            assume (flushed);
        if (f_save == 3'd2)
            assume (save_done);
        if (f_push == 3'd1)
            assume (push_ok);
        // Choose 1, scan 3, confirm 2, flush 2, save 3, push 2
        if (f_live && f_event)
            assert (f_age < 5'd13);
        cover (f_live && f_age == 5'd12);
    end
`endif

`ifndef YOSYS
    // No output shows for which victims a reset has left the scan: an event's first one asks anew.
    reg f_was_reset = 1'b0;

    always @(posedge clk_i) begin
        f_was_reset <= rst_i;
        if (f_was_reset)
            assert (!any_asked);
    end
`endif
