// SPDX-License-Identifier: Apache-2.0
// cm_next_core: concurrency management in one SIMT core by how much the core issues; the ports of
// cm_bal_core, which it replaces (reasons and results: docs/design/cm-next.md). The limit follows the
// controller's decisions, but a core that issues often with many warps computes: it tries FreeLevel, and keeps
// all its warps where that slows it down. A core that issues seldom waits for memory whatever its limit.
//
// Contract
// - Modes: OFF and FIXED as in cm_bal_core. CPU and BAL are one: they walk on the levels 1, 2, 3, 4, 6, 8,
//   12, 16, 24, 32, 40, 48 warps, numbered from 0. LeastLevel is the lowest that a decision leads to, or the one
//   below it where a core issues seldom; FreeLevel is the lowest on which a core may count as busy.
// - A mode is in force from the edge with set_i on. A walk begins with the highest level that is not above
//   the limit. The counts begin at 0, without an average.
// - Counts: at each edge with active_i, in any mode but OFF, each of the two schedulers either issues
//   (a ready warp, and its pipeline register is not full) or stalls. ISSUED and STALL stop at 2047.
//   What happens at the edge of tick_i or set_i is the first of the next interval.
// - tick_i ends an interval, in any mode but OFF. Each edge does one step, which reads registers as they
//   are before that edge:
//
//     edge after tick_i's   what happens                                           reads
//     0                     ISSUED goes to ENDED, and with it whether a kernel began in the interval
//     1, 2                  3 * average + ENDED                                    AVERAGE
//     3                     average = that / 4; ENDED if there was none
//     4                     busy: average at least k_i; seldom: below k_i / 2**SeldomShift; worse: below the
//                           trial's bound; the limit's level
//     5                     limit_o changes, in a walk
//
// - A walk's move, the first of these that holds; a level that does not exist is the one before it:
//     1. below FreeLevel, a kernel began: to FreeLevel, where it can show whether it computes;
//     2. in a trial on FreeLevel, in the Stay-th interval there or later, worse: to the top, the trial ends
//        and Pause intervals begin;
//     3. at the top, busy, decision DOWN, no pause: to FreeLevel, and a trial begins. Its bound is
//        average - average / 2**TrialShift, in whole issues;
//     4. decision UP, or, at FreeLevel or above, busy and in no trial: one level up;
//     5. decision DOWN, above LeastLevel, or on it and seldom: one level down. From FreeLevel only in the
//        Stay-th interval there or later, since a kernel's first intervals wait for memory whatever comes
//        then, and not in a trial that goes on.
//   A trial goes on while the core is busy and not at the top. A pause is shorter by one after each
//   interval at the top that was busy.
//   The edge of tick_i belongs to the interval that it ends, as to kernel_begin_i. A begin at any later edge
//   counts for the next interval. In FIXED the average goes on.
// - k_i is in issues of an interval, of which two per cycle are possible. kernel_end_i, patience_i and
//   pivot_i have no effect. After reset: OFF.
// - Registers (enum cm_next_reg of evgpu.def), an access per edge, answered by reg_done_o after it, with
//   the content before the access. An access that is an error changes nothing.
//
//     register       content                                           a write is an error
//     LIMIT          limit_o                                           of a limit outside the mode;
//                                                                      at an edge with set_i
//     STALL, ISSUED  the present counts                                above 2047
//     AVERAGE        bit 15: there is one; 10..0                       bits 14..11 not 0
//     ENDED          issued in the last interval; bit 11: a kernel     always
//                    began in it
//     others         0                                                 always; so is a read
//
//     at one edge                               what counts
//     a write, and the unit's own change        the write
//     a write of LIMIT, or set_i, and a step    the decision ends, as trial and pause do
//     tick_i with set_i, or before step 5 of the last one is over (illegal)   tick_i is ignored: the
//                                               interval goes on
//
// - Quiescence: as in cm_bal_core.
`default_nettype none
`include "evgpu_defs.vh"

module cm_next_core #(
    parameter LeastLevel  = 2, // 3 warps
    parameter FreeLevel   = 7, // 16 warps
    parameter Stay        = 3, // intervals, up to 8
    parameter SeldomShift = 3,
    parameter TrialShift  = 3,
    parameter Pause       = 255 // intervals, up to 255
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
        if (LeastLevel < 1 || LeastLevel >= FreeLevel || FreeLevel > 11 || Stay < 1 || Stay > 8 ||
            SeldomShift < 0 || SeldomShift > 10) begin : g_check
            cm_next_core_levels_are_1_to_11_and_rise_stay_is_1_to_8_shift_0_to_10 check_parameters ();
        end
        if (FreeLevel > 10 || TrialShift < 0 || TrialShift > 10 || Pause < 0 || Pause > 255) begin : g_check_trial
            cm_next_core_tries_below_the_top_shift_0_to_10_pause_0_to_255 check_parameters ();
        end
        if (`EVG_CM_NEXT_LEVELS != 12 || `EVG_CM_LEVEL_8 != 48) begin : g_check_levels
            cm_next_core_has_twelve_levels_up_to_48 check_parameters ();
        end
    endgenerate

    localparam [1:0] Off   = `EVG_CM_MODE_OFF;
    localparam [1:0] Fixed = `EVG_CM_MODE_FIXED;

    localparam [1:0] Down = `EVG_CM_DECISION_DOWN;
    localparam [1:0] Up   = `EVG_CM_DECISION_UP;

    localparam [2:0] Idle    = `EVG_CM_NEXT_STATE_IDLE;
    localparam [2:0] Triple  = `EVG_CM_NEXT_STATE_TRIPLE;
    localparam [2:0] Average = `EVG_CM_NEXT_STATE_AVERAGE;
    localparam [2:0] Store   = `EVG_CM_NEXT_STATE_STORE;
    localparam [2:0] Judge   = `EVG_CM_NEXT_STATE_JUDGE;
    localparam [2:0] Move    = `EVG_CM_NEXT_STATE_MOVE;

    localparam [5:0] Top   = `EVG_CM_LEVEL_8;
    localparam [3:0] Last  = 4'd11;
    localparam [3:0] Least = LeastLevel[3:0];
    localparam [3:0] Free  = FreeLevel[3:0];
    localparam integer StayLast = Stay - 1;
    localparam [2:0] Stayed = StayLast[2:0];
    localparam [7:0] Paused = Pause[7:0];

    // Of 8 bits each: a part-select whose width is no power of two becomes a multiplication.
    localparam [8*16-1:0] Levels = {8'd48, 8'd48, 8'd48, 8'd48, 8'd48, 8'd40, 8'd32, 8'd24, 8'd16,
                                    8'd12, 8'd8, 8'd6, 8'd4, 8'd3, 8'd2, 8'd1}; // warps, lowest last

    // Of 63 warps down to 0: the number of the highest level that is not above them, 0 for 0
    localparam [4*64-1:0] Below = {{16{4'd11}}, {8{4'd10}}, {8{4'd9}}, {8{4'd8}}, {8{4'd7}}, {4{4'd6}}, {4{4'd5}},
                                   {2{4'd4}}, {2{4'd3}}, 4'd2, 4'd1, {2{4'd0}}};

    function [5:0] warps_of;
        input [3:0] level;
        warps_of = Levels[8*level+:6];
    endfunction

    function [3:0] level_below;
        input [5:0] warps;
        level_below = Below[4*warps+:4];
    endfunction

    reg [1:0]  mode_q;
    reg [5:0]  limit_q;
    reg        began_q;         // a kernel, in the present interval
    reg [10:0] average_q;       // of what an interval issues
    reg        average_known_q;
    reg [2:0]  state_q;
    reg [1:0]  decision_q;      // the controller's
    reg [10:0] ended_q;         // issued in the interval that ended
    reg        ended_began_q;   // ... in which a kernel began
    reg [12:0] sum_q;
    reg [3:0]  level_q;         // the limit's
    reg        busy_q, seldom_q, worse_q;
    reg [2:0]  stay_q;          // intervals on FreeLevel that have ended, Stayed at most
    reg        trial_q;
    reg [10:0] bound_q;         // the least average with which the trial goes on
    reg [7:0]  pause_q;         // busy intervals at the top until the next trial

    wire walk = mode_q != Off && mode_q != Fixed;

    // --- Software ---------------------------------------------------------------------------------
    wire [10:0] issue_count, stall_count;
    wire [5:0]  data = reg_data_i[`EVG_CM_WARPS_VALUE];
    reg  [15:0] content;
    reg         known, fits;
    wire [2:0]  number = reg_addr_i[2:0];

    wire is_level   = warps_of(level_below(data)) == data;
    wire fits_limit = reg_data_i[`EVG_CM_WARPS_UNUSED] == 10'd0 && data >= 6'd1 && data <= Top && !set_i &&
                      (mode_q == Off ? data == Top : mode_q == Fixed || is_level);
    wire fits_count = reg_data_i[`EVG_CM_COUNT_UNUSED] == 5'd0;
    wire fits_known = reg_data_i[`EVG_CM_KNOWN_UNUSED] == 4'd0;

    always @* begin
        known   = 1'b1;
        fits    = fits_count;
        content = 16'd0;
        case (number)
            `EVG_CM_NEXT_REG_LIMIT: begin
                content = {10'd0, limit_q};
                fits    = fits_limit;
            end
            `EVG_CM_NEXT_REG_STALL:  content = {5'd0, stall_count};
            `EVG_CM_NEXT_REG_ISSUED: content = {5'd0, issue_count};
            `EVG_CM_NEXT_REG_AVERAGE: begin
                content = {average_known_q, 4'd0, average_q};
                fits    = fits_known;
            end
            `EVG_CM_NEXT_REG_ENDED: begin
                content = {4'd0, ended_began_q, ended_q};
                fits    = 1'b0;
            end
            default: begin
                known = 1'b0;
                fits  = 1'b0;
            end
        endcase
    end

    wire exists        = known && !reg_addr_i[3];
    wire write         = reg_valid_i && reg_write_i && exists && fits;
    wire write_limit   = write && number == `EVG_CM_NEXT_REG_LIMIT;
    wire write_stall   = write && number == `EVG_CM_NEXT_REG_STALL;
    wire write_issued  = write && number == `EVG_CM_NEXT_REG_ISSUED;
    wire write_average = write && number == `EVG_CM_NEXT_REG_AVERAGE;

    cm_answer u_answer (
        .clk_i(clk_i), .rst_i(rst_i), .access_i(reg_valid_i),
        .error_i(!exists || (reg_write_i && !fits)),
        .content_i(content & {16{exists}}), .done_o(reg_done_o), .error_o(reg_error_o), .rdata_o(reg_rdata_o)
    );

    // --- Counts -----------------------------------------------------------------------------------
    wire        tick     = tick_i && !set_i && mode_q != Off && state_q == Idle;
    wire        begins   = tick || set_i;
    wire [1:0]  measured = set_i ? mode_i : mode_q;
    wire        counting = active_i && measured != Off;
    wire [1:0]  issues   = sched_ready_i & ~sched_full_i;

    cm_slot_counter u_issues (
        .clk_i(clk_i), .rst_i(rst_i), .begin_i(begins), .slots_i(issues & {2{counting}}),
        .write_i(write_issued), .data_i(reg_data_i[`EVG_CM_COUNT_VALUE]), .count_o(issue_count)
    );

    cm_slot_counter u_stalls (
        .clk_i(clk_i), .rst_i(rst_i), .begin_i(begins), .slots_i(~issues & {2{counting}}),
        .write_i(write_stall), .data_i(reg_data_i[`EVG_CM_COUNT_VALUE]), .count_o(stall_count)
    );

    always @(posedge clk_i)
        began_q <= !rst_i && !begins && measured != Off && (began_q || kernel_begin_i);

    // --- Average ----------------------------------------------------------------------------------
    always @(posedge clk_i) begin
        case (state_q)
            Triple:  sum_q <= {1'b0, average_q, 1'b0} + {2'd0, average_q};
            Average: sum_q <= sum_q + {2'd0, ended_q};
            Judge: begin
                level_q  <= level_below(limit_q);
                busy_q   <= average_q >= k_i;
                seldom_q <= average_q < (k_i >> SeldomShift);
                worse_q  <= average_q < bound_q;
            end
            default: ;
        endcase
    end

    // --- Move -------------------------------------------------------------------------------------
    reg  [3:0] next_level;
    wire       is_free  = level_q >= Free;
    wire       at_top   = level_q == Last;
    wire       settled  = level_q == Free && stay_q == Stayed;
    wire       fails    = trial_q && worse_q && settled;
    wire       tries    = at_top && busy_q && decision_q == Down && pause_q == 8'd0;
    wire       rises    = (is_free && busy_q && !trial_q) || decision_q == Up;
    wire       may_fall = level_q == Free ? settled && !(trial_q && busy_q)
                                          : level_q > Least || (level_q == Least && seldom_q);
    wire       falls    = decision_q == Down && may_fall;
    wire       stays    = level_q == Free && next_level == Free;

    always @* begin
        next_level = level_q;
        if (!is_free && ended_began_q)
            next_level = Free;
        else if (fails)
            next_level = Last;
        else if (tries)
            next_level = Free;
        else if (rises)
            next_level = at_top ? Last : level_q + 4'd1;
        else if (falls)
            next_level = level_q - 4'd1;
    end

    always @(posedge clk_i)
        if (rst_i) begin
            mode_q          <= Off;
            limit_q         <= Top;
            average_q       <= 11'd0;
            average_known_q <= 1'b0;
            state_q         <= Idle;
            decision_q      <= 2'd0;
            ended_q         <= 11'd0;
            ended_began_q   <= 1'b0;
            stay_q          <= 3'd0;
            trial_q         <= 1'b0;
            bound_q         <= 11'd0;
            pause_q         <= 8'd0;
        end else begin
            case (state_q)
                Idle:
                    if (tick) begin
                        decision_q    <= decision_i;
                        ended_q       <= issue_count;
                        ended_began_q <= began_q || kernel_begin_i;
                        state_q       <= Triple;
                    end
                Store: begin
                    average_q       <= average_known_q ? sum_q[12:2] : ended_q;
                    average_known_q <= 1'b1;
                    state_q         <= Judge;
                end
                Move: begin
                    if (walk) begin
                        limit_q <= warps_of(next_level);
                        stay_q  <= !stays ? 3'd0 : (stay_q == Stayed) ? Stayed : stay_q + 3'd1;
                        trial_q <= tries || (trial_q && !fails && busy_q && next_level != Last);
                        if (tries)
                            bound_q <= average_q - (average_q >> TrialShift);
                        if (fails)
                            pause_q <= Paused;
                        else if (at_top && busy_q && pause_q != 8'd0)
                            pause_q <= pause_q - 8'd1;
                    end
                    state_q <= Idle;
                end
                default: state_q <= state_q + 3'd1;
            endcase
            if (write_limit) begin
                limit_q <= data;
                state_q <= Idle;
                stay_q  <= 3'd0;
                trial_q <= 1'b0;
                pause_q <= 8'd0;
            end
            if (set_i) begin
                mode_q          <= mode_i;
                average_known_q <= 1'b0;
                state_q         <= Idle;
                stay_q          <= 3'd0;
                trial_q         <= 1'b0;
                pause_q         <= 8'd0;
                limit_q         <= (mode_i == Off) ? Top : (mode_i == Fixed) ? limit_q
                                                         : warps_of(level_below(limit_q));
            end
            if (write_average) begin
                average_q       <= reg_data_i[`EVG_CM_KNOWN_VALUE];
                average_known_q <= reg_data_i[`EVG_CM_KNOWN_KNOWN];
            end
        end

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= rst_i ||
                  (state_q == Idle && !reg_done_o && !tick_i && !set_i && !kernel_begin_i && !kernel_end_i &&
                   !reg_valid_i && (mode_q == Off || !active_i));

    wire unused_settings = ^{patience_i, pivot_i};

    assign limit_o = limit_q;
    assign state_o = {1'b0, state_q};
    assign idle_o  = idle_q;

`ifdef FORMAL
`include "properties/cm_next_core.fv.vh"
`endif

endmodule

`default_nettype wire
