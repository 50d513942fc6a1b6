// SPDX-License-Identifier: Apache-2.0
// event_system: the whole way of an event around simt_core: gpu_frontend, sm_event_unit, a core, a memory and a
// driver, the example of docs/guide/integrate.md.
//
// Contract
// - From a reset on it does what event_driver says; end_o and sum_o then hold. policy_i, events_i, seed_i
//   and gap_i stand still.
// - ring_o (of row ring_row_o), push_o, save_o, exit_o: pulses of a doorbell, the start of an event
//   (push_fresh_o: on a free context; push_spare_o: on a victim, with registers of its own), a save of a
//   victim's registers, the end of an event.
// - The front end is reduced to two rows, addresses of 32 bits and grids below 65,536.
`default_nettype none
`include "evgpu_defs.vh"

module event_system (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire [1:0]  policy_i, // victim_policy
    input  wire [15:0] events_i,
    input  wire [15:0] seed_i,
    input  wire [7:0]  gap_i,
    output wire        ring_o,
    output wire        ring_row_o,
    output wire        push_o,
    output wire        push_fresh_o,
    output wire        push_spare_o,
    output wire        save_o,
    output wire        exit_o,
    output wire        flag_o,
    output wire [15:0] blocks_o,
    output wire [2:0]  state_o, // driver_state
    output wire        sum_valid_o,
    output wire [31:0] sum_data_o,
    output wire [31:0] sum_o,
    output wire        end_o
);

    localparam [15:0] Device = 16'h0123; // the requester of the doorbells

    wire blk_done, blk_ready, blk_valid, busy, cand_req, cmd_pop, cmd_push, cmd_ready, cmd_release,
        cmd_restore, cmd_save, cmd_valid, done_aborted, done_ready, done_valid, drv_ready, drv_valid,
        drv_write, ev_ready, ev_valid, exit_valid, free_warp, front_idle, mem_ready, mem_valid, mem_write,
        mr_ready, mr_rsp_error, mr_rsp_valid, mr_valid, push_fail, push_fresh, push_ok, pw_ready, pw_valid,
        restore_done, rsp_valid, save_done, stat_req, unit_idle, vic_alive, vic_pipe, vic_valid, want_drain,
        wr_valid;
    wire [1:0] ev_priority, pop_entry, push_entry, restore_entry, save_entry;
    wire [2:0] cand_group, occupancy, rsp_code, stat_group, victims;
    wire [3:0] levels;
    wire [4:0] done_row, ev_row, mr_rsp_tag, mr_tag;
    wire [5:0] exit_warp, free_slot, pop_warp, push_warp, release_warp, restore_warp, vic_warp;
    wire [6:0] ev_regs, stat_regs;
    wire [7:0] cand_ok;
    wire [9:0] drv_word, free_regs;
    wire [13:0] mem_word;
    wire [15:0] core_now, done_tag, ev_tag;
    wire [17:0] ev_dims;
    wire [31:0] blk_arg, data, drv_data, ev_mask, mem_data, push_mask, pw_data, wr_addr;
    wire [55:0] cand_regs;
    wire [63:0] cand_now, cmd_base, cmd_flag_first, cmd_flag_last, cmd_kernel, cmd_last, done_param,
        ev_kernel, ev_param, mr_addr, mr_rsp_data, push_kernel, push_param, pw_addr;
    wire [127:0] cand_stamp;

    // Outputs that this design does without
    wire front_freed_valid, front_ab_valid, front_acc_valid, front_big_valid, front_pw_bad, unit_now_req,
        unit_cmd_hold, unit_cmd_prio, unit_cmd_skip, unit_cmd_flush, unit_cmd_drop, unit_cmd_resume,
        unit_timed_out, push_spare, unit_release_barrier;
    wire [1:0] front_big_priority, front_pw_why, unit_back_state;
    wire [2:0] unit_take_state;
    wire [3:0] front_levels;
    wire [4:0] front_rsp_row, front_freed_row, front_ab_row, front_acc_row, front_big_row, unit_push_row;
    wire [5:0] front_ev_core, front_keep_cores;
    wire [6:0] front_big_regs, unit_claim_regs, unit_now_regs, unit_save_regs, unit_push_regs,
        unit_restore_regs;
    wire [15:0] front_acc_tag, front_big_shared, front_big_tag, front_pw_tag, unit_push_tag;
    wire [17:0] unit_push_dims;
    wire [31:0] front_err_unregistered, front_err_misaligned, front_err_size, front_err_foreign,
        front_err_overrun, front_err_pointer, front_err_answer, front_err_timeout, front_err_silent;
    wire [63:0] front_ab_param, front_big_kernel, front_big_param;
    wire [191:0] front_big_dims;
    wire unused = &{1'b0, mem_word[13:10], front_rsp_row, front_freed_valid, front_freed_row, front_ab_valid,
                    front_ab_row, front_ab_param, front_acc_valid, front_acc_row, front_acc_tag,
                    front_err_unregistered, front_err_misaligned, front_err_size, front_err_foreign,
                    front_err_overrun, front_err_pointer, front_err_answer, front_err_timeout,
                    front_err_silent, front_ev_core, front_big_valid, front_big_kernel, front_big_param,
                    front_big_dims, front_big_shared, front_big_regs, front_big_row, front_big_tag,
                    front_big_priority, front_pw_bad, front_pw_why, front_pw_tag, front_keep_cores,
                    front_levels, unit_claim_regs, unit_now_req, unit_now_regs, unit_cmd_hold, unit_cmd_prio,
                    unit_cmd_skip, unit_cmd_flush, unit_cmd_drop, unit_cmd_resume, unit_timed_out,
                    unit_save_regs, unit_push_dims, unit_push_regs, unit_push_row,
                    unit_push_tag, unit_restore_regs, unit_release_barrier, unit_take_state, unit_back_state};

    // --- Doorbell to event, completion to flag --------------------------------------------------------
    gpu_frontend #(.AddressBits(32), .GridBits(16), .RowBits(1)) u_frontend (
        .clk_i(clk_i), .rst_i(rst_i),
        .wr_valid_i(wr_valid), .wr_addr_i(wr_addr), .wr_size_i(4'd4), .wr_rid_i(Device),
        .cmd_valid_i(cmd_valid), .cmd_op_i(`EVG_FRONTEND_CMD_REGISTER), .cmd_row_i(5'd0), .cmd_rid_i(Device),
        .cmd_kernel_i(cmd_kernel), .cmd_base_i(cmd_base), .cmd_size_i(64'd64), .cmd_last_i(cmd_last),
        .cmd_dims_i({32'd1, 32'd1, 32'd8, 32'd1, 32'd1, 32'd1}), .cmd_shared_i(16'd0), .cmd_priority_i(2'd0),
        .cmd_flag_first_i(cmd_flag_first), .cmd_flag_last_i(cmd_flag_last), .cfg_core_groups_i(4'd1),
        .cfg_core_mask_i(64'd1), .cfg_mode_i(`EVG_SCHED_MODE_PREEMPT), .cfg_keep_most_i(6'd0),
        .cfg_keep_shift_i(3'd0), .cfg_keep_patience_i(16'd0), .cfg_flag_limit_i(24'd0), .stat_valid_i(stat_req),
        .stat_group_i(stat_group), .stat_occupancy_i({21'd0, occupancy}), .stat_victims_i({21'd0, victims}),
        .stat_busy_i({7'd0, busy}), .stat_free_i({7'd0, free_warp && free_regs >= {3'd0, stat_regs}}),
        .stat_fits_i(8'd1), .stat_kept_i(8'd0), .stat_levels_i({28'd0, levels}), .ab_hit_i(1'b0),
        .ev_ack_i(ev_valid && ev_ready), .big_ready_i(1'b1), .done_valid_i(done_valid), .done_row_i(done_row),
        .done_param_i(done_param), .done_tag_i(done_tag), .done_aborted_i(done_aborted), .mr_ready_i(mr_ready),
        .mr_rsp_valid_i(mr_rsp_valid), .mr_rsp_tag_i(mr_rsp_tag), .mr_rsp_error_i(mr_rsp_error),
        .mr_rsp_data_i(mr_rsp_data), .pw_ready_i(pw_ready), .err_clear_i(1'b0), .cmd_ready_o(cmd_ready),
        .rsp_valid_o(rsp_valid), .rsp_code_o(rsp_code), .rsp_row_o(front_rsp_row),
        .freed_valid_o(front_freed_valid), .freed_row_o(front_freed_row), .ab_valid_o(front_ab_valid),
        .ab_row_o(front_ab_row), .ab_param_o(front_ab_param), .acc_valid_o(front_acc_valid),
        .acc_row_o(front_acc_row), .acc_tag_o(front_acc_tag), .err_unregistered_o(front_err_unregistered),
        .err_misaligned_o(front_err_misaligned), .err_size_o(front_err_size), .err_foreign_o(front_err_foreign),
        .err_overrun_o(front_err_overrun), .err_pointer_o(front_err_pointer), .err_answer_o(front_err_answer),
        .err_timeout_o(front_err_timeout), .err_silent_o(front_err_silent), .stat_req_o(stat_req),
        .stat_req_group_o(stat_group), .stat_req_regs_o(stat_regs), .ev_valid_o(ev_valid),
        .ev_core_o(front_ev_core), .ev_kernel_o(ev_kernel), .ev_param_o(ev_param), .ev_mask_o(ev_mask),
        .ev_dims_o(ev_dims), .ev_regs_o(ev_regs), .ev_row_o(ev_row), .ev_tag_o(ev_tag),
        .ev_priority_o(ev_priority), .big_valid_o(front_big_valid), .big_kernel_o(front_big_kernel),
        .big_param_o(front_big_param), .big_dims_o(front_big_dims), .big_shared_o(front_big_shared),
        .big_regs_o(front_big_regs), .big_row_o(front_big_row), .big_tag_o(front_big_tag),
        .big_priority_o(front_big_priority), .done_ready_o(done_ready), .mr_valid_o(mr_valid),
        .mr_addr_o(mr_addr), .mr_tag_o(mr_tag), .pw_valid_o(pw_valid), .pw_bad_o(front_pw_bad),
        .pw_why_o(front_pw_why), .pw_addr_o(pw_addr), .pw_data_o(pw_data), .pw_tag_o(front_pw_tag),
        .keep_cores_o(front_keep_cores), .levels_o(front_levels), .idle_o(front_idle)
    );

    // --- Event to warp ---------------------------------------------------------------------------------
    sm_event_unit u_unit (
        .clk_i(clk_i), .rst_i(rst_i),
        .cfg_policy_i(policy_i), .cfg_opts_i(4'd0), .cfg_preempt_i(1'b1), .cfg_spare_i(1'b0),
        .cfg_warp_groups_i(4'd1), .cfg_flush_limit_i(16'd0), .ev_valid_i(ev_valid), .ev_kernel_i(ev_kernel),
        .ev_param_i(ev_param), .ev_mask_i(ev_mask), .ev_dims_i(ev_dims), .ev_regs_i(ev_regs), .ev_row_i(ev_row),
        .ev_tag_i(ev_tag), .ev_priority_i(ev_priority), .core_free_warp_i(free_warp),
        .core_free_slot_i(free_slot), .core_free_regs_i(free_regs), .core_now_i(core_now),
        .cand_valid_i(cand_req), .cand_group_i(cand_group), .cand_ok_i(cand_ok), .cand_regs_i(cand_regs),
        .cand_stamp_i(cand_stamp), .cand_pipe_i(72'd0), .cand_ibuf_i(16'd0), .cand_loads_i(8'd0),
        .cand_younger_i(8'd0), .cand_barrier_i(8'd0), .cand_atomic_i(8'd0), .cand_now_i(cand_now),
        .cand_drop_i(64'd0), .vic_alive_i(vic_alive), .vic_ibuf_i(2'd0), .vic_fetch_i(1'b0),
        .vic_pipe_i(vic_pipe), .vic_loads_i(1'b0), .vic_younger_i(1'b0), .vic_barrier_i(1'b0),
        .vic_atomic_i(1'b0), .push_ok_i(push_ok), .push_fail_i(push_fail), .save_done_i(save_done),
        .restore_done_i(restore_done), .bar_done_i(64'd0), .exit_valid_i(exit_valid), .exit_warp_i(exit_warp),
        .exit_aborted_i(1'b0), .done_ready_i(done_ready), .ev_ready_o(ev_ready), .occupancy_o(occupancy),
        .levels_o(levels), .victims_o(victims), .busy_o(busy), .want_drain_o(want_drain),
        .claim_regs_o(unit_claim_regs), .cand_req_o(cand_req), .cand_req_group_o(cand_group),
        .now_req_o(unit_now_req), .now_regs_o(unit_now_regs), .vic_valid_o(vic_valid), .vic_warp_o(vic_warp),
        .cmd_hold_o(unit_cmd_hold), .cmd_prio_o(unit_cmd_prio), .cmd_skip_o(unit_cmd_skip),
        .cmd_flush_o(unit_cmd_flush), .cmd_drop_o(unit_cmd_drop), .cmd_resume_o(unit_cmd_resume),
        .timed_out_o(unit_timed_out), .cmd_save_o(cmd_save), .save_entry_o(save_entry),
        .save_regs_o(unit_save_regs), .cmd_push_o(cmd_push), .push_warp_o(push_warp), .push_fresh_o(push_fresh),
        .push_spare_o(push_spare), .push_entry_o(push_entry), .push_kernel_o(push_kernel),
        .push_param_o(push_param), .push_mask_o(push_mask), .push_dims_o(unit_push_dims),
        .push_regs_o(unit_push_regs), .push_row_o(unit_push_row), .push_tag_o(unit_push_tag),
        .cmd_pop_o(cmd_pop), .pop_warp_o(pop_warp), .pop_entry_o(pop_entry), .cmd_restore_o(cmd_restore),
        .restore_warp_o(restore_warp), .restore_entry_o(restore_entry), .restore_regs_o(unit_restore_regs),
        .cmd_release_o(cmd_release), .release_warp_o(release_warp), .release_barrier_o(unit_release_barrier),
        .done_valid_o(done_valid), .done_row_o(done_row), .done_param_o(done_param), .done_tag_o(done_tag),
        .done_aborted_o(done_aborted), .take_state_o(unit_take_state), .back_state_o(unit_back_state),
        .idle_o(unit_idle)
    );

    simt_core u_core (
        .clk_i(clk_i), .rst_i(rst_i), .blk_valid_i(blk_valid), .blk_pc_i(6'd1), .blk_arg_i(blk_arg),
        .blk_ready_o(blk_ready), .blk_done_o(blk_done), .mem_valid_o(mem_valid), .mem_write_o(mem_write),
        .mem_word_o(mem_word), .mem_data_o(mem_data), .mem_ready_i(mem_ready), .mem_data_i(data),
        .core_free_warp_o(free_warp), .core_free_slot_o(free_slot), .core_free_regs_o(free_regs),
        .core_now_o(core_now), .want_drain_i(want_drain), .cand_ok_o(cand_ok), .cand_regs_o(cand_regs),
        .cand_stamp_o(cand_stamp), .cand_now_o(cand_now), .vic_valid_i(vic_valid), .vic_warp_i(vic_warp),
        .vic_alive_o(vic_alive), .vic_pipe_o(vic_pipe), .cmd_save_i(cmd_save), .save_entry_i(save_entry),
        .cmd_push_i(cmd_push), .push_warp_i(push_warp), .push_fresh_i(push_fresh), .push_spare_i(push_spare),
        .push_entry_i(push_entry), .push_kernel_i(push_kernel), .push_param_i(push_param),
        .push_mask_i(push_mask), .cmd_pop_i(cmd_pop), .pop_warp_i(pop_warp), .pop_entry_i(pop_entry),
        .cmd_restore_i(cmd_restore), .restore_warp_i(restore_warp), .restore_entry_i(restore_entry),
        .cmd_release_i(cmd_release), .release_warp_i(release_warp), .push_ok_o(push_ok),
        .push_fail_o(push_fail), .save_done_o(save_done), .restore_done_o(restore_done),
        .exit_valid_o(exit_valid), .exit_warp_o(exit_warp)
    );

    // --- Memory and driver -------------------------------------------------------------------------------
    event_memory u_memory (
        .clk_i(clk_i), .rst_i(rst_i), .mr_valid_i(mr_valid), .mr_addr_i(mr_addr), .mr_tag_i(mr_tag),
        .mr_ready_o(mr_ready), .mr_rsp_valid_o(mr_rsp_valid), .mr_rsp_tag_o(mr_rsp_tag),
        .mr_rsp_error_o(mr_rsp_error), .mr_rsp_data_o(mr_rsp_data), .pw_valid_i(pw_valid),
        .pw_addr_i(pw_addr), .pw_data_i(pw_data), .pw_ready_o(pw_ready), .mem_valid_i(mem_valid),
        .mem_write_i(mem_write), .mem_word_i(mem_word[9:0]), .mem_data_i(mem_data),
        .mem_ready_o(mem_ready), .drv_valid_i(drv_valid), .drv_write_i(drv_write),
        .drv_word_i(drv_word), .drv_data_i(drv_data), .drv_ready_o(drv_ready), .data_o(data)
    );

    event_driver u_driver (
        .clk_i(clk_i), .rst_i(rst_i), .events_i(events_i), .seed_i(seed_i), .gap_i(gap_i),
        .cmd_valid_o(cmd_valid), .cmd_kernel_o(cmd_kernel), .cmd_base_o(cmd_base),
        .cmd_last_o(cmd_last), .cmd_flag_first_o(cmd_flag_first), .cmd_flag_last_o(cmd_flag_last),
        .cmd_ready_i(cmd_ready), .rsp_valid_i(rsp_valid), .rsp_code_i(rsp_code),
        .wr_valid_o(wr_valid), .wr_addr_o(wr_addr), .done_i(done_valid && done_ready),
        .done_param_i(done_param), .quiet_i(front_idle && unit_idle), .blk_valid_o(blk_valid),
        .blk_arg_o(blk_arg), .blk_ready_i(blk_ready), .blk_done_i(blk_done),
        .drv_valid_o(drv_valid), .drv_write_o(drv_write), .drv_word_o(drv_word),
        .drv_data_o(drv_data), .drv_ready_i(drv_ready), .data_i(data), .state_o(state_o),
        .blocks_o(blocks_o), .sum_valid_o(sum_valid_o), .sum_data_o(sum_data_o), .sum_o(sum_o)
    );


    assign ring_o       = wr_valid;
    assign ring_row_o   = wr_addr[12];
    assign push_o       = push_ok;
    assign push_fresh_o = push_fresh;
    assign push_spare_o = push_spare;
    assign save_o       = cmd_save;
    assign exit_o       = exit_valid;
    assign flag_o       = pw_valid && pw_ready;
    assign end_o        = state_o == `EVG_DRIVER_STATE_END && !sum_valid_o;

endmodule

`default_nettype wire
