// SPDX-License-Identifier: Apache-2.0
// prefer_select: finds the lowest preferred bit that is set, or else the lowest that is set, as a tree of
// pairs.
//
// Contract
// - Combinational, in IndexWidth steps. prefer_i has those bits of bits_i that are preferred. any_o: a bit of
//   bits_i is set; preferred_o: one of prefer_i. index_o is the number of the lowest of prefer_i, or
//   without one that of bits_i; it has no value without any_o.
//
//     bits_i    prefer_i    any_o    preferred_o    index_o
//     0111      0110        1        1              1
//     0110      0000        1        0              1
//     0000      0000        0        0              -
//
// - Illegal: a bit of prefer_i that is not in bits_i.
`default_nettype none

module prefer_select #(
    parameter Lanes      = 64,
    parameter IndexWidth = 6 // log2(Lanes)
) (
    input  wire [Lanes-1:0]      bits_i,
    input  wire [Lanes-1:0]      prefer_i,
    output wire                  any_o,
    output wire                  preferred_o,
    output wire [IndexWidth-1:0] index_o
);

    generate
        if ((1 << IndexWidth) != Lanes || IndexWidth < 1) begin : g_check
            prefer_select_needs_lanes_a_power_of_two check_parameters ();
        end
    endgenerate

    // Step s has Lanes >> s + 1 nodes, in the places of the lowest ones of the step before. A node knows
    // whether it has a bit, and a preferred one, and the number of its choice, counted from its first.
    reg [Lanes-1:0]            any, preferred, higher;
    reg [IndexWidth*Lanes-1:0] number;
    integer                    s, n;

    always @* begin
        any       = bits_i;
        preferred = prefer_i;
        higher    = {Lanes{1'b0}};
        number    = {IndexWidth * Lanes{1'b0}};
        for (s = 0; s < IndexWidth; s = s + 1)
            for (n = 0; n < Lanes >> (s + 1); n = n + 1) begin
                higher[n] = !preferred[2*n] && (preferred[2*n+1] || !any[2*n]);
                number[IndexWidth*n+:IndexWidth] = higher[n] ? number[IndexWidth*(2*n+1)+:IndexWidth]
                                                             : number[IndexWidth*2*n+:IndexWidth];
                number[IndexWidth*n+s] = higher[n];
                any[n]                 = any[2*n] || any[2*n+1];
                preferred[n]           = preferred[2*n] || preferred[2*n+1];
            end
    end

    assign any_o       = any[0];
    assign preferred_o = preferred[0];
    assign index_o     = number[IndexWidth-1:0];

`ifdef FORMAL
`include "properties/prefer_select.fv.vh"
`endif

endmodule

`default_nettype wire
