// SPDX-License-Identifier: Apache-2.0
// uart_rx: serial receiver, 8 data bits, no parity, one stop bit.
//
// Contract
// - rx_i may change at any time; it passes two flip-flops. Idle is high.
// - Each bit is sampled in its middle. valid_o is high for one cycle with the byte on data_o; a
//   byte whose stop bit is low is dropped, and so is a start bit that is gone at its middle.
`default_nettype none

module uart_rx #(
    parameter ClocksPerBit = 8 // clk_i cycles per bit, at least 4
) (
    input  wire       clk_i,
    input  wire       rst_i,
    // From the line
    input  wire       rx_i,
    // To the frame receiver
    output wire       valid_o,
    output wire [7:0] data_o
);

    localparam CountWidth = 16;
    localparam [31:0] WholeBit = ClocksPerBit - 1;
    localparam [31:0] HalfBit  = ClocksPerBit / 2 - 1;

    generate
        if (ClocksPerBit < 4 || ClocksPerBit > (1 << CountWidth)) begin : g_check
            uart_rx_needs_4_to_65536_clocks_per_bit check_parameters ();
        end
    endgenerate

    reg [1:0]            sync_q;
    reg                  busy_q;
    reg                  valid_q;
    reg [3:0]            bits_q; // sampled so far, start bit included
    reg [CountWidth-1:0] count_q;
    reg [7:0]            data_q;

    wire sample = busy_q && count_q == 0;
    wire line   = sync_q[1];

    always @(posedge clk_i) begin
        sync_q  <= rst_i ? 2'b11 : {sync_q[0], rx_i};
        valid_q <= 1'b0;
        count_q <= count_q - 1'b1;
        if (!busy_q) begin
            bits_q  <= 0;
            busy_q  <= !line;
            count_q <= HalfBit[CountWidth-1:0];
        end else if (sample) begin
            bits_q  <= bits_q + 1'b1;
            count_q <= WholeBit[CountWidth-1:0];
            if (bits_q == 0) begin
                busy_q <= !line;
            end else if (bits_q == 4'd9) begin
                busy_q  <= 1'b0;
                valid_q <= line;
            end else begin
                data_q <= {line, data_q[7:1]};
            end
        end
        if (rst_i) begin
            busy_q  <= 1'b0;
            valid_q <= 1'b0;
        end
    end

    assign valid_o = valid_q;
    assign data_o  = data_q;

endmodule
`default_nettype wire
