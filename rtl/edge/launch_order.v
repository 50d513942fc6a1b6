// SPDX-License-Identifier: Apache-2.0
// launch_order: which of the rows that wait launches next (EDGE IV: event kernels have a configurable
// priority).
//
// Contract
// - row_o, with any_o, is the row to launch next of the candidates of the cycle before, since the choice
//   takes two cycles. Candidates are the rows of waits_i and, with comes_i, that of comes_row_i, but for
//   those whose class and priority are held: warp_held_i for the rows of warp_i, big_held_i for others.
//   It is of the candidates of the highest priority the next one after the row of that priority that
//   launched last, going round. Every FairEvery-th launch is a turn of all rows, whatever their priority:
//   the next one after the row that had such a turn last.
// - launched_i tells of a launch, of the row that row_o showed two cycles ago, or of the only row there
//   was, and of its priority. row_o follows in the third cycle after it; until then it has no value, and
//   no other launch is told. It follows a row's priority_i, for a row that is no candidate, in the third
//   cycle, too.
//
//     cycle               t      t+1    t+2    t+3    t+4    t+5    t+6    rows a and b of one priority
//     waits_i             a, b   a, b   a, b   a, b   a, b   a, b   a, b
//     row_o               -      a      a      a      -      -      b
//     launched_i          0      0      0      a      0      0      0
//
// - Bounds, in launches, for a row that has been a candidate for three cycles and is one in every cycle:
//   at most Rows - 1 launches of its own priority between two of those turns pass it, and none of a lower
//   one; whatever comes, it is the next in Rows of the turns, so that at most Rows * FairEvery launches
//   pass it.
// - Without launched_i, a candidate or a change of priority_i no register changes after two cycles.
`default_nettype none
`include "evgpu_defs.vh"

module launch_order #(
    parameter Rows      = `EVG_EKT_ROWS,
    parameter RowBits   = 5, // log2(Rows)
    parameter FairEvery = `EVG_FAIR_EVERY, // power of two
    parameter FairBits  = 4  // log2(FairEvery)
) (
    input  wire                                 clk_i,
    input  wire                                 rst_i,
    input  wire [Rows-1:0]                      waits_i,
    input  wire                                 comes_i,
    input  wire [Rows-1:0]                      comes_row_i, // its bit
    input  wire [`EVG_PRIORITY_BITS*Rows-1:0]   priority_i,  // of every row; the highest number first
    input  wire [Rows-1:0]                      warp_i,      // its class
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] warp_held_i, // priorities, of each class
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] big_held_i,
    output wire                                 any_o,
    output wire [RowBits-1:0]                   row_o,
    input  wire                                 launched_i,
    input  wire [RowBits-1:0]                   launched_row_i,
    input  wire [`EVG_PRIORITY_BITS-1:0]        launched_level_i
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

    // Of these, the ones that count next: rows above the last one of their priority, or of the turns of all
    reg [Rows-1:0] prefer_q, prefer_d;
    reg [Rows-1:0] above_launched;
    integer        i;

    always @*
        for (i = 0; i < Rows; i = i + 1) begin
            above_launched[i] = i[RowBits-1:0] > launched_row_i;
            prefer_d[i]       = above_q[Rows*(fair ? Levels : {30'd0, priority_i[Bits*i+:Bits]})+i];
        end

    always @(posedge clk_i)
        prefer_q <= prefer_d;

    // Candidates of each priority, and last all. The choice of each of these, at once: whose counts is known
    // as late as they are. It is the lowest of the candidates that are preferred, or else of all.
    wire [Rows*(Levels+1)-1:0]    candidates;
    wire [Levels:0]               any;
    wire [RowBits*(Levels+1)-1:0] choice;

    genvar l, r, g;
    generate
        for (r = 0; r < Rows; r = r + 1) begin : g_row
            wire [Levels-1:0] at;
            for (l = 0; l < Levels; l = l + 1) begin : g_level
                wire here  = priority_i[Bits*r+:Bits] == l[Bits-1:0];
                wire waits = waits_i[r] && here;
                wire comes = comes_row_i[r] && here;
                wire held  = warp_i[r] ? warp_held_i[l] : big_held_i[l];
                assign at[l]                = (waits || (comes_i && comes)) && !held;
                assign candidates[Rows*l+r] = at[l];
            end
            assign candidates[Rows*Levels+r] = |at;
        end

        for (l = 0; l <= Levels; l = l + 1) begin : g_choice
            // In the first cycle of groups of rows, of pairs where the candidates come later; in the second
            // of all, in the steps that prefer_select has
            localparam [Bits-1:0] Level = l[Bits-1:0];
            localparam LowBits  = l == Levels || RowBits < 4 ? 1 : 2;
            localparam HighBits = RowBits - LowBits;
            localparam Lanes    = 1 << LowBits;
            localparam Groups   = 1 << HighBits;
            wire                      last = l == Levels ? fair : !fair && launched_level_i == Level;
            wire [Groups-1:0]         any_d, preferred_d;
            wire [LowBits*Groups-1:0] low_d;
            reg  [Groups-1:0]         any_q, preferred_q;
            reg  [LowBits*Groups-1:0] low_q;

            for (g = 0; g < Groups; g = g + 1) begin : g_group
                wire [Lanes-1:0] bits = candidates[Rows*l+Lanes*g+:Lanes];
                prefer_select #(.Lanes(Lanes), .IndexWidth(LowBits)) u_low (
                    .bits_i(bits), .prefer_i(bits & prefer_q[Lanes*g+:Lanes]),
                    .any_o(any_d[g]), .preferred_o(preferred_d[g]), .index_o(low_d[LowBits*g+:LowBits])
                );
            end

            always @(posedge clk_i) begin
                if (rst_i)
                    above_q[Rows*l+:Rows] <= {Rows{1'b0}};
                else if (launched_i && last)
                    above_q[Rows*l+:Rows] <= above_launched;
                any_q       <= rst_i ? {Groups{1'b0}} : any_d;
                preferred_q <= rst_i ? {Groups{1'b0}} : preferred_d;
                low_q       <= low_d;
            end

            reg [Groups-1:0]         some, preferred;
            reg                      higher;
            reg [RowBits*Groups-1:0] number;
            integer                  s, n;

            always @* begin
                some      = any_q;
                preferred = preferred_q;
                higher    = 1'b0;
                number    = {RowBits * Groups{1'b0}};
                for (n = 0; n < Groups; n = n + 1)
                    number[RowBits*n+:LowBits] = low_q[LowBits*n+:LowBits];
                for (s = 0; s < HighBits; s = s + 1)
                    for (n = 0; n < Groups >> (s + 1); n = n + 1) begin
                        higher = !preferred[2*n] && (preferred[2*n+1] || !some[2*n]);
                        number[RowBits*n+:RowBits] = higher ? number[RowBits*(2*n+1)+:RowBits]
                                                            : number[RowBits*2*n+:RowBits];
                        number[RowBits*n+LowBits+s] = higher;
                        some[n]                     = some[2*n] || some[2*n+1];
                        preferred[n]                = preferred[2*n] || preferred[2*n+1];
                    end
            end

            assign any[l]                     = some[0];
            assign choice[RowBits*l+:RowBits] = number[RowBits-1:0];
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
