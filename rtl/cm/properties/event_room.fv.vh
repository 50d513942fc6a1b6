// SPDX-License-Identifier: Apache-2.0
// Properties of event_room, included at its end under FORMAL (docs/design/proofs.md).

    // The block out of its ports alone, as the contract has it: a sum that takes every cycle.
    reg                 f_live = 1'b0; // there has been a reset
    reg  [2:0]          f_events = 3'd0;
    reg  [4:0]          f_shift = 5'd0;
    reg  [16:0]         f_at = 17'd0;  // that of the last edge, 0 for that of a tick
    reg  [MostShift+2:0] f_sum = 0, f_done = 0, f_done_1 = 0, f_done_2 = 0;
    reg  [3:0]          f_ticks = 4'd0, f_moves = 4'd0; // at the last four edges
    reg  [15:0]         f_mean = 16'd0;
    reg  [6:0]          f_recent = 7'd0, f_event = 7'd0;
    reg  [2:0]          f_warps = 3'd0;
    reg  [9:0]          f_regs = 10'd0;
    reg                 f_had = 1'b0;  // room has been kept
    wire                f_move = events_i != f_events || take_i || tick_i;
    wire [MostShift+2:0] f_total = f_sum + {{MostShift{1'b0}}, f_events};
    wire [6:0]          f_most = take_i && regs_i > f_recent ? regs_i : f_recent;
    wire [MostShift+18:0] f_share = {16'd0, f_done_2} >> (f_shift - Fraction);
    wire [15:0]         f_fall = f_mean - (f_mean >> Decay) - {15'd0, (f_mean & ((16'd1 << Decay) - 16'd1)) != 16'd0};
    wire [15:0]         f_shown = {{13 - Fraction{1'b0}}, mean_o};
    wire [15:0]         f_need = (f_shown >> Fraction) + {15'd0, f_shown[Fraction-1:0] != 0} + {14'd0, cfg_margin_i};
    wire [2:0]          f_room = f_shown == 16'd0 ? 3'd0 : f_need > Most ? Most : f_need[2:0];

    always @(posedge clk_i)
        if (rst_i) begin
            f_live   <= 1'b1;
            f_had    <= 1'b0;
            f_events <= 3'd0;
            f_sum    <= 0;
            f_ticks  <= 4'd0;
            f_moves  <= 4'd0;
            f_mean   <= 16'd0;
            f_recent <= 7'd0;
            f_event  <= 7'd0;
            f_warps  <= 3'd0;
            f_regs   <= 10'd0;
        end else begin
            f_had    <= f_had || regs_o != 10'd0;
            f_events <= events_i;
            f_ticks  <= {f_ticks[2:0], tick_i};
            f_moves  <= {f_moves[2:0], f_move};
            f_sum    <= tick_i ? 0 : f_total;
            if (f_ticks[2])
                f_mean <= f_share[15:0] > f_fall ? f_share[15:0] : f_fall;
            f_recent <= tick_i ? 7'd0 : f_most;
            if (tick_i && f_most != 7'd0 || f_most > f_event)
                f_event <= f_most;
            else if (f_ticks[3] && f_shown == 16'd0 && f_most == 7'd0)
                f_event <= 7'd0;
            if (f_moves[3]) begin
                f_warps <= f_room;
                f_regs  <= {7'd0, f_room} * {3'd0, f_event};
            end
        end

    always @(posedge clk_i) begin
        f_shift  <= cfg_shift_i;
        f_at     <= tick_i ? 17'd0 : at_i;
        f_done   <= f_total;
        f_done_1 <= f_done;
        f_done_2 <= f_done_1;
    end

    always @*
        if (f_live) begin
            assert (warps_o == f_warps && warps_o <= Most);
            assert (regs_o == f_regs);
            assert (idle_o == (f_moves == 4'd0));
        end

    // Of a block that gets every edge, and whose time goes on; otherwise nothing is promised of the mean.
`ifdef FORMAL_TOP_event_room
    always @*
        if (f_live) begin
            assume (f_at < 17'd1 << f_shift);
            if (!rst_i) begin
                assume (cfg_shift_i == f_shift && cfg_shift_i >= Fraction && cfg_shift_i <= MostShift);
                assume (at_i == f_at + 17'd1);
                assume (tick_i == (at_i == 17'd1 << cfg_shift_i));
            end
        end

    always @*
        if (f_live) begin
            assert (f_shown == f_mean);
            assert (f_mean <= 7 << Fraction);
            cover (!rst_i && warps_o == 3'd2 && f_mean[Fraction-1:0] == 0 && cfg_margin_i == 2'd0 && regs_o == 10'd40);
            cover (!rst_i && f_had && warps_o == 3'd0 && f_event == 7'd0);
        end
`endif

    // --- invariants ------------------------------------------------------------------------------
    always @*
        if (f_live) begin
            assert (events_q == f_events && moves_q == f_moves && ticks_q == f_ticks);
            assert ((ticks_q & ~moves_q) == 4'd0);
            assert (recent_q == f_recent && event_q == f_event && f_recent <= f_event);
        end

`ifdef FORMAL_TOP_event_room
    // What is closed already, and what the last change has left open
    wire [SumWidth-1:0] f_closed = !moves_q[0] ? sum_q : ticks_q[0] ? {SumWidth{1'b0}} : total;
    wire [SumWidth-1:0] f_age    = {2'd0, f_at[SpanWidth-1:0] - last_q};
    wire [SumWidth-1:0] f_open   = (events_q[0] ? f_age : {SumWidth{1'b0}}) + (events_q[1] ? f_age << 1 : {SumWidth{1'b0}}) +
                                   (events_q[2] ? f_age << 2 : {SumWidth{1'b0}});

    always @*
        if (f_live) begin
            assert (f_ticks == 4'd0 || (f_at < 17'd4 && f_ticks == 4'd1 << f_at[1:0]));
            assert (events_q == 3'd0 || {{17 - SpanWidth{1'b0}}, last_q} <= f_at);
            assert (f_sum == f_closed + f_open && f_sum <= {2'd0, f_at[SpanWidth-1:0]} * 3'd7);
            assert (f_closed <= f_sum && f_open <= f_sum);
            if (ticks_q[0])
                assert (f_done == total && f_done <= {{SumWidth-3{1'b0}}, 3'd7} << f_shift);
            if (ticks_q[1])
                assert (f_done_1 == ended_q && f_done_1 <= {{SumWidth-3{1'b0}}, 3'd7} << f_shift);
            if (ticks_q[2])
                assert ({{13 - Fraction{1'b0}}, sample_q} == f_share[15:0] && f_share <= 7 << Fraction);
        end
`endif

    // Every register; an idle block without a change stands still, whatever time does.
    localparam StateBits = 2 * 3 + 2 * SpanWidth + 2 * 4 + 2 * SumWidth + 2 * MeanWidth + 2 * 7 + 3 + 10 + 1;
    wire [StateBits-1:0] all_state = {
        events_q, weight_q, last_q, span_q, moves_q, ticks_q, sum_q, ended_q, sample_q, mean_q, recent_q, event_q,
        warps_q, regs_q, idle_q
    };
    reg  [StateBits-1:0] f_state;
    reg                  f_rest = 1'b0;

    always @(posedge clk_i) begin
        f_state <= all_state;
        f_rest  <= f_live && !rst_i && idle_q && !change;
    end

    always @*
        if (f_rest)
            assert (all_state == f_state);
