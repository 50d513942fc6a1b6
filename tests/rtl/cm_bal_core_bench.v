// SPDX-License-Identifier: Apache-2.0
// The readings that are not the default ones: stall_GPU needs both conditions, averages are rounded,
// one invalid neighbour stops both comparisons, an interval in which a kernel begins or ends gives no
// average. Beside the default, on the same inputs.
`default_nettype none
`include "evgpu_defs.vh"

module cm_bal_core_bench;
    reg         clk = 1'b0, rst = 1'b1, tick = 1'b0, set = 1'b0, active = 1'b0;
    reg  [1:0]  decision = 2'd0, ready = 2'd0, full = 2'd0;
    reg         kernel_begin = 1'b0, kernel_end = 1'b0;
    reg         write = 1'b0, access = 1'b0;
    reg  [3:0]  addr = 4'd0;
    reg  [15:0] data = 16'd0;
    wire [5:0]  limit_a, limit_b;
    wire [15:0] rdata_a, rdata_b;
    wire [1:0]  done, error, idle;
    wire [7:0]  states;
    integer     i, errors = 0;

    cm_bal_core default_dut (
        .clk_i(clk), .rst_i(rst), .tick_i(tick), .decision_i(decision), .set_i(set),
        .mode_i(`EVG_CM_MODE_BAL), .k_i(11'd32), .patience_i(3'd0), .pivot_i(6'd6),
        .active_i(active), .sched_ready_i(ready), .sched_full_i(full), .kernel_begin_i(kernel_begin),
        .kernel_end_i(kernel_end), .limit_o(limit_a), .reg_valid_i(access), .reg_write_i(write),
        .reg_addr_i(addr), .reg_data_i(data), .reg_done_o(done[0]), .reg_error_o(error[0]),
        .reg_rdata_o(rdata_a), .state_o(states[3:0]), .idle_o(idle[0]));

    cm_bal_core #(.StallNeedsBoth(1), .RoundNearest(1), .InvalidStopsBoth(1), .ForgetTorn(1)) other_dut (
        .clk_i(clk), .rst_i(rst), .tick_i(tick), .decision_i(decision), .set_i(set),
        .mode_i(`EVG_CM_MODE_BAL), .k_i(11'd32), .patience_i(3'd0), .pivot_i(6'd6),
        .active_i(active), .sched_ready_i(ready), .sched_full_i(full), .kernel_begin_i(kernel_begin),
        .kernel_end_i(kernel_end), .limit_o(limit_b), .reg_valid_i(access), .reg_write_i(write),
        .reg_addr_i(addr), .reg_data_i(data), .reg_done_o(done[1]), .reg_error_o(error[1]),
        .reg_rdata_o(rdata_b), .state_o(states[7:4]), .idle_o(idle[1]));

    task step;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            access = 1'b0;
            tick = 1'b0;
            set = 1'b0;
            kernel_begin = 1'b0;
            kernel_end = 1'b0;
        end
    endtask

    task put(input [3:0] to, input [15:0] value);
        begin
            addr = to;
            data = value;
            write = 1'b1;
            access = 1'b1;
            step;
        end
    endtask

    task expect_register(input [3:0] from, input [15:0] want_a, input [15:0] want_b);
        begin
            addr = from;
            write = 1'b0;
            access = 1'b1;
            step;
            if (rdata_a !== want_a || rdata_b !== want_b) begin
                $display("register %0d: %0d, %0d instead of %0d, %0d", from, rdata_a, rdata_b,
                         want_a, want_b);
                errors = errors + 1;
            end
        end
    endtask

    // The end of an interval on 6 warps; averages of 4, 6 and 8 warps, 0: not valid.
    task decide(input [15:0] low, input [15:0] mid, input [15:0] high, input [15:0] stalls,
                input [1:0] what, input [5:0] want_a, input [5:0] want_b);
        begin
            put(`EVG_CM_CORE_REG_LIMIT, 16'd6);
            put(`EVG_CM_CORE_REG_VALID, 16'd0);
            if (low != 0)  put(`EVG_CM_CORE_REG_AVERAGE_3, low);
            if (mid != 0)  put(`EVG_CM_CORE_REG_AVERAGE_4, mid);
            if (high != 0) put(`EVG_CM_CORE_REG_AVERAGE_5, high);
            put(`EVG_CM_CORE_REG_STALL, stalls);
            tick = 1'b1;
            decision = what;
            repeat (10) step;
            if (limit_a !== want_a || limit_b !== want_b) begin
                $display("limits %0d, %0d instead of %0d, %0d", limit_a, limit_b, want_a, want_b);
                errors = errors + 1;
            end
        end
    endtask

    initial begin
        step;
        rst = 1'b0;
        set = 1'b1;
        step;
        // Two schedulers, every combination of ready and full, for one edge each.
        active = 1'b1;
        for (i = 0; i < 16; i = i + 1) begin
            {full, ready} = i[3:0];
            step;
        end
        active = 1'b0;
        expect_register(`EVG_CM_CORE_REG_STALL, 16'd24, 16'd8);
        // Rounding: (old + 3 * new) / 4 with each fraction.
        for (i = 0; i < 4; i = i + 1) begin
            decide(16'd0, 16'd8 + i[15:0], 16'd0, 16'd8, `EVG_CM_DECISION_HOLD, 6'd6, 6'd6);
            expect_register(`EVG_CM_CORE_REG_AVERAGE_4, 16'd8, i < 2 ? 16'd8 : 16'd9);
        end
        decide(16'd0, 16'd2047, 16'd0, 16'd2047, `EVG_CM_DECISION_HOLD, 6'd6, 6'd6);
        expect_register(`EVG_CM_CORE_REG_AVERAGE_4, 16'd2047, 16'd2047);
        // Neighbours: both valid, the upper one missing, the lower one missing.
        decide(16'd900, 16'd500, 16'd500, 16'd500, `EVG_CM_DECISION_DOWN, 6'd6, 6'd6);
        decide(16'd900, 16'd500, 16'd0, 16'd500, `EVG_CM_DECISION_DOWN, 6'd6, 6'd4);
        decide(16'd500, 16'd500, 16'd100, 16'd500, `EVG_CM_DECISION_DOWN, 6'd8, 6'd8);
        decide(16'd0, 16'd500, 16'd100, 16'd500, `EVG_CM_DECISION_DOWN, 6'd8, 6'd4);
        decide(16'd0, 16'd500, 16'd0, 16'd500, `EVG_CM_DECISION_UP, 6'd8, 6'd8);
        // A kernel begins, or ends, in mid-interval: what was counted before it is in the first average, or
        // there is none. The interval after it gives one.
        for (i = 0; i < 2; i = i + 1) begin
            kernel_begin = i == 0;
            kernel_end   = i == 1;
            step;
            decide(16'd0, 16'd0, 16'd0, 16'd700, `EVG_CM_DECISION_HOLD, 6'd6, 6'd6);
            expect_register(`EVG_CM_CORE_REG_VALID, 16'd16, 16'd0);
            expect_register(`EVG_CM_CORE_REG_AVERAGE_4, 16'd700, 16'd0);
            decide(16'd0, 16'd0, 16'd0, 16'd300, `EVG_CM_DECISION_HOLD, 6'd6, 6'd6);
            expect_register(`EVG_CM_CORE_REG_AVERAGE_4, 16'd300, 16'd300);
        end
        if (errors == 0)
            $display("passed");
    end
endmodule

`default_nettype wire
