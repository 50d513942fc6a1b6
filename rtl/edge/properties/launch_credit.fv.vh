// SPDX-License-Identifier: Apache-2.0
// Properties of launch_credit, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One level, which is free: numbers instead of marks.
    `EVG_FOLLOW_ONE(f_level, `EVG_PRIORITY_BITS)
    reg       f_live = 1'b0; // there has been a reset
    reg [1:0] f_warps, f_bigs;
    wire      f_launch = launched_i && launched_level_i == f_level;

    always @(posedge clk_i)
        if (rst_i) begin
            f_live  <= 1'b1;
            f_warps <= 2'd0;
            f_bigs  <= 2'd0;
        end else begin
            f_warps <= f_warps + {1'b0, f_launch && launched_warp_i} -
                       {1'b0, placed_i && placed_level_i == f_level && f_warps != 2'd0};
            f_bigs  <= f_bigs + {1'b0, f_launch && !launched_warp_i} -
                       {1'b0, queued_i && queued_level_i == f_level && f_bigs != 2'd0};
        end

`ifdef FORMAL_TOP_launch_credit
`define EVG_REQUIRE assume
`elsif FORMAL_COMPOSED // proved of doorbell_decoder alone: of launches that its state at the edge before allows
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    always @*
        if (f_live && !rst_i && f_launch)
            `EVG_REQUIRE (launched_warp_i ? f_warps != 2'd2 : f_bigs != 2'd1);
`undef EVG_REQUIRE

    always @*
        if (f_live) begin
            assert (f_warps <= 2'd2 && f_bigs <= 2'd1);
            assert (warp_full_o[f_level] == (f_warps == 2'd2) && big_full_o[f_level] == (f_bigs == 2'd1));
            assert (warp_held_o[f_level] == (f_warps == 2'd2 && !(placed_i && placed_level_i == f_level)));
            assert (big_held_o[f_level] == (f_bigs == 2'd1 && !(queued_i && queued_level_i == f_level)));
        end

`ifdef FORMAL_TOP_launch_credit
    always @* begin
        cover (f_live && f_warps == 2'd1 && f_launch && launched_warp_i && placed_i &&
               placed_level_i == f_level);
        cover (f_live && f_warps == 2'd2 && f_bigs == 2'd1);
        cover (f_live && &warp_full_o && &big_full_o);
    end
`endif

    // --- invariants ------------------------------------------------------------------------------
    wire [Levels-1:0] f_one, f_two, f_big;
    genvar f_l;
    generate
        for (f_l = 0; f_l < Levels; f_l = f_l + 1) begin : g_f
            assign f_one[f_l] = g_level[f_l].one_q;
            assign f_two[f_l] = g_level[f_l].two_q;
            assign f_big[f_l] = g_level[f_l].big_q;
        end
    endgenerate

    always @*
        if (f_live)
            assert (f_one[f_level] == (f_warps != 2'd0) && f_two[f_level] == (f_warps == 2'd2) &&
                    f_big[f_level] == (f_bigs == 2'd1));
