// SPDX-License-Identifier: Apache-2.0
// min_select: finds the smallest key among the valid lanes, and its index.
//
// Contract
// - Combinational: it compares all pairs of lanes at once and selects the lane that beats every other
//   one, with Lanes * (Lanes - 1) / 2 comparators at a depth of one. Register its inputs or its
//   outputs at the user.
// - Keys are unsigned. On equal keys the lane with the lowest index wins.
// - any_o: enable_i is 1 and a lane is valid; only then do index_o and key_o mean anything. While
//   enable_i is 0, index_o is 0, so that an idle scan costs a simulation nothing.
// - No illegal input.
`default_nettype none

module min_select #(
    parameter Lanes      = 4, // at least 2
    parameter KeyWidth   = 8, // bits of a key, at least 1
    parameter IndexWidth = 2  // log2(Lanes), rounded up
) (
    input  wire                      enable_i,
    input  wire [Lanes-1:0]          valid_i,
    input  wire [Lanes*KeyWidth-1:0] keys_i,   // lane 0 in the lowest bits
    output reg                       any_o,
    output reg  [IndexWidth-1:0]     index_o,
    output reg  [KeyWidth-1:0]       key_o
);

    generate
        if (Lanes < 2 || (1 << IndexWidth) < Lanes || KeyWidth < 1) begin : g_check
            min_select_needs_two_lanes_and_an_index_width_for_them check_parameters ();
        end
    endgenerate

    reg [Lanes-1:0] best; // one-hot
    integer         lane;
    integer         other;

    always @* begin
        any_o   = 1'b0;
        index_o = {IndexWidth{1'b0}};
        best    = {Lanes{1'b1}};
        lane    = 0;
        other   = 0;
        if (enable_i) begin
            any_o = |valid_i;
            // An invalid lane has the largest key. A later lane must be smaller to win.
            for (lane = 0; lane < Lanes - 1; lane = lane + 1)
                for (other = lane + 1; other < Lanes; other = other + 1)
                    if ({!valid_i[other], keys_i[other*KeyWidth+:KeyWidth]} <
                        {!valid_i[lane], keys_i[lane*KeyWidth+:KeyWidth]})
                        best[lane] = 1'b0;
                    else
                        best[other] = 1'b0;
            for (lane = 0; lane < Lanes; lane = lane + 1)
                if (best[lane])
                    index_o = index_o | lane[IndexWidth-1:0];
        end
        key_o = keys_i[0+:KeyWidth];
        for (lane = 1; lane < Lanes; lane = lane + 1)
            if (index_o == lane[IndexWidth-1:0])
                key_o = keys_i[lane*KeyWidth+:KeyWidth];
    end

`ifdef FORMAL
`include "properties/min_select.fv.vh"
`endif

endmodule

`default_nettype wire
