// SPDX-License-Identifier: Apache-2.0
// fe_intake: chooses the queue that a request to the full/empty scheduler enters, and its fields (F/E
// 4.3). It marks requests outside the region, and undefined ones, as errors.
//
// Contract
// - A request is taken in a cycle with req_valid_i and the bit of ready_i that belongs to it: bit 0
//   without a trigger, bit 1 with one from the CPU, bit 2 with one from the GPU.
//
//     cycle        t          t + 1
//     req_valid_i  1          -
//     ready_i      its bit    -
//     push_o       -          its queue, for this one cycle
//     entry_o      -          the request
//
//     request                                     queue of push_o      error   bits
//     trigger 3 or action 3                       0 (NON)              1       0
//     trigger, outside of the region              0 (NON)              1       0
//     trigger, in the region                      1 CPU, 2 GPU         0       1
//     no trigger, action, in the region           0                    0       1
//     no trigger, else                            0                    0       0
//
// - The region: RegionLines lines; the upper bits of the first one's number are region_i, its lowest
//   RowBits bits are 0, so that the lowest bits of a line of the region are its row.
// - entry_o: error, bits, write, source, action, trigger, id, mask, line, from the highest bit on.
// - taken_o: a request is taken in this cycle.
`default_nettype none
`include "evgpu_defs.vh"

module fe_intake #(
    parameter RegionLines = `EVG_FE_REGION_LINES,
    parameter RowBits     = 11, // log2(RegionLines), rounded up; below LineBits
    parameter LineBits    = 32,
    parameter Words       = 32,
    parameter IdBits      = `EVG_FE_ID_BITS
) (
    input  wire                              clk_i,
    input  wire                              rst_i,
    input  wire                              req_valid_i,
    input  wire [LineBits-1:0]               req_line_i,
    input  wire [Words-1:0]                  req_mask_i,
    input  wire [1:0]                        req_trigger_i,
    input  wire [1:0]                        req_action_i,
    input  wire                              req_source_i,
    input  wire                              req_write_i,
    input  wire [IdBits-1:0]                 req_id_i,
    input  wire [2:0]                        ready_i,
    input  wire [LineBits-RowBits-1:0]       region_i,
    output wire                              taken_o,
    output wire [2:0]                        push_o,
    output wire [LineBits+Words+IdBits+7:0]  entry_o
);

    localparam [31:0]        RegionSize = RegionLines;
    localparam [RowBits:0]   Rows       = RegionSize[RowBits:0];

    wire in_region   = req_line_i[LineBits-1:RowBits] == region_i &&
                       {1'b0, req_line_i[RowBits-1:0]} < Rows;
    wire has_trigger = req_trigger_i != `EVG_FE_TRIGGER_NONE;
    wire has_action  = req_action_i != `EVG_FE_ACTION_NONE;
    wire is_error    = (has_trigger && !in_region) || req_trigger_i == 2'd3 || req_action_i == 2'd3;
    wire needs_bits  = in_region && !is_error && (has_trigger || has_action);

    wire [2:0] declared = !has_trigger ? 3'b001
                        : req_source_i == `EVG_FE_SOURCE_CPU ? 3'b010 : 3'b100;
    wire       take     = req_valid_i && (declared & ready_i) != 0;

    reg [2:0]                       push_q;
    reg [LineBits+Words+IdBits+7:0] entry_q;

    always @(posedge clk_i) begin
        push_q <= rst_i || !take ? 3'b000 : is_error ? 3'b001 : declared;
        if (take)
            entry_q <= {is_error, needs_bits, req_write_i, req_source_i, req_action_i,
                        req_trigger_i, req_id_i, req_mask_i, req_line_i};
    end

    assign taken_o = take;
    assign push_o  = push_q;
    assign entry_o = entry_q;

endmodule

`default_nettype wire
