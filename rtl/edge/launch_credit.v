// SPDX-License-Identifier: Apache-2.0
// launch_credit: which rows may launch, so that what is launched always has a place in event_dispatch
// and no launch waits for the one before it (EDGE III-C, IV).
//
// Contract
// - Counts, by class and priority, the events that were launched and have not been handed over yet:
//   launched_i adds one of the class launched_warp_i and of launched_level_i; placed_i, a warp event
//   that a core has taken, and queued_i, a larger kernel that kernel management has taken, take one
//   away. All may come at one edge.
// - warp_full_o and big_full_o are the levels that have two, and one, so that no more of them may
//   launch: registers. warp_held_o and big_held_o are those of them that placed_i or queued_i does not
//   relieve in this cycle: full after the next edge, but for a launch at that edge.
// - Illegal: a launch of a level that is full. placed_i and queued_i of a level that has none are
//   ignored.
// - Without launched_i, placed_i and queued_i no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module launch_credit (
    input  wire                                 clk_i,
    input  wire                                 rst_i,
    input  wire                                 launched_i,
    input  wire                                 launched_warp_i,
    input  wire [`EVG_PRIORITY_BITS-1:0]        launched_level_i,
    input  wire                                 placed_i,
    input  wire [`EVG_PRIORITY_BITS-1:0]        placed_level_i,
    input  wire                                 queued_i,
    input  wire [`EVG_PRIORITY_BITS-1:0]        queued_level_i,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] warp_full_o,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] big_full_o,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] warp_held_o,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] big_held_o
);

    localparam Levels = 1 << `EVG_PRIORITY_BITS;

    genvar l;
    generate
        for (l = 0; l < Levels; l = l + 1) begin : g_level
            reg  one_q, two_q, big_q; // one warp event, a second one; a larger kernel
            wire launch = launched_i && launched_level_i == l;
            wire warp   = launch && launched_warp_i;
            wire placed = placed_i && placed_level_i == l;
            wire queued = queued_i && queued_level_i == l;

            always @(posedge clk_i)
                if (rst_i) begin
                    one_q <= 1'b0;
                    two_q <= 1'b0;
                    big_q <= 1'b0;
                end else begin
                    one_q <= warp || (one_q && (two_q || !placed));
                    two_q <= placed ? two_q && warp : two_q || (one_q && warp);
                    big_q <= (launch && !launched_warp_i) || (big_q && !queued);
                end

            assign warp_full_o[l] = two_q;
            assign big_full_o[l]  = big_q;
            assign warp_held_o[l] = two_q && !placed;
            assign big_held_o[l]  = big_q && !queued;
        end
    endgenerate

`ifdef FORMAL
`include "properties/launch_credit.fv.vh"
`endif

endmodule

`default_nettype wire
