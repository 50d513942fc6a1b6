// SPDX-License-Identifier: Apache-2.0
// eth_rx: takes requests out of Ethernet frames (docs/design/fpga.md, "Ethernet"), from a PHY with RMII.
//
// Contract
// - clk_i is the PHY's reference clock of 50 MHz: two bits in a cycle, the lowest first. dv_i is high from the
//   preamble to the last bit of a frame.
// - A request stands in a frame to Mac of type `EVG_LINK_ETHERTYPE: its length in two bytes, high first,
//   then the request. Each of its bytes appears for one cycle: byte_valid_o, byte_o, index_o.
// - At the end of a frame with a right check sequence and at least HeaderBytes and at most 2**IndexBits - 3
//   bytes of request good_o is high for one cycle; length_o is then their number, peer_o the sender.
// - Every other frame is none: a MAC does not hand damaged ones on. The host asks again.
// - A frame during which hold_i is high is ignored.
`default_nettype none
`include "evgpu_link.vh"
`include "evgpu_defs.vh"

module eth_rx #(
    parameter IndexBits   = 9,
    parameter HeaderBytes = 3,
    parameter [47:0] Mac  = 48'h0
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // PHY
    input  wire                 dv_i,
    input  wire [1:0]           rxd_i,
    // Link engine
    input  wire                 hold_i,
    output wire                 byte_valid_o,
    output wire [7:0]           byte_o,
    output wire [IndexBits-1:0] index_o,
    output wire                 good_o,
    output wire [IndexBits-1:0] length_o,
    // Transmitter
    output wire [47:0]          peer_o
);

    localparam [10:0] Sender  = 11'd6; // bytes of the frame before it
    localparam [10:0] Type    = 11'd12;
    localparam [10:0] Length  = 11'd14;
    localparam [10:0] Message = 11'd16;
    localparam [10:0] Check   = 11'd4;
    localparam [15:0] Ours    = `EVG_LINK_ETHERTYPE;
    localparam [15:0] Longest = (1 << IndexBits) - 3;
    localparam [15:0] Least   = HeaderBytes;
    localparam [31:0] Residue = 32'hdebb20e3;

    reg        in_frame_q; // behind the start delimiter
    reg        ours_q;     // so far
    reg [1:0]  place_q;    // pair of bits within a byte
    reg [5:0]  shift_q;
    reg [10:0] at_q;       // bytes received
    reg        full_q;     // as many as at_q counts
    reg [31:0] crc_q;
    reg [15:0] length_q;
    reg [47:0] sender_q, peer_q;
    reg        byte_valid_q, good_q;
    reg [7:0]  byte_q;
    reg [IndexBits-1:0] index_q;

    wire [7:0]  got    = {rxd_i, shift_q};
    wire        taken  = dv_i && in_frame_q && place_q == 2'd3;
    wire        starts = dv_i && !in_frame_q && got == 8'hd5;
    wire        ends   = !dv_i && in_frame_q;
    wire [10:0] behind = at_q - Message;
    wire        whole  = crc_q == Residue && length_q >= Least && length_q <= Longest && !full_q &&
                         {5'b0, at_q} >= length_q + {5'b0, Message} + {5'b0, Check};
    wire [31:0] crc_d;
    frame_crc32 u_crc (.crc_i(crc_q), .data_i(got), .crc_o(crc_d));

    // The byte that a place of the head must have
    reg [7:0] due;
    always @(*)
        case (at_q)
            11'd0:   due = Mac[47:40];
            11'd1:   due = Mac[39:32];
            11'd2:   due = Mac[31:24];
            11'd3:   due = Mac[23:16];
            11'd4:   due = Mac[15:8];
            11'd5:   due = Mac[7:0];
            11'd12:  due = Ours[15:8];
            default: due = Ours[7:0];
        endcase
    wire fixed = at_q < Sender || (at_q >= Type && at_q < Length);

    always @(posedge clk_i) begin
        byte_valid_q <= 1'b0;
        good_q       <= 1'b0;
        shift_q      <= dv_i ? got[7:2] : 6'h0;
        place_q      <= in_frame_q ? place_q + 1'b1 : 2'd0;
        if (starts) begin
            in_frame_q <= 1'b1;
            ours_q     <= !hold_i;
            at_q       <= 11'd0;
            full_q     <= 1'b0;
            crc_q      <= 32'hffffffff;
        end
        if (taken) begin
            crc_q <= crc_d;
            if (fixed && got != due)
                ours_q <= 1'b0;
            if (at_q >= Sender && at_q < Type)
                sender_q <= {sender_q[39:0], got};
            if (at_q >= Length && at_q < Message)
                length_q <= {length_q[7:0], got};
            byte_valid_q <= ours_q && !hold_i && at_q >= Message && {5'b0, behind} < length_q &&
                            length_q <= Longest;
            byte_q       <= got;
            index_q      <= behind[IndexBits-1:0];
            if (&at_q)
                full_q <= 1'b1;
            else
                at_q <= at_q + 1'b1;
        end
        if (hold_i)
            ours_q <= 1'b0;
        if (ends) begin
            in_frame_q <= 1'b0;
            good_q     <= ours_q && !hold_i && whole;
            if (ours_q && !hold_i && whole)
                peer_q <= sender_q;
        end
        if (rst_i) begin
            in_frame_q   <= 1'b0;
            byte_valid_q <= 1'b0;
            good_q       <= 1'b0;
        end
    end

    assign byte_valid_o = byte_valid_q;
    assign byte_o       = byte_q;
    assign index_o      = index_q;
    assign good_o       = good_q;
    assign length_o     = length_q[IndexBits-1:0];
    assign peer_o       = peer_q;

endmodule
`default_nettype wire
