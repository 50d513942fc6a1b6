// SPDX-License-Identifier: Apache-2.0
// top_ice40_hx8k_replay: Lattice iCE40-HX8K breakout board: one tile, which the parameters choose, gets recorded
// inputs at 50 MHz (docs/design/fpga.md).
`default_nettype none

module top_ice40_hx8k_replay #(
    parameter FrontEnds        = 0,
    parameter EventUnits       = 0,
    parameter MemFrontEnds     = 0,
    parameter ConcurrencyUnits = 1,
    parameter CoreConcurrency  = 0
) (
    input  wire       clk_i, // 12 MHz
    input  wire       rx_i,
    output wire       tx_o,
    output wire [7:0] led_o  // as of replay_slot
);

    // 12 MHz x 67 / 16 = 50.25 MHz
    wire clk, locked;
    SB_PLL40_CORE #(
        .FEEDBACK_PATH("SIMPLE"), .DIVR(4'd0), .DIVF(7'd66), .DIVQ(3'd4), .FILTER_RANGE(3'd1)
    ) pll (
        .REFERENCECLK(clk_i), .PLLOUTGLOBAL(clk), .LOCK(locked), .RESETB(1'b1), .BYPASS(1'b0)
    );

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
        .Small(1), .Replay(1)
    ) link (
        .clk_i(clk), .rst_i(!start_q[4]), .rx_i(rx_i), .tx_o(tx_o), .busy_o(), .leds_o(led_o)
    );

endmodule
`default_nettype wire
