// SPDX-License-Identifier: Apache-2.0
// saturating_counter: counts pulses and stops at its highest value.
//
// Contract
// - value_o is a register: count_i in cycle t shows in cycle t+1. At 2**Width - 1 it stays.
// - clear_i sets it to 0; with count_i in the same cycle, to 1.
//
//     cycle      t    t+1   t+2   t+3   t+4     Width 2
//     count_i    1    1     1     0     0
//     clear_i    0    0     1     1     0
//     value_o    2    3     3     1     0
//
// - No illegal input.
`default_nettype none

module saturating_counter #(
    parameter Width = 32
) (
    input  wire             clk_i,
    input  wire             rst_i,
    input  wire             clear_i,
    input  wire             count_i,
    output wire [Width-1:0] value_o
);

    generate
        if (Width < 1) begin : g_check
            saturating_counter_needs_a_width_of_at_least_1 check_parameters ();
        end
    endgenerate

    reg [Width-1:0] value_q, value_d;

    always @* begin
        value_d = clear_i ? {Width{1'b0}} : value_q;
        if (count_i && value_d != {Width{1'b1}})
            value_d = value_d + 1'b1;
    end

    always @(posedge clk_i)
        if (rst_i)
            value_q <= {Width{1'b0}};
        else
            value_q <= value_d;

    assign value_o = value_q;

`ifdef FORMAL
`include "properties/saturating_counter.fv.vh"
`endif

endmodule

`default_nettype wire
