// SPDX-License-Identifier: Apache-2.0
// eth_tx: puts replies into Ethernet frames (docs/design/fpga.md, "Ethernet"), for a PHY with RMII.
//
// Contract
// - clk_i is the PHY's reference clock of 50 MHz: two bits in a cycle, the lowest first. en_o is high from the
//   preamble to the last bit of a frame, and then low for at least 12 bytes.
// - The first valid_i starts a frame from Mac to peer_i, of type `EVG_LINK_ETHERTYPE, with length_i in two bytes, high
//   first. Then a byte is taken every 4 cycles, with ready_o: it must be there. After the one that has last_i
//   come zeros up to 46 bytes behind the head, and the check sequence.
// - idle_o: nothing is being sent.
`default_nettype none
`include "evgpu_link.vh"
`include "evgpu_defs.vh"

module eth_tx #(
    parameter IndexBits  = 9,
    parameter [47:0] Mac = 48'h0
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // Link engine
    input  wire                 valid_i,
    input  wire [7:0]           data_i,
    input  wire                 last_i,
    input  wire [IndexBits-1:0] length_i,
    output wire                 ready_o,
    output wire                 idle_o,
    // Receiver
    input  wire [47:0]          peer_i,
    // PHY
    output wire                 en_o,
    output wire [1:0]           txd_o
);

    localparam [2:0] Idle    = 3'd0;
    localparam [2:0] Head    = 3'd1;
    localparam [2:0] Message = 3'd2;
    localparam [2:0] Pad     = 3'd3;
    localparam [2:0] Check   = 3'd4;
    localparam [2:0] Gap     = 3'd5;

    localparam HeadBytes = 24; // preamble and delimiter, addresses, type, length
    localparam [9:0] LastHead = HeadBytes - 1;
    localparam [9:0] LastFill = 10'd43; // of 46 without the length
    localparam [9:0] LastGap  = 10'd11;
    localparam [15:0] Type    = `EVG_LINK_ETHERTYPE;

    reg [2:0]  state_q, state_d;
    reg [9:0]  at_q;    // bytes in this state, of Message and Pad together
    reg [1:0]  place_q; // pair of bits within a byte
    reg [7:0]  shift_q;
    reg        en_q;
    reg [31:0] crc_q;

    wire [15:0] length = {{16 - IndexBits{1'b0}}, length_i};
    wire [8*HeadBytes-1:0] head = {64'h55555555555555d5, peer_i, Mac, Type, length};
    wire        turn  = place_q == 2'd3; // the next byte goes out
    wire        filled = at_q >= LastFill;

    reg [7:0] plain;
    always @(*)
        case (state_q)
            Head:    plain = head[8*(HeadBytes-1) - {at_q[4:0], 3'b0} +: 8];
            Message: plain = data_i;
            Check:   plain = ~crc_q[7:0];
            default: plain = 8'h0;
        endcase

    always @(*) begin
        state_d = state_q;
        case (state_q)
            Idle:    if (valid_i) state_d = Head;
            Head:    if (turn && at_q == LastHead) state_d = Message;
            Message: if (turn && last_i) state_d = filled ? Check : Pad;
            Pad:     if (turn && filled) state_d = Check;
            Check:   if (turn && at_q[1:0] == 2'd3) state_d = Gap;
            default: if (turn && at_q == LastGap) state_d = Idle;
        endcase
    end

    wire [31:0] crc_d;
    frame_crc32 u_crc (.crc_i(crc_q), .data_i(plain), .crc_o(crc_d));

    wire counts = state_q == Message || state_q == Pad || (state_q == Head && at_q >= 10'd8);

    always @(posedge clk_i) begin
        state_q <= state_d;
        place_q <= state_q == Idle ? 2'd0 : place_q + 1'b1;
        if (turn) begin
            at_q    <= state_d == state_q || state_d == Pad ? at_q + 1'b1 : 10'd0;
            shift_q <= plain;
            en_q    <= state_q != Gap;
            if (counts)
                crc_q <= crc_d;
            else if (state_q == Check) // a byte further; what comes in is never looked at
                crc_q <= {8'hff, crc_q[31:8]};
        end else
            shift_q <= {2'b0, shift_q[7:2]};
        if (state_q == Idle) begin
            at_q  <= 10'd0;
            crc_q <= 32'hffffffff;
            en_q  <= 1'b0;
        end
        if (rst_i) begin
            state_q <= Idle;
            en_q    <= 1'b0;
        end
    end

    assign ready_o = state_q == Message && turn;
    assign idle_o  = state_q == Idle;
    assign en_o    = en_q;
    assign txd_o   = shift_q[1:0];

endmodule
`default_nettype wire
