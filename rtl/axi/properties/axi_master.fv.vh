// SPDX-License-Identifier: Apache-2.0
// Properties of axi_master, included at its end under FORMAL (docs/design/proofs.md).

    reg                f_live = 1'b0; // there has been a reset
    reg                f_ar, f_aw, f_w; // taken, not yet out
    reg [63:0]         f_ar_addr, f_aw_addr;
    reg [TagBits-1:0]  f_ar_tag;
    reg [31:0]         f_data;
    reg [TagBits:0]    f_reads;  // out, not answered
    reg [WaitBits-1:0] f_writes; // taken, not answered
    reg                f_r, f_b, f_error, f_b_error; // answered a cycle ago
    reg [63:0]         f_r_data;
    reg [TagBits-1:0]  f_r_tag;

    wire f_take_r = mr_valid_i && mr_ready_o;
    wire f_take_w = pw_valid_i && pw_ready_o;
    wire f_out_ar = m_arvalid_o && m_arready_i;
    wire f_out_aw = m_awvalid_o && m_awready_i;
    wire f_out_w  = m_wvalid_o && m_wready_i;

    always @(posedge clk_i) begin
        if (f_take_r)
            {f_ar_addr, f_ar_tag} <= {mr_addr_i, mr_tag_i};
        if (f_take_w)
            {f_aw_addr, f_data} <= {pw_addr_i, pw_data_i};
        {f_r_tag, f_r_data} <= {m_rid_i, m_rdata_i};
        f_error   <= m_rresp_i[1];
        f_b_error <= m_bresp_i[1];
        if (rst_i) begin
            f_live   <= 1'b1;
            f_ar     <= 1'b0;
            f_aw     <= 1'b0;
            f_w      <= 1'b0;
            f_r      <= 1'b0;
            f_b      <= 1'b0;
            f_reads  <= {TagBits+1{1'b0}};
            f_writes <= {WaitBits{1'b0}};
        end else begin
            f_ar     <= (f_ar && !f_out_ar) || f_take_r;
            f_aw     <= (f_aw && !f_out_aw) || f_take_w;
            f_w      <= (f_w && !f_out_w) || f_take_w;
            f_r      <= m_rvalid_i;
            f_b      <= m_bvalid_i;
            f_reads  <= f_reads + {{TagBits{1'b0}}, f_out_ar} - {{TagBits{1'b0}}, m_rvalid_i};
            f_writes <= f_writes + {{WaitBits-1{1'b0}}, f_take_w} - {{WaitBits-1{1'b0}}, m_bvalid_i};
        end
    end

`ifdef FORMAL_TOP_axi_master
    reg f_aw_was_first = 1'b0;
    always @(posedge clk_i)
        f_aw_was_first <= f_out_aw && !f_out_w;
`endif

`ifdef FORMAL_TOP_axi_master
    // The slave: answers to what has gone out only, a write's when both its halves have
    always @*
        if (f_live) begin
            assume (!m_rvalid_i || f_reads != 0);
            assume (!m_bvalid_i || f_writes > {{WaitBits-1{1'b0}}, f_aw || f_w});
        end
`endif

    always @*
        if (f_live) begin
            // What is taken goes out once, as it was taken, and stays until its ready; nothing else does
            assert (m_arvalid_o == f_ar && m_awvalid_o == f_aw && m_wvalid_o == f_w);
            if (m_arvalid_o)
                assert (m_araddr_o == f_ar_addr && m_arid_o == f_ar_tag && m_arlen_o == 0 &&
                        m_arsize_o == 3 && m_arburst_o == 2'b01);
            if (m_awvalid_o)
                assert (m_awaddr_o == f_aw_addr && m_awid_o == 0 && m_awlen_o == 0 && m_awsize_o == 2 &&
                        m_awburst_o == 2'b01);
            if (m_wvalid_o)
                assert (m_wdata_o[32*f_aw_addr[2]+:32] == f_data && m_wlast_o &&
                        m_wstrb_o == (f_aw_addr[2] ? 8'hf0 : 8'h0f) && m_awaddr_o == f_aw_addr);
            assert (!mr_ready_o || !m_arvalid_o);
            assert (!pw_ready_o || (!m_awvalid_o && !m_wvalid_o));
            // Answers are passed on, none else
            assert (mr_rsp_valid_o == f_r);
            if (mr_rsp_valid_o)
                assert ({mr_rsp_tag_o, mr_rsp_error_o, mr_rsp_data_o} == {f_r_tag, f_error, f_r_data});
            assert (written_o == (f_b && !f_b_error) && error_o == (f_b && f_b_error));
            // Always ready for an answer; never more unanswered than can be counted
            assert (m_rready_o && m_bready_o);
`ifdef FORMAL_TOP_axi_master
            assert ((f_aw || f_w) <= f_writes && (!pw_ready_o || f_writes != {WaitBits{1'b1}}));
            assert (quiet_o == (!f_ar && !f_aw && !f_w && f_reads == 0 && f_writes == 0 && !f_r && !f_b));
            // What can be taken is
            assert (mr_ready_o || m_arvalid_o || f_reads == 1 << TagBits);
            assert (pw_ready_o || m_awvalid_o || m_wvalid_o || f_writes == {WaitBits{1'b1}});
            cover (f_reads == 3 && m_arvalid_o && !m_arready_i);
            cover (m_wvalid_o && !m_awvalid_o && f_aw_was_first);
            cover (!m_wvalid_o && m_awvalid_o);
            cover (!pw_ready_o && f_writes == {WaitBits{1'b1}});
            cover (error_o);
`endif
        end

    // --- invariants ------------------------------------------------------------------------------
`ifdef FORMAL_TOP_axi_master
    always @*
        if (f_live) begin
            assert (reads_q == f_reads + {{TagBits{1'b0}}, f_ar} && writes_q == f_writes);
            assert (reads_q <= Reads && f_reads <= Reads && (!mr_ready_o || reads_q != Reads));
        end
`endif
