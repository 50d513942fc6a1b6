// SPDX-License-Identifier: Apache-2.0
// Counts stalls of both kinds apart, stops at the top, is read without losing a stall.
`default_nettype none

module mem_stall_monitor_bench;
    reg        clk = 1'b0, rst = 1'b1, read = 1'b0;
    reg        mc_valid = 1'b0, mc_ready = 1'b0, net_valid = 1'b0, net_ready = 1'b0;
    wire [9:0] mc, net;
    integer    i, errors = 0;

    mem_stall_monitor dut (
        .clk_i(clk), .rst_i(rst), .mc_valid_i(mc_valid), .mc_ready_i(mc_ready),
        .net_valid_i(net_valid), .net_ready_i(net_ready), .read_i(read), .stall_mc_o(mc),
        .stall_net_o(net));

    task step(input [3:0] handshakes, input do_read, input [9:0] want_mc, input [9:0] want_net);
        begin
            {mc_valid, mc_ready, net_valid, net_ready} = handshakes;
            read = do_read;
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (mc !== want_mc || net !== want_net) begin
                $display("%0d, %0d instead of %0d, %0d", mc, net, want_mc, want_net);
                errors = errors + 1;
            end
        end
    endtask

    initial begin
        step(4'b1010, 1'b0, 10'd0, 10'd0); // reset wins
        rst = 1'b0;
        step(4'b1011, 1'b0, 10'd1, 10'd0);
        step(4'b1110, 1'b0, 10'd1, 10'd1);
        step(4'b0000, 1'b0, 10'd1, 10'd1); // nobody waits
        step(4'b0101, 1'b0, 10'd1, 10'd1);
        step(4'b1111, 1'b0, 10'd1, 10'd1);
        step(4'b1010, 1'b0, 10'd2, 10'd2);
        step(4'b1010, 1'b1, 10'd1, 10'd1); // the first of the next interval
        step(4'b0010, 1'b1, 10'd0, 10'd1);
        step(4'b1000, 1'b1, 10'd1, 10'd0);
        step(4'b0000, 1'b1, 10'd0, 10'd0);
        for (i = 1; i <= 1100; i = i + 1)
            step(4'b1000, 1'b0, i < 1023 ? i[9:0] : 10'd1023, 10'd0);
        for (i = 1; i <= 1100; i = i + 1)
            step(4'b0010, 1'b0, 10'd1023, i < 1023 ? i[9:0] : 10'd1023);
        step(4'b1010, 1'b1, 10'd1, 10'd1);
        if (errors == 0)
            $display("passed");
    end
endmodule

`default_nettype wire
