// SPDX-License-Identifier: Apache-2.0
// pending_event_warp_table: the one-warp event kernels of one SIMT core, from their arrival to
// their completion (EDGE IV-C, IV-E: four entries, 40 bytes each, 160 bytes per core).
//
// An entry is FREE, PENDING (waits for a warp), PREEMPTING (a warp is being taken for it), RUNNING,
// RETURNING (exited; its warp is owed to the core or its completion to the front end), FREE. An
// entry holds what the front end sent (208 bits), its warp, whether that warp was a free context,
// had registers of its own, and whether the victim below it still waits at a barrier.
//
// Contract
// - An event is taken at an edge with ev_valid_i and ev_ready_o; ev_ready_o is a register that is
//   high while an entry is free. An event offered while it is low is not looked at: the sender
//   holds it.
// - Service is by priority, then in order of arrival, with the bound of pending_order: pend_o shows
//   the PENDING entry to try next, anew in every cycle; take moves it to PREEMPTING, and puts the one
//   that was tried before, and has not been started, back. Visible one cycle after it was taken.
//   Cycles without a victim in the table are the calm ones of pending_order: with c of them in its turn, an
//   event lets PASS_LIMIT * (1 + c / DRAIN_CYCLES) lighter ones run, of a lower priority none in the first
//   DRAIN_CYCLES.
// - bind records warp, kind and barrier of the entry of take_i at every edge, the last time at the one
//   that commands the push; start, at the edge that sees the push accepted, makes it
//   RUNNING. From the edge after the last bind on, bar_done_i of its warp clears the barrier mark,
//   so that the victim is put back into its barrier only if that has not completed (EDGE IV-D,
//   barrier skipping).
// - exit_valid_i moves the running entry on exit_warp_i to RETURNING and queues it twice: for the
//   give-back (back_o, in order of exits) and for the completion. The two are independent: the
//   completion waits neither for the restore nor for the release, and the other way round. An exit
//   with exit_aborted_i, of an event that the driver has ended, differs by aborted of done_o only.
//
//     at an edge, for one entry        from          to                     precedence
//     ev_valid_i, ev_ready_o           FREE          PENDING
//     take, its entry is pending       PENDING       PREEMPTING
//     take, another one is             PREEMPTING    PENDING                start
//     start                            PREEMPTING    RUNNING                exit_valid_i too: RETURNING
//     exit_valid_i on its warp         RUNNING       RETURNING
//     the later of returned, completed  RETURNING     FREE                   completed: done_valid_o and done_ready_i
//
// - Exit to done_valid_o: 2 edges, when no completion is in front of it. done_valid_o is held until
//   an edge with done_ready_i. The entry is FREE when it is completed and done of returned_i has come.
// - Precedence: everything may come at the same edge for different entries. exit_valid_i with the
//   start of the same entry counts.
// - Illegal: take without pend_valid_o or with start, bind or start for an entry that is not PREEMPTING,
//   next of returned_i without back_valid_o. An exit of a warp that runs no event is ignored.
`default_nettype none
`include "evgpu_defs.vh"

module pending_event_warp_table (
    input  wire                          clk_i,
    input  wire                          rst_i,
    // Event dispatch
    input  wire                          ev_valid_i,
    input  wire [`EVG_EVENT_WIDTH-1:0]   ev_event_i,
    input  wire [`EVG_PRIORITY_BITS-1:0] ev_priority_i,
    output wire                          ev_ready_o,
    output wire [`EVG_PEWT_INDEX_BITS:0] occupancy_o,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] levels_o, // priorities of the events in the table
    output wire [`EVG_PEWT_INDEX_BITS:0] victims_o,       // entries with a victim, one edge ago
    // Taking a warp
    output wire                          pend_valid_o,
    output wire [`EVG_PENDING_WIDTH-1:0] pend_o,
    input  wire [`EVG_TAKE_WIDTH-1:0]    take_i,
    output wire [`EVG_EVENT_WIDTH-1:0]   event_o,         // of the entry of take_i
    output wire [`EVG_HOLDERS_WIDTH-1:0] holders_o,
    output wire [63:0]                   taken_o,         // the same warps, a bit for each
    // SIMT core
    input  wire [63:0]                   bar_done_i,
    input  wire                          exit_valid_i,
    input  wire [5:0]                    exit_warp_i,
    input  wire                          exit_aborted_i,
    // Giving the warp back
    output wire                          back_valid_o,
    output wire [`EVG_BACK_WIDTH-1:0]    back_o,
    input  wire [`EVG_RETURNED_WIDTH-1:0] returned_i,
    output wire                          returned_barrier_o, // of the entry of returned_i
    // Completion, to the front end
    output wire                          done_valid_o,
    output wire [`EVG_DONE_WIDTH-1:0]    done_o,
    input  wire                          done_ready_i,
    output wire                          quiet_o          // nothing moves without ev_valid_i or exit_valid_i
);

    localparam Entries    = `EVG_PEWT_ENTRIES; // power of two
    localparam IndexWidth = `EVG_PEWT_INDEX_BITS;

    localparam ControlWidth = `EVG_PEWT_STATE_WIDTH + 6 + 6 + `EVG_PRIORITY_BITS;

    generate
        if ((1 << IndexWidth) != Entries || Entries < 2) begin : g_check_size
            pending_event_warp_table_needs_index_width_log2_of_entries check_parameters ();
        end
        if (`EVG_EVENT_WIDTH + ControlWidth > `EVG_PEWT_ENTRY_BITS) begin : g_check_bits
            pending_event_warp_table_entry_exceeds_its_40_bytes check_parameters ();
        end
    endgenerate

    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Free       = `EVG_PEWT_STATE_FREE;
    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Pending    = `EVG_PEWT_STATE_PENDING;
    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Preempting = `EVG_PEWT_STATE_PREEMPTING;
    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Running    = `EVG_PEWT_STATE_RUNNING;
    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Returning  = `EVG_PEWT_STATE_RETURNING;

    // What the neighbours say
    wire                  take       = take_i[`EVG_TAKE_TAKE];
    wire                  start      = take_i[`EVG_TAKE_START];
    wire                  bind_en    = take_i[`EVG_TAKE_BIND];
    wire [IndexWidth-1:0] take_entry = take_i[`EVG_TAKE_ENTRY]; // of start, bind and event_o
    wire                  back_next  = returned_i[`EVG_RETURNED_NEXT];
    wire                  back_done  = returned_i[`EVG_RETURNED_DONE];
    wire [IndexWidth-1:0] returned_entry = returned_i[`EVG_RETURNED_ENTRY];

    // --- Arrival --------------------------------------------------------------------------------
    reg  [Entries-1:0]    used_q;   // not FREE
    wire [Entries-1:0]    used_d;
    reg                   ready_q;
    reg  [IndexWidth-1:0] alloc;    // lowest free entry
    wire                  accept = ev_valid_i && ready_q;
    integer               slot;

    always @* begin
        alloc = {IndexWidth{1'b0}};
        for (slot = Entries - 1; slot >= 0; slot = slot - 1)
            if (!used_q[slot])
                alloc = slot[IndexWidth-1:0];
    end

    // Read only for entries that were written: no reset.
    reg [`EVG_EVENT_WIDTH-1:0] payload [0:Entries-1];

    always @(posedge clk_i)
        if (accept)
            payload[alloc] <= ev_event_i;

    assign event_o = payload[take_entry];

    // Priorities of the entries in use: looked at while they are
    localparam Bits   = `EVG_PRIORITY_BITS;
    localparam Levels = 1 << Bits;
    reg [Bits*Entries-1:0] priority_q, priority_d;
    integer                place;

    always @* begin
        priority_d = priority_q;
        for (place = 0; place < Entries; place = place + 1)
            if (accept && alloc == place[IndexWidth-1:0])
                priority_d[Bits*place+:Bits] = ev_priority_i;
    end

    always @(posedge clk_i)
        priority_q <= priority_d;

    wire [IndexWidth:0]   unused_pend_count;
    wire                  pend_quiet;
    wire [IndexWidth-1:0] pend_entry;

    pending_order #(.Entries(Entries), .IndexWidth(IndexWidth)) u_pending (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(accept), .push_entry_i(alloc), .push_priority_i(ev_priority_i),
        .push_regs_i(ev_event_i[`EVG_EVENT_REGS]), .take_i(take), .start_i(start),
        .calm_i(victims_q == {IndexWidth + 1{1'b0}}), .valid_o(pend_valid_o), .entry_o(pend_entry), .regs_o(pend_o[`EVG_PENDING_REGS]),
        .lighter_o(pend_o[`EVG_PENDING_LIGHTER]), .count_o(unused_pend_count), .quiet_o(pend_quiet)
    );

    assign pend_o[`EVG_PENDING_ENTRY] = pend_entry;

    // --- Entries --------------------------------------------------------------------------------
    wire                   done_sent;
    reg  [IndexWidth-1:0]  done_entry_q;
    wire [Entries-1:0]     exits;      // the entry whose event exits
    wire [Entries-1:0]     fresh;
    wire [Entries-1:0]     spare;
    wire [Entries-1:0]     aborted;
    wire [Entries-1:0]     barrier;    // after this edge's bar_done_i
    wire [Entries-1:0]     borrowed;   // holds a victim
    wire [Entries-1:0]     held;       // has a warp
    wire [6*Entries-1:0]   held_warp;
    wire [Entries-1:0]     holds;      // has one from the next edge on

`ifdef FORMAL
    wire [`EVG_PEWT_STATE_WIDTH*Entries-1:0] f_state;
    wire [Entries-1:0]                       f_back_owed, f_done_owed, f_mark;
    wire                                     f_since_reset; // for the proofs of the user
`endif

    genvar e;
    generate
        for (e = 0; e < Entries; e = e + 1) begin : g_entry
            localparam [IndexWidth-1:0] Self = e;

            reg  [`EVG_PEWT_STATE_WIDTH-1:0] state_q, state_d;
            reg  [5:0]                       warp_q;
            reg                              fresh_q, spare_q, barrier_q, aborted_q;
            reg                              back_owed_q, done_owed_q;

            wire is_bind  = bind_en && take_entry == Self;
            wire is_start = start && take_entry == Self;
            wire is_exit  = exit_valid_i && warp_q == exit_warp_i &&
                            (state_q == Running || is_start);
            wire is_back  = back_done && returned_entry == Self;
            wire is_done  = done_sent && done_entry_q == Self;

            wire back_owed_d = is_exit || (back_owed_q && !is_back);
            wire done_owed_d = is_exit || (done_owed_q && !is_done);
            wire is_over     = !(back_owed_q && !is_back) && !(done_owed_q && !is_done);

            always @* begin
                state_d = state_q;
                case (state_q)
                    Free:
                        if (accept && alloc == Self)
                            state_d = Pending;
                    Pending:
                        if (take && pend_entry == Self)
                            state_d = Preempting;
                    Preempting:
                        if (is_start)
                            state_d = is_exit ? Returning : Running;
                        else if (take)
                            state_d = Pending;
                    Running:
                        if (is_exit)
                            state_d = Returning;
                    default:
                        if (is_over)
                            state_d = Free;
                endcase
            end

            always @(posedge clk_i) begin
                if (rst_i) begin
                    state_q     <= Free;
                    back_owed_q <= 1'b0;
                    done_owed_q <= 1'b0;
                end else begin
                    state_q     <= state_d;
                    back_owed_q <= back_owed_d;
                    done_owed_q <= done_owed_d;
                end
            end

            always @(posedge clk_i) begin
                if (is_bind) begin
                    warp_q    <= take_i[`EVG_TAKE_WARP];
                    fresh_q   <= take_i[`EVG_TAKE_FRESH];
                    spare_q   <= take_i[`EVG_TAKE_SPARE];
                    barrier_q <= take_i[`EVG_TAKE_BARRIER];
                end else if (bar_done_i[warp_q])
                    barrier_q <= 1'b0;
                if (is_exit)
                    aborted_q <= exit_aborted_i;
            end

`ifdef FORMAL
            assign f_state[`EVG_PEWT_STATE_WIDTH*e+:`EVG_PEWT_STATE_WIDTH] = state_q;
            assign f_back_owed[e] = back_owed_q;
            assign f_done_owed[e] = done_owed_q;
            assign f_mark[e]      = barrier_q;
`endif
            assign exits[e]              = is_exit;
            // Does not depend on exit_valid_i, which comes late.
            assign used_d[e]             = state_q == Free ? accept && alloc == Self
                                                           : !(state_q == Returning && is_over);
            assign held[e]               = state_q == Running || back_owed_q;
            assign holds[e]              = is_start || state_q == Running || (back_owed_q && !is_back);
            assign held_warp[6*e+:6]     = warp_q;
            assign fresh[e]              = fresh_q;
            assign spare[e]              = spare_q;
            assign aborted[e]            = aborted_q;
            assign barrier[e]            = barrier_q && !bar_done_i[warp_q];
            assign borrowed[e]           = held[e] && !fresh_q;
        end
    endgenerate

    // The warps of the entries, a bit for each: a register, since the search among the others takes a cycle
    reg [63:0] taken_q, taken_d;
    integer    holding;

    always @* begin
        taken_d = 64'd0;
        for (holding = 0; holding < Entries; holding = holding + 1)
            if (holds[holding])
                taken_d = taken_d | (64'd1 << held_warp[6*holding+:6]);
    end

    always @(posedge clk_i)
        taken_q <= rst_i ? 64'd0 : taken_d;

    // --- Exits: to the give-back and to the completion -------------------------------------------
    wire                  exited = |exits;
    reg  [IndexWidth-1:0] exit_entry;
    integer               match;

    always @* begin
        exit_entry = {IndexWidth{1'b0}};
        for (match = 0; match < Entries; match = match + 1)
            if (exits[match])
                exit_entry = exit_entry | match[IndexWidth-1:0];
    end

    wire                  back_empty, done_empty;
    wire [IndexWidth-1:0] back_entry, done_entry;
    wire                  unused_back_full, unused_done_full;
    wire [IndexWidth:0]   unused_back_count, unused_done_count;

    sync_fifo #(.Width(IndexWidth), .Depth(Entries), .DepthLog2(IndexWidth)) u_back (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(exited), .data_i(exit_entry), .full_o(unused_back_full),
        .pop_i(back_next), .data_o(back_entry), .empty_o(back_empty),
        .count_o(unused_back_count)
    );

    reg [5:0] back_warp;
    integer   holder;

    always @* begin
        back_warp = 6'd0;
        for (holder = 0; holder < Entries; holder = holder + 1)
            if (back_entry == holder[IndexWidth-1:0])
                back_warp = back_warp | held_warp[6*holder+:6];
    end

    wire [`EVG_EVENT_WIDTH-1:0] back_event = payload[back_entry];
    wire                        unused_back_event = ^back_event;

    assign back_valid_o            = !back_empty;
    assign back_o[`EVG_BACK_ENTRY] = back_entry;
    assign back_o[`EVG_BACK_WARP]  = back_warp;
    assign back_o[`EVG_BACK_FRESH] = fresh[back_entry];
    assign back_o[`EVG_BACK_SPARE] = spare[back_entry];
    assign back_o[`EVG_BACK_REGS]  = back_event[`EVG_EVENT_REGS];
    assign returned_barrier_o      = barrier[returned_entry];

    assign holders_o[`EVG_HOLDERS_HELD] = held;
    assign holders_o[`EVG_HOLDERS_WARP] = held_warp;
    assign taken_o                      = taken_q;

    reg  done_valid_q;
    wire done_load = !done_empty && (!done_valid_q || done_ready_i);
    assign done_sent = done_valid_q && done_ready_i;

    sync_fifo #(.Width(IndexWidth), .Depth(Entries), .DepthLog2(IndexWidth)) u_done (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(exited), .data_i(exit_entry), .full_o(unused_done_full),
        .pop_i(done_load), .data_o(done_entry), .empty_o(done_empty),
        .count_o(unused_done_count)
    );

    wire [`EVG_EVENT_WIDTH-1:0] done_event = payload[done_entry];
    wire                        unused_done_event = ^done_event;

    reg [`EVG_DONE_ROW_WIDTH-1:0]   done_row_q;
    reg [`EVG_DONE_PARAM_WIDTH-1:0] done_param_q;
    reg [`EVG_DONE_TAG_WIDTH-1:0]   done_tag_q;
    reg                             done_aborted_q;

    // Ports are compared in lockstep, so they are reset though they are data.
    always @(posedge clk_i) begin
        if (rst_i) begin
            done_valid_q   <= 1'b0;
            done_row_q     <= {`EVG_DONE_ROW_WIDTH{1'b0}};
            done_param_q   <= {`EVG_DONE_PARAM_WIDTH{1'b0}};
            done_tag_q     <= {`EVG_DONE_TAG_WIDTH{1'b0}};
            done_aborted_q <= 1'b0;
        end else begin
            done_valid_q <= done_load || (done_valid_q && !done_ready_i);
            if (done_load) begin
                done_row_q     <= done_event[`EVG_EVENT_ROW];
                done_param_q   <= done_event[`EVG_EVENT_PARAM];
                done_tag_q     <= done_event[`EVG_EVENT_TAG];
                done_aborted_q <= aborted[done_entry];
            end
        end
        if (done_load)
            done_entry_q <= done_entry;
    end

    assign done_valid_o              = done_valid_q;
    assign done_o[`EVG_DONE_ROW]     = done_row_q;
    assign done_o[`EVG_DONE_PARAM]   = done_param_q;
    assign done_o[`EVG_DONE_TAG]     = done_tag_q;
    assign done_o[`EVG_DONE_ABORTED] = done_aborted_q;

    // --- State for event dispatch ----------------------------------------------------------------
    reg  [IndexWidth:0] occupancy_q, occupancy_d;
    reg  [IndexWidth:0] victims_q, victims_d;
    reg  [Levels-1:0]   levels_q, levels_d;
    integer             bits, level;

    always @* begin
        occupancy_d = {IndexWidth + 1{1'b0}};
        victims_d   = {{IndexWidth{1'b0}}, take_i[`EVG_TAKE_VICTIM]};
        levels_d    = {Levels{1'b0}};
        for (bits = 0; bits < Entries; bits = bits + 1) begin
            for (level = 0; level < Levels; level = level + 1)
                if (used_d[bits] && priority_d[Bits*bits+:Bits] == level[Bits-1:0])
                    levels_d[level] = 1'b1;
            occupancy_d = occupancy_d + {{IndexWidth{1'b0}}, used_d[bits]};
            victims_d   = victims_d + {{IndexWidth{1'b0}}, borrowed[bits]};
        end
    end

    always @(posedge clk_i) begin
        if (rst_i) begin
            used_q      <= {Entries{1'b0}};
            ready_q     <= 1'b1;
            occupancy_q <= {IndexWidth + 1{1'b0}};
            victims_q   <= {IndexWidth + 1{1'b0}};
            levels_q    <= {Levels{1'b0}};
        end else begin
            used_q      <= used_d;
            ready_q     <= !(&used_d);
            occupancy_q <= occupancy_d;
            victims_q   <= victims_d;
            levels_q    <= levels_d;
        end
    end

    assign ev_ready_o  = ready_q;
    assign occupancy_o = occupancy_q;
    assign victims_o   = victims_q;
    assign levels_o    = levels_q;
    assign quiet_o     = pend_quiet && back_empty && done_empty && !done_valid_q;

`ifdef FORMAL
`include "properties/pending_event_warp_table.fv.vh"
`endif

endmodule

`default_nettype wire
