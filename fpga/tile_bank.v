// SPDX-License-Identifier: Apache-2.0
// tile_bank: the tiles of a board, numbered from 0: front ends, event units, memory front ends,
// concurrency units, concurrency units of cores, boards that run by themselves (free_run).
//
// Contract
// - tile_i selects the tile that is written and read, and whose clock edge_i is.
// - byte_o, out_bytes_o and signature_o: two cycles after tile_i and index_i.
// - With Replay every tile is in a replay_slot with 2**DepthBits words, else in a tile_slot. waits_o: one of
//   them gives its tile edges.
// - leds_o: the last output byte of the last tile, as it is; with Replay what replay_slot says.
`default_nettype none
`include "evgpu_link.vh"

module tile_bank #(
    parameter FrontEnds        = 1,
    parameter EventUnits       = 1,
    parameter MemFrontEnds     = 0,
    parameter ConcurrencyUnits = 0,
    parameter CoreConcurrency  = 0,
    parameter FreeRuns         = 0,
    parameter Replay           = 0,
    parameter DepthBits        = 9,
    parameter Small            = 0, // 1: tiles reduced as rtl/evgpu.def says
    parameter TileBits         = 1
) (
    input  wire                clk_i,
    // Link engine
    input  wire [TileBits-1:0] tile_i,
    input  wire                clear_i,
    input  wire                write_i,
    input  wire [7:0]          index_i,
    input  wire [7:0]          data_i,
    input  wire                tile_reset_i,
    input  wire                edge_i,
    output wire [7:0]          byte_o,
    output wire [8:0]          out_bytes_o,
    output wire [31:0]         signature_o,
    output wire                waits_o,
    output wire [7:0]          leds_o
);

    localparam FirstUnit = FrontEnds;
    localparam FirstMem  = FirstUnit + EventUnits;
    localparam FirstCm   = FirstMem + MemFrontEnds;
    localparam FirstCore = FirstCm + ConcurrencyUnits;
    localparam FirstFree = FirstCore + CoreConcurrency;
    localparam Tiles     = FirstFree + FreeRuns;
    localparam Kinds     = `EVG_LINK_KINDS;

    wire [8*(1<<TileBits)-1:0] bytes;
    wire [(1<<TileBits)-1:0]   waits;
    reg  [7:0]                 byte_q;
    wire [32*(1<<TileBits)-1:0] kinds;
    wire [31:0]                kind = kinds[{tile_i, 5'b0} +: 32];

    genvar t;
    generate
        for (t = 0; t < (1 << TileBits); t = t + 1) begin : g_tile
            if (t < Tiles) begin : g_slot
                localparam Kind = t < FirstUnit ? `EVG_LINK_GPU_FRONTEND :
                                  t < FirstMem  ? `EVG_LINK_SM_EVENT_UNIT :
                                  t < FirstCm   ? `EVG_LINK_MEM_FRONTEND :
                                  t < FirstCore ? `EVG_LINK_CONCURRENCY_UNIT :
                                  t < FirstFree ? `EVG_LINK_SM_CONCURRENCY_UNIT :
                                                  `EVG_LINK_FREE_RUN;
                wire [7:0] leds;
                wire mine = {1'b0, tile_i} == t;
                reg  edge_q;
                always @(posedge clk_i)
                    edge_q <= mine && edge_i;
                if (Replay != 0) begin : g_replay
                    replay_slot #(
                        .Kind(Kind), .Small(Small), .DepthBits(DepthBits)
                    ) slot (
                        .clk_i(clk_i), .clear_i(clear_i && mine), .write_i(write_i && mine),
                        .index_i(index_i), .data_i(data_i), .tile_reset_i(tile_reset_i && mine),
                        .edge_i(edge_q), .waits_o(waits[t]), .byte_o(bytes[8*t +: 8]),
                        .leds_o(leds)
                    );
                end else begin : g_tile
                    tile_slot #(
                        .Kind(Kind), .Small(Small), .Free(t >= FirstFree)
                    ) slot (
                        .clk_i(clk_i), .clear_i(clear_i && mine), .write_i(write_i && mine),
                        .index_i(index_i), .data_i(data_i), .tile_reset_i(tile_reset_i && mine),
                        .edge_i(edge_q), .byte_o(bytes[8*t +: 8]), .leds_o(leds)
                    );
                    assign waits[t] = 1'b0;
                end
                if (t == Tiles - 1) begin : g_leds
                    assign leds_o = leds;
                end else begin : g_dark
                    wire unused = &{1'b0, leds};
                end
                assign kinds[32*t +: 32] = Kind;
            end else begin : g_none
                assign bytes[8*t +: 8]   = 8'h0;
                assign waits[t]          = 1'b0;
                assign kinds[32*t +: 32] = 32'd0;
            end
        end
    endgenerate

    always @(posedge clk_i)
        byte_q <= bytes[{tile_i, 3'b0} +: 8];

    wire [9*Kinds-1:0]  out_sizes  = `EVG_LINK_OUT_BYTES;
    wire [32*Kinds-1:0] signatures = Small == 0 ? `EVG_LINK_SIGNATURES : `EVG_LINK_SMALL_SIGNATURES;
    reg  [31:0] kind_q, signature_q;
    reg  [8:0]  out_bytes_q;
    integer     k;
    always @(posedge clk_i) begin
        kind_q      <= kind;
        for (k = 0; k < Kinds; k = k + 1) // an index would be a multiplier
            if (kind_q == k)
                out_bytes_q <= Replay != 0 ? {1'b0, `EVG_REPLAY_OUT_BYTES} : out_sizes[9 * k +: 9];
        signature_q <= signatures[32 * kind_q +: 32] ^ (Replay != 0 ? `EVG_REPLAY_SIGNATURE : 32'd0);
    end

    assign byte_o      = byte_q;
    assign out_bytes_o = out_bytes_q;
    assign signature_o = signature_q;
    assign waits_o     = waits != {1<<TileBits{1'b0}};

endmodule
`default_nettype wire
