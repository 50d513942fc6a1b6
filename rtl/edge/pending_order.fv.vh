// Properties of pending_order, included at its end under FORMAL (docs/formal.md).
`include "follow.fv.vh"

    // One entry is followed from its push to its pop; which one is free.
    `EVG_FOLLOW_SOME(f_pick)
    reg                          f_live = 1'b0; // there has been a reset
    reg                          f_tracked = 1'b0;
    reg [IndexWidth:0]           f_ahead;       // older ones
    reg [IndexWidth-1:0]         f_entry;
    reg [Bits-1:0]               f_priority;
    reg [7:0]                    f_before, f_bound; // taken before it; the most that may be
    wire                         f_since_reset = f_live; // this and the content: for the users' proofs
    wire [IndexWidth*Entries-1:0] f_content = entry_q;
    wire [Bits*Entries-1:0]       f_priorities = priority_q;
    localparam [7:0] Turn = PassLimit + 1;

    wire f_older = f_tracked && {1'b0, place} < f_ahead;
    wire f_mine  = f_tracked && {1'b0, place} == f_ahead;

    always @(posedge clk_i)
        if (rst_i) begin
            f_live    <= 1'b1;
            f_tracked <= 1'b0;
        end else if (f_tracked) begin
            if (pop_i && f_older)
                f_ahead <= f_ahead - 1'b1;
            if (pop_i && f_mine)
                f_tracked <= 1'b0;
            if (pop_i)
                f_before <= f_before + 8'd1;
        end else if (push_i && f_pick) begin
            f_tracked  <= 1'b1;
            f_ahead    <= tail;
            f_entry    <= push_entry_i;
            f_priority <= push_priority_i;
            f_before   <= 8'd0;
            f_bound    <= Turn * {5'd0, tail} + Turn - 8'd1;
        end

`ifdef FORMAL_TOP_pending_order
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    always @*
        if (f_live && !rst_i) begin
            if (pop_i)
                `EVG_REQUIRE (valid_o);
            if (push_i)
                `EVG_REQUIRE (tail < Entries[IndexWidth:0]);
        end
`undef EVG_REQUIRE

    always @*
        if (f_live) begin
            assert (count_q <= Entries[IndexWidth:0] && passed_q <= Limit);
            assert ({1'b0, place} < count_q || !valid_o);
            if (!valid_o)
                assert (passed_q == {PassBits{1'b0}});
            if (f_tracked) begin
                assert (f_ahead < count_q &&
                        entry_q[IndexWidth*f_ahead+:IndexWidth] == f_entry &&
                        priority_q[Bits*f_ahead+:Bits] == f_priority);
                // The highest first, the oldest of equals; or the oldest of all, when it is due
                if (passed_q != Limit)
                    assert (f_mine || (f_older ? highest >= f_priority : highest > f_priority));
                if (passed_q == Limit)
                    assert (place == {IndexWidth{1'b0}});
                if (f_mine)
                    assert (valid_o && entry_o == f_entry);
                // What may still be taken before it, with what has been
                assert (f_before <= f_bound && f_before + Turn * {5'd0, f_ahead} + (Turn - 8'd1) - {5'd0, passed_q} <=
                        f_bound);
                assert (f_bound < 8'd64);
            end
        end

`ifdef FORMAL_TOP_pending_order
    always @* begin
        cover (f_live && f_mine && pop_i && f_before == 8'd7);
        cover (f_live && f_tracked && pop_i && passed_q == Limit && highest < f_priority);
        cover (f_live && f_mine && pop_i && f_ahead == Entries[IndexWidth:0] - 1'b1);
    end
`endif
