// SPDX-License-Identifier: Apache-2.0
// sm_event_unit: the event unit of one SIMT core, a tile (docs/design/architecture.md): the pending event
// warp table and the warp preemption and flush controller (EDGE IV, Figures 9 and 10).
//
// Contract
// - Those of pending_event_warp_table and warp_preempt_ctrl. All outputs are registers, and all
//   have defined values from reset on: pulses and levels are 0, data outputs keep the last value
//   that was valid.
// - Inputs at an edge already show what the core did with the outputs of the edge before.
// - victims_o counts the entries that have a victim, from one edge after its choice to one edge after
//   its release.
// - want_drain_o: the event whose turn it is waits for the core's blocks. However many other events come,
//   before it runs there are at most those of pending_order: (PASS_LIMIT + 1) * k + PASS_LIMIT turns of
//   others with k older ones, and in each turn its ration of lighter ones.
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
    input  wire [15:0]  cfg_flush_limit_i,
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
    input  wire         exit_aborted_i,
    // Front end: completion
    input  wire         done_ready_i,
    // Event dispatch
    output wire         ev_ready_o,
    output wire [2:0]   occupancy_o,
    output wire [3:0]   levels_o,
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
    output wire         timed_out_o,
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
    output wire         done_aborted_o,
    // Observation
    output wire [2:0]   take_state_o,
    output wire [1:0]   back_state_o,
    output wire         idle_o
);

    localparam Lanes      = `EVG_SCAN_LANES;
    localparam Entries    = `EVG_PEWT_ENTRIES;
    localparam IndexWidth = `EVG_PEWT_INDEX_BITS;

    generate
        if (Entries != 4 || IndexWidth != 2) begin : g_check
            sm_event_unit_ports_are_wired_for_4_table_entries check_parameters ();
        end
    endgenerate

    // --- Ports as records --------------------------------------------------------------------------
    wire [`EVG_EVENT_UNIT_CFG_WIDTH-1:0] cfg;
    assign cfg[`EVG_EVENT_UNIT_CFG_POLICY]      = cfg_policy_i;
    assign cfg[`EVG_EVENT_UNIT_CFG_OPTS]        = cfg_opts_i;
    assign cfg[`EVG_EVENT_UNIT_CFG_PREEMPT]     = cfg_preempt_i;
    assign cfg[`EVG_EVENT_UNIT_CFG_SPARE]       = cfg_spare_i;
    assign cfg[`EVG_EVENT_UNIT_CFG_WARP_GROUPS] = cfg_warp_groups_i;
    assign cfg[`EVG_EVENT_UNIT_CFG_FLUSH_LIMIT] = cfg_flush_limit_i;

    wire [`EVG_EVENT_WIDTH-1:0] ev_event;
    assign ev_event[`EVG_EVENT_KERNEL] = ev_kernel_i;
    assign ev_event[`EVG_EVENT_PARAM]  = ev_param_i;
    assign ev_event[`EVG_EVENT_MASK]   = ev_mask_i;
    assign ev_event[`EVG_EVENT_DIMS]   = ev_dims_i;
    assign ev_event[`EVG_EVENT_REGS]   = ev_regs_i;
    assign ev_event[`EVG_EVENT_ROW]    = ev_row_i;
    assign ev_event[`EVG_EVENT_TAG]    = ev_tag_i;

    wire [`EVG_CORE_FREE_WIDTH-1:0] free;
    assign free[`EVG_CORE_FREE_WARP] = core_free_warp_i;
    assign free[`EVG_CORE_FREE_SLOT] = core_free_slot_i;
    assign free[`EVG_CORE_FREE_REGS] = core_free_regs_i;

    wire [Lanes*`EVG_CANDIDATE_WIDTH-1:0] cands;
    genvar l;
    generate
        for (l = 0; l < Lanes; l = l + 1) begin : g_lane
            wire [`EVG_CANDIDATE_WIDTH-1:0] cand;
            assign cand[`EVG_CANDIDATE_OK]      = cand_ok_i[l];
            assign cand[`EVG_CANDIDATE_REGS]    = cand_regs_i[`EVG_CANDIDATE_REGS_WIDTH*l+:`EVG_CANDIDATE_REGS_WIDTH];
            assign cand[`EVG_CANDIDATE_STAMP]   = cand_stamp_i[`EVG_CANDIDATE_STAMP_WIDTH*l+:`EVG_CANDIDATE_STAMP_WIDTH];
            assign cand[`EVG_CANDIDATE_PIPE]    = cand_pipe_i[`EVG_CANDIDATE_PIPE_WIDTH*l+:`EVG_CANDIDATE_PIPE_WIDTH];
            assign cand[`EVG_CANDIDATE_IBUF]    = cand_ibuf_i[`EVG_CANDIDATE_IBUF_WIDTH*l+:`EVG_CANDIDATE_IBUF_WIDTH];
            assign cand[`EVG_CANDIDATE_LOADS]   = cand_loads_i[l];
            assign cand[`EVG_CANDIDATE_YOUNGER] = cand_younger_i[l];
            assign cand[`EVG_CANDIDATE_BARRIER] = cand_barrier_i[l];
            assign cand[`EVG_CANDIDATE_ATOMIC]  = cand_atomic_i[l];
            assign cands[`EVG_CANDIDATE_WIDTH*l+:`EVG_CANDIDATE_WIDTH] = cand;
        end
    endgenerate

    wire [`EVG_READY_WIDTH-1:0] ready;
    assign ready[`EVG_READY_NOW]  = cand_now_i;
    assign ready[`EVG_READY_DROP] = cand_drop_i;

    wire [`EVG_VICTIM_WIDTH-1:0] victim;
    assign victim[`EVG_VICTIM_ALIVE]   = vic_alive_i;
    assign victim[`EVG_VICTIM_IBUF]    = vic_ibuf_i;
    assign victim[`EVG_VICTIM_FETCH]   = vic_fetch_i;
    assign victim[`EVG_VICTIM_PIPE]    = vic_pipe_i;
    assign victim[`EVG_VICTIM_LOADS]   = vic_loads_i;
    assign victim[`EVG_VICTIM_YOUNGER] = vic_younger_i;
    assign victim[`EVG_VICTIM_BARRIER] = vic_barrier_i;
    assign victim[`EVG_VICTIM_ATOMIC]  = vic_atomic_i;

    wire [`EVG_FLUSH_WIDTH-1:0] flush;
    assign cmd_hold_o   = vic_valid_o;
    assign cmd_prio_o   = flush[`EVG_FLUSH_PRIO];
    assign cmd_skip_o   = flush[`EVG_FLUSH_SKIP];
    assign cmd_flush_o  = flush[`EVG_FLUSH_FLUSH];
    assign cmd_drop_o   = flush[`EVG_FLUSH_DROP];
    assign cmd_resume_o = flush[`EVG_FLUSH_RESUME];
    assign timed_out_o  = flush[`EVG_FLUSH_TIMED_OUT];

    wire [`EVG_ANSWERS_WIDTH-1:0] answers;
    assign answers[`EVG_ANSWERS_PUSH_OK]   = push_ok_i;
    assign answers[`EVG_ANSWERS_PUSH_FAIL] = push_fail_i;
    assign answers[`EVG_ANSWERS_SAVE_DONE] = save_done_i;

    wire [`EVG_SAVE_WIDTH-1:0] save;
    assign save_entry_o = save[`EVG_SAVE_ENTRY];
    assign save_regs_o  = save[`EVG_SAVE_REGS];

    wire [`EVG_PUSH_WIDTH-1:0]  push;
    wire [`EVG_EVENT_WIDTH-1:0] push_event = push[`EVG_PUSH_EVENT];
    assign push_warp_o   = push[`EVG_PUSH_WARP];
    assign push_fresh_o  = push[`EVG_PUSH_FRESH];
    assign push_spare_o  = push[`EVG_PUSH_SPARE];
    assign push_entry_o  = push[`EVG_PUSH_ENTRY];
    assign push_kernel_o = push_event[`EVG_EVENT_KERNEL];
    assign push_param_o  = push_event[`EVG_EVENT_PARAM];
    assign push_mask_o   = push_event[`EVG_EVENT_MASK];
    assign push_dims_o   = push_event[`EVG_EVENT_DIMS];
    assign push_regs_o   = push_event[`EVG_EVENT_REGS];
    assign push_row_o    = push_event[`EVG_EVENT_ROW];
    assign push_tag_o    = push_event[`EVG_EVENT_TAG];

    wire [`EVG_POP_WIDTH-1:0]     pop;
    wire [`EVG_RESTORE_WIDTH-1:0] restore;
    wire [`EVG_RELEASE_WIDTH-1:0] rel;
    assign pop_warp_o        = pop[`EVG_POP_WARP];
    assign pop_entry_o       = pop[`EVG_POP_ENTRY];
    assign restore_warp_o    = restore[`EVG_RESTORE_WARP];
    assign restore_entry_o   = restore[`EVG_RESTORE_ENTRY];
    assign restore_regs_o    = restore[`EVG_RESTORE_REGS];
    assign release_warp_o    = rel[`EVG_RELEASE_WARP];
    assign release_barrier_o = rel[`EVG_RELEASE_BARRIER];

    wire [`EVG_DONE_WIDTH-1:0] done;
    assign done_row_o     = done[`EVG_DONE_ROW];
    assign done_param_o   = done[`EVG_DONE_PARAM];
    assign done_tag_o     = done[`EVG_DONE_TAG];
    assign done_aborted_o = done[`EVG_DONE_ABORTED];

    // --- Table and controller ----------------------------------------------------------------------
    wire                           pend_valid;
    wire [`EVG_PENDING_WIDTH-1:0]  pend;
    wire [`EVG_TAKE_WIDTH-1:0]     take;
    wire [`EVG_EVENT_WIDTH-1:0]    entry_event;
    wire [`EVG_HOLDERS_WIDTH-1:0]  holders;
    wire [63:0]                    taken;
    wire                           back_valid, returned_barrier;
    wire [`EVG_BACK_WIDTH-1:0]     back;
    wire [`EVG_RETURNED_WIDTH-1:0] returned;
    wire                           table_quiet, ctrl_quiet;

    pending_event_warp_table u_table (
        .clk_i(clk_i), .rst_i(rst_i), .ev_valid_i(ev_valid_i), .ev_event_i(ev_event),
        .ev_priority_i(ev_priority_i), .ev_ready_o(ev_ready_o), .occupancy_o(occupancy_o),
        .levels_o(levels_o), .victims_o(victims_o), .pend_valid_o(pend_valid), .pend_o(pend),
        .take_i(take), .event_o(entry_event), .holders_o(holders), .taken_o(taken), .bar_done_i(bar_done_i),
        .exit_valid_i(exit_valid_i), .exit_warp_i(exit_warp_i), .exit_aborted_i(exit_aborted_i),
        .back_valid_o(back_valid), .back_o(back), .returned_i(returned),
        .returned_barrier_o(returned_barrier), .done_valid_o(done_valid_o), .done_o(done),
        .done_ready_i(done_ready_i), .quiet_o(table_quiet)
    );

    warp_preempt_ctrl u_ctrl (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg), .pend_valid_i(pend_valid), .pend_i(pend),
        .take_o(take), .event_i(entry_event), .holders_i(holders), .taken_i(taken), .back_valid_i(back_valid),
        .back_i(back), .returned_o(returned), .returned_barrier_i(returned_barrier), .free_i(free),
        .core_now_i(core_now_i), .cand_valid_i(cand_valid_i), .cand_group_i(cand_group_i),
        .cand_i(cands), .cand_req_o(cand_req_o), .cand_req_group_o(cand_req_group_o),
        .ready_i(ready), .now_req_o(now_req_o), .now_regs_o(now_regs_o), .vic_i(victim),
        .bar_done_i(bar_done_i), .vic_valid_o(vic_valid_o), .vic_warp_o(vic_warp_o),
        .flush_o(flush), .answers_i(answers), .cmd_save_o(cmd_save_o), .save_o(save),
        .cmd_push_o(cmd_push_o), .push_o(push), .restore_done_i(restore_done_i),
        .cmd_pop_o(cmd_pop_o), .pop_o(pop), .cmd_restore_o(cmd_restore_o), .restore_o(restore),
        .cmd_release_o(cmd_release_o), .release_o(rel), .busy_o(busy_o),
        .want_drain_o(want_drain_o), .claim_regs_o(claim_regs_o), .take_state_o(take_state_o),
        .back_state_o(back_state_o), .quiet_o(ctrl_quiet)
    );

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= rst_i || (table_quiet && ctrl_quiet && !ev_valid_i && !exit_valid_i);

    assign idle_o = idle_q;

`ifdef FORMAL
`include "properties/sm_event_unit.fv.vh"
`endif

endmodule

`default_nettype wire
