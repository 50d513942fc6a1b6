// warp_preempt_ctrl: the warp preemption and flush controller of one SIMT core (EDGE IV-D, Figure
// 10).
//
// Two machines that wait for nothing of each other:
//   warp_take_ctrl  gives the oldest pending event a warp: free context, or ready_select or
//                   victim_select, flush, save, push
//   warp_give_back  takes exited events off their warps: pop, restore, release
// One machine for both would deadlock: a victim that is flushed without barrier skipping may wait
// at a barrier for a victim that waits to be given back.
//
// Contract: those of the four modules. For each event that gets a victim, the commands come in the
// order hold, (flush, drop)*, save unless spare registers, push, pop, restore if saved, release; a
// victim that is let go before its push gets cmd_resume_o, unless it has exited.
`default_nettype none
`include "evgpu_defs.vh"

module warp_preempt_ctrl #(
    parameter Entries    = `EVG_PEWT_ENTRIES,
    parameter IndexWidth = 2 // log2(Entries)
) (
    input  wire                  clk_i,
    input  wire                  rst_i,
    // Configuration
    input  wire [1:0]            cfg_policy_i,
    input  wire [3:0]            cfg_opts_i,
    input  wire                  cfg_preempt_i,
    input  wire                  cfg_spare_i,
    input  wire [3:0]            cfg_warp_groups_i,
    input  wire [15:0]           cfg_flush_limit_i,
    // Pending event warp table: taking a warp
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
    input  wire [63:0]           entry_kernel_i,
    input  wire [63:0]           entry_param_i,
    input  wire [31:0]           entry_mask_i,
    input  wire [17:0]           entry_dims_i,
    input  wire [6:0]            entry_regs_i,
    input  wire [4:0]            entry_row_i,
    input  wire [15:0]           entry_tag_i,
    input  wire [Entries-1:0]    held_i,
    input  wire [6*Entries-1:0]  held_warp_i,
    // Pending event warp table: giving it back
    input  wire                  back_valid_i,
    input  wire [IndexWidth-1:0] back_entry_i,
    input  wire [5:0]            back_warp_i,
    input  wire                  back_fresh_i,
    input  wire                  back_spare_i,
    input  wire [6:0]            back_regs_i,
    output wire                  back_next_o,
    output wire [IndexWidth-1:0] returned_entry_o,
    input  wire                  returned_barrier_i,
    output wire                  back_done_o,
    // SIMT core: free resources
    input  wire                  core_free_warp_i,
    input  wire [5:0]            core_free_slot_i,
    input  wire [9:0]            core_free_regs_i,
    input  wire [15:0]           core_now_i,
    // SIMT core: candidates
    input  wire                  cand_valid_i,
    input  wire [2:0]            cand_group_i,
    input  wire [7:0]            cand_ok_i,
    input  wire [55:0]           cand_regs_i,
    input  wire [127:0]          cand_stamp_i,
    input  wire [71:0]           cand_pipe_i,
    input  wire [15:0]           cand_ibuf_i,
    input  wire [7:0]            cand_loads_i,
    input  wire [7:0]            cand_younger_i,
    input  wire [7:0]            cand_barrier_i,
    input  wire [7:0]            cand_atomic_i,
    output wire                  cand_req_o,
    output wire [2:0]            cand_req_group_o,
    input  wire [63:0]           cand_now_i,
    input  wire [63:0]           cand_drop_i,
    output wire                  now_req_o,
    output wire [6:0]            now_regs_o,
    // SIMT core: the victim
    input  wire                  vic_alive_i,
    input  wire [1:0]            vic_ibuf_i,
    input  wire                  vic_fetch_i,
    input  wire                  vic_pipe_i,
    input  wire                  vic_loads_i,
    input  wire                  vic_younger_i,
    input  wire                  vic_barrier_i,
    input  wire                  vic_atomic_i,
    input  wire [63:0]           bar_done_i,
    output wire                  vic_valid_o,
    output wire [5:0]            vic_warp_o,
    output wire                  cmd_hold_o,
    output wire                  cmd_prio_o,
    output wire                  cmd_skip_o,
    output wire                  cmd_flush_o,
    output wire                  cmd_drop_o,
    output wire                  cmd_resume_o,
    output wire                  timed_out_o,
    // SIMT core: save and push
    input  wire                  push_ok_i,
    input  wire                  push_fail_i,
    input  wire                  save_done_i,
    output wire                  cmd_save_o,
    output wire [IndexWidth-1:0] save_entry_o,
    output wire [6:0]            save_regs_o,
    output wire                  cmd_push_o,
    output wire [5:0]            push_warp_o,
    output wire                  push_fresh_o,
    output wire                  push_spare_o,
    output wire [IndexWidth-1:0] push_entry_o,
    output wire [63:0]           push_kernel_o,
    output wire [63:0]           push_param_o,
    output wire [31:0]           push_mask_o,
    output wire [17:0]           push_dims_o,
    output wire [6:0]            push_regs_o,
    output wire [4:0]            push_row_o,
    output wire [15:0]           push_tag_o,
    // SIMT core: pop, restore and release
    input  wire                  restore_done_i,
    output wire                  cmd_pop_o,
    output wire [5:0]            pop_warp_o,
    output wire [IndexWidth-1:0] pop_entry_o,
    output wire                  cmd_restore_o,
    output wire [5:0]            restore_warp_o,
    output wire [IndexWidth-1:0] restore_entry_o,
    output wire [6:0]            restore_regs_o,
    output wire                  cmd_release_o,
    output wire [5:0]            release_warp_o,
    output wire                  release_barrier_o,
    // Event dispatch and observation
    output wire                  busy_o,
    output wire                  want_drain_o,
    output wire [6:0]            claim_regs_o,
    output wire [2:0]            take_state_o,
    output wire [1:0]            back_state_o,
    output wire                  quiet_o // nothing moves without pend_valid_i or back_valid_i
);

    generate
        if ((1 << IndexWidth) != Entries) begin : g_check
            warp_preempt_ctrl_needs_index_width_log2_of_entries check_parameters ();
        end
    endgenerate

    wire       select_start, select_confirm, select_stop, select_done, select_found, confirmed, confirm_ok;
    wire [5:0] select_look_at, select_warp;
    wire [6:0] select_regs;
    wire [63:0] select_tried;
    wire       take_quiet, select_quiet, back_quiet;

    victim_select #(.Entries(Entries)) u_select (
        .clk_i(clk_i), .rst_i(rst_i),
        .cfg_policy_i(cfg_policy_i), .cfg_opts_i(cfg_opts_i),
        .cfg_warp_groups_i(cfg_warp_groups_i),
        .start_i(select_start), .confirm_i(select_confirm), .stop_i(select_stop),
        .warp_i(select_look_at),
        .regs_i(select_regs), .tried_i(select_tried),
        .done_o(select_done), .found_o(select_found), .warp_o(select_warp),
        .confirmed_o(confirmed), .confirm_ok_o(confirm_ok),
        .held_i(held_i), .held_warp_i(held_warp_i),
        .core_now_i(core_now_i),
        .cand_valid_i(cand_valid_i), .cand_group_i(cand_group_i), .cand_ok_i(cand_ok_i),
        .cand_regs_i(cand_regs_i), .cand_stamp_i(cand_stamp_i), .cand_pipe_i(cand_pipe_i),
        .cand_ibuf_i(cand_ibuf_i), .cand_loads_i(cand_loads_i), .cand_younger_i(cand_younger_i),
        .cand_barrier_i(cand_barrier_i), .cand_atomic_i(cand_atomic_i),
        .cand_req_o(cand_req_o), .cand_req_group_o(cand_req_group_o),
        .quiet_o(select_quiet)
    );

    wire       now_any, now_drop;
    wire [5:0] now_warp;

    ready_select #(.Entries(Entries)) u_ready (
        .now_i(cand_now_i), .drop_i(cand_drop_i), .held_i(held_i), .held_warp_i(held_warp_i),
        .any_o(now_any), .warp_o(now_warp), .drop_o(now_drop)
    );

    wire       show, save, push;

    warp_take_ctrl #(.IndexWidth(IndexWidth)) u_take (
        .clk_i(clk_i), .rst_i(rst_i),
        .cfg_opts_i(cfg_opts_i), .cfg_preempt_i(cfg_preempt_i), .cfg_spare_i(cfg_spare_i),
        .cfg_now_i(cfg_policy_i == `EVG_VICTIM_POLICY_CHEAPEST),
        .cfg_flush_limit_i(cfg_flush_limit_i),
        .pend_valid_i(pend_valid_i), .pend_entry_i(pend_entry_i), .pend_regs_i(pend_regs_i),
        .pend_lighter_i(pend_lighter_i),
        .take_o(take_o), .take_entry_o(take_entry_o), .take_victim_o(take_victim_o),
        .bind_o(bind_o), .bind_warp_o(bind_warp_o), .bind_fresh_o(bind_fresh_o),
        .bind_spare_o(bind_spare_o), .bind_barrier_o(bind_barrier_o), .start_o(start_o),
        .show_o(show), .released_i(cmd_release_o),
        .select_start_o(select_start), .select_confirm_o(select_confirm),
        .select_stop_o(select_stop),
        .now_any_i(now_any && now_req_o), .now_warp_i(now_warp), .now_drop_i(now_drop),
        .now_req_o(now_req_o), .now_regs_o(now_regs_o),
        .select_warp_o(select_look_at), .select_regs_o(select_regs), .select_tried_o(select_tried),
        .select_done_i(select_done), .select_found_i(select_found), .select_warp_i(select_warp),
        .confirmed_i(confirmed), .confirm_ok_i(confirm_ok),
        .core_free_warp_i(core_free_warp_i), .core_free_slot_i(core_free_slot_i),
        .core_free_regs_i(core_free_regs_i),
        .vic_alive_i(vic_alive_i), .vic_ibuf_i(vic_ibuf_i), .vic_fetch_i(vic_fetch_i),
        .vic_pipe_i(vic_pipe_i), .vic_loads_i(vic_loads_i), .vic_younger_i(vic_younger_i),
        .vic_barrier_i(vic_barrier_i), .vic_atomic_i(vic_atomic_i),
        .push_ok_i(push_ok_i), .push_fail_i(push_fail_i), .save_done_i(save_done_i),
        .bar_done_i(bar_done_i),
        .vic_valid_o(vic_valid_o), .vic_warp_o(vic_warp_o), .cmd_hold_o(cmd_hold_o),
        .cmd_prio_o(cmd_prio_o), .cmd_skip_o(cmd_skip_o), .cmd_flush_o(cmd_flush_o),
        .cmd_drop_o(cmd_drop_o), .cmd_resume_o(cmd_resume_o), .timed_out_o(timed_out_o),
        .cmd_save_o(cmd_save_o), .cmd_push_o(cmd_push_o), .save_o(save), .push_o(push),
        .push_fresh_o(push_fresh_o), .push_spare_o(push_spare_o),
        .busy_o(busy_o), .want_drain_o(want_drain_o), .claim_regs_o(claim_regs_o),
        .take_state_o(take_state_o), .quiet_o(take_quiet)
    );

    push_payload #(.IndexWidth(IndexWidth)) u_payload (
        .clk_i(clk_i), .rst_i(rst_i),
        .show_i(show), .save_i(save), .push_i(push), .push_warp_i(bind_warp_o),
        .entry_i(take_entry_o),
        .entry_kernel_i(entry_kernel_i), .entry_param_i(entry_param_i),
        .entry_mask_i(entry_mask_i), .entry_dims_i(entry_dims_i), .entry_regs_i(entry_regs_i),
        .entry_row_i(entry_row_i), .entry_tag_i(entry_tag_i),
        .save_entry_o(save_entry_o), .save_regs_o(save_regs_o),
        .push_warp_o(push_warp_o), .push_entry_o(push_entry_o), .push_kernel_o(push_kernel_o),
        .push_param_o(push_param_o), .push_mask_o(push_mask_o), .push_dims_o(push_dims_o),
        .push_regs_o(push_regs_o), .push_row_o(push_row_o), .push_tag_o(push_tag_o)
    );

    warp_give_back #(.IndexWidth(IndexWidth)) u_back (
        .clk_i(clk_i), .rst_i(rst_i),
        .back_valid_i(back_valid_i), .back_entry_i(back_entry_i), .back_warp_i(back_warp_i),
        .back_fresh_i(back_fresh_i), .back_spare_i(back_spare_i), .back_regs_i(back_regs_i),
        .back_next_o(back_next_o), .returned_entry_o(returned_entry_o),
        .returned_barrier_i(returned_barrier_i), .back_done_o(back_done_o),
        .restore_done_i(restore_done_i),
        .cmd_pop_o(cmd_pop_o), .pop_warp_o(pop_warp_o), .pop_entry_o(pop_entry_o),
        .cmd_restore_o(cmd_restore_o), .restore_warp_o(restore_warp_o),
        .restore_entry_o(restore_entry_o), .restore_regs_o(restore_regs_o),
        .cmd_release_o(cmd_release_o), .release_warp_o(release_warp_o),
        .release_barrier_o(release_barrier_o),
        .back_state_o(back_state_o), .quiet_o(back_quiet)
    );

    assign quiet_o = take_quiet && select_quiet && back_quiet;

endmodule

`default_nettype wire
