// SPDX-License-Identifier: Apache-2.0
// block_threads: threads of a block, x times y times z, a bit of the second factor per cycle.
//
// Contract
// - start_i takes x_i and y_i; z_i stands still from then on. The product needs 2 * DimBits cycles
//   with run_i, which may come at any time after start_i; last_o is high in the last one.
// - From the cycle after that one on threads_o is the product, unless too_many_o says that it, or
//   x * y, is more than Most. A factor above Most is the user's to refuse, except that too_many_o
//   then means nothing.
//
//     clk        0     1     2          2*DimBits
//     start_i    --\_____________ ... ______________
//     run_i      __/------------- ... -------\______
//     last_o     ________________ ... /------\______
//     threads_o  XXXXXXXXXXXXXXXX ... XXXXXXXX| x*y*z
`default_nettype none

module block_threads #(
    parameter Most    = 1024, // power of two
    parameter DimBits = 11    // log2(Most) + 1
) (
    input  wire               clk_i,
    input  wire               start_i,
    input  wire               run_i,
    input  wire [DimBits-1:0] x_i,
    input  wire [DimBits-1:0] y_i,
    input  wire [DimBits-1:0] z_i,
    output wire               last_o,
    output wire [DimBits:0]   threads_o,
    output wire               too_many_o
);

    generate
        if (Most < 2 || Most > 1 << 14 || 1 << (DimBits - 1) != Most) begin : g_check
            block_threads_needs_a_power_of_two check_parameters ();
        end
    endgenerate

    localparam [31:0] Limit  = Most;
    localparam        Top    = DimBits - 1;
    localparam [3:0]  TopBit = Top[3:0];

    // By Horner's rule. The product only grows, so one that was too large once stays so.
    reg  [DimBits:0]   product_q, factor_q; // one bit more than is allowed
    reg  [DimBits-1:0] bits_q;              // of y or z that are left, highest first
    reg  [3:0]         left_q;              // bits
    reg                second_q;            // the factor is x * y
    reg                too_many_q;
    wire [DimBits:0]   product_d = {product_q[DimBits-1:0], 1'b0} +
                                   (bits_q[DimBits-1] ? factor_q : {DimBits + 1{1'b0}});
    wire               too_large = product_q > Limit[DimBits:0];

    always @(posedge clk_i)
        if (start_i) begin
            product_q  <= {DimBits + 1{1'b0}};
            factor_q   <= {1'b0, x_i};
            bits_q     <= y_i;
            left_q     <= TopBit;
            second_q   <= 1'b0;
            too_many_q <= 1'b0;
        end else if (run_i) begin
            if (too_large || factor_q > Limit[DimBits:0])
                too_many_q <= 1'b1;
            product_q <= product_d;
            bits_q    <= {bits_q[DimBits-2:0], 1'b0};
            left_q    <= left_q - 4'd1;
            if (left_q == 4'd0) begin
                left_q   <= TopBit;
                second_q <= 1'b1;
                if (!second_q) begin
                    factor_q  <= product_d;
                    bits_q    <= z_i;
                    product_q <= {DimBits + 1{1'b0}};
                end
            end
        end

    assign last_o     = second_q && left_q == 4'd0;
    assign threads_o  = product_q;
    assign too_many_o = too_many_q || too_large;

`ifdef FORMAL
`include "properties/block_threads.fv.vh"
`endif

endmodule

`default_nettype wire
