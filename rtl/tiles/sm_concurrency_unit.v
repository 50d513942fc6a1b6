// SPDX-License-Identifier: Apache-2.0
// sm_concurrency_unit: concurrency management in one SIMT core, a tile (docs/design/concurrency.md): one per
// core, beside its warp schedulers (CM-BAL 4.2, Figure 11). A tile apart from concurrency_unit, because
// the two share no port but the broadcast from that one to these.
//
// Contract
// - That of cm_bal_core, or of cm_next_core with Next = 1. All outputs are registers with defined values
//   from reset on.
// - Inputs at an edge already show what the machine did with the outputs of the edge before.
`default_nettype none

module sm_concurrency_unit #(
    parameter StallNeedsBoth   = 0, // the readings of the paper: cm_bal_core
    parameter RoundNearest     = 0,
    parameter InvalidStopsBoth = 0,
    parameter ForgetTorn       = 0,
    parameter Next             = 0  // 1: cm_next_core instead, which none of those concerns
) (
    input  wire        clk_i,
    input  wire        rst_i,
    // concurrency_unit
    input  wire        cm_tick_i,
    input  wire [1:0]  cm_decision_i,
    input  wire        cm_set_i,
    input  wire [1:0]  cm_mode_i,
    input  wire [10:0] cm_k_i,
    input  wire [2:0]  cm_patience_i,
    input  wire [5:0]  cm_pivot_i,
    // SIMT core
    input  wire        core_active_i,
    input  wire [1:0]  sched_ready_i,
    input  wire [1:0]  sched_full_i,
    input  wire        kernel_begin_i,
    input  wire        kernel_end_i,
    output wire [5:0]  limit_o,
    // Software
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [3:0]  reg_addr_i,
    input  wire [15:0] reg_data_i,
    output wire        reg_done_o,
    output wire        reg_error_o,
    output wire [15:0] reg_rdata_o,
    // Observation
    output wire [3:0]  state_o,
    output wire        idle_o
);

    generate
        if (Next != 0 && Next != 1) begin : g_check
            sm_concurrency_unit_next_is_0_or_1 check_parameters ();
        end
        if (Next != 0) begin : g_next
            cm_next_core u_core (
                .clk_i(clk_i), .rst_i(rst_i), .tick_i(cm_tick_i), .decision_i(cm_decision_i),
                .set_i(cm_set_i), .mode_i(cm_mode_i), .k_i(cm_k_i), .patience_i(cm_patience_i),
                .pivot_i(cm_pivot_i), .active_i(core_active_i), .sched_ready_i(sched_ready_i),
                .sched_full_i(sched_full_i), .kernel_begin_i(kernel_begin_i),
                .kernel_end_i(kernel_end_i), .limit_o(limit_o), .reg_valid_i(reg_valid_i),
                .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_data_i(reg_data_i),
                .reg_done_o(reg_done_o), .reg_error_o(reg_error_o), .reg_rdata_o(reg_rdata_o),
                .state_o(state_o), .idle_o(idle_o)
            );
        end else begin : g_bal
            cm_bal_core #(
                .StallNeedsBoth(StallNeedsBoth), .RoundNearest(RoundNearest),
                .InvalidStopsBoth(InvalidStopsBoth), .ForgetTorn(ForgetTorn)
            ) u_core (
                .clk_i(clk_i), .rst_i(rst_i), .tick_i(cm_tick_i), .decision_i(cm_decision_i),
                .set_i(cm_set_i), .mode_i(cm_mode_i), .k_i(cm_k_i), .patience_i(cm_patience_i),
                .pivot_i(cm_pivot_i), .active_i(core_active_i), .sched_ready_i(sched_ready_i),
                .sched_full_i(sched_full_i), .kernel_begin_i(kernel_begin_i),
                .kernel_end_i(kernel_end_i), .limit_o(limit_o), .reg_valid_i(reg_valid_i),
                .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_data_i(reg_data_i),
                .reg_done_o(reg_done_o), .reg_error_o(reg_error_o), .reg_rdata_o(reg_rdata_o),
                .state_o(state_o), .idle_o(idle_o)
            );
        end
    endgenerate

endmodule

`default_nettype wire
