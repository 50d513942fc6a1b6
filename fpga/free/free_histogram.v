// SPDX-License-Identifier: Apache-2.0
// free_histogram: counts values by class, in a block RAM: 16 bins of one value each, above them eight to
// an octave, up to 65,535.
//
// Contract
// - Every cycle may add a value. A value of class c is counted in the bin {c, bin}; the count can be read
//   four cycles later.
// - clear_i sets the bin clear_at_i to 0; nothing is added then.
// - read_o is the bin read_at_i, one cycle later.
`default_nettype none

module free_histogram (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        clear_i,
    input  wire [8:0]  clear_at_i,
    input  wire        add_i,
    input  wire [1:0]  class_i,
    input  wire [15:0] value_i,
    input  wire [8:0]  read_at_i,
    output wire [31:0] read_o
);

    function [6:0] bin(input [15:0] v);
        begin
            if (v[15:4] == 12'd0)
                bin = {3'd0, v[3:0]};
            else if (v[15])
                bin = {4'd13, v[14:12]};
            else if (v[14])
                bin = {4'd12, v[13:11]};
            else if (v[13])
                bin = {4'd11, v[12:10]};
            else if (v[12])
                bin = {4'd10, v[11:9]};
            else if (v[11])
                bin = {4'd9, v[10:8]};
            else if (v[10])
                bin = {4'd8, v[9:7]};
            else if (v[9])
                bin = {4'd7, v[8:6]};
            else if (v[8])
                bin = {4'd6, v[7:5]};
            else if (v[7])
                bin = {4'd5, v[6:4]};
            else if (v[6])
                bin = {4'd4, v[5:3]};
            else if (v[5])
                bin = {4'd3, v[4:2]};
            else
                bin = {4'd2, v[3:1]};
        end
    endfunction

    reg [31:0] count [0:511];
    reg        add_q, write_q, same_q;
    reg [8:0]  add_at_q, write_at_q;
    reg [31:0] old_q, new_q, read_q;

    // Read in one cycle, written in the next; the same bin twice in a row is handed on.
    wire [31:0] more = (same_q ? new_q : old_q) + 1'b1;

    always @(posedge clk_i) begin
        add_q      <= add_i && !rst_i;
        add_at_q   <= {class_i, bin(value_i)};
        write_q    <= add_q && !rst_i;
        write_at_q <= add_at_q;
        same_q     <= write_q && write_at_q == add_at_q;
        new_q      <= more;
        old_q      <= count[add_at_q];
        if (clear_i || write_q)
            count[clear_i ? clear_at_i : write_at_q] <= clear_i ? 32'd0 : more;
        read_q     <= count[read_at_i];
    end

    assign read_o = read_q;

endmodule
`default_nettype wire
