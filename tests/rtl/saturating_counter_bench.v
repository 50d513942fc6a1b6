// SPDX-License-Identifier: Apache-2.0
// Counts past the end, clears, and counts and clears in one cycle.
`default_nettype none

module saturating_counter_bench;
    reg        clk = 1'b0, rst = 1'b1, clear = 1'b0, count = 1'b0;
    wire [3:0] value;
    integer    i, errors = 0;

    saturating_counter #(.Width(4)) dut (
        .clk_i(clk), .rst_i(rst), .clear_i(clear), .count_i(count), .value_o(value));

    task step(input do_clear, input do_count, input [3:0] want);
        begin
            clear = do_clear;
            count = do_count;
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (value !== want) begin
                $display("value %0d instead of %0d", value, want);
                errors = errors + 1;
            end
        end
    endtask

    initial begin
        step(1'b0, 1'b1, 4'd0); // reset wins
        rst = 1'b0;
        for (i = 1; i <= 40; i = i + 1) begin
            step(1'b0, 1'b1, i < 15 ? i[3:0] : 4'd15);
            step(1'b0, 1'b0, i < 15 ? i[3:0] : 4'd15);
        end
        step(1'b1, 1'b1, 4'd1);
        step(1'b1, 1'b0, 4'd0);
        if (errors == 0)
            $display("passed");
    end
endmodule
