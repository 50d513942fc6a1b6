// SPDX-License-Identifier: Apache-2.0
// The bound of the evidence with an average near its highest value, at each caution: evidence at the bound moves
// no pair, one more does.
`default_nettype none
`include "evgpu_defs.vh"

module cm_next_core_bench;
    reg         clk = 1'b0, rst = 1'b1, tick = 1'b0, set = 1'b0;
    reg  [1:0]  ready = 2'b11;
    wire [5:0]  limit;
    wire        done, error, idle;
    wire [15:0] data;
    wire [3:0]  state;
    integer     caution, half, side, i, bound, errors = 0;

    cm_next_core dut (
        .clk_i(clk), .rst_i(rst), .tick_i(tick), .decision_i(`EVG_CM_DECISION_UP), .set_i(set),
        .mode_i(`EVG_CM_MODE_BAL), .k_i(11'd0), .patience_i(3'd0), .pivot_i(6'd0), .active_i(1'b1),
        .sched_ready_i(ready), .sched_full_i(2'b00), .kernel_begin_i(1'b0), .kernel_end_i(1'b0),
        .limit_o(limit), .reg_valid_i(1'b0), .reg_write_i(1'b0), .reg_addr_i(4'd0), .reg_data_i(16'd0),
        .reg_done_o(done), .reg_error_o(error), .reg_rdata_o(data), .state_o(state), .idle_o(idle));

    task cycle;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
    endtask

    task interval; // that issues two at each of 1000 edges
        begin
            for (i = 0; i < 999; i = i + 1)
                cycle;
            tick = 1'b1;
            cycle;
            tick = 1'b0;
        end
    endtask

    task decide(input integer evidence, input [5:0] want);
        begin
            // A search from the pair of 6 and 8 warps: two turns of the upper level around one of the lower one
            dut.limit_q = 6'd8;
            set = 1'b1;
            cycle;
            set = 1'b0;
            for (half = 0; half < 6; half = half + 1) begin
                if (half == 5) begin
                    dut.evidence_q = evidence;
                    dut.caution_q  = caution[2:0];
                end
                interval;
            end
            for (i = 0; i < 20; i = i + 1)
                cycle;
            if (limit !== want) begin
                $display("caution %0d, evidence %0d: limit %0d instead of %0d", caution, evidence, limit, want);
                errors = errors + 1;
            end
        end
    endtask

    initial begin
        cycle;
        rst = 1'b0;
        for (caution = 1; caution <= 4; caution = caution + 1) begin
            bound = 2000 * (1 << caution) / 8;
            decide(bound, 6'd6);      // stays: the lower level's turn
            decide(bound + 1, 6'd12); // one up, with its upper level
            decide(-bound, 6'd6);
            decide(-bound - 1, 6'd4); // one down, with its lower level
            decide(bound / 2 + 1, 6'd6);
        end
        if (errors == 0)
            $display("passed");
    end
endmodule
