// SPDX-License-Identifier: Apache-2.0
// top_ulx3s_85f: Radiona ULX3S with the LFE5U-85F, 25 MHz: every tile, 4 cores, 2 partitions.
`default_nettype none

module top_ulx3s_85f (
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
        .ClocksPerBit(25), // of 1 Mbaud
        .FrontEnds(1), .EventUnits(4), .MemFrontEnds(2), .ConcurrencyUnits(1), .CoreConcurrency(4)
    ) link (
        .clk_i(clk_i), .rst_i(!start_q[4]), .rx_i(rx_i), .tx_o(tx_o), .busy_o(led_o),
        .leds_o()
    );

endmodule
`default_nettype wire
