// Properties of place_order, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One level, which is free, waits: the tries of others since its last one, or since it came, are
    // counted, and bounded with those that can still come before its own.
    `EVG_FOLLOW_ONE(f_level, Bits)
    localparam Levels = 1 << Bits;
    localparam [6:0] Bound = FairEvery + 2 * Levels;
    localparam [6:0] Turns = FairEvery;
    reg        f_live = 1'b0;   // there has been a reset
    wire [Bits:0] f_beside = {1'b0, f_level} - {1'b0, level_o}; // top bit: the level tried is higher
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
    wire [6:0] f_found = due_q ? Turns : {{7 - FairBits{1'b0}}, turn_q}; // so many found a core
    wire [6:0] f_above = {{7 - Bits{1'b0}}, tried_q} - {{7 - Bits{1'b0}}, f_level};
    wire [6:0] f_left  =
        tried_q <= f_level ? {{7 - Bits{1'b0}}, tried_q} + Turns + 7'd4 :
        down_q             ? f_above - 7'd1 :
        !f_trying          ? Turns - f_found + 7'd3 :
                             (f_found == Turns ? 7'd0 : Turns - 7'd1 - f_found) + 7'd3;

    always @*
        if (f_live && f_waits && !rst_i) begin
            assert (f_others <= Bound);
            assert (f_others + f_left <= Bound);
        end
    always @*
        if (f_live) begin
            assert (f_found <= Turns);
            // Tried is one that waits: the highest, or the next lower one
            if (try_i && waits_i != 0)
                assert (waits_i[level_o]);
            if (try_i && f_waits && !f_beside[Bits] && f_beside != 0)
                assert (tried_q <= f_level && (failed_i || down_q || due_q));
            if (try_i && f_waits && f_level < tried_q && (failed_i || down_q || due_q))
                assert (level_o < tried_q && (f_beside[Bits] || f_beside == 0));
        end

`ifdef FORMAL_TOP_place_order
    always @* begin
        cover (f_live && f_waits && f_others == Turns + 7'd1);
        cover (f_live && try_i && failed_i && level_o > tried_q && f_others != 0);
        cover (f_live && try_i && !failed_i && level_o < tried_q && due_q && f_own);
    end
`endif
