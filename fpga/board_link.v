// SPDX-License-Identifier: Apache-2.0
// board_link: everything of a board but its pins: the serial link and the tiles behind it
// (docs/design/fpga.md).
`default_nettype none

module board_link #(
    parameter ClocksPerBit     = 8, // of the serial line
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
    // Serial line
    input  wire rx_i,
    output wire tx_o,
    // A request is being obeyed or answered
    output wire busy_o,
    // The last output byte of the last tile: lights of a board that runs by itself
    output wire [7:0] leds_o
);

    localparam IndexBits = 9;

    wire                 rx_valid, frame_byte_valid, good, bad, hold;
    wire [7:0]           rx_data, frame_byte;
    wire [IndexBits-1:0] frame_index, length, message_length;
    wire                 message_valid, message_last, message_ready, frame_idle;
    wire [7:0]           message_byte, tx_data;
    wire                 tx_valid, tx_ready;
    wire                 unused = &{1'b0, message_length}; // a flag ends a reply on this line

    uart_rx #(.ClocksPerBit(ClocksPerBit)) receiver (
        .clk_i(clk_i), .rst_i(rst_i), .rx_i(rx_i), .valid_o(rx_valid), .data_o(rx_data)
    );
    frame_rx #(.IndexBits(IndexBits)) frames_in (
        .clk_i(clk_i), .rst_i(rst_i), .valid_i(rx_valid), .data_i(rx_data), .hold_i(hold),
        .byte_valid_o(frame_byte_valid), .byte_o(frame_byte), .index_o(frame_index),
        .good_o(good), .bad_o(bad), .length_o(length)
    );
    board_core #(
        .IndexBits(IndexBits), .FrontEnds(FrontEnds), .EventUnits(EventUnits), .MemFrontEnds(MemFrontEnds),
        .ConcurrencyUnits(ConcurrencyUnits), .CoreConcurrency(CoreConcurrency),
        .FreeRuns(FreeRuns), .Replay(Replay), .DepthBits(DepthBits), .Small(Small)
    ) core (
        .clk_i(clk_i), .rst_i(rst_i),
        .rx_hold_o(hold), .rx_valid_i(frame_byte_valid), .rx_byte_i(frame_byte),
        .rx_index_i(frame_index), .rx_good_i(good), .rx_bad_i(bad), .rx_length_i(length),
        .tx_valid_o(message_valid), .tx_byte_o(message_byte), .tx_last_o(message_last),
        .tx_length_o(message_length), .tx_ready_i(message_ready), .tx_idle_i(frame_idle),
        .leds_o(leds_o)
    );
    frame_tx frames_out (
        .clk_i(clk_i), .rst_i(rst_i), .valid_i(message_valid), .data_i(message_byte),
        .last_i(message_last), .ready_o(message_ready), .idle_o(frame_idle),
        .valid_o(tx_valid), .data_o(tx_data), .ready_i(tx_ready)
    );
    uart_tx #(.ClocksPerBit(ClocksPerBit)) transmitter (
        .clk_i(clk_i), .rst_i(rst_i), .valid_i(tx_valid), .data_i(tx_data), .ready_o(tx_ready),
        .tx_o(tx_o)
    );

    assign busy_o = hold || !frame_idle || !tx_ready;

endmodule
`default_nettype wire
