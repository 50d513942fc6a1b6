// SPDX-License-Identifier: Apache-2.0
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
// Contract: those of the modules. For each event that gets a victim, the commands come in the order
// hold, (flush, drop)*, save unless spare registers, push, pop, restore if saved, release; a victim that
// is let go before its push gets resume of flush_o, unless it has exited.
`default_nettype none
`include "evgpu_defs.vh"

module warp_preempt_ctrl (
    input  wire                           clk_i,
    input  wire                           rst_i,
    input  wire [`EVG_EVENT_UNIT_CFG_WIDTH-1:0] cfg_i,
    // Pending event warp table: taking a warp
    input  wire                           pend_valid_i,
    input  wire [`EVG_PENDING_WIDTH-1:0]  pend_i,
    output wire [`EVG_TAKE_WIDTH-1:0]     take_o,
    input  wire [`EVG_EVENT_WIDTH-1:0]    event_i, // of the entry of take_o
    input  wire [`EVG_HOLDERS_WIDTH-1:0]  holders_i,
    input  wire [63:0]                    taken_i,
    // Pending event warp table: giving it back
    input  wire                           back_valid_i,
    input  wire [`EVG_BACK_WIDTH-1:0]     back_i,
    output wire [`EVG_RETURNED_WIDTH-1:0] returned_o,
    input  wire                           returned_barrier_i, // of the entry of returned_o
    // SIMT core: free resources
    input  wire [`EVG_CORE_FREE_WIDTH-1:0] free_i,
    input  wire [15:0]                    core_now_i,
    // SIMT core: candidates
    input  wire                           cand_valid_i,
    input  wire [`EVG_WARP_PLACE_GROUP_WIDTH-1:0] cand_group_i,
    input  wire [`EVG_SCAN_LANES*`EVG_CANDIDATE_WIDTH-1:0] cand_i,
    output wire                           cand_req_o,
    output wire [`EVG_WARP_PLACE_GROUP_WIDTH-1:0] cand_req_group_o,
    input  wire [`EVG_READY_WIDTH-1:0]    ready_i,
    output wire                           now_req_o,
    output wire [6:0]                     now_regs_o,
    // SIMT core: the victim
    input  wire [`EVG_VICTIM_WIDTH-1:0]   vic_i,
    input  wire [63:0]                    bar_done_i,
    output wire                           vic_valid_o,
    output wire [5:0]                     vic_warp_o,
    output wire [`EVG_FLUSH_WIDTH-1:0]    flush_o,
    // SIMT core: save and push
    input  wire [`EVG_ANSWERS_WIDTH-1:0]  answers_i,
    output wire                           cmd_save_o,
    output wire [`EVG_SAVE_WIDTH-1:0]     save_o,
    output wire                           cmd_push_o,
    output wire [`EVG_PUSH_WIDTH-1:0]     push_o,
    // SIMT core: pop, restore and release
    input  wire                           restore_done_i,
    output wire                           cmd_pop_o,
    output wire [`EVG_POP_WIDTH-1:0]      pop_o,
    output wire                           cmd_restore_o,
    output wire [`EVG_RESTORE_WIDTH-1:0]  restore_o,
    output wire                           cmd_release_o,
    output wire [`EVG_RELEASE_WIDTH-1:0]  release_o,
    // Event dispatch and observation
    output wire                           busy_o,
    output wire                           want_drain_o,
    output wire [6:0]                     claim_regs_o,
    output wire [`EVG_TAKE_STATE_WIDTH-1:0] take_state_o,
    output wire [`EVG_BACK_STATE_WIDTH-1:0] back_state_o,
    output wire                           quiet_o // nothing moves without pend_valid_i or back_valid_i
);

    wire [`EVG_SELECT_WIDTH-1:0]     select;
    wire [`EVG_SELECTED_WIDTH-1:0]   selected;
    wire [`EVG_READY_WARP_WIDTH-1:0] found, ready;
    wire                             show, save, push;
    wire                             take_quiet, select_quiet, back_quiet;

    victim_select u_select (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_i), .select_i(select), .selected_o(selected),
        .holders_i(holders_i), .core_now_i(core_now_i), .cand_valid_i(cand_valid_i),
        .cand_group_i(cand_group_i), .cand_i(cand_i), .cand_req_o(cand_req_o),
        .cand_req_group_o(cand_req_group_o), .quiet_o(select_quiet)
    );

    ready_select u_ready (
        .ready_i(ready_i), .taken_i(taken_i), .warp_o(found)
    );

    assign ready[`EVG_READY_WARP_ANY]  = found[`EVG_READY_WARP_ANY] && now_req_o; // asked for
    assign ready[`EVG_READY_WARP_WARP] = found[`EVG_READY_WARP_WARP];
    assign ready[`EVG_READY_WARP_DROP] = found[`EVG_READY_WARP_DROP];

    warp_take_ctrl u_take (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_i(cfg_i), .pend_valid_i(pend_valid_i), .pend_i(pend_i),
        .take_o(take_o), .show_o(show), .released_i(cmd_release_o),
        .select_o(select), .selected_i(selected), .ready_i(ready),
        .now_req_o(now_req_o), .now_regs_o(now_regs_o),
        .free_i(free_i), .vic_i(vic_i), .bar_done_i(bar_done_i), .answers_i(answers_i),
        .vic_valid_o(vic_valid_o), .vic_warp_o(vic_warp_o), .flush_o(flush_o),
        .cmd_save_o(cmd_save_o), .cmd_push_o(cmd_push_o), .push_fresh_o(push_o[`EVG_PUSH_FRESH]),
        .push_spare_o(push_o[`EVG_PUSH_SPARE]), .save_o(save), .push_o(push),
        .busy_o(busy_o), .want_drain_o(want_drain_o), .claim_regs_o(claim_regs_o),
        .take_state_o(take_state_o), .quiet_o(take_quiet)
    );

    push_payload u_payload (
        .clk_i(clk_i), .rst_i(rst_i), .show_i(show), .save_i(save), .push_i(push),
        .push_warp_i(take_o[`EVG_TAKE_WARP]), .entry_i(take_o[`EVG_TAKE_ENTRY]), .event_i(event_i),
        .save_o(save_o), .push_warp_o(push_o[`EVG_PUSH_WARP]),
        .push_entry_o(push_o[`EVG_PUSH_ENTRY]), .push_event_o(push_o[`EVG_PUSH_EVENT])
    );

    warp_give_back u_back (
        .clk_i(clk_i), .rst_i(rst_i), .back_valid_i(back_valid_i), .back_i(back_i),
        .returned_o(returned_o), .returned_barrier_i(returned_barrier_i),
        .restore_done_i(restore_done_i), .cmd_pop_o(cmd_pop_o), .pop_o(pop_o),
        .cmd_restore_o(cmd_restore_o), .restore_o(restore_o), .cmd_release_o(cmd_release_o),
        .release_o(release_o), .back_state_o(back_state_o), .quiet_o(back_quiet)
    );

    assign quiet_o = take_quiet && select_quiet && back_quiet;

endmodule

`default_nettype wire
