// SPDX-License-Identifier: Apache-2.0
// board_core: everything of a board but its line: link engine and tiles (docs/design/fpga.md).
//
// Contract
// - The ports to the line's receiver and transmitter are those of link_engine.
`default_nettype none

module board_core #(
    parameter IndexBits        = 9,
    parameter FrontEnds        = 1,
    parameter EventUnits       = 1,
    parameter MemFrontEnds     = 0,
    parameter ConcurrencyUnits = 0,
    parameter CoreConcurrency  = 0,
    parameter FreeRuns         = 0,
    parameter Replay           = 0, // 1: tiles get recorded inputs at the full clock
    parameter DepthBits        = 9, // ... of which so many words (log2) wait
    parameter Small            = 0 // 1: tiles reduced as rtl/evgpu.def says
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // Frame receiver
    output wire                 rx_hold_o,
    input  wire                 rx_valid_i,
    input  wire [7:0]           rx_byte_i,
    input  wire [IndexBits-1:0] rx_index_i,
    input  wire                 rx_good_i,
    input  wire                 rx_bad_i,
    input  wire [IndexBits-1:0] rx_length_i,
    // Frame transmitter
    output wire                 tx_valid_o,
    output wire [7:0]           tx_byte_o,
    output wire                 tx_last_o,
    output wire [IndexBits-1:0] tx_length_o,
    input  wire                 tx_ready_i,
    input  wire                 tx_idle_i,
    // The last output byte of the last tile: lights of a board that runs by itself
    output wire [7:0]           leds_o
);

    localparam Tiles     = FrontEnds + EventUnits + MemFrontEnds + ConcurrencyUnits +
                           CoreConcurrency + FreeRuns;
    localparam TileBits  = Tiles <= 2 ? 1 : Tiles <= 4 ? 2 : Tiles <= 8 ? 3 : Tiles <= 16 ? 4 :
                           Tiles <= 32 ? 5 : Tiles <= 64 ? 6 : Tiles <= 128 ? 7 : 8;

    wire [TileBits-1:0]  tile;
    wire                 clear, write, tile_reset, tile_edge, waits;
    wire [7:0]           index, data, out_byte;
    wire [8:0]           out_bytes;
    wire [31:0]          signature;

    link_engine #(.Tiles(Tiles), .TileBits(TileBits), .IndexBits(IndexBits)) engine (
        .clk_i(clk_i), .rst_i(rst_i),
        .rx_hold_o(rx_hold_o), .rx_valid_i(rx_valid_i), .rx_byte_i(rx_byte_i),
        .rx_index_i(rx_index_i), .rx_good_i(rx_good_i), .rx_bad_i(rx_bad_i), .rx_length_i(rx_length_i),
        .tx_valid_o(tx_valid_o), .tx_byte_o(tx_byte_o), .tx_last_o(tx_last_o),
        .tx_length_o(tx_length_o), .tx_ready_i(tx_ready_i), .tx_idle_i(tx_idle_i),
        .tile_o(tile), .clear_o(clear), .write_o(write), .index_o(index), .data_o(data),
        .tile_reset_o(tile_reset), .edge_o(tile_edge), .byte_i(out_byte),
        .out_bytes_i(out_bytes), .signature_i(signature), .waits_i(waits)
    );
    tile_bank #(
        .FrontEnds(FrontEnds), .EventUnits(EventUnits), .MemFrontEnds(MemFrontEnds),
        .ConcurrencyUnits(ConcurrencyUnits), .CoreConcurrency(CoreConcurrency),
        .FreeRuns(FreeRuns), .Replay(Replay), .DepthBits(DepthBits), .Small(Small),
        .TileBits(TileBits)
    ) bank (
        .clk_i(clk_i), .tile_i(tile), .clear_i(clear), .write_i(write), .index_i(index),
        .data_i(data), .tile_reset_i(tile_reset), .edge_i(tile_edge), .byte_o(out_byte),
        .out_bytes_o(out_bytes), .signature_o(signature), .waits_o(waits),
        .leds_o(leds_o)
    );

endmodule
`default_nettype wire
