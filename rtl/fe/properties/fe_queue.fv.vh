// SPDX-License-Identifier: Apache-2.0
// Properties of fe_queue, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One entry, chosen when it is pushed, is followed until it leaves: it comes out once, in its
    // turn, as it went in.
    `EVG_FOLLOW_SOME(f_pick)
    reg                 f_past_q = 1'b0, f_held_q = 1'b0;
    reg [DepthLog2:0]   f_ahead_q; // entries before it
    reg [Width-1:0]     f_data_q;
    wire [DepthLog2-1:0] f_behind = count_q == 0 ? {DepthLog2{1'b0}}
                                                 : count_q[DepthLog2-1:0] - 1'b1;
    wire [DepthLog2-1:0] f_place  = first_q + f_ahead_q[DepthLog2-1:0] - 1'b1;

`ifdef FORMAL_CONTENT
    genvar f_g;
    generate
        for (f_g = 0; f_g < Depth; f_g = f_g + 1) begin : g_formal_content
            wire [DepthLog2-1:0] f_at = first_q + f_g[DepthLog2-1:0] - 1'b1;
            assign f_content_o[f_g*Width+:Width] = f_g == 0 ? data_o : storage[f_at];
            assign f_there_o[f_g] = count_q > f_g[DepthLog2:0];
        end
    endgenerate
`endif

    always @(posedge clk_i) begin
        f_past_q <= 1'b1;
        if (rst_i)
            f_held_q <= 1'b0;
        else if (!f_held_q && push && f_pick) begin
            f_held_q  <= 1'b1;
            f_data_q  <= data_i;
            f_ahead_q <= count_q - {{DepthLog2{1'b0}}, pop};
        end else if (f_held_q && pop) begin
            f_held_q  <= f_ahead_q != 0;
            f_ahead_q <= f_ahead_q - One;
        end
    end

    always @* begin
        if (!f_past_q) begin
            assume (rst_i);
        end else begin
            assert (count_q <= Full);
            assert (valid_q == (count_q != 0) && more_q == (count_q > One));
            assert (ready_q == (count_q != Full) && last_q == (count_q == Full - One));
            assert (tail_q == first_q + f_behind);
            if (f_held_q) begin
                assert (f_ahead_q < count_q);
                if (f_ahead_q == 0) begin
                    assert (data_o == f_data_q);
                end else begin
                    assert (storage[f_place] == f_data_q);
                end
            end
        end
    end

`ifdef FORMAL_TOP_fe_queue
    always @(posedge clk_i) begin
        cover (f_held_q && !ready_q && f_ahead_q + One == Full);
        cover (f_held_q && f_ahead_q == 0 && !is_direct_q && pop);
    end
`endif
