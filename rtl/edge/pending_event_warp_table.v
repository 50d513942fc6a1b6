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
// - Service is by priority, then in order of arrival, with the bound of pending_order: pend_*_o show
//   the PENDING entry to try next, anew in every cycle; take_i moves it to PREEMPTING, and puts the one
//   that was tried before, and has not been started, back. Visible one cycle after it was taken.
// - bind_i records warp, kind and barrier of the entry take_entry_i at every edge, the last time at
//   the one that commands the push; start_i, at the edge that sees the push accepted, makes it
//   RUNNING. From the edge after the last bind_i on, bar_done_i of its warp clears the barrier mark,
//   so that the victim is put back into its barrier only if that has not completed (EDGE IV-D,
//   barrier skipping).
// - exit_valid_i moves the running entry on exit_warp_i to RETURNING and queues it twice: for the
//   give-back (back_*_o, in order of exits) and for the completion. The two are independent: the
//   completion waits neither for the restore nor for the release, and the other way round. An exit
//   with exit_aborted_i, of an event that the driver has ended, differs by its done_aborted_o only.
//
//     at an edge, for one entry        from          to                     precedence
//     ev_valid_i, ev_ready_o           FREE          PENDING
//     take_i, pend_entry_o             PENDING       PREEMPTING
//     take_i, another pend_entry_o     PREEMPTING    PENDING                start_i
//     start_i                          PREEMPTING    RUNNING                exit_valid_i too: RETURNING
//     exit_valid_i on its warp         RUNNING       RETURNING
//     the later of back_done_i, done   RETURNING     FREE                   done: done_valid_o and done_ready_i
//
// - Exit to done_valid_o: 2 edges, when no completion is in front of it. done_valid_o is held until
//   an edge with done_ready_i. The entry is FREE when it is completed and back_done_i has come.
// - Precedence: everything may come at the same edge for different entries. exit_valid_i with the
//   start_i of the same entry counts.
// - Illegal: take_i without pend_valid_o or with start_i, bind_i or start_i for an entry that is not PREEMPTING,
//   back_next_i without back_valid_o. An exit of a warp that runs no event is ignored.
`default_nettype none
`include "evgpu_defs.vh"

module pending_event_warp_table #(
    parameter Entries    = `EVG_PEWT_ENTRIES, // power of two
    parameter IndexWidth = 2                  // log2(Entries)
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    // Event dispatch
    input  wire                  ev_valid_i,
    input  wire [63:0]           ev_kernel_i,
    input  wire [63:0]           ev_param_i,
    input  wire [31:0]           ev_mask_i,
    input  wire [17:0]           ev_dims_i,
    input  wire [6:0]            ev_regs_i,
    input  wire [4:0]            ev_row_i,
    input  wire [15:0]           ev_tag_i,
    input  wire [`EVG_PRIORITY_BITS-1:0] ev_priority_i,
    output wire                  ev_ready_o,
    output wire [IndexWidth:0]   occupancy_o,
    output wire [(1 << `EVG_PRIORITY_BITS)-1:0] levels_o, // priorities of the events in the table
    output wire [IndexWidth:0]   victims_o,      // entries with a victim, one edge ago
    // Taking a warp
    output wire                  pend_valid_o,
    output wire [IndexWidth-1:0] pend_entry_o,
    output wire [6:0]            pend_regs_o,
    output wire                  pend_lighter_o, // it is not its turn (pending_order)
    input  wire                  take_i,
    input  wire [IndexWidth-1:0] take_entry_i,   // the entry of bind_i, start_i and entry_*_o
    input  wire                  take_victim_i,  // it holds a victim, not started
    input  wire                  bind_i,
    input  wire [5:0]            bind_warp_i,
    input  wire                  bind_fresh_i,
    input  wire                  bind_spare_i,
    input  wire                  bind_barrier_i,
    input  wire                  start_i,
    output wire [63:0]           entry_kernel_o,
    output wire [63:0]           entry_param_o,
    output wire [31:0]           entry_mask_o,
    output wire [17:0]           entry_dims_o,
    output wire [6:0]            entry_regs_o,
    output wire [4:0]            entry_row_o,
    output wire [15:0]           entry_tag_o,
    output wire [Entries-1:0]    held_o,         // entries that have a warp
    output wire [6*Entries-1:0]  held_warp_o,
    // SIMT core
    input  wire [63:0]           bar_done_i,
    input  wire                  exit_valid_i,
    input  wire [5:0]            exit_warp_i,
    input  wire                  exit_aborted_i,
    // Giving the warp back
    output wire                  back_valid_o,
    output wire [IndexWidth-1:0] back_entry_o,
    output wire [5:0]            back_warp_o,
    output wire                  back_fresh_o,
    output wire                  back_spare_o,
    output wire [6:0]            back_regs_o,
    input  wire                  back_next_i,
    input  wire [IndexWidth-1:0] returned_entry_i, // of returned_barrier_o and back_done_i
    output wire                  returned_barrier_o,
    input  wire                  back_done_i,
    // Completion, to the front end
    output wire                  done_valid_o,
    output wire [4:0]            done_row_o,
    output wire [63:0]           done_param_o,
    output wire [15:0]           done_tag_o,
    output wire                  done_aborted_o,
    input  wire                  done_ready_i,
    output wire                  quiet_o         // nothing moves without ev_valid_i or exit_valid_i
);

    localparam PayloadWidth = 64 + 64 + 32 + 18 + 7 + 5 + 16; // and the priority, in pending_order
    localparam ControlWidth = `EVG_PEWT_STATE_WIDTH + 6 + 6 + `EVG_PRIORITY_BITS;

    generate
        if ((1 << IndexWidth) != Entries || Entries < 2) begin : g_check_size
            pending_event_warp_table_needs_index_width_log2_of_entries check_parameters ();
        end
        if (PayloadWidth + ControlWidth > `EVG_PEWT_ENTRY_BITS) begin : g_check_bits
            pending_event_warp_table_entry_exceeds_its_40_bytes check_parameters ();
        end
    endgenerate

    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Free       = `EVG_PEWT_STATE_FREE;
    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Pending    = `EVG_PEWT_STATE_PENDING;
    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Preempting = `EVG_PEWT_STATE_PREEMPTING;
    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Running    = `EVG_PEWT_STATE_RUNNING;
    localparam [`EVG_PEWT_STATE_WIDTH-1:0] Returning  = `EVG_PEWT_STATE_RETURNING;

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
    reg [PayloadWidth-1:0] payload [0:Entries-1];

    always @(posedge clk_i)
        if (accept)
            payload[alloc] <= {ev_kernel_i, ev_param_i, ev_mask_i, ev_dims_i, ev_regs_i, ev_row_i,
                               ev_tag_i};

    assign {entry_kernel_o, entry_param_o, entry_mask_o, entry_dims_o, entry_regs_o, entry_row_o,
            entry_tag_o} = payload[take_entry_i];

    // Priorities of the entries in use: looked at while they are
    localparam Bits   = `EVG_PRIORITY_BITS;
    localparam Levels = 1 << Bits;
    reg [Bits*Entries-1:0] priority_q, priority_d;

    always @* begin
        priority_d = priority_q;
        if (accept)
            priority_d[Bits*alloc+:Bits] = ev_priority_i;
    end

    always @(posedge clk_i)
        priority_q <= priority_d;

    wire [IndexWidth:0] unused_pend_count;
    wire                pend_quiet;

    pending_order #(.Entries(Entries), .IndexWidth(IndexWidth)) u_pending (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(accept), .push_entry_i(alloc), .push_priority_i(ev_priority_i),
        .push_regs_i(ev_regs_i), .take_i(take_i), .start_i(start_i),
        .valid_o(pend_valid_o), .entry_o(pend_entry_o), .regs_o(pend_regs_o),
        .lighter_o(pend_lighter_o), .count_o(unused_pend_count), .quiet_o(pend_quiet)
    );

    localparam RegsLsb = 5 + 16;
    wire [PayloadWidth-1:0] back_payload = payload[back_entry_o];
    wire                    unused_payload = ^back_payload;

    assign back_regs_o = back_payload[RegsLsb+:7];

    // --- Entries --------------------------------------------------------------------------------
    wire                   done_sent;
    reg  [IndexWidth-1:0]  done_entry_q;
    wire [Entries-1:0]     exits;      // the entry whose event exits
    wire [Entries-1:0]     fresh;
    wire [Entries-1:0]     spare;
    wire [Entries-1:0]     aborted;
    wire [Entries-1:0]     barrier;    // after this edge's bar_done_i
    wire [Entries-1:0]     borrowed;   // holds a victim

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

            wire is_bind  = bind_i && take_entry_i == Self;
            wire is_start = start_i && take_entry_i == Self;
            wire is_exit  = exit_valid_i && warp_q == exit_warp_i &&
                            (state_q == Running || is_start);
            wire is_back  = back_done_i && returned_entry_i == Self;
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
                        if (take_i && pend_entry_o == Self)
                            state_d = Preempting;
                    Preempting:
                        if (is_start)
                            state_d = is_exit ? Returning : Running;
                        else if (take_i)
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
                    warp_q    <= bind_warp_i;
                    fresh_q   <= bind_fresh_i;
                    spare_q   <= bind_spare_i;
                    barrier_q <= bind_barrier_i;
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
            assign held_o[e]             = state_q == Running || back_owed_q;
            assign held_warp_o[6*e+:6]   = warp_q;
            assign fresh[e]              = fresh_q;
            assign spare[e]              = spare_q;
            assign aborted[e]            = aborted_q;
            assign barrier[e]            = barrier_q && !bar_done_i[warp_q];
            assign borrowed[e]           = held_o[e] && !fresh_q;
        end
    endgenerate

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
    wire [IndexWidth-1:0] done_entry;
    wire                  unused_back_full, unused_done_full;
    wire [IndexWidth:0]   unused_back_count, unused_done_count;

    sync_fifo #(.Width(IndexWidth), .Depth(Entries), .DepthLog2(IndexWidth)) u_back (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(exited), .data_i(exit_entry), .full_o(unused_back_full),
        .pop_i(back_next_i), .data_o(back_entry_o), .empty_o(back_empty),
        .count_o(unused_back_count)
    );

    reg [5:0] back_warp;
    integer   holder;

    always @* begin
        back_warp = 6'd0;
        for (holder = 0; holder < Entries; holder = holder + 1)
            if (back_entry_o == holder[IndexWidth-1:0])
                back_warp = back_warp | held_warp_o[6*holder+:6];
    end

    assign back_valid_o       = !back_empty;
    assign back_warp_o        = back_warp;
    assign back_fresh_o       = fresh[back_entry_o];
    assign back_spare_o       = spare[back_entry_o];
    assign returned_barrier_o = barrier[returned_entry_i];

    reg  done_valid_q;
    wire done_load = !done_empty && (!done_valid_q || done_ready_i);
    assign done_sent = done_valid_q && done_ready_i;

    sync_fifo #(.Width(IndexWidth), .Depth(Entries), .DepthLog2(IndexWidth)) u_done (
        .clk_i(clk_i), .rst_i(rst_i),
        .push_i(exited), .data_i(exit_entry), .full_o(unused_done_full),
        .pop_i(done_load), .data_o(done_entry), .empty_o(done_empty),
        .count_o(unused_done_count)
    );

    wire [PayloadWidth-1:0] done_payload = payload[done_entry];
    wire                    unused_done_payload = ^done_payload;
    localparam ParamLsb = 32 + 18 + 7 + 5 + 16;

    reg [4:0]  done_row_q;
    reg [63:0] done_param_q;
    reg [15:0] done_tag_q;
    reg        done_aborted_q;

    // Ports are compared in lockstep, so they are reset though they are data.
    always @(posedge clk_i) begin
        if (rst_i) begin
            done_valid_q <= 1'b0;
            done_row_q   <= 5'd0;
            done_param_q <= 64'd0;
            done_tag_q   <= 16'd0;
            done_aborted_q <= 1'b0;
        end else begin
            done_valid_q <= done_load || (done_valid_q && !done_ready_i);
            if (done_load) begin
                done_row_q   <= done_payload[16+:5];
                done_param_q <= done_payload[ParamLsb+:64];
                done_tag_q   <= done_payload[0+:16];
                done_aborted_q <= aborted[done_entry];
            end
        end
        if (done_load)
            done_entry_q <= done_entry;
    end

    assign done_valid_o = done_valid_q;
    assign done_row_o   = done_row_q;
    assign done_param_o = done_param_q;
    assign done_tag_o   = done_tag_q;
    assign done_aborted_o = done_aborted_q;

    // --- State for event dispatch ----------------------------------------------------------------
    reg  [IndexWidth:0] occupancy_q, occupancy_d;
    reg  [IndexWidth:0] victims_q, victims_d;
    reg  [Levels-1:0]   levels_q, levels_d;
    integer             bits;

    always @* begin
        occupancy_d = {IndexWidth + 1{1'b0}};
        victims_d   = {{IndexWidth{1'b0}}, take_victim_i};
        levels_d    = {Levels{1'b0}};
        for (bits = 0; bits < Entries; bits = bits + 1) begin
            if (used_d[bits])
                levels_d[priority_d[Bits*bits+:Bits]] = 1'b1;
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
`include "pending_event_warp_table.fv.vh"
`endif

endmodule

`default_nettype wire
