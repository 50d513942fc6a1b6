// One block in another design: a doorbell that counts its rings.
`default_nettype none
module doorbell_example (
    input  wire        clk_i, rst_i,
    input  wire        wr_valid_i,
    input  wire [31:0] wr_addr_i,
    output wire        wr_ready_o,
    output reg  [7:0]  rings_q
);
    wire       ring;
    reg        opened_q; // row 0 is opened for requester 16'h0100 after reset
    always @(posedge clk_i) opened_q <= !rst_i;
    always @(posedge clk_i) rings_q <= rst_i ? 8'd0 : rings_q + {7'd0, ring};

    doorbell_decoder #(.Rows(4), .RowBits(2), .QueueDepth(4), .QueueDepthLog2(2)) u_doorbell (
        .clk_i(clk_i), .rst_i(rst_i), .wr_valid_i(wr_valid_i), .wr_addr_i(wr_addr_i), .wr_size_i(4'd4),
        .wr_rid_i(16'h0100), .wr_ready_o(wr_ready_o), .open_valid_i(!opened_q), .open_row_i(2'd0),
        .open_rid_i(16'h0100), .close_valid_i(1'b0), .close_row_i(2'd0), .room_i(1'b1),
        .launch_valid_o(ring), .launch_row_o(), .launch_tag_o(), .launch_ready_i(1'b1),
        .acc_valid_o(), .acc_row_o(), .acc_tag_o(), .err_clear_i(1'b0), .err_unregistered_o(),
        .err_foreign_o(), .err_misaligned_o(), .err_size_o(), .quiet_o());
endmodule
`default_nettype wire
