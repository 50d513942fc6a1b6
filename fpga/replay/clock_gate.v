// SPDX-License-Identifier: Apache-2.0
// clock_gate: clk_i while enable_i is high, without a glitch.
//
// Contract
// - enable_i, a register of clk_i, is high in the cycles whose closing edge clk_o is to have.
`default_nettype none

module clock_gate (
    input  wire clk_i,
    input  wire enable_i,
    output wire clk_o
);

    // It changes while the clock is low.
    reg enable_q;
    always @(negedge clk_i)
        enable_q <= enable_i;

    assign clk_o = clk_i & enable_q;

endmodule
`default_nettype wire
