// SPDX-License-Identifier: Apache-2.0
// frame_tx: makes frames of bytes (docs/design/fpga.md, "The link").
//
// Contract
// - Bytes are taken at edges with valid_i and ready_o. With the first one FLAG is sent before it; after
//   the one that has last_i, its CRC and FLAG. FLAG and ESCAPE inside a frame are escaped.
// - idle_o: nothing is being sent; the serial transmitter may still have its last byte on the line.
`default_nettype none

module frame_tx (
    input  wire       clk_i,
    input  wire       rst_i,
    // Link engine
    input  wire       valid_i,
    input  wire [7:0] data_i,
    input  wire       last_i,
    output wire       ready_o,
    output wire       idle_o,
    // To the serial transmitter
    output wire       valid_o,
    output wire [7:0] data_o,
    input  wire       ready_i
);

    localparam [7:0] Flag   = 8'h7e;
    localparam [7:0] Escape = 8'h7d;

    localparam [2:0] Idle    = 3'd0;
    localparam [2:0] Message = 3'd1;
    localparam [2:0] CrcHigh = 3'd2;
    localparam [2:0] CrcLow  = 3'd3;
    localparam [2:0] Close   = 3'd4;

    reg [2:0]  state_q;
    reg        escaped_q; // ESCAPE has been sent for the current byte
    reg [15:0] crc_q;

    reg [7:0] plain;
    always @(*) begin
        case (state_q)
            CrcHigh: plain = crc_q[15:8];
            CrcLow:  plain = crc_q[7:0];
            default: plain = data_i;
        endcase
    end

    wire is_flag = state_q == Idle || state_q == Close;
    wire special = !is_flag && (plain == Flag || plain == Escape);
    wire send    = state_q == Idle || state_q == Message ? valid_i : 1'b1;
    wire sent    = send && ready_i;
    wire through = sent && (!special || escaped_q); // the byte, and not its ESCAPE

    wire [15:0] crc_d;
    frame_crc crc (.crc_i(crc_q), .data_i(data_i), .crc_o(crc_d));

    always @(posedge clk_i) begin
        if (sent)
            escaped_q <= special && !escaped_q;
        if (through) begin
            case (state_q)
                Idle: begin
                    state_q <= Message;
                    crc_q   <= 16'hffff;
                end
                Message: begin
                    crc_q <= crc_d;
                    if (last_i)
                        state_q <= CrcHigh;
                end
                CrcHigh: state_q <= CrcLow;
                CrcLow:  state_q <= Close;
                default: state_q <= Idle;
            endcase
        end
        if (rst_i) begin
            state_q   <= Idle;
            escaped_q <= 1'b0;
        end
    end

    assign ready_o = state_q == Message && through;
    assign idle_o  = state_q == Idle;
    assign valid_o = send;
    assign data_o  = is_flag ? Flag : !special ? plain : escaped_q ? plain ^ 8'h20 : Escape;

endmodule
`default_nettype wire
