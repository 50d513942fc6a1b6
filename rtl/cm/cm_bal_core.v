// SPDX-License-Identifier: Apache-2.0
// cm_bal_core: concurrency management in one SIMT core (CM-BAL 4.2). It measures how often the warp
// schedulers could not issue (stall_GPU), keeps a moving average of that for every concurrency level,
// and from both and the controller's decision sets the limit that the core's schedulers obey.
//
// Contract
//
//     mode    limits (cm_limits)                    moved by
//     OFF     48                                    -
//     FIXED   1..48                                 software
//     CPU     1..8, 10, 12, .. 48 (CM-BAL 4.1)      decision_i
//     BAL     1, 2, 3, 4, 6, 8, 16, 24, 48 (4.2)    decision_i and rules 1 to 3
//
// - A mode is in force from the edge with set_i on. The limit becomes the highest of the mode that is not
//   above the old limit; in OFF, 48. The stall count begins at 0.
// - Stall count: at each edge with active_i, in any mode but OFF, up by one for each of the two
//   schedulers that has no ready warp, or whose pipeline register is full; with StallNeedsBoth, only if
//   both are so. It stops at 2047. A stall at the edge of tick_i or set_i is the first of the next
//   interval.
// - tick_i ends an interval, in any mode but OFF. Each edge does one step, which reads
//   registers as they are before that edge:
//
//     edge after tick_i's   what happens                                  reads
//     0                     the count goes over; the next one begins      stalls
//     1                     stalls are weighed                            old average of the limit's level
//     2                     average = (old + 3 stalls) / 4; stalls if none is valid
//     3                                                                   own average
//     4                                                                   lower level's average, k_i
//     5                     1 is known                                    upper level's average
//     6                                                                   own average, k_i
//     7                     2 is known
//     8                     decision                                      patience_i, pivot_i
//     9                     limit_o changes, in CPU and BAL
//
//   The fraction is dropped, or with RoundNearest rounded, half up. No average is stored if the limit is
//   none of the nine levels.
// - DOWN and UP move the limit to the neighbour, if there is one; HOLD and anything else keep it. In BAL
//   1. it is not lowered if the lower average is more than k above the own one;
//   2. it is raised, whatever the decision, if the own one is more than k above the upper one;
//   3. if it would stay after this and has been on this level for `patience` intervals, this one
//      included, it goes one level up if below `pivot`, else one down, if there is such a level. A
//      patience of 0 turns this off. The visit keeps the neighbours' averages representative, so rule 1
//      does not hold it back.
//   A comparison with an average that is not valid does not count; with InvalidStopsBoth neither
//   counts if one of the existing neighbours is not valid (footnote 11 of the paper allows both).
// - kernel_begin_i and kernel_end_i make all averages invalid, from the edge of tick_i to the second
//   after it that interval's too. The stall count goes on: an interval in whose middle a kernel begins
//   gives the first average of the new kernel, with the stalls before it (docs/papers/open-questions.md);
//   with ForgetTorn it gives none. Kernels of events do not pulse these inputs.
// - Registers (enum cm_core_reg of evgpu.def), an access per edge, answered by reg_done_o after it, with
//   the content before the access. An access that is an error changes nothing.
//
//     register       content                                           a write is an error
//     LIMIT          limit_o                                           of a limit outside the mode;
//                                                                      at an edge with set_i
//     STALL          the present count                                 above 2047
//     SAME           intervals on this level, 0..7, BAL only           above 7
//     VALID          bit n: average n is valid; 0 written there makes  above 511
//                    it invalid, 1 leaves it to the unit
//     AVERAGE_0..8   0 if not valid; a write makes it valid            above 2047
//     others         0                                                 always; so is a read
//
//     at one edge                               what counts
//     a write, and the unit's own change        the write
//     a write of AVERAGE_n and a store to n     the write
//     a write of LIMIT, or set_i, and a step    the decision ends, SAME is 0; an average that is due at
//                                               this very edge is stored
//     a kernel's pulse and a store              the average is invalid
//     tick_i with set_i, or before step 9 of the last one is over (illegal)   tick_i is ignored: the
//                                               interval goes on
//
// - After reset: OFF, no valid average.
// - Quiescence: while idle_o is high, an edge with tick_i, set_i, kernel_begin_i, kernel_end_i and
//   reg_valid_i 0, and with active_i as at the edge before, changes no register. idle_o rises one edge
//   after the last activity, which a register's answer is too; with active_i it is low in every mode
//   but OFF.
`default_nettype none
`include "evgpu_defs.vh"

module cm_bal_core #(
    parameter StallNeedsBoth   = 0, // 1: a stall is no ready warp and a full pipeline register
    parameter RoundNearest     = 0, // 1: averages are rounded, not cut
    parameter InvalidStopsBoth = 0, // 1: one invalid neighbour stops both comparisons
    parameter ForgetTorn       = 0  // 1: an interval in which a kernel begins or ends gives no average
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
    output wire [3:0]  state_o,
    output wire        idle_o
);

    generate
        if ((StallNeedsBoth != 0 && StallNeedsBoth != 1) ||
            (RoundNearest != 0 && RoundNearest != 1) ||
            (InvalidStopsBoth != 0 && InvalidStopsBoth != 1) ||
            (ForgetTorn != 0 && ForgetTorn != 1)) begin : g_check
            cm_bal_core_parameters_are_0_or_1 check_parameters ();
        end
    endgenerate

    localparam [1:0] Off   = `EVG_CM_MODE_OFF;
    localparam [1:0] Bal   = `EVG_CM_MODE_BAL;
    localparam [1:0] Fixed = `EVG_CM_MODE_FIXED;

    localparam [1:0] Hold = `EVG_CM_DECISION_HOLD;
    localparam [1:0] Down = `EVG_CM_DECISION_DOWN;
    localparam [1:0] Up   = `EVG_CM_DECISION_UP;

    localparam [3:0] Idle     = `EVG_CM_CORE_STATE_IDLE;
    localparam [3:0] Weigh    = `EVG_CM_CORE_STATE_WEIGH;
    localparam [3:0] Store    = `EVG_CM_CORE_STATE_STORE;
    localparam [3:0] LowerSum = `EVG_CM_CORE_STATE_LOWER_SUM;
    localparam [3:0] Lower    = `EVG_CM_CORE_STATE_LOWER;
    localparam [3:0] UpperSum = `EVG_CM_CORE_STATE_UPPER_SUM;
    localparam [3:0] Upper    = `EVG_CM_CORE_STATE_UPPER;
    localparam [3:0] Choose   = `EVG_CM_CORE_STATE_CHOOSE;
    localparam [3:0] Move     = `EVG_CM_CORE_STATE_MOVE;

    localparam integer Levels    = `EVG_CM_LEVELS;
    localparam integer LastLevel = Levels - 1;
    localparam [3:0]   Last      = LastLevel[3:0];
    localparam [5:0]   Lowest    = `EVG_CM_LEVEL_0;
    localparam [5:0]   Highest   = `EVG_CM_LEVEL_8;

    reg [1:0]        mode_q;
    reg [5:0]        limit_q;
    reg [2:0]        same_q;
    reg [Levels-1:0] valid_q;
    reg [10:0]       average_q [0:Levels-1];
    reg [3:0]        state_q;
    reg [3:0]        level_q;    // highest level that was not above the limit one edge ago
    reg [1:0]        decision_q; // the controller's; from Move on the core's own
    reg [12:0]       weighted_stalls_q;     // stalls of the interval, weighed; then a sum with k
    reg [10:0]       neighbour_avg_q;     // the average that was read
    reg              neighbour_known_q, weighted_known_q; // ... and those in weighted_stalls_q are valid
    reg              no_kernel_q; // no kernel began or ended since tick_i, or ForgetTorn, in the interval
    reg              lower_costs_q;     // lowering would cost more than k
    reg              upper_gains_q;    // raising would gain more than k

    wire is_bal = mode_q == Bal;

    // --- Limits of the modes ----------------------------------------------------------------------
    wire [5:0] data = reg_data_i[`EVG_CM_WARPS_VALUE];
    wire       has_limit; // the mode in force has the limit data
    wire [5:0] level_warps, below_warps, above_warps, step_down, step_up, limit_set;
    wire [3:0] level_now, below, above;

    cm_limits u_limits (
        .asked_mode_i(mode_q), .asked_i(data), .has_o(has_limit), .limit_i(limit_q),
        .set_mode_i(mode_i), .set_o(limit_set), .level_o(level_now), .step_down_o(step_down),
        .step_up_o(step_up), .level_i(level_q), .warps_o(level_warps), .below_o(below),
        .below_warps_o(below_warps), .above_o(above), .above_warps_o(above_warps)
    );

    // --- Software ---------------------------------------------------------------------------------
    // Each register's own condition for a write, so that the way to the registers is short.
    reg  [15:0] content;
    reg         exists, fits;
    wire [3:0]  number = reg_addr_i - `EVG_CM_CORE_REG_AVERAGE_0;
    // As wide as the index, so that no index has to be compared with the last.
    wire [15:0] valid  = {{16 - Levels{1'b0}}, valid_q};

    wire        fits_limit = has_limit && reg_data_i[`EVG_CM_WARPS_UNUSED] == 10'd0 && !set_i;
    wire        fits_same  = reg_data_i[`EVG_CM_SMALL_UNUSED] == 13'd0;
    wire        fits_valid = reg_data_i[15:Levels] == {16 - Levels{1'b0}};
    wire        fits_count = reg_data_i[`EVG_CM_COUNT_UNUSED] == 5'd0;

    always @* begin
        exists  = 1'b1;
        content = 16'd0;
        fits    = fits_count;
        case (reg_addr_i)
            `EVG_CM_CORE_REG_LIMIT: begin
                content = {10'd0, limit_q};
                fits    = fits_limit;
            end
            `EVG_CM_CORE_REG_STALL: content = {5'd0, stall_count};
            `EVG_CM_CORE_REG_SAME: begin
                content = {13'd0, same_q};
                fits    = fits_same;
            end
            `EVG_CM_CORE_REG_VALID: begin
                content = {{16 - Levels{1'b0}}, valid_q};
                fits    = fits_valid;
            end
            default: begin
                exists = number <= Last;
                if (valid[number])
                    content = {5'd0, average_q[number]};
            end
        endcase
    end

    wire write         = reg_valid_i && reg_write_i;
    wire write_limit   = write && reg_addr_i == `EVG_CM_CORE_REG_LIMIT && fits_limit;
    wire write_stall   = write && reg_addr_i == `EVG_CM_CORE_REG_STALL && fits_count;
    wire write_same    = write && reg_addr_i == `EVG_CM_CORE_REG_SAME && fits_same;
    wire write_valid   = write && reg_addr_i == `EVG_CM_CORE_REG_VALID && fits_valid;
    wire write_average = write && reg_addr_i >= `EVG_CM_CORE_REG_AVERAGE_0 && number <= Last &&
                         fits_count;

    cm_answer u_answer (
        .clk_i(clk_i), .rst_i(rst_i), .access_i(reg_valid_i),
        .error_i(!exists || (reg_write_i && !fits)), .content_i(content), .done_o(reg_done_o),
        .error_o(reg_error_o), .rdata_o(reg_rdata_o)
    );

    // --- Stalls -----------------------------------------------------------------------------------
    wire        tick     = tick_i && !set_i && mode_q != Off && state_q == Idle;
    wire [1:0]  measured = set_i ? mode_i : mode_q;
    wire [1:0]  blocked  = StallNeedsBoth != 0 ? ~sched_ready_i & sched_full_i
                                               : ~sched_ready_i | sched_full_i;
    wire [1:0]  counted  = (active_i && measured != Off) ? blocked : 2'b00;
    wire [10:0] stall_count;

    cm_slot_counter u_stalls (
        .clk_i(clk_i), .rst_i(rst_i), .begin_i(tick || set_i), .slots_i(counted),
        .write_i(write_stall), .data_i(reg_data_i[`EVG_CM_COUNT_VALUE]), .count_o(stall_count)
    );

    // --- Moving averages --------------------------------------------------------------------------
    // One read port for the unit: the level of the limit and, for the comparisons, its neighbours.
    wire       is_lowest  = level_q == 4'd0;
    wire       is_highest = level_q == Last;
    reg  [3:0] port;

    always @*
        case (state_q)
            LowerSum: port = below;
            Lower:    port = above;
            default:  port = level_q;
        endcase

    wire        known    = valid[level_q];
    wire        on_level = limit_q == level_warps; // once level_q has followed
    wire        kernel   = kernel_begin_i || kernel_end_i;

    // 0.25 * old + 0.75 * new, never above the larger of both: three times the new, or four times if
    // there is no old one, and half a unit for the rounding; then the old one and the shift.
    wire [10:0] stalls   = weighted_stalls_q[10:0];
    wire [12:0] weighed  = known ? {2'd0, stalls} + {1'b0, stalls, RoundNearest != 0} +
                                   (RoundNearest != 0 ? 13'd1 : 13'd0)
                                 : {stalls, 2'd0};
    wire [12:0] quarters = weighted_stalls_q + {2'd0, neighbour_avg_q};
    wire        unused_fraction = ^quarters[1:0];
    wire        exceeds  = {2'd0, neighbour_avg_q} > weighted_stalls_q;

    // Lower level: its average is in neighbour_avg_q, the level's own and k in weighted_stalls_q. Upper level: the other way
    // round. So both ask the same.
    wire        both_known = (is_lowest || valid[below]) && (is_highest || valid[above]);
    wire        costs      = neighbour_known_q && weighted_known_q && exceeds &&
                             (InvalidStopsBoth == 0 || both_known);

    // A kernel began or ended in the present interval (the edge of the tick belongs to the one it ends).
    reg torn_q;
    always @(posedge clk_i)
        torn_q <= ForgetTorn != 0 && !rst_i && !tick && !set_i && (torn_q || kernel);

    wire              store   = state_q == Store && no_kernel_q && on_level;
    wire [Levels-1:0] first   = {{Levels - 1{1'b0}}, 1'b1};
    wire [Levels-1:0] stored  = store ? first << level_q : {Levels{1'b0}};
    wire [Levels-1:0] written = write_average ? first << number : {Levels{1'b0}};
    wire [Levels-1:0] kept    = {Levels{!kernel}} & (valid_q | stored);
    wire [Levels-1:0] valid_d = (kept | written) & ({Levels{!write_valid}} | reg_data_i[Levels-1:0]);

    always @(posedge clk_i) begin
        if (rst_i)
            valid_q <= {Levels{1'b0}};
        else
            valid_q <= valid_d;
        if (store)
            average_q[level_q] <= quarters[12:2];
        if (write_average)
            average_q[number] <= reg_data_i[`EVG_CM_COUNT_VALUE];
        case (state_q)
            Idle:
                if (tick_i) begin
                    weighted_stalls_q  <= {2'd0, stall_count};
                    no_kernel_q <= !kernel && !torn_q;
                end
            Weigh: begin
                weighted_stalls_q  <= weighed;
                no_kernel_q <= no_kernel_q && !kernel;
            end
            LowerSum, UpperSum: begin
                weighted_stalls_q       <= {2'd0, neighbour_avg_q} + {2'd0, k_i};
                weighted_known_q <= neighbour_known_q;
            end
            default: ;
        endcase
        if (state_q != Idle) begin
            neighbour_avg_q       <= (state_q == Weigh && !known) ? 11'd0 : average_q[port];
            neighbour_known_q <= valid[port] && !(state_q == LowerSum && is_lowest) &&
                            !(state_q == Lower && is_highest);
        end
    end

    // --- Decision ---------------------------------------------------------------------------------
    wire [2:0] same_next = (same_q == 3'd7) ? 3'd7 : same_q + 3'd1;
    wire       at_bottom = limit_q == Lowest;
    wire       at_top    = limit_q == Highest;
    reg  [1:0] move;

    always @* begin
        move = decision_q;
        if (is_bal && upper_gains_q)
            move = Up;
        else if (is_bal && decision_q == Down && lower_costs_q)
            move = Hold;
        if (mode_q == Fixed || (move == Down && at_bottom) || (move == Up && at_top) || move == 2'd3)
            move = Hold;
        if (is_bal && move == Hold && patience_i != 3'd0 && same_next >= patience_i) begin
            if (limit_q < pivot_i)
                move = at_top ? Hold : Up;
            else
                move = at_bottom ? Hold : Down;
        end
    end

    reg [5:0] moved;

    always @*
        case (decision_q)
            Down:    moved = is_bal ? below_warps : step_down;
            Up:      moved = is_bal ? above_warps : step_up;
            default: moved = limit_q;
        endcase

    // --- Limit ------------------------------------------------------------------------------------
    always @(posedge clk_i)
        if (rst_i) begin
            mode_q     <= Off;
            limit_q    <= Highest;
            same_q     <= 3'd0;
            state_q    <= Idle;
            decision_q <= Hold;
            lower_costs_q     <= 1'b0;
            upper_gains_q    <= 1'b0;
            level_q    <= Last;
        end else begin
            level_q <= level_now;
            case (state_q)
                Idle:
                    if (tick) begin
                        decision_q <= decision_i;
                        state_q    <= Weigh;
                    end
                Lower: begin
                    lower_costs_q  <= costs;
                    state_q <= UpperSum;
                end
                Upper: begin
                    upper_gains_q <= costs;
                    state_q <= Choose;
                end
                Choose: begin
                    decision_q <= move;
                    state_q    <= Move;
                end
                Move: begin
                    limit_q <= moved;
                    same_q  <= (is_bal && decision_q == Hold) ? same_next : 3'd0;
                    state_q <= Idle;
                end
                default: state_q <= state_q + 4'd1;
            endcase
            if (write_limit) begin
                limit_q <= data;
                same_q  <= 3'd0;
                state_q <= Idle;
            end
            if (set_i) begin
                mode_q  <= mode_i;
                limit_q <= limit_set;
                same_q  <= 3'd0;
                state_q <= Idle;
            end
            if (write_same)
                same_q <= reg_data_i[`EVG_CM_SMALL_VALUE];
        end

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= rst_i ||
                  (state_q == Idle && !reg_done_o && !tick_i && !set_i && !kernel && !reg_valid_i &&
                   (mode_q == Off || !active_i));

    assign limit_o = limit_q;
    assign state_o = state_q;
    assign idle_o  = idle_q;

`ifdef FORMAL
`include "properties/cm_bal_core.fv.vh"
`endif

endmodule

`default_nettype wire
