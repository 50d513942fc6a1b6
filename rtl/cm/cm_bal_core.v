// cm_bal_core: concurrency management in one SIMT core (CM-BAL 4.2). It measures how often the warp
// schedulers could not issue (stall_GPU), keeps a moving average of that for every concurrency level,
// and from both and the controller's decision sets the limit that the core's schedulers obey.
//
// Contract
// - Modes: OFF holds the limit at the highest level, which is every warp of the core. FIXED holds it
//   where software puts it, 1 to the highest level. CPU moves it by CM_STEP warps above CM_FINE and by
//   1 up to there, so that it is one of 1..8, 10, 12, .. 48 (CM-BAL 4.1). BAL moves it to the next of
//   the nine levels 1, 2, 3, 4, 6, 8, 16, 24, 48 (4.2).
// - A mode is in force from the edge with set_i on. The limit becomes the highest that the mode has and
//   that is not above what it was; in OFF, the highest level. The stall count begins at 0.
// - Stall count: at each edge with active_i, in any mode but OFF, up by one for each of the two
//   schedulers that cannot issue: that has no ready warp, or whose pipeline register is full. With
//   StallNeedsBoth, only if both are so. It stops at 2047. A stall at the edge of tick_i or set_i is the
//   first of the next interval.
// - tick_i ends an interval. At its edge, in any mode but OFF, the average of the limit's level, if the
//   limit is one of the nine, becomes (old + 3 * stalls) / 4, the fraction dropped; or rounded to the
//   nearest, half up, with RoundNearest. Without an old value it becomes the stalls.
// - The limit changes at the third edge after that of tick_i, in CPU and BAL. DOWN and UP move it to
//   the neighbour, if there is one; HOLD and anything else keep it. In BAL, with the averages of the
//   level and its neighbours,
//   1. it is not lowered if the lower one is more than k above the present one;
//   2. it is raised, whatever the decision, if the present one is more than k above the upper one;
//   3. if by all this it would stay, and it has been on this level for `patience` intervals, this one
//      included, it goes one level up if below `pivot`, else one down, if there is such a level. A
//      patience of 0 turns this off. That keeps the neighbours' averages representative: so it is not
//      held back by 1.
//   A comparison with an average that is not valid does not count; with InvalidStopsBoth neither
//   counts if one of the existing neighbours is not valid (footnote 11 of the paper allows both).
// - k_i counts at the first and second edge after that of tick_i, for 1 and 2; patience_i and pivot_i
//   at the third.
// - kernel_begin_i and kernel_end_i make all averages invalid; at the edge of tick_i that interval's too.
// - Registers (enum cm_core_reg of evgpu.def), an access per edge, answered by reg_done_o after it, with
//   the content before the access. LIMIT; STALL: the present count, 0..2047; SAME: intervals on this
//   level, 0..7 (BAL only, else 0); VALID: bit n is set if average n is valid, and a write of 0 there
//   makes it invalid, of 1 leaves it to the unit; AVERAGE_0 to _8: 0..2047, reads 0 if it is not valid,
//   a write makes it valid. A write wins over every other change of its register at the same edge, and
//   of VALID for the average that it writes. A write of LIMIT ends a decision that is under way or
//   begins at that edge, and a new count of SAME begins.
// - reg_error_o: no such register, a value above its range, a LIMIT that the mode in force does not
//   have, or a write of LIMIT at an edge with set_i. Nothing is changed then, and an access to no
//   register reads 0.
// - After reset: OFF, no valid average.
// - Quiescence: while idle_o is high, an edge with tick_i, set_i, kernel_begin_i, kernel_end_i and
//   reg_valid_i 0, and with active_i as at the edge before, changes no register. idle_o rises one edge
//   after the last activity; with active_i it is low in every mode but OFF.
// - Illegal: tick_i together with set_i, or while a decision is under way, which is until the third
//   edge after the last one's. It is ignored: the interval goes on.
`default_nettype none
`include "evgpu_defs.vh"

module cm_bal_core #(
    parameter StallNeedsBoth   = 0, // 1: a stall is no ready warp and a full pipeline register
    parameter RoundNearest     = 0, // 1: averages are rounded, not cut
    parameter InvalidStopsBoth = 0  // 1: one invalid neighbour stops both comparisons
) (
    input  wire        clk_i,
    input  wire        rst_i,
    // cm_controller
    input  wire        tick_i,
    input  wire [1:0]  decision_i,
    input  wire        set_i,
    input  wire [1:0]  mode_i,
    input  wire [10:0] k_i,
    input  wire [2:0]  patience_i,
    input  wire [5:0]  pivot_i,
    // SIMT core
    input  wire        active_i,
    input  wire [1:0]  sched_ready_i,
    input  wire [1:0]  sched_full_i,
    input  wire        kernel_begin_i,
    input  wire        kernel_end_i,
    output wire [5:0]  limit_o,
    // Software
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [3:0]  reg_addr_i,
    input  wire [15:0] reg_data_i,
    output wire        reg_done_o,
    output wire        reg_error_o,
    output wire [15:0] reg_rdata_o,
    // Observation
    output wire [1:0]  state_o,
    output wire        idle_o
);

    generate
        if ((StallNeedsBoth != 0 && StallNeedsBoth != 1) ||
            (RoundNearest != 0 && RoundNearest != 1) ||
            (InvalidStopsBoth != 0 && InvalidStopsBoth != 1)) begin : g_check
            cm_bal_core_parameters_are_0_or_1 check_parameters ();
        end
        if (`EVG_CM_LEVELS != 9 || `EVG_CM_STEP != 2 || `EVG_CM_FINE % 2 != 0) begin : g_check_levels
            cm_bal_core_has_nine_levels_and_even_steps check_parameters ();
        end
    endgenerate

    localparam [1:0] Off = `EVG_CM_MODE_OFF;
    localparam [1:0] Cpu = `EVG_CM_MODE_CPU;
    localparam [1:0] Bal = `EVG_CM_MODE_BAL;

    localparam [1:0] Down = `EVG_CM_DECISION_DOWN;
    localparam [1:0] Up   = `EVG_CM_DECISION_UP;

    localparam [1:0] Idle  = `EVG_CM_CORE_STATE_IDLE;
    localparam [1:0] Lower = `EVG_CM_CORE_STATE_LOWER;
    localparam [1:0] Upper = `EVG_CM_CORE_STATE_UPPER;
    localparam [1:0] Decide = `EVG_CM_CORE_STATE_DECIDE;

    localparam [5:0] Level0 = `EVG_CM_LEVEL_0;
    localparam [5:0] Level1 = `EVG_CM_LEVEL_1;
    localparam [5:0] Level2 = `EVG_CM_LEVEL_2;
    localparam [5:0] Level3 = `EVG_CM_LEVEL_3;
    localparam [5:0] Level4 = `EVG_CM_LEVEL_4;
    localparam [5:0] Level5 = `EVG_CM_LEVEL_5;
    localparam [5:0] Level6 = `EVG_CM_LEVEL_6;
    localparam [5:0] Level7 = `EVG_CM_LEVEL_7;
    localparam [5:0] Level8 = `EVG_CM_LEVEL_8;

    localparam integer Levels    = `EVG_CM_LEVELS;
    localparam integer LastLevel = Levels - 1;
    localparam [3:0]   Last      = LastLevel[3:0];
    localparam [5:0]   Fine      = `EVG_CM_FINE;
    localparam [5:0]   Step      = `EVG_CM_STEP;
    localparam [10:0]  MaxStall  = 11'd2047;

    // Number of the highest level that is not above `warps`.
    function [3:0] level_below;
        input [5:0] warps;
        begin
            if (warps >= Level8)      level_below = 4'd8;
            else if (warps >= Level7) level_below = 4'd7;
            else if (warps >= Level6) level_below = 4'd6;
            else if (warps >= Level5) level_below = 4'd5;
            else if (warps >= Level4) level_below = 4'd4;
            else if (warps >= Level3) level_below = 4'd3;
            else if (warps >= Level2) level_below = 4'd2;
            else if (warps >= Level1) level_below = 4'd1;
            else                      level_below = 4'd0;
        end
    endfunction

    function [5:0] warps_of;
        input [3:0] level;
        case (level)
            4'd0:    warps_of = Level0;
            4'd1:    warps_of = Level1;
            4'd2:    warps_of = Level2;
            4'd3:    warps_of = Level3;
            4'd4:    warps_of = Level4;
            4'd5:    warps_of = Level5;
            4'd6:    warps_of = Level6;
            4'd7:    warps_of = Level7;
            default: warps_of = Level8;
        endcase
    endfunction

    reg [1:0]        mode_q;
    reg [5:0]        limit_q;
    reg [10:0]       stall_q;
    reg [2:0]        same_q;
    reg [Levels-1:0] valid_q;
    reg [10:0]       average_q [0:Levels-1];
    reg [1:0]        state_q, decision_q;
    reg              keep_q;  // lowering would cost more than k
    reg              raise_q; // raising would gain more than k
    reg [3:0]        level_q; // highest level that is not above the limit

    wire [5:0] floor    = warps_of(level_q);
    wire       on_level = limit_q == floor;

    // --- Software ---------------------------------------------------------------------------------
    reg  [15:0] content;
    reg         known, legal;
    reg         has_limit; // the mode in force has the limit reg_data_i
    wire [3:0]  number = reg_addr_i - `EVG_CM_CORE_REG_AVERAGE_0;
    wire [5:0]  data   = reg_data_i[5:0];

    always @* begin
        case (mode_q)
            Off:     has_limit = data == Level8;
            Cpu:     has_limit = data != 6'd0 && (data <= Fine || !data[0]);
            Bal:     has_limit = warps_of(level_below(data)) == data;
            default: has_limit = data != 6'd0;
        endcase
        known   = 1'b1;
        content = 16'd0;
        legal   = reg_data_i <= {5'd0, MaxStall};
        case (reg_addr_i)
            `EVG_CM_CORE_REG_LIMIT: begin
                content = {10'd0, limit_q};
                legal   = has_limit && reg_data_i <= {10'd0, Level8} && !set_i;
            end
            `EVG_CM_CORE_REG_STALL: content = {5'd0, stall_q};
            `EVG_CM_CORE_REG_SAME: begin
                content = {13'd0, same_q};
                legal   = reg_data_i < 16'd8;
            end
            `EVG_CM_CORE_REG_VALID: begin
                content = {{16 - Levels{1'b0}}, valid_q};
                legal   = reg_data_i < (16'd1 << Levels);
            end
            default: begin
                known = number <= Last;
                if (!known)
                    legal = 1'b0;
                else if (valid_q[number])
                    content = {5'd0, average_q[number]};
            end
        endcase
    end

    wire write         = reg_valid_i && reg_write_i && legal;
    wire write_limit   = write && reg_addr_i == `EVG_CM_CORE_REG_LIMIT;
    wire write_average = write && reg_addr_i >= `EVG_CM_CORE_REG_AVERAGE_0;

    reg        done_q, error_q;
    reg [15:0] rdata_q;

    // Ports are compared in lockstep, so they are reset though they are data.
    always @(posedge clk_i)
        if (rst_i) begin
            done_q  <= 1'b0;
            error_q <= 1'b0;
            rdata_q <= 16'd0;
        end else begin
            done_q <= reg_valid_i;
            if (reg_valid_i) begin
                error_q <= !known || (reg_write_i && !legal);
                rdata_q <= content;
            end
        end

    assign reg_done_o  = done_q;
    assign reg_error_o = error_q;
    assign reg_rdata_o = rdata_q;

    // --- Stalls -----------------------------------------------------------------------------------
    wire        tick     = tick_i && !set_i && mode_q != Off && state_q == Idle;
    wire [1:0]  measured = set_i ? mode_i : mode_q;
    wire [1:0]  blocked  = StallNeedsBoth ? ~sched_ready_i & sched_full_i
                                          : ~sched_ready_i | sched_full_i;
    wire [1:0]  more     = (active_i && measured != Off) ? {1'b0, blocked[0]} + {1'b0, blocked[1]}
                                                         : 2'd0;
    wire [10:0] base     = (tick || set_i) ? 11'd0 : stall_q;
    wire [11:0] sum      = {1'b0, base} + {10'd0, more};

    always @(posedge clk_i)
        if (rst_i)
            stall_q <= 11'd0;
        else if (write && reg_addr_i == `EVG_CM_CORE_REG_STALL)
            stall_q <= reg_data_i[10:0];
        else
            stall_q <= sum[11] ? MaxStall : sum[10:0];

    // --- Moving averages --------------------------------------------------------------------------
    // 0.25 * old + 0.75 * new as two shifts; never above the larger of both.
    wire        is_old  = valid_q[level_q];
    wire [12:0] quarter = {2'd0, average_q[level_q]} + {2'd0, stall_q} + {1'b0, stall_q, 1'b0} +
                          (RoundNearest ? 13'd2 : 13'd0);
    wire [10:0] fresh   = is_old ? quarter[12:2] : stall_q;
    wire        unused_fraction = ^quarter[1:0];

    wire              kernel = kernel_begin_i || kernel_end_i;
    wire              update = tick && on_level;
    reg  [Levels-1:0] valid_d;

    always @* begin
        valid_d = valid_q;
        if (update)
            valid_d[level_q] = 1'b1;
        if (kernel)
            valid_d = {Levels{1'b0}};
        if (write_average)
            valid_d[number] = 1'b1;
        if (write && reg_addr_i == `EVG_CM_CORE_REG_VALID)
            valid_d = valid_d & reg_data_i[Levels-1:0];
    end

    always @(posedge clk_i) begin
        if (rst_i)
            valid_q <= {Levels{1'b0}};
        else
            valid_q <= valid_d;
        if (update)
            average_q[level_q] <= fresh;
        if (write_average)
            average_q[number] <= reg_data_i[10:0];
    end

    // --- Decision ---------------------------------------------------------------------------------
    // The lower and the upper neighbour use the same comparator one after the other.
    wire        is_lowest  = level_q == 4'd0;
    wire        is_highest = level_q == Last;
    wire [3:0]  below      = is_lowest ? 4'd0 : level_q - 4'd1;
    wire [3:0]  above      = is_highest ? Last : level_q + 4'd1;
    wire        at_lower   = state_q == Lower;
    wire [3:0]  near       = at_lower ? below : above;
    wire [10:0] here       = average_q[level_q];
    wire [10:0] there      = average_q[near];
    wire [10:0] more_here  = at_lower ? there : here;
    wire [10:0] less_there = at_lower ? here : there;
    wire        exceeds    = {1'b0, more_here} > {1'b0, less_there} + {1'b0, k_i};
    wire        both_known = (is_lowest || valid_q[below]) && (is_highest || valid_q[above]);
    wire        counts     = valid_q[level_q] && valid_q[near] &&
                             (at_lower ? !is_lowest : !is_highest) &&
                             (!InvalidStopsBoth || both_known);

    wire       is_bal  = mode_q == Bal;
    wire       coarse_down = limit_q > Fine;
    wire       coarse_up   = limit_q >= Fine;
    wire [2:0] same_next   = (same_q == 3'd7) ? 3'd7 : same_q + 3'd1;
    reg  [5:0] lower, higher, limit_d;
    reg  [1:0] move;

    always @* begin
        lower  = warps_of(below);
        higher = warps_of(above);
        if (!is_bal && limit_q > Level0)
            lower = limit_q - (coarse_down ? Step : 6'd1);
        if (!is_bal && limit_q < Level8)
            higher = limit_q + (coarse_up ? Step : 6'd1);

        move = decision_q;
        if (is_bal) begin
            if (decision_q == Down && keep_q)
                move = `EVG_CM_DECISION_HOLD;
            if (raise_q)
                move = Up;
        end
        limit_d = (move == Down) ? lower : (move == Up) ? higher : limit_q;
        if (is_bal && limit_d == limit_q && patience_i != 3'd0 && same_next >= patience_i)
            limit_d = (limit_q < pivot_i) ? higher : lower;
    end

    // --- Limit ------------------------------------------------------------------------------------
    reg [5:0] limit_set, limit_next;

    always @*
        case (mode_i)
            Off:     limit_set = Level8;
            Cpu:     limit_set = (limit_q > Fine) ? {limit_q[5:1], 1'b0} : limit_q;
            Bal:     limit_set = floor;
            default: limit_set = limit_q;
        endcase

    always @*
        if (set_i)
            limit_next = limit_set;
        else if (write_limit)
            limit_next = data;
        else
            limit_next = (state_q == Decide) ? limit_d : limit_q;

    always @(posedge clk_i)
        if (rst_i) begin
            mode_q     <= Off;
            limit_q    <= Level8;
            same_q     <= 3'd0;
            state_q    <= Idle;
            decision_q <= `EVG_CM_DECISION_HOLD;
            keep_q     <= 1'b0;
            raise_q    <= 1'b0;
            level_q    <= Last;
        end else begin
            limit_q <= limit_next;
            level_q <= level_below(limit_next);
            case (state_q)
                Lower: begin
                    keep_q  <= counts && exceeds;
                    state_q <= Upper;
                end
                Upper: begin
                    raise_q <= counts && exceeds;
                    state_q <= Decide;
                end
                Decide: begin
                    same_q  <= (is_bal && limit_d == limit_q) ? same_next : 3'd0;
                    state_q <= Idle;
                end
                default: ;
            endcase
            if (tick && (mode_q == Cpu || is_bal)) begin
                decision_q <= decision_i;
                state_q    <= Lower;
            end
            if (write_limit) begin
                same_q  <= 3'd0;
                state_q <= Idle;
            end
            if (set_i) begin
                mode_q  <= mode_i;
                same_q  <= 3'd0;
                state_q <= Idle;
            end
            if (write && reg_addr_i == `EVG_CM_CORE_REG_SAME)
                same_q <= reg_data_i[2:0];
        end

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= rst_i ||
                  (state_q == Idle && !done_q && !tick_i && !set_i && !kernel && !reg_valid_i &&
                   (mode_q == Off || !active_i));

    assign limit_o = limit_q;
    assign state_o = state_q;
    assign idle_o  = idle_q;

`ifdef FORMAL
    reg seen_reset_q = 1'b0; // everything below is about what follows a reset
    always @(posedge clk_i)
        seen_reset_q <= seen_reset_q || rst_i;

    // The limit is always one that the mode in force has.
    always @*
        if (seen_reset_q) begin
            assert (limit_q >= 6'd1 && limit_q <= Level8);
            assert (mode_q != Off || limit_q == Level8);
            assert (mode_q != Cpu || limit_q <= Fine || !limit_q[0]);
            assert (mode_q != Bal || on_level);
            assert (state_q == Idle || mode_q == Cpu || is_bal);
            assert (level_q == level_below(limit_q));
        end

    // What the last edge saw and found.
    reg        last_ok_q = 1'b0;
    reg        last_tick_q, last_set_q, last_write_q, last_decides_q, last_rest_q, last_active_q;
    reg        last_update_q;
    reg [5:0]  last_limit_q;
    reg [10:0] last_stall_q;
    reg [43:0] last_state_q;
    wire       rest      = idle_q && active_i == last_active_q && !tick_i && !set_i && !kernel &&
                           !reg_valid_i;
    wire [43:0] all_state = {mode_q, limit_q, stall_q, same_q, valid_q, state_q, keep_q, raise_q,
                             level_q, decision_q, done_q, error_q, idle_q};

    always @(posedge clk_i) begin
        last_ok_q      <= seen_reset_q && !rst_i;
        last_tick_q    <= tick;
        last_set_q     <= set_i;
        last_write_q   <= write;
        last_decides_q <= state_q == Decide;
        last_rest_q    <= rest;
        last_active_q  <= active_i;
        last_update_q  <= update || write_average;
        last_limit_q   <= limit_q;
        last_stall_q   <= stall_q;
        last_state_q   <= all_state;
    end

    always @*
        if (last_ok_q) begin
            // Decisions only at the ends of intervals.
            assert (limit_q == last_limit_q || last_decides_q || last_set_q || last_write_q);
            // The count saturates: up by two at most, never down but for a new interval.
            if (!last_tick_q && !last_set_q && !last_write_q) begin
                assert (stall_q >= last_stall_q);
                assert (stall_q - last_stall_q <= 11'd2);
            end
            if (last_rest_q)
                assert (all_state == last_state_q && !last_update_q);
        end

    // A quarter of the old and three of the new, the fraction dropped or rounded.
    wire [14:0] exact = {4'd0, average_q[level_q]} + 15'd3 * {4'd0, stall_q} +
                        (RoundNearest ? 15'd2 : 15'd0);
    always @*
        if (update && is_old) begin
            assert ({2'd0, fresh, 2'd0} <= exact);
            assert ({2'd0, fresh, 2'd3} >= exact);
        end

    // The decision function in one piece, on what there was when the interval ended: averages as
    // numbers of a list, levels by search. Undisturbed decisions must agree with it.
    reg [2:0]           age_q = 3'd0; // edges since the tick, 0: none or disturbed
    reg [1:0]           end_mode_q, end_decision_q;
    reg [5:0]           end_limit_q, end_pivot_q;
    reg [2:0]           end_same_q, end_patience_q;
    reg [10:0]          end_k_q;
    reg [Levels-1:0]    end_valid_q;
    reg [11*Levels-1:0] end_average_q, averages;
    wire calm = !rst_i && !set_i && !kernel && !write && k_i == end_k_q &&
                patience_i == end_patience_q && pivot_i == end_pivot_q;
    integer             n;

    always @* begin
        averages = {11 * Levels{1'b0}};
        for (n = 0; n < Levels; n = n + 1)
            averages[11*n+:11] = (update && level_q == n[3:0]) ? fresh : average_q[n];
    end

    always @(posedge clk_i) begin
        if (tick && !rst_i && !kernel && !write) begin
            age_q          <= 3'd1;
            end_mode_q     <= mode_q;
            end_decision_q <= decision_i;
            end_limit_q    <= limit_q;
            end_pivot_q    <= pivot_i;
            end_same_q     <= same_q;
            end_patience_q <= patience_i;
            end_k_q        <= k_i;
            end_valid_q    <= valid_d;
            end_average_q  <= averages;
        end else
            age_q <= (age_q != 3'd0 && age_q != 3'd4 && calm) ? age_q + 3'd1 : 3'd0;
    end

    // Neighbours' limits by search, averages 12 bits wide with the top bit for "not valid".
    reg [5:0]  golden, next_lower, next_higher;
    reg [11:0] near_low, near_mid, near_high;
    reg        low_counts, high_counts;
    reg [12:0] mid_and_k, high_and_k;

    always @* begin
        next_lower  = end_limit_q;
        next_higher = end_limit_q;
        near_low    = 12'h800;
        near_mid    = 12'h800;
        near_high   = 12'h800;
        for (n = 0; n < Levels; n = n + 1) begin
            if (warps_of(n[3:0]) < end_limit_q) begin
                next_lower = warps_of(n[3:0]);
                near_low   = {!end_valid_q[n], end_average_q[11*n+:11]};
            end
            if (warps_of(n[3:0]) == end_limit_q)
                near_mid = {!end_valid_q[n], end_average_q[11*n+:11]};
            if (warps_of(LastLevel[3:0] - n[3:0]) > end_limit_q) begin
                next_higher = warps_of(LastLevel[3:0] - n[3:0]);
                near_high   = {!end_valid_q[LastLevel-n], end_average_q[11*(LastLevel-n)+:11]};
            end
        end
        low_counts  = !near_low[11] && !near_mid[11] &&
                      (!InvalidStopsBoth || !near_high[11] || end_limit_q == Level8);
        high_counts = !near_high[11] && !near_mid[11] &&
                      (!InvalidStopsBoth || !near_low[11] || end_limit_q == Level0);
        mid_and_k   = {2'd0, near_mid[10:0]} + {2'd0, end_k_q};
        high_and_k  = {2'd0, near_high[10:0]} + {2'd0, end_k_q};

        golden = end_limit_q;
        if (end_mode_q == Cpu) begin
            if (end_decision_q == Down && end_limit_q > 6'd1)
                golden = end_limit_q - (end_limit_q >= 6'd10 ? 6'd2 : 6'd1);
            if (end_decision_q == Up && end_limit_q < 6'd48)
                golden = end_limit_q + (end_limit_q >= 6'd8 ? 6'd2 : 6'd1);
        end else begin
            if (high_counts && {2'd0, near_mid[10:0]} > high_and_k)
                golden = next_higher;
            else if (end_decision_q == Up)
                golden = next_higher;
            else if (end_decision_q == Down &&
                     !(low_counts && {2'd0, near_low[10:0]} > mid_and_k))
                golden = next_lower;
            if (golden == end_limit_q && end_patience_q != 0 &&
                {1'b0, end_same_q} + 4'd1 >= {1'b0, end_patience_q})
                golden = end_limit_q < end_pivot_q ? next_higher : next_lower;
        end
    end

    always @*
        if (last_ok_q && age_q == 3'd4 && (end_mode_q == Cpu || end_mode_q == Bal))
            assert (limit_q == golden);

    always @(posedge clk_i)
        if (last_ok_q && age_q == 3'd4) begin
            cover (end_mode_q == Cpu && limit_q == 6'd44);
            cover (end_mode_q == Bal && end_decision_q == Down && limit_q == end_limit_q);
            cover (end_mode_q == Bal && end_decision_q == Down && limit_q > end_limit_q);
            cover (end_mode_q == Bal && end_decision_q == `EVG_CM_DECISION_HOLD &&
                   limit_q < end_limit_q);
        end

    always @(posedge clk_i)
        if (seen_reset_q) begin
            cover (stall_q == MaxStall);
            cover (idle_q && mode_q == Bal);
            cover (valid_q == {Levels{1'b1}});
        end
`endif

endmodule

`default_nettype wire
