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

    reg seen_reset_q = 1'b0; // everything below is about what follows a reset
    always @(posedge clk_i)
        seen_reset_q <= seen_reset_q || rst_i;

    // Ranges; in a search the limit is the level whose turn it is.
    always @*
        if (seen_reset_q) begin
            assert (limit_q >= 6'd1 && limit_q <= Top);
            assert (mode_q != Off || limit_q == Top);
            assert (pair_q <= LastPair && turn_q <= LastTurn);
            assert (!search || limit_q == f_warps(pair_q + (upper_q ? Apart : 4'd0)));
            assert (caution_q >= Boldest && caution_q <= Shyest);
            assert (state_q <= Move && (state_q == Idle || mode_q != Off));
            assert (state_q <= Store || due_q == (search && turn_q == LastTurn));
        end

    // The inputs and the state of the last edge.
    reg        last_ok_q = 1'b0;
    reg        last_tick_q, last_set_q, last_moves_q, last_rest_q, last_active_q;
    reg        limit_written_q, stall_written_q, issued_written_q, last_tears_q;
    reg [11:0] must_stall_q, must_issue_q; // what the counts must be, without their ends
    reg [5:0]  last_limit_q;

    // Every register (tests/e2e/rtl/cm_proof.sh counts them).
    localparam StateBits = 158;
    wire [StateBits-1:0] all_state = {
        mode_q, limit_q, stall_count, issue_count, torn_q, pair_q, upper_q, turn_q, due_q, average_q, first_q,
        average_known_q, first_known_q, evidence_q, caution_q, has_moved_q, moved_up_q, state_q,
        decision_q, ended_q, whole_q, counts_q, sum_q, bias_q, bound_q, above_q, below_q, reg_done_o,
        reg_error_o, reg_rdata_o, idle_q
    };
    reg  [StateBits-1:0] last_state_q;
    wire                 rest = idle_q && active_i == last_active_q && !tick_i && !set_i &&
                                !kernel && !reg_valid_i;
    wire                 in_a_mode = (set_i ? mode_i : mode_q) != Off;
    // A scheduler that stalls has no ready warp, or its pipeline register is full.
    wire [1:0]           stalls    = ~sched_ready_i | sched_full_i;

    always @(posedge clk_i) begin
        must_stall_q <= (tick || set_i ? 12'd0 : {1'b0, stall_count}) +
                        {11'd0, active_i && in_a_mode && stalls[0]} +
                        {11'd0, active_i && in_a_mode && stalls[1]};
        must_issue_q <= (tick || set_i ? 12'd0 : {1'b0, issue_count}) +
                        {11'd0, active_i && in_a_mode && !stalls[0]} +
                        {11'd0, active_i && in_a_mode && !stalls[1]};
        last_ok_q        <= seen_reset_q && !rst_i;
        last_tick_q      <= tick;
        last_set_q       <= set_i;
        last_tears_q     <= in_a_mode && !tick && !set_i && (kernel || !active_i);
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
            assert (!last_tears_q || torn_q);
            // An idle unit stands still.
            assert (!idle_q || state_q == Idle);
            if (last_rest_q) begin
                assert (all_state == last_state_q);
            end
        end

    // The decision in one piece, on what there was when the interval ended. Undisturbed decisions must
    // agree with it.
    reg [3:0]           age_q = 4'd0; // edges since the tick, 0: none or disturbed
    reg [1:0]           end_mode_q, end_decision_q, end_turn_q;
    reg [5:0]           end_limit_q;
    reg [3:0]           end_pair_q;
    reg [2:0]           end_caution_q;
    reg [10:0]          end_k_q, end_issued_q, end_average_q, end_first_q;
    reg                 end_upper_q, end_whole_q, end_known_q, end_compares_q, end_moved_q, end_up_q;
    reg signed [12:0]   end_evidence_q;
    wire calm = !rst_i && !set_i && !f_write && k_i == end_k_q;

    always @(posedge clk_i) begin
        if (tick && !rst_i && !f_write) begin
            age_q          <= 4'd1;
            end_mode_q     <= mode_q;
            end_decision_q <= decision_i;
            end_turn_q     <= turn_q;
            end_limit_q    <= limit_q;
            end_pair_q     <= pair_q;
            end_caution_q  <= caution_q;
            end_k_q        <= k_i;
            end_issued_q   <= issue_count;
            end_average_q  <= average_q;
            end_known_q    <= average_known_q;
            end_first_q    <= first_q;
            end_upper_q    <= upper_q;
            end_whole_q    <= !torn_q && !kernel;
            end_compares_q <= first_known_q;
            end_moved_q    <= has_moved_q;
            end_up_q       <= moved_up_q;
            end_evidence_q <= evidence_q;
        end else
            age_q <= (age_q != 4'd0 && age_q != 4'd10 && calm) ? age_q + 4'd1 : 4'd0;
    end

    reg [10:0]        g_average, g_bias;
    reg [12:0]        g_sum;
    reg [14:0]        g_bound;
    reg signed [13:0] g_evidence, g_difference, g_less;
    reg               g_search, g_ends, g_compares, g_above, g_below, g_upper;
    reg [3:0]         g_pair;
    reg [2:0]         g_caution;

    always @* begin
        g_search     = end_mode_q == `EVG_CM_MODE_CPU || end_mode_q == `EVG_CM_MODE_BAL;
        g_sum        = 13'd3 * {2'd0, end_average_q} + {2'd0, end_issued_q};
        g_average    = !end_whole_q ? end_average_q : end_known_q ? g_sum[12:2] : end_issued_q;
        g_bias       = g_average >> CapShift;
        if (end_k_q < g_bias)
            g_bias = end_k_q;
        if (end_decision_q == Hold)
            g_bias = g_bias >> 1;
        else if (end_decision_q != Down)
            g_bias = 11'd0;
        g_ends       = g_search && {30'd0, end_turn_q} + 32'd1 == Turn;
        g_compares   = g_ends && end_upper_q && end_whole_q && end_compares_q;
        g_difference = $signed({3'd0, end_issued_q}) - $signed({3'd0, end_first_q});
        g_less       = g_difference - $signed({3'd0, g_bias});
        g_evidence   = g_less + {end_evidence_q[12], end_evidence_q};
        g_bound      = ({4'd0, g_average} << end_caution_q) >> 3;
        g_above      = g_compares && g_evidence > $signed(g_bound[13:0]);
        g_below      = g_compares && g_evidence < -$signed(g_bound[13:0]);
        g_pair       = end_pair_q;
        g_upper      = end_upper_q ^ g_ends;
        g_caution    = end_caution_q;
        if (g_above && {28'd0, end_pair_q} + Span < 11) begin
            g_pair  = end_pair_q + 4'd1;
            g_upper = 1'b1;
            if (end_moved_q && end_up_q && end_caution_q > Boldest)
                g_caution = end_caution_q - 3'd1;
            if (end_moved_q && !end_up_q && end_caution_q < Shyest)
                g_caution = end_caution_q + 3'd1;
        end
        if (g_below && end_pair_q != 4'd0) begin
            g_pair = end_pair_q - 4'd1;
            if (end_moved_q && !end_up_q && end_caution_q > Boldest)
                g_caution = end_caution_q - 3'd1;
            if (end_moved_q && end_up_q && end_caution_q < Shyest)
                g_caution = end_caution_q + 3'd1;
        end
    end

    // One edge after the other, so that each follows from the one before.
    always @*
        if (last_ok_q && age_q != 4'd0) begin
            assert (age_q <= 4'd10 && state_q == ((age_q == 4'd10) ? Idle : age_q));
            assert (mode_q == end_mode_q && mode_q != Off && search == g_search);
            assert (decision_q == end_decision_q && ended_q == end_issued_q && whole_q == end_whole_q);
            if (age_q <= 4'd9) begin
                assert (limit_q == end_limit_q && pair_q == end_pair_q && upper_q == end_upper_q);
                assert (turn_q == end_turn_q && caution_q == end_caution_q);
                assert (first_q == end_first_q && first_known_q == end_compares_q);
                assert (evidence_q == end_evidence_q);
                assert (has_moved_q == end_moved_q && moved_up_q == end_up_q);
            end
            if (age_q <= 4'd3) begin
                assert (average_q == end_average_q && average_known_q == end_known_q);
            end else begin
                assert (average_q == g_average && average_known_q == (end_known_q || end_whole_q));
                assert (due_q == g_ends && counts_q == g_compares);
            end
            if (age_q == 4'd2) begin
                assert (sum_q[12:0] == 13'd3 * {2'd0, end_average_q});
            end
            if (age_q == 4'd3) begin
                assert (sum_q[12:0] == g_sum);
            end
            if (age_q == 4'd5) begin
                assert (sum_q == g_difference && bias_q == g_bias);
            end
            if (age_q == 4'd6) begin
                assert (sum_q == g_less);
            end
            if (age_q >= 4'd7) begin
                assert (sum_q == g_evidence);
            end
            if (age_q == 4'd8) begin
                assert ({3'd0, bound_q} == g_bound);
            end
            if (age_q >= 4'd9) begin
                assert (above_q == g_above && below_q == g_below);
            end
            if (age_q == 4'd10 && g_search) begin
                assert (pair_q == g_pair && upper_q == g_upper && caution_q == g_caution);
                assert (turn_q == (g_ends ? 2'd0 : end_turn_q + 2'd1));
                assert (limit_q == f_warps(g_pair + (g_upper ? Apart : 4'd0)));
                assert (evidence_q == (!g_compares ? end_evidence_q
                                       : (g_above || g_below) ? 13'sd0 : g_evidence[12:0]));
                assert (!g_ends || first_known_q == (!end_upper_q && end_whole_q));
                assert (!g_ends || end_upper_q || first_q == end_issued_q);
                // The kept bits suffice: the evidence holds the whole sum.
                assert (!g_compares || g_above || g_below || g_evidence[13] == g_evidence[12]);
            end
            if (age_q == 4'd10 && !g_search) begin
                assert (limit_q == end_limit_q);
            end
        end

    always @(posedge clk_i)
        if (last_ok_q && age_q == 4'd10) begin
            cover (g_above && pair_q > end_pair_q);
            cover (g_below && pair_q < end_pair_q && caution_q > end_caution_q);
            cover (g_compares && !g_above && !g_below && evidence_q != end_evidence_q);
            cover (g_search && !end_upper_q && first_known_q);
        end

    always @(posedge clk_i)
        if (seen_reset_q) begin
            cover (issue_count == 11'd2047);
            cover (last_rest_q && search);
        end
