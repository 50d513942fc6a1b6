// SPDX-License-Identifier: Apache-2.0
// free_random: a new pseudo-random word in every cycle (xorshift32; Marsaglia 2003).
//
// Contract
// - load_i: seed_i is the word from the next cycle on; a seed of 0 acts as 1. value_o is 1 after reset.
`default_nettype none

module free_random (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        load_i,
    input  wire [31:0] seed_i,
    output wire [31:0] value_o
);

    reg [31:0] value_q;

    wire [31:0] left   = value_q ^ {value_q[18:0], 13'd0};
    wire [31:0] right  = left ^ {17'd0, left[31:17]};
    wire [31:0] value_d = right ^ {right[26:0], 5'd0};

    always @(posedge clk_i)
        if (rst_i)
            value_q <= 32'd1;
        else if (load_i)
            value_q <= seed_i == 0 ? 32'd1 : seed_i;
        else
            value_q <= value_d;

    assign value_o = value_q;

endmodule
`default_nettype wire
