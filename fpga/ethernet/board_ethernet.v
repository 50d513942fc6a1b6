// SPDX-License-Identifier: Apache-2.0
// board_ethernet: everything of a board but its pins: Ethernet by a PHY with RMII and the tiles behind it
// (docs/design/fpga.md, "Ethernet"). clk_i is the PHY's reference clock of 50 MHz.
`default_nettype none
`include "evgpu_defs.vh"

module board_ethernet #(
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
    input  wire clk_i,
    input  wire rst_i,
    // PHY
    input  wire dv_i,
    input  wire [1:0] rxd_i,
    output wire en_o,
    output wire [1:0] txd_o,
    // A request is being obeyed or answered
    output wire busy_o,
    // The last output byte of the last tile: lights of a board that runs by itself
    output wire [7:0] leds_o
);

    localparam IndexBits = 9;
    localparam [47:0] MacHigh = `EVG_LINK_MAC_HIGH;
    localparam [47:0] MacLow  = `EVG_LINK_MAC_LOW;
    localparam [47:0] Mac     = (MacHigh << 32) | MacLow; // the board's address

    wire                 frame_byte_valid, good, hold;
    wire [7:0]           frame_byte;
    wire [IndexBits-1:0] frame_index, length, message_length;
    wire                 message_valid, message_last, message_ready, frame_idle;
    wire [7:0]           message_byte;
    wire [47:0]          peer;

    eth_rx #(.IndexBits(IndexBits), .Mac(Mac)) frames_in (
        .clk_i(clk_i), .rst_i(rst_i), .dv_i(dv_i), .rxd_i(rxd_i), .hold_i(hold),
        .byte_valid_o(frame_byte_valid), .byte_o(frame_byte), .index_o(frame_index),
        .good_o(good), .length_o(length), .peer_o(peer)
    );
    board_core #(
        .IndexBits(IndexBits), .FrontEnds(FrontEnds), .EventUnits(EventUnits), .MemFrontEnds(MemFrontEnds),
        .ConcurrencyUnits(ConcurrencyUnits), .CoreConcurrency(CoreConcurrency),
        .FreeRuns(FreeRuns), .Replay(Replay), .DepthBits(DepthBits), .Small(Small)
    ) core (
        .clk_i(clk_i), .rst_i(rst_i),
        .rx_hold_o(hold), .rx_valid_i(frame_byte_valid), .rx_byte_i(frame_byte),
        .rx_index_i(frame_index), .rx_good_i(good), .rx_bad_i(1'b0), .rx_length_i(length),
        .tx_valid_o(message_valid), .tx_byte_o(message_byte), .tx_last_o(message_last),
        .tx_length_o(message_length), .tx_ready_i(message_ready), .tx_idle_i(frame_idle),
        .leds_o(leds_o)
    );
    eth_tx #(.IndexBits(IndexBits), .Mac(Mac)) frames_out (
        .clk_i(clk_i), .rst_i(rst_i), .valid_i(message_valid), .data_i(message_byte),
        .last_i(message_last), .length_i(message_length), .ready_o(message_ready),
        .idle_o(frame_idle), .peer_i(peer), .en_o(en_o), .txd_o(txd_o)
    );

    assign busy_o = hold || !frame_idle;

endmodule
`default_nettype wire
