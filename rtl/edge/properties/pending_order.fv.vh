// SPDX-License-Identifier: Apache-2.0
// Properties of pending_order, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One entry is followed from its push to its start; which one is free.
    `EVG_FOLLOW_SOME(f_pick)
    reg                          f_live = 1'b0; // there has been a reset
    reg                          f_tracked = 1'b0;
    reg [IndexWidth:0]           f_ahead;       // older ones
    reg [IndexWidth-1:0]         f_entry;
    reg [Bits-1:0]               f_priority;
    reg [6:0]                    f_regs;
    reg [7:0]                    f_before, f_bound; // turns of others before it; the most there may be
    // This and the content: for the users' proofs
    wire                          f_since_reset = f_live;
    wire                          f_tried = tried_q;
    wire [IndexWidth-1:0]         f_tried_entry = entry_q[IndexWidth*at_q+:IndexWidth];
    wire [IndexWidth*Entries-1:0] f_content = entry_q;
    wire [Bits*Entries-1:0]       f_priorities = priority_q;
    wire [7*Entries-1:0]          f_registers = regs_q;
    wire [Bits-1:0] f_at_priority   = priority_q[Bits*at_q+:Bits];
    wire [Bits-1:0] f_turn_priority = priority_q[Bits*turn_q+:Bits];
    wire [Bits-1:0] f_next_priority = priority_q[Bits*place+:Bits];
    reg             f_moved;
    localparam [7:0] Turn = PassLimit + 1;

    wire f_turn = f_tracked && {1'b0, first} == f_ahead;
    wire f_next = f_tracked && {1'b0, place} == f_ahead;
    wire f_here = f_tracked && tried_q && {1'b0, at_q} == f_ahead;

    // The ration, from the ports alone: the priorities by entry, what is tried, and its turn's lighter ones
    localparam [7:0] Ration = PassLimit;
    reg [Bits*Entries-1:0] f_of;    // priority, by entry
    reg [Entries-1:0]      f_in;
    reg                    f_trying, f_light, f_all;
    reg [IndexWidth-1:0]   f_try;   // what is tried
    reg [Bits-1:0]         f_priority_of_turn;
    reg [PassBits-1:0]     f_lights;
    reg [CalmBits-1:0]     f_calm;
    reg [7:0]              f_left;  // what the bound still allows, counted up to Ration and 128 at most
    wire [Bits-1:0]        f_try_priority = f_of[Bits*f_try+:Bits];
    wire                   f_served = start_i && !f_light;
    wire                   f_rationed = f_lights != Limit && (f_all || f_priority >= f_priority_of_turn);
    wire                   f_period = f_trying && calm_i && f_calm == CalmLast;

    always @(posedge clk_i) begin
        f_trying <= !rst_i && (take_i || (f_trying && !start_i));
        if (take_i) begin
            f_light <= lighter_o;
            f_try   <= entry_o;
            if (!lighter_o)
                f_priority_of_turn <= f_of[Bits*entry_o+:Bits];
        end
        if (start_i)
            f_in[f_try] <= 1'b0;
        if (push_i) begin
            f_in[push_entry_i]             <= 1'b1;
            f_of[Bits*push_entry_i+:Bits] <= push_priority_i;
        end
        if (rst_i)
            f_in <= {Entries{1'b0}};
        if (rst_i || f_served) begin
            f_lights <= {PassBits{1'b0}};
            f_calm   <= {CalmBits{1'b0}};
            f_all    <= 1'b0;
            f_left   <= Ration;
        end else begin
            f_lights <= (f_period ? {PassBits{1'b0}} : f_lights) + {{PassBits - 1{1'b0}}, start_i};
            f_left   <= f_left + (f_period && f_left < 8'd128 ? Ration : 8'd0) - {7'd0, start_i};
            f_all    <= f_all || f_period;
            if (f_trying && calm_i)
                f_calm <= f_period ? {CalmBits{1'b0}} : f_calm + 1'b1;
        end
    end

    integer f_p, f_o;
    always @*
        if (f_live) begin
            // No more than the bound, and none of a lower priority in the first ration
            if (start_i && !rst_i && f_light)
                assert (f_left != 8'd0 && (f_all || f_try_priority >= f_priority_of_turn));
            // The invariant of the induction
            assert (f_trying == tried_q && f_lights == lights_q && f_calm == calm_q && f_all == all_q);
            assert (f_lights <= Limit && {1'b0, f_calm} < DrainCycles[CalmBits:0] && f_left <= 8'd128 + Ration);
            assert (f_left + {5'd0, f_lights} >= Ration);
            if (f_trying) begin
                assert (f_try == entry_q[IndexWidth*at_q+:IndexWidth] && f_light == (at_q != turn_q));
                assert (f_priority_of_turn == priority_q[Bits*turn_q+:Bits]);
                assert (f_priority_of_turn == turn_priority_q);
                assert (!f_light || (f_lights != Limit && (f_all || f_try_priority >= f_priority_of_turn)));
            end
            if (any_light_q)
                assert (f_lights != Limit && (f_all || priority_q[Bits*light_q+:Bits] >= turn_priority_q));
            for (f_p = 0; f_p < Entries; f_p = f_p + 1)
                if (f_p[IndexWidth:0] < count_q) begin
                    assert (f_in[entry_q[IndexWidth*f_p+:IndexWidth]] &&
                            f_of[Bits*entry_q[IndexWidth*f_p+:IndexWidth]+:Bits] == priority_q[Bits*f_p+:Bits]);
                    for (f_o = 0; f_o < f_p; f_o = f_o + 1)
                        assert (entry_q[IndexWidth*f_p+:IndexWidth] != entry_q[IndexWidth*f_o+:IndexWidth]);
                end
        end

    reg [Entries-1:0] f_present; // in a place
    integer           f_q;
    always @* begin
        f_present = {Entries{1'b0}};
        for (f_q = 0; f_q < Entries; f_q = f_q + 1)
            if (f_q[IndexWidth:0] < count_q)
                f_present[entry_q[IndexWidth*f_q+:IndexWidth]] = 1'b1;
    end
    always @*
        if (f_live)
            assert (f_present == f_in);

    always @(posedge clk_i)
        f_moved <= rst_i || push_i || take_i || start_i || f_period;

    always @(posedge clk_i)
        if (rst_i) begin
            f_live    <= 1'b1;
            f_tracked <= 1'b0;
        end else if (f_tracked) begin
            if (start_i && {1'b0, at_q} < f_ahead)
                f_ahead <= f_ahead - 1'b1;
            if (start_i && f_here)
                f_tracked <= 1'b0;
            if (start_i && at_q == turn_q)
                f_before <= f_before + 8'd1;
        end else if (push_i && f_pick) begin
            f_tracked  <= 1'b1;
            f_ahead    <= tail;
            f_entry    <= push_entry_i;
            f_priority <= push_priority_i;
            f_regs     <= push_regs_i;
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
            if (take_i)
                `EVG_REQUIRE (valid_o && !start_i);
            if (start_i)
                `EVG_REQUIRE (tried_q);
            if (push_i)
                `EVG_REQUIRE (tail < Entries[IndexWidth:0] && !f_in[push_entry_i]);
        end
`undef EVG_REQUIRE

    always @*
        if (f_live) begin
            assert (count_q <= Entries[IndexWidth:0] && passed_q <= Limit);
            assert (count_q == {IndexWidth + 1{1'b0}} || {1'b0, first} < count_q);
            if (count_q == {IndexWidth + 1{1'b0}})
                assert (passed_q == {PassBits{1'b0}} && !tried_q && !valid_o);
            if (tried_q) begin
                assert ({1'b0, at_q} < count_q && {1'b0, turn_q} < count_q);
                assert (least_q == regs_q[7*at_q+:7] && least_q <= regs_q[7*turn_q+:7]);
                assert (passed_q != Limit || turn_q == {IndexWidth{1'b0}});
                assert (at_q == turn_q || passed_q == Limit ||
                        (turn_q < at_q ? f_turn_priority >= f_at_priority : f_turn_priority > f_at_priority));
                assert (!valid_o || place != at_q);
            end
            // Fewer registers than all that have been tried; nothing of the kind before one is tried
            if (any_light_q)
                assert (tried_q && any_light && {1'b0, light_q} < count_q && regs_q[7*light_q+:7] < least_q);
            if (lighter_o)
                assert (tried_q && regs_o < least_q && first == turn_q);
            assert (lighter_o || place == first);
            if (f_tracked) begin
                assert (f_ahead < count_q &&
                        entry_q[IndexWidth*f_ahead+:IndexWidth] == f_entry &&
                        priority_q[Bits*f_ahead+:Bits] == f_priority &&
                        regs_q[7*f_ahead+:7] == f_regs);
                // The highest first, the oldest of equals; or the oldest of all, when it is due
                if (passed_q != Limit)
                    assert (f_turn || ({1'b0, first} < f_ahead ? highest >= f_priority : highest > f_priority));
                if (passed_q == Limit)
                    assert (first == {IndexWidth{1'b0}});
                // Of the lighter ones too, while the ration lasts. Who is not offered now needs as much as
                // one that was tried, or it is not yet time to try others than the one whose turn has come.
                if (!f_moved && tried_q && first == turn_q && f_regs < least_q && f_rationed)
                    assert (lighter_o && (f_next || ({1'b0, place} < f_ahead ? f_next_priority >= f_priority
                                                                             : f_next_priority > f_priority)));
                if (!f_moved && !valid_o && !f_here)
                    assert ((f_regs >= least_q || !f_rationed) && at_q == turn_q);
                if (f_next)
                    assert (entry_o == f_entry && regs_o == f_regs && (valid_o || f_here));
                // Turns that may still come before its own, with those that have
                assert (f_before <= f_bound && f_before + Turn * {5'd0, f_ahead} + (Turn - 8'd1) - {5'd0, passed_q} <=
                        f_bound);
                assert (f_bound < 8'd64);
            end
        end

`ifdef FORMAL_TOP_pending_order
    always @* begin
        cover (f_live && f_here && start_i && f_before == 8'd7);
        cover (f_live && f_tracked && start_i && passed_q == Limit && highest < f_priority);
        cover (f_live && f_here && start_i && f_ahead == Entries[IndexWidth:0] - 1'b1);
        cover (f_live && f_here && start_i && at_q != turn_q && f_before == 8'd0);
        cover (f_live && f_next && take_i && lighter_o && at_q != turn_q);
        cover (f_live && f_turn && take_i && tried_q && at_q != turn_q && first == turn_q);
        cover (f_live && f_here && start_i && f_light && f_priority < f_priority_of_turn);
        cover (f_live && f_tracked && tried_q && first == turn_q && f_regs < least_q && f_lights == Limit && !f_moved);
        cover (f_live && start_i && f_light && f_left == 8'd1 && f_all);
    end
`endif
