// SPDX-License-Identifier: Apache-2.0
// output_hash: 16 bits of all bytes of a vector: pairs of bytes, each rotated left by its number, folded.
// Every single bit that changes, changes one bit of it.
`default_nettype none

module output_hash #(
    parameter Bytes = 2
) (
    input  wire [8*Bytes-1:0] bytes_i,
    output reg  [15:0]        hash_o // combinational
);

    localparam Pairs = (Bytes + 1) / 2;

    wire [16*Pairs-1:0] padded;
    generate
        if (Bytes % 2 == 1) begin : g_odd
            assign padded = {8'h0, bytes_i};
        end else begin : g_even
            assign padded = bytes_i;
        end
    endgenerate

    integer p, b;
    always @(*) begin
        hash_o = 16'h0;
        for (p = 0; p < Pairs; p = p + 1)
            for (b = 0; b < 16; b = b + 1)
                hash_o[(b + p) % 16] = hash_o[(b + p) % 16] ^ padded[16 * p + b];
    end

endmodule
`default_nettype wire
