// SPDX-License-Identifier: Apache-2.0
// uart_tx: serial transmitter, 8 data bits, no parity, one stop bit.
//
// Contract
// - A byte is taken at an edge with valid_i and ready_o; ready_o is then low until its stop bit has
//   been sent. tx_o is high when idle and after reset.
`default_nettype none

module uart_tx #(
    parameter ClocksPerBit = 8 // clk_i cycles per bit, at least 4
) (
    input  wire       clk_i,
    input  wire       rst_i,
    // From the frame transmitter
    input  wire       valid_i,
    input  wire [7:0] data_i,
    output wire       ready_o,
    // To the line
    output wire       tx_o
);

    localparam CountWidth = 16;
    localparam [31:0] WholeBit = ClocksPerBit - 1;

    generate
        if (ClocksPerBit < 4 || ClocksPerBit > (1 << CountWidth)) begin : g_check
            uart_tx_needs_4_to_65536_clocks_per_bit check_parameters ();
        end
    endgenerate

    reg [3:0]            left_q; // bits to be sent, the one on the line included
    reg [CountWidth-1:0] count_q;
    reg [9:0]            shift_q; // bit 0 is on the line

    wire ready = left_q == 0;

    always @(posedge clk_i) begin
        count_q <= count_q - 1'b1;
        if (ready) begin
            count_q <= WholeBit[CountWidth-1:0];
            if (valid_i) begin
                left_q  <= 4'd10;
                shift_q <= {1'b1, data_i, 1'b0};
            end
        end else if (count_q == 0) begin
            count_q <= WholeBit[CountWidth-1:0];
            left_q  <= left_q - 1'b1;
            shift_q <= {1'b1, shift_q[9:1]};
        end
        if (rst_i) begin
            left_q  <= 0;
            shift_q <= 10'h3ff;
        end
    end

    assign ready_o = ready;
    assign tx_o    = shift_q[0];

endmodule
`default_nettype wire
