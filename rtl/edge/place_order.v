// SPDX-License-Identifier: Apache-2.0
// place_order: which of the levels that wait is tried next for a core (EDGE IV: event kernels have a
// configurable priority).
//
// Contract
// - level_o is the one to try next, in the same cycle, of those in waits_i; try_i tells that it is
//   tried, failed_i with it that the try before it found no core, placed_i that one did.
//
//     the last try                                    level_o
//     found a core                                    the highest that waits
//     found none                                      the next lower one that waits
//     ... or was of a level below the highest         the next lower one that waits
//     ... or was the FairEvery-th in a row to find one, without a lower level's try
//                                                     the next lower one that waits
//     and no lower one waits                          the highest that waits
//
//   So a level that finds no core keeps no other from its try, and each that waits is tried in its turn.
// - Bound: at most FairEvery + 2 * Levels tries of others come before one of a level that waits.
// - Illegal: try_i with waits_i 0.
// - Without try_i and placed_i no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module place_order #(
    parameter FairEvery = `EVG_FAIR_EVERY, // power of two
    parameter FairBits  = 4                // log2(FairEvery)
) (
    input  wire                                 clk_i,
    input  wire                                 rst_i,
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] waits_i,
    input  wire                                 try_i,
    input  wire                                 failed_i,
    input  wire                                 placed_i,
    output wire [`EVG_PRIORITY_BITS-1:0]        level_o,
    output wire [`EVG_PRIORITY_BITS-1:0]        tried_o  // the last try
);

    localparam Bits = `EVG_PRIORITY_BITS;
    localparam [FairBits-1:0] Last = {FairBits{1'b1}};

    generate
        if ((1 << FairBits) != FairEvery || FairEvery < 2) begin : g_check
            place_order_needs_turns_a_power_of_two check_parameters ();
        end
    endgenerate

    reg [Bits-1:0]     tried_q;
    reg                down_q; // the last try was of a lower level, in its turn
    reg [FairBits-1:0] turn_q; // found a core since then
    reg                due_q;  // FairEvery did

    wire [Bits-1:0] highest, lower;
    wire            any_lower;

    level_below u_below (
        .waits_i(waits_i), .level_i(tried_q),
        .highest_o(highest), .lower_o(lower), .any_lower_o(any_lower)
    );

    wire down = any_lower && (failed_i || down_q || due_q);

    assign level_o = down ? lower : highest;
    assign tried_o = tried_q;

    always @(posedge clk_i)
        if (rst_i) begin
            tried_q <= {Bits{1'b0}};
            down_q  <= 1'b0;
            turn_q  <= {FairBits{1'b0}};
            due_q   <= 1'b0;
        end else begin
            if (try_i) begin
                tried_q <= level_o;
                down_q  <= down;
            end
            if (try_i && down) begin
                turn_q <= {FairBits{1'b0}};
                due_q  <= 1'b0;
            end else if (placed_i) begin
                turn_q <= turn_q + 1'b1;
                due_q  <= due_q || turn_q == Last;
            end
        end

`ifdef FORMAL
`include "properties/place_order.fv.vh"
`endif

endmodule

`default_nettype wire
