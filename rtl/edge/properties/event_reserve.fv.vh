// SPDX-License-Identifier: Apache-2.0
// Properties of event_reserve, included at its end under FORMAL (docs/design/proofs.md).

    // The block out of its ports alone, as the contract has it.
    reg        f_live = 1'b0; // there has been a reset
    reg [16:0] f_events = 17'd0;
    reg [5:0]  f_most = 6'd0;
    reg [2:0]  f_shift = 3'd0;
    reg [15:0] f_patience = 16'd0;
    reg [5:0]  f_wanted = 6'd0, f_cores = 6'd0; // wanted a cycle ago, kept
    reg [16:0] f_above = 17'd0; // cycles in a row above, this one left out

    wire [16:0] f_unit  = 17'd1 << f_shift; // events per core
    wire [16:0] f_whole = (f_events >> f_shift) + {16'd0, (f_events & (f_unit - 17'd1)) != 17'd0};
    wire [5:0]  f_now   = f_whole < {11'd0, f_most} ? f_whole[5:0] : f_most;

    always @(posedge clk_i)
        if (rst_i) begin
            f_live     <= 1'b1;
            f_events   <= 17'd0;
            f_most     <= 6'd0;
            f_shift    <= 3'd0;
            f_patience <= 16'd0;
            f_wanted   <= 6'd0;
            f_cores    <= 6'd0;
            f_above    <= 17'd0;
        end else begin
            f_events <= f_events + {16'd0, acc_valid_i} - {16'd0, dec_valid_i && |f_events};
            f_wanted <= f_now;
            if (f_cores < f_wanted)
                f_cores <= f_cores + 6'd1;
            else if (f_cores > f_wanted && f_above >= {1'b0, f_patience})
                f_cores <= f_cores - 6'd1;
            f_above <= f_cores > f_wanted && f_above < {1'b0, f_patience} ? f_above + 17'd1 : 17'd0;
            if (acc_valid_i) begin
                f_most     <= cfg_mode_i == `EVG_SCHED_MODE_DYNAMIC ? cfg_most_i : 6'd0;
                f_shift    <= cfg_shift_i;
                f_patience <= cfg_patience_i;
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

    always @*
        if (f_live) begin
            assert (cores_o == f_cores);
            assert (quiet_o == (!acc_valid_i && !dec_valid_i && f_now == f_wanted && f_wanted == f_cores && f_above == 17'd0));
            // The smallest number of cores with room for all events, at most f_most
            assert (f_now <= f_most);
            if (f_now < f_most)
                assert ({11'd0, f_now} * {6'd0, f_unit[10:0]} >= f_events);
            if (f_now != 6'd0)
                assert (({11'd0, f_now} - 17'd1) * {6'd0, f_unit[10:0]} < f_events);
        end

`ifdef FORMAL_TOP_event_reserve
    reg [5:0] f_cores_before;
    always @(posedge clk_i)
        f_cores_before <= cores_o;
    always @* begin
        cover (f_live && cores_o == 6'd2 && quiet_o);
        cover (f_live && cores_o < f_cores_before && f_cores_before == 6'd2 && f_patience == 16'd3);
    end
`endif

    // --- invariants ------------------------------------------------------------------------------
    always @*
        if (f_live) begin
            assert (events_q == f_events && most_q == f_most && patience_q == f_patience && shift_q == f_shift);
            assert (rest_q == f_unit[6:0] - 7'd1 && (most_q == 6'd0 || limit_q == ({7'd0, most_q} - 13'd1) << shift_q));
            assert (wanted_q == f_wanted && {1'b0, above_q} == f_above);
        end
