// SPDX-License-Identifier: Apache-2.0
// Properties of fe_in_order, included at its end under FORMAL (docs/design/proofs.md).

    reg f_past_q = 1'b0;
    always @(posedge clk_i)
        f_past_q <= 1'b1;

    // The known state of a head that may leave is true.
    reg  f_write_q, f_hold_q;
    wire f_acts    = data_o[BitsLsb] && data_o[ActionLsb+:2] != `EVG_FE_ACTION_NONE;
    wire f_waits   = data_o[BitsLsb] && Triggered != 0 &&
                     data_o[TriggerLsb+:2] != `EVG_FE_TRIGGER_NONE;
    always @(posedge clk_i) begin
        f_write_q <= next_write_i;
        f_hold_q  <= next_hold_i;
    end

    always @*
        if (!f_past_q) begin
            assume (rst_i);
        end else if (valid_o && state_o != `EVG_FE_HEAD_NEW) begin
            assert (acts_o == f_acts && uses_o == (f_acts || f_waits));
            assert (stopped_o == ((f_acts && f_hold_q) || (f_waits && f_write_q)));
            assert (error_o == (Triggered == 0 && data_o[ErrorLsb]));
        end

    // The caller keeps to the contract.
    always @*
        if (f_past_q && !rst_i)
`ifdef FORMAL_TOP_fe_in_order
            assume
`else
            assert
`endif
                ((!push_i || ready_o) && (!look_grant_i || look_o) &&
                 (!leave_i || pass_o || (blocked_o && released_o)));

    // RELEASE lets go what is there, and nothing that comes later.
    generate
        if (Triggered != 0) begin : g_formal_release
            reg  [DepthLog2:0] f_due_q;
            wire [DepthLog2:0] f_left = {{DepthLog2{1'b0}}, leave_i};
            always @(posedge clk_i)
                if (rst_i)
                    f_due_q <= {DepthLog2 + 1{1'b0}};
                else if (release_i)
                    f_due_q <= count - f_left;
                else if (f_due_q != 0)
                    f_due_q <= f_due_q - f_left;
            always @*
                if (f_past_q)
                    assert (g_release.release_q == f_due_q && released_o == (f_due_q != 0) &&
                            f_due_q <= count);
        end
    endgenerate

`ifdef FORMAL_TOP_fe_in_order
    always @(posedge clk_i)
        if (!rst_i) begin
            cover (f_past_q && leave_i && blocked_o);
            cover (f_past_q && pass_o && stopped_o);
            cover (f_past_q && !ready_o && released_o && blocked_o && look_row_o != 0);
            cover (f_past_q && !ready_o && blocked_o && still_o);
        end
`endif
