// SPDX-License-Identifier: Apache-2.0
// Properties of cm_bal_core, included at its end under FORMAL (docs/design/proofs.md).

    // The levels of the paper, 4.2, written independently of the module's.
    localparam [6*9-1:0] F_Levels = {6'd48, 6'd24, 6'd16, 6'd8, 6'd6, 6'd4, 6'd3, 6'd2, 6'd1};
    localparam integer   f_last   = Levels - 1;

    function [5:0] f_warps(input [3:0] level);
        f_warps = F_Levels[6*level+:6];
    endfunction

    function [3:0] f_level(input [5:0] warps);
        integer i;
        begin
            f_level = 4'd0;
            for (i = 1; i < Levels; i = i + 1)
                if (F_Levels[6*i+:6] <= warps)
                    f_level = i[3:0];
        end
    endfunction

    reg seen_reset_q = 1'b0; // everything below is about what follows a reset
    always @(posedge clk_i)
        seen_reset_q <= seen_reset_q || rst_i;

    // The limit is always one that the mode in force has.
    always @*
        if (seen_reset_q) begin
            assert (limit_q >= 6'd1 && limit_q <= Highest);
            assert (mode_q != Off || limit_q == Highest);
            assert (mode_q != `EVG_CM_MODE_CPU || limit_q <= 6'd8 || !limit_q[0]);
            assert (mode_q != Bal || f_warps(f_level(limit_q)) == limit_q);
            assert (state_q <= Move && (state_q == Idle || mode_q != Off));
            assert (state_q == Idle || level_q == f_level(limit_q));
            assert (level_q <= Last);
            // No step leads out of the range.
            assert (state_q != Move || decision_q != Down || (mode_q != Fixed && !at_bottom));
            assert (state_q != Move || decision_q != Up || (mode_q != Fixed && !at_top));
            assert (state_q != Move || decision_q != 2'd3);
        end

    // The inputs and the state of the last edge.
    reg        last_ok_q = 1'b0;
    reg        last_tick_q, last_set_q, last_decides_q, last_rest_q, last_active_q;
    reg        limit_written_q, stall_written_q, last_kernel_q, last_write_q;
    reg [11:0] count_q; // what the stall count must be, without its end
    reg [5:0]  last_limit_q;
    reg [10:0] last_stall_q;

    reg [11*Levels-1:0] averages; // those in force
    integer             n;
    always @*
        for (n = 0; n < Levels; n = n + 1)
            averages[11*n+:11] = average_q[n];

    // Every register (tests/e2e/rtl/cm_proof.sh counts them).
    localparam StateBits = 90 + 11 * Levels;
    wire [StateBits-1:0] all_state = {
        mode_q, limit_q, stall_count, same_q, valid_q, state_q, lower_costs_q, upper_gains_q, level_q, decision_q,
        reg_done_o, reg_error_o, reg_rdata_o, idle_q, no_kernel_q, torn_q, neighbour_known_q, weighted_known_q, neighbour_avg_q, weighted_stalls_q, averages
    };
    reg  [StateBits-1:0] last_state_q;
    wire                 rest = idle_q && active_i == last_active_q && !tick_i && !set_i &&
                                !kernel && !reg_valid_i;

    // A scheduler that issues has a ready warp, and its pipeline register is not full.
    wire [1:0] issues    = StallNeedsBoth != 0 ? sched_ready_i | ~sched_full_i
                                               : sched_ready_i & ~sched_full_i;
    wire       in_a_mode = (set_i ? mode_i : mode_q) != Off;

    always @(posedge clk_i) begin
        count_q         <= (tick || set_i ? 12'd0 : {1'b0, stall_count}) +
                           {11'd0, active_i && in_a_mode && !issues[0]} +
                           {11'd0, active_i && in_a_mode && !issues[1]};
        last_kernel_q   <= kernel;
        last_write_q    <= write;
        last_ok_q       <= seen_reset_q && !rst_i;
        last_tick_q     <= tick;
        last_set_q      <= set_i;
        limit_written_q <= write_limit;
        stall_written_q <= write_stall;
        last_decides_q  <= state_q == Move;
        last_rest_q     <= rest;
        last_active_q   <= active_i;
        last_limit_q    <= limit_q;
        last_stall_q    <= stall_count;
        last_state_q    <= all_state;
    end

    always @*
        if (last_ok_q) begin
            assert (level_q == f_level(last_limit_q));
            // Decisions only at the ends of intervals.
            assert (limit_q == last_limit_q || last_decides_q || last_set_q ||
                    limit_written_q);
            // Each scheduler's stalls are counted, and the count saturates: up by two at most, never
            // down but for a new interval.
            if (!stall_written_q) begin
                assert (stall_count == (count_q > {1'b0, 11'd2047} ? 11'd2047 : count_q[10:0]));
            end
            if (!last_tick_q && !last_set_q && !stall_written_q) begin
                assert (stall_count >= last_stall_q);
                assert (stall_count - last_stall_q <= 11'd2);
            end
            // A kernel's begin or end leaves no average, nor one for the interval under way.
            if (last_kernel_q) begin
                assert (last_write_q || valid_q == {Levels{1'b0}});
                assert (!no_kernel_q || (state_q != Weigh && state_q != Store));
            end
            // An idle unit stands still.
            assert (!idle_q || state_q == Idle);
            if (last_rest_q) begin
                assert (all_state == last_state_q);
            end
        end

    // The decision function in one piece, on what there was when the interval ended: averages as
    // numbers of a list, levels by search. Undisturbed decisions must agree with it.
    reg [3:0]           age_q = 4'd0; // edges since the tick, 0: none or disturbed
    reg [1:0]           end_mode_q, end_decision_q;
    reg [5:0]           end_limit_q, end_pivot_q;
    reg [2:0]           end_same_q, end_patience_q;
    reg [10:0]          end_k_q, end_stall_q;
    reg [Levels-1:0]    end_valid_q;
    reg                 f_torn_q, end_stores_q; // a kernel began or ended in the interval; it counts
    reg [11*Levels-1:0] end_average_q;
    wire calm = !rst_i && !set_i && !kernel && !write && k_i == end_k_q &&
                patience_i == end_patience_q && pivot_i == end_pivot_q;

    always @(posedge clk_i) begin
        if (tick && !rst_i && !kernel && !write) begin
            age_q          <= 4'd1;
            end_mode_q     <= mode_q;
            end_decision_q <= decision_i;
            end_limit_q    <= limit_q;
            end_pivot_q    <= pivot_i;
            end_same_q     <= same_q;
            end_patience_q <= patience_i;
            end_k_q        <= k_i;
            end_stall_q    <= stall_count;
            end_valid_q    <= valid_q;
            end_stores_q   <= ForgetTorn == 0 || !f_torn_q;
            end_average_q  <= averages;
        end else
            age_q <= (age_q != 4'd0 && age_q != 4'd10 && calm) ? age_q + 4'd1 : 4'd0;
    end

    always @(posedge clk_i)
        if (rst_i || set_i || tick)
            f_torn_q <= 1'b0;
        else if (kernel)
            f_torn_q <= 1'b1;

    always @*
        if (seen_reset_q)
            assert (torn_q == (ForgetTorn != 0 && f_torn_q));

    // Neighbours' limits by search, averages 12 bits wide with the top bit for "not valid"; that of
    // the limit before and after this interval, which counts three quarters.
    reg [5:0]           golden, next_lower, next_higher;
    reg [11:0]          near_low, old_mid, near_high;
    reg [10:0]          near_mid;
    reg                 mid_known, end_on_level, low_counts, high_counts, costs_more, gains;
    reg [12:0]          mid_and_k, high_and_k, exact;
    reg [Levels-1:0]    new_valid;
    reg [11*Levels-1:0] new_average;

    // Nothing of it is asked without a decision, and simulations need not work it out then.
    always @* begin
        next_lower   = end_limit_q;
        next_higher  = end_limit_q;
        near_low     = 12'h800;
        old_mid      = 12'h800;
        near_high    = 12'h800;
        end_on_level = 1'b0;
        new_valid    = end_valid_q;
        new_average  = end_average_q;
        golden       = end_limit_q;
        exact        = 13'd0;
        near_mid     = 11'd0;
        low_counts   = 1'b0;
        high_counts  = 1'b0;
        mid_and_k    = 13'd0;
        high_and_k   = 13'd0;
        costs_more   = 1'b0;
        gains        = 1'b0;
        mid_known    = 1'b0;
        if (age_q != 4'd0) begin
            for (n = 0; n < Levels; n = n + 1) begin
                if (f_warps(n[3:0]) < end_limit_q) begin
                    next_lower = f_warps(n[3:0]);
                    near_low   = {!end_valid_q[n], end_average_q[11*n+:11]};
                end
                if (f_warps(n[3:0]) == end_limit_q) begin
                    end_on_level = 1'b1;
                    old_mid      = {!end_valid_q[n], end_average_q[11*n+:11]};
                end
                if (f_warps(f_last[3:0] - n[3:0]) > end_limit_q) begin
                    next_higher = f_warps(f_last[3:0] - n[3:0]);
                    near_high   = {!end_valid_q[(Levels - 1)-n], end_average_q[11*((Levels - 1)-n)+:11]};
                end
            end
            exact    = {2'd0, old_mid[10:0]} + 13'd3 * {2'd0, end_stall_q} + (RoundNearest != 0 ? 13'd2 : 13'd0);
            near_mid = !end_stores_q ? old_mid[10:0] : old_mid[11] ? end_stall_q : exact[12:2];
            mid_known = end_stores_q || !old_mid[11];
            for (n = 0; n < Levels; n = n + 1)
                if (f_warps(n[3:0]) == end_limit_q && end_stores_q) begin
                    new_valid[n]           = 1'b1;
                    new_average[11*n+:11] = near_mid;
                end
            low_counts  = mid_known && !near_low[11] &&
                          (InvalidStopsBoth == 0 || !near_high[11] || end_limit_q == Highest);
            high_counts = mid_known && !near_high[11] &&
                          (InvalidStopsBoth == 0 || !near_low[11] || end_limit_q == Lowest);
            mid_and_k   = {2'd0, near_mid} + {2'd0, end_k_q};
            high_and_k  = {2'd0, near_high[10:0]} + {2'd0, end_k_q};
            costs_more  = low_counts && {2'd0, near_low[10:0]} > mid_and_k;
            gains       = high_counts && {2'd0, near_mid} > high_and_k;
            if (end_mode_q == `EVG_CM_MODE_CPU) begin
                if (end_decision_q == Down && end_limit_q > 6'd1)
                    golden = end_limit_q - (end_limit_q >= 6'd10 ? 6'd2 : 6'd1);
                if (end_decision_q == Up && end_limit_q < 6'd48)
                    golden = end_limit_q + (end_limit_q >= 6'd8 ? 6'd2 : 6'd1);
            end else if (end_mode_q == Bal) begin
                if (gains)
                    golden = next_higher;
                else if (end_decision_q == Up)
                    golden = next_higher;
                else if (end_decision_q == Down && !costs_more)
                    golden = next_lower;
                if (golden == end_limit_q && end_patience_q != 0 &&
                    {1'b0, end_same_q} + 4'd1 >= {1'b0, end_patience_q})
                    golden = end_limit_q < end_pivot_q ? next_higher : next_lower;
            end
        end
    end

    // One edge after the other, so that each follows from the one before.
    always @*
        if (last_ok_q && age_q != 4'd0) begin
            assert (age_q <= 4'd10 && state_q == ((age_q == 4'd10) ? Idle : age_q));
            assert (mode_q == end_mode_q && mode_q != Off);
            assert (valid_q == ((age_q <= 4'd2) ? end_valid_q : new_valid));
            assert (averages == ((age_q <= 4'd2) ? end_average_q : new_average));
            if (age_q <= 4'd9) begin
                assert (limit_q == end_limit_q && same_q == end_same_q);
                assert (no_kernel_q == end_stores_q);
            end
            if (age_q <= 4'd8) begin
                assert (decision_q == end_decision_q);
            end
            if (age_q == 4'd1) begin
                assert (weighted_stalls_q == {2'd0, end_stall_q});
            end
            if (age_q == 4'd2 && end_on_level) begin
                assert (neighbour_avg_q == (old_mid[11] ? 11'd0 : old_mid[10:0]));
                assert (old_mid[11] ? weighted_stalls_q == {end_stall_q, 2'd0}
                                    : weighted_stalls_q == exact - {2'd0, neighbour_avg_q});
            end
            if ((age_q == 4'd4 || age_q == 4'd7) && end_on_level) begin
                assert (neighbour_known_q == mid_known && (!mid_known || neighbour_avg_q == near_mid));
            end
            if (age_q == 4'd5 && end_on_level) begin
                assert (weighted_known_q == mid_known && (!mid_known || weighted_stalls_q == mid_and_k));
                assert (neighbour_known_q == !near_low[11]);
                assert (near_low[11] || neighbour_avg_q == near_low[10:0]);
            end
            if (age_q >= 4'd6 && end_mode_q == Bal) begin
                assert (lower_costs_q == costs_more);
            end
            if (age_q == 4'd6 && end_on_level) begin
                assert (neighbour_known_q == !near_high[11]);
                assert (near_high[11] || neighbour_avg_q == near_high[10:0]);
            end
            if (age_q == 4'd7 && end_on_level) begin
                assert (weighted_known_q == !near_high[11]);
                assert (near_high[11] || weighted_stalls_q == high_and_k);
            end
            if (age_q >= 4'd8 && end_mode_q == Bal) begin
                assert (upper_gains_q == gains);
            end
            if (age_q == 4'd9) begin
                assert ((decision_q == Down) == (golden < end_limit_q));
                assert ((decision_q == Up) == (golden > end_limit_q));
            end
            if (age_q == 4'd10) begin
                assert (limit_q == golden);
            end
        end

    always @(posedge clk_i)
        if (last_ok_q && age_q == 4'd10) begin
            cover (end_mode_q == `EVG_CM_MODE_CPU && limit_q == 6'd46);
            cover (end_mode_q == Bal && end_decision_q == Down && limit_q == end_limit_q);
            cover (end_mode_q == Bal && end_decision_q == Down && limit_q > end_limit_q);
            cover (end_mode_q == Bal && end_decision_q == Hold && limit_q < end_limit_q);
        end

    always @(posedge clk_i)
        if (seen_reset_q) begin
            cover (stall_count == 11'd2047);
            cover (last_rest_q && mode_q == Bal);
            cover (valid_q == {Levels{1'b1}});
        end
