// SPDX-License-Identifier: Apache-2.0
// frame_crc: one byte of CRC-16/CCITT (polynomial 0x1021, most significant bit first).
//
// Contract
// - Combinational. Started at 0xffff; over a message followed by its CRC, high byte first, it is 0.
`default_nettype none

module frame_crc (
    input  wire [15:0] crc_i,
    input  wire [7:0]  data_i,
    output wire [15:0] crc_o
);

    function [15:0] next;
        input [15:0] old;
        input [7:0]  data;
        integer      i;
        begin
            next = old ^ {data, 8'b0};
            for (i = 0; i < 8; i = i + 1)
                next = {next[14:0], 1'b0} ^ (next[15] ? 16'h1021 : 16'h0);
        end
    endfunction

    assign crc_o = next(crc_i, data_i);

endmodule
`default_nettype wire
