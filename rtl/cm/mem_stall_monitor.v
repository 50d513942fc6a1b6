// SPDX-License-Identifier: Apache-2.0
// mem_stall_monitor: counts the stalls of one memory partition in the present interval
// (CM-BAL 3.2.1: stall_MC, stall_net; two 10-bit counters per partition, 5, Hardware Overhead).
//
// Contract
// - stall_mc_o counts the edges with mc_valid_i and not mc_ready_i: a request stands before the memory
//   controller, whose queue is full. At most one per edge, however many wait behind it: the sum over all
//   partitions and an interval, divided by its cycles, lies between 0 and the number of partitions.
// - stall_net_o counts the edges with net_valid_i and not net_ready_i: a reply stands before the reply
//   network, which takes none.
// - Both stop at 2**Width - 1 until they are read.
// - read_i: the reader takes stall_mc_o and stall_net_o as they are before this edge; a stall at this
//   edge is the first of the next interval. So no stall is lost or counted twice.
//
//     cycle         t    t+1   t+2   t+3
//     mc_valid_i    1    1     1     0
//     mc_ready_i    0    1     0     -
//     read_i        0    0     1     0
//     stall_mc_o    0    1     1     1     the reader takes 1; the stall at t+2 is the next interval's
//
// - Outputs are registers: a stall at edge t shows after it.
// - Quiescence: with read_i low and no stall an edge changes nothing.
// - No illegal input.
`default_nettype none

module mem_stall_monitor #(
    parameter Width = 10 // 1023 of the 1024 cycles of the longest interval
) (
    input  wire             clk_i,
    input  wire             rst_i,
    // Memory controller
    input  wire             mc_valid_i,
    input  wire             mc_ready_i,
    // Reply network
    input  wire             net_valid_i,
    input  wire             net_ready_i,
    // cm_controller, once per interval
    input  wire             read_i,
    output wire [Width-1:0] stall_mc_o,
    output wire [Width-1:0] stall_net_o
);

    wire mc_stall  = mc_valid_i && !mc_ready_i;
    wire net_stall = net_valid_i && !net_ready_i;

    saturating_counter #(.Width(Width)) u_mc (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(read_i), .count_i(mc_stall), .value_o(stall_mc_o)
    );

    saturating_counter #(.Width(Width)) u_net (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(read_i), .count_i(net_stall), .value_o(stall_net_o)
    );

`ifdef FORMAL
`include "properties/mem_stall_monitor.fv.vh"
`endif

endmodule

`default_nettype wire
