// SPDX-License-Identifier: Apache-2.0
// free_unit: an event unit and the core that it borrows warps from, of a board that runs by itself.
//
// Contract
// - Towards the front end: the ports of sm_event_unit, and the answer of a scan of the cores.
// - push_o: a pulse, the core has accepted the push of the event push_tag_o of entry push_entry_o: on a free context
//   (push_fresh_o), or on a victim with spare registers (push_spare_o) or its own. hold_o: a victim is on
//   hold.
// - wrong_o: as of free_core.
`default_nettype none

module free_unit #(
    parameter [31:0] Number = 0 // of the core
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        start_i,
    input  wire [31:0] seed_i,
    input  wire        active_i,
    input  wire [1:0]  policy_i,
    input  wire [3:0]  opts_i,
    input  wire        spare_i,
    // Front end: events
    input  wire        ev_valid_i,
    input  wire [63:0] ev_kernel_i,
    input  wire [63:0] ev_param_i,
    input  wire [31:0] ev_mask_i,
    input  wire [17:0] ev_dims_i,
    input  wire [6:0]  ev_regs_i,
    input  wire [4:0]  ev_row_i,
    input  wire [15:0] ev_tag_i,
    input  wire [1:0]  ev_priority_i,
    output wire        ev_ready_o,
    output wire [2:0]  occupancy_o,
    output wire [3:0]  levels_o,
    output wire [2:0]  victims_o,
    output wire        busy_o,
    // Front end: scan of the cores
    input  wire [6:0]  stat_regs_i,
    output wire        stat_free_o,
    output wire        stat_fits_o,
    // Front end: completions
    input  wire        done_ready_i,
    output wire        done_valid_o,
    output wire [4:0]  done_row_o,
    output wire [63:0] done_param_o,
    output wire [15:0] done_tag_o,
    output wire        done_aborted_o,
    // What is measured
    output wire        hold_o,
    output wire        push_o,
    output wire        push_fresh_o,
    output wire        push_spare_o,
    output wire [15:0] push_tag_o,
    output wire [1:0]  push_entry_o,
    output wire        wrong_o
);

    wire         want_drain, cand_req, vic_valid, cmd_flush, cmd_drop, cmd_save, cmd_push;
    wire         cmd_pop, cmd_restore, cmd_release, release_barrier;
    wire [6:0]   claim_regs, now_regs, save_regs, push_regs, restore_regs;
    wire [5:0]   vic_warp, push_warp, pop_warp, release_warp, free_slot, exit_warp;
    wire [1:0]   pop_entry;
    wire         free_warp, cand_valid, push_ok, push_fail, save_done, restore_done, exit_valid;
    wire [9:0]   free_regs;
    wire [15:0]  now, cand_ibuf;
    wire [7:0]   cand_ok, cand_loads, cand_younger, cand_barrier;
    wire [55:0]  cand_regs;
    wire [127:0] cand_stamp;
    wire [71:0]  cand_pipe;
    wire [63:0]  cand_now, cand_drop, bar_done;
    wire         vic_alive, vic_fetch, vic_pipe, vic_loads, vic_younger, vic_barrier;
    wire [1:0]   vic_ibuf;

    sm_event_unit u_unit (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_policy_i(policy_i), .cfg_opts_i(opts_i),
        .cfg_preempt_i(1'b1), .cfg_spare_i(spare_i), .cfg_warp_groups_i(4'd1),
        .cfg_flush_limit_i(16'd0), .ev_valid_i(ev_valid_i), .ev_kernel_i(ev_kernel_i),
        .ev_param_i(ev_param_i), .ev_mask_i(ev_mask_i), .ev_dims_i(ev_dims_i),
        .ev_regs_i(ev_regs_i), .ev_row_i(ev_row_i), .ev_tag_i(ev_tag_i),
        .ev_priority_i(ev_priority_i), .core_free_warp_i(free_warp),
        .core_free_slot_i(free_slot), .core_free_regs_i(free_regs), .core_now_i(now),
        .cand_valid_i(cand_valid), .cand_group_i(3'd0), .cand_ok_i(cand_ok),
        .cand_regs_i(cand_regs), .cand_stamp_i(cand_stamp), .cand_pipe_i(cand_pipe),
        .cand_ibuf_i(cand_ibuf), .cand_loads_i(cand_loads), .cand_younger_i(cand_younger),
        .cand_barrier_i(cand_barrier), .cand_atomic_i(8'd0), .cand_now_i(cand_now),
        .cand_drop_i(cand_drop), .vic_alive_i(vic_alive), .vic_ibuf_i(vic_ibuf),
        .vic_fetch_i(vic_fetch), .vic_pipe_i(vic_pipe), .vic_loads_i(vic_loads),
        .vic_younger_i(vic_younger), .vic_barrier_i(vic_barrier), .vic_atomic_i(1'b0),
        .push_ok_i(push_ok), .push_fail_i(push_fail), .save_done_i(save_done),
        .restore_done_i(restore_done), .bar_done_i(bar_done), .exit_valid_i(exit_valid),
        .exit_warp_i(exit_warp), .exit_aborted_i(1'b0), .done_ready_i(done_ready_i),
        .ev_ready_o(ev_ready_o), .occupancy_o(occupancy_o), .levels_o(levels_o),
        .victims_o(victims_o), .busy_o(busy_o), .want_drain_o(want_drain),
        .claim_regs_o(claim_regs), .cand_req_o(cand_req), .cand_req_group_o(), .now_req_o(),
        .now_regs_o(now_regs), .vic_valid_o(vic_valid), .vic_warp_o(vic_warp), .cmd_hold_o(),
        .cmd_prio_o(), .cmd_skip_o(), .cmd_flush_o(cmd_flush), .cmd_drop_o(cmd_drop),
        .cmd_resume_o(), .timed_out_o(), .cmd_save_o(cmd_save), .save_entry_o(),
        .save_regs_o(save_regs), .cmd_push_o(cmd_push), .push_warp_o(push_warp),
        .push_fresh_o(push_fresh_o), .push_spare_o(push_spare_o), .push_entry_o(push_entry_o),
        .push_kernel_o(), .push_param_o(), .push_mask_o(), .push_dims_o(),
        .push_regs_o(push_regs), .push_row_o(), .push_tag_o(push_tag_o), .cmd_pop_o(cmd_pop),
        .pop_warp_o(pop_warp), .pop_entry_o(pop_entry), .cmd_restore_o(cmd_restore),
        .restore_warp_o(), .restore_entry_o(), .restore_regs_o(restore_regs),
        .cmd_release_o(cmd_release), .release_warp_o(release_warp),
        .release_barrier_o(release_barrier), .done_valid_o(done_valid_o),
        .done_row_o(done_row_o), .done_param_o(done_param_o), .done_tag_o(done_tag_o),
        .done_aborted_o(done_aborted_o), .take_state_o(), .back_state_o(), .idle_o()
    );

    free_core #(.Number(Number)) u_core (
        .clk_i(clk_i), .rst_i(rst_i), .start_i(start_i), .seed_i(seed_i), .active_i(active_i),
        .cfg_opts_i(opts_i), .cfg_spare_i(spare_i), .want_drain_i(want_drain),
        .claim_regs_i(claim_regs), .cand_req_i(cand_req), .now_regs_i(now_regs),
        .vic_valid_i(vic_valid), .vic_warp_i(vic_warp), .cmd_flush_i(cmd_flush),
        .cmd_drop_i(cmd_drop), .cmd_save_i(cmd_save), .save_regs_i(save_regs),
        .cmd_push_i(cmd_push), .push_warp_i(push_warp), .push_fresh_i(push_fresh_o),
        .push_spare_i(push_spare_o), .push_entry_i(push_entry_o), .push_regs_i(push_regs),
        .cmd_pop_i(cmd_pop), .pop_warp_i(pop_warp), .pop_entry_i(pop_entry),
        .cmd_restore_i(cmd_restore), .restore_regs_i(restore_regs),
        .cmd_release_i(cmd_release), .release_warp_i(release_warp),
        .release_barrier_i(release_barrier), .free_warp_o(free_warp),
        .free_slot_o(free_slot), .free_regs_o(free_regs), .now_o(now),
        .cand_valid_o(cand_valid), .cand_ok_o(cand_ok), .cand_regs_o(cand_regs),
        .cand_stamp_o(cand_stamp), .cand_pipe_o(cand_pipe), .cand_ibuf_o(cand_ibuf),
        .cand_loads_o(cand_loads), .cand_younger_o(cand_younger),
        .cand_barrier_o(cand_barrier), .cand_now_o(cand_now), .cand_drop_o(cand_drop),
        .vic_alive_o(vic_alive), .vic_ibuf_o(vic_ibuf), .vic_fetch_o(vic_fetch),
        .vic_pipe_o(vic_pipe), .vic_loads_o(vic_loads), .vic_younger_o(vic_younger),
        .vic_barrier_o(vic_barrier), .push_ok_o(push_ok), .push_fail_o(push_fail),
        .save_done_o(save_done), .restore_done_o(restore_done), .bar_done_o(bar_done),
        .exit_valid_o(exit_valid), .exit_warp_o(exit_warp), .stat_regs_i(stat_regs_i),
        .stat_free_o(stat_free_o), .stat_fits_o(stat_fits_o), .wrong_o(wrong_o)
    );

    assign hold_o = vic_valid;
    assign push_o = push_ok;

endmodule
`default_nettype wire
