// Properties of event_reserve, included at its end under FORMAL (docs/design/proofs.md).

    // Written from the contract, with products and quotients in place of the shifts above.
    reg        f_live = 1'b0; // there has been a reset
    reg [16:0] f_events = 17'd0;
    reg [5:0]  f_most = 6'd0;
    reg [16:0] f_unit = 17'd1; // events per core
    reg [15:0] f_patience = 16'd0;
    reg [5:0]  f_cores_before = 6'd0, f_wanted_before = 6'd0;
    reg [16:0] f_above = 17'd0; // cycles in a row above, this one left out
    reg        f_quiet_before = 1'b0, f_reset_before = 1'b1;
    reg [5:0]  f_wanted_then = 6'd0;

    always @(posedge clk_i) begin
        f_reset_before  <= rst_i;
        f_cores_before  <= cores_o;
        f_wanted_before <= wanted_q;
        f_wanted_then   <= wanted;
        f_quiet_before  <= quiet_o;
        if (rst_i) begin
            f_live   <= 1'b1;
            f_events <= 17'd0;
            f_most   <= 6'd0;
            f_unit   <= 17'd1;
            f_patience <= 16'd0;
            f_above  <= 17'd0;
        end else begin
            f_events <= f_events + {16'd0, acc_valid_i} - {16'd0, dec_valid_i && |f_events};
            f_above  <= cores_o > wanted_q ? (f_above >= {1'b0, f_patience} ? 17'd0 : f_above + 17'd1)
                                           : 17'd0;
            if (acc_valid_i) begin
                f_most     <= cfg_mode_i == 2'd3 ? cfg_most_i : 6'd0;
                f_unit     <= 17'd1 << cfg_shift_i;
                f_patience <= cfg_patience_i;
            end
        end
    end

    // The neighbours: doorbell_decoder bounds the events under way (tests/formal/frontend_reserve_top.v).
`ifdef FORMAL_TOP_event_reserve
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
`ifndef FORMAL_COMPOSED // of one row, which has no bound for the sum
    always @*
        if (f_live && !rst_i)
            `EVG_REQUIRE (!acc_valid_i || f_events != 17'h1ffff || dec_valid_i);
`endif
`undef EVG_REQUIRE

    always @* begin
        if (f_live) begin
            assert (events_q == f_events && most_q == f_most && patience_q == f_patience);
            assert (f_unit == 17'd1 << shift_q);
            // The smallest number of cores with room for all events, at most f_most
            assert (wanted <= f_most);
            if (wanted < f_most)
                assert ({11'd0, wanted} * {6'd0, f_unit[10:0]} >= f_events);
            if (wanted != 6'd0)
                assert (({11'd0, wanted} - 17'd1) * {6'd0, f_unit[10:0]} < f_events);
            assert ({1'b0, above_q} == f_above);
            if (!f_reset_before && !rst_i) begin
                assert (wanted_q == f_wanted_then);
                // One step at a time, and never away from what is wanted
                assert (f_cores_before >= f_wanted_before || cores_o == f_cores_before + 6'd1);
                assert (f_cores_before != f_wanted_before || cores_o == f_cores_before);
                assert (f_cores_before <= f_wanted_before || cores_o == f_cores_before ||
                        cores_o == f_cores_before - 6'd1);
                if (f_quiet_before)
                    assert (cores_o == f_cores_before && wanted_q == f_wanted_before);
            end
            if (f_reset_before)
                assert (cores_o == 6'd0);
        end
    end

`ifdef FORMAL_TOP_event_reserve
    always @* begin
        cover (f_live && cores_o == 6'd2 && quiet_o);
        cover (f_live && cores_o < f_cores_before && f_cores_before == 6'd2 && f_patience == 16'd3);
    end
`endif
