// SPDX-License-Identifier: Apache-2.0
// level_store: what waits, by priority: for each level the oldest `Depth` in the order of their
// arrival (EDGE IV: event kernels have a configurable priority).
//
// Contract
// - push_i puts data_i behind all others of push_level_i; full_o tells the levels that take no more.
//   A push of a full level is not looked at. offer_i says early in the cycle that data_i may be pushed: what
//   has nothing to keep is loaded then, pushed or not.
// - data_o is the oldest of level_i, in the same cycle, waiting_o the levels that have one, oldest_o the
//   oldest of every level, the lowest level in the lowest bits. pop_i takes the oldest of level_i away; of
//   a level without one it does nothing. Both may come at one edge, of one level too. What is pushed is
//   seen in the next cycle.
//
//     cycle        t       t+1     t+2
//     push_i       A       B
//     waiting_o            A       A
//     pop_i                        A gone from t+3 on; data_o is B
// - Without offer_i and pop_i no register changes. Illegal: push_i without offer_i.
`default_nettype none
`include "evgpu_defs.vh"

module level_store #(
    parameter Width = 8,
    parameter Depth = 2 // 1 or 2
) (
    input  wire                                 clk_i,
    input  wire                                 rst_i,
    input  wire                                 offer_i,
    input  wire                                 push_i,
    input  wire [`EVG_PRIORITY_BITS-1:0]        push_level_i,
    input  wire [Width-1:0]                     data_i,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] full_o,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] waiting_o,
    input  wire [`EVG_PRIORITY_BITS-1:0]        level_i,
    input  wire                                 pop_i,
    output wire [Width-1:0]                     data_o,
    output wire [(Width << `EVG_PRIORITY_BITS)-1:0] oldest_o
);

    localparam Levels = 1 << `EVG_PRIORITY_BITS;

    generate
        if ((Depth != 1 && Depth != 2) || Levels != 4) begin : g_check
            level_store_is_made_for_four_levels_and_a_depth_of_1_or_2 check_parameters ();
        end
    endgenerate

    genvar l;
    generate
        for (l = 0; l < Levels; l = l + 1) begin : g_level
            wire push = push_i && push_level_i == l && !full_o[l];
            wire pop  = pop_i && level_i == l;

            reg              valid_q;
            reg  [Width-1:0] data_q;
            wire             later;      // there is a second one
            wire [Width-1:0] later_data;

            always @(posedge clk_i)
                if (rst_i)
                    valid_q <= 1'b0;
                else
                    valid_q <= push || (valid_q && (later || !pop));

            always @(posedge clk_i)
                if (pop || (offer_i && !valid_q))
                    data_q <= later ? later_data : data_i;

            if (Depth == 2) begin : g_second
                reg             second_q;
                reg [Width-1:0] second_data_q;

                always @(posedge clk_i)
                    if (rst_i)
                        second_q <= 1'b0;
                    else
                        second_q <= !pop && ((push && valid_q) || second_q);

                always @(posedge clk_i)
                    if (offer_i && !second_q)
                        second_data_q <= data_i;

                assign later      = second_q;
                assign later_data = second_data_q;
                assign full_o[l]  = second_q;
            end else begin : g_only
                assign later      = 1'b0;
                assign later_data = {Width{1'b0}};
                assign full_o[l]  = valid_q;
            end

            assign waiting_o[l]             = valid_q;
            assign oldest_o[Width*l+:Width] = data_q;
        end
    endgenerate

    // Written out: a part-select whose width is no power of two becomes a shifter.
    wire [2*Width-1:0] pair = level_i[1] ? oldest_o[4*Width-1:2*Width] : oldest_o[2*Width-1:0];

    assign data_o = level_i[0] ? pair[2*Width-1:Width] : pair[Width-1:0];

`ifdef FORMAL
`include "properties/level_store.fv.vh"
`endif

endmodule

`default_nettype wire
