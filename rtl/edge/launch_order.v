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

    reg [FairBits-1:0]       turn_q;  // launches since the last turn of all
    reg [RowBits-1:0]        fair_q;  // the row that had it
    reg [RowBits*Levels-1:0] last_q;  // of each priority: the row that launched last
    wire                     fair = &turn_q;

    // The highest priority that waits, the rows of it, and where to go on from
    reg [Levels-1:0]  waits_at;
    reg [Bits-1:0]    highest;
    reg [Rows-1:0]    candidates;
    integer           i, level;

    always @* begin
        waits_at = {Levels{1'b0}};
        for (i = 0; i < Rows; i = i + 1)
            if (waits_i[i])
                waits_at[priority_i[Bits*i+:Bits]] = 1'b1;
        highest = {Bits{1'b0}};
        for (level = 0; level < Levels; level = level + 1)
            if (waits_at[level])
                highest = level[Bits-1:0];
        for (i = 0; i < Rows; i = i + 1)
            candidates[i] = waits_i[i] && (fair || priority_i[Bits*i+:Bits] == highest);
    end

    wire [RowBits-1:0] from = fair ? fair_q : last_q[RowBits*highest+:RowBits];

    // The lowest candidate above `from`, or else the lowest of all
    reg [RowBits-1:0] above, lowest;
    reg               any_above;
    integer           r;

    always @* begin
        above     = {RowBits{1'b0}};
        lowest    = {RowBits{1'b0}};
        any_above = 1'b0;
        for (r = Rows - 1; r >= 0; r = r - 1)
            if (candidates[r]) begin
                lowest = r[RowBits-1:0];
                if (r[RowBits-1:0] > from) begin
                    above     = r[RowBits-1:0];
                    any_above = 1'b1;
                end
            end
    end

    assign any_o = |waits_i;
    assign row_o = any_above ? above : lowest;

    wire [Bits-1:0] launched_priority = priority_i[Bits*launched_row_i+:Bits];

    always @(posedge clk_i)
        if (rst_i) begin
            turn_q <= {FairBits{1'b0}};
            fair_q <= {RowBits{1'b1}};
            last_q <= {RowBits * Levels{1'b1}};
        end else if (launched_i) begin
            turn_q <= turn_q + 1'b1;
            if (fair)
                fair_q <= launched_row_i;
            else
                last_q[RowBits*launched_priority+:RowBits] <= launched_row_i;
        end

`ifdef FORMAL
`include "properties/launch_order.fv.vh"
`endif

endmodule

`default_nettype wire
