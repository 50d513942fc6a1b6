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
// - Bounds, in launches, for a row that waits and has been seen to wait: at most Rows - 1 launches of
//   its own priority between two of those turns pass it, and none of a lower one; whatever comes, it
//   is the next in Rows of the turns, so that at most Rows * FairEvery launches pass it.
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
    // One row, which is free, waits; the launches that pass it are counted.
`ifdef YOSYS
    (* anyconst *) wire [RowBits-1:0] f_row;
`else
    wire [RowBits-1:0] f_row = {RowBits{1'b0}};
`endif
    reg               f_live = 1'b0;  // there has been a reset
    reg               f_seen = 1'b0;  // it waited a cycle ago and has not launched since
    reg [RowBits:0]   f_turns, f_equals; // turns of all that passed it; equals since the last one
    reg [Bits-1:0]    f_priority;     // when it was seen
    wire [Bits-1:0]   f_now  = priority_i[Bits*f_row+:Bits];
    wire              f_pass = launched_i && launched_row_i != f_row;
    // Rows that come before it, going round
    wire [RowBits-1:0] f_to_fair = f_row - fair_q - 1'b1;
    wire [RowBits-1:0] f_to_last = f_row - last_q[RowBits*f_now+:RowBits] - 1'b1;
    localparam [RowBits:0] Others = Rows - 1;

    always @(posedge clk_i) begin
        f_priority <= f_now;
        f_seen     <= !rst_i && waits_i[f_row] && !(launched_i && launched_row_i == f_row);
        if (rst_i)
            f_live <= 1'b1;
        if (rst_i || !f_seen) begin
            f_turns  <= 0;
            f_equals <= 0;
        end else if (f_pass) begin
            f_turns  <= f_turns + {{RowBits{1'b0}}, fair};
            f_equals <= f_equals + {{RowBits{1'b0}}, !fair && launched_priority == f_now};
        end
    end

`ifdef FORMAL_TOP_launch_order
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    // The neighbour launches what row_o showed a cycle ago, with the row that is followed already
    // waiting then, and a row that waits keeps its priority and waits until it has launched.
    reg [RowBits-1:0] f_shown;
    reg               f_stale = 1'b1; // a launch changed the order since
    always @(posedge clk_i) begin
        f_shown <= row_o;
        f_stale <= rst_i || launched_i;
    end
    always @*
        if (f_live && !rst_i && f_seen) begin
            `EVG_REQUIRE (waits_i[f_row] && f_now == f_priority);
            if (launched_i)
                `EVG_REQUIRE (!f_stale && launched_row_i == f_shown);
        end
`undef EVG_REQUIRE
    // What was chosen is judged by the priorities of that cycle, which stay.
    reg [Bits-1:0]    f_chosen_priority;
    always @(posedge clk_i)
        f_chosen_priority <= priority_i[Bits*row_o+:Bits];
`ifdef FORMAL_TOP_launch_order
    always @*
        if (f_live && !rst_i && f_seen && launched_i)
            assume (launched_priority == f_chosen_priority);
`endif

    wire [RowBits-1:0] f_shown_to_fair = f_shown - fair_q - 1'b1; // the same for what was shown
    wire [RowBits-1:0] f_shown_to_last = f_shown - last_q[RowBits*f_now+:RowBits] - 1'b1;

    always @*
        if (f_live && f_seen) begin
            // What is shown comes before it, or is it; and is of no lower priority
            if (!f_stale && fair)
                assert (f_shown_to_fair <= f_to_fair);
            if (!f_stale && !fair)
                assert (f_chosen_priority >= f_priority);
            if (!f_stale && !fair && f_chosen_priority == f_now && f_priority == f_now)
                assert (f_shown_to_last <= f_to_last);
            // Bounds: each that passes brings the turn nearer
            assert (f_turns <= Others && f_turns + {1'b0, f_to_fair} <= Others);
            if (f_now == f_priority)
                assert (f_equals <= Others && f_equals + {1'b0, f_to_last} <= Others);
            if (launched_i && !rst_i && !fair)
                assert (launched_priority >= f_now);
        end
    always @*
        if (f_live && any_o)
            assert (waits_i[row_o]);

`ifdef FORMAL_TOP_launch_order
    always @* begin
        cover (f_live && f_seen && f_turns == Others);
        cover (f_live && f_seen && f_equals == Others);
        cover (f_live && f_seen && fair && launched_i && launched_priority < f_now);
    end
`endif
`endif

endmodule

`default_nettype wire
