// SPDX-License-Identifier: Apache-2.0
// event_room: how many contexts and registers a SIMT core keeps free for events: as many as events need,
// which is their rate times their service time (EDGE VI-E asks for reserved resources that follow the
// event rate). By Little's law this product is the mean number of events in the core, so one sum over the
// core's table takes the place of a counter of arrivals, a timer per event and a divider. That background
// blocks leave the room is kernel management's.
//
// Contract
// - events_i is the number of events in the core's table in the cycle before the edge. Time is cut into
//   intervals of 2**cfg_shift_i cycles, Fraction to MostShift; at_i is the cycles of the interval that have passed
//   at the edge, and tick_i comes with at_i = 2**cfg_shift_i. So the edge after tick_i has at_i = 1.
// - mean_o, in 2**-Fraction events: at tick_i the larger of the interval's mean and the last mean_o less
//   1/2**Decay of it, rounded up. It follows a rate that rises at once, and one that falls slowly.
// - warps_o = min(Most, mean_o rounded up to events + cfg_margin_i), 0 without a mean.
// - regs_o = warps_o * the registers of an event: the most of take_i in the last interval with one, and
//   at once of a larger one in this interval; forgotten with the mean. In REG_UNITs, as regs_i.
// - Latency: mean_o changes at the third edge after that of tick_i, warps_o and regs_o at the fourth, as they
//   do after take_i. cfg_margin_i is read there.
//
//     edge          t        t+1         t+2     t+3      t+4
//     tick_i        1        0           0       0        0
//     after it      span     sum, ended  sample  mean_o   warps_o, regs_o
//
// - At an edge with events_i as at the last edge, without take_i and tick_i, only what is under way goes
//   on; while idle_o is high such an edge changes no register. So the block need not be clocked between
//   changes, whatever at_i does there.
// - An interval without events and takes, at whose tick_i mean_o is 0, changes no output: that tick_i may be
//   left out.
// - Illegal, not checked: an at_i that does not count the cycles of the interval; cfg_shift_i outside its
//   range, or changed in an interval.
// - Reset: no events, no mean, no room.
`default_nettype none
`include "evgpu_defs.vh"

module event_room #(
    parameter MostShift = 16, // log2 of the longest interval, to 16
    parameter Fraction  = 8,  // 3 to MostShift - 1
    parameter Decay     = 2,  // 1 to Fraction
    parameter Most      = `EVG_PEWT_ENTRIES
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [4:0]  cfg_shift_i,
    input  wire [1:0]  cfg_margin_i,
    // The core's event unit
    input  wire [2:0]  events_i,
    input  wire        take_i, // an event enters the table ...
    input  wire [6:0]  regs_i, // ... that needs so many registers
    // Time
    input  wire [16:0] at_i,
    input  wire        tick_i,
    // Kernel management
    output wire [2:0]  warps_o,
    output wire [9:0]  regs_o,
    // Observation
    output wire [Fraction+2:0] mean_o,
    output wire        idle_o
);

    generate
        if (Decay < 1 || Fraction < Decay || Fraction < 3 || MostShift <= Fraction || MostShift > 16 || Most < 1 ||
            Most > 7) begin : g_check
            event_room_decay_fraction_and_interval_rise_to_16_bits_most_is_1_to_7 check_parameters ();
        end
    endgenerate

    localparam SpanWidth = MostShift + 1;
    localparam SumWidth  = MostShift + 3;
    localparam [4:0]  LeastShift = Fraction;
    localparam [2:0]  MostWarps  = Most;
    localparam MeanWidth = Fraction + 3;
    localparam [MeanWidth-1:0] RoundDecay = (1 << Decay) - 1;

    // --- the table over time: what changes closes a span of equal numbers ----------------------------
    reg  [2:0]           events_q, weight_q;
    reg  [SpanWidth-1:0] last_q, span_q; // at_i of the last change
    reg  [3:0]           moves_q, ticks_q; // a change, a tick, on its way: the newest in bit 0
    wire                 change = events_i != events_q || take_i || tick_i;

    always @(posedge clk_i)
        if (rst_i) begin
            events_q <= 3'd0;
            moves_q  <= 4'd0;
            ticks_q  <= 4'd0;
        end else begin
            events_q <= events_i;
            moves_q  <= {moves_q[2:0], change};
            ticks_q  <= {ticks_q[2:0], tick_i};
        end

    always @(posedge clk_i)
        if (change) begin
            weight_q <= events_q;
            span_q   <= at_i[SpanWidth-1:0] - last_q;
            last_q   <= tick_i ? {SpanWidth{1'b0}} : at_i[SpanWidth-1:0];
        end

    wire unused_at = ^at_i;

    // --- its sum over an interval, and the interval's mean -------------------------------------------
    reg  [SumWidth-1:0] sum_q, ended_q;
    reg  [MeanWidth-1:0] sample_q, mean_q;
    wire [SumWidth-1:0] span  = {2'd0, span_q};
    wire [SumWidth-1:0] total = sum_q + (weight_q[0] ? span : {SumWidth{1'b0}}) +
                                (weight_q[1] ? span << 1 : {SumWidth{1'b0}}) +
                                (weight_q[2] ? span << 2 : {SumWidth{1'b0}});
    wire [SumWidth-1:0] sample  = ended_q >> (cfg_shift_i - LeastShift);
    wire                unused_sample = ^sample;
    wire [MeanWidth-1:0] less    = (mean_q + RoundDecay) >> Decay; // mean_q is 7 events at most
    wire [MeanWidth-1:0] decayed = mean_q - less;

    always @(posedge clk_i)
        if (rst_i)
            sum_q <= {SumWidth{1'b0}};
        else if (moves_q[0])
            sum_q <= ticks_q[0] ? {SumWidth{1'b0}} : total;

    always @(posedge clk_i) begin
        if (ticks_q[0])
            ended_q <= total;
        if (ticks_q[1])
            sample_q <= sample[MeanWidth-1:0];
    end

    always @(posedge clk_i)
        if (rst_i)
            mean_q <= {MeanWidth{1'b0}};
        else if (ticks_q[2])
            mean_q <= sample_q > decayed ? sample_q : decayed;

    // --- an event's registers --------------------------------------------------------------------------
    reg  [6:0] recent_q, event_q; // of this interval, of an event
    wire [6:0] taken  = take_i ? regs_i : 7'd0;
    wire [6:0] recent = taken > recent_q ? taken : recent_q;

    always @(posedge clk_i)
        if (rst_i) begin
            recent_q <= 7'd0;
            event_q  <= 7'd0;
        end else begin
            recent_q <= tick_i ? 7'd0 : recent;
            if (tick_i && recent != 7'd0)
                event_q <= recent;
            else if (recent > event_q)
                event_q <= recent;
            else if (ticks_q[3] && mean_q == {MeanWidth{1'b0}} && recent == 7'd0)
                event_q <= 7'd0;
        end

    // --- room --------------------------------------------------------------------------------------------
    reg  [2:0] warps_q;
    reg  [9:0] regs_q;
    wire       part  = mean_q[Fraction-1:0] != {Fraction{1'b0}};
    wire [3:0] need  = {1'b0, mean_q[MeanWidth-1:Fraction]} + {3'd0, part} + {2'd0, cfg_margin_i};
    wire [2:0] warps = mean_q == {MeanWidth{1'b0}} ? 3'd0 : need > {1'b0, MostWarps} ? MostWarps : need[2:0];
    wire [9:0] event_regs = {3'd0, event_q};

    always @(posedge clk_i)
        if (rst_i) begin
            warps_q <= 3'd0;
            regs_q  <= 10'd0;
        end else if (moves_q[3]) begin
            warps_q <= warps;
            regs_q  <= (warps[0] ? event_regs : 10'd0) + (warps[1] ? event_regs << 1 : 10'd0) +
                       (warps[2] ? event_regs << 2 : 10'd0);
        end

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= rst_i || (!change && moves_q[2:0] == 3'd0);

    assign warps_o = warps_q;
    assign regs_o  = regs_q;
    assign mean_o  = mean_q;
    assign idle_o  = idle_q;

`ifdef FORMAL
`include "properties/event_room.fv.vh"
`endif

endmodule

`default_nettype wire
