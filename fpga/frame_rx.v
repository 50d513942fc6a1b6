// SPDX-License-Identifier: Apache-2.0
// frame_rx: takes frames out of the received bytes (docs/design/fpga.md, "The link").
//
// Contract
// - A frame stands between two FLAG bytes; ESCAPE and the next byte, exclusive or 0x20, stand for one
//   byte. Its last two bytes are its CRC. Nothing between two flags is no frame.
// - Each byte of a frame, CRC included, appears for one cycle: byte_valid_o, byte_o, index_o.
// - At its closing flag good_o is high for one cycle if the CRC is right and at least HeaderBytes + 2
//   and at most 2**IndexBits - 1 bytes came, else bad_o; length_o is then the number of bytes
//   without the CRC.
// - While hold_i is high everything received is ignored; after it, everything up to a flag.
`default_nettype none

module frame_rx #(
    parameter IndexBits   = 9,
    parameter HeaderBytes = 3
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    // From the serial receiver
    input  wire                 valid_i,
    input  wire [7:0]           data_i,
    // Link engine
    input  wire                 hold_i,
    output wire                 byte_valid_o,
    output wire [7:0]           byte_o,
    output wire [IndexBits-1:0] index_o,
    output wire                 good_o,
    output wire                 bad_o,
    output wire [IndexBits-1:0] length_o
);

    localparam [7:0] Flag   = 8'h7e;
    localparam [7:0] Escape = 8'h7d;
    localparam [31:0] Shortest = HeaderBytes + 2;
    localparam [IndexBits-1:0] CrcBytes = 2;

    reg                 in_frame_q, escaped_q, overrun_q, byte_valid_q, good_q, bad_q;
    reg [15:0]          crc_q;
    reg [IndexBits-1:0] index_q, count_q, length_q;
    reg [7:0]           byte_q;

    wire        take    = valid_i && !hold_i;
    wire        is_flag = data_i == Flag;
    wire [7:0]  plain   = escaped_q ? data_i ^ 8'h20 : data_i;
    wire        whole   = crc_q == 16'h0 && count_q >= Shortest[IndexBits-1:0] && !escaped_q &&
                          !overrun_q;
    wire [15:0] crc_d;
    frame_crc crc (.crc_i(crc_q), .data_i(plain), .crc_o(crc_d));

    always @(posedge clk_i) begin
        byte_valid_q <= 1'b0;
        good_q       <= 1'b0;
        bad_q        <= 1'b0;
        if (take && is_flag) begin
            good_q     <= in_frame_q && count_q != 0 && whole;
            bad_q      <= in_frame_q && (count_q != 0 || escaped_q) && !whole;
            length_q   <= count_q - CrcBytes;
            in_frame_q <= 1'b1;
            escaped_q  <= 1'b0;
            overrun_q  <= 1'b0;
            crc_q      <= 16'hffff;
            count_q    <= 0;
        end else if (take && in_frame_q && !escaped_q && data_i == Escape) begin
            escaped_q <= 1'b1;
        end else if (take && in_frame_q) begin
            escaped_q    <= 1'b0;
            crc_q        <= crc_d;
            byte_valid_q <= !overrun_q;
            byte_q       <= plain;
            index_q      <= count_q;
            if (&count_q)
                overrun_q <= 1'b1;
            else
                count_q <= count_q + 1'b1;
        end
        if (rst_i || hold_i)
            in_frame_q <= 1'b0;
        if (rst_i) begin
            byte_valid_q <= 1'b0;
            good_q       <= 1'b0;
            bad_q        <= 1'b0;
        end
    end

    assign byte_valid_o = byte_valid_q;
    assign byte_o       = byte_q;
    assign index_o      = index_q;
    assign good_o       = good_q;
    assign bad_o        = bad_q;
    assign length_o     = length_q;

endmodule
`default_nettype wire
