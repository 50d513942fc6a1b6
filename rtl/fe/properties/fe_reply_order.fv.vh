// SPDX-License-Identifier: Apache-2.0
// Properties of fe_reply_order, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One entry, chosen when it enters, is followed until its reply: in its turn, not before it is
    // done, and with what it brought.
    `EVG_FOLLOW_SOME(f_pick)
    reg                  f_past_q = 1'b0, f_held_q = 1'b0, f_sent_q = 1'b0, f_done_q;
    reg  [1:0]           f_queue_q;
    reg  [DepthLog2-1:0] f_place_q;
    reg  [DepthLog2:0]   f_ahead_q; // entries of its queue before it
    reg  [Width-1:0]     f_data_q;
    wire [3*DepthLog2+2:0] f_counts;
    wire [3*Depth-1:0]   f_dones;
    wire                 f_place_done = f_dones[f_queue_q*Depth+f_place_q];
    wire [DepthLog2+1:0] f_tag   = {f_queue_q, f_place_q};
    wire [DepthLog2-1:0] f_first = firsts[f_queue_q*DepthLog2+:DepthLog2];
    wire [DepthLog2:0]   f_count = f_counts[f_queue_q*(DepthLog2+1)+:DepthLog2+1];
    wire [1:0]           f_enter_queue = enter_tag_o[DepthLog2+:2];
    wire [DepthLog2:0]   f_enter_count =
        f_counts[f_enter_queue*(DepthLog2+1)+:DepthLog2+1];
    // In the cycle after its entry it is being stored.
    wire                 f_storing = store_q && store_tag_q == f_tag;
    wire                 f_leave = send && queue == f_queue_q;
    wire                 f_follow = !rst_i && !f_held_q && enter_i != 0 && f_pick;
    assign f_follow_o = f_follow;
    assign f_held_o   = f_held_q;
    assign f_tag_o    = f_tag;
    assign f_data_o   = f_data_q;
    assign f_sent_o   = f_sent_q;

    generate
        for (g = 0; g < 3; g = g + 1) begin : g_formal
            // Of the other two at most one reply each goes first; f_before: those that still may.
            localparam [1:0] Before = g == 0 ? 2'd2 : g - 1;
            wire [1:0] f_before = last_q == g ? 2'd2 : last_q == Before ? 2'd0 : 2'd1;
            reg  [1:0] f_passed_q;
            always @(posedge clk_i)
                if (rst_i || !due_q[g] || (send && queue == g))
                    f_passed_q <= 2'd0;
                else if (send && f_passed_q != 2'd3)
                    f_passed_q <= f_passed_q + 2'd1;
            always @*
                if (f_past_q)
                    assert ({1'b0, f_passed_q} + {1'b0, f_before} <= 3'd2);
            assign f_counts[g*(DepthLog2+1)+:DepthLog2+1] = g_queue[g].count_q;
            assign f_dones[g*Depth+:Depth] = g_queue[g].done_q;
            always @*
                if (f_past_q) begin
                    assert (g_queue[g].count_q <= Full);
                    assert (g_queue[g].room_q == (g_queue[g].count_q != Full));
                    assert (g_queue[g].tail_q ==
                            g_queue[g].first_q + g_queue[g].count_q[DepthLog2-1:0]);
                    assert (!due_q[g] ||
                            g_queue[g].count_q > {{DepthLog2{1'b0}}, g_queue[g].storing});
                    if (g_queue[g].storing)
                        assert (g_queue[g].count_q != 0 &&
                                store_tag_q[DepthLog2-1:0] == g_queue[g].tail_q - 1'b1);
                end
        end
    endgenerate

    always @(posedge clk_i) begin
        f_past_q <= 1'b1;
        f_sent_q <= !rst_i && f_held_q && f_leave && f_ahead_q == 0;
        if (rst_i)
            f_held_q <= 1'b0;
        else if (f_follow) begin
            f_held_q  <= 1'b1;
            f_queue_q <= f_enter_queue;
            f_place_q <= enter_tag_o[DepthLog2-1:0];
            f_data_q  <= enter_data_i;
            f_done_q  <= enter_done_i;
            f_ahead_q <= f_enter_count -
                         {{DepthLog2{1'b0}}, send && queue == f_enter_queue};
        end else if (f_held_q) begin
            if (answer_i && answer_tag_i == f_tag)
                f_done_q <= 1'b1;
            if (f_leave) begin
                f_held_q  <= f_ahead_q != 0;
                f_ahead_q <= f_ahead_q - 1'b1;
            end
        end
    end

    always @* begin
        if (!f_past_q) begin
            assume (rst_i);
        end else begin
            assert (last_q != 2'd3);
            if (f_held_q) begin
                assert (f_queue_q != 2'd3 && f_ahead_q < f_count);
                assert (f_place_q == f_first + f_ahead_q[DepthLog2-1:0]);
                // Nobody else gets its tag.
                assert (enter_i == 0 || (enter_i & ~room_o) != 0 || enter_tag_o != f_tag);
                if (f_storing) begin
                    assert (store_data_q == f_data_q && store_done_q == f_done_q);
                end else begin
                    assert (storage[f_tag] == f_data_q && f_place_done == f_done_q);
                end
                if (due_q[f_queue_q] && f_ahead_q == 0)
                    assert (f_done_q && !f_storing);
                if (f_leave && f_ahead_q == 0)
                    assert (f_done_q);
            end
            if (f_sent_q)
                assert (rsp_valid_o && rsp_queue_o == f_queue_q && rsp_data_o == f_data_q);
        end
        if (f_past_q && enter_i != 0)
`ifdef FORMAL_TOP_fe_reply_order
            assume
`else
            assert
`endif
                ((enter_i & ~room_o) == 0 && (enter_i & (enter_i - 3'd1)) == 0);
    end

`ifdef FORMAL_TOP_fe_reply_order
    always @(posedge clk_i) begin
        cover (f_sent_q && f_queue_q == 2'd2);
        cover (f_held_q && f_done_q && f_ahead_q == 1 && !due_d[f_queue_q]); // overtaken
    end
`endif
