// SPDX-License-Identifier: Apache-2.0
// The limit of a flush to the edge, and what counts where two inputs meet at one edge.
`default_nettype none

module flush_watch_bench;
    reg         clk = 1'b0, rst = 1'b1, start = 1'b0, flushing = 1'b0, give_up = 1'b0, clear = 1'b0;
    reg  [15:0] limit = 16'd0;
    reg  [5:0]  warp = 6'd0;
    wire        over;
    wire [63:0] tried;
    reg  [63:0] want = 64'd0;
    integer     n, i, errors = 0;

    flush_watch dut (
        .clk_i(clk), .rst_i(rst), .cfg_limit_i(limit), .start_i(start), .flushing_i(flushing), .over_o(over),
        .give_up_i(give_up), .warp_i(warp), .clear_i(clear), .tried_o(tried));

    task edge_with(input a_start, input a_flushing, input a_give_up, input a_clear, input want_over);
        begin
            start    = a_start;
            flushing = a_flushing;
            give_up  = a_give_up;
            clear    = a_clear;
            #1;
            if (over !== want_over) begin
                $display("limit %0d: over is %b", limit, over);
                errors = errors + 1;
            end
            clk = 1'b1;
            #1 clk = 1'b0;
            #1;
            if (tried !== want) begin
                $display("tried %h instead of %h", tried, want);
                errors = errors + 1;
            end
        end
    endtask

    // A flush of `n` edges; its limit is that of the edge of start_i.
    task flush(input [15:0] n);
        begin
            limit = n;
            edge_with(1'b1, 1'b0, 1'b0, 1'b0, 1'b0);
            limit = 16'd3;
            for (i = 1; i < n; i = i + 1)
                edge_with(1'b0, 1'b1, 1'b0, 1'b0, 1'b0);
        end
    endtask

    initial begin
        edge_with(1'b0, 1'b0, 1'b0, 1'b0, 1'b0);
        rst = 1'b0;
        for (n = 1; n < 70; n = n + 1) begin
            flush(n[15:0]);
            edge_with(1'b0, 1'b0, 1'b0, 1'b0, 1'b0); // not looked at: the time stands
            warp       = n[5:0];
            want[warp] = 1'b1;
            edge_with(1'b0, 1'b1, 1'b1, 1'b0, 1'b1);
            edge_with(1'b0, 1'b1, 1'b0, 1'b0, 1'b0); // over once
        end
        // Both clear and give up: cleared.
        flush(16'd2);
        want = 64'd0;
        edge_with(1'b0, 1'b1, 1'b1, 1'b1, 1'b1);
        // A start while the flush runs, at its last edge too: the time begins anew.
        flush(16'd5);
        limit = 16'd4;
        edge_with(1'b1, 1'b1, 1'b0, 1'b0, 1'b1);
        for (i = 1; i < 4; i = i + 1)
            edge_with(1'b0, 1'b1, 1'b0, 1'b0, 1'b0);
        edge_with(1'b0, 1'b1, 1'b0, 1'b0, 1'b1);
        // The highest limit, and none
        flush(16'hffff);
        edge_with(1'b0, 1'b1, 1'b0, 1'b0, 1'b1);
        limit = 16'd0;
        edge_with(1'b1, 1'b0, 1'b0, 1'b0, 1'b0);
        for (i = 0; i < 70000; i = i + 1)
            edge_with(1'b0, 1'b1, 1'b0, 1'b0, 1'b0);
        if (errors == 0)
            $display("passed");
    end
endmodule
