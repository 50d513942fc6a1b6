// SPDX-License-Identifier: Apache-2.0
// Properties of doorbell_decoder, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // The judgement again, for one row that is free, and its events by number, from their acceptance to
    // their launch and their end.
    `EVG_FOLLOW_ONE(f_row, RowBits)
`ifdef YOSYS
    (* hierconn *) wire [RowBits-1:0]           \u_order.f_row ;
    (* hierconn, init = 1'b0 *) wire            \u_order.f_live ;
    (* hierconn *) wire [Bits-1:0]              \u_credit.f_level ;
    (* hierconn *) wire [1:0]                   \u_credit.f_warps ;
    (* hierconn, init = 1'b0 *) wire            \u_credit.f_live ;
    (* anyconst *) wire [Bits-1:0] f_level;
`endif
    reg               f_live = 1'b0; // there has been a reset
    reg               f_open;
    reg [15:0]        f_rid;
    reg [Bits-1:0]    f_priority;
    reg               f_warp;               // its class
    reg               f_listed = 1'b0;      // open for two cycles
    reg               f_took, f_inside, f_ours, f_good;
    reg               f_judged, f_judged_inside, f_judged_ours, f_judged_good;
    reg [SeqBits-1:0] f_waiting, f_running; // its events that wait, that have launched
    reg [SeqBits-1:0] f_next;               // number of the next launch
    reg               f_ready = 1'b0;       // it waited a cycle ago and might launch
    reg               f_waited = 1'b0;      // two cycles ago, and no launch has been
    localparam [SeqBits:0] Limit = (1 << SeqBits) - 1;
    wire [SeqBits-1:0] f_newest = f_next + f_waiting - One;

    wire [Bits-1:0] f_level_of = priority_q[Bits*f_row+:Bits]; // of the row, whatever it is
    wire f_up    = accept_q && row_q == f_row;
    wire f_out   = launch_valid_o && launch_ready_i && launch_row_o == f_row;
    wire f_down  = dec_valid_i && dec_row_i == f_row;
    wire f_room  = {1'b0, f_waiting} + {1'b0, f_running} < Limit;

    always @(posedge clk_i) begin
        f_took   <= wr_valid_i && !rst_i;
        f_inside <= wr_addr_i[31:PageBits+RowBits] == 0;
        f_ours   <= wr_addr_i[PageBits+:RowBits] == f_row;
        f_good   <= f_open && !(close_valid_i && close_row_i == f_row) && wr_rid_i == f_rid &&
                    wr_addr_i[PageBits-1:0] == 0 && wr_size_i == WriteBytes;
        f_judged        <= f_took && !rst_i;
        f_judged_inside <= f_inside;
        f_judged_ours   <= f_ours;
        f_judged_good   <= f_good && f_room;
        f_listed        <= !rst_i && f_open && !(open_valid_i && open_row_i == f_row);
        f_ready         <= !rst_i && waits_q[f_row] && !(warp_q[f_row] ? warp_full[f_level_of] : big_full[f_level_of]);
        f_waited        <= !rst_i && f_ready && !pop && since_q == 3'd0;
        if (rst_i) begin
            f_live    <= 1'b1;
            f_open    <= 1'b0;
            f_waiting <= 0;
            f_running <= 0;
            f_next    <= 0;
        end else begin
            if (open_valid_i && open_row_i == f_row) begin
                f_open     <= 1'b1;
                f_rid      <= open_rid_i;
                f_priority <= open_priority_i;
                f_warp     <= open_warp_i;
            end
            if (close_valid_i && close_row_i == f_row)
                f_open <= 1'b0;
            f_waiting <= f_waiting + {{SeqBits - 1{1'b0}}, f_up} - {{SeqBits - 1{1'b0}}, f_out};
            f_running <= f_running + {{SeqBits - 1{1'b0}}, f_out} - {{SeqBits - 1{1'b0}}, f_down};
            if (f_out)
                f_next <= f_next + One;
        end
    end

`ifdef FORMAL_COMPOSED // with its neighbours (gpu_frontend.fv.vh)
`define EVG_REQUIRE assert
`elsif FORMAL_TOP_doorbell_decoder
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    // The neighbour opens a row that has no events, with no write to it that it might take.
    always @*
`ifdef FORMAL_COMPOSED
        if (f_live && !rst_i && open_valid_i && open_row_i == f_row)
`else
        if (f_live && !rst_i && open_valid_i)
`endif
            `EVG_REQUIRE (empty_q[open_row_i] && !waits_q[open_row_i] &&
                          !(accept_q && row_q == open_row_i) &&
                          !(wr_valid_i && registered_d && wr_row == open_row_i));
`undef EVG_REQUIRE
`ifdef FORMAL_TOP_doorbell_decoder
    // Completions are of events that have launched: others, which a faulty core might report, are
    // tried in simulation only.
    always @*
        if (f_live && f_down)
`ifdef FORMAL_COMPOSED
            assert (f_running != 0);
`else
            assume (f_running != 0);
`endif
`endif

    wire [Bits-1:0] f_chosen_level = priority_q[Bits*chosen+:Bits];
    wire [Bits-1:0] f_shown_level  = priority_q[Bits*launch_row_o+:Bits];
    always @*
        if (f_live) begin
            assert (open_q[f_row] == f_open && (!f_open || rid_q[f_row] == f_rid));
            // Only what is registered, aligned, of the right size and requester and within the row's
            // share comes through; all of that does, at once, whatever other rows do.
            assert (judge_q == f_took &&
                    accept_q == (judge_q && registered_q && aligned_q && sized_q && ours_q && !row_full_q));
            if (f_took && !f_inside)
                assert (!registered_q);
            if (!f_judged || !f_judged_inside)
                assert (!acc_valid_o);
            // One verdict per write
            assert ({2'd0, accept_q} + {2'd0, unregistered} + {2'd0, foreign} + {2'd0, misaligned} +
                    {2'd0, bad_size} + {2'd0, overrun} == {2'd0, judge_q});
            if (judge_q)
                assert (chosen_q == {{Rows - 1{1'b0}}, 1'b1} << row_q && row_full_q == full_q[row_q]);
            // What waits and may launch is shown in the next cycle but one; what is shown waits, and may
            if (f_ready)
                assert (any);
            if (f_waited)
                assert (launch_valid_o);
            if (launch_valid_o)
                assert (since_q == 3'd0);
`ifdef FORMAL_COMPOSED // for which the neighbour keeps its word: the followed one
            if (any && chosen == f_row && !since_q[0])
                assert (waits_q[f_row]);
            if (launch_valid_o && launch_row_o == f_row)
`else
            if (any && since_q[1:0] == 2'd0)
                assert (waits_q[chosen] &&
                        !(warp_q[chosen] ? warp_full[f_chosen_level] : big_full[f_chosen_level]));
            if (since_q[0])
                assert (!(popped_warp_q ? warp_full[popped_level_q] : big_full[popped_level_q]));
            if (launch_valid_o)
                assert (!(warp_q[launch_row_o] ? warp_full[f_shown_level] : big_full[f_shown_level]));
            if (launch_valid_o)
`endif
                assert (waits_q[launch_row_o]);
        end

`ifdef FORMAL_TOP_doorbell_decoder
    always @* begin
        assume (\u_order.f_row == f_row);
        assert (f_live == \u_order.f_live );
        assume (\u_credit.f_level == f_level);
        assert (f_live == \u_credit.f_live );
    end
    always @*
        if (f_live) begin
            if (f_took && f_inside && f_ours)
                assert (row_q == f_row && accept_q == (f_good && f_room));
            if (f_judged && f_judged_inside && f_judged_ours)
                assert (acc_valid_o == f_judged_good && (!acc_valid_o || acc_row_o == f_row));
            // Its events are numbered in order; each launches once, with its number
            assert ({1'b0, f_waiting} + {1'b0, f_running} <= Limit);
            assert (waits_q[f_row] == (f_waiting != 0));
            assert (empty_q[f_row] == (f_waiting == 0 && f_running == 0));
            assert (full_q[f_row] == !f_room);
            assert (near_q[f_row] == ({1'b0, f_waiting} + {1'b0, f_running} == Limit - 1'b1));
            assert (launched_q[SeqBits*f_row+:SeqBits] == f_next);
            assert (accepted_q[SeqBits*f_row+:SeqBits] == f_next + f_waiting);
            assert (completed_q[SeqBits*f_row+:SeqBits] == f_next - f_running);
            if (f_out)
                assert (f_waiting != 0 &&
                        launch_tag_o == {{TagRest{1'b0}}, f_row, f_next});
            if (acc_valid_o && acc_row_o == f_row)
                assert (acc_tag_o == {{TagRest{1'b0}}, f_row, f_newest});
            // A priority that has rows is known; no row waits for another class or priority
            if (f_listed)
                assert (levels_o[f_priority]);
            if (f_open || f_waiting != 0 || (accept_q && row_q == f_row))
                assert (priority_q[Bits*f_row+:Bits] == f_priority && warp_q[f_row] == f_warp);
        end
    always @* begin
        cover (f_live && acc_valid_o);
        cover (f_live && full_q[f_row] && overrun);
        cover (f_live && f_took && f_ours && accept_q && f_out);
        cover (f_live && f_waiting != 0 && f_running != 0 && f_out);
        cover (f_live && launch_valid_o && &launch_row_o && waits_q[0]);
        cover (f_live && f_next == 0 && f_waiting != 0 && completed_q[SeqBits*f_row+:SeqBits] != 0);
        cover (f_live && unregistered);
        cover (f_live && foreign);
        cover (f_live && misaligned);
        cover (f_live && bad_size);
    end
`endif
