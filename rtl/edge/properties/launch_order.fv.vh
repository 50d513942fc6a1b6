// SPDX-License-Identifier: Apache-2.0
// Properties of launch_order, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One row, which is free, waits; the launches that pass it are counted.
    `EVG_FOLLOW_ONE(f_row, RowBits)
    reg               f_live = 1'b0;  // there has been a reset
    reg               f_was  = 1'b0;  // it waited a cycle ago and has not launched since
    wire              f_seen = f_was && waits_i[f_row]; // and still does
    reg [RowBits:0]   f_turns, f_equals; // turns of all that passed it; equals since the last one
    reg [Bits-1:0]    f_priority;     // when it was seen
    wire [Bits-1:0]   f_now  = priority_i[Bits*f_row+:Bits];
    wire              f_pass = launched_i && launched_row_i != f_row;
    // The row that launched last, from those above it
    function [RowBits-1:0] f_last;
        input [Rows-1:0] above;
        integer          n;
        begin
            f_last = {RowBits{1'b1}};
            for (n = 0; n < Rows; n = n + 1)
                f_last = f_last - {{RowBits - 1{1'b0}}, above[n]};
        end
    endfunction
    wire [RowBits-1:0] f_fair = f_last(above_q[Rows*Levels+:Rows]);
    wire [RowBits-1:0] f_same = f_last(above_q[Rows*f_now+:Rows]); // of its priority
    integer            f_l;
    always @*
        if (f_live)
            for (f_l = 0; f_l <= Levels; f_l = f_l + 1)
                assert (!above_q[Rows*f_l] &&
                        (above_q[Rows*f_l+:Rows-1] & ~above_q[Rows*f_l+1+:Rows-1]) == 0);
    // Rows that come before it, going round
    wire [RowBits-1:0] f_to_fair = f_row - f_fair - 1'b1;
    wire [RowBits-1:0] f_to_last = f_row - f_same - 1'b1;
    localparam [RowBits:0] Others = Rows[RowBits:0] - 1'b1;

    always @(posedge clk_i) begin
        f_priority <= f_now;
        f_was      <= !rst_i && waits_i[f_row] && !(launched_i && launched_row_i == f_row);
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
    // waiting then, and a row that waits keeps its priority.
    reg [RowBits-1:0] f_shown;
    reg               f_stale = 1'b1; // a launch changed the order since
    always @(posedge clk_i) begin
        f_shown <= row_o;
        f_stale <= rst_i || launched_i;
    end
    always @*
        if (f_live && !rst_i && f_seen) begin
            `EVG_REQUIRE (f_now == f_priority);
            if (launched_i)
                `EVG_REQUIRE (!f_stale && launched_row_i == f_shown);
        end
    // What was chosen is judged by the priorities of that cycle, which stay.
    reg [Bits-1:0]    f_chosen_priority;
    always @(posedge clk_i)
        f_chosen_priority <= priority_i[Bits*row_o+:Bits];
`ifndef FORMAL_COMPOSED // for which the neighbour keeps its word: the followed one
    always @*
        if (f_live && !rst_i && f_seen && launched_i)
            `EVG_REQUIRE (launched_priority == f_chosen_priority);
`endif
`undef EVG_REQUIRE

    // With the decoder's neighbours (gpu_frontend.fv.vh) only what they assume of each other is
    // proved, which the decoder's own proof takes these from.
`ifndef FORMAL_COMPOSED
    wire [RowBits-1:0] f_shown_to_fair = f_shown - f_fair - 1'b1; // the same for what was shown
    wire [RowBits-1:0] f_shown_to_last = f_shown - f_same - 1'b1;

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
`endif
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
