// warp_take_ctrl: gives the oldest pending event a warp (EDGE IV-D, Figure 10, left half).
//
//   state    what it does                                             ends with
//   CHOOSE   a free context with enough free registers gets the       push there, SCAN, or without
//            event; otherwise, with preemption, a victim is sought    preemption WAIT
//   SCAN     victim_select looks at all warps                         CONFIRM, or WAIT if none is found
//   CONFIRM  the victim is on hold and is looked at once more, since  FLUSH, or CHOOSE
//            it may have exited meanwhile
//   FLUSH    victim_flush empties it, within cfg_flush_limit_i edges  SAVE, or PUSH: spare registers
//   SAVE     no spare registers: the victim's go to memory            PUSH
//   PUSH     the event is pushed                                      push_ok_i or push_fail_i
//   WAIT     nothing qualifies                                        a free context; with preemption a
//            scan: after RESCAN_CYCLES, or at once when a borrowed warp has been given back or, with
//            cfg_spare_i, the first free registers for the event let any warp qualify; or IDLE, when
//            there is another event to try (pending_order): it is put back
//
//     edge           0     1      2     3        groups+6  groups+8      F     F+S
//     state          IDLE  CHOOSE SCAN           CONFIRM   FLUSH         SAVE  PUSH   IDLE
//     take_o         1     0
//     cmd_hold_o     0                           1         1      ...    1     1      0
//     cmd_save_o                                                         1
//     cmd_push_o                                                               1
//     push_ok_i                                                                  1    start_o with it
//
// With cfg_now_i (policy CHEAPEST), a warp that can be flushed at once (ready_select) is better than
// any that has to be waited for: in CHOOSE, SCAN and WAIT it becomes the victim, with its cmd_flush or
// cmd_drop at the same edge, and FLUSH ends at the next; and when another one appears while a victim
// is being flushed, the victim is let go: the first to be flushed wins.
//
// Contract
// - One edge of FLUSH, the first that holds; a flushed victim on hold cannot exit:
//
//     victim has exited                            choose again, no cmd_resume_o
//     flushed, registers claimed for it are lost   resume, choose again
//     flushed                                      push with core_free_regs_i >= the event's registers
//                                                  (push_spare_o), else save
//     free context                                 resume, push there
//     another one is ready (cfg_now_i)             resume, choose again
//     the limit's last edge                        resume, timed_out_o, choose again
//     none of these                                victim_flush goes on
//
// - A victim that timed out is let go intact and is out until a scan finds no other warp (nor is a later
//   warp on its context chosen). Then the event drains, and after the wait all may be tried again. A
//   victim that waits for this very event so costs it at most limit + groups + 7 edges. A warp that was
//   let go may still be taken as one that can be flushed at once.
// - push_fail_i: fresh context: choose again; spare registers: save; otherwise cmd_resume_o (if the
//   victim is alive), choose again. push_ok_i wins over push_fail_i.
// - A victim has at least the event's registers (EDGE IV-D). Only with cfg_spare_i, and only if
//   core_free_regs_i has enough for the event at the edge that starts a scan, the scan asks for any
//   warp (EDGE VI-C). claim_regs_o then keeps blocks from taking them until the push is answered;
//   if they are gone all the same when the victim is flushed or its push fails, it is let go, never
//   saved, and the choice begins again.
// - want_drain_o from the first scan without a result, failed push or lost registers (or, without
//   preemption, from the first look without a free context) until an event whose turn it was runs:
//   nothing else takes the next free context or register, so that push_fail_i cannot repeat for ever.
// - An event that nothing here can serve does not stop those behind it: after a scan without a result
//   the lighter ones (pend_lighter_i) are tried one after another, each with a scan of its own; such a
//   one may borrow a warp that the scan finds, with registers enough, but takes no free context and no
//   spare registers, which are drained for the event whose turn it is. That one is tried again after
//   RESCAN_CYCLES. Without preemption a lighter one could have nothing: only an event whose turn has
//   come is tried instead.
//
//     edge           0      1      2      3      4     k      k+1    k+2
//     state          SCAN   WAIT   IDLE   CHOOSE SCAN  PUSH   IDLE   CHOOSE
//     of             a      a             b      b     b             a
//     select_found_i 0
//     take_o                       1                          1
//     pend_entry_i          b      b                          a
//     want_drain_o   0      1      1      1      1     1      1      1
//
// - The barrier mark of the victim is vic_barrier_i at the edge that commands the push, unless
//   bar_done_i ends the barrier at that edge.
// - Latency from pend_valid_i: free context: 2 edges to cmd_push_o. Victim: as drawn. With a core that
//   answers a push in P edges, a save in S, and empties a victim in F, an event at the head of the table
//   runs within groups + 9 + F + S + P edges if a warp qualifies, else within RESCAN_CYCLES + groups + 5
//   more of the edge at which one qualifies (each exit of a victim during its flush, each loss of
//   claimed registers and each lighter event that is tried adds one more choice). With barriers not
//   skipped, F contains the wait for the barrier; the give-back of other victims runs beside this
//   controller, so that it can complete.
// - Commands are pulses of one cycle, data outputs keep their last value.
// - Illegal: answers without command (ignored), a change of cfg_* while an event is being taken
//   other than cfg_opts_i and cfg_preempt_i, which act at the next decision.
`default_nettype none
`include "evgpu_defs.vh"

module warp_take_ctrl #(
    parameter IndexWidth = 2 // of a table entry
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    // Configuration
    input  wire [3:0]            cfg_opts_i,
    input  wire                  cfg_preempt_i,
    input  wire                  cfg_spare_i,
    input  wire                  cfg_now_i,
    input  wire [15:0]           cfg_flush_limit_i,
    // Pending event warp table
    input  wire                  pend_valid_i,
    input  wire [IndexWidth-1:0] pend_entry_i,
    input  wire [6:0]            pend_regs_i,
    input  wire                  pend_lighter_i,
    output wire                  take_o,
    output wire [IndexWidth-1:0] take_entry_o,
    output wire                  take_victim_o,
    output wire                  bind_o,
    output wire [5:0]            bind_warp_o,
    output wire                  bind_fresh_o,
    output wire                  bind_spare_o,
    output wire                  bind_barrier_o,
    output wire                  start_o,
    output wire                  show_o, // take_entry_o is what the core gets (push_payload)
    // Giving back
    input  wire                  released_i,
    // Victim selection
    output wire                  select_start_o,
    output wire                  select_confirm_o,
    output wire                  select_stop_o,
    output wire [5:0]            select_warp_o,
    output wire [6:0]            select_regs_o,
    output wire [63:0]           select_tried_o, // warps that are out
    input  wire                  select_done_i,
    input  wire                  select_found_i,
    input  wire [5:0]            select_warp_i,
    input  wire                  confirmed_i,
    input  wire                  confirm_ok_i,
    // A warp that can be flushed at once
    input  wire                  now_any_i,
    input  wire [5:0]            now_warp_i,
    input  wire                  now_drop_i,
    output wire                  now_req_o,
    output wire [6:0]            now_regs_o,
    // SIMT core: free resources and the victim's state
    input  wire                  core_free_warp_i,
    input  wire [5:0]            core_free_slot_i,
    input  wire [9:0]            core_free_regs_i,
    input  wire                  vic_alive_i,
    input  wire [1:0]            vic_ibuf_i,
    input  wire                  vic_fetch_i,
    input  wire                  vic_pipe_i,
    input  wire                  vic_loads_i,
    input  wire                  vic_younger_i,
    input  wire                  vic_barrier_i,
    input  wire                  vic_atomic_i,
    input  wire                  push_ok_i,
    input  wire                  push_fail_i,
    input  wire                  save_done_i,
    input  wire [63:0]           bar_done_i,
    // SIMT core: commands
    output wire                  vic_valid_o,
    output wire [5:0]            vic_warp_o,
    output wire                  cmd_hold_o,
    output wire                  cmd_prio_o,
    output wire                  cmd_skip_o,
    output wire                  cmd_flush_o,
    output wire                  cmd_drop_o,
    output wire                  cmd_resume_o,
    output wire                  timed_out_o,
    output wire                  cmd_save_o,
    output wire                  cmd_push_o,
    output wire                  save_o,   // at the edge before cmd_save_o
    output wire                  push_o,   // at the edge before cmd_push_o, to bind_warp_o
    output wire                  push_fresh_o,
    output wire                  push_spare_o,
    // Event dispatch and observation
    output wire                  busy_o,
    output wire                  want_drain_o,
    output wire [6:0]            claim_regs_o,
    output wire [2:0]            take_state_o,
    output wire                  quiet_o       // nothing moves without pend_valid_i
);

    localparam [2:0] Idle    = `EVG_TAKE_STATE_IDLE;
    localparam [2:0] Choose  = `EVG_TAKE_STATE_CHOOSE;
    localparam [2:0] Scan    = `EVG_TAKE_STATE_SCAN;
    localparam [2:0] Confirm = `EVG_TAKE_STATE_CONFIRM;
    localparam [2:0] Flush   = `EVG_TAKE_STATE_FLUSH;
    localparam [2:0] Save    = `EVG_TAKE_STATE_SAVE;
    localparam [2:0] Push    = `EVG_TAKE_STATE_PUSH;
    localparam [2:0] Wait    = `EVG_TAKE_STATE_WAIT;

    localparam TimerWidth = 16;
    localparam [TimerWidth-1:0] RescanCycles = `EVG_RESCAN_CYCLES;

    generate
        if (`EVG_RESCAN_CYCLES < 1 || `EVG_RESCAN_CYCLES >= (1 << TimerWidth)) begin : g_check
            warp_take_ctrl_needs_rescan_cycles_in_1_to_65535 check_parameters ();
        end
        if (Idle > 3'd3 || Choose > 3'd3 || Scan > 3'd3 || Wait > 3'd3) begin : g_check_busy
            warp_take_ctrl_needs_bit_2_of_the_state_to_mean_busy check_parameters ();
        end
    endgenerate

    // --- State -----------------------------------------------------------------------------------
    reg [2:0]            state_q, state_d;
    reg [IndexWidth-1:0] entry_q;
    reg [6:0]            regs_q;               // registers of the event
    reg                  vic_valid_q;
    reg [5:0]            vic_warp_q;
    reg                  drain_q, drain_d;
    reg [TimerWidth-1:0] timer_q, timer_d;
    reg                  fresh_q, spare_q;     // kind of the last push
    reg                  any_q;                // the last scan asked for any warp
    reg                  lighter_q;            // it is another one's turn, which drains
    reg [6:0]            claim_q;

    // --- Conditions ------------------------------------------------------------------------------
    wire regs_fit = !lighter_q && core_free_regs_i >= {3'd0, regs_q};
    wire any      = cfg_spare_i && regs_fit;   // the registers are there, whatever the victim has
    wire better   = released_i || (any && !any_q); // a warp may qualify now
    wire rested   = timer_q == {TimerWidth{1'b0}};
    wire rescan   = cfg_preempt_i && (rested || better);
    wire put_back = pend_valid_i && (cfg_preempt_i ? rested && !better : !pend_lighter_i);

    wire flushed, over;

    // A free context is looked at whenever there is a choice.
    wire choice = state_q == Choose || state_q == Wait || (state_q == Scan && select_done_i) ||
                  (state_q == Flush && vic_alive_i && !flushed);

    // A warp that can be flushed at once
    wire now_ok = cfg_now_i && cfg_preempt_i && now_any_i;

    // Pushes and starts load wide registers and move the table's counts, so they are apart from the
    // rest; core_free_regs_i, the latest, comes last, and synthesis must leave it there.
    (* keep *) wire may_push;
    (* keep *) wire push_fresh;
    assign may_push   = choice && core_free_warp_i;
    assign push_fresh = regs_fit && may_push;
    wire push_spare = regs_fit && state_q == Flush && vic_alive_i && flushed;
    wire push_saved = state_q == Save && save_done_i;
    wire now        = now_ok && !push_fresh &&
                      (state_q == Choose || state_q == Scan || state_q == Wait);
    wire push_d     = push_fresh || push_spare || push_saved;
    wire start      = state_q == Push && push_ok_i;

    // --- The flush -------------------------------------------------------------------------------
    reg  flush_start, flush_step, resume_d, give_up, none_left;
    reg  take, vic_kept;
    wire flush_quiet;
    wire vic_valid_d = vic_kept && !push_fresh;

    victim_flush u_flush (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_opts_i(cfg_opts_i), .cfg_limit_i(cfg_flush_limit_i),
        .held_i(vic_valid_d), .start_i(flush_start), .flushing_i(state_q == Flush),
        .step_i(flush_step), .now_i(now), .now_drop_i(now_drop_i), .resume_i(resume_d),
        .give_up_i(give_up), .warp_i(vic_warp_q), .clear_i(take || none_left),
        .flushed_o(flushed), .over_o(over), .tried_o(select_tried_o), .quiet_o(flush_quiet),
        .vic_ibuf_i(vic_ibuf_i), .vic_fetch_i(vic_fetch_i), .vic_pipe_i(vic_pipe_i),
        .vic_loads_i(vic_loads_i), .vic_younger_i(vic_younger_i), .vic_barrier_i(vic_barrier_i),
        .vic_atomic_i(vic_atomic_i),
        .cmd_prio_o(cmd_prio_o), .cmd_skip_o(cmd_skip_o), .cmd_flush_o(cmd_flush_o),
        .cmd_drop_o(cmd_drop_o), .cmd_resume_o(cmd_resume_o), .timed_out_o(timed_out_o)
    );

    // --- Next state and other commands -----------------------------------------------------------
    reg select_start, select_confirm, save_d;

    always @* begin
        state_d        = state_q;
        vic_kept       = vic_valid_q;
        drain_d        = drain_q;
        timer_d        = timer_q;
        take           = 1'b0;
        select_start   = 1'b0;
        select_confirm = 1'b0;
        flush_start    = 1'b0;
        give_up        = 1'b0;
        none_left      = 1'b0;
        flush_step     = 1'b0;
        resume_d       = 1'b0;
        save_d         = 1'b0;

        case (state_q)
            Idle:
                if (pend_valid_i) begin
                    take    = 1'b1;
                    state_d = Choose;
                end
            Choose:
                if (cfg_preempt_i) begin
                    select_start = 1'b1;
                    state_d      = Scan;
                end else begin
                    drain_d = 1'b1;
                    state_d = Wait;
                end
            Scan:
                if (select_done_i) begin
                    if (select_found_i) begin
                        select_confirm = 1'b1;
                        vic_kept       = 1'b1;
                        state_d        = Confirm;
                    end else begin
                        none_left = 1'b1;
                        drain_d   = 1'b1;
                        timer_d   = pend_valid_i && pend_lighter_i ? {TimerWidth{1'b0}} : RescanCycles;
                        state_d   = Wait;
                    end
                end
            Confirm:
                if (!vic_alive_i || (confirmed_i && !confirm_ok_i)) begin
                    resume_d = vic_alive_i;
                    vic_kept = 1'b0;
                    state_d  = Choose;
                end else if (confirmed_i) begin
                    flush_start = 1'b1;
                    state_d     = Flush;
                end
            Flush:
                if (!vic_alive_i) begin
                    vic_kept = 1'b0;
                    state_d  = Choose;
                end else if (flushed && !regs_fit && any_q) begin
                    resume_d = 1'b1;
                    drain_d  = 1'b1;
                    vic_kept = 1'b0;
                    state_d  = Choose;
                end else if (flushed) begin
                    save_d  = !regs_fit;
                    state_d = regs_fit ? Push : Save;
                end else if (now_ok || over) begin
                    resume_d = 1'b1;
                    give_up  = !now_ok;
                    vic_kept = 1'b0;
                    state_d  = Choose;
                end else
                    flush_step = 1'b1;
            Save:
                if (push_saved)
                    state_d = Push;
            Push:
                if (start) begin
                    vic_kept = 1'b0;
                    drain_d  = drain_q && lighter_q;
                    state_d  = Idle;
                end else if (push_fail_i) begin
                    drain_d = 1'b1;
                    if (spare_q && !any_q) begin
                        save_d  = 1'b1;
                        state_d = Save;
                    end else begin
                        resume_d = !fresh_q && vic_alive_i;
                        vic_kept = 1'b0;
                        state_d  = Choose;
                    end
                end
            Wait:
                if (put_back)
                    state_d = Idle;
                else if (rescan) begin
                    select_start = 1'b1;
                    state_d      = Scan;
                end else if (!rested)
                    timer_d = timer_q - 1'b1;
            default:
                state_d = Idle;
        endcase

        if (now) begin
            state_d        = Flush;
            vic_kept       = 1'b1;
            drain_d        = drain_q;
            select_start   = 1'b0;
            select_confirm = 1'b0;
            none_left      = 1'b0;
            flush_start    = 1'b1;
        end

        // A free context overrides what else the state would do; vic_kept then does not matter.
        if (push_fresh) begin
            state_d        = Push;
            drain_d        = drain_q;
            timer_d        = timer_q;
            select_start   = 1'b0;
            select_confirm = 1'b0;
            give_up        = 1'b0;
            none_left      = 1'b0;
            flush_step     = 1'b0;
            resume_d       = vic_valid_q;
        end
    end

    wire any_d   = select_start || now ? any : any_q && !take;
    wire lighter_d = take ? pend_lighter_i : lighter_q;
    wire claim_d = any_d && (state_d == Scan || state_d[2]);

    // --- Registers -----------------------------------------------------------------------
    reg now_req_q, save_q, push_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q     <= Idle;
            vic_valid_q <= 1'b0;
            drain_q     <= 1'b0;
            timer_q     <= {TimerWidth{1'b0}};
            save_q      <= 1'b0;
            push_q      <= 1'b0;
            any_q       <= 1'b0;
            now_req_q   <= 1'b0;
            claim_q     <= 7'd0;
            entry_q     <= {IndexWidth{1'b0}};
            regs_q      <= 7'd0;
            vic_warp_q  <= 6'd0;
            fresh_q     <= 1'b0;
            spare_q     <= 1'b0;
        end else begin
            state_q     <= state_d;
            vic_valid_q <= vic_valid_d;
            drain_q     <= drain_d;
            timer_q     <= timer_d;
            save_q      <= save_d;
            push_q      <= push_d;
            any_q       <= any_d;
            now_req_q   <= cfg_now_i && cfg_preempt_i && state_d != Idle && state_d != Confirm &&
                           state_d != Save && state_d != Push && !lighter_d;
            claim_q     <= claim_d ? regs_q : 7'd0;
            if (take) begin
                entry_q <= pend_entry_i;
                regs_q  <= pend_regs_i;
            end
            if (select_confirm || now)
                vic_warp_q <= now ? now_warp_i : select_warp_i;
            if (push_d) begin
                fresh_q <= push_fresh;
                spare_q <= push_spare;
            end
        end
    end

    // Of the event that is being taken: a reset ends that.
    always @(posedge clk_i)
        lighter_q <= lighter_d;

    assign take_o         = take;
    assign take_entry_o   = entry_q;
    assign take_victim_o  = vic_valid_q;
    // Not only with push_d, which comes late: the table records at every edge until the push.
    assign bind_o         = state_q != Idle && state_q != Push;
    assign bind_warp_o    = push_fresh ? core_free_slot_i : vic_warp_q;
    assign bind_fresh_o   = push_fresh;
    assign bind_spare_o   = push_spare;
    assign bind_barrier_o = !push_fresh && vic_barrier_i && !bar_done_i[vic_warp_q];
    assign start_o        = start;
    assign show_o         = state_q == Choose;

    assign select_start_o   = select_start;
    assign select_confirm_o = select_confirm;
    assign select_stop_o    = now;
    assign select_warp_o    = select_confirm ? select_warp_i : vic_warp_q;
    assign select_regs_o    = any_q ? 7'd0 : regs_q;

    assign now_req_o  = now_req_q;
    assign now_regs_o = regs_q;

    assign vic_valid_o  = vic_valid_q;
    assign vic_warp_o   = vic_warp_q;
    assign cmd_hold_o   = vic_valid_q;
    assign cmd_save_o   = save_q;

    assign cmd_push_o   = push_q;
    assign save_o       = save_d;
    assign push_o       = push_d;
    assign push_fresh_o = fresh_q;
    assign push_spare_o = spare_q;

    assign busy_o       = state_q[2];
    assign want_drain_o = drain_q;
    assign claim_regs_o = claim_q;
    assign take_state_o = state_q;
    assign quiet_o      = state_q == Idle && flush_quiet && !(vic_valid_q || save_q || push_q);

`ifdef FORMAL
`include "warp_take_ctrl.fv.vh"
`endif

endmodule

`default_nettype wire
