// SPDX-License-Identifier: Apache-2.0
// lowest_select: finds the lowest set bit of 64.
//
// Contract
// - Combinational, in two steps of eight: the first byte that is not 0, and the first bit of it.
// - any_o: at least one bit is set. index_o is the number of the lowest, or 0 without one.
`default_nettype none

module lowest_select (
    input  wire [63:0] bits_i,
    output wire        any_o,
    output wire [5:0]  index_o
);

    function [7:0] first; // its lowest bit alone
        input [7:0] of;
        first = of & (~of + 8'd1);
    endfunction

    function [2:0] number; // of the only bit that is set
        input [7:0] of;
        number = {|(of & 8'hf0), |(of & 8'hcc), |(of & 8'haa)};
    endfunction

    reg [7:0] bytes; // that are not 0
    reg [7:0] chosen;
    reg [7:0] first_byte;
    integer   i;

    always @* begin
        for (i = 0; i < 8; i = i + 1)
            bytes[i] = |bits_i[8*i+:8];
        first_byte = first(bytes);
        chosen     = 8'd0;
        for (i = 0; i < 8; i = i + 1)
            chosen = chosen | (bits_i[8*i+:8] & {8{first_byte[i]}});
    end

    assign any_o   = |bytes;
    assign index_o = {number(first_byte), number(first(chosen))};

`ifdef FORMAL
`include "properties/lowest_select.fv.vh"
`endif

endmodule

`default_nettype wire
