// SPDX-License-Identifier: Apache-2.0
// Properties of axil_slave, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    reg        f_live = 1'b0; // there has been a reset
    reg [2:0]  f_aw, f_w, f_ar; // taken, and not yet answered
    reg        f_b_held, f_r_held;
    reg        f_b_error, f_r_error; // the answers that were given
    reg [31:0] f_r_data;

    wire f_take_aw = s_awvalid_i && s_awready_o;
    wire f_take_w  = s_wvalid_i && s_wready_o;
    wire f_take_ar = s_arvalid_i && s_arready_o;
    wire f_b       = s_bvalid_o && s_bready_i;
    wire f_r       = s_rvalid_o && s_rready_i;
    wire [2:0] f_b_in = {2'd0, s_bvalid_o};
    wire [2:0] f_r_in = {2'd0, s_rvalid_o};

    always @(posedge clk_i) begin
        f_b_held <= !rst_i && s_bvalid_o && !s_bready_i;
        f_r_held <= !rst_i && s_rvalid_o && !s_rready_i;
        if (write_o)
            f_b_error <= write_error_i;
        if (read_o)
            {f_r_error, f_r_data} <= {read_error_i, read_data_i};
        if (rst_i) begin
            f_live <= 1'b1;
            f_aw   <= 3'd0;
            f_w    <= 3'd0;
            f_ar   <= 3'd0;
        end else begin
            f_aw <= f_aw + {2'd0, f_take_aw} - {2'd0, f_b};
            f_w  <= f_w + {2'd0, f_take_w} - {2'd0, f_b};
            f_ar <= f_ar + {2'd0, f_take_ar} - {2'd0, f_r};
        end
    end

    always @*
        if (f_live) begin
            // An answer stays as it is until it is taken
            assert (!f_b_held || s_bvalid_o);
            assert (!f_r_held || s_rvalid_o);
            if (s_bvalid_o)
                assert (s_bresp_o == {f_b_error, 1'b0});
            if (s_rvalid_o)
                assert ({s_rresp_o, s_rdata_o} == {f_r_error, 1'b0, f_r_data});
            // No answer without a request, one for each
            assert (!s_bvalid_o || (f_aw != 0 && f_w != 0));
            assert (!s_rvalid_o || f_ar != 0);
            assert (f_aw <= 3 && f_w <= 3 && f_ar <= 3);
            // An access is shown as soon as it can be, and what comes is taken unless two wait
            assert (write_o == (f_aw > f_b_in && f_w > f_b_in && (!s_bvalid_o || s_bready_i)));
            assert (read_o == (f_ar > f_r_in && (!s_rvalid_o || s_rready_i)));
            assert (s_awready_o == (f_aw - f_b_in != 2) && s_wready_o == (f_w - f_b_in != 2) &&
                    s_arready_o == (f_ar - f_r_in != 2));
            assert (quiet_o == (f_aw == 0 && f_w == 0 && f_ar == 0 &&
                                !s_awvalid_i && !s_wvalid_i && !s_arvalid_i));
        end

`ifdef FORMAL_TOP_axil_slave
    // The N-th address goes with the N-th data, neither changed: those taken at a moment of the solver's
    // choice, numbered by the writes in front of them.
    (* anyseq *) reg f_pick_aw, f_pick_w, f_pick_ar;
    reg               f_has_aw = 1'b0, f_has_w = 1'b0, f_has_ar = 1'b0;
    reg [1:0]         f_before_aw, f_before_w, f_before_ar; // accesses to be shown before it
    reg [UserBits+AddressBits-3:0] f_address;
    reg [35:0]        f_data;
    reg [AddressBits-3:0] f_read;

    always @(posedge clk_i)
        if (rst_i) begin
            f_has_aw <= 1'b0;
            f_has_w  <= 1'b0;
            f_has_ar <= 1'b0;
        end else begin
            if (f_has_aw) begin
                f_before_aw <= f_before_aw - {1'b0, write_o};
                if (write_o && f_before_aw == 0)
                    f_has_aw <= 1'b0;
            end else if (f_take_aw && f_pick_aw) begin
                f_has_aw    <= 1'b1;
                f_before_aw <= f_aw[1:0] - f_b_in[1:0] - {1'b0, write_o};
                f_address   <= {s_awuser_i, s_awaddr_i[AddressBits-1:2]};
            end
            if (f_has_w) begin
                f_before_w <= f_before_w - {1'b0, write_o};
                if (write_o && f_before_w == 0)
                    f_has_w <= 1'b0;
            end else if (f_take_w && f_pick_w) begin
                f_has_w    <= 1'b1;
                f_before_w <= f_w[1:0] - f_b_in[1:0] - {1'b0, write_o};
                f_data     <= {s_wstrb_i, s_wdata_i};
            end
            if (f_has_ar) begin
                f_before_ar <= f_before_ar - {1'b0, read_o};
                if (read_o && f_before_ar == 0)
                    f_has_ar <= 1'b0;
            end else if (f_take_ar && f_pick_ar) begin
                f_has_ar    <= 1'b1;
                f_before_ar <= f_ar[1:0] - f_r_in[1:0] - {1'b0, read_o};
                f_read      <= s_araddr_i[AddressBits-1:2];
            end
        end

    always @*
        if (f_live) begin
            if (f_has_aw && f_before_aw == 0 && write_o)
                assert ({write_user_o, write_word_o} == f_address);
            if (f_has_w && f_before_w == 0 && write_o)
                assert ({write_strobe_o, write_data_o} == f_data);
            if (f_has_ar && f_before_ar == 0 && read_o)
                assert (read_word_o == f_read);
            cover (f_has_aw && f_has_w && f_before_aw == 1 && write_o);
            cover (f_b_held && f_aw == 3 && f_w == 3);
            cover (f_r_held && f_ar == 3);
            cover (f_b && write_o && f_r && read_o);
        end
`endif

    // --- invariants ------------------------------------------------------------------------------
    always @*
        if (f_live) begin
            assert ({1'b0, aw_count} == f_aw - f_b_in && {1'b0, w_count} == f_w - f_b_in &&
                    {1'b0, ar_count} == f_ar - f_r_in);
`ifdef FORMAL_TOP_axil_slave
            assert (!f_has_aw || f_before_aw < aw_count);
            assert (!f_has_w || f_before_w < w_count);
            assert (!f_has_ar || f_before_ar < ar_count);
`endif
        end
