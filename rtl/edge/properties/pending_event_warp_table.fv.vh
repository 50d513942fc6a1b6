// SPDX-License-Identifier: Apache-2.0
// Properties of pending_event_warp_table, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One event is followed from its arrival to its end, by its entry, with all that it brought.
    `EVG_FOLLOW_SOME(f_pick)
    reg                  f_live = 1'b0;  // there has been a reset
    reg                  f_tracked = 1'b0;
    reg [IndexWidth-1:0] f_entry;
    reg [`EVG_EVENT_WIDTH-1:0] f_event;
    reg [`EVG_PRIORITY_BITS-1:0] f_priority;
    reg                  f_fresh, f_spare;
    reg                  f_taken, f_bound, f_started, f_exited, f_given, f_sent;
    reg                  f_called; // for the give-back
    reg                  f_late;   // more than an edge since the exit
    reg [5:0]            f_warp;
    reg                  f_barrier;
    reg                  f_aborted; // as its exit said
    reg                  f_taking, f_taking_bound; // the entry of take_entry is being taken

    assign f_since_reset = f_live;
    // An exit of its warp, the first since it started, which may be at this edge
    wire f_is_exit = exit_valid_i && exit_warp_i == f_warp && !f_exited &&
                     (f_started || (start && take_entry == f_entry));
    wire f_is_give = back_next && back_valid_o && back_o[`EVG_BACK_ENTRY] == f_entry;
    wire f_is_back = back_done && returned_entry == f_entry;
    wire f_is_sent = done_sent && done_entry_q == f_entry;

    always @(posedge clk_i)
        if (rst_i) begin
            f_live    <= 1'b1;
            f_tracked <= 1'b0;
            f_taking  <= 1'b0;
            f_taking_bound <= 1'b0;
        end else begin
            f_taking       <= take || (f_taking && !start);
            f_taking_bound <= bind_en || (f_taking_bound && !start && !take);
            if (!f_tracked) begin
                if (accept && f_pick) begin
                    f_tracked <= 1'b1;
                    f_entry   <= alloc;
                    f_event   <= ev_event_i;
                    f_priority <= ev_priority_i;
                end
                f_taken   <= 1'b0;
                f_bound   <= 1'b0;
                f_started <= 1'b0;
                f_exited  <= 1'b0;
                f_given   <= 1'b0;
                f_sent    <= 1'b0;
                f_called  <= 1'b0;
                f_late    <= 1'b0;
            end else begin
                f_late <= f_exited;
                if (f_is_give)
                    f_called <= 1'b1;
                if (take && !f_started) begin
                    f_taken <= pend_entry == f_entry; // or it is put back
                    f_bound <= 1'b0;
                end
                if (bind_en && take_entry == f_entry) begin
                    f_bound   <= 1'b1;
                    f_warp    <= take_i[`EVG_TAKE_WARP];
                    f_fresh   <= take_i[`EVG_TAKE_FRESH];
                    f_spare   <= take_i[`EVG_TAKE_SPARE];
                    f_barrier <= take_i[`EVG_TAKE_BARRIER];
                end else if (f_bound && bar_done_i[f_warp])
                    f_barrier <= 1'b0;
                if (start && take_entry == f_entry)
                    f_started <= 1'b1;
                if (f_is_exit) begin
                    f_exited  <= 1'b1;
                    f_aborted <= exit_aborted_i;
                end
                if (f_is_back)
                    f_given <= 1'b1;
                if (f_is_sent)
                    f_sent <= 1'b1;
                if ((f_given || f_is_back) && (f_sent || f_is_sent))
                    f_tracked <= 1'b0;
            end
        end

`ifdef FORMAL_TOP_pending_event_warp_table
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    reg                  f_returning; // back_next came, back_done not yet
    reg [IndexWidth-1:0] f_returning_entry, f_take_entry;
    always @(posedge clk_i) begin
        f_returning <= !rst_i && ((back_next && !back_done) || (f_returning && !back_done));
        if (back_next)
            f_returning_entry <= back_entry;
        if (take)
            f_take_entry <= pend_entry;
    end

    always @*
        if (f_live && !rst_i) begin
            if (take)
                `EVG_REQUIRE (pend_valid_o && !bind_en && !start);
            if (bind_en || start)
                `EVG_REQUIRE (f_taking);
            if (f_taking)
                `EVG_REQUIRE (take_entry == f_take_entry);
            if (start)
                `EVG_REQUIRE (f_taking_bound && !bind_en);
            if (back_next)
                `EVG_REQUIRE (back_valid_o && !f_returning);
            if (back_done)
                `EVG_REQUIRE (back_next ? returned_entry == back_entry
                                          : f_returning && returned_entry == f_returning_entry);
        end
`undef EVG_REQUIRE
    // The core runs one event per warp.
`ifdef FORMAL_TOP_pending_event_warp_table
`define EVG_EXPECT(what) assume (what)
`elsif YOSYS
`define EVG_EXPECT(what) begin end // a proof of what uses it does not ask for it
`else
`define EVG_EXPECT(what) assert (what)
`endif
    integer f_other;
    always @*
        if (f_live && f_taking_bound && !bind_en && !take)
            for (f_other = 0; f_other < Entries; f_other = f_other + 1)
                if (held[f_other])
                    `EVG_EXPECT(held_warp[6*f_other+:6] != held_warp[6*f_take_entry+:6]);
`undef EVG_EXPECT

    // What the three queues hold, by entry
`ifdef YOSYS
    (* hierconn *) wire [IndexWidth*Entries-1:0] \u_pending.f_content ;
    (* hierconn *) wire [`EVG_PRIORITY_BITS*Entries-1:0] \u_pending.f_priorities ;
    (* hierconn *) wire [7*Entries-1:0] \u_pending.f_registers ;
    (* hierconn *) wire \u_pending.f_tried ;
    (* hierconn *) wire [IndexWidth-1:0] \u_pending.f_tried_entry ;
    (* hierconn *) wire [IndexWidth*Entries-1:0] \u_back.f_content ;
    (* hierconn *) wire [IndexWidth*Entries-1:0] \u_done.f_content ;
    (* hierconn *) wire \u_pending.f_since_reset , \u_back.f_since_reset , \u_done.f_since_reset ;
`endif
    always @*
        assert (f_live == u_pending.f_since_reset && f_live == u_back.f_since_reset && f_live == u_done.f_since_reset);

    reg  [Entries-1:0] f_in_pending, f_in_back, f_in_done;
    reg                f_once; // each at most once
    integer            f_slot;
    always @* begin
        f_in_pending = {Entries{1'b0}};
        f_in_back    = {Entries{1'b0}};
        f_in_done    = {Entries{1'b0}};
        f_once       = 1'b1;
        for (f_slot = 0; f_slot < Entries; f_slot = f_slot + 1) begin
            if (f_slot[IndexWidth:0] < unused_pend_count) begin
                f_once = f_once && !f_in_pending[u_pending.f_content[IndexWidth*f_slot+:IndexWidth]];
                f_in_pending[u_pending.f_content[IndexWidth*f_slot+:IndexWidth]] = 1'b1;
            end
            if (f_slot[IndexWidth:0] < unused_back_count) begin
                f_once = f_once && !f_in_back[u_back.f_content[IndexWidth*f_slot+:IndexWidth]];
                f_in_back[u_back.f_content[IndexWidth*f_slot+:IndexWidth]] = 1'b1;
            end
            if (f_slot[IndexWidth:0] < unused_done_count) begin
                f_once = f_once && !f_in_done[u_done.f_content[IndexWidth*f_slot+:IndexWidth]];
                f_in_done[u_done.f_content[IndexWidth*f_slot+:IndexWidth]] = 1'b1;
            end
        end
    end

    // An entry is where its state says, and nowhere else: the invariant of the induction.
    genvar f_e, f_o;
    generate
        for (f_e = 0; f_e < Entries; f_e = f_e + 1) begin : g_where
            wire [`EVG_PEWT_STATE_WIDTH-1:0] state =
                f_state[`EVG_PEWT_STATE_WIDTH*f_e+:`EVG_PEWT_STATE_WIDTH];
            wire taken     = f_taking && f_take_entry == f_e;
            wire returned  = f_returning && f_returning_entry == f_e;
            wire reporting = done_valid_q && done_entry_q == f_e;
            always @*
                if (f_live) begin
                    assert (state <= Returning && used_q[f_e] == (state != Free));
                    assert (f_in_pending[f_e] == (state == Pending || state == Preempting));
                    assert (taken == (state == Preempting));
                    assert ((f_back_owed[f_e] || f_done_owed[f_e]) == (state == Returning));
                    assert (f_back_owed[f_e] == (f_in_back[f_e] || returned));
                    assert (f_done_owed[f_e] == (f_in_done[f_e] || reporting));
                    assert (!(f_in_back[f_e] && returned) && !(f_in_done[f_e] && reporting));
                end
            for (f_o = 0; f_o < f_e; f_o = f_o + 1) begin : g_warps
                wire bound = (f_taking_bound && !bind_en && !take && f_take_entry == f_e) || held[f_e];
                wire other = (f_taking_bound && !bind_en && !take && f_take_entry == f_o) || held[f_o];
                always @*
                    if (f_live)
                        assert (!bound || !other || held_warp[6*f_e+:6] != held_warp[6*f_o+:6]);
            end
        end
    endgenerate

    always @*
        if (f_live) begin
            assert (f_taking == u_pending.f_tried && (!f_taking || f_take_entry == u_pending.f_tried_entry));
            assert (f_once && ready_q == !(&used_q) && (f_taking || !f_taking_bound));
        end

    // A bit for each warp that an entry holds
    reg [63:0] f_holders;
    integer    f_h;
    always @* begin
        f_holders = 64'd0;
        for (f_h = 0; f_h < Entries; f_h = f_h + 1)
            if (held[f_h])
                f_holders[held_warp[6*f_h+:6]] = 1'b1;
    end
    always @*
        if (f_live)
            assert (taken_o == f_holders);

    // Proved of this module alone, with its input assumptions, which its user proves.
`ifdef FORMAL_TOP_pending_event_warp_table
`define EVG_ALONE
`endif
`ifndef YOSYS
`define EVG_ALONE
`endif
`ifdef EVG_ALONE
    wire [`EVG_PEWT_STATE_WIDTH-1:0] f_at = f_state[`EVG_PEWT_STATE_WIDTH*f_entry+:`EVG_PEWT_STATE_WIDTH];

    always @*
        if (f_live) begin
            if (f_tracked) begin
                assert (!f_taken == (f_at == Pending) && f_exited == (f_at == Returning));
                assert ((f_taken && !f_started) == (f_at == Preempting));
                assert ((f_started && !f_exited) == (f_at == Running));
                if (f_exited)
                    assert (f_back_owed[f_entry] == !f_given && f_done_owed[f_entry] == !f_sent &&
                            f_in_back[f_entry] == !f_called);
                assert (f_exited || !(f_given || f_sent || f_called || f_late));
                if (f_at == Preempting)
                    assert (f_bound == f_taking_bound);
                assert (f_bound || !f_started);
                assert (f_taken || !f_bound);
                if (f_bound)
                    assert (held_warp[6*f_entry+:6] == f_warp && f_mark[f_entry] == f_barrier &&
                            fresh[f_entry] == f_fresh && spare[f_entry] == f_spare);
                if (f_exited)
                    assert (aborted[f_entry] == f_aborted);
                if (done_valid_q && done_entry_q == f_entry)
                    assert (done_o[`EVG_DONE_ROW] == f_event[`EVG_EVENT_ROW] &&
                            done_o[`EVG_DONE_PARAM] == f_event[`EVG_EVENT_PARAM] &&
                            done_o[`EVG_DONE_TAG] == f_event[`EVG_EVENT_TAG] &&
                            done_o[`EVG_DONE_ABORTED] == f_aborted);
            end
        end

    // A completion is shown an edge after it could be: so two edges after an exit, if none is in front
    reg f_due = 1'b0;
    always @(posedge clk_i)
        f_due <= !rst_i && !done_empty && (!done_valid_o || done_ready_i);
    always @*
        if (f_live && f_due)
            assert (done_valid_o);

    // What it brought is in its entry; its priority and registers in its place in the order of arrival.
    reg f_kept;
    always @* f_kept = payload[f_entry] == f_event;
    integer f_p;
    always @*
        if (f_live && f_tracked) begin
            assert (f_kept);
            for (f_p = 0; f_p < Entries; f_p = f_p + 1)
                if (f_p[IndexWidth:0] < unused_pend_count &&
                    u_pending.f_content[IndexWidth*f_p+:IndexWidth] == f_entry)
                    assert (u_pending.f_priorities[`EVG_PRIORITY_BITS*f_p+:`EVG_PRIORITY_BITS] == f_priority &&
                            u_pending.f_registers[7*f_p+:7] == f_event[`EVG_EVENT_REGS]);
        end

    always @*
        if (f_live && f_tracked) begin
            // Not lost
            assert (used_q[f_entry]);
            // Nothing twice, nothing before its turn
            if (take && pend_entry == f_entry && !rst_i)
                assert (!f_taken);
            if (start && take_entry == f_entry && !rst_i)
                assert (f_taken && !f_started);
            // From the edge of its exit on it waits for its give-back, and two edges later a completion is shown.
            if (f_exited && !f_called)
                assert (back_valid_o && !quiet_o);
            if (f_late && !f_sent)
                assert (done_valid_o && !quiet_o);
            if (f_is_give && !rst_i)
                assert (f_exited && !f_called);
            if (f_is_back && !rst_i)
                assert (f_exited && !f_given);
            if (f_is_sent && !rst_i)
                assert (f_exited && !f_sent && done_o[`EVG_DONE_ABORTED] == f_aborted);
            // The barrier is the victim's, ended by nothing but its completion
            if (f_is_back && !rst_i)
                assert (returned_barrier_o == (f_barrier && !bar_done_i[f_warp]));
            if (take_entry == f_entry)
                assert (event_o == f_event);
            // The registers it needs are known when its turn comes, and to who gives its warp back
            if (pend_valid_o && pend_entry == f_entry)
                assert (pend_o[`EVG_PENDING_REGS] == f_event[`EVG_EVENT_REGS]);
            if (back_valid_o && back_entry == f_entry)
                assert (back_o[`EVG_BACK_REGS] == f_event[`EVG_EVENT_REGS] && back_o[`EVG_BACK_WARP] == f_warp && back_o[`EVG_BACK_FRESH] == f_fresh &&
                        back_o[`EVG_BACK_SPARE] == f_spare);
            if (f_started && !f_given)
                assert (held[f_entry] && held_warp[6*f_entry+:6] == f_warp);
        end
`undef EVG_ALONE
`endif

`ifdef FORMAL_TOP_pending_event_warp_table
    always @* begin
        cover (f_live && f_tracked && f_given && f_is_sent);
        cover (f_live && f_tracked && f_sent && f_is_back && returned_barrier_o);
        cover (f_live && f_tracked && f_is_exit && !f_started);
        cover (f_live && !ev_ready_o && f_tracked);
        cover (f_live && f_tracked && f_taken && take && !f_started);
    end
`endif
