// SPDX-License-Identifier: Apache-2.0
// Properties of event_completion, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One completion of one row is followed from its taking to its countdown; which one and whose is
    // free. The row's window is the one that the command before its opening had.
    `EVG_FOLLOW_SOME(f_pick)
`ifdef YOSYS
    (* hierconn *) wire [RowBits-1:0]     \u_window.f_row ;
    (* hierconn *) wire [RowBits-1:0]     \u_window.u_ram.f_address ;
    (* hierconn, init = 1'b0 *) wire      \u_window.f_live ;
    (* hierconn, init = 1'b0 *) wire      \u_window.f_command ;
    (* hierconn, init = 1'b0 *) wire      \u_window.f_known ;
    (* hierconn, init = 1'b0 *) wire      \u_window.f_asked ;
    (* hierconn *) wire [AddressBits-1:0] \u_window.f_cmd_first ;
    (* hierconn *) wire [AddressBits-1:0] \u_window.f_cmd_last ;
    (* hierconn *) wire [AddressBits-1:0] \u_window.f_first ;
    (* hierconn *) wire [AddressBits-1:0] \u_window.f_last ;
    (* hierconn *) wire [AddressBits-1:0] \u_window.f_was_first ;
    (* hierconn *) wire [AddressBits-1:0] \u_window.f_was_last ;
    wire [RowBits-1:0] f_whose = \u_window.f_row ;
`else
    `EVG_FOLLOW_ONE(f_whose, RowBits)
`endif
    reg [AddressBits-1:0] f_cmd_first, f_cmd_last, f_first, f_last;
    reg                   f_command = 1'b0, f_known = 1'b0;
    reg [DepthLog2+1:0]   f_of_row;    // completions of the row that are inside
    reg [DepthLog2+1:0]   f_found;     // the same, where they are
    reg [AddressBits-1:0] f_from, f_to; // the window of the one that is followed
    localparam TagBits = DepthLog2 + GenBits;
    reg                 f_live = 1'b0; // there has been a reset
    reg                 f_tracked = 1'b0;
    reg [DepthLog2+1:0] f_inside;      // taken, not yet counted down
    reg [DepthLog2+1:0] f_ahead;       // of them, those in front of it
    reg [RowBits-1:0]   f_row;
    reg [15:0]          f_tag;
    reg                 f_aborted;
    reg [63:0]          f_param;
    reg [DepthLog2:0]   f_place;       // its entry in the ring
    reg                 f_new = 1'b0;  // taken a cycle ago
    reg                 f_asked;       // its read is or was at the port, ...
    reg [TagBits-1:0]   f_read;        // with this tag
    reg                 f_answered;
    reg                 f_error;       // ... with an error
    reg [63:0]          f_pointer;     // the answer to its read
    reg                 f_mute;        // taken of a silent row
    reg                 f_swept;       // its row has become silent since
    reg                 f_written;     // its flag has been
    reg                 f_due = 1'b0, f_was_sent = 1'b0; // a cycle ago: it could leave, its flag was taken
    reg [1:0]           f_counted = 2'd0; // without a flag, a cycle ago: why, ...
    reg                 f_failed = 1'b0;
    reg [Depth*Gens-1:0] f_out;        // tags of reads that were taken at the port and not answered
    reg                 f_lapsed;      // a completion of the row was given up since its opening
    reg [LimitBits-1:0] f_age;         // edges since the one in front came there, or to the port, and one
    reg                 f_was_pw = 1'b0, f_was_empty = 1'b1; // a cycle ago
    reg                 f_hold_mr = 1'b0, f_hold_pw = 1'b0, f_over = 1'b0;
    reg [63:0]          f_mr_addr, f_pw_addr;
    reg [31:0]          f_pw_data;

    wire [DepthLog2:0]   f_waiting = taken_q - left_q;
    wire [DepthLog2:0]   f_depth   = f_place - left_q; // entries in front of it in the ring
    wire [DepthLog2+1:0] f_outside = {{DepthLog2 + 1{1'b0}}, pw_valid_q} +
                                     {{DepthLog2 + 1{1'b0}}, dec_valid_q};
    wire                 f_in_ring = f_tracked && f_ahead >= f_outside;
    wire                 f_last_in = took_q && f_place + 1'b1 == taken_q;
    wire                 f_is_answer = mr_rsp_valid_i && f_out[mr_rsp_tag_i];
    wire                 f_silent = f_mute || f_swept;
    wire                 f_moved = dec_valid_o || (pw_valid_o && !f_was_pw) || f_was_empty;
    wire [LimitBits-1:0] f_waited = f_moved ? {LimitBits{1'b0}} : f_age;
    wire                 f_lapses = dec_valid_o && pw_bad_o && pw_why_o == `EVG_FLAG_LOST_TIMEOUT &&
                                    dec_row_o == f_whose;
    wire                 f_good = f_pointer % `EVG_FLAG_BYTES == 0 &&
                                  f_pointer >= {{64 - AddressBits{1'b0}}, f_from} &&
                                  f_pointer <= {{64 - AddressBits{1'b0}}, f_to};
    wire                 f_take_ours = take && done_row_i == f_whose;
    wire                 f_end_ours  = dec_valid_o && dec_row_o == f_whose;
    wire                 f_at_port = f_tracked && pw_valid_q &&
                                     f_ahead == {{DepthLog2 + 1{1'b0}}, dec_valid_q};

    always @(posedge clk_i) begin
        f_failed   <= !rst_i && (bad || give_up);
        f_counted  <= failed_why;
        f_due      <= !rst_i && f_in_ring && f_depth == 0 && (f_answered || f_silent) && !pw_valid_q &&
                      !silence_q;
        f_was_sent <= !rst_i && f_at_port && sent;
        f_was_pw    <= !rst_i && pw_valid_o;
        f_was_empty <= rst_i || f_inside == {{DepthLog2 + 1{1'b0}}, dec_valid_o};
        f_age       <= f_waited + 1'b1;
        f_new       <= !rst_i && !f_tracked && f_take_ours && f_pick && f_known;
        f_over    <= over_q;
        f_hold_mr <= !rst_i && mr_valid_o && !mr_ready_i && !withdraw;
        f_hold_pw <= !rst_i && pw_valid_o && !pw_ready_i;
        f_mr_addr <= mr_addr_o;
        f_pw_addr <= pw_addr_o;
        f_pw_data <= pw_data_o;
        if (rst_i) begin
            f_live    <= 1'b1;
            f_tracked <= 1'b0;
            f_inside  <= 0;
            f_of_row  <= 0;
            f_out     <= 0;
            f_lapsed  <= 1'b0;
            f_command <= 1'b0;
            f_known   <= 1'b0;
        end else begin
            f_of_row <= f_of_row + {{DepthLog2 + 1{1'b0}}, f_take_ours} -
                        {{DepthLog2 + 1{1'b0}}, f_end_ours};
            if (cmd_take_i) begin
                f_command   <= 1'b1;
                f_cmd_first <= cmd_flag_first_i;
                f_cmd_last  <= cmd_flag_last_i;
            end
            if (open_valid_i && open_row_i == f_whose) begin
                f_known <= 1'b1;
                f_first <= f_cmd_first;
                f_last  <= f_cmd_last;
            end
            if (f_is_answer)
                f_out[mr_rsp_tag_i] <= 1'b0;
            if (mr_valid_o && mr_ready_i)
                f_out[mr_tag_o] <= 1'b1;
            if (f_lapses)
                f_lapsed <= 1'b1;
            if (open_valid_i && open_row_i == f_whose)
                f_lapsed <= 1'b0;
            f_inside <= f_inside + {{DepthLog2 + 1{1'b0}}, take} -
                        {{DepthLog2 + 1{1'b0}}, dec_valid_o};
            if (f_tracked) begin
                if (dec_valid_o)
                    f_ahead <= f_ahead - 1'b1;
                if (dec_valid_o && f_ahead == 0)
                    f_tracked <= 1'b0;
                if (f_new && mr_valid_o) begin
                    f_asked <= 1'b1;
                    f_read  <= mr_tag_o;
                end
                if (f_is_answer && (f_new ? mr_valid_o && mr_rsp_tag_i == mr_tag_o :
                                    f_asked && mr_rsp_tag_i == f_read) && f_in_ring && !f_answered) begin
                    f_answered <= 1'b1;
                    f_error    <= mr_rsp_error_i;
                    f_pointer  <= mr_rsp_data_i;
                end
                if (f_lapses && f_in_ring)
                    f_swept <= 1'b1;
                if (sent && f_at_port)
                    f_written <= 1'b1;
            end else if (f_take_ours && f_pick && f_known) begin
                f_tracked  <= 1'b1;
                f_ahead    <= f_inside - {{DepthLog2 + 1{1'b0}}, dec_valid_o};
                f_row      <= done_row_i;
                f_tag      <= done_tag_i;
                f_aborted  <= done_aborted_i;
                f_param    <= done_param_i;
                f_from     <= f_first;
                f_to       <= f_last;
                f_place    <= taken_q;
                f_asked    <= 1'b0;
                f_mute     <= mute;
                f_swept    <= 1'b0;
                f_answered <= 1'b0;
                f_written  <= 1'b0;
            end
        end
    end

`ifdef FORMAL_TOP_event_completion
`ifdef FORMAL_COMPOSED // with its neighbours (gpu_frontend.fv.vh)
`define EVG_REQUIRE assert
`define EVG_ROWS(row) ((row) == f_whose)
`else
`define EVG_REQUIRE assume
`define EVG_ROWS(row) 1'b1
`endif
    // The neighbours: commands and openings come as in completion_window, and a row is opened while it
    // has no event (event_kernel_table). That completions are of rows that are registered is tried the
    // other way by simulation only.
    reg               f_opened = 1'b0, f_new_command = 1'b0; // a cycle ago
    reg [RowBits-1:0] f_open_row;
    always @(posedge clk_i) begin
        f_opened   <= !rst_i && open_valid_i;
        f_new_command <= !rst_i && cmd_take_i;
        f_open_row <= open_row_i;
    end
    always @* begin
        assume (\u_window.u_ram.f_address == f_whose);
        if (f_live && !rst_i) begin
            if (open_valid_i)
                `EVG_REQUIRE (f_command && !f_new_command && !cmd_bad_o && !cmd_take_i && !f_opened);
            if (open_valid_i && `EVG_ROWS(open_row_i))
                `EVG_REQUIRE (!(take && done_row_i == open_row_i));
            if (open_valid_i && open_row_i == f_whose)
                `EVG_REQUIRE (f_of_row == 0);
            if (f_opened)
                `EVG_REQUIRE (open_row_i == f_open_row);
        end
        assert (f_live == \u_window.f_live );
        if (f_live) begin
            assert (f_command == \u_window.f_command && f_known == \u_window.f_known );
            if (f_command)
                assert ({f_cmd_first, f_cmd_last} ==
                        {\u_window.f_cmd_first , \u_window.f_cmd_last });
            if (f_known)
                assert (f_first[1:0] == 2'd0 && f_last[1:0] == 2'd0 && {f_first, f_last} == {\u_window.f_first , \u_window.f_last });
`ifndef FORMAL_COMPOSED
            if (f_in_ring && f_last_in)
                assert (\u_window.f_asked && {f_from, f_to} ==
                        {\u_window.f_was_first , \u_window.f_was_last });
`endif
        end
    end
`undef EVG_REQUIRE
`undef EVG_ROWS
`endif

    integer f_slot;
    always @* begin
        f_found = {{DepthLog2 + 1{1'b0}}, pw_valid_q && pw_row_q == f_whose} +
                  {{DepthLog2 + 1{1'b0}}, f_end_ours};
        for (f_slot = 0; f_slot < Depth; f_slot = f_slot + 1)
            f_found = f_found + {{DepthLog2 + 1{1'b0}},
                                 {1'b0, f_slot[DepthLog2-1:0] - left_q[DepthLog2-1:0]} < f_waiting &&
                                 row_q[f_slot] == f_whose};
    end

    always @*
        if (f_live) begin
            assert (f_of_row == f_found && f_waiting <= Full &&
                    (!done_ready_o || f_waiting != Full));
            if (took_q)
                assert (!done_ready_o);
        end

    // No answer is awaited of what is known, and where no completion is; of any other at most one.
    reg            f_ring_kept;
    reg [Gens-1:0] f_waits;
    always @* begin
        f_ring_kept = 1'b1;
        for (f_slot = 0; f_slot < Depth; f_slot = f_slot + 1) begin
            f_waits = waits_q[Gens*f_slot+:Gens];
            if (known_q[f_slot] ? f_waits != {Gens{1'b0}}
                                : {1'b0, f_slot[DepthLog2-1:0] - left_q[DepthLog2-1:0]} >= f_waiting ||
                                  (f_waits & (f_waits - 1'b1)) != {Gens{1'b0}})
                f_ring_kept = 1'b0;
        end
    end

    // The rest is proved of this block alone; where the neighbours are, only what they take from it is.
`ifndef FORMAL_COMPOSED
    always @*
        if (f_live) begin
            // None lost, none counted down twice
            assert (f_waiting <= Full);
            assert (f_inside == {1'b0, f_waiting} + f_outside);
            assert (!done_ready_o || (f_waiting != Full && !mr_valid_o));
            if (dec_valid_o)
                assert (f_inside != 0);
            if (f_tracked)
                assert (f_ahead < f_inside && f_row == f_whose && f_from[1:0] == 2'd0 &&
                        f_to[1:0] == 2'd0);
            assert (!f_new || (f_tracked && f_in_ring && f_last_in));
            assert (!took_q || f_waiting != 0);
            assert (pw_bad_o == f_failed && (!pw_bad_o || (dec_valid_o && !pw_valid_o)));
            assert (!pw_bad_o || pw_why_o == f_counted);
            // A read has a tag of its own, whatever has been given up: so no late answer is taken for
            // another one's.
            assert (!mr_valid_o || !f_out[mr_tag_o]);
            assert (out_q == (f_out | ({{Depth * Gens - 1{1'b0}}, mr_valid_o && !took_q} << mr_tag_o)));
            assert (f_ring_kept && (waits_q & ~f_out) == {Depth * Gens{1'b0}});
            // What has been judged is still inside, or is just being counted down.
            assert (judging_q == {Depth{1'b0}} || !quiet_o);
            if (mr_valid_o)
                assert (mr_tag_o[GenBits+:DepthLog2] == last_taken && waits_q[Gens*last_taken+:Gens] == {Gens{1'b0}} &&
                        (known_q[last_taken] || f_waiting != 0));
            if (f_tracked && !f_new)
                assert ((!f_mute || !f_asked) && (!f_answered || f_asked));
            if (f_new)
                assert (!f_mute || !mr_valid_o);
            if (f_in_ring) begin
                assert ({1'b0, f_depth} == f_ahead - f_outside && f_depth < f_waiting);
                assert (row_q[f_place[DepthLog2-1:0]] == f_row &&
                        event_q[f_place[DepthLog2-1:0]] == {f_tag, f_aborted} && !f_written);
                if (!f_new) begin
                    assert (known_q[f_place[DepthLog2-1:0]] == (!f_asked || f_answered || f_swept));
                    assert (lost_q[f_place[DepthLog2-1:0]] == (!f_asked || f_swept || (f_answered && f_error)) ||
                            !known_q[f_place[DepthLog2-1:0]]);
                    if (f_asked)
                        assert (f_read[GenBits+:DepthLog2] == f_place[DepthLog2-1:0] &&
                                waits_q[Gens*f_place[DepthLog2-1:0]+:Gens] ==
                                {{Gens - 1{1'b0}}, f_out[f_read] && !f_answered && !f_swept} << f_read[GenBits-1:0] &&
                                (f_answered || out_q[f_read] || (f_swept && !f_out[f_read])));
                end else
                    assert (known_q[f_place[DepthLog2-1:0]] == !mr_valid_o && !f_answered && !f_swept &&
                            lost_q[f_place[DepthLog2-1:0]] == !mr_valid_o);
                if (!f_new && lost_q[f_place[DepthLog2-1:0]] && known_q[f_place[DepthLog2-1:0]])
                    assert (why_q[f_place[DepthLog2-1:0]] ==
                            (f_silent ? `EVG_FLAG_LOST_SILENT : `EVG_FLAG_LOST_ANSWER));
                if (f_new && !mr_valid_o)
                    assert (why_q[f_place[DepthLog2-1:0]] ==
                            (f_mute ? `EVG_FLAG_LOST_SILENT : `EVG_FLAG_LOST_ANSWER));
                if (f_answered && !f_error && !f_silent)
                    assert (pointer_q[f_place[DepthLog2-1:0]] == f_pointer &&
                            null_q[f_place[DepthLog2-1:0]] == (f_pointer == 64'd0) &&
                            (judging_q[f_place[DepthLog2-1:0]] ? judged : good_q[f_place[DepthLog2-1:0]]) == f_good);
                if (!f_last_in)
                    assert (window_q[f_place[DepthLog2-1:0]] ==
                            {f_to[AddressBits-1:2], f_from[AddressBits-1:2]});
                // Its read: the last one taken, if it is not out yet
                if (mr_valid_o && f_place + 1'b1 == taken_q)
                    assert (mr_addr_o == f_param);
            end
            // Its flag goes to the address that its own read answered, which lies in its row's window,
            // its tag along, and says how it has ended
            if (f_at_port)
                assert (pw_data_o == (f_aborted ? 32'd4 : 32'd2));
            if (f_at_port)
                assert (pw_addr_o == f_pointer && pw_tag_o == f_tag && pw_row_q == f_row && !f_silent &&
                        f_asked && f_answered && !f_error && !f_written && f_good && f_pointer != 64'd0);
            // It is counted down after that, or without, if nobody waits, or the address is bad, or it is
            // given up: that is told and counted
            if (f_tracked && dec_valid_o && f_ahead == 0) begin
                assert (dec_row_o == f_row && (!pw_bad_o || pw_tag_o == f_tag));
                assert (f_written == (!pw_bad_o && f_pointer != 64'd0));
                if (!pw_bad_o)
                    assert (f_answered && !f_error && (f_pointer == 64'd0 || f_good));
                if (pw_bad_o && pw_why_o == `EVG_FLAG_LOST_POINTER)
                    assert (f_answered && !f_error && f_pointer != 64'd0 && !f_good && pw_addr_o == f_pointer);
                if (pw_bad_o && pw_why_o == `EVG_FLAG_LOST_ANSWER)
                    assert (!f_asked || (f_answered && f_error));
                if (pw_bad_o && pw_why_o == `EVG_FLAG_LOST_SILENT)
                    assert (f_silent && f_lapsed);
            end
            // A row is silent only after one of its own was given up, and until it is opened
            if (silent_q[f_whose])
                assert (f_lapsed || f_lapses);
            if (f_tracked && f_silent)
                assert (f_lapsed);
            if (silence_q)
                assert (dec_valid_o && pw_bad_o && pw_why_o == `EVG_FLAG_LOST_TIMEOUT &&
                        silence_row_q == dec_row_o);
            assert (!f_failed || (f_counted == `EVG_FLAG_LOST_POINTER ? err_pointer_o != 0 :
                                  f_counted == `EVG_FLAG_LOST_ANSWER ? err_answer_o != 0 :
                                  f_counted == `EVG_FLAG_LOST_TIMEOUT ? err_timeout_o != 0 : err_silent_o != 0));
            // In time: what is answered leaves at the next edge, if nothing is in front of it; what is
            // written is counted down at the next; what can be taken is.
            if (f_due)
                assert (f_tracked && (f_at_port || (dec_valid_o && f_ahead == 0)));
            if (f_was_sent)
                assert (f_tracked && dec_valid_o && f_ahead == 0);
            assert (done_ready_o || took_q || mr_valid_o || f_waiting == Full);
            // What waits in front or at the port is given up when it has waited for so long, and not before
            assert (wait_q == (f_waiting != 0 || pw_valid_o ? f_waited : 0));
            if (f_waiting == 0 && !pw_valid_o)
                assert (!over_q);
            if (f_hold_mr)
                assert (mr_valid_o && mr_addr_o == f_mr_addr);
            if (f_hold_pw)
                assert (f_over ? !pw_valid_o && pw_bad_o : pw_valid_o && pw_addr_o == f_pw_addr && pw_data_o == f_pw_data);
        end
`endif

`ifdef FORMAL_LIMIT
    // Progress whatever mr_* and pw_* do, for one limit, so that the sums are of constants
    localparam FPeriod = 2 * `FORMAL_LIMIT + 2;
    localparam FMost   = (Depth + 2) * FPeriod + 1;
    reg [9:0] f_since;   // edges since a completion left or none was inside
    reg [9:0] f_life;    // edges since the one that is followed was taken, ...
    reg [9:0] f_budget;  // ... and those that it may have
    reg [9:0] f_unready; // edges for which none can be taken
    reg [LimitBits-1:0] f_was_waited;
    wire [9:0] f_now = dec_valid_o ? 10'd0 : f_since;
    reg [9:0] f_left, f_others; // edges that those up to the one followed, those inside, may take yet

    always @(posedge clk_i) begin
        f_since <= rst_i || f_inside == {{DepthLog2 + 1{1'b0}}, dec_valid_o} ? 10'd0 :
                   dec_valid_o ? 10'd1 : f_since + 10'd1;
        f_life  <= f_tracked ? f_life + 10'd1 : 10'd1;
        if (!f_tracked)
            f_budget <= (f_inside + 10'd1) * FPeriod + 10'd1;
        f_unready <= rst_i || done_ready_o ? 10'd0 : f_unready + 10'd1;
        f_was_waited <= f_waited;
    end
    always @* begin
        assume (cfg_limit_i == `FORMAL_LIMIT);
        f_left   = f_ahead * FPeriod;
        f_others = f_inside * FPeriod;
        if (f_live) begin
            assert (f_since <= FPeriod);
            if (f_tracked)
                assert (f_life + f_left + FPeriod <= f_budget + (dec_valid_o ? FPeriod : f_since) &&
                        f_budget <= FMost && f_life <= f_budget);
            if (!done_ready_o)
                assert (f_unready + f_others <= FMost + (dec_valid_o ? FPeriod : f_since));
            if (f_lapses)
                assert (f_was_waited == `FORMAL_LIMIT);
            assert (over_q == (f_waited == `FORMAL_LIMIT && f_inside != {{DepthLog2 + 1{1'b0}}, dec_valid_o}));
            // Where it stands
            if (f_inside != {{DepthLog2 + 1{1'b0}}, dec_valid_o})
                assert (f_now <= (pw_valid_o ? `FORMAL_LIMIT + 1 : 0) + f_waited && f_waited <= `FORMAL_LIMIT);
        end
    end
`endif

`ifdef FORMAL_TOP_event_completion
    always @* begin
        cover (f_live && f_waiting == Full && !done_ready_o && pw_valid_o);
        cover (f_live && f_tracked && f_ahead == 0 && dec_valid_o && f_inside > 1 && f_written);
        cover (f_live && leave && known && !lost && null_pointer && pw_ready_i);
        cover (f_live && f_tracked && f_ahead == 0 && pw_bad_o && f_inside > 1 && f_from != f_to);
        cover (f_hold_pw && f_hold_mr);
        cover (f_live && f_tracked && dec_valid_o && f_ahead == 0 && pw_bad_o && pw_why_o == `EVG_FLAG_LOST_ANSWER);
        cover (f_live && f_tracked && dec_valid_o && f_ahead == 0 && pw_bad_o && f_swept);
        cover (f_live && withdraw && !mr_ready_i);
        cover (f_live && take && !gen_free);
        cover (f_live && f_hold_pw && give_up);
        cover (f_live && f_is_answer && f_was_empty && f_lapsed);
    end
`endif
