// SPDX-License-Identifier: Apache-2.0
// Reads what was written, holds it until the next read, and leaves it alone on writes.
`default_nettype none

module single_port_ram_bench;
    reg        clk = 1'b0, enable = 1'b0, write = 1'b0;
    reg  [2:0] address = 3'd0;
    reg  [7:0] data = 8'd0;
    wire [7:0] q;
    reg  [7:0] kept [0:7];
    reg  [7:0] shown;
    integer    i, errors = 0, seed = 1;

    single_port_ram #(.Width(8), .Depth(8), .AddressBits(3)) dut (
        .clk_i(clk), .enable_i(enable), .write_i(write), .address_i(address), .data_i(data),
        .data_o(q));

    task step;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (enable && write)
                kept[address] = data;
            else if (enable)
                shown = kept[address];
        end
    endtask

    initial begin
        enable = 1'b1;
        write  = 1'b1;
        for (i = 0; i < 8; i = i + 1) begin
            address = i[2:0];
            data    = $random(seed);
            step;
        end
        write = 1'b0;
        step;
        for (i = 0; i < 2000; i = i + 1) begin
            {enable, write, address, data} = $random(seed);
            step;
            if (q !== shown) begin
                $display("step %0d: %h instead of %h", i, q, shown);
                errors = errors + 1;
            end
        end
        if (errors == 0)
            $display("passed");
    end
endmodule
