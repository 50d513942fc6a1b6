// SPDX-License-Identifier: Apache-2.0
// Properties of fe_head, included at its end under FORMAL (docs/design/proofs.md).

    reg f_past_q = 1'b0;
    reg f_pass_q, f_blocked_q; // this head could leave, was blocked before
    always @(posedge clk_i) begin
        f_past_q    <= 1'b1;
        f_pass_q    <= !rst_i && !leave_i && (f_pass_q || (pass_o && trigger));
        f_blocked_q <= !rst_i && !leave_i && (f_blocked_q || blocked_o);
    end

    // The fields of a head are those it came with.
    reg                             f_valid_q, f_bits_q;
    reg [RowBits-1:0]               f_row_q;
    reg [Words-1:0]                 f_mask_q;
    reg [`EVG_FE_TRIGGER_WIDTH-1:0] f_trigger_q;
    always @(posedge clk_i) begin
        f_valid_q   <= valid_i && !rst_i && !leave_i;
        f_bits_q    <= bits_i;
        f_row_q     <= row_i;
        f_mask_q    <= mask_i;
        f_trigger_q <= trigger_i;
    end
    always @*
        if (f_past_q && f_valid_q)
`ifdef FORMAL_TOP_fe_head
            assume
`else
            assert
`endif
                   (valid_i && bits_i == f_bits_q && row_i == f_row_q && mask_i == f_mask_q &&
                    trigger_i == f_trigger_q);

    always @* begin
        if (!f_past_q) begin
            assume (rst_i);
        end else begin
            assert (state_q <= `EVG_FE_HEAD_BLOCKED);
            assert (pass_q == (state_q == `EVG_FE_HEAD_READY) &&
                    blocked_q == (state_q == `EVG_FE_HEAD_BLOCKED));
            // Only a head that needs its bits is ever examined.
            assert (state_q == `EVG_FE_HEAD_NEW ||
                    (valid_i && (bits_i || state_q == `EVG_FE_HEAD_READY)));
            assert (!(state_q == `EVG_FE_HEAD_JUDGE || blocked_o) || trigger);
            // The verdict is the right one.
            if (state_q == `EVG_FE_HEAD_READY && trigger)
                assert (against == 0);
            if (blocked_o)
                assert (against != 0);
        end
    end

    // The caller keeps to the contract.
    always @*
        if (!rst_i && f_past_q)
`ifdef FORMAL_TOP_fe_head
            assume
`else
            assert
`endif
                ((!look_grant_i || look_o) && (!leave_i || pass_o || blocked_o));

`ifdef FORMAL_TOP_fe_head
    always @(posedge clk_i) begin
        cover (!rst_i && pass_o && !bits_i);
        cover (!rst_i && f_blocked_q && pass_o); // a waiter is released
        cover (!rst_i && f_pass_q && blocked_o); // what could leave no longer can
        cover (!rst_i && blocked_o && leave_i);
    end
`endif
