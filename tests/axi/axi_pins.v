// SPDX-License-Identifier: Apache-2.0
// axi_pins: axi_frontend under the names that cocotbext-axi looks for, with a clock.
`timescale 1ns / 1ps
`default_nettype none

module axi_pins (
    input  wire        rst,
    input  wire [15:0] user,
    input  wire [17:0] s_axil_awaddr,
    input  wire [2:0]  s_axil_awprot,
    input  wire        s_axil_awvalid,
    output wire        s_axil_awready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0]  s_axil_wstrb,
    input  wire        s_axil_wvalid,
    output wire        s_axil_wready,
    output wire [1:0]  s_axil_bresp,
    output wire        s_axil_bvalid,
    input  wire        s_axil_bready,
    input  wire [17:0] s_axil_araddr,
    input  wire [2:0]  s_axil_arprot,
    input  wire        s_axil_arvalid,
    output wire        s_axil_arready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0]  s_axil_rresp,
    output wire        s_axil_rvalid,
    input  wire        s_axil_rready,
    output wire [4:0]  m_axi_awid,
    output wire [63:0] m_axi_awaddr,
    output wire [7:0]  m_axi_awlen,
    output wire [2:0]  m_axi_awsize,
    output wire [1:0]  m_axi_awburst,
    output wire        m_axi_awvalid,
    input  wire        m_axi_awready,
    output wire [63:0] m_axi_wdata,
    output wire [7:0]  m_axi_wstrb,
    output wire        m_axi_wlast,
    output wire        m_axi_wvalid,
    input  wire        m_axi_wready,
    input  wire [4:0]  m_axi_bid,
    input  wire [1:0]  m_axi_bresp,
    input  wire        m_axi_bvalid,
    output wire        m_axi_bready,
    output wire [4:0]  m_axi_arid,
    output wire [63:0] m_axi_araddr,
    output wire [7:0]  m_axi_arlen,
    output wire [2:0]  m_axi_arsize,
    output wire [1:0]  m_axi_arburst,
    output wire        m_axi_arvalid,
    input  wire        m_axi_arready,
    input  wire [4:0]  m_axi_rid,
    input  wire [63:0] m_axi_rdata,
    input  wire [1:0]  m_axi_rresp,
    input  wire        m_axi_rlast,
    input  wire        m_axi_rvalid,
    output wire        m_axi_rready,
    output wire        irq,
    output wire        idle,
    output wire        ev_valid,
    output wire [63:0] ev_param,
    output wire [63:0] ev_kernel,
    output wire [4:0]  ev_row,
    output wire [15:0] ev_tag,
    input  wire        ev_ack,
    input  wire        done_valid,
    input  wire [63:0] done_param,
    input  wire [4:0]  done_row,
    input  wire [15:0] done_tag,
    output wire        done_ready
);

    reg clk = 1'b0;
    always #5 clk = !clk;

    wire       stat_req;
    wire [2:0] stat_group;

    axi_frontend dut (
        .clk_i(clk), .rst_i(rst),
        .s_awvalid_i(s_axil_awvalid), .s_awaddr_i(s_axil_awaddr), .s_awuser_i(user),
        .s_wvalid_i(s_axil_wvalid), .s_wdata_i(s_axil_wdata), .s_wstrb_i(s_axil_wstrb),
        .s_bready_i(s_axil_bready), .s_arvalid_i(s_axil_arvalid), .s_araddr_i(s_axil_araddr),
        .s_rready_i(s_axil_rready), .s_awready_o(s_axil_awready), .s_wready_o(s_axil_wready),
        .s_bvalid_o(s_axil_bvalid), .s_bresp_o(s_axil_bresp), .s_arready_o(s_axil_arready),
        .s_rvalid_o(s_axil_rvalid), .s_rdata_o(s_axil_rdata), .s_rresp_o(s_axil_rresp),
        .m_arready_i(m_axi_arready), .m_rvalid_i(m_axi_rvalid), .m_rid_i(m_axi_rid),
        .m_rdata_i(m_axi_rdata), .m_rresp_i(m_axi_rresp), .m_awready_i(m_axi_awready),
        .m_wready_i(m_axi_wready), .m_bvalid_i(m_axi_bvalid), .m_bresp_i(m_axi_bresp),
        .m_arvalid_o(m_axi_arvalid), .m_arid_o(m_axi_arid), .m_araddr_o(m_axi_araddr),
        .m_arlen_o(m_axi_arlen), .m_arsize_o(m_axi_arsize), .m_arburst_o(m_axi_arburst),
        .m_rready_o(m_axi_rready), .m_awvalid_o(m_axi_awvalid), .m_awid_o(m_axi_awid),
        .m_awaddr_o(m_axi_awaddr), .m_awlen_o(m_axi_awlen), .m_awsize_o(m_axi_awsize),
        .m_awburst_o(m_axi_awburst), .m_wvalid_o(m_axi_wvalid), .m_wdata_o(m_axi_wdata),
        .m_wstrb_o(m_axi_wstrb), .m_wlast_o(m_axi_wlast), .m_bready_o(m_axi_bready),
        .irq_o(irq), .idle_o(idle),
        // One core, which always has a free context
        .stat_valid_i(stat_req), .stat_group_i(stat_group), .stat_occupancy_i(24'd0),
        .stat_victims_i(24'd0), .stat_busy_i(8'd0), .stat_free_i(8'hff), .stat_fits_i(8'hff),
        .stat_kept_i(8'd0), .stat_levels_i(32'd0), .stat_req_o(stat_req),
        .stat_req_group_o(stat_group), .stat_req_regs_o(),
        .ab_hit_i(1'b0), .ab_valid_o(), .ab_row_o(), .ab_param_o(),
        .acc_valid_o(), .acc_row_o(), .acc_tag_o(),
        .ev_ack_i(ev_ack), .ev_valid_o(ev_valid), .ev_core_o(), .ev_kernel_o(ev_kernel),
        .ev_param_o(ev_param), .ev_mask_o(), .ev_dims_o(), .ev_regs_o(), .ev_row_o(ev_row),
        .ev_tag_o(ev_tag), .ev_priority_o(),
        .big_ready_i(1'b1), .big_valid_o(), .big_kernel_o(), .big_param_o(), .big_dims_o(),
        .big_shared_o(), .big_regs_o(), .big_row_o(), .big_tag_o(), .big_priority_o(),
        .done_valid_i(done_valid), .done_row_i(done_row), .done_param_i(done_param),
        .done_tag_i(done_tag), .done_aborted_i(1'b0), .done_ready_o(done_ready), .keep_cores_o()
    );

    wire unused = &{1'b0, s_axil_awprot, s_axil_arprot, m_axi_bid, m_axi_rlast};

endmodule

`default_nettype wire
