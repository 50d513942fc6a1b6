// SPDX-License-Identifier: Apache-2.0
// concurrency_unit: the central part of concurrency management, a tile (docs/design/concurrency.md): one per
// machine, beside the block scheduler (CM-BAL 4.1, Figure 11). It reads the memory partitions'
// mem_stall_monitors and commands the sm_concurrency_unit of every core.
//
// Contract
// - That of cm_controller. All outputs are registers with defined values from reset on.
// - Inputs at an edge already show what the machine did with the outputs of the edge before.
`default_nettype none
`include "evgpu_defs.vh"

module concurrency_unit (
    input  wire        clk_i,
    input  wire        rst_i,
    // Software
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [3:0]  reg_addr_i,
    input  wire [15:0] reg_data_i,
    output wire        reg_done_o,
    output wire        reg_error_o,
    output wire [15:0] reg_rdata_o,
    // Monitors of the memory partitions
    output wire        mon_read_o,
    output wire [3:0]  mon_index_o,
    input  wire        mon_valid_i,
    input  wire [9:0]  mon_mc_i,
    input  wire [9:0]  mon_net_i,
    // All cores
    output wire        cm_tick_o,
    output wire [1:0]  cm_decision_o,
    output wire        cm_set_o,
    output wire [1:0]  cm_mode_o,
    output wire [10:0] cm_k_o,
    output wire [2:0]  cm_patience_o,
    output wire [5:0]  cm_pivot_o,
    // Observation
    output wire [1:0]  state_o,
    output wire        idle_o
);

    cm_controller #(.Partitions(`EVG_CM_PARTITIONS)) u_controller (
        .clk_i(clk_i), .rst_i(rst_i), .reg_valid_i(reg_valid_i), .reg_write_i(reg_write_i),
        .reg_addr_i(reg_addr_i), .reg_data_i(reg_data_i), .reg_done_o(reg_done_o),
        .reg_error_o(reg_error_o), .reg_rdata_o(reg_rdata_o), .mon_read_o(mon_read_o),
        .mon_index_o(mon_index_o), .mon_valid_i(mon_valid_i), .mon_mc_i(mon_mc_i),
        .mon_net_i(mon_net_i), .cm_tick_o(cm_tick_o), .cm_decision_o(cm_decision_o),
        .cm_set_o(cm_set_o), .cm_mode_o(cm_mode_o), .cm_k_o(cm_k_o),
        .cm_patience_o(cm_patience_o), .cm_pivot_o(cm_pivot_o), .state_o(state_o),
        .idle_o(idle_o)
    );

endmodule

`default_nettype wire
