// SPDX-License-Identifier: Apache-2.0
// top_ice40_hx8k: Lattice iCE40-HX8K breakout board, 12 MHz: one tile, which the parameters choose
// (docs/design/fpga.md).
`default_nettype none

module top_ice40_hx8k #(
    parameter FrontEnds        = 0,
    parameter EventUnits       = 1,
    parameter MemFrontEnds     = 0,
    parameter ConcurrencyUnits = 0,
    parameter CoreConcurrency  = 0
) (
    input  wire clk_i,
    input  wire rx_i,
    output wire tx_o,
    output wire led_o // lit while a request is being obeyed
);

    // Reset for the first cycles: flip-flops are 0 after configuration.
    reg [4:0] start_q = 5'd0;
    always @(posedge clk_i)
        if (!start_q[4])
            start_q <= start_q + 1'b1;

    board_link #(
        .ClocksPerBit(12), // of 1 Mbaud
        .FrontEnds(FrontEnds), .EventUnits(EventUnits), .MemFrontEnds(MemFrontEnds),
        .ConcurrencyUnits(ConcurrencyUnits), .CoreConcurrency(CoreConcurrency),
        .Small(1)
    ) link (
        .clk_i(clk_i), .rst_i(!start_q[4]), .rx_i(rx_i), .tx_o(tx_o), .busy_o(led_o),
        .leds_o()
    );

endmodule
`default_nettype wire
