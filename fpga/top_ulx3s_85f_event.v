// SPDX-License-Identifier: Apache-2.0
// top_ulx3s_85f_event: Radiona ULX3S with the LFE5U-85F: event_system (docs/guide/integrate.md) with 1000 events,
// once after configuration, at the oscillator's 25 MHz. LED 7: ended; LED 6: stuck; LEDs 5 to 0: the sum's lowest bits.
`default_nettype none
`include "evgpu_defs.vh"

module top_ulx3s_85f_event (
    input  wire       clk_i, // 25 MHz
    input  wire       rx_i,  // not used
    output wire       tx_o,  // idle
    output reg  [7:0] led_o
);

    // Reset for the first cycles: flip-flops are 0 after configuration.
    reg [3:0] start_q = 4'd0;
    always @(posedge clk_i)
        if (!start_q[3])
            start_q <= start_q + 1'b1;

    wire        ring, ring_row, push, fresh, spare, save, exit, flag, sum_valid, ended;
    wire [15:0] blocks;
    wire [2:0]  state;
    wire [31:0] sum_data, sum;

    event_system system (
        .clk_i(clk_i), .rst_i(!start_q[3]), .policy_i(`EVG_VICTIM_POLICY_CHEAPEST),
        .events_i(16'd1000), .seed_i(16'h1234), .gap_i(8'hff), .ring_o(ring), .ring_row_o(ring_row),
        .push_o(push), .push_fresh_o(fresh), .push_spare_o(spare), .save_o(save), .exit_o(exit), .flag_o(flag),
        .blocks_o(blocks), .state_o(state), .sum_valid_o(sum_valid), .sum_data_o(sum_data),
        .sum_o(sum), .end_o(ended)
    );

    wire unused = &{1'b0, rx_i, ring, ring_row, push, fresh, spare, save, exit, flag, sum_valid, blocks, sum_data, sum[31:6]};

    always @(posedge clk_i)
        led_o <= {ended, state == `EVG_DRIVER_STATE_STUCK, sum[5:0]};

    assign tx_o = 1'b1;

endmodule
`default_nettype wire
