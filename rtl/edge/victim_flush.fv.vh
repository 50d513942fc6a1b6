// Properties of victim_flush, included at its end under FORMAL (docs/design/proofs.md).

    // The optimisations and the victim's state, as they were at the edge that a command follows.
    reg       f_live = 1'b0; // there has been a reset
    reg       f_step, f_now, f_now_drop, f_held, f_resume, f_give_up;
    reg [3:0] f_opts;
    reg [1:0] f_ibuf;
    reg       f_fetch, f_pipe, f_loads, f_younger, f_barrier, f_atomic;

    always @(posedge clk_i) begin
        if (rst_i)
            f_live <= 1'b1;
        f_step     <= !rst_i && step_i;
        f_now      <= !rst_i && now_i;
        f_now_drop <= now_drop_i;
        f_held     <= !rst_i && held_i;
        f_resume   <= !rst_i && resume_i;
        f_give_up  <= !rst_i && give_up_i;
        f_opts     <= cfg_opts_i;
        f_ibuf     <= vic_ibuf_i;
        f_fetch    <= vic_fetch_i;
        f_pipe     <= vic_pipe_i;
        f_loads    <= vic_loads_i;
        f_younger  <= vic_younger_i;
        f_barrier  <= vic_barrier_i;
        f_atomic   <= vic_atomic_i;
    end

    wire f_in_flight = vic_ibuf_i != 2'd0 || vic_fetch_i || vic_pipe_i || vic_loads_i || vic_atomic_i;

    always @*
        if (f_live) begin
            // Flushed: nothing in flight; a barrier does not matter where it is skipped.
            assert (flushed_o == !(f_in_flight ||
                                   (vic_barrier_i && !(|(cfg_opts_i & `EVG_OPT_SKIP_BARRIER)))));
            // Commands as long as a victim is held
            assert (cmd_prio_o == (f_held && |(f_opts & `EVG_OPT_PRIORITY)));
            assert (cmd_skip_o == (f_held && |(f_opts & `EVG_OPT_SKIP_BARRIER)));
            assert (cmd_resume_o == f_resume && timed_out_o == f_give_up);
            // Loads: dropped only while nothing younger is done or on its way, and nothing else forbids it
            if (cmd_drop_o)
                assert (f_now ? f_now_drop
                              : f_step && |(f_opts & `EVG_OPT_DROP_LOADS) && f_loads && !f_younger &&
                                !f_pipe && !f_atomic && !f_barrier);
            assert (!(cmd_drop_o && cmd_flush_o));
            if (cmd_flush_o)
                assert (|(f_opts & `EVG_OPT_FLUSH_IBUF) && (f_now || (f_step && f_ibuf != 2'd0)));
            // and given whenever that is so: a step empties what it can
            if (f_now && f_now_drop)
                assert (cmd_drop_o);
            if (f_now && !f_now_drop && |(f_opts & `EVG_OPT_FLUSH_IBUF))
                assert (cmd_flush_o);
            if (f_step && !f_now && f_loads && !f_younger && !f_pipe && !f_atomic && !f_barrier &&
                |(f_opts & `EVG_OPT_DROP_LOADS))
                assert (cmd_drop_o);
            if (f_step && !f_now && f_ibuf != 2'd0 && |(f_opts & `EVG_OPT_FLUSH_IBUF))
                assert (cmd_flush_o || cmd_drop_o);
            assert (quiet_o == ({cmd_prio_o, cmd_skip_o, cmd_flush_o, cmd_drop_o, cmd_resume_o,
                                 timed_out_o} == 6'd0));
        end

`ifdef FORMAL_TOP_victim_flush
    always @* begin
        cover (f_live && cmd_drop_o && !f_now);
        cover (f_live && cmd_flush_o && cmd_prio_o && cmd_skip_o);
        cover (f_live && flushed_o && vic_barrier_i);
        cover (f_live && timed_out_o && |tried_o);
    end
`endif
