// SPDX-License-Identifier: Apache-2.0
// axi_master: reads of 8 bytes and writes of 4 as an AXI4 master, on a data bus of 64 bits: those of
// event_completion, which reads a completion pointer and writes a completion flag (EDGE III-B).
//
// Contract
// - A read is taken with mr_valid_i and mr_ready_o, a write with pw_valid_i and pw_ready_o; either may be
//   withdrawn before. What is taken goes out once, as a burst of one beat, and stays until its ready.
//
//     clk           0     1     2     3     4
//     mr_valid_i    --\________________________
//     m_arvalid_o   ______/-----\______________   m_arready_i at once
//     m_rvalid_i    ____________/-----\________   m_rready_o is high
//     mr_rsp_valid_o __________________/-----\_   one cycle after the answer
//
// - A read has its tag as its id, so the memory may answer in any order. m_rready_o and m_bready_o are
//   always high. SLVERR and DECERR give mr_rsp_error_o, and for a write a pulse of error_o;
//   written_o is the pulse of a write that was answered with OKAY.
// - Writes have id 0, so they take effect in their order. Address and data go out together and may be
//   taken in any order. Of writes whose answer has not come there are at most 2**WaitBits - 1; beyond
//   that pw_ready_o is low.
// - Addresses: mr_addr_i a multiple of 8 (submission queue entries begin with ENTRY_ALIGN), pw_addr_i one
//   of 4 (completion flags). Neither is checked: the low bits go out as they are.
// - Illegal: an answer that nobody waits for; the read is passed on (event_completion ignores it), a
//   write's is not counted down below 0.
// - quiet_o: no request is inside, none is unanswered, and no answer is passed on.
`default_nettype none

module axi_master #(
    parameter TagBits  = 5,
    parameter WaitBits = 4 // of the number of writes that wait for their answer
) (
    input  wire               clk_i,
    input  wire               rst_i,
    // Reads
    input  wire               mr_valid_i,
    input  wire [63:0]        mr_addr_i,
    input  wire [TagBits-1:0] mr_tag_i,
    output wire               mr_ready_o,
    output wire               mr_rsp_valid_o,
    output wire [TagBits-1:0] mr_rsp_tag_o,
    output wire               mr_rsp_error_o,
    output wire [63:0]        mr_rsp_data_o,
    // Writes
    input  wire               pw_valid_i,
    input  wire [63:0]        pw_addr_i,
    input  wire [31:0]        pw_data_i,
    output wire               pw_ready_o,
    output wire               written_o,
    output wire               error_o,
    // AXI4: read address
    output wire               m_arvalid_o,
    output wire [TagBits-1:0] m_arid_o,
    output wire [63:0]        m_araddr_o,
    output wire [7:0]         m_arlen_o,
    output wire [2:0]         m_arsize_o,
    output wire [1:0]         m_arburst_o,
    input  wire               m_arready_i,
    // Read data
    input  wire               m_rvalid_i,
    input  wire [TagBits-1:0] m_rid_i,
    input  wire [63:0]        m_rdata_i,
    input  wire [1:0]         m_rresp_i,
    output wire               m_rready_o,
    // Write address
    output wire               m_awvalid_o,
    output wire [TagBits-1:0] m_awid_o,
    output wire [63:0]        m_awaddr_o,
    output wire [7:0]         m_awlen_o,
    output wire [2:0]         m_awsize_o,
    output wire [1:0]         m_awburst_o,
    input  wire               m_awready_i,
    // Write data
    output wire               m_wvalid_o,
    output wire [63:0]        m_wdata_o,
    output wire [7:0]         m_wstrb_o,
    output wire               m_wlast_o,
    input  wire               m_wready_i,
    // Write response
    input  wire               m_bvalid_i,
    input  wire [1:0]         m_bresp_i,
    output wire               m_bready_o,
    output wire               quiet_o
);

    localparam Reads = 1 << TagBits;
    localparam [WaitBits-1:0] Most = {WaitBits{1'b1}};

    reg                ar_valid_q, aw_valid_q, w_valid_q;
    reg [63:0]         ar_addr_q, aw_addr_q;
    reg [31:0]         w_data_q;
    reg [TagBits-1:0]  ar_tag_q;
    reg                mr_ready_q, pw_ready_q;
    reg                rsp_valid_q, rsp_error_q, written_q, error_q;
    reg [TagBits-1:0]  rsp_tag_q;
    reg [63:0]         rsp_data_q;
    reg [TagBits:0]    reads_q;  // taken, not answered
    reg [WaitBits-1:0] writes_q; // likewise

    wire mr_take = mr_valid_i && mr_ready_q;
    wire pw_take = pw_valid_i && pw_ready_q;

    wire ar_valid_d = mr_take || (ar_valid_q && !m_arready_i);
    wire aw_valid_d = pw_take || (aw_valid_q && !m_awready_i);
    wire w_valid_d  = pw_take || (w_valid_q && !m_wready_i);

    wire [WaitBits-1:0] writes_d = writes_q + {{WaitBits-1{1'b0}}, pw_take} -
                                   {{WaitBits-1{1'b0}}, m_bvalid_i && writes_q != {WaitBits{1'b0}}};
    wire [TagBits:0]    reads_d  = reads_q + {{TagBits{1'b0}}, mr_take} -
                                   {{TagBits{1'b0}}, m_rvalid_i && reads_q != {TagBits+1{1'b0}}};

    always @(posedge clk_i)
        if (rst_i) begin
            ar_valid_q  <= 1'b0;
            aw_valid_q  <= 1'b0;
            w_valid_q   <= 1'b0;
            mr_ready_q  <= 1'b1;
            pw_ready_q  <= 1'b1;
            rsp_valid_q <= 1'b0;
            written_q   <= 1'b0;
            error_q     <= 1'b0;
            reads_q     <= {TagBits+1{1'b0}};
            writes_q    <= {WaitBits{1'b0}};
        end else begin
            ar_valid_q  <= ar_valid_d;
            aw_valid_q  <= aw_valid_d;
            w_valid_q   <= w_valid_d;
            mr_ready_q  <= !ar_valid_d && reads_d != Reads[TagBits:0];
            pw_ready_q  <= !aw_valid_d && !w_valid_d && writes_d != Most;
            rsp_valid_q <= m_rvalid_i;
            written_q   <= m_bvalid_i && !m_bresp_i[1];
            error_q     <= m_bvalid_i && m_bresp_i[1];
            reads_q     <= reads_d;
            writes_q    <= writes_d;
        end

    always @(posedge clk_i) begin
        if (mr_take) begin
            ar_addr_q <= mr_addr_i;
            ar_tag_q  <= mr_tag_i;
        end
        if (pw_take) begin
            aw_addr_q <= pw_addr_i;
            w_data_q  <= pw_data_i;
        end
        if (m_rvalid_i) begin
            rsp_tag_q   <= m_rid_i;
            rsp_error_q <= m_rresp_i[1];
            rsp_data_q  <= m_rdata_i;
        end
    end

    wire unused = &{1'b0, m_rresp_i[0], m_bresp_i[0]}; // OKAY and EXOKAY are both good

    assign mr_ready_o     = mr_ready_q;
    assign mr_rsp_valid_o = rsp_valid_q;
    assign mr_rsp_tag_o   = rsp_tag_q;
    assign mr_rsp_error_o = rsp_error_q;
    assign mr_rsp_data_o  = rsp_data_q;
    assign pw_ready_o     = pw_ready_q;
    assign written_o      = written_q;
    assign error_o        = error_q;

    assign m_arvalid_o = ar_valid_q;
    assign m_arid_o    = ar_tag_q;
    assign m_araddr_o  = ar_addr_q;
    assign m_arlen_o   = 8'd0;
    assign m_arsize_o  = 3'd3;
    assign m_arburst_o = 2'b01;
    assign m_rready_o  = 1'b1;
    assign m_awvalid_o = aw_valid_q;
    assign m_awid_o    = {TagBits{1'b0}};
    assign m_awaddr_o  = aw_addr_q;
    assign m_awlen_o   = 8'd0;
    assign m_awsize_o  = 3'd2;
    assign m_awburst_o = 2'b01;
    assign m_wvalid_o  = w_valid_q;
    assign m_wdata_o   = {w_data_q, w_data_q};
    assign m_wstrb_o   = aw_addr_q[2] ? 8'hf0 : 8'h0f;
    assign m_wlast_o   = 1'b1;
    assign m_bready_o  = 1'b1;
    assign quiet_o     = !ar_valid_q && !aw_valid_q && !w_valid_q && !rsp_valid_q && !written_q &&
                         !error_q && reads_q == {TagBits+1{1'b0}} && writes_q == {WaitBits{1'b0}};

`ifdef FORMAL
`include "properties/axi_master.fv.vh"
`endif

endmodule

`default_nettype wire
