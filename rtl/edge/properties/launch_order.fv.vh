// SPDX-License-Identifier: Apache-2.0
// Properties of launch_order, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One row, which is free, is a candidate; the launches that pass it are counted.
    `EVG_FOLLOW_ONE(f_row, RowBits)
    reg               f_live = 1'b0;  // there has been a reset
    wire [Rows-1:0]   f_all = candidates[Rows*Levels+:Rows];
    wire              f_candidate = f_all[f_row];
    reg [1:0]         f_age = 2'd0;   // cycles, up to 3, that it has been one without a launch of it
    wire              f_seen = f_age == 2'd3 && f_candidate;
    reg [2:0]         f_since = 3'd0; // cycles, up to 4, without a launch
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
        if (rst_i || !f_candidate || (launched_i && !f_pass))
            f_age <= 2'd0;
        else if (f_age != 2'd3)
            f_age <= f_age + 2'd1;
        if (rst_i || launched_i)
            f_since <= 3'd0;
        else if (f_since != 3'd4)
            f_since <= f_since + 3'd1;
        if (rst_i)
            f_live <= 1'b1;
        if (rst_i || !f_seen) begin
            f_turns  <= 0;
            f_equals <= 0;
        end else if (f_pass) begin
            f_turns  <= f_turns + {{RowBits{1'b0}}, fair};
            f_equals <= f_equals + {{RowBits{1'b0}}, !fair && launched_level_i == f_now};
        end
    end

    // With the decoder's neighbours (gpu_frontend.fv.vh) only what they assume of each other is
    // proved, which the decoder's own proof takes these from.
`ifndef FORMAL_COMPOSED
`ifdef FORMAL_TOP_launch_order
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    // The neighbour launches what row_o showed two cycles ago, of the priority that it had as a candidate, no
    // sooner than row_o has followed the launch before; a candidate keeps its priority.
    reg [Bits*Rows-1:0] f_priorities;
    reg [RowBits-1:0]   f_shown, f_shown_before;
    reg [Bits-1:0]      f_level, f_level_before;
    always @(posedge clk_i) begin
        f_priorities   <= priority_i;
        f_shown        <= row_o;
        f_level        <= f_priorities[Bits*row_o+:Bits];
        f_shown_before <= f_shown;
        f_level_before <= f_level;
    end
    always @*
        if (f_live && !rst_i) begin
            for (f_l = 0; f_l < Rows; f_l = f_l + 1)
                if (candidates[Rows*Levels+f_l])
                    `EVG_REQUIRE (priority_i[Bits*f_l+:Bits] == f_priorities[Bits*f_l+:Bits]);
            if (f_seen && launched_i) begin
                `EVG_REQUIRE (f_since == 3'd4);
                `EVG_REQUIRE (launched_row_i == f_shown_before);
                `EVG_REQUIRE (launched_level_i == f_level_before);
            end
        end
`undef EVG_REQUIRE

    // After two cycles in which nothing happens its registers stand still.
    reg [1:0] f_still = 2'd0;
    wire      f_same_priorities = priority_i == f_priorities;
    always @(posedge clk_i)
        if (rst_i || launched_i || f_all != {Rows{1'b0}} || !f_same_priorities)
            f_still <= 2'd0;
        else if (f_still != 2'd2)
            f_still <= f_still + 2'd1;
    genvar f_c;
    generate
        for (f_c = 0; f_c <= Levels; f_c = f_c + 1) begin : g_f
            always @*
                if (f_live && f_still == 2'd2 && f_same_priorities && f_all == {Rows{1'b0}})
                    assert (g_choice[f_c].any_q == 0 && g_choice[f_c].preferred_q == 0 &&
                            g_choice[f_c].low_q == g_choice[f_c].low_d && prefer_q == prefer_d);
        end
    endgenerate

    wire [RowBits-1:0] f_shown_to_fair = f_shown_before - f_fair - 1'b1; // the same for what was shown
    wire [RowBits-1:0] f_shown_to_last = f_shown_before - f_same - 1'b1;

    always @*
        if (f_live && f_seen) begin
            // What is shown comes before it, or is it; and is of no lower priority
            if (f_since == 3'd4 && fair)
                assert (f_shown_to_fair <= f_to_fair);
            if (f_since == 3'd4 && !fair)
                assert (f_level_before >= f_priority);
            if (f_since == 3'd4 && !fair && f_level_before == f_now && f_priority == f_now)
                assert (f_shown_to_last <= f_to_last);
            // Bounds: each that passes brings the turn nearer
            assert (f_turns <= Others && f_turns + {1'b0, f_to_fair} <= Others);
            if (f_now == f_priority)
                assert (f_equals <= Others && f_equals + {1'b0, f_to_last} <= Others);
            if (launched_i && !rst_i && !fair)
                assert (launched_level_i >= f_now);
        end
    always @*
        assert (!f_live || (f_since <= 3'd4 && f_still <= 2'd2));
`endif
    // What is shown was a candidate.
    reg [Rows-1:0] f_candidates = {Rows{1'b0}};
    always @(posedge clk_i)
        f_candidates <= rst_i ? {Rows{1'b0}} : candidates[Rows*Levels+:Rows];
    always @*
        if (f_live) begin
            assert (any_o == (f_candidates != {Rows{1'b0}}));
            if (any_o)
                assert (f_candidates[row_o]);
        end

`ifdef FORMAL_TOP_launch_order
    always @* begin
        cover (f_live && f_seen && f_turns == Others);
        cover (f_live && f_seen && f_equals == Others);
        cover (f_live && f_seen && fair && launched_i && launched_level_i < f_now);
    end
`endif
