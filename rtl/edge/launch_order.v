// SPDX-License-Identifier: Apache-2.0
// launch_order: which of the rows that wait launches next (EDGE IV: event kernels have a configurable
// priority).
//
// Contract
// - row_o, with any_o, is the row to launch next, in the same cycle: of the waiting rows of the
//   highest priority the next one after the row of that priority that launched last, going round.
//   Every FairEvery-th launch is a turn of all rows, whatever their priority: the next one after the
//   row that had such a turn last.
// - launched_i tells of a launch, of the row that row_o showed in one of the cycles since the launch
//   before, or of the only row there was.
//
//     cycle               t      t+1    t+2    t+3    rows a and b of one priority
//     waits_i             a, b   a, b   a, b   a
//     row_o               a      a      b      a
//     launched_i          0      a      b      0
//
// - Bounds, in launches, for a row that waits, has been seen to wait and does so in every cycle: at most
//   Rows - 1 launches of its own priority between two of those turns pass it, and none of a lower one;
//   whatever comes, it is the next in Rows of the turns, so that at most Rows * FairEvery launches pass
//   it.
// - Without launched_i no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module launch_order #(
    parameter Rows      = `EVG_EKT_ROWS,
    parameter RowBits   = 5, // log2(Rows)
    parameter FairEvery = `EVG_FAIR_EVERY, // power of two
    parameter FairBits  = 4  // log2(FairEvery)
) (
    input  wire                               clk_i,
    input  wire                               rst_i,
    input  wire [Rows-1:0]                    waits_i,
    input  wire [`EVG_PRIORITY_BITS*Rows-1:0] priority_i, // of every row; the highest number first
    output wire                               any_o,
    output wire [RowBits-1:0]                 row_o,
    input  wire                               launched_i,
    input  wire [RowBits-1:0]                 launched_row_i
);

    localparam Bits   = `EVG_PRIORITY_BITS;
    localparam Levels = 1 << Bits;

    generate
        if ((1 << RowBits) != Rows || (1 << FairBits) != FairEvery || FairEvery < 2) begin : g_check
            launch_order_needs_rows_and_turns_powers_of_two check_parameters ();
        end
    endgenerate

    // Of each priority, and last of the turns of all: the rows above the one that launched last
    reg [Rows*(Levels+1)-1:0] above_q;
    reg [FairBits-1:0]        turn_q; // launches since the last turn of all
    wire                      fair = &turn_q;

    wire [Bits-1:0] launched_priority = priority_i[Bits*launched_row_i+:Bits];
    reg  [Rows-1:0] above_launched;
    integer         i;

    always @*
        for (i = 0; i < Rows; i = i + 1)
            above_launched[i] = i[RowBits-1:0] > launched_row_i;

    // The choice of each priority, and last that of all rows, at once: whose counts is known as late as
    // they are. It is the lowest of the candidates above the row that launched last, or else of all.
    wire [Levels:0]             any;
    wire [RowBits*(Levels+1)-1:0] choice;

    genvar l, r;
    generate
        for (l = 0; l <= Levels; l = l + 1) begin : g_choice
            localparam [Bits-1:0] Level = l[Bits-1:0];
            wire                 all  = l == Levels;
            wire                 last = all ? fair : !fair && launched_priority == Level;
            wire [Rows-1:0]      candidates;
            wire                 unused_above;

            for (r = 0; r < Rows; r = r + 1) begin : g_row
                assign candidates[r] = waits_i[r] && (all || priority_i[Bits*r+:Bits] == Level);
            end

            prefer_select #(.Lanes(Rows), .IndexWidth(RowBits)) u_choice (
                .bits_i(candidates), .prefer_i(candidates & above_q[Rows*l+:Rows]),
                .any_o(any[l]), .preferred_o(unused_above), .index_o(choice[RowBits*l+:RowBits])
            );

            always @(posedge clk_i)
                if (rst_i)
                    above_q[Rows*l+:Rows] <= {Rows{1'b0}};
                else if (launched_i && last)
                    above_q[Rows*l+:Rows] <= above_launched;
        end
    endgenerate

    // The highest priority that waits
    reg [RowBits-1:0] highest;

    always @* begin
        highest = {RowBits{1'b0}};
        for (i = 0; i < Levels; i = i + 1)
            if (any[i])
                highest = choice[RowBits*i+:RowBits];
    end

    assign any_o = any[Levels];
    assign row_o = fair ? choice[RowBits*Levels+:RowBits] : highest;

    always @(posedge clk_i)
        if (rst_i)
            turn_q <= {FairBits{1'b0}};
        else if (launched_i)
            turn_q <= turn_q + 1'b1;

`ifdef FORMAL
`include "properties/launch_order.fv.vh"
`endif

endmodule

`default_nettype wire
