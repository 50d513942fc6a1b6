// SPDX-License-Identifier: Apache-2.0
// free_latency_bench: each push of four cores is counted, with its latency, when all push three cycles
// apart as often as their tables have entries, at the same time or one after the other. A second push of
// an entry that has not been counted is told. Prints "passed".
`timescale 1ns / 1ps

module free_latency_bench;

    reg         clk = 1'b0, rst = 1'b1, acc = 1'b0;
    reg  [15:0] now = 16'd0;
    reg  [9:0]  acc_at = 10'd0;
    reg  [3:0]  push = 4'd0;
    reg  [7:0]  entry = 8'd0;
    reg  [39:0] at = 40'd0;
    wire [143:0] launch_sum;
    wire        lost;
    integer     skew, n, c, t, expected, losses = 0, wrong = 0;

    always #5 clk = !clk;

    free_latency dut (
        .clk_i(clk), .rst_i(rst), .now_i(now), .clear_i(1'b0), .clear_at_i(9'd0), .acc_i(acc), .acc_at_i(acc_at),
        .hold_i(4'd0), .push_i(push), .push_entry_i(entry), .push_at_i(at), .fresh_i(4'hf), .spare_i(4'd0),
        .read_at_i(9'd0), .launch_bin_o(), .take_bin_o(), .launch_sum_o(launch_sum), .take_sum_o(),
        .launch_most_o(), .take_most_o(), .launch_last_o(), .lost_o(lost)
    );

    task step;
        begin
            @(negedge clk) if (lost)
                losses = losses + 1;
            @(posedge clk) #1 now = now + 16'd1;
        end
    endtask

    // Doorbell c + 4 * n has been rung when `now` was c + 4 * n: acc_i comes two cycles later.
    task ring;
        for (n = 0; n < 16; n = n + 1) begin
            acc    = 1'b1;
            acc_at = n;
            step;
        end
    endtask

    initial begin
        for (skew = 0; skew < 4; skew = skew + 1) begin
            rst = 1'b1;
            step; step;
            rst = 1'b0;
            now = 16'd2;
            ring;
            acc = 1'b0;
            expected = 0;
            for (t = 0; t < 30; t = t + 1) begin
                for (c = 0; c < 4; c = c + 1) begin
                    n = t - skew * c; // this core's time
                    push[c] = n >= 0 && n % 3 == 0 && n < 12;
                    entry[2 * c +: 2] = n / 3;
                    at[10 * c +: 10]  = c + 4 * (n / 3);
                    if (push[c])
                        expected = expected + now - (c + 4 * (n / 3));
                end
                step;
            end
            if (losses != 0 || launch_sum[47:0] != expected) begin
                $display("skew %0d: %0d lost, sum %0d instead of %0d", skew, losses, launch_sum[47:0], expected);
                wrong = wrong + 1;
            end
        end
        entry = 8'd0;
        push  = 4'hf; // all: the highest core's waits for three others
        step;
        push = 4'h8;
        step;
        push = 4'h0;
        if (losses != 1) begin
            $display("%0d lost instead of 1", losses);
            wrong = wrong + 1;
        end
        $display("%0s", wrong ? "failed" : "passed");
        $finish;
    end

endmodule
