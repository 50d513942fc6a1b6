// SPDX-License-Identifier: Apache-2.0
// fe_departure: holds the request that has left the full/empty scheduler's queues until the memory channel
// takes it, and the action that is still to be done on its bits.
//
// Contract
//
//     cycle         t        t + 1                                 until dram_ready_i
//     leave_i       1        0
//     request at    *_i      dram_*_o                              dram_*_o
//     dram_valid_o  -        1                                     1
//     act_o         -        acts_i of t: the bits are written     0
//     fill_o        -        fill, not empty                       -
//
// - free_o: no request is held, or memory is taking it: another may leave.
// - acts_i without leave_i: act_o follows it all the same. It would be the action of a request that does
//   not go to memory; only errors do not, and they have no action.
// - Illegal: leave_i without free_o.
`default_nettype none
`include "evgpu_defs.vh"

module fe_departure #(
    parameter LineBits = 32,
    parameter Words    = 32,
    parameter IdBits   = `EVG_FE_ID_BITS,
    parameter TagBits  = 7
) (
    input  wire                clk_i,
    input  wire                rst_i,
    input  wire                leave_i,
    input  wire                acts_i,
    input  wire [LineBits-1:0] line_i,
    input  wire [Words-1:0]    mask_i,
    input  wire [1:0]          action_i, // fe_action
    input  wire                source_i,
    input  wire                write_i,
    input  wire [IdBits-1:0]   id_i,
    input  wire [TagBits-1:0]  tag_i,
    output wire                free_o,
    output wire                act_o,
    output wire                fill_o,
    // To the memory channel
    output wire                dram_valid_o,
    output wire [LineBits-1:0] dram_line_o,
    output wire [Words-1:0]    dram_mask_o,
    output wire                dram_source_o,
    output wire                dram_write_o,
    output wire [IdBits-1:0]   dram_id_o,
    output wire [TagBits-1:0]  dram_tag_o,
    input  wire                dram_ready_i
);

    reg valid_q, act_q;

    always @(posedge clk_i)
        if (rst_i) begin
            valid_q <= 1'b0;
            act_q   <= 1'b0;
        end else begin
            act_q <= acts_i;
            if (leave_i)
                valid_q <= 1'b1;
            else if (dram_ready_i)
                valid_q <= 1'b0;
        end

    reg [LineBits-1:0] line_q;
    reg [Words-1:0]    mask_q;
    reg                source_q, write_q, fill_q;
    reg [IdBits-1:0]   id_q;
    reg [TagBits-1:0]  tag_q;

    always @(posedge clk_i)
        if (leave_i) begin
            line_q   <= line_i;
            mask_q   <= mask_i;
            source_q <= source_i;
            write_q  <= write_i;
            fill_q   <= action_i == `EVG_FE_ACTION_FILL;
            id_q     <= id_i;
            tag_q    <= tag_i;
        end

    assign free_o        = !valid_q || dram_ready_i;
    assign act_o         = act_q;
    assign fill_o        = fill_q;
    assign dram_valid_o  = valid_q;
    assign dram_line_o   = line_q;
    assign dram_mask_o   = mask_q;
    assign dram_source_o = source_q;
    assign dram_write_o  = write_q;
    assign dram_id_o     = id_q;
    assign dram_tag_o    = tag_q;

endmodule

`default_nettype wire
