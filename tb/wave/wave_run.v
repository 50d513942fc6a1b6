// SPDX-License-Identifier: Apache-2.0
// wave_run: what a waveform of a run says beside the tiles (sim/gpu/wave/wave.c): time, trigger, the ways
// of events through the tiles, the rows of the event kernel table. Not synthesized; nothing but names
// for the bits of data_i, whose layout is struct wave_run in tb/probe.h.
`default_nettype none
`include "evgpu_defs.vh"

module wave_run (
    /* verilator tracing_off */
    input wire [32*(4+12*`EVG_WAVE_TRACKS+18*`EVG_EKT_ROWS)-1:0] data_i
    /* verilator tracing_on */
);

    localparam TrackBits = 32 * 12, RowBits = 32 * 18;
    localparam Tracks = 32 * 4, Rows = Tracks + TrackBits * `EVG_WAVE_TRACKS;
    localparam Queue  = 32 * 9; // second word of a row, a multiple of 32 bits behind the first

    wire [63:0] cycle = data_i[63:0];
    wire        trigger = data_i[64];
    wire [`EVG_WAVE_TRIGGER_WIDTH-1:0] trigger_kind = data_i[96+:`EVG_WAVE_TRIGGER_WIDTH];

    genvar i;
    generate
        for (i = 0; i < `EVG_WAVE_TRACKS; i = i + 1) begin : track
            localparam At = Tracks + TrackBits * i;
            wire [15:0]  tag  = data_i[At+:16];
            wire [4:0]   row  = data_i[At+32+:5];
            wire [`EVG_WAVE_STATION_WIDTH-1:0] station = data_i[At+64+:`EVG_WAVE_STATION_WIDTH];
            wire [5:0]   core  = data_i[At+96+:6];
            wire [1:0]   entry = data_i[At+128+:2];
            wire [5:0]   warp  = data_i[At+160+:6];
            wire [191:0] text  = data_i[At+192+:192]; // characters
        end
        for (i = 0; i < `EVG_EKT_ROWS; i = i + 1) begin : row // as event_kernel_table.v lays it out
            localparam At = Rows + RowBits * i;
            wire [55:0] kernel   = data_i[At+:56];
            wire [6:0]  registers = data_i[At+56+:7];
            wire [31:0] grid_x   = data_i[At+64+:32];
            wire [31:0] grid_y   = data_i[At+96+:32];
            wire [31:0] grid_z   = data_i[At+128+:32];
            wire [31:0] block_x  = data_i[At+160+:32];
            wire [31:0] block_y  = data_i[At+192+:32];
            wire [15:0] block_z  = data_i[At+224+:16];
            wire [5:0]  threads  = data_i[At+240+:6];
            wire [`EVG_PRIORITY_BITS-1:0] event_priority = data_i[At+246+:`EVG_PRIORITY_BITS];
            wire        one_warp = data_i[At+255];
            wire [15:0] shared   = {data_i[At+Queue+256+:8], data_i[At+256+:8]};
            wire [63:0] base     = data_i[At+Queue+:64];
            wire [63:0] head     = data_i[At+Queue+64+:64];
            wire [63:0] size     = data_i[At+Queue+128+:64];
            wire [63:0] last     = data_i[At+Queue+192+:64];
        end
    endgenerate

endmodule

`default_nettype wire
