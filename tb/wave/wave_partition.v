// SPDX-License-Identifier: Apache-2.0
// wave_partition: the full/empty bits of a memory partition's synchronised region, of the lines that
// requests have been to (sim/gpu/wave/wave_bits.h), a bit per grain (fe_bit_ram); with grains of more than a
// word the bit behind them says that some words of the line are full in a grain that is not. As
// wave_run.
`default_nettype none
`include "evgpu_defs.vh"

module wave_partition (
    /* verilator tracing_off */
    input wire [32*4*`EVG_WAVE_BIT_ROWS-1:0] data_i
    /* verilator tracing_on */
);

    genvar i;
    generate
        for (i = 0; i < `EVG_WAVE_BIT_ROWS; i = i + 1) begin : line
            localparam At = 128 * i;
            wire        used    = data_i[At];
            wire [63:0] address = data_i[At+32+:64]; // in device memory
            wire [31:0] bits    = data_i[At+96+:32];
        end
    endgenerate

endmodule

`default_nettype wire
