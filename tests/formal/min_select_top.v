// SPDX-License-Identifier: Apache-2.0
// min_select between registers: the engines want a clock.
`default_nettype none

module min_select_top #(
    parameter Lanes      = 8,
    parameter KeyWidth   = 4,
    parameter IndexWidth = 3
) (
    input  wire                      clk_i,
    input  wire                      enable_i,
    input  wire [Lanes-1:0]          valid_i,
    input  wire [Lanes*KeyWidth-1:0] keys_i,
    output wire                      any_o,
    output wire [IndexWidth-1:0]     index_o,
    output wire [KeyWidth-1:0]       key_o
);

    reg                      enable_q;
    reg [Lanes-1:0]          valid_q;
    reg [Lanes*KeyWidth-1:0] keys_q;

    always @(posedge clk_i) begin
        enable_q <= enable_i;
        valid_q  <= valid_i;
        keys_q   <= keys_i;
    end

    min_select #(.Lanes(Lanes), .KeyWidth(KeyWidth), .IndexWidth(IndexWidth)) u_min (
        .enable_i(enable_q), .valid_i(valid_q), .keys_i(keys_q), .any_o(any_o), .index_o(index_o),
        .key_o(key_o)
    );

endmodule

`default_nettype wire
