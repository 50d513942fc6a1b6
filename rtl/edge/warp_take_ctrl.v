// SPDX-License-Identifier: Apache-2.0
// warp_take_ctrl: gives the oldest pending event a warp (EDGE IV-D, Figure 10, left half).
//
//   state    what it does                                     ends with
//   IDLE     no event is being taken                          CHOOSE: a pending event
//   CHOOSE   begins the choice                                SCAN; without preemption WAIT
//   SCAN     victim_select looks at all warps                 CONFIRM, or WAIT if none is found
//   CONFIRM  the victim, on hold, is looked at once more      FLUSH, or CHOOSE if it may not be borrowed
//   FLUSH    victim_flush empties it                          SAVE; PUSH on spare registers; CHOOSE
//   SAVE     the victim's registers go to memory              PUSH
//   PUSH     the event is pushed                              IDLE: push_ok; SAVE or CHOOSE: push_fail
//   WAIT     no warp qualifies                                SCAN, or IDLE to try another event
//
// Each state decides one step; `Step` below lists what each step does. Two things go before it, wherever
// there is a choice: a free context with registers enough, which gets the event (PUSH), and, with policy
// CHEAPEST, a warp that can be flushed at once (FLUSH).
//
//     edge           0     1      2     3        groups+6  groups+8      F     F+S
//     state          IDLE  CHOOSE SCAN           CONFIRM   FLUSH         SAVE  PUSH   IDLE
//     take           1     0
//     vic_valid_o    0                           1         1      ...    1     1      0
//     cmd_save_o                                                         1
//     cmd_push_o                                                               1
//     push_ok                                                                    1    start with it
//
// Contract (registers and spare registers: take_event; the time of a flush: victim_flush)
// - A victim in FLUSH is let go for a warp that can be flushed at once, READY_SWAPS times for an event: two
//   that are ready in turn, and begin a fetch in turn when they are let go, would keep it for ever.
// - A victim that is let go before its push gets resume of flush_o, unless it has exited. One that timed
//   out is not chosen by a scan again until a scan finds no other warp; a later one on its context neither.
//   It may still be taken as one that can be flushed at once.
// - WAIT ends with a scan after RESCAN_CYCLES, or at once when a victim has been released or when, with
//   cfg spare, the free registers first suffice for any warp.
// - A victim taken for spare registers that are gone when it is flushed, or when its push fails, is let
//   go, never saved.
// - want_drain_o, from the first choice without a warp, failed push or lost registers on until an event
//   whose turn it was runs: nothing else takes the next free context or register, so that push_fail
//   cannot repeat for ever.
// - An event that nothing here can serve does not stop those behind it: after a scan without a result the
//   lighter ones are tried (pending_order), each with a scan of its own. A lighter one gets a victim with
//   registers enough, but no free context and no spare registers. Without preemption, WAIT ends for an
//   event only whose turn has come.
// - Bound of draining: an event whose turn it is waits for the warps that are borrowed when its turn comes,
//   for the lighter ones that the ration of its turn lets borrow others (pending_order: first none of a
//   lower priority), and for the cycles that the core's blocks then need to free what it needs.
// - Latency from pend_valid_i: free context: 2 edges to cmd_push_o. Victim: as drawn; within groups + 9 +
//   F + S + P edges (flush, save, push) if a warp qualifies, else within RESCAN_CYCLES + groups + 5 more of
//   the edge at which one qualifies. Each victim that is let go and each lighter event adds a choice.
// - Commands are pulses of one cycle; data outputs keep their last value. push_ok wins over push_fail.
// - Illegal: answers without command (ignored), a change of cfg_i while an event is being taken, but for
//   opts and preempt, which act at the next decision.
`default_nettype none
`include "evgpu_defs.vh"

module warp_take_ctrl (
    input  wire                           clk_i,
    input  wire                           rst_i,
    input  wire [`EVG_EVENT_UNIT_CFG_WIDTH-1:0] cfg_i,
    // Pending event warp table
    input  wire                           pend_valid_i,
    input  wire [`EVG_PENDING_WIDTH-1:0]  pend_i,
    output wire [`EVG_TAKE_WIDTH-1:0]     take_o,
    output wire                           show_o, // the entry of take_o is what the core gets (push_payload)
    // Giving back: a victim has been released
    input  wire                           released_i,
    // Victim selection, and a warp that can be flushed at once
    output wire [`EVG_SELECT_WIDTH-1:0]   select_o,
    input  wire [`EVG_SELECTED_WIDTH-1:0] selected_i,
    input  wire [`EVG_READY_WARP_WIDTH-1:0] ready_i,
    output wire                           now_req_o,
    output wire [6:0]                     now_regs_o,
    // SIMT core: free resources, the victim's state, answers
    input  wire [`EVG_CORE_FREE_WIDTH-1:0] free_i,
    input  wire [`EVG_VICTIM_WIDTH-1:0]   vic_i,
    input  wire [63:0]                    bar_done_i,
    input  wire [`EVG_ANSWERS_WIDTH-1:0]  answers_i,
    // SIMT core: commands
    output wire                           vic_valid_o, // it is on hold
    output wire [5:0]                     vic_warp_o,
    output wire [`EVG_FLUSH_WIDTH-1:0]    flush_o,
    output wire                           cmd_save_o,
    output wire                           cmd_push_o,
    output wire                           push_fresh_o,
    output wire                           push_spare_o,
    output wire                           save_o, // at the edge before cmd_save_o
    output wire                           push_o, // at the edge before cmd_push_o, to the warp of take_o
    // Event dispatch and observation
    output wire                           busy_o,
    output wire                           want_drain_o,
    output wire [6:0]                     claim_regs_o,
    output wire [`EVG_TAKE_STATE_WIDTH-1:0] take_state_o,
    output wire                           quiet_o // nothing moves without pend_valid_i
);

    localparam [2:0] Idle    = `EVG_TAKE_STATE_IDLE;
    localparam [2:0] Choose  = `EVG_TAKE_STATE_CHOOSE;
    localparam [2:0] Scan    = `EVG_TAKE_STATE_SCAN;
    localparam [2:0] Confirm = `EVG_TAKE_STATE_CONFIRM;
    localparam [2:0] Flush   = `EVG_TAKE_STATE_FLUSH;
    localparam [2:0] Save    = `EVG_TAKE_STATE_SAVE;
    localparam [2:0] Push    = `EVG_TAKE_STATE_PUSH;
    localparam [2:0] Wait    = `EVG_TAKE_STATE_WAIT;
    localparam BusyBit = 2; // of the states in which a victim is being taken

    localparam TimerWidth = 16;
    localparam [TimerWidth-1:0] RescanCycles = `EVG_RESCAN_CYCLES;
    localparam [2:0] Swaps = `EVG_READY_SWAPS;

    generate
        if (`EVG_RESCAN_CYCLES < 1 || `EVG_RESCAN_CYCLES >= (1 << TimerWidth)) begin : g_check
            warp_take_ctrl_needs_rescan_cycles_in_1_to_65535 check_parameters ();
        end
        if (Idle[BusyBit] || Choose[BusyBit] || Scan[BusyBit] || Wait[BusyBit]) begin : g_check_busy
            warp_take_ctrl_needs_bit_2_of_the_state_to_mean_busy check_parameters ();
        end
    endgenerate

    // --- What the neighbours say -------------------------------------------------------------------
    wire       cfg_preempt  = cfg_i[`EVG_EVENT_UNIT_CFG_PREEMPT];
    wire       cfg_now      = cfg_i[`EVG_EVENT_UNIT_CFG_POLICY] == `EVG_VICTIM_POLICY_CHEAPEST;
    wire       unused_cfg   = &{1'b0, cfg_i[`EVG_EVENT_UNIT_CFG_WARP_GROUPS]}; // victim_select's
    wire       pend_lighter = pend_i[`EVG_PENDING_LIGHTER];
    wire       select_done  = selected_i[`EVG_SELECTED_DONE];
    wire       select_found = selected_i[`EVG_SELECTED_FOUND];
    wire [5:0] select_warp  = selected_i[`EVG_SELECTED_WARP];
    wire       confirmed    = selected_i[`EVG_SELECTED_CONFIRMED];
    wire       confirm_ok   = selected_i[`EVG_SELECTED_OK];
    wire       now_any      = ready_i[`EVG_READY_WARP_ANY];
    wire [5:0] now_warp     = ready_i[`EVG_READY_WARP_WARP];
    wire       now_drop     = ready_i[`EVG_READY_WARP_DROP];
    wire       vic_alive    = vic_i[`EVG_VICTIM_ALIVE];
    wire       vic_barrier  = vic_i[`EVG_VICTIM_BARRIER];
    wire       push_ok      = answers_i[`EVG_ANSWERS_PUSH_OK];
    wire       push_fail    = answers_i[`EVG_ANSWERS_PUSH_FAIL];
    wire       save_done    = answers_i[`EVG_ANSWERS_SAVE_DONE];

    reg [2:0]            state_q, next;
    reg                  drain_q, vic_valid_q;
    reg [TimerWidth-1:0] timer_q;
    reg [2:0]            swaps_q;              // victims of the event let go for another that was ready
    reg                  fresh_q, spare_q;     // kind of the last push
    wire                 lighter, lighter_next, fits, any, any_asked, flushed, over;

    // --- The step of the state ---------------------------------------------------------------------
    wire now_ok   = cfg_now && cfg_preempt && now_any;
    wire swap     = now_ok && swaps_q != Swaps; // ... instead of the victim
    wire rested   = timer_q == {TimerWidth{1'b0}};
    wire better   = released_i || (any && !any_asked); // a warp may qualify now
    wire put_back = pend_valid_i && (cfg_preempt ? rested && !better : !pend_lighter);

    localparam Take = 0, Search = 1, Drain = 2, Found = 3, None = 4, Hold = 5, Refuse = 6, Vanish = 7,
               Empty = 8, Spare = 9, Write = 10, Lose = 11, Yield = 12, Saved = 13, Start = 14, Fail = 15,
               Again = 16, Rest = 17, Steps = 18;
    reg [Steps-1:0] step; // at most one

    always @* begin
        next = state_q;
        step = {Steps{1'b0}};
        case (state_q)
            Idle:
                if (pend_valid_i)                    begin step[Take]   = 1'b1; next = Choose;  end
            Choose:
                if (cfg_preempt)                     begin step[Search] = 1'b1; next = Scan;    end
                else                                 begin step[Drain]  = 1'b1; next = Wait;    end
            Scan:
                if (select_done && select_found)     begin step[Found]  = 1'b1; next = Confirm; end
                else if (select_done)                begin step[None]   = 1'b1; next = Wait;    end
            Confirm:
                if (!vic_alive)                      begin step[Vanish] = 1'b1; next = Choose;  end
                else if (confirmed && !confirm_ok)   begin step[Refuse] = 1'b1; next = Choose;  end
                else if (confirmed)                  begin step[Hold]   = 1'b1; next = Flush;   end
            Flush:
                if (!vic_alive)                      begin step[Vanish] = 1'b1; next = Choose;  end
                else if (flushed && fits)            begin step[Spare]  = 1'b1; next = Push;    end
                else if (flushed && any_asked)       begin step[Lose]   = 1'b1; next = Choose;  end
                else if (flushed)                    begin step[Write]  = 1'b1; next = Save;    end
                else if (swap || over)               begin step[Yield]  = 1'b1; next = Choose;  end
                else                                       step[Empty]  = 1'b1;
            Save:
                if (save_done)                       begin step[Saved]  = 1'b1; next = Push;    end
            Push:
                if (push_ok)                         begin step[Start]  = 1'b1; next = Idle;    end
                else if (push_fail && spare_q && !any_asked)
                                                     begin step[Again]  = 1'b1; next = Save;    end
                else if (push_fail)                  begin step[Fail]   = 1'b1; next = Choose;  end
            Wait:
                if (put_back)                                                   next = Idle;
                else if (cfg_preempt && (rested || better))
                                                     begin step[Search] = 1'b1; next = Scan;    end
                else if (!rested)                          step[Rest]   = 1'b1;
            default:                                                            next = Idle;
        endcase
    end

    // --- What goes before it -----------------------------------------------------------------------
    // Pushes and starts load wide registers and move the table's counts, so they are apart from the
    // rest; the free registers, the latest, come last, and synthesis must leave them there.
    wire choosing = state_q == Choose || state_q == Scan || state_q == Wait;
    wire choice   = state_q == Choose || state_q == Wait || (state_q == Scan && select_done) ||
                    (state_q == Flush && vic_alive && !flushed);
    (* keep *) wire may_push;
    (* keep *) wire push_fresh;
    assign may_push   = choice && free_i[`EVG_CORE_FREE_WARP];
    assign push_fresh = fits && may_push;

    wire ready = choosing && now_ok;
    wire now   = ready && !push_fresh;
    wire own   = !ready && !push_fresh; // the state's step is taken

    // --- Step: what each does ----------------------------------------------------------------------
    //   Take    the pending event is the one that is taken      Again   the registers for the push are gone:
    //   Search  a scan begins                                           save, and push without them
    //   Drain   no free context: wait for one                   Saved   push
    //   Found   the victim is on hold, and asked about again    Start   the event runs
    //   None    no warp qualifies: wait, all may be tried again Rest    the wait goes on
    //   Hold    the flush begins                                And the victim is let go:
    //   Empty   ... goes on                                     Vanish  it has exited
    //   Spare   push, on spare registers                        Refuse  it may not be borrowed any more
    //   Write   save                                            Lose    the registers claimed are gone
    //                                                           Yield   its time is over, or another is ready
    //                                                           Fail    the push has failed
    wire take           = step[Take];
    wire select_start   = own && step[Search];
    wire select_confirm = own && step[Found];
    wire none_left      = own && step[None];
    wire flush_start    = now || step[Hold];
    wire flush_step     = step[Empty] && !push_fresh;
    wire give_up        = step[Yield] && !swap && !push_fresh;
    wire let_go         = step[Vanish] || step[Refuse] || step[Lose] || step[Yield] || step[Fail];
    wire resume         = push_fresh ? vic_valid_q
                                     : step[Refuse] || step[Lose] || step[Yield] ||
                                       (step[Fail] && !fresh_q && vic_alive);
    wire save           = step[Write] || step[Again];
    wire push           = push_fresh || step[Spare] || step[Saved];
    wire drain          = own && (step[Drain] || step[None] || step[Lose] || step[Again] || step[Fail]);
    wire vic_valid_d    = !push_fresh && (now || step[Found] || (vic_valid_q && !let_go && !step[Start]));

    wire [2:0] state_d  = push_fresh ? Push : ready ? Flush : next;

    // --- Registers ---------------------------------------------------------------------------------
    reg [5:0] vic_warp_q;
    reg       now_req_q, save_q, push_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q     <= Idle;
            vic_valid_q <= 1'b0;
            drain_q     <= 1'b0;
            timer_q     <= {TimerWidth{1'b0}};
            save_q      <= 1'b0;
            push_q      <= 1'b0;
            now_req_q   <= 1'b0;
            vic_warp_q  <= 6'd0;
            fresh_q     <= 1'b0;
            spare_q     <= 1'b0;
            swaps_q     <= 3'd0;
        end else begin
            state_q     <= state_d;
            vic_valid_q <= vic_valid_d;
            save_q      <= save;
            push_q      <= push;
            now_req_q   <= cfg_now && cfg_preempt && !lighter_next && !push_fresh &&
                           (ready || next == Choose || next == Scan || next == Wait || next == Flush);
            if (drain || step[Start])
                drain_q <= drain || (drain_q && lighter);
            if (step[None] && !push_fresh)
                timer_q <= pend_valid_i && pend_lighter ? {TimerWidth{1'b0}} : RescanCycles;
            else if (step[Rest] && !push_fresh)
                timer_q <= timer_q - 1'b1;
            if (take)
                swaps_q <= 3'd0;
            else if (step[Yield] && swap && !push_fresh)
                swaps_q <= swaps_q + 3'd1;
            if (select_confirm || now)
                vic_warp_q <= ready ? now_warp : select_warp;
            if (push) begin
                fresh_q <= push_fresh;
                spare_q <= step[Spare];
            end
        end
    end

    // --- The event, and the flush ------------------------------------------------------------------
    take_event u_event (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_spare_i(cfg_i[`EVG_EVENT_UNIT_CFG_SPARE]),
        .free_regs_i(free_i[`EVG_CORE_FREE_REGS]),
        .take_i(take), .pend_i(pend_i), .search_i((ready || step[Search]) && !push_fresh),
        .claims_next_i(push_fresh || ready || next == Scan || next[BusyBit]),
        .entry_o(take_o[`EVG_TAKE_ENTRY]), .regs_o(now_regs_o), .lighter_o(lighter),
        .lighter_next_o(lighter_next), .fits_o(fits), .any_o(any), .any_asked_o(any_asked),
        .select_regs_o(select_o[`EVG_SELECT_REGS]), .claim_regs_o(claim_regs_o)
    );

    wire flush_quiet;

    victim_flush u_flush (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_opts_i(cfg_i[`EVG_EVENT_UNIT_CFG_OPTS]),
        .cfg_limit_i(cfg_i[`EVG_EVENT_UNIT_CFG_FLUSH_LIMIT]),
        .held_i(vic_valid_d), .start_i(flush_start), .flushing_i(state_q == Flush),
        .step_i(flush_step), .now_i(now), .now_drop_i(now_drop), .resume_i(resume),
        .give_up_i(give_up), .warp_i(vic_warp_q), .clear_i(take || none_left),
        .flushed_o(flushed), .over_o(over), .tried_o(select_o[`EVG_SELECT_TRIED]),
        .quiet_o(flush_quiet), .vic_i(vic_i), .flush_o(flush_o)
    );

    // --- Outputs -----------------------------------------------------------------------------------
    assign take_o[`EVG_TAKE_TAKE]    = take;
    assign take_o[`EVG_TAKE_START]   = step[Start];
    // Not only with the push, which comes late: the table records at every edge until then.
    assign take_o[`EVG_TAKE_BIND]    = state_q != Idle && state_q != Push;
    assign take_o[`EVG_TAKE_WARP]    = push_fresh ? free_i[`EVG_CORE_FREE_SLOT] : vic_warp_q;
    assign take_o[`EVG_TAKE_FRESH]   = push_fresh;
    assign take_o[`EVG_TAKE_SPARE]   = step[Spare];
    assign take_o[`EVG_TAKE_BARRIER] = !push_fresh && vic_barrier && !bar_done_i[vic_warp_q];
    assign take_o[`EVG_TAKE_VICTIM]  = vic_valid_q;
    assign show_o                    = state_q == Choose;

    assign select_o[`EVG_SELECT_START]   = select_start;
    assign select_o[`EVG_SELECT_CONFIRM] = select_confirm;
    assign select_o[`EVG_SELECT_STOP]    = now;

    assign now_req_o    = now_req_q;
    assign vic_valid_o  = vic_valid_q;
    assign vic_warp_o   = vic_warp_q;
    assign cmd_save_o   = save_q;
    assign cmd_push_o   = push_q;
    assign push_fresh_o = fresh_q;
    assign push_spare_o = spare_q;
    assign save_o       = save;
    assign push_o       = push;
    assign busy_o       = state_q[BusyBit];
    assign want_drain_o = drain_q;
    assign take_state_o = state_q;
    assign quiet_o      = state_q == Idle && flush_quiet && !(vic_valid_q || save_q || push_q);

`ifdef FORMAL
`include "properties/warp_take_ctrl.fv.vh"
`endif

endmodule

`default_nettype wire
