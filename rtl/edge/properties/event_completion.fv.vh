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
    reg                 f_live = 1'b0; // there has been a reset
    reg                 f_tracked = 1'b0;
    reg [DepthLog2+1:0] f_inside;      // taken, not yet counted down
    reg [DepthLog2+1:0] f_ahead;       // of them, those in front of it
    reg [RowBits-1:0]   f_row;
    reg [15:0]          f_tag;
    reg                 f_aborted;
    reg [63:0]          f_param;
    reg [DepthLog2:0]   f_place;       // its entry in the ring
    reg                 f_answered;
    reg [63:0]          f_pointer;     // the answer to its read
    reg                 f_written;     // its flag has been
    reg                 f_due = 1'b0, f_was_sent = 1'b0; // a cycle ago: it could leave, its flag was taken
    reg                 f_counted = 1'b0; // a bad one, a cycle ago
    reg                 f_hold_mr = 1'b0, f_hold_pw = 1'b0;
    reg [63:0]          f_mr_addr, f_pw_addr;
    reg [31:0]          f_pw_data;

    wire [DepthLog2:0]   f_waiting = taken_q - left_q;
    wire [DepthLog2:0]   f_answers = answered_q - left_q;
    wire [DepthLog2:0]   f_depth   = f_place - left_q; // entries in front of it in the ring
    wire [DepthLog2+1:0] f_outside = {{DepthLog2 + 1{1'b0}}, pw_valid_q} +
                                     {{DepthLog2 + 1{1'b0}}, dec_valid_q};
    wire                 f_in_ring = f_tracked && f_ahead >= f_outside;
    wire                 f_last_in = took_q && f_place + 1'b1 == taken_q;
    wire                 f_good = f_pointer % `EVG_FLAG_BYTES == 0 &&
                                  f_pointer >= {{64 - AddressBits{1'b0}}, f_from} &&
                                  f_pointer <= {{64 - AddressBits{1'b0}}, f_to};
    wire                 f_take_ours = take && done_row_i == f_whose;
    wire                 f_end_ours  = dec_valid_o && dec_row_o == f_whose;
    wire                 f_at_port = f_tracked && pw_valid_q &&
                                     f_ahead == {{DepthLog2 + 1{1'b0}}, dec_valid_q};

    always @(posedge clk_i) begin
        f_counted <= !rst_i && bad;
        f_due      <= !rst_i && f_in_ring && f_depth == 0 && f_answered && !pw_valid_q;
        f_was_sent <= !rst_i && f_at_port && sent;
        f_hold_mr <= !rst_i && mr_valid_o && !mr_ready_i;
        f_hold_pw <= !rst_i && pw_valid_o && !pw_ready_i;
        f_mr_addr <= mr_addr_o;
        f_pw_addr <= pw_addr_o;
        f_pw_data <= pw_data_o;
        if (rst_i) begin
            f_live    <= 1'b1;
            f_tracked <= 1'b0;
            f_inside  <= 0;
            f_of_row  <= 0;
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
            f_inside <= f_inside + {{DepthLog2 + 1{1'b0}}, take} -
                        {{DepthLog2 + 1{1'b0}}, dec_valid_o};
            if (f_tracked) begin
                if (dec_valid_o)
                    f_ahead <= f_ahead - 1'b1;
                if (dec_valid_o && f_ahead == 0)
                    f_tracked <= 1'b0;
                if (answer && answered_q == f_place && f_in_ring) begin
                    f_answered <= 1'b1;
                    f_pointer  <= mr_rsp_data_i;
                end
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
                                 event_q[f_slot][17+:RowBits] == f_whose};
    end

    always @*
        if (f_live) begin
            assert (f_of_row == f_found && f_waiting <= Full && f_answers <= f_waiting &&
                    (!done_ready_o || f_waiting != Full));
            if (took_q)
                assert (!done_ready_o);
        end

    // The rest is proved of this block alone; where the neighbours are, only what they take from it is.
`ifndef FORMAL_COMPOSED
    always @*
        if (f_live) begin
            // None lost, none counted down twice
            assert (f_waiting <= Full && f_answers <= f_waiting);
            assert (f_inside == {1'b0, f_waiting} + f_outside);
            assert (!done_ready_o || (f_waiting != Full && !mr_valid_o));
            if (mr_valid_o)
                assert (f_answers < f_waiting);
            if (dec_valid_o)
                assert (f_inside != 0);
            if (f_tracked)
                assert (f_ahead < f_inside && f_row == f_whose && f_from[1:0] == 2'd0 &&
                        f_to[1:0] == 2'd0);
            assert (!took_q || (mr_valid_o && f_waiting != 0));
            assert (pw_bad_o == f_counted && (!pw_bad_o || (dec_valid_o && !pw_valid_o)));
            if (f_in_ring) begin
                assert ({1'b0, f_depth} == f_ahead - f_outside && f_depth < f_waiting);
                assert (event_q[f_place[DepthLog2-1:0]] == {f_row, f_tag, f_aborted} && !f_written);
                assert (f_answered == (f_depth < f_answers));
                if (f_answered)
                    assert (pointer_q[f_place[DepthLog2-1:0]] == f_pointer &&
                            null_q[f_place[DepthLog2-1:0]] == (f_pointer == 64'd0) &&
                            good_q[f_place[DepthLog2-1:0]] == f_good);
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
                assert (pw_addr_o == f_pointer && pw_tag_o == f_tag && pw_row_q == f_row &&
                        f_answered && !f_written && f_good && f_pointer != 64'd0);
            // It is counted down after that, or without, if nobody waits, or the address is bad: that is
            // told and counted
            if (f_tracked && dec_valid_o && f_ahead == 0)
                assert (dec_row_o == f_row && f_answered &&
                        f_written == (f_pointer != 64'd0 && f_good) &&
                        pw_bad_o == (f_pointer != 64'd0 && !f_good) &&
                        (!pw_bad_o || (pw_addr_o == f_pointer && pw_tag_o == f_tag)));
            assert (!f_counted || err_pointer_o != 0);
            // In time: what is answered leaves at the next edge, if nothing is in front of it; what is
            // written is counted down at the next; what can be taken is.
            if (f_due)
                assert (f_tracked && (f_at_port || (dec_valid_o && f_ahead == 0)));
            if (f_was_sent)
                assert (f_tracked && dec_valid_o && f_ahead == 0);
            assert (done_ready_o || mr_valid_o || f_waiting == Full);
            if (f_hold_mr)
                assert (mr_valid_o && mr_addr_o == f_mr_addr);
            if (f_hold_pw)
                assert (pw_valid_o && pw_addr_o == f_pw_addr && pw_data_o == f_pw_data);
        end
`endif

`ifdef FORMAL_TOP_event_completion
    always @* begin
        cover (f_live && f_waiting == Full && !done_ready_o && pw_valid_o);
        cover (f_live && f_tracked && f_ahead == 0 && dec_valid_o && f_inside > 1 && f_written);
        cover (f_live && leave && null_pointer && pw_ready_i);
        cover (f_live && f_tracked && f_ahead == 0 && pw_bad_o && f_inside > 1 && f_from != f_to);
        cover (f_hold_pw && f_hold_mr);
    end
`endif
