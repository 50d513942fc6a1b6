// SPDX-License-Identifier: Apache-2.0
// Properties of sync_fifo, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // What the ports say is inside; one entry is followed from its push to its pop, and which one is free.
    `EVG_FOLLOW_SOME(f_pick)
    reg                 f_live    = 1'b0; // there has been a reset
    reg                 f_tracked = 1'b0;
    reg [DepthLog2:0]   f_count;          // entries
    reg [DepthLog2:0]   f_ahead;          // entries in front of the one that is followed
    reg [Width-1:0]     f_data;
    reg                 f_was_full = 1'b0;
    wire                f_since_reset = f_live; // this and the content are for the users' proofs
    wire                f_pop  = pop_i && f_count != 0;
    wire                f_push = push_i && (f_count != Full || f_pop);

    always @(posedge clk_i) begin
        if (rst_i) begin
            f_live     <= 1'b1;
            f_tracked  <= 1'b0;
            f_was_full <= 1'b0;
            f_count    <= {DepthLog2 + 1{1'b0}};
        end else begin
            f_count <= f_count + {{DepthLog2{1'b0}}, f_push} - {{DepthLog2{1'b0}}, f_pop};
            if (f_tracked) begin
                if (f_pop)
                    f_ahead <= f_ahead - 1'b1;
                if (f_pop && f_ahead == 0)
                    f_tracked <= 1'b0;
            end else if (f_push && f_pick) begin
                f_tracked <= 1'b1;
                f_ahead   <= f_count - {{DepthLog2{1'b0}}, f_pop};
                f_data    <= data_i;
            end
            f_was_full <= f_was_full || full_o;
        end
    end

    always @*
        if (f_live) begin
            assert (count_o == f_count && full_o == (f_count == Full) && empty_o == (f_count == 0));
            if (f_tracked && f_ahead == 0)
                assert (!empty_o && data_o == f_data);
`ifndef FORMAL_TOP_sync_fifo
            // Illegal uses are ignored, so the proof of this module allows them; no user has them.
            if (!rst_i) begin
                assert (!(push_i && full_o && !pop_i));
                assert (!(pop_i && empty_o));
            end
`endif
        end

`ifdef FORMAL_TOP_sync_fifo
    always @* begin
        cover (f_live && full_o && push_i && pop_i && f_tracked);
        cover (f_live && full_o && push_i && !pop_i);
        cover (f_live && f_was_full && empty_o);
        cover (f_live && f_tracked && f_ahead == Full - 1'b1);
    end
`endif

    // --- invariants ------------------------------------------------------------------------------
    reg [Depth*Width-1:0] f_content; // oldest entry lowest
    integer               f_slot;
    always @*
        for (f_slot = 0; f_slot < Depth; f_slot = f_slot + 1)
            f_content[f_slot*Width+:Width] = storage[head_q + f_slot[DepthLog2-1:0]];
    wire [DepthLog2-1:0] f_place = head_q + f_ahead[DepthLog2-1:0];

    always @*
        if (f_live) begin
            assert (f_count <= Full);
            assert (tail_q == head_q + f_count[DepthLog2-1:0]);
            if (f_tracked)
                assert (f_ahead < f_count && storage[f_place] == f_data);
        end
