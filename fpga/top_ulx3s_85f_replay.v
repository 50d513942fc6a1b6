// SPDX-License-Identifier: Apache-2.0
// top_ulx3s_85f_replay: Radiona ULX3S with the LFE5U-85F: one tile, which the parameters choose, gets recorded
// inputs at 50 MHz, twice the oscillator (docs/design/fpga.md).
`default_nettype none

module top_ulx3s_85f_replay #(
    parameter FrontEnds        = 0,
    parameter EventUnits       = 1,
    parameter MemFrontEnds     = 0,
    parameter ConcurrencyUnits = 0,
    parameter CoreConcurrency  = 0
) (
    input  wire       clk_i, // 25 MHz
    input  wire       rx_i,
    output wire       tx_o,
    output wire [7:0] led_o  // as of replay_slot
);

    wire clk, locked;
    pll_50_ulx3s pll (.clk_i(clk_i), .clk_o(clk), .locked_o(locked));

    // Reset until the clock is stable: flip-flops are 0 after configuration.
    reg [4:0] start_q = 5'd0;
    always @(posedge clk)
        if (!locked)
            start_q <= 5'd0;
        else if (!start_q[4])
            start_q <= start_q + 1'b1;

    board_link #(
        .ClocksPerBit(50), // of 1 Mbaud
        .FrontEnds(FrontEnds), .EventUnits(EventUnits), .MemFrontEnds(MemFrontEnds),
        .ConcurrencyUnits(ConcurrencyUnits), .CoreConcurrency(CoreConcurrency),
        .Replay(1)
    ) link (
        .clk_i(clk), .rst_i(!start_q[4]), .rx_i(rx_i), .tx_o(tx_o), .busy_o(), .leds_o(led_o)
    );

endmodule
`default_nettype wire
