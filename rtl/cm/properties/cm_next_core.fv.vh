// SPDX-License-Identifier: Apache-2.0
// Properties of cm_next_core, included at its end under FORMAL (docs/design/proofs.md).

    wire f_write = reg_valid_i && reg_write_i;

    // The levels, written independently of the module's.
    function [5:0] f_warps(input [3:0] level);
        case (level)
            4'd0, 4'd1, 4'd2, 4'd3: f_warps = {2'd0, level} + 6'd1;
            4'd4: f_warps = 6'd6;
            4'd5: f_warps = 6'd8;
            4'd6: f_warps = 6'd12;
            4'd7: f_warps = 6'd16;
            4'd8: f_warps = 6'd24;
            4'd9: f_warps = 6'd32;
            4'd10: f_warps = 6'd40;
            default: f_warps = 6'd48;
        endcase
    endfunction

    function [3:0] f_level(input [5:0] warps);
        integer i;
        begin
            f_level = 4'd0;
            for (i = 1; i < 12; i = i + 1)
                if (f_warps(i[3:0]) <= warps)
                    f_level = i[3:0];
        end
    endfunction

    reg seen_reset_q = 1'b0; // everything below is about what follows a reset
    always @(posedge clk_i)
        seen_reset_q <= seen_reset_q || rst_i;

    // Ranges; in a walk the limit is a level.
    always @*
        if (seen_reset_q) begin
            assert (limit_q >= 6'd1 && limit_q <= Top);
            assert (mode_q != Off || limit_q == Top);
            assert (!walk || f_warps(f_level(limit_q)) == limit_q);
            assert (state_q <= Move && (state_q == Idle || mode_q != Off));
            assert (state_q != Move || level_q == f_level(limit_q));
            assert (!trial_q || (walk && limit_q >= f_warps(Free) && limit_q != Top));
            assert (!trial_q || pause_q == 8'd0);
            assert ({29'd0, stay_q} < Stay && (stay_q == 3'd0 || limit_q == f_warps(Free) || !walk));
        end

    // The inputs and the state of the last edge.
    reg        last_ok_q = 1'b0;
    reg        last_set_q, last_moves_q, last_rest_q, last_active_q, last_begins_q, last_kernel_q;
    reg        limit_written_q, stall_written_q, issued_written_q, last_began_q;
    reg [11:0] must_stall_q, must_issue_q; // what the counts must be, without their ends
    reg [5:0]  last_limit_q;

    // Every register (tests/e2e/rtl/cm_proof.sh counts them).
    localparam StateBits = 122;
    wire [StateBits-1:0] all_state = {
        mode_q, limit_q, stall_count, issue_count, began_q, average_q, average_known_q, state_q, decision_q, ended_q,
        ended_began_q, sum_q, level_q, busy_q, seldom_q, worse_q, stay_q, trial_q, bound_q,
        pause_q, reg_done_o, reg_error_o, reg_rdata_o, idle_q
    };
    reg  [StateBits-1:0] last_state_q;
    wire                 rest = idle_q && active_i == last_active_q && !tick_i && !set_i &&
                                !kernel_begin_i && !kernel_end_i && !reg_valid_i;
    wire                 in_a_mode = (set_i ? mode_i : mode_q) != Off;
    // A scheduler that stalls has no ready warp, or its pipeline register is full.
    wire [1:0]           stalls    = ~sched_ready_i | sched_full_i;

    always @(posedge clk_i) begin
        must_stall_q <= (begins ? 12'd0 : {1'b0, stall_count}) +
                        {11'd0, active_i && in_a_mode && stalls[0]} +
                        {11'd0, active_i && in_a_mode && stalls[1]};
        must_issue_q <= (begins ? 12'd0 : {1'b0, issue_count}) +
                        {11'd0, active_i && in_a_mode && !stalls[0]} +
                        {11'd0, active_i && in_a_mode && !stalls[1]};
        last_ok_q        <= seen_reset_q && !rst_i;
        last_set_q       <= set_i;
        last_begins_q    <= begins;
        last_kernel_q    <= kernel_begin_i && in_a_mode;
        last_began_q     <= began_q;
        limit_written_q  <= write_limit;
        stall_written_q  <= write_stall;
        issued_written_q <= write_issued;
        last_moves_q     <= state_q == Move;
        last_rest_q      <= rest;
        last_active_q    <= active_i;
        last_limit_q     <= limit_q;
        last_state_q     <= all_state;
    end

    always @*
        if (last_ok_q) begin
            // Limits change only at the ends of intervals.
            assert (limit_q == last_limit_q || last_moves_q || last_set_q || limit_written_q);
            // Each scheduler counts at each edge, once; counts saturate.
            assert (stall_written_q ||
                    stall_count == (must_stall_q > {1'b0, 11'd2047} ? 11'd2047 : must_stall_q[10:0]));
            assert (issued_written_q ||
                    issue_count == (must_issue_q > {1'b0, 11'd2047} ? 11'd2047 : must_issue_q[10:0]));
            // No kernel's begin is lost, or counts twice.
            assert (last_begins_q ? !began_q : !last_kernel_q || began_q);
            assert (!began_q || last_kernel_q || last_began_q);
            // An idle unit stands still.
            assert (!idle_q || state_q == Idle);
            assert (!last_rest_q || all_state == last_state_q);
        end

    // The decision in one piece, from what the registers held at the edge of tick_i.
    reg [2:0]  age_q = 3'd0; // edges since that of the tick, 0: none or disturbed
    reg [1:0]  end_mode_q, end_decision_q;
    reg [5:0]  end_limit_q;
    reg [10:0] end_k_q, end_issued_q, end_average_q;
    reg        end_known_q, end_began_q;
    reg [2:0]  end_stay_q;
    reg        end_trial_q;
    reg [10:0] end_bound_q;
    reg [7:0]  end_pause_q;
    wire       calm = !rst_i && !set_i && !f_write && k_i == end_k_q;

    always @(posedge clk_i) begin
        if (tick && !rst_i && !f_write) begin
            age_q          <= 3'd1;
            end_mode_q     <= mode_q;
            end_decision_q <= decision_i;
            end_limit_q    <= limit_q;
            end_k_q        <= k_i;
            end_issued_q   <= issue_count;
            end_average_q  <= average_q;
            end_known_q    <= average_known_q;
            end_began_q    <= began_q || kernel_begin_i;
            end_stay_q     <= stay_q;
            end_trial_q    <= trial_q;
            end_bound_q    <= bound_q;
            end_pause_q    <= pause_q;
        end else
            age_q <= (age_q != 3'd0 && age_q != 3'd6 && calm) ? age_q + 3'd1 : 3'd0;
    end

    reg [12:0] g_sum;
    reg [10:0] g_average;
    reg        g_walk, g_busy, g_falls, g_fails, g_tries;
    reg [5:0]  g_limit;
    reg [3:0]  g_level;

    always @* begin
        g_walk    = end_mode_q == `EVG_CM_MODE_CPU || end_mode_q == `EVG_CM_MODE_BAL;
        g_sum     = 13'd3 * {2'd0, end_average_q} + {2'd0, end_issued_q};
        g_average = end_known_q ? g_sum[12:2] : end_issued_q;
        g_busy    = g_average >= end_k_q;
        g_level   = f_level(end_limit_q);
        g_fails   = end_trial_q && end_limit_q == f_warps(Free) && {29'd0, end_stay_q} + 32'd1 == Stay &&
                    g_average < end_bound_q;
        g_tries   = end_limit_q == Top && g_busy && end_decision_q == Down && end_pause_q == 8'd0;
        g_falls   = {28'd0, g_level} > LeastLevel ||
                    ({28'd0, g_level} == LeastLevel && g_average < (end_k_q >> SeldomShift));
        if ({28'd0, g_level} == FreeLevel && ({29'd0, end_stay_q} + 32'd1 != Stay || (end_trial_q && g_busy)))
            g_falls = 1'b0;
        g_limit   = end_limit_q;
        if (g_walk && {28'd0, g_level} < FreeLevel && end_began_q)
            g_limit = f_warps(Free);
        else if (g_walk && g_fails)
            g_limit = Top;
        else if (g_walk && g_tries)
            g_limit = f_warps(Free);
        else if (g_walk && (end_decision_q == Up || (g_busy && !end_trial_q && {28'd0, g_level} >= FreeLevel)))
            g_limit = (end_limit_q == Top) ? Top : f_warps(g_level + 4'd1);
        else if (g_walk && end_decision_q == Down && g_falls)
            g_limit = f_warps(g_level - 4'd1);
    end

    // One edge after the other, so that each follows from the one before.
    always @*
        if (last_ok_q && age_q != 3'd0) begin
            assert (age_q <= 3'd6 && state_q == ((age_q == 3'd6) ? Idle : age_q));
            assert (mode_q == end_mode_q && mode_q != Off && walk == g_walk);
            assert (decision_q == end_decision_q && ended_q == end_issued_q && ended_began_q == end_began_q);
            if (age_q <= 3'd5) begin
                assert (limit_q == end_limit_q && stay_q == end_stay_q && trial_q == end_trial_q);
                assert (bound_q == end_bound_q && pause_q == end_pause_q);
            end
            if (age_q <= 3'd3) begin
                assert (average_q == end_average_q && average_known_q == end_known_q);
            end else begin
                assert (average_q == g_average && average_known_q);
            end
            if (age_q == 3'd2) begin
                assert (sum_q == 13'd3 * {2'd0, end_average_q});
            end
            if (age_q == 3'd3) begin
                assert (sum_q == g_sum);
            end
            if (age_q == 3'd5) begin
                assert (busy_q == g_busy && seldom_q == (g_average < (end_k_q >> SeldomShift)));
                assert (worse_q == (g_average < end_bound_q));
            end
            if (age_q == 3'd6) begin
                assert (limit_q == g_limit);
                assert (!g_walk || g_limit == end_limit_q || stay_q == 3'd0);
                assert (!g_walk || g_limit != end_limit_q || {28'd0, g_level} != FreeLevel ||
                        stay_q == ((end_stay_q == Stayed) ? Stayed : end_stay_q + 3'd1));
                // A trial begins with its bound, goes on while the core computes below the top, and ends in a pause
                // where the average has fallen below the bound.
                assert (trial_q == (g_walk ? g_tries || (end_trial_q && !g_fails && g_busy && g_limit != Top)
                                           : end_trial_q));
                assert (bound_q == ((g_walk && g_tries) ? g_average - (g_average >> TrialShift) : end_bound_q));
                assert (pause_q == ((g_walk && g_fails) ? Paused :
                                    (g_walk && end_limit_q == Top && g_busy && end_pause_q != 8'd0)
                                    ? end_pause_q - 8'd1 : end_pause_q));
            end
        end

    always @(posedge clk_i)
        if (last_ok_q && age_q == 3'd6) begin
            cover (g_limit > end_limit_q && end_decision_q == Down && !end_began_q);
            cover (g_limit > end_limit_q && end_decision_q == Down && end_began_q);
            cover (g_limit < end_limit_q);
            cover (g_walk && g_fails);
            cover (g_walk && end_trial_q && !g_fails && g_busy && end_decision_q == Down);
            cover (g_walk && end_pause_q != 8'd0 && pause_q < end_pause_q);
            cover (g_walk && g_limit == end_limit_q && end_decision_q == Down);
        end

    always @(posedge clk_i)
        if (seen_reset_q) begin
            cover (issue_count == 11'd2047);
            cover (last_rest_q && walk);
        end
