// SPDX-License-Identifier: Apache-2.0
// Properties of fe_range, included at its end under FORMAL (docs/design/proofs.md).

    reg f_past_q = 1'b0, f_clear_q, f_ended_q, f_free_q, f_hold_q;
    always @(posedge clk_i) begin
        f_past_q  <= 1'b1;
        f_clear_q <= !rst_i && state_q == `EVG_FE_RANGE_CLEAR;
        f_ended_q <= at_end;
        f_free_q  <= !rst_i && !f_hold_q;
        f_hold_q  <= rst_i || hold_d;
    end

    always @* begin
        if (!f_past_q) begin
            assume (rst_i);
        end else begin
            assert (state_q <= `EVG_FE_RANGE_REST);
            assert (write_q == (state_q == `EVG_FE_RANGE_START || state_q == `EVG_FE_RANGE_CLEAR ||
                                state_q == `EVG_FE_RANGE_WRITE));
            assert (f_hold_q == (busy_o && state_q != `EVG_FE_RANGE_REST));
            // It goes up to its last row and ends there, so it ends.
            assert (!busy_o || row_q <= last_row_q ||
                    (state_q == `EVG_FE_RANGE_REST && last_q));
            assert ({1'b0, last_row_q} < Lines[RowBits:0]);
            // One row per cycle where nothing needs to be read: a CLEAR goes on until it ends.
            if (f_clear_q)
                assert (write_q || f_ended_q);
            // Announced one cycle ahead
            if (f_free_q)
                assert (!write_q);
        end
        if (f_past_q && start_i)
`ifdef FORMAL_TOP_fe_range
            assume
`else
            assert
`endif
                (first_i <= last_i && {1'b0, last_i[WordBits+:RowBits]} < Lines[RowBits:0]);
    end

`ifdef FORMAL_TOP_fe_range
    always @(posedge clk_i) begin
        cover (state_q == `EVG_FE_RANGE_CLEAR && at_end && row_q != 0);
        cover (state_q == `EVG_FE_RANGE_MERGE && mask == 1 && at_end);
    end
`endif
