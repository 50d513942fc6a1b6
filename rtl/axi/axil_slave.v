// SPDX-License-Identifier: Apache-2.0
// axil_slave: the five channels of an AXI4-Lite slave as single accesses.
//
// Contract
// - A write is shown with write_o for one cycle, when its address and its data have come, in any order,
//   and the answer before it has left or leaves: write_error_i of that cycle is its answer, SLVERR or
//   OKAY. A read likewise: read_data_i and read_error_i of the cycle of read_o are its answer.
// - Writes are shown in their order, reads in theirs; a write and a read may be shown in one cycle, and
//   no order is kept between the two.
// - Throughput: one write and one read per cycle. Latency, with nothing in front:
//
//     clk           0     1     2     3
//     s_awvalid_i   --\___________________   s_awready_o at once; s_w... likewise
//     write_o       ______/-----\_________   write_error_i in this cycle
//     s_bvalid_o    ____________/-----\___   s_bready_i at once
//
// - Every output to the bus is a register. s_awready_o, s_wready_o and s_arready_o are low only while two
//   accesses wait in front. The low two bits of an address are not looked at: s_wstrb_i says which bytes
//   of the word are written.
// - s_awuser_i goes along with the write's address. AXI4-Lite has no such signal: it is for whoever
//   knows which device writes (a PCIe requester id); else it is tied.
// - Illegal: what AXI forbids a master, a valid that falls or a payload that changes before its ready.
// - quiet_o: no access is inside, and none is offered.
`default_nettype none

module axil_slave #(
    parameter AddressBits = 32, // 3..
    parameter UserBits    = 1
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    // Write address
    input  wire                   s_awvalid_i,
    input  wire [AddressBits-1:0] s_awaddr_i,
    input  wire [UserBits-1:0]    s_awuser_i,
    output wire                   s_awready_o,
    // Write data
    input  wire                   s_wvalid_i,
    input  wire [31:0]            s_wdata_i,
    input  wire [3:0]             s_wstrb_i,
    output wire                   s_wready_o,
    // Write response
    output wire                   s_bvalid_o,
    output wire [1:0]             s_bresp_o,
    input  wire                   s_bready_i,
    // Read address
    input  wire                   s_arvalid_i,
    input  wire [AddressBits-1:0] s_araddr_i,
    output wire                   s_arready_o,
    // Read data
    output wire                   s_rvalid_o,
    output wire [31:0]            s_rdata_o,
    output wire [1:0]             s_rresp_o,
    input  wire                   s_rready_i,
    // A write
    output wire                   write_o,
    output wire [AddressBits-3:0] write_word_o, // address / 4
    output wire [UserBits-1:0]    write_user_o,
    output wire [31:0]            write_data_o,
    output wire [3:0]             write_strobe_o,
    input  wire                   write_error_i,
    // A read
    output wire                   read_o,
    output wire [AddressBits-3:0] read_word_o,
    input  wire [31:0]            read_data_i,
    input  wire                   read_error_i,
    output wire                   quiet_o
);

    localparam WordBits = AddressBits - 2;

    generate
        if (AddressBits < 3 || UserBits < 1) begin : g_check
            axil_slave_needs_an_address_of_3_bits_and_a_user check_parameters ();
        end
    endgenerate

    wire       aw_full, aw_empty, w_full, w_empty, ar_full, ar_empty;
    wire [1:0] aw_count, w_count, ar_count;
    wire       unused = &{1'b0, s_awaddr_i[1:0], s_araddr_i[1:0], aw_count, w_count, ar_count};

    reg        b_valid_q, b_error_q, r_valid_q, r_error_q;
    reg [31:0] r_data_q;

    wire write = !aw_empty && !w_empty && (!b_valid_q || s_bready_i);
    wire read  = !ar_empty && (!r_valid_q || s_rready_i);

    sync_fifo #(.Width(UserBits + WordBits), .Depth(2), .DepthLog2(1)) u_aw (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(s_awvalid_i && !aw_full), .data_i({s_awuser_i, s_awaddr_i[AddressBits-1:2]}),
        .full_o(aw_full), .pop_i(write), .data_o({write_user_o, write_word_o}), .empty_o(aw_empty),
        .count_o(aw_count)
    );

    sync_fifo #(.Width(36), .Depth(2), .DepthLog2(1)) u_w (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(s_wvalid_i && !w_full), .data_i({s_wstrb_i, s_wdata_i}),
        .full_o(w_full), .pop_i(write), .data_o({write_strobe_o, write_data_o}), .empty_o(w_empty),
        .count_o(w_count)
    );

    sync_fifo #(.Width(WordBits), .Depth(2), .DepthLog2(1)) u_ar (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(s_arvalid_i && !ar_full), .data_i(s_araddr_i[AddressBits-1:2]),
        .full_o(ar_full), .pop_i(read), .data_o(read_word_o), .empty_o(ar_empty),
        .count_o(ar_count)
    );

    always @(posedge clk_i) begin
        if (rst_i) begin
            b_valid_q <= 1'b0;
            r_valid_q <= 1'b0;
        end else begin
            b_valid_q <= write || (b_valid_q && !s_bready_i);
            r_valid_q <= read || (r_valid_q && !s_rready_i);
        end
        if (write)
            b_error_q <= write_error_i;
        if (read) begin
            r_error_q <= read_error_i;
            r_data_q  <= read_data_i;
        end
    end

    assign s_awready_o = !aw_full;
    assign s_wready_o  = !w_full;
    assign s_arready_o = !ar_full;
    assign s_bvalid_o  = b_valid_q;
    assign s_bresp_o   = {b_error_q, 1'b0};
    assign s_rvalid_o  = r_valid_q;
    assign s_rdata_o   = r_data_q;
    assign s_rresp_o   = {r_error_q, 1'b0};
    assign write_o     = write;
    assign read_o      = read;
    assign quiet_o     = aw_empty && w_empty && ar_empty && !b_valid_q && !r_valid_q &&
                         !s_awvalid_i && !s_wvalid_i && !s_arvalid_i;

`ifdef FORMAL
`include "properties/axil_slave.fv.vh"
`endif

endmodule

`default_nettype wire
