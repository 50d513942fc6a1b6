// SPDX-License-Identifier: Apache-2.0
// cm_slot_counter: counts issue slots of an interval with a property: stall_GPU of CM-BAL 4.2, and the
// issued slots of cm_next_core. A slot is one of a core's two warp schedulers at one edge.
//
// Contract
// - slots_i: the number of slots to count at this edge; count_o includes them after it. It stops at 2047.
// - Precedence, highest first:
//
//     input      count_o after the edge
//     rst_i      0
//     write_i    data_i: the slots of this edge are not counted
//     begin_i    the slots of this edge: they are the first of the new interval
//     -          count_o + the slots of this edge
//
// - Quiescence: with all inputs 0 an edge changes nothing.
`default_nettype none

module cm_slot_counter (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        begin_i,
    input  wire [1:0]  slots_i,
    input  wire        write_i,
    input  wire [10:0] data_i,
    output wire [10:0] count_o
);

    localparam [10:0] Most = 11'd2047;

    reg  [10:0] count_q;
    wire [11:0] sum = (begin_i ? 12'd0 : {1'b0, count_q}) + {11'd0, slots_i[0]} + {11'd0, slots_i[1]};

    always @(posedge clk_i)
        if (rst_i)
            count_q <= 11'd0;
        else if (write_i)
            count_q <= data_i;
        else
            count_q <= sum[11] ? Most : sum[10:0];

    assign count_o = count_q;

`ifdef FORMAL
`include "properties/cm_slot_counter.fv.vh"
`endif

endmodule

`default_nettype wire
