// SPDX-License-Identifier: Apache-2.0
// Random pushes and pops, also illegal ones, against a queue kept as an array with two counters.
`default_nettype none

module sync_fifo_bench;
    reg        clk = 1'b0, rst = 1'b1, push = 1'b0, pop = 1'b0;
    reg  [7:0] data = 8'd0;
    wire [7:0] oldest;
    wire       full, empty;
    wire [2:0] count;
    reg  [7:0] kept [0:65535];
    integer    cycle, pushed = 0, popped = 0, errors = 0, was_full = 0, was_empty = 0;
    integer    seed = 1;

    sync_fifo #(.Width(8), .Depth(4), .DepthLog2(2)) dut (
        .clk_i(clk), .rst_i(rst), .push_i(push), .data_i(data), .full_o(full),
        .pop_i(pop), .data_o(oldest), .empty_o(empty), .count_o(count));

    task check(input ok);
        if (ok !== 1'b1) begin
            $display("cycle %0d: full %b empty %b count %0d of %0d, oldest %h", cycle, full, empty,
                     count, pushed - popped, oldest);
            errors = errors + 1;
        end
    endtask

    initial begin
        #1 clk = 1'b1;
        #1 clk = 1'b0;
        rst = 1'b0;
        for (cycle = 0; cycle < 20000; cycle = cycle + 1) begin
            check(full === (pushed - popped == 4));
            check(empty === (pushed == popped));
            check(count === pushed - popped);
            if (pushed != popped)
                check(oldest === kept[popped]);
            was_full  = was_full + full;
            was_empty = was_empty + empty;
            // phases of filling and of emptying
            push = $unsigned($random(seed)) % 4 > (cycle / 50) % 3;
            pop  = $unsigned($random(seed)) % 4 < (cycle / 50) % 3 + 1;
            data = $random(seed);
            if (push && (pushed - popped < 4 || pop)) begin
                kept[pushed] = data;
                pushed = pushed + 1;
                if (pop && pushed - popped > 1)
                    popped = popped + 1;
            end else if (pop && pushed != popped)
                popped = popped + 1;
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
        check(was_full > 100 && was_empty > 100 && pushed > 5000);
        if (errors == 0)
            $display("passed");
    end
endmodule
