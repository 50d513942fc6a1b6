// SPDX-License-Identifier: Apache-2.0
// tile_slot: one tile of a board with the registers in front of its inputs.
//
// Contract
// - write_i sets input byte index_i to data_i; clear_i sets all to 0.
// - edge_i, a register, is the tile's clock; link_engine keeps everything around it still.
// - With Free, clk_i is the tile's clock, the tile is reset one edge after tile_reset_i, and byte_o shows what the
//   outputs were at the last edge of edge_i.
// - byte_o is byte index_i of the tile's outputs, one cycle later; 0 beyond the last, and of a port that has no
//   value.
// - leds_o: the tile's last output byte, as it is.
`default_nettype none
`include "evgpu_link.vh"

module tile_slot #(
    parameter Kind  = 0,
    parameter Small = 0,
    parameter Free  = 0
) (
    input  wire       clk_i,
    // Link engine
    input  wire       clear_i,
    input  wire       write_i,
    input  wire [7:0] index_i,
    input  wire [7:0] data_i,
    input  wire       tile_reset_i,
    input  wire       edge_i,
    output wire [7:0] byte_o,
    output wire [7:0] leds_o
);

    localparam [9*`EVG_LINK_KINDS-1:0] InSizes  = `EVG_LINK_IN_BYTES;
    localparam [9*`EVG_LINK_KINDS-1:0] OutSizes = `EVG_LINK_OUT_BYTES;
    localparam [31:0] InBytes  = {23'b0, InSizes[9*Kind +: 9]};
    localparam [31:0] OutBytes = {23'b0, OutSizes[9*Kind +: 9]};

    wire [8*InBytes-1:0]  in;
    wire [8*OutBytes-1:0] out;
    reg  [7:0]            byte_q;
    reg                   valid_q;

    genvar i;
    generate
        for (i = 0; i < InBytes; i = i + 1) begin : g_in
            reg [7:0] in_q;
            always @(posedge clk_i)
                if (clear_i)
                    in_q <= 8'h0;
                else if (write_i && index_i == i)
                    in_q <= data_i;
            assign in[8*i +: 8] = in_q;
        end
    endgenerate

    wire                  tile_clk, tile_reset;
    wire [8*OutBytes-1:0] shown;
    wire [OutBytes-1:0]   valid, shown_valid;
    generate
        if (Free != 0) begin : g_free
            reg [8*OutBytes-1:0] shown_q;
            reg [OutBytes-1:0]   shown_valid_q;
            // The reset's wires reach the whole device: they begin at a register of their own.
            reg                  edge_q, reset_q;
            always @(posedge clk_i) begin
                edge_q  <= edge_i;
                reset_q <= tile_reset_i;
                if (edge_i && !edge_q) begin
                    shown_q       <= out;
                    shown_valid_q <= valid;
                end
            end
            assign tile_clk    = clk_i;
            assign tile_reset  = reset_q;
            assign shown       = shown_q;
            assign shown_valid = shown_valid_q;
        end else begin : g_stepped
            assign tile_clk    = edge_i;
            assign tile_reset  = tile_reset_i;
            assign shown       = out;
            assign shown_valid = valid;
        end
    endgenerate

    // 256 bytes, so that every index has one
    wire [2047:0] padded = {{2048 - 8 * OutBytes{1'b0}}, shown};
    wire [255:0]  padded_valid = {{256 - OutBytes{1'b0}}, shown_valid};
    always @(posedge clk_i) begin
        byte_q  <= padded[{index_i, 3'b0} +: 8];
        valid_q <= padded_valid[index_i];
    end

    packed_tile #(
        .Kind(Kind), .InBits(8 * InBytes), .OutBits(8 * OutBytes), .Small(Small)
    ) tile (
        .clk_i(tile_clk), .rst_i(tile_reset), .in_i(in), .out_o(out), .valid_o(valid)
    );

    assign byte_o = valid_q ? byte_q : 8'h0;
    assign leds_o = out[8*OutBytes-8 +: 8];

endmodule
`default_nettype wire
