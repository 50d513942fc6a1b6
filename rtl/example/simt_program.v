// SPDX-License-Identifier: Apache-2.0
// simt_program: the instruction memory of simt_core: a background block and two event kernels.
//
// Contract
// - With enable_i data_o shows the instruction of address_i from the next cycle on.
// - A block, from 1 on, has its number in r0. In each lane: 40 rounds of a hash of number and lane, where
//   odd ones take a step of their own; it stores the result at 0xc00 + 32 * number + 4 * lane.
// - Event kernel 0, from 20 on, has its entry's address in r0: the word x at 16 + 4 * lane becomes
//   (2 x) ^ lane.
// - Event kernel 1, from 32 on: x becomes 3 x + 1 if it is odd, else x / 2: the lanes part.
`default_nettype none
`include "evgpu_defs.vh"

module simt_program (
    input  wire        clk_i,
    input  wire        enable_i,
    input  wire [5:0]  address_i,
    output wire [31:0] data_o
);

    localparam Li = `EVG_SIMT_OP_LI, Lane = `EVG_SIMT_OP_LANE, Add = `EVG_SIMT_OP_ADD, Addi = `EVG_SIMT_OP_ADDI,
               And = `EVG_SIMT_OP_AND, Xor = `EVG_SIMT_OP_XOR, Shl = `EVG_SIMT_OP_SHL, Shr = `EVG_SIMT_OP_SHR,
               Ld = `EVG_SIMT_OP_LD, St = `EVG_SIMT_OP_ST, Mask = `EVG_SIMT_OP_MASK, All = `EVG_SIMT_OP_ALL,
               Bnz = `EVG_SIMT_OP_BNZ, Exit = `EVG_SIMT_OP_EXIT;

    reg [31:0] instruction, data_q;

    // The rest ends, with what is not a constant beside it: so Yosys makes logic and no memory of it.
    //                          op    rd    ra    rb    -     imm
    always @*
        case (address_i)
            6'd1:  instruction = {Lane, 3'd1, 3'd0, 3'd0, 3'd0, 16'd0};
            6'd2:  instruction = {Add,  3'd2, 3'd0, 3'd1, 3'd0, 16'd0};
            6'd3:  instruction = {Li,   3'd3, 3'd0, 3'd0, 3'd0, 16'd40};
            6'd4:  instruction = {Li,   3'd5, 3'd0, 3'd0, 3'd0, 16'd1};
            6'd5:  instruction = {Add,  3'd2, 3'd2, 3'd3, 3'd0, 16'd0};     // the loop
            6'd6:  instruction = {Shl,  3'd4, 3'd2, 3'd0, 3'd0, 16'd5};
            6'd7:  instruction = {Xor,  3'd2, 3'd2, 3'd4, 3'd0, 16'd0};
            6'd8:  instruction = {And,  3'd6, 3'd2, 3'd5, 3'd0, 16'd0};
            6'd9:  instruction = {Mask, 3'd0, 3'd6, 3'd0, 3'd0, 16'd0};     // the odd ones
            6'd10: instruction = {Addi, 3'd2, 3'd2, 3'd0, 3'd0, 16'd77};
            6'd11: instruction = {All,  3'd0, 3'd0, 3'd0, 3'd0, 16'd0};
            6'd12: instruction = {Addi, 3'd3, 3'd3, 3'd0, 3'd0, 16'hffff};
            6'd13: instruction = {Bnz,  3'd0, 3'd3, 3'd0, 3'd0, 16'd5};
            6'd14: instruction = {Shl,  3'd4, 3'd0, 3'd0, 3'd0, 16'd5};
            6'd15: instruction = {Shl,  3'd5, 3'd1, 3'd0, 3'd0, 16'd2};
            6'd16: instruction = {Add,  3'd4, 3'd4, 3'd5, 3'd0, 16'd0};
            6'd17: instruction = {St,   3'd0, 3'd4, 3'd2, 3'd0, 16'h0c00};
            6'd20: instruction = {Lane, 3'd1, 3'd0, 3'd0, 3'd0, 16'd0};     // event kernel 0
            6'd21: instruction = {Shl,  3'd2, 3'd1, 3'd0, 3'd0, 16'd2};
            6'd22: instruction = {Add,  3'd2, 3'd2, 3'd0, 3'd0, 16'd0};
            6'd23: instruction = {Ld,   3'd3, 3'd2, 3'd0, 3'd0, 16'd16};
            6'd24: instruction = {Add,  3'd4, 3'd3, 3'd3, 3'd0, 16'd0};
            6'd25: instruction = {Xor,  3'd4, 3'd4, 3'd1, 3'd0, 16'd0};
            6'd26: instruction = {St,   3'd0, 3'd2, 3'd4, 3'd0, 16'd16};
            6'd32: instruction = {Lane, 3'd1, 3'd0, 3'd0, 3'd0, 16'd0};     // event kernel 1
            6'd33: instruction = {Shl,  3'd2, 3'd1, 3'd0, 3'd0, 16'd2};
            6'd34: instruction = {Add,  3'd2, 3'd2, 3'd0, 3'd0, 16'd0};
            6'd35: instruction = {Ld,   3'd3, 3'd2, 3'd0, 3'd0, 16'd16};
            6'd36: instruction = {Li,   3'd5, 3'd0, 3'd0, 3'd0, 16'd1};
            6'd37: instruction = {And,  3'd4, 3'd3, 3'd5, 3'd0, 16'd0};
            6'd38: instruction = {Mask, 3'd0, 3'd4, 3'd0, 3'd0, 16'd0};     // the odd ones
            6'd39: instruction = {Add,  3'd6, 3'd3, 3'd3, 3'd0, 16'd0};
            6'd40: instruction = {Add,  3'd3, 3'd6, 3'd3, 3'd0, 16'd0};
            6'd41: instruction = {Addi, 3'd3, 3'd3, 3'd0, 3'd0, 16'd1};
            6'd42: instruction = {All,  3'd0, 3'd0, 3'd0, 3'd0, 16'd0};
            6'd43: instruction = {Xor,  3'd4, 3'd4, 3'd5, 3'd0, 16'd0};
            6'd44: instruction = {Mask, 3'd0, 3'd4, 3'd0, 3'd0, 16'd0};     // the even ones
            6'd45: instruction = {Shr,  3'd3, 3'd3, 3'd0, 3'd0, 16'd1};
            6'd46: instruction = {All,  3'd0, 3'd0, 3'd0, 3'd0, 16'd0};
            6'd47: instruction = {St,   3'd0, 3'd2, 3'd3, 3'd0, 16'd16};
            default: instruction = {Exit, 22'd0, address_i};
        endcase

    always @(posedge clk_i)
        if (enable_i)
            data_q <= instruction;

    assign data_o = data_q;

endmodule

`default_nettype wire
