// SPDX-License-Identifier: Apache-2.0
// cm_next_core: concurrency management in one SIMT core by comparing neighbouring levels all the time;
// the ports of cm_bal_core, which it replaces (reasons and results: docs/design/cm-next.md). It counts
// what the core issues, lets a pair of neighbouring levels take turns, adds up how much more the upper
// one issues, and moves the pair when that has become clear.
//
// Contract
// - Modes: OFF and FIXED as in cm_bal_core. CPU and BAL are one: they search. Levels are 1, 2, 3, 4, 6,
//   8, 12, 16, 24, 32, 40, 48 warps; a pair is two that are Span levels apart.
// - A mode is in force from the edge with set_i on. A search begins with the pair whose upper level is the
//   highest that is not above the limit, and with that level; if there is no such pair, with the lowest
//   pair and its lower level. All counts, the average and the evidence begin anew, caution at CautionMin.
// - Counts: at each edge with active_i, in any mode but OFF, each of the two schedulers either issues
//   (a ready warp, and its pipeline register is not full) or stalls. ISSUED and STALL stop at 2047.
//   What happens at the edge of tick_i or set_i is the first of the next interval.
// - tick_i ends an interval. It is whole if the core was active at each of its edges, no kernel began or
//   ended in it (the edge of the tick counts for the interval that it ends) and LIMIT was not written.
// - A search: each level's turn lasts Turn intervals, of which only the last one counts, because a limit
//   takes time to act on caches and queues.
//
//     turn            interval  1 .. Turn-1     Turn, at its end
//     lower level               nothing         what was issued goes to FIRST; the upper level's turn
//     upper level               nothing         evidence, perhaps a move; else the lower level's turn
//
// - Each edge does one step, which reads registers as they are before that edge:
//
//     edge after tick_i's   what happens                                          reads
//     0                     issued, and whether it was whole, goes to ENDED
//     1, 2                  3 * average + issued
//     3                     whole: average = that / 4; issued if there was none
//     4                     upper level's: issued - FIRST; bias                   AVERAGE, FIRST, k_i
//     5                     less bias
//     6                     + evidence                                            EVIDENCE
//     7                     bound = average * 2**caution / 8                      AVERAGE, caution
//     8                     above bound? below -bound?
//     9                     evidence, pair, turn, caution, limit_o change
//
//   Bias is b at decision DOWN, b / 2 at HOLD, 0 else, b the smaller of k and average / 2**CapShift
//   (fractions dropped). Evidence and bound count only if both intervals were whole.
// - Evidence above bound: the pair moves one level up and goes on with its upper level; below -bound: one
//   down and goes on with its lower one, the level without a measurement. The evidence then becomes 0, also
//   where the pair is at an end and does not move.
// - Caution rises by one, up to CautionMax, when a pair moves back, and falls by one, down to
//   CautionMin, when it moves on in its direction.
// - Registers: cm_next_registers, with the table of errors. LIMIT, as in cm_bal_core: a search takes any
//   of its levels, with the pair as at its begin. PAIR: number of the pair's lower level, 0..11 - Span,
//   bit 4: the upper one's turn, 6..5: intervals of it that have ended. SEARCH: caution in bits 2..0, in
//   4..3 the last move: 0 none, 1 down, 2 up. ENDED: issued in the last interval, bit 11: it was whole.
//
//     at one edge                               what counts
//     a write, and the unit's own change        the write
//     a write of LIMIT, or set_i, and a step    the decision ends; with a write, its interval is not whole
//     tick_i with set_i, or before step 9 of the last one is over (illegal)   tick_i is ignored: the
//                                               interval goes on
//
// - patience_i and pivot_i have no effect. In FIXED the average goes on. After reset: OFF.
// - Quiescence: as in cm_bal_core. While idle_o is high, an edge with tick_i, set_i, kernel_begin_i,
//   kernel_end_i and reg_valid_i 0, and with active_i as at the edge before, changes no register.
`default_nettype none
`include "evgpu_defs.vh"

module cm_next_core #(
    parameter CapShift   = 3, // most of the average that a level may cost: 1 / 2**CapShift
    parameter Span       = 1, // levels from the lower to the upper of a pair, up to 4
    parameter Turn       = 2, // intervals of a level's turn, up to 4
    parameter CautionMin = 1, // bound: 2**Caution / 8 intervals of issuing
    parameter CautionMax = 4
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
        if (CapShift < 0 || CapShift > 10 || Turn < 1 || Turn > 4 || Span < 1 || Span > 4 || CautionMin < 0 || CautionMax > 4 ||
            CautionMin >= CautionMax) begin : g_check
            cm_next_core_shift_is_0_to_10_turn_span_1_to_4_caution_0_to_4 check_parameters ();
        end
        if (`EVG_CM_NEXT_LEVELS != 12 || `EVG_CM_LEVEL_8 != 48) begin : g_check_levels
            cm_next_core_has_twelve_levels_up_to_48 check_parameters ();
        end
    endgenerate

    localparam [1:0] Off   = `EVG_CM_MODE_OFF;
    localparam [1:0] Fixed = `EVG_CM_MODE_FIXED;

    localparam [1:0] Hold = `EVG_CM_DECISION_HOLD;
    localparam [1:0] Down = `EVG_CM_DECISION_DOWN;

    localparam [3:0] Idle    = `EVG_CM_NEXT_STATE_IDLE;
    localparam [3:0] Triple  = `EVG_CM_NEXT_STATE_TRIPLE;
    localparam [3:0] Average = `EVG_CM_NEXT_STATE_AVERAGE;
    localparam [3:0] Store   = `EVG_CM_NEXT_STATE_STORE;
    localparam [3:0] Differ  = `EVG_CM_NEXT_STATE_DIFFER;
    localparam [3:0] Weigh   = `EVG_CM_NEXT_STATE_WEIGH;
    localparam [3:0] Add     = `EVG_CM_NEXT_STATE_ADD;
    localparam [3:0] Bound   = `EVG_CM_NEXT_STATE_BOUND;
    localparam [3:0] Test    = `EVG_CM_NEXT_STATE_TEST;
    localparam [3:0] Move    = `EVG_CM_NEXT_STATE_MOVE;

    localparam [5:0]  Top      = `EVG_CM_LEVEL_8;
    localparam [3:0]  Apart    = Span[3:0];
    localparam [3:0]  LastPair = 4'd11 - Apart;
    localparam integer TurnLast = Turn - 1;
    localparam [1:0]  LastTurn = TurnLast[1:0];
    localparam [2:0]  Boldest  = CautionMin[2:0];
    localparam [2:0]  Shyest   = CautionMax[2:0];

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

    function is_level;
        input [5:0] warps;
        is_level = warps_of(level_below(warps)) == warps;
    endfunction

    reg [1:0]         mode_q;
    reg [5:0]         limit_q;
    reg               torn_q;     // the present interval is not whole
    reg [3:0]         pair_q;     // number of its lower level
    reg               upper_q;    // the upper level's turn
    reg [1:0]         turn_q;     // intervals of it that have ended
    reg               due_q;      // ... and with the one that ended, all
    reg [10:0]        average_q, first_q;
    reg               average_known_q, first_known_q;
    reg signed [12:0] evidence_q;
    reg [2:0]         caution_q;
    reg               has_moved_q, moved_up_q; // ... last, if at all
    reg [3:0]         state_q;
    reg [1:0]         decision_q; // the controller's
    reg [10:0]        ended_q;    // issued in the interval that ended
    reg               whole_q;    // ... which was whole
    reg               counts_q;   // ... as the one before it: a comparison
    reg signed [13:0] sum_q;     // sums
    reg [10:0]        bias_q;
    reg [11:0]        bound_q;    // -1 would not fit with the highest one: 2**caution * average / 8
    reg               above_q, below_q;

    wire search = mode_q != Off && mode_q != Fixed;

    // --- Software ---------------------------------------------------------------------------------
    wire [10:0] issue_count, stall_count;
    wire [5:0]  data = reg_data_i[`EVG_CM_WARPS_VALUE];
    wire        write_limit, write_stall, write_issued, write_average, write_first, write_evidence,
                write_search;

    cm_next_registers #(.CautionMin(CautionMin), .CautionMax(CautionMax)) u_registers (
        .clk_i(clk_i), .rst_i(rst_i), .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i),
        .reg_addr_i(reg_addr_i), .reg_data_i(reg_data_i), .reg_done_o(reg_done_o),
        .reg_error_o(reg_error_o), .reg_rdata_o(reg_rdata_o), .set_i(set_i), .mode_i(mode_q),
        .is_level_i(is_level(data)), .limit_i(limit_q), .stall_i(stall_count),
        .pair_i({turn_q, upper_q, pair_q}), .issued_i(issue_count),
        .average_i({average_known_q, average_q}), .first_i({first_known_q, first_q}),
        .evidence_i(evidence_q), .ended_i({whole_q, ended_q}),
        .search_i({has_moved_q && moved_up_q, has_moved_q && !moved_up_q, caution_q}),
        .write_limit_o(write_limit), .write_stall_o(write_stall), .write_issued_o(write_issued),
        .write_average_o(write_average), .write_first_o(write_first),
        .write_evidence_o(write_evidence), .write_search_o(write_search)
    );

    // --- Counts -----------------------------------------------------------------------------------
    wire        kernel   = kernel_begin_i || kernel_end_i;
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
        torn_q <= !rst_i && measured != Off &&
                  ((torn_q && !begins) || !active_i || (kernel && !begins) || write_limit);

    // --- Average, evidence ------------------------------------------------------------------------
    // One adder: three times the old average and the new value; the difference, less the bias; the
    // evidence with it.
    reg signed [13:0] left, right;
    wire signed [13:0] sum = left + right;

    always @* begin
        left  = sum_q;
        right = {3'd0, ended_q};
        case (state_q)
            Triple: begin
                left  = {2'd0, average_q, 1'b0};
                right = {3'd0, average_q};
            end
            Differ: begin
                left  = {3'd0, ended_q};
                right = -{3'd0, first_q};
            end
            Weigh:   right = -{3'd0, bias_q};
            Add:     right = {evidence_q[12], evidence_q};
            default: ;
        endcase
    end

    wire [10:0] capped  = average_q >> CapShift;
    wire [10:0] most    = (k_i < capped) ? k_i : capped;
    wire [14:0] scaled  = {4'd0, average_q} << caution_q; // 2**4 * 2047 at most
    wire        unused_scaled = ^scaled[2:0];
    wire signed [13:0] bound_above = {2'd0, bound_q};

    always @(posedge clk_i) begin
        case (state_q)
            Triple, Average, Differ, Weigh, Add: sum_q <= sum;
            Store: begin
                due_q    <= search && turn_q == LastTurn;
                counts_q <= search && turn_q == LastTurn && upper_q && whole_q && first_known_q;
            end
            Bound: bound_q <= scaled[14:3];
            Test: begin
                above_q <= counts_q && sum_q > bound_above;
                below_q <= counts_q && sum_q < -bound_above;
            end
            default: ;
        endcase
        if (state_q == Differ)
            bias_q <= (decision_q == Down) ? most : (decision_q == Hold) ? most >> 1 : 11'd0;
    end

    // --- Search -----------------------------------------------------------------------------------
    wire at_bottom = pair_q == 4'd0;
    wire at_top    = pair_q == LastPair;
    wire rises     = above_q && !at_top;
    wire falls     = below_q && !at_bottom;
    wire back      = has_moved_q && moved_up_q != above_q; // ... a move that goes back
    wire onward    = has_moved_q && moved_up_q == above_q;

    // The pair and whose turn it is after this one's.
    reg [3:0] pair_d;
    reg       upper_d;

    always @* begin
        pair_d  = pair_q;
        upper_d = !upper_q;
        if (rises) begin
            pair_d  = pair_q + 4'd1;
            upper_d = 1'b1;
        end
        if (falls)
            pair_d = pair_q - 4'd1;
    end

    // A search that begins at a limit.
    wire [5:0] from       = write_limit ? data : limit_q;
    wire [3:0] from_level = level_below(from);
    wire       from_first = from_level < Apart;
    wire [3:0] from_pair  = from_first ? 4'd0 : from_level - Apart;
    wire       sets_search = set_i && mode_i != Off && mode_i != Fixed;

    always @(posedge clk_i)
        if (rst_i) begin
            mode_q          <= Off;
            limit_q         <= Top;
            pair_q          <= LastPair;
            upper_q         <= 1'b1;
            turn_q          <= 2'd0;
            average_q       <= 11'd0;
            average_known_q <= 1'b0;
            first_q         <= 11'd0;
            first_known_q   <= 1'b0;
            evidence_q      <= 13'sd0;
            caution_q       <= Boldest;
            has_moved_q     <= 1'b0;
            moved_up_q      <= 1'b0;
            state_q         <= Idle;
            decision_q      <= Hold;
            ended_q         <= 11'd0;
            whole_q         <= 1'b0;
        end else begin
            if (tick_i && state_q == Idle) begin
                ended_q <= issue_count;
                whole_q <= !torn_q && !kernel && !write_limit;
            end
            case (state_q)
                Idle:
                    if (tick) begin
                        decision_q <= decision_i;
                        state_q    <= Triple;
                    end
                Store: begin
                    if (whole_q) begin
                        average_q       <= average_known_q ? sum_q[12:2] : ended_q;
                        average_known_q <= 1'b1;
                    end
                    state_q <= Differ;
                end
                Move: begin
                    if (search) begin
                        turn_q <= due_q ? 2'd0 : turn_q + 2'd1;
                        if (due_q) begin
                            pair_q  <= pair_d;
                            upper_q <= upper_d;
                            limit_q <= warps_of(pair_d + (upper_d ? Apart : 4'd0));
                            if (upper_q)
                                first_known_q <= 1'b0;
                            else begin
                                first_q       <= ended_q;
                                first_known_q <= whole_q;
                            end
                        end
                        if (counts_q)
                            evidence_q <= (above_q || below_q) ? 13'sd0 : sum_q[12:0];
                        if (rises || falls) begin
                            has_moved_q <= 1'b1;
                            moved_up_q  <= rises;
                            if (back && caution_q != Shyest)
                                caution_q <= caution_q + 3'd1;
                            if (onward && caution_q != Boldest)
                                caution_q <= caution_q - 3'd1;
                        end
                    end
                    state_q <= Idle;
                end
                default: state_q <= state_q + 4'd1;
            endcase
            if (write_limit || set_i) begin
                first_known_q <= 1'b0;
                turn_q        <= 2'd0;
                state_q       <= Idle;
            end
            if (write_limit)
                limit_q <= data;
            if (set_i) begin
                mode_q          <= mode_i;
                average_known_q <= 1'b0;
                evidence_q      <= 13'sd0;
                caution_q       <= Boldest;
                has_moved_q     <= 1'b0;
                limit_q         <= (mode_i == Off) ? Top : limit_q;
            end
            if (sets_search || (write_limit && search)) begin
                pair_q  <= from_pair;
                upper_q <= !from_first;
                limit_q <= from_first ? warps_of(4'd0) : warps_of(from_level);
            end
            if (write_average) begin
                average_q       <= reg_data_i[`EVG_CM_KNOWN_VALUE];
                average_known_q <= reg_data_i[`EVG_CM_KNOWN_KNOWN];
            end
            if (write_first) begin
                first_q       <= reg_data_i[`EVG_CM_KNOWN_VALUE];
                first_known_q <= reg_data_i[`EVG_CM_KNOWN_KNOWN];
            end
            if (write_evidence)
                evidence_q <= reg_data_i[12:0];
            if (write_search) begin
                caution_q   <= reg_data_i[`EVG_CM_SEARCH_CAUTION];
                has_moved_q <= reg_data_i[`EVG_CM_SEARCH_MOVED_UP] || reg_data_i[`EVG_CM_SEARCH_MOVED_DOWN];
                moved_up_q  <= reg_data_i[`EVG_CM_SEARCH_MOVED_UP];
            end
        end

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= rst_i ||
                  (state_q == Idle && !reg_done_o && !tick_i && !set_i && !kernel && !reg_valid_i &&
                   (mode_q == Off || !active_i));

    wire unused_settings = ^{patience_i, pivot_i};

    assign limit_o = limit_q;
    assign state_o = state_q;
    assign idle_o  = idle_q;

`ifdef FORMAL
`include "properties/cm_next_core.fv.vh"
`endif

endmodule

`default_nettype wire
