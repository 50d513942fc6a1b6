// SPDX-License-Identifier: Apache-2.0
// Properties of level_store, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One level, which is free: a queue of at most two, written anew.
    `EVG_FOLLOW_ONE(f_level, `EVG_PRIORITY_BITS)
    reg              f_live = 1'b0; // there has been a reset
    reg  [1:0]       f_count;
    reg  [Width-1:0] f_oldest, f_newest;
    wire             f_in  = push_i && push_level_i == f_level && f_count < Depth;
    wire             f_out = pop_i && level_i == f_level && f_count != 0;

    always @(posedge clk_i) begin
        if (rst_i) begin
            f_live  <= 1'b1;
            f_count <= 2'd0;
        end else
            f_count <= f_count + {1'b0, f_in} - {1'b0, f_out};
        if (f_in)
            f_newest <= data_i;
        if (f_count == 2'd0 || (f_count == 2'd1 && f_out)) begin
            if (f_in)
                f_oldest <= data_i;
        end else if (f_out)
            f_oldest <= f_newest;
    end

    always @*
        if (f_live) begin
            assert (f_count <= Depth);
            assert (waiting_o[f_level] == (f_count != 2'd0) &&
                    full_o[f_level] == (f_count == Depth));
            if (f_count == 2'd1)
                assert (f_oldest == f_newest);
            if (f_count != 2'd0)
                assert (oldest_o[Width*f_level+:Width] == f_oldest);
            if (level_i == f_level && f_count != 2'd0)
                assert (data_o == f_oldest);
        end

`ifdef FORMAL_TOP_level_store
    always @*
        assume (!push_i || offer_i);
`else
    always @*
        assert (!push_i || offer_i);
`endif

`ifdef FORMAL_TOP_level_store
    always @* begin
        cover (f_live && f_count == Depth && f_in == 1'b0 && f_out);
        cover (f_live && f_count == 2'd1 && f_in && f_out);
        cover (f_live && &waiting_o);
    end
`endif

    // --- invariants ------------------------------------------------------------------------------
    wire [Levels-1:0]       f_second;
    wire [Width*Levels-1:0] f_second_data;
    genvar f_l;
    generate
        for (f_l = 0; f_l < Levels; f_l = f_l + 1) begin : g_f
            assign f_second[f_l]                    = g_level[f_l].later;
            assign f_second_data[Width*f_l+:Width] = g_level[f_l].later_data;
        end
    endgenerate

    always @*
        if (f_live) begin
            assert (f_second[f_level] == (f_count == 2'd2));
            if (f_count == 2'd2)
                assert (f_second_data[Width*f_level+:Width] == f_newest);
        end
