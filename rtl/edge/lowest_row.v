// SPDX-License-Identifier: Apache-2.0
// lowest_row: the number of the lowest row that is set, as a tree of pairs.
//
// Contract
// - Combinational, in RowBits steps. any_o: at least one row is set. row_o is the lowest, or the last row
//   without one.
`default_nettype none

module lowest_row #(
    parameter Rows    = 32,
    parameter RowBits = 5 // log2(Rows)
) (
    input  wire [Rows-1:0]    rows_i,
    output wire               any_o,
    output wire [RowBits-1:0] row_o
);

    generate
        if ((1 << RowBits) != Rows || RowBits < 1) begin : g_check
            lowest_row_needs_rows_a_power_of_two check_parameters ();
        end
    endgenerate

    // Step s has Rows >> s + 1 nodes, in the places of the lowest ones of the step before. A node knows
    // whether it has a row, and the lowest, counted from its first.
    reg [Rows-1:0]         set;
    reg [RowBits*Rows-1:0] number;
    integer                s, n;

    always @* begin
        set    = rows_i;
        number = {RowBits * Rows{1'b0}};
        for (s = 0; s < RowBits; s = s + 1)
            for (n = 0; n < Rows >> (s + 1); n = n + 1) begin
                number[RowBits*n+:RowBits] = set[2*n] ? number[RowBits*2*n+:RowBits] : number[RowBits*(2*n+1)+:RowBits];
                number[RowBits*n+s]        = !set[2*n];
                set[n]                     = set[2*n] || set[2*n+1];
            end
    end

    assign any_o = set[0];
    assign row_o = number[RowBits-1:0];

`ifdef FORMAL
`include "properties/lowest_row.fv.vh"
`endif

endmodule

`default_nettype wire
