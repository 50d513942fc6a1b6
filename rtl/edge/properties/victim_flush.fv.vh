// SPDX-License-Identifier: Apache-2.0
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
        f_ibuf     <= vic_ibuf;
        f_fetch    <= vic_fetch;
        f_pipe     <= vic_pipe;
        f_loads    <= vic_loads;
        f_younger  <= vic_younger;
        f_barrier  <= vic_barrier;
        f_atomic   <= vic_atomic;
    end

    wire f_in_flight = vic_ibuf != 2'd0 || vic_fetch || vic_pipe || vic_loads || vic_atomic;

    always @*
        if (f_live) begin
            // Flushed: nothing in flight; a barrier does not matter where it is skipped.
            assert (flushed_o == !(f_in_flight ||
                                   (vic_barrier && !(|(cfg_opts_i & `EVG_OPT_SKIP_BARRIER)))));
            // Commands as long as a victim is held
            assert (flush_o[`EVG_FLUSH_PRIO] == (f_held && |(f_opts & `EVG_OPT_PRIORITY)));
            assert (flush_o[`EVG_FLUSH_SKIP] == (f_held && |(f_opts & `EVG_OPT_SKIP_BARRIER)));
            assert (flush_o[`EVG_FLUSH_RESUME] == f_resume && flush_o[`EVG_FLUSH_TIMED_OUT] == f_give_up);
            // Loads: dropped only while nothing younger is done or on its way, and nothing else forbids it
            if (flush_o[`EVG_FLUSH_DROP])
                assert (f_now ? f_now_drop
                              : f_step && |(f_opts & `EVG_OPT_DROP_LOADS) && f_loads && !f_younger &&
                                !f_pipe && !f_atomic && !f_barrier);
            assert (!(flush_o[`EVG_FLUSH_DROP] && flush_o[`EVG_FLUSH_FLUSH]));
            if (flush_o[`EVG_FLUSH_FLUSH])
                assert (|(f_opts & `EVG_OPT_FLUSH_IBUF) && (f_now || (f_step && f_ibuf != 2'd0)));
            // and given whenever that is so: a step empties what it can
            if (f_now && f_now_drop)
                assert (flush_o[`EVG_FLUSH_DROP]);
            if (f_now && !f_now_drop && |(f_opts & `EVG_OPT_FLUSH_IBUF))
                assert (flush_o[`EVG_FLUSH_FLUSH]);
            if (f_step && !f_now && f_loads && !f_younger && !f_pipe && !f_atomic && !f_barrier &&
                |(f_opts & `EVG_OPT_DROP_LOADS))
                assert (flush_o[`EVG_FLUSH_DROP]);
            if (f_step && !f_now && f_ibuf != 2'd0 && |(f_opts & `EVG_OPT_FLUSH_IBUF))
                assert (flush_o[`EVG_FLUSH_FLUSH] || flush_o[`EVG_FLUSH_DROP]);
            assert (quiet_o == (flush_o == {`EVG_FLUSH_WIDTH{1'b0}}));
        end

`ifdef FORMAL_TOP_victim_flush
    always @* begin
        cover (f_live && flush_o[`EVG_FLUSH_DROP] && !f_now);
        cover (f_live && flush_o[`EVG_FLUSH_FLUSH] && flush_o[`EVG_FLUSH_PRIO] && flush_o[`EVG_FLUSH_SKIP]);
        cover (f_live && flushed_o && vic_barrier);
        cover (f_live && flush_o[`EVG_FLUSH_TIMED_OUT] && |tried_o);
    end
`endif
