// SPDX-License-Identifier: Apache-2.0
// Properties of place_order, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    localparam Levels = 1 << Bits;
    localparam [6:0] Bound = FairEvery + 2 * Levels;
    localparam [6:0] Turns = FairEvery;
    reg             f_live = 1'b0; // there has been a reset
    // The order out of the ports alone, as the contract has it
    reg  [Bits-1:0] f_tried; // the last try
    reg             f_down;  // it was of a level below the highest
    reg  [6:0]      f_found; // tries that found a core since one of a lower level
    reg  [Bits-1:0] f_highest, f_lower;
    reg             f_any_lower;
    integer         f_l;
    always @* begin
        f_highest   = {Bits{1'b0}};
        f_lower     = {Bits{1'b0}};
        f_any_lower = 1'b0;
        for (f_l = 0; f_l < Levels; f_l = f_l + 1)
            if (waits_i[f_l]) begin
                f_highest = f_l[Bits-1:0];
                if (f_l[Bits-1:0] < f_tried) begin
                    f_lower     = f_l[Bits-1:0];
                    f_any_lower = 1'b1;
                end
            end
    end
    wire            f_next  = f_any_lower && (failed_i || f_down || f_found == Turns);
    wire [Bits-1:0] f_level_now = f_next ? f_lower : f_highest;

    always @(posedge clk_i)
        if (rst_i) begin
            f_tried <= {Bits{1'b0}};
            f_down  <= 1'b0;
            f_found <= 7'd0;
        end else begin
            if (try_i) begin
                f_tried <= f_level_now;
                f_down  <= f_next;
            end
            if (try_i && f_next)
                f_found <= 7'd0;
            else if (placed_i && f_found != Turns)
                f_found <= f_found + 7'd1;
        end

    // One level, which is free, waits: the tries of others since its last one, or since it came, are
    // counted, and bounded with those that can still come before its own.
    `EVG_FOLLOW_ONE(f_level, Bits)
    reg        f_trying;        // a try is under way
    reg        f_stays;         // it waited a cycle ago and has not been placed
    reg  [6:0] f_others;
    wire       f_waits = waits_i[f_level];
    wire       f_own   = try_i && level_o == f_level;

    always @(posedge clk_i) begin
        f_stays <= f_live && !rst_i && f_waits && !(placed_i && tried_o == f_level);
        if (rst_i) begin
            f_live   <= 1'b1;
            f_trying <= 1'b0;
        end else
            f_trying <= try_i || (f_trying && !placed_i);
        if (rst_i || !f_waits || f_own)
            f_others <= 7'd0;
        else if (try_i)
            f_others <= f_others + 7'd1;
    end

`ifdef FORMAL_TOP_place_order
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    // A try ends before the next one begins: it found a core, or failed. What waits stays until placed.
    always @*
        if (f_live && !rst_i) begin
            if (try_i)
                `EVG_REQUIRE (waits_i != 0 && failed_i == f_trying);
            if (placed_i)
                `EVG_REQUIRE (f_trying && !try_i);
            if (f_trying && tried_o == f_level)
                `EVG_REQUIRE (f_waits);
            if (f_stays)
                `EVG_REQUIRE (f_waits);
        end
`undef EVG_REQUIRE
    // Tries of others that can still come before its own
    wire [6:0] f_above = {{7 - Bits{1'b0}}, f_tried} - {{7 - Bits{1'b0}}, f_level};
    wire [6:0] f_left  =
        f_tried <= f_level ? {{7 - Bits{1'b0}}, f_tried} + Turns + 7'd4 :
        f_down             ? f_above - 7'd1 :
        !f_trying          ? Turns - f_found + 7'd3 :
                             (f_found == Turns ? 7'd0 : Turns - 7'd1 - f_found) + 7'd3;

    always @*
        if (f_live) begin
            assert (tried_o == f_tried);
            if (waits_i != 0)
                assert (level_o == f_level_now);
            if (f_waits && !rst_i)
                assert (f_others <= Bound && f_others + f_left <= Bound);
        end

`ifdef FORMAL_TOP_place_order
    always @* begin
        cover (f_live && f_waits && f_others == Turns + 7'd1);
        cover (f_live && try_i && failed_i && level_o > tried_o && f_others != 0);
        cover (f_live && try_i && !failed_i && level_o < tried_o && f_found == Turns && f_own);
    end
`endif

    // --- invariants ------------------------------------------------------------------------------
    always @*
        if (f_live) begin
            assert (f_found <= Turns && down_q == f_down && due_q == (f_found == Turns));
            assert (due_q || {{7 - FairBits{1'b0}}, turn_q} == f_found);
        end
