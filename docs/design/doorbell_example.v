// SPDX-License-Identifier: Apache-2.0
// One block in another design: a doorbell that counts its rings.
`default_nettype none
module doorbell_example (
    input  wire        clk_i, rst_i,
    input  wire        wr_valid_i,
    input  wire [31:0] wr_addr_i,
    output reg  [7:0]  rings_q
);
    wire       ring;
    reg        opened_q; // row 0 is opened for requester 16'h0100 after reset
    always @(posedge clk_i) opened_q <= !rst_i;
    always @(posedge clk_i) rings_q <= rst_i ? 8'd0 : rings_q + {7'd0, ring};

    wire [205:0] open_ends;
    wire         unused = &{1'b0, open_ends};
    doorbell_decoder #(.Rows(4), .RowBits(2)) u_doorbell (
        .clk_i(clk_i), .rst_i(rst_i), .wr_valid_i(wr_valid_i), .wr_addr_i(wr_addr_i), .wr_size_i(4'd4),
        .wr_rid_i(16'h0100), .open_valid_i(!opened_q), .open_row_i(2'd0), .open_rid_i(16'h0100),
        .open_priority_i(2'd0), .open_warp_i(1'b1), .close_valid_i(1'b0), .close_row_i(2'd0),
        .placed_i(ring), .placed_level_i(2'd0), .queued_i(1'b0), .queued_level_i(2'd0), .levels_o(open_ends[205:202]),
        .launch_valid_o(ring), .launch_row_o(open_ends[1:0]), .launch_tag_o(open_ends[17:2]), .launch_ready_i(1'b1),
        .empty_o(open_ends[201:198]), .dec_valid_i(ring), .dec_row_i(open_ends[1:0]), // each is over at once
        .acc_valid_o(open_ends[18]), .acc_row_o(open_ends[20:19]), .acc_tag_o(open_ends[36:21]),
        .err_clear_i(1'b0), .err_unregistered_o(open_ends[68:37]), .err_foreign_o(open_ends[100:69]),
        .err_misaligned_o(open_ends[132:101]), .err_size_o(open_ends[164:133]),
        .err_overrun_o(open_ends[196:165]), .quiet_o(open_ends[197]));
endmodule
`default_nettype wire
