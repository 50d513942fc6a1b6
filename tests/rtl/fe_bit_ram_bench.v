// SPDX-License-Identifier: Apache-2.0
// Every row keeps what was written last, whatever was read and written beside it: each row once, then random
// reads and writes in the same and in following cycles.
`default_nettype none

module fe_bit_ram_bench;
    parameter Lines = 2048;

    reg         clk = 1'b0, read = 1'b0, write = 1'b0;
    reg  [10:0] read_row, write_row;
    reg  [31:0] data;
    wire [31:0] bits, grain_bits;
    wire        lost, grain_lost, mixed, grain_mixed;
    reg  [31:0] want [0:Lines-1];
    reg  [31:0] expected;
    reg         looked = 1'b0;
    integer     i, seed = 1, errors = 0;

    fe_bit_ram #(.Lines(Lines)) dut (
        .clk_i(clk), .read_i(read), .read_row_i(read_row), .bits_o(bits), .lost_o(lost), .write_i(write),
        .write_row_i(write_row), .write_bits_i(data), .mixed_o(mixed));

    // With grains: whole grains are never lost.
    fe_bit_ram #(.Lines(Lines), .GrainWords(4), .PartLines(2)) grains (
        .clk_i(clk), .read_i(read), .read_row_i(read_row), .bits_o(grain_bits), .lost_o(grain_lost),
        .write_i(write), .write_row_i(write_row), .write_bits_i(spread(data)), .mixed_o(grain_mixed));

    function [31:0] spread; // a bit of four words each
        input [31:0] of;
        spread = {{4{of[28]}}, {4{of[24]}}, {4{of[20]}}, {4{of[16]}}, {4{of[12]}}, {4{of[8]}}, {4{of[4]}}, {4{of[0]}}};
    endfunction

    task cycle;
        begin
            if (write)
                want[write_row] = data;
            if (read) begin
                expected = want[read_row];
                looked   = 1'b1;
            end
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            if (looked && (bits !== expected || grain_bits !== spread(expected) || lost || grain_lost)) begin
                if (errors < 5)
                    $display("row %0d: %h instead of %h, grains %h", read_row, bits, expected, grain_bits);
                errors = errors + 1;
            end
        end
    endtask

    initial begin
        write = 1'b1;
        for (i = 0; i < Lines; i = i + 1) begin
            write_row = i;
            data      = i * 32'h9e3779b1 ^ i;
            read      = i > 0;
            read_row  = i - 1;
            cycle;
        end
        write = 1'b0;
        read  = 1'b1;
        for (i = Lines - 1; i >= 0; i = i - 1) begin
            read_row = i;
            cycle;
        end
        for (i = 0; i < 60000; i = i + 1) begin
            write     = $random(seed);
            read      = $random(seed);
            write_row = $random(seed);
            read_row  = i % 3 == 0 ? write_row : i % 3 == 1 ? write_row ^ (1 << i % 11) : $random(seed);
            data      = $random(seed);
            cycle;
        end
        write = 1'b0;
        read  = 1'b1;
        for (i = 0; i < Lines; i = i + 1) begin
            read_row = i;
            cycle;
        end
        if (errors == 0)
            $display("passed");
    end
endmodule
