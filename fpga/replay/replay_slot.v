// SPDX-License-Identifier: Apache-2.0
// replay_slot: one tile of a board that gets recorded inputs at the full clock (evgpu run --record-ports) and
// compares its outputs (docs/design/fpga.md). Words of inputs wait in a ring in block RAM.
//
// Contract
// - write_i, index_i, data_i: below the tile's input bytes, byte index_i of the inputs of the next word;
//   at the numbers of tb/replay.h a part of it, or a command:
//     HASH_LOW, HASH_HIGH    of the outputs after each of its edges (output_hash)
//     CHECK                  bit 0: the outputs are compared
//     STORE                  the word goes into the ring: inputs of data_i + 1 edges
//     RESTART                the ring is empty; the next word stored is the first after the next reset. All output
//                            bytes are compared
//     MASK                   output byte data_i is left out of the hash, as 0, or no more
//     EDGES_LOW, EDGES_HIGH  so many edges are given, one in every cycle of clk_i
// - waits_o: edges are being given. In no other cycle has the tile one, so it stands still, but for a reset
//   (edge_i with tile_reset_i), whose inputs are 0, and which takes the first word out of the ring: it has
//   to be there.
// - The sender keeps the ring from running over, and the last word stored from being used up: it is what
//   the inputs are, when the next edges come.
// - byte_o, one cycle after index_i: an output byte of the tile, or STATUS, FIRST of tb/replay.h. A
//   difference is known three edges after the edge that it is of.
// - leds_o: bit 0 giving edges, bit 1 outputs have differed.
`default_nettype none
`include "evgpu_link.vh"

module replay_slot #(
    parameter Kind      = 0,
    parameter Small     = 0,
    parameter DepthBits = 9 // words: 2**DepthBits, 1..15
) (
    input  wire       clk_i,
    // Link engine
    input  wire       clear_i,
    input  wire       write_i,
    input  wire [7:0] index_i,
    input  wire [7:0] data_i,
    input  wire       tile_reset_i,
    input  wire       edge_i,
    output wire       waits_o,
    output wire [7:0] byte_o,
    output wire [7:0] leds_o
);

    localparam [9*`EVG_LINK_KINDS-1:0] InSizes  = `EVG_LINK_IN_BYTES;
    localparam [9*`EVG_LINK_KINDS-1:0] OutSizes = `EVG_LINK_OUT_BYTES;
    localparam [31:0] InBytes  = {23'b0, InSizes[9*Kind +: 9]};
    localparam [31:0] OutBytes = {23'b0, OutSizes[9*Kind +: 9]};
    localparam [31:0] Width    = 8 * InBytes + 25; // repeat, check, hash, inputs

    // --- The ring, filled in clk_i -------------------------------------------------------------------
    wire [8*InBytes-1:0] next;
    genvar i;
    generate
        for (i = 0; i < InBytes; i = i + 1) begin : g_in
            reg [7:0] in_q;
            always @(posedge clk_i)
                if (clear_i)
                    in_q <= 8'h0;
                else if (write_i && index_i == i)
                    in_q <= data_i;
            assign next[8*i +: 8] = in_q;
        end
    endgenerate

    reg [15:0]          hash_q, left_q;
    reg [7:0]           low_q;
    reg                 check_q;
    reg [OutBytes-1:0]  masked_q;
    reg [DepthBits-1:0] end_q;
    reg [Width-1:0]     words [0:(1<<DepthBits)-1];

    always @(posedge clk_i) begin
        if (left_q != 16'd0)
            left_q <= left_q - 1'b1;
        if (write_i)
            case (index_i)
                `EVG_REPLAY_IN_HASH_LOW:   hash_q[7:0]  <= data_i;
                `EVG_REPLAY_IN_HASH_HIGH:  hash_q[15:8] <= data_i;
                `EVG_REPLAY_IN_CHECK:      check_q      <= data_i[0];
                `EVG_REPLAY_IN_STORE:      end_q        <= end_q + 1'b1;
                `EVG_REPLAY_IN_RESTART: begin
                    end_q    <= {DepthBits{1'b0}};
                    masked_q <= {OutBytes{1'b0}};
                end
                `EVG_REPLAY_IN_MASK:       masked_q     <= masked_q ^ ({{OutBytes-1{1'b0}}, 1'b1} << data_i);
                `EVG_REPLAY_IN_EDGES_LOW:  low_q        <= data_i;
                `EVG_REPLAY_IN_EDGES_HIGH: left_q       <= {data_i, low_q};
                default: begin
                end
            endcase
        if (write_i && index_i == `EVG_REPLAY_IN_STORE)
            words[end_q] <= {data_i, check_q, hash_q, next};
        if (clear_i)
            left_q <= 16'd0;
    end

    // --- In the clock that has as many edges as the tile gets ------------------------------------------
    wire gated;
    clock_gate u_gate (
        .clk_i(clk_i), .enable_i(left_q != 16'd0 || (edge_i && tile_reset_i)), .clk_o(gated)
    );

    reg  [Width-1:0]      word_q;
    reg  [DepthBits-1:0]  at_q; // of the word behind it
    reg  [7:0]            repeat_q;
    wire [8*InBytes-1:0]  in     = tile_reset_i ? {8 * InBytes{1'b0}} : word_q[8*InBytes-1:0];
    wire [16:0]           due    = word_q[8*InBytes +: 17];
    wire                  last   = repeat_q == word_q[Width-1 -: 8];
    wire [8*OutBytes-1:0] out;
    wire [OutBytes-1:0]   valid;

    always @(posedge gated)
        if (tile_reset_i || last)
            word_q <= words[tile_reset_i ? {DepthBits{1'b0}} : at_q];

    packed_tile #(
        .Kind(Kind), .InBits(8 * InBytes), .OutBits(8 * OutBytes), .Small(Small)
    ) tile (
        .clk_i(gated), .rst_i(tile_reset_i), .in_i(in), .out_o(out), .valid_o(valid)
    );

    // What has no value, or is masked, counts as 0. It is left out behind the register: in front of it, each byte's
    // would become a reset net of its own, of which few go through a part of a device.
    reg  [8*OutBytes-1:0] out_q;
    reg  [OutBytes-1:0]   counts_q;
    wire [8*OutBytes-1:0] kept;
    generate
        for (i = 0; i < OutBytes; i = i + 1) begin : g_kept
            assign kept[8*i +: 8] = out_q[8*i +: 8] & {8{counts_q[i]}};
        end
    endgenerate

    wire [15:0]           hash;
    reg  [15:0]           found_q;
    reg  [16:0]           due1_q, due2_q, due3_q;
    reg  [31:0]           edges_q, first_q;
    reg                   differs_q;
    output_hash #(.Bytes(OutBytes)) u_hash (.bytes_i(kept), .hash_o(hash));

    always @(posedge gated) begin
        out_q     <= out;
        counts_q  <= valid & ~masked_q;
        found_q   <= hash;
        due1_q <= due;
        due2_q <= due1_q;
        due3_q <= due2_q;
        repeat_q  <= last ? 8'd0 : repeat_q + 1'b1;
        if (last)
            at_q <= at_q + 1'b1;
        edges_q <= edges_q + 1'b1;
        if (due3_q[16] && found_q != due3_q[15:0] && !differs_q) begin
            differs_q <= 1'b1;
            first_q   <= edges_q - 32'd2;
        end
        if (tile_reset_i) begin
            at_q      <= {{DepthBits-1{1'b0}}, 1'b1};
            repeat_q  <= 8'd0;
            edges_q   <= 32'd0;
            due1_q <= 17'd0;
            due2_q <= 17'd0;
            due3_q <= 17'd0;
            differs_q <= 1'b0;
        end
    end

    // --- What the host reads, while the gated clock stands still ----------------------------------------
    localparam [3:0]  Depth = DepthBits;
    localparam [31:0] Gap   = {24'd0, `EVG_REPLAY_OUT_STATUS} - OutBytes;
    wire [2047:0] padded = {24'd0, first_q, Depth, 3'd0, differs_q,
                            {8 * Gap{1'b0}}, out};
    reg  [7:0]    byte_q;
    always @(posedge clk_i)
        byte_q <= padded[{index_i, 3'b0} +: 8];

    assign waits_o = left_q != 16'd0;
    assign byte_o  = byte_q;
    assign leds_o  = {6'd0, differs_q, waits_o};

endmodule
`default_nettype wire
