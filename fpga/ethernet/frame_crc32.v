// SPDX-License-Identifier: Apache-2.0
// frame_crc32: the check sequence of Ethernet (IEEE 802.3, 3.2.9), one byte further.
//
// Contract
// - Combinational. Started at all ones; inverted, lowest byte first, it ends a frame. Over a frame and its
//   check sequence it is 0xdebb20e3.
`default_nettype none

module frame_crc32 (
    input  wire [31:0] crc_i,
    input  wire [7:0]  data_i,
    output wire [31:0] crc_o
);

    function [31:0] next;
        input [31:0] old;
        input [7:0]  data;
        integer      i;
        begin
            next = old ^ {24'b0, data};
            for (i = 0; i < 8; i = i + 1)
                next = {1'b0, next[31:1]} ^ (next[0] ? 32'hedb88320 : 32'h0);
        end
    endfunction

    assign crc_o = next(crc_i, data_i);

endmodule
`default_nettype wire
