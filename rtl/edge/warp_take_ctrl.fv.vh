// Properties of warp_take_ctrl, included at its end under FORMAL (docs/design/proofs.md).

    // A taken event is started once, or put back; between, the commands keep their order. The flags below
    // are made from the commands alone.
    reg f_live = 1'b0;         // there has been a reset
    reg f_event, f_flushed;    // an event is being taken; its victim was seen flushed
    reg f_saving, f_saved, f_pushing;
    reg f_held, f_ended;
    wire f_since_reset = f_live; // for the proofs of the users
    wire f_put_back = state_q == Wait && state_d == Idle;

    always @(posedge clk_i) begin
        f_held     <= !rst_i && vic_valid_o;
        f_ended    <= rst_i || start_o || !vic_alive_i; // the victim runs the event or has exited
        if (rst_i) begin
            f_live    <= 1'b1;
            f_event   <= 1'b0;
            f_flushed <= 1'b0;
            f_saving  <= 1'b0;
            f_saved   <= 1'b0;
            f_pushing <= 1'b0;
        end else begin
            f_event   <= take_o || (f_event && !start_o && !f_put_back);
            f_flushed <= vic_valid_d && (f_flushed || (state_q == Flush && vic_alive_i && flushed));
            f_saving  <= save_d || (f_saving && !(state_q == Save && save_done_i));
            f_saved   <= vic_valid_d && (f_saved || (f_saving && save_done_i));
            f_pushing <= push_d || (f_pushing && !push_ok_i && !push_fail_i);
        end
    end

    reg f_ran;                  // at the edge before, the event began on its warp
    reg f_waited, f_preempt;
    reg [TimerWidth-1:0] f_timer;
    reg [5:0] f_vic;
    reg       f_held_event, f_shown;  // an event was being taken; it has been shown
    reg [IndexWidth-1:0] f_entry;
    reg       f_now, f_now_drop, f_now_flush;
    reg [5:0] f_now_warp;
    always @(posedge clk_i) begin
        f_now       <= !rst_i && now;
        f_now_warp  <= now_warp_i;
        f_now_drop  <= now_drop_i;
        f_now_flush <= |(cfg_opts_i & `EVG_OPT_FLUSH_IBUF);
        f_ran     <= !rst_i && start_o;
        f_waited  <= !rst_i && state_q == Wait && state_d == Wait;
        f_preempt <= cfg_preempt_i;
        f_timer   <= timer_q;
        f_vic     <= vic_warp_q;
        f_entry   <= take_entry_o;
        f_held_event <= !rst_i && f_event;
        f_shown   <= !rst_i && !take_o && (show_o || f_shown);
    end
    always @*
        if (f_live) begin
            // The head of the table is taken at once.
            assert (take_o == (pend_valid_i && state_q == Idle));
            // A victim that runs the event is not resumed too.
            assert (!(cmd_resume_o && f_ran));
            // It stays the same warp while it is held.
            assert (!(f_held && vic_valid_o) || vic_warp_o == f_vic);
            // A warp that can be flushed at once is the victim; its command comes with the hold.
            if (f_now)
                assert (vic_valid_o && vic_warp_o == f_now_warp && state_q == Flush &&
                        cmd_drop_o == f_now_drop && (cmd_flush_o || f_now_drop || !f_now_flush));
            assert (!now_req_o || (state_q != Idle && !state_q[2]) || state_q == Flush);
            // Waiting ends: a free context at once, a scan when the time is over.
            assert (timer_q <= RescanCycles);
            assert (!vic_valid_q || (state_q != Idle && state_q != Choose && state_q != Scan && state_q != Wait));
            if ((state_q == Choose || state_q == Wait) && core_free_warp_i && regs_fit)
                assert (push_d);
            if (state_q == Wait && cfg_preempt_i && !push_d && !now &&
                (timer_q == 0 || released_i || (cfg_spare_i && regs_fit && !any_q)))
                assert (f_put_back ? pend_valid_i && timer_q == 0 : select_start_o);
            if (f_waited && state_q == Wait)
                assert (f_timer == 0 ? !f_preempt && timer_q == 0 : timer_q == f_timer - 1'b1);
        end

    // Who is not served does not stop who is behind it, and keeps what is free.
    reg f_drains; // an event whose turn it was has waited, and none has run since
    always @(posedge clk_i)
        f_drains <= !rst_i && ((state_q == Wait && !lighter_q) || (f_drains && !(start_o && !lighter_q)));

`ifdef FORMAL_TOP_warp_take_ctrl
    always @*
        if (f_live && pend_valid_i && pend_lighter_i) // pending_order: once another one has been tried
            assume (state_q != Idle || f_drains);
`endif
    always @*
        if (f_live) begin
            if (f_put_back)
                assert (f_event && !vic_valid_q && pend_valid_i && !push_d && !now && drain_q);
            if (state_q == Wait && pend_valid_i && !push_d && !now && !(released_i || (any && !any_q)) &&
                (cfg_preempt_i ? timer_q == 0 : !pend_lighter_i))
                assert (f_put_back);
            assert (!f_drains || want_drain_o);
            assert (state_q != Wait || want_drain_o);
            assert (!lighter_q || state_q == Idle || f_drains);
            if (lighter_q && push_d)
                assert (!bind_fresh_o && !bind_spare_o);
            if (lighter_q && state_q != Idle)
                assert (!any_q && claim_regs_o == 7'd0);
        end

    // The time of a flush, whose edges flush_watch counts from flush_start: the last one lets the victim
    // go, and no other one does.
    reg        f_gave_up, f_vanished, f_cleared;
    reg [5:0]  f_given_up;
    always @(posedge clk_i) begin
        f_gave_up  <= !rst_i && state_q == Flush && over && vic_alive_i && !flushed && !push_d && !now_ok;
        f_given_up <= vic_warp_q;
        f_vanished <= !rst_i && (take_o || (state_q == Scan && select_done_i && state_d == Wait));
        f_cleared  <= rst_i;
    end

    always @*
        if (f_live) begin
            assert (flush_start == (state_q != Flush && state_d == Flush));
            assert (!over || (state_q == Flush && state_d != Flush));
            assert (timed_out_o == f_gave_up);
            if (timed_out_o)
                assert (cmd_resume_o && !vic_valid_o && state_q == Choose &&
                        select_tried_o[f_given_up] && vic_warp_o == f_given_up);
            if (f_vanished || f_cleared)
                assert (select_tried_o == 64'd0);
        end

    always @*
        if (f_live) begin
            assert (state_q != Save || f_saving);
            assert (f_saving == (state_q == Save) && f_pushing == (state_q == Push));
            // What push_payload holds is of the event that is pushed.
            assert (!(f_event && f_held_event) || take_entry_o == f_entry);
            assert (show_o == (f_event && state_q == Choose));
            assert (state_q == Idle || f_shown || show_o);
            // No event lost or run twice
            assert (f_event == (state_q != Idle));
            assert (!(take_o && f_event));
            if (start_o)
                assert (f_event && f_pushing && push_ok_i);
            assert (bind_o == (f_event && !f_pushing));
            if (push_d)
                assert (bind_o);
            if (state_q == Push && push_ok_i)
                assert (start_o);
            // Order: hold, flush, save unless spare, push
            if (save_d)
                assert (vic_valid_q && !f_pushing != spare_q || f_flushed || flushed);
            if (push_d && !bind_fresh_o)
                assert (vic_valid_q && (bind_spare_o ? flushed && vic_alive_i
                                                     : f_saving && save_done_i));
            if (push_d && bind_fresh_o)
                assert (core_free_warp_i && core_free_regs_i >= {3'd0, regs_q});
            if (state_q == Confirm || state_q == Flush || state_q == Save)
                assert (vic_valid_q);
            if (state_q == Save)
                assert (f_flushed);
            // Registers: what is saved and what is pushed without its own came from a scan for warps
            // that have enough; what any warp may be taken for is claimed meanwhile, and there at last.
            if (save_d || state_q == Save || (push_d && !bind_fresh_o && !bind_spare_o))
                assert (!any_q);
            if (push_d && bind_spare_o)
                assert (core_free_regs_i >= {3'd0, regs_q});
            assert (claim_regs_o == (any_q && (state_q == Scan || state_q[2]) ? regs_q : 7'd0));
            if (any_q && state_q == Scan)
                assert (select_regs_o == 7'd0);
            if (state_q == Push)
                assert (fresh_q == !vic_valid_q && (fresh_q || f_flushed) && !(fresh_q && spare_q));
            // Commands for a victim that is held, or was until now
            if (cmd_flush_o || cmd_drop_o || cmd_save_o)
                assert (vic_valid_o);
            assert (!cmd_resume_o || (f_held && !vic_valid_o));
            if (f_held && !vic_valid_o)
                assert (cmd_resume_o || f_ended);
            assert (!(cmd_save_o && cmd_push_o));
            assert (bind_barrier_o == (!bind_fresh_o && vic_barrier_i && !bar_done_i[vic_warp_q]));
        end

`ifdef FORMAL_TOP_warp_take_ctrl
    always @* begin
        cover (f_live && start_o && f_saved);
        cover (f_live && start_o && spare_q);
        cover (f_live && cmd_drop_o);
        cover (f_live && start_o && spare_q && any_q);
`ifndef FORMAL_ANSWERS
        cover (f_live && start_o && lighter_q && f_saved);
        cover (f_live && f_put_back && lighter_q);
`endif
`ifndef FORMAL_ANSWERS
        cover (f_live && now && select_done_i && state_q == Scan);
        cover (f_live && start_o && fresh_q && drain_q);
        cover (f_live && cmd_resume_o && !cmd_push_o);
        cover (f_live && cmd_resume_o && any_q && drain_q && state_q == Choose);
`endif
        cover (f_live && state_q == Save && cmd_save_o && f_held && spare_q);
`ifndef FORMAL_ANSWERS
        cover (f_live && timed_out_o && !cmd_push_o);
        cover (f_live && start_o && f_saved && |select_tried_o);
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
        f_age     <= rst_i || !f_event || start_o ? 5'd0 : f_age + 5'd1;
    end

    always @* begin
        assume (cfg_preempt_i && vic_alive_i && !push_fail_i && confirm_ok_i && select_found_i);
        assume (!vic_barrier_i || |(cfg_opts_i & `EVG_OPT_SKIP_BARRIER));
        assume (cfg_flush_limit_i != 16'd1); // its second edge is not too late
        assume (!any_q || regs_fit); // blocks keep off what is claimed
        assume (!now_ok);            // each other warp that becomes ready begins the choice again
        if (f_scan == 3'd2)
            assume (select_done_i);
        if (f_confirm == 3'd1)
            assume (confirmed_i);
        if (f_flush == 3'd1)
            assume (flushed);
        if (f_save == 3'd2)
            assume (save_done_i);
        if (f_push == 3'd1)
            assume (push_ok_i);
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
            assert (!any_q);
    end
`endif
