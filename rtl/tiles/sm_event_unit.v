// sm_event_unit: the event unit of one SIMT core, a tile (docs/architecture.md): the pending event
// warp table and the warp preemption and flush controller (EDGE IV, Figures 9 and 10).
//
// Contract
// - Those of pending_event_warp_table and warp_preempt_ctrl. All outputs are registers, and all
//   have defined values from reset on: pulses and levels are 0, data outputs keep the last value
//   that was valid.
// - Inputs at an edge already show what the core did with the outputs of the edge before.
// - victims_o counts the entries that have a victim, from one edge after its choice to one edge after
//   its release.
// - idle_o: while it is high, and ev_valid_i, exit_valid_i and bar_done_i are 0, an edge changes no
//   register, whatever the other inputs. Events may be running. It rises one edge after the last
//   activity.
`default_nettype none
`include "evgpu_defs.vh"

module sm_event_unit (
    input  wire         clk_i,
    input  wire         rst_i,
    // Configuration
    input  wire [1:0]   cfg_policy_i,
    input  wire [3:0]   cfg_opts_i,
    input  wire         cfg_preempt_i,
    input  wire         cfg_spare_i,
    input  wire [3:0]   cfg_warp_groups_i,
    // Event dispatch
    input  wire         ev_valid_i,
    input  wire [63:0]  ev_kernel_i,
    input  wire [63:0]  ev_param_i,
    input  wire [31:0]  ev_mask_i,
    input  wire [17:0]  ev_dims_i,
    input  wire [6:0]   ev_regs_i,
    input  wire [4:0]   ev_row_i,
    input  wire [15:0]  ev_tag_i,
    input  wire [1:0]   ev_priority_i,
    // SIMT core: free resources
    input  wire         core_free_warp_i,
    input  wire [5:0]   core_free_slot_i,
    input  wire [9:0]   core_free_regs_i,
    input  wire [15:0]  core_now_i,
    // SIMT core: candidates
    input  wire         cand_valid_i,
    input  wire [2:0]   cand_group_i,
    input  wire [7:0]   cand_ok_i,
    input  wire [55:0]  cand_regs_i,
    input  wire [127:0] cand_stamp_i,
    input  wire [71:0]  cand_pipe_i,
    input  wire [15:0]  cand_ibuf_i,
    input  wire [7:0]   cand_loads_i,
    input  wire [7:0]   cand_younger_i,
    input  wire [7:0]   cand_barrier_i,
    input  wire [7:0]   cand_atomic_i,
    input  wire [63:0]  cand_now_i,
    input  wire [63:0]  cand_drop_i,
    // SIMT core: the victim
    input  wire         vic_alive_i,
    input  wire [1:0]   vic_ibuf_i,
    input  wire         vic_fetch_i,
    input  wire         vic_pipe_i,
    input  wire         vic_loads_i,
    input  wire         vic_younger_i,
    input  wire         vic_barrier_i,
    input  wire         vic_atomic_i,
    // SIMT core: answers
    input  wire         push_ok_i,
    input  wire         push_fail_i,
    input  wire         save_done_i,
    input  wire         restore_done_i,
    // SIMT core: barriers and exits
    input  wire [63:0]  bar_done_i,
    input  wire         exit_valid_i,
    input  wire [5:0]   exit_warp_i,
    // Front end: completion
    input  wire         done_ready_i,
    // Event dispatch
    output wire         ev_ready_o,
    output wire [2:0]   occupancy_o,
    output wire [2:0]   victims_o,
    output wire         busy_o,
    output wire         want_drain_o,
    output wire [6:0]   claim_regs_o,
    // SIMT core: candidates
    output wire         cand_req_o,
    output wire [2:0]   cand_req_group_o,
    output wire         now_req_o,
    output wire [6:0]   now_regs_o,
    // SIMT core: the victim
    output wire         vic_valid_o,
    output wire [5:0]   vic_warp_o,
    output wire         cmd_hold_o,
    output wire         cmd_prio_o,
    output wire         cmd_skip_o,
    output wire         cmd_flush_o,
    output wire         cmd_drop_o,
    output wire         cmd_resume_o,
    // SIMT core: save and push
    output wire         cmd_save_o,
    output wire [1:0]   save_entry_o,
    output wire [6:0]   save_regs_o,
    output wire         cmd_push_o,
    output wire [5:0]   push_warp_o,
    output wire         push_fresh_o,
    output wire         push_spare_o,
    output wire [1:0]   push_entry_o,
    output wire [63:0]  push_kernel_o,
    output wire [63:0]  push_param_o,
    output wire [31:0]  push_mask_o,
    output wire [17:0]  push_dims_o,
    output wire [6:0]   push_regs_o,
    output wire [4:0]   push_row_o,
    output wire [15:0]  push_tag_o,
    // SIMT core: pop, restore and release
    output wire         cmd_pop_o,
    output wire [5:0]   pop_warp_o,
    output wire [1:0]   pop_entry_o,
    output wire         cmd_restore_o,
    output wire [5:0]   restore_warp_o,
    output wire [1:0]   restore_entry_o,
    output wire [6:0]   restore_regs_o,
    output wire         cmd_release_o,
    output wire [5:0]   release_warp_o,
    output wire         release_barrier_o,
    // Front end: completion
    output wire         done_valid_o,
    output wire [4:0]   done_row_o,
    output wire [63:0]  done_param_o,
    output wire [15:0]  done_tag_o,
    // Observation
    output wire [2:0]   take_state_o,
    output wire [1:0]   back_state_o,
    output wire         idle_o
);

    localparam Entries    = `EVG_PEWT_ENTRIES;
    localparam IndexWidth = 2; // as the ports are wired

    generate
        if (Entries != (1 << IndexWidth)) begin : g_check
            sm_event_unit_ports_are_wired_for_4_table_entries check_parameters ();
        end
    endgenerate

    // Table to controller: the entry that is getting a warp
    wire                  pend_valid;
    wire [IndexWidth-1:0] pend_entry;
    wire [6:0]            pend_regs;
    wire                  take, take_victim;
    wire [IndexWidth-1:0] take_entry;
    wire                  bind_en, bind_fresh, bind_spare, bind_barrier;
    wire [5:0]            bind_warp;
    wire                  start;
    wire [63:0]           entry_kernel, entry_param;
    wire [31:0]           entry_mask;
    wire [17:0]           entry_dims;
    wire [6:0]            entry_regs;
    wire [4:0]            entry_row;
    wire [15:0]           entry_tag;
    wire [Entries-1:0]    held;
    wire [6*Entries-1:0]  held_warp;

    // Table to controller: the entry that is giving its warp back
    wire                  back_valid, back_fresh, back_spare, back_next, back_done;
    wire [IndexWidth-1:0] back_entry, returned_entry;
    wire [5:0]            back_warp;
    wire [6:0]            back_regs;
    wire                  returned_barrier;

    wire table_quiet, ctrl_quiet;

    pending_event_warp_table #(.Entries(Entries), .IndexWidth(IndexWidth)) u_table (
        .clk_i(clk_i), .rst_i(rst_i), .ev_valid_i(ev_valid_i), .ev_kernel_i(ev_kernel_i),
        .ev_param_i(ev_param_i), .ev_mask_i(ev_mask_i), .ev_dims_i(ev_dims_i),
        .ev_regs_i(ev_regs_i), .ev_row_i(ev_row_i), .ev_tag_i(ev_tag_i),
        .ev_priority_i(ev_priority_i),
        .ev_ready_o(ev_ready_o), .occupancy_o(occupancy_o), .victims_o(victims_o),
        .pend_valid_o(pend_valid), .pend_entry_o(pend_entry), .pend_regs_o(pend_regs),
        .take_i(take), .take_entry_i(take_entry), .take_victim_i(take_victim), .bind_i(bind_en),
        .bind_warp_i(bind_warp), .bind_fresh_i(bind_fresh), .bind_spare_i(bind_spare),
        .bind_barrier_i(bind_barrier), .start_i(start), .entry_kernel_o(entry_kernel),
        .entry_param_o(entry_param), .entry_mask_o(entry_mask), .entry_dims_o(entry_dims),
        .entry_regs_o(entry_regs), .entry_row_o(entry_row), .entry_tag_o(entry_tag),
        .held_o(held), .held_warp_o(held_warp), .bar_done_i(bar_done_i),
        .exit_valid_i(exit_valid_i), .exit_warp_i(exit_warp_i), .back_valid_o(back_valid),
        .back_entry_o(back_entry), .back_warp_o(back_warp), .back_fresh_o(back_fresh),
        .back_spare_o(back_spare), .back_regs_o(back_regs), .back_next_i(back_next),
        .returned_entry_i(returned_entry), .returned_barrier_o(returned_barrier),
        .back_done_i(back_done), .done_valid_o(done_valid_o), .done_row_o(done_row_o),
        .done_param_o(done_param_o), .done_tag_o(done_tag_o), .done_ready_i(done_ready_i),
        .quiet_o(table_quiet)
    );

    warp_preempt_ctrl #(.Entries(Entries), .IndexWidth(IndexWidth)) u_ctrl (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_policy_i(cfg_policy_i), .cfg_opts_i(cfg_opts_i),
        .cfg_preempt_i(cfg_preempt_i), .cfg_spare_i(cfg_spare_i), .cfg_warp_groups_i(cfg_warp_groups_i),
        .pend_valid_i(pend_valid), .pend_entry_i(pend_entry), .pend_regs_i(pend_regs),
        .take_o(take), .take_entry_o(take_entry), .take_victim_o(take_victim), .bind_o(bind_en),
        .bind_warp_o(bind_warp), .bind_fresh_o(bind_fresh), .bind_spare_o(bind_spare),
        .bind_barrier_o(bind_barrier), .start_o(start), .entry_kernel_i(entry_kernel),
        .entry_param_i(entry_param), .entry_mask_i(entry_mask), .entry_dims_i(entry_dims),
        .entry_regs_i(entry_regs), .entry_row_i(entry_row), .entry_tag_i(entry_tag),
        .held_i(held), .held_warp_i(held_warp), .back_valid_i(back_valid),
        .back_entry_i(back_entry), .back_warp_i(back_warp), .back_fresh_i(back_fresh),
        .back_spare_i(back_spare), .back_regs_i(back_regs), .back_next_o(back_next),
        .returned_entry_o(returned_entry), .returned_barrier_i(returned_barrier),
        .back_done_o(back_done), .core_free_warp_i(core_free_warp_i),
        .core_free_slot_i(core_free_slot_i), .core_free_regs_i(core_free_regs_i),
        .core_now_i(core_now_i), .cand_valid_i(cand_valid_i), .cand_group_i(cand_group_i),
        .cand_ok_i(cand_ok_i), .cand_regs_i(cand_regs_i), .cand_stamp_i(cand_stamp_i),
        .cand_pipe_i(cand_pipe_i), .cand_ibuf_i(cand_ibuf_i), .cand_loads_i(cand_loads_i),
        .cand_younger_i(cand_younger_i), .cand_barrier_i(cand_barrier_i),
        .cand_atomic_i(cand_atomic_i), .cand_req_o(cand_req_o),
        .cand_req_group_o(cand_req_group_o), .cand_now_i(cand_now_i), .cand_drop_i(cand_drop_i),
        .now_req_o(now_req_o), .now_regs_o(now_regs_o), .vic_alive_i(vic_alive_i), .vic_ibuf_i(vic_ibuf_i),
        .vic_fetch_i(vic_fetch_i), .vic_pipe_i(vic_pipe_i), .vic_loads_i(vic_loads_i),
        .vic_younger_i(vic_younger_i), .vic_barrier_i(vic_barrier_i),
        .vic_atomic_i(vic_atomic_i), .bar_done_i(bar_done_i), .vic_valid_o(vic_valid_o),
        .vic_warp_o(vic_warp_o), .cmd_hold_o(cmd_hold_o), .cmd_prio_o(cmd_prio_o),
        .cmd_skip_o(cmd_skip_o), .cmd_flush_o(cmd_flush_o), .cmd_drop_o(cmd_drop_o),
        .cmd_resume_o(cmd_resume_o), .push_ok_i(push_ok_i), .push_fail_i(push_fail_i),
        .save_done_i(save_done_i), .cmd_save_o(cmd_save_o), .save_entry_o(save_entry_o),
        .save_regs_o(save_regs_o), .cmd_push_o(cmd_push_o), .push_warp_o(push_warp_o),
        .push_fresh_o(push_fresh_o), .push_spare_o(push_spare_o), .push_entry_o(push_entry_o),
        .push_kernel_o(push_kernel_o), .push_param_o(push_param_o), .push_mask_o(push_mask_o),
        .push_dims_o(push_dims_o), .push_regs_o(push_regs_o), .push_row_o(push_row_o),
        .push_tag_o(push_tag_o), .restore_done_i(restore_done_i), .cmd_pop_o(cmd_pop_o),
        .pop_warp_o(pop_warp_o), .pop_entry_o(pop_entry_o), .cmd_restore_o(cmd_restore_o),
        .restore_warp_o(restore_warp_o), .restore_entry_o(restore_entry_o),
        .restore_regs_o(restore_regs_o), .cmd_release_o(cmd_release_o),
        .release_warp_o(release_warp_o), .release_barrier_o(release_barrier_o), .busy_o(busy_o),
        .want_drain_o(want_drain_o), .claim_regs_o(claim_regs_o), .take_state_o(take_state_o), .back_state_o(back_state_o),
        .quiet_o(ctrl_quiet)
    );

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= rst_i || (table_quiet && ctrl_quiet && !ev_valid_i && !exit_valid_i);

    assign idle_o = idle_q;

`ifdef FORMAL
    // One entry of the table is followed: the commands for its events keep the order of EDGE IV-D,
    // flush, save, push, run, pop, restore, release, each once.
`ifdef YOSYS
    (* anyconst *) wire [IndexWidth-1:0] f_entry;
`else
    wire [IndexWidth-1:0] f_entry = {IndexWidth{1'b0}};
`endif
    localparam [3:0] None = 0, Saving = 1, Saved = 2, Pushing = 3, Running = 4, Exited = 5,
                     Popped = 6, Restoring = 7, Restored = 8;

    reg       f_live = 1'b0; // there has been a reset
    reg       f_flushed;     // since it is held, the victim was seen flushed
    reg [3:0] f_step;
    reg [5:0] f_warp;
    reg       f_fresh, f_spare;

    wire f_save    = cmd_save_o && save_entry_o == f_entry;
    wire f_push    = cmd_push_o && push_entry_o == f_entry;
    wire f_pop     = cmd_pop_o && pop_entry_o == f_entry;
    wire f_restore = cmd_restore_o && restore_entry_o == f_entry;
    wire f_release = cmd_release_o && pop_entry_o == f_entry; // it was popped last
    wire f_pushed  = (f_push || f_step == Pushing) && (push_ok_i || push_fail_i);
    wire f_exit    = exit_valid_i && exit_warp_i == (f_push ? push_warp_o : f_warp);

    always @(posedge clk_i)
        if (rst_i) begin
            f_live    <= 1'b1;
            f_flushed <= 1'b0;
            f_step    <= None;
        end else begin
            f_flushed <= vic_valid_o &&
                         (f_flushed || (take_state_o == `EVG_TAKE_STATE_FLUSH && vic_alive_i &&
                                        vic_ibuf_i == 2'd0 && !vic_fetch_i && !vic_pipe_i &&
                                        !vic_loads_i && !vic_atomic_i));
            if (f_push) begin
                f_warp  <= push_warp_o;
                f_fresh <= push_fresh_o;
                f_spare <= push_spare_o;
            end
            if (f_pushed)
                f_step <= !push_ok_i ? None : f_exit ? Exited : Running;
            else if (f_push)
                f_step <= Pushing;
            else if (f_save)
                f_step <= save_done_i ? Saved : Saving;
            else if (f_restore)
                f_step <= restore_done_i ? Restored : Restoring;
            else if (f_pop)
                f_step <= f_fresh ? None : Popped;
            else if (f_release)
                f_step <= None;
            else if (f_step == Saving && save_done_i)
                f_step <= Saved;
            else if (f_step == Restoring && restore_done_i)
                f_step <= Restored;
            else if (f_step == Running && f_exit)
                f_step <= Exited;
        end

    always @*
        if (f_live) begin
            if (f_save) begin
                assert (f_step == None && f_flushed && vic_valid_o);
            end
            if (f_push && !push_fresh_o) begin
                assert (f_flushed && vic_valid_o && push_warp_o == vic_warp_o &&
                        f_step == (push_spare_o ? None : Saved));
            end
            if (f_push && push_fresh_o) begin
                assert (f_step == None);
            end
            if (f_pop) begin
                assert (f_step == Exited && pop_warp_o == f_warp);
            end
            if (f_restore) begin
                assert (f_step == Popped && !f_spare && restore_warp_o == f_warp);
            end
            if (f_release) begin
                assert (f_step == (f_spare ? Popped : Restored) && !f_fresh && release_warp_o == f_warp);
            end
        end

    // The invariant of the induction: what the step means in the registers of the parts.
`ifdef YOSYS
    (* hierconn *) wire [`EVG_PEWT_STATE_WIDTH*Entries-1:0] \u_table.f_state ;
    (* hierconn *) wire [Entries-1:0] \u_table.f_back_owed , \u_table.fresh , \u_table.spare ;
    (* hierconn *) wire \u_table.f_taking , \u_table.f_taking_bound , \u_table.f_returning ;
    (* hierconn *) wire [IndexWidth-1:0] \u_table.f_take_entry , \u_table.f_returning_entry ;
    (* hierconn *) wire \u_table.f_since_reset , \u_ctrl.u_select.f_since_reset ;
    (* hierconn *) wire \u_ctrl.u_take.f_since_reset , \u_ctrl.u_back.f_since_reset ;
    (* hierconn *) wire \u_ctrl.u_take.f_flushed ;
    (* hierconn *) wire \u_ctrl.u_select.s0_valid_q ;
    (* hierconn *) wire [2:0] \u_ctrl.u_select.s0_group_q ;
    (* hierconn *) wire [`EVG_SELECT_STATE_WIDTH-1:0] \u_ctrl.u_select.state_q ;
`endif
    wire f_taken   = take_state_o != `EVG_TAKE_STATE_IDLE && take_entry == f_entry;
    wire f_back    = back_state_o != `EVG_BACK_STATE_IDLE && pop_entry_o == f_entry;
    wire f_owed    = u_table.f_back_owed[f_entry];
    wire f_running = u_table.f_state[`EVG_PEWT_STATE_WIDTH*f_entry+:`EVG_PEWT_STATE_WIDTH] ==
                     `EVG_PEWT_STATE_RUNNING;
    wire f_victim  = vic_valid_o && (take_state_o == `EVG_TAKE_STATE_FLUSH ||
                                     take_state_o == `EVG_TAKE_STATE_SAVE ||
                                     take_state_o == `EVG_TAKE_STATE_PUSH);
    integer f_e;

    always @* begin
        assert (f_live == u_table.f_since_reset && f_live == u_ctrl.u_select.f_since_reset &&
                f_live == u_ctrl.u_take.f_since_reset && f_live == u_ctrl.u_back.f_since_reset);
        if (f_live) begin
            assert (u_table.f_taking == (take_state_o != `EVG_TAKE_STATE_IDLE));
            assert (!u_table.f_taking || u_table.f_take_entry == take_entry);
            assert (take_state_o != `EVG_TAKE_STATE_PUSH || u_table.f_taking_bound);
            assert (u_table.f_returning == (back_state_o != `EVG_BACK_STATE_IDLE));
            assert (!u_table.f_returning || u_table.f_returning_entry == pop_entry_o);
            assert (!u_ctrl.u_take.f_flushed || (vic_valid_o && f_flushed));
            case (take_state_o)
                `EVG_TAKE_STATE_SCAN:
                    assert (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_REQUEST ||
                            u_ctrl.u_select.state_q == `EVG_SELECT_STATE_DRAIN);
                `EVG_TAKE_STATE_CONFIRM:
                    assert (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_CONFIRM);
                `EVG_TAKE_STATE_CHOOSE:
                    assert (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_IDLE ||
                            (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_CONFIRM &&
                             u_ctrl.u_select.s0_valid_q));
                default:
                    assert (u_ctrl.u_select.state_q == `EVG_SELECT_STATE_IDLE);
            endcase
            assert (take_state_o != `EVG_TAKE_STATE_CONFIRM || cand_req_group_o == vic_warp_o[5:3]);
            assert (!u_ctrl.u_select.s0_valid_q ||
                    u_ctrl.u_select.state_q != `EVG_SELECT_STATE_CONFIRM ||
                    take_state_o == `EVG_TAKE_STATE_CHOOSE ||
                    u_ctrl.u_select.s0_group_q == vic_warp_o[5:3]);
            for (f_e = 0; f_e < Entries; f_e = f_e + 1)
                assert (!f_victim || !held[f_e] || held_warp[6*f_e+:6] != vic_warp_o);
            // What is pushed is what the table holds for the entry that is taken.
            if (take_state_o != `EVG_TAKE_STATE_IDLE && take_state_o != `EVG_TAKE_STATE_CHOOSE)
                assert ({push_kernel_o, push_param_o, push_mask_o, push_dims_o, push_regs_o, push_row_o, push_tag_o} ==
                        {entry_kernel, entry_param, entry_mask, entry_dims, entry_regs, entry_row, entry_tag});
            if (idle_o && !ev_valid_i && !exit_valid_i)
                assert (table_quiet && ctrl_quiet);
            // Taking
            assert ((f_taken && take_state_o == `EVG_TAKE_STATE_SAVE) == (f_step == Saving || f_save));
            assert ((f_taken && take_state_o == `EVG_TAKE_STATE_PUSH) == (f_step == Pushing || f_push));
            assert (f_step != Saved || f_push);
            assert (!f_push || (push_fresh_o == u_table.fresh[f_entry] &&
                                push_spare_o == u_table.spare[f_entry] &&
                                push_warp_o == held_warp[6*f_entry+:6]));
            // Running, giving back
            assert (f_running == (f_step == Running));
            assert ((f_step == Exited) == (f_pop || (f_owed && !f_back)));
            assert ((f_back && back_state_o == `EVG_BACK_STATE_RESTORING) ==
                    (f_step == Restoring || f_restore));
            assert (!(f_back && back_state_o == `EVG_BACK_STATE_RESTORE) || (f_pop && !f_spare));
            assert (!(f_back && back_state_o == `EVG_BACK_STATE_RESTORING) || !f_spare);
            assert (!(f_back && back_state_o == `EVG_BACK_STATE_RELEASE) ||
                    (f_spare ? f_pop : f_step == Restored));
            assert (f_step != Popped || (f_spare ? f_release : f_restore));
            assert (f_step != Restored || (!f_spare && f_release) ||
                    (f_back && !f_spare && back_state_o == `EVG_BACK_STATE_RELEASE));
            assert (f_step <= Restored);
            assert (!f_pop || (f_fresh ? !f_owed : f_back));
            assert (!f_back || !f_fresh);
            assert (f_step < Pushing || (f_warp == held_warp[6*f_entry+:6] &&
                                         f_fresh == u_table.fresh[f_entry] &&
                                         f_spare == u_table.spare[f_entry]));
            assert (!(f_back || f_pop || f_release) || pop_warp_o == f_warp);
            assert (!f_back || f_step >= Exited);
            assert (!(cmd_restore_o && back_state_o != `EVG_BACK_STATE_RESTORING));
            assert (!cmd_restore_o || restore_entry_o == pop_entry_o);
            assert (!cmd_save_o || (take_state_o == `EVG_TAKE_STATE_SAVE && save_entry_o == take_entry));
            assert (!cmd_push_o || (take_state_o == `EVG_TAKE_STATE_PUSH && push_entry_o == take_entry));
        end
    end

    // The core runs one event per warp: a free context is not a warp that runs one.
`ifdef FORMAL_TOP_sm_event_unit
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    integer f_other;
    always @*
        for (f_other = 0; f_other < Entries; f_other = f_other + 1)
            if (f_live && held[f_other])
                `EVG_REQUIRE (!core_free_warp_i || held_warp[6*f_other+:6] != core_free_slot_i);
`undef EVG_REQUIRE

`ifdef FORMAL_TOP_sm_event_unit
    always @* begin
        cover (f_live && f_release && !f_spare && release_barrier_o);
        cover (f_live && f_release && f_spare);
        cover (f_live && f_pop && f_fresh);
    end
`endif
`endif

endmodule

`default_nettype wire
