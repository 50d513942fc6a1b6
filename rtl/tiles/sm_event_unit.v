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
    wire                  pend_lighter;
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
        .ev_ready_o(ev_ready_o), .occupancy_o(occupancy_o), .levels_o(levels_o),
        .victims_o(victims_o),
        .pend_valid_o(pend_valid), .pend_entry_o(pend_entry), .pend_regs_o(pend_regs),
        .pend_lighter_o(pend_lighter),
        .take_i(take), .take_entry_i(take_entry), .take_victim_i(take_victim), .bind_i(bind_en),
        .bind_warp_i(bind_warp), .bind_fresh_i(bind_fresh), .bind_spare_i(bind_spare),
        .bind_barrier_i(bind_barrier), .start_i(start), .entry_kernel_o(entry_kernel),
        .entry_param_o(entry_param), .entry_mask_o(entry_mask), .entry_dims_o(entry_dims),
        .entry_regs_o(entry_regs), .entry_row_o(entry_row), .entry_tag_o(entry_tag),
        .held_o(held), .held_warp_o(held_warp), .bar_done_i(bar_done_i),
        .exit_valid_i(exit_valid_i), .exit_warp_i(exit_warp_i),
        .exit_aborted_i(exit_aborted_i), .back_valid_o(back_valid),
        .back_entry_o(back_entry), .back_warp_o(back_warp), .back_fresh_o(back_fresh),
        .back_spare_o(back_spare), .back_regs_o(back_regs), .back_next_i(back_next),
        .returned_entry_i(returned_entry), .returned_barrier_o(returned_barrier),
        .back_done_i(back_done), .done_valid_o(done_valid_o), .done_row_o(done_row_o),
        .done_param_o(done_param_o), .done_tag_o(done_tag_o), .done_aborted_o(done_aborted_o), .done_ready_i(done_ready_i),
        .quiet_o(table_quiet)
    );

    warp_preempt_ctrl #(.Entries(Entries), .IndexWidth(IndexWidth)) u_ctrl (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_policy_i(cfg_policy_i), .cfg_opts_i(cfg_opts_i),
        .cfg_preempt_i(cfg_preempt_i), .cfg_spare_i(cfg_spare_i), .cfg_warp_groups_i(cfg_warp_groups_i),
        .cfg_flush_limit_i(cfg_flush_limit_i),
        .pend_valid_i(pend_valid), .pend_entry_i(pend_entry), .pend_regs_i(pend_regs),
        .pend_lighter_i(pend_lighter),
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
        .cmd_resume_o(cmd_resume_o), .timed_out_o(timed_out_o), .push_ok_i(push_ok_i), .push_fail_i(push_fail_i),
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
`include "sm_event_unit.fv.vh"
`endif

endmodule

`default_nettype wire
