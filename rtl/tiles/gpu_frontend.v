// SPDX-License-Identifier: Apache-2.0
// gpu_frontend: the tile that launches event kernels from doorbells and writes their completion flags,
// without a CPU (EDGE III).
//
// Contract
// - Ports as in rtl/evgpu.def; every output is a register. The contract of each block is in its own
//   header: doorbell_decoder, event_kernel_table, event_dispatch, event_completion, event_reserve.
// - Latency from an accepted write, in an idle front end with immediate answers: write taken in
//   cycle t, acc_valid_o t+2, row read t+2, ev_valid_o t+7+cfg_core_groups_i, big_valid_o t+5.
//   Each event of another priority that finds no core adds the time of its scan.
//   Throughput: one launch per 5 cycles; one warp event per cfg_core_groups_i + 5 cycles. Writes are
//   taken in every cycle.
// - idle_o: as long as wr_valid_i, cmd_valid_i, done_valid_i, mr_rsp_valid_i and err_clear_i are 0,
//   no register changes, whatever the other inputs are; the clock may be stopped. It rises one
//   cycle late.
// - Reset empties the machine: every row is free, nothing is queued or in flight, error counters
//   are 0. The contents of data registers are kept.
`default_nettype none
`include "evgpu_defs.vh"

module gpu_frontend #(
    // Of a reduced tile:
    parameter AddressBits = 64, // submission queues, flags and code lie below 2**AddressBits
    parameter GridBits    = 32, // grids are below 2**GridBits
    parameter RowBits     = 5   // it has 2**RowBits rows
) (
    input  wire         clk_i,
    input  wire         rst_i,
    // Write channel of the doorbell region
    input  wire         wr_valid_i,
    input  wire [31:0]  wr_addr_i,
    input  wire [3:0]   wr_size_i,
    input  wire [15:0]  wr_rid_i,
    // Driver commands
    input  wire         cmd_valid_i,
    input  wire [1:0]   cmd_op_i,
    input  wire [4:0]   cmd_row_i,
    input  wire [15:0]  cmd_rid_i,
    input  wire [63:0]  cmd_kernel_i,
    input  wire [63:0]  cmd_base_i,
    input  wire [63:0]  cmd_size_i,
    input  wire [63:0]  cmd_last_i,
    input  wire [191:0] cmd_dims_i,
    input  wire [15:0]  cmd_shared_i,
    input  wire [1:0]   cmd_priority_i,
    input  wire [63:0]  cmd_flag_first_i,
    input  wire [63:0]  cmd_flag_last_i,
    // Configuration
    input  wire [3:0]   cfg_core_groups_i,
    input  wire [63:0]  cfg_core_mask_i,
    input  wire [1:0]   cfg_mode_i,
    input  wire [5:0]   cfg_keep_most_i,
    input  wire [2:0]   cfg_keep_shift_i,
    input  wire [15:0]  cfg_keep_patience_i,
    input  wire [23:0]  cfg_flag_limit_i,
    // State of the cores of one group
    input  wire         stat_valid_i,
    input  wire [2:0]   stat_group_i,
    input  wire [23:0]  stat_occupancy_i,
    input  wire [23:0]  stat_victims_i,
    input  wire [7:0]   stat_busy_i,
    input  wire [7:0]   stat_free_i,
    input  wire [7:0]   stat_fits_i,
    input  wire [7:0]   stat_kept_i,
    input  wire [31:0]  stat_levels_i,
    // Abort: answer of whoever runs events
    input  wire         ab_hit_i,
    // From the chosen SIMT core
    input  wire         ev_ack_i,
    // From the pending event-kernel queue
    input  wire         big_ready_i,
    // Completed event kernels
    input  wire         done_valid_i,
    input  wire [4:0]   done_row_i,
    input  wire [63:0]  done_param_i,
    input  wire [15:0]  done_tag_i,
    input  wire         done_aborted_i,
    // Memory read of the completion pointer
    input  wire         mr_ready_i,
    input  wire         mr_rsp_valid_i,
    input  wire [4:0]   mr_rsp_tag_i,
    input  wire         mr_rsp_error_i,
    input  wire [63:0]  mr_rsp_data_i,
    // PCIe write of the completion flag
    input  wire         pw_ready_i,
    // Error counters
    input  wire         err_clear_i,
    // Driver commands
    output wire         cmd_ready_o,
    output wire         rsp_valid_o,
    output wire [2:0]   rsp_code_o,
    output wire [4:0]   rsp_row_o,
    output wire         freed_valid_o,
    output wire [4:0]   freed_row_o,
    // Abort: the event that is to end
    output wire         ab_valid_o,
    output wire [4:0]   ab_row_o,
    output wire [63:0]  ab_param_o,
    // Accepted doorbell writes
    output wire         acc_valid_o,
    output wire [4:0]   acc_row_o,
    output wire [15:0]  acc_tag_o,
    // Error counters
    output wire [31:0]  err_unregistered_o,
    output wire [31:0]  err_misaligned_o,
    output wire [31:0]  err_size_o,
    output wire [31:0]  err_foreign_o,
    output wire [31:0]  err_overrun_o,
    output wire [31:0]  err_pointer_o,
    output wire [31:0]  err_answer_o,
    output wire [31:0]  err_timeout_o,
    output wire [31:0]  err_silent_o,
    // Request for the state of the cores of one group
    output wire         stat_req_o,
    output wire [2:0]   stat_req_group_o,
    output wire [6:0]   stat_req_regs_o,
    // Event for a SIMT core
    output wire         ev_valid_o,
    output wire [5:0]   ev_core_o,
    output wire [63:0]  ev_kernel_o,
    output wire [63:0]  ev_param_o,
    output wire [31:0]  ev_mask_o,
    output wire [17:0]  ev_dims_o,
    output wire [6:0]   ev_regs_o,
    output wire [4:0]   ev_row_o,
    output wire [15:0]  ev_tag_o,
    output wire [1:0]   ev_priority_o,
    // Event kernel for the pending event-kernel queue
    output wire         big_valid_o,
    output wire [63:0]  big_kernel_o,
    output wire [63:0]  big_param_o,
    output wire [191:0] big_dims_o,
    output wire [15:0]  big_shared_o,
    output wire [6:0]   big_regs_o,
    output wire [4:0]   big_row_o,
    output wire [15:0]  big_tag_o,
    output wire [1:0]   big_priority_o,
    // Completed event kernels
    output wire         done_ready_o,
    // Memory read of the completion pointer
    output wire         mr_valid_o,
    output wire [63:0]  mr_addr_o,
    output wire [4:0]   mr_tag_o,
    // PCIe write of the completion flag
    output wire         pw_valid_o,
    output wire [63:0]  pw_addr_o,
    output wire [31:0]  pw_data_o,
    output wire [15:0]  pw_tag_o,
    output wire         pw_bad_o,
    output wire [1:0]   pw_why_o,
    // Cores kept for events
    output wire [5:0]   keep_cores_o,
    // Priorities that have rows
    output wire [3:0]   levels_o,
    // Quiescence
    output reg          idle_o
);

    localparam Rows = 1 << RowBits;

    // doorbell_decoder <-> event_kernel_table
    wire        open_valid, close_valid, launch_valid, launch_ready;
    wire [RowBits-1:0] open_row, close_row, launch_row;
    wire [1:0]  open_priority;
    wire        open_warp;
    wire [Rows-1:0] row_empty;
    wire [15:0] open_rid, launch_tag;
    // event_kernel_table -> event_dispatch
    wire         kernel_valid, kernel_ready;
    wire [`EVG_LAUNCH_WIDTH-1:0] kernel;
    // event_dispatch -> SIMT cores, pending event-kernel queue
    wire [`EVG_EVENT_WIDTH-1:0]  ev_event;
    wire [`EVG_LARGER_WIDTH-1:0] big_kernel;
    // event_completion -> event_kernel_table, doorbell_decoder
    wire        cmd_bad_window;
    wire        dec_valid;
    wire [RowBits-1:0] dec_row;

    // event_dispatch -> doorbell_decoder: handed over
    wire placed = ev_valid_o && ev_ack_i;
    wire queued = big_valid_o && big_ready_i;

    wire decoder_quiet, table_quiet, dispatch_quiet, completion_quiet, reserve_quiet;

    doorbell_decoder #(
        .Rows(Rows),
        .RowBits(RowBits)
    ) u_decoder (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .wr_valid_i(wr_valid_i),
        .wr_addr_i(wr_addr_i),
        .wr_size_i(wr_size_i),
        .wr_rid_i(wr_rid_i),
        .open_valid_i(open_valid),
        .open_row_i(open_row),
        .open_rid_i(open_rid),
        .open_priority_i(open_priority),
        .open_warp_i(open_warp),
        .close_valid_i(close_valid),
        .close_row_i(close_row),
        .launch_valid_o(launch_valid),
        .launch_row_o(launch_row),
        .launch_tag_o(launch_tag),
        .launch_ready_i(launch_ready),
        .empty_o(row_empty),
        .placed_i(placed),
        .placed_level_i(ev_priority_o),
        .queued_i(queued),
        .queued_level_i(big_priority_o),
        .levels_o(levels_o),
        .dec_valid_i(dec_valid),
        .dec_row_i(dec_row),
        .acc_valid_o(acc_valid_o),
        .acc_row_o(acc_row),
        .acc_tag_o(acc_tag_o),
        .err_clear_i(err_clear_i),
        .err_unregistered_o(err_unregistered_o),
        .err_misaligned_o(err_misaligned_o),
        .err_size_o(err_size_o),
        .err_foreign_o(err_foreign_o),
        .err_overrun_o(err_overrun_o),
        .quiet_o(decoder_quiet)
    );

    wire [AddressBits-1:0] abort_entry;
    assign ab_param_o   = {{64 - AddressBits{1'b0}}, abort_entry};

    // Outputs that a reduced tile lacks are 0, though the table's memory has bits of a queue in their place.
    localparam [63:0] CodeKept = ((64'd1 << AddressBits) - 64'd1) | 64'hff00_0000_0000_0000;
    localparam [31:0] GridKept = 32'hffff_ffff >> (32 - GridBits);
    wire [`EVG_LAUNCH_WIDTH-1:0] kernel_kept;
    assign kernel_kept[`EVG_LAUNCH_KERNEL]   = kernel[`EVG_LAUNCH_KERNEL] & CodeKept;
    assign kernel_kept[`EVG_LAUNCH_DIMS]     = kernel[`EVG_LAUNCH_DIMS] & {{96{1'b1}}, {3{GridKept}}};
    assign kernel_kept[`EVG_LAUNCH_PARAM]    = kernel[`EVG_LAUNCH_PARAM];
    assign kernel_kept[`EVG_LAUNCH_SHARED]   = kernel[`EVG_LAUNCH_SHARED];
    assign kernel_kept[`EVG_LAUNCH_WARP]     = kernel[`EVG_LAUNCH_WARP];
    assign kernel_kept[`EVG_LAUNCH_THREADS]  = kernel[`EVG_LAUNCH_THREADS];
    assign kernel_kept[`EVG_LAUNCH_ROW]      = kernel[`EVG_LAUNCH_ROW];
    assign kernel_kept[`EVG_LAUNCH_TAG]      = kernel[`EVG_LAUNCH_TAG];
    assign kernel_kept[`EVG_LAUNCH_PRIORITY] = kernel[`EVG_LAUNCH_PRIORITY];

    // Rows of a reduced tile have shorter numbers
    wire [RowBits-1:0] rsp_row, freed_row, ab_row, acc_row;
    assign rsp_row_o   = {{5 - RowBits{1'b0}}, rsp_row};
    assign freed_row_o = {{5 - RowBits{1'b0}}, freed_row};
    assign ab_row_o    = {{5 - RowBits{1'b0}}, ab_row};
    assign acc_row_o   = {{5 - RowBits{1'b0}}, acc_row};

    assign ev_kernel_o = ev_event[`EVG_EVENT_KERNEL];
    assign ev_param_o  = ev_event[`EVG_EVENT_PARAM];
    assign ev_mask_o   = ev_event[`EVG_EVENT_MASK];
    assign ev_dims_o   = ev_event[`EVG_EVENT_DIMS];
    assign ev_regs_o   = ev_event[`EVG_EVENT_REGS];
    assign ev_row_o    = ev_event[`EVG_EVENT_ROW];
    assign ev_tag_o    = ev_event[`EVG_EVENT_TAG];

    assign big_kernel_o = {8'd0, big_kernel[`EVG_LARGER_ADDRESS]};
    assign big_param_o  = big_kernel[`EVG_LARGER_PARAM];
    assign big_dims_o   = big_kernel[`EVG_LARGER_DIMS];
    assign big_shared_o = big_kernel[`EVG_LARGER_SHARED];
    assign big_regs_o   = big_kernel[`EVG_LARGER_REGS];
    assign big_row_o    = big_kernel[`EVG_LARGER_ROW];
    assign big_tag_o    = big_kernel[`EVG_LARGER_TAG];

    wire [`EVG_COMMAND_WIDTH-1:0] cmd;
    assign cmd[`EVG_COMMAND_OP]       = cmd_op_i;
    assign cmd[`EVG_COMMAND_ROW]      = cmd_row_i;
    assign cmd[`EVG_COMMAND_RID]      = cmd_rid_i;
    assign cmd[`EVG_COMMAND_KERNEL]   = cmd_kernel_i;
    assign cmd[`EVG_COMMAND_BASE]     = cmd_base_i;
    assign cmd[`EVG_COMMAND_SIZE]     = cmd_size_i;
    assign cmd[`EVG_COMMAND_LAST]     = cmd_last_i;
    assign cmd[`EVG_COMMAND_DIMS]     = cmd_dims_i;
    assign cmd[`EVG_COMMAND_SHARED]   = cmd_shared_i;
    assign cmd[`EVG_COMMAND_PRIORITY] = cmd_priority_i;

    localparam CoreWidth = `EVG_CORE_STATUS_WIDTH;
    wire [`EVG_SCAN_LANES*CoreWidth-1:0] stat_cores;
    genvar c;
    generate
        if (AddressBits > 64 || GridBits < 1 || GridBits > 32 || RowBits < 1 ||
            Rows > `EVG_EKT_ROWS) begin : g_check
            gpu_frontend_is_at_most_as_large_as_its_ports check_parameters ();
        end
        if (RowBits < 5) begin : g_fewer_rows
            wire unused = &{1'b0, done_row_i[4:RowBits]};
        end
        if (AddressBits < 64) begin : g_reduced
            // The bits of a window that a reduced tile does without
            wire unused = &{1'b0, cmd_flag_first_i[63:AddressBits], cmd_flag_last_i[63:AddressBits]};
        end
        for (c = 0; c < `EVG_SCAN_LANES; c = c + 1) begin : g_core
            wire [CoreWidth-1:0] core;
            assign core[`EVG_CORE_STATUS_OCCUPANCY] =
                stat_occupancy_i[`EVG_CORE_STATUS_OCCUPANCY_WIDTH*c+:`EVG_CORE_STATUS_OCCUPANCY_WIDTH];
            assign core[`EVG_CORE_STATUS_VICTIMS] =
                stat_victims_i[`EVG_CORE_STATUS_VICTIMS_WIDTH*c+:`EVG_CORE_STATUS_VICTIMS_WIDTH];
            assign core[`EVG_CORE_STATUS_BUSY] = stat_busy_i[c];
            assign core[`EVG_CORE_STATUS_FREE] = stat_free_i[c];
            assign core[`EVG_CORE_STATUS_FITS] = stat_fits_i[c];
            assign core[`EVG_CORE_STATUS_KEPT] = stat_kept_i[c];
            assign core[`EVG_CORE_STATUS_LEVELS] =
                stat_levels_i[`EVG_CORE_STATUS_LEVELS_WIDTH*c+:`EVG_CORE_STATUS_LEVELS_WIDTH];
            assign stat_cores[CoreWidth*c+:CoreWidth] = core;
        end
    endgenerate

    event_kernel_table #(
        .Rows(Rows),
        .RowBits(RowBits),
        .AddressBits(AddressBits)
    ) u_table (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .cmd_valid_i(cmd_valid_i),
        .cmd_i(cmd),
        .cmd_bad_window_i(cmd_bad_window),
        .cmd_ready_o(cmd_ready_o),
        .rsp_valid_o(rsp_valid_o),
        .rsp_code_o(rsp_code_o),
        .rsp_row_o(rsp_row),
        .freed_valid_o(freed_valid_o),
        .freed_row_o(freed_row),
        .ab_valid_o(ab_valid_o),
        .ab_row_o(ab_row),
        .ab_param_o(abort_entry),
        .ab_hit_i(ab_hit_i),
        .open_valid_o(open_valid),
        .open_row_o(open_row),
        .open_rid_o(open_rid),
        .open_priority_o(open_priority),
        .open_warp_o(open_warp),
        .close_valid_o(close_valid),
        .close_row_o(close_row),
        .launch_valid_i(launch_valid),
        .launch_row_i(launch_row),
        .launch_tag_i(launch_tag),
        .launch_ready_o(launch_ready),
        .row_empty_i(row_empty),
        .kernel_valid_o(kernel_valid),
        .kernel_o(kernel),
        .kernel_ready_i(kernel_ready),
        .quiet_o(table_quiet)
    );

    event_dispatch u_dispatch (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .cfg_core_groups_i(cfg_core_groups_i),
        .cfg_core_mask_i(cfg_core_mask_i),
        .cfg_mode_i(cfg_mode_i),
        .levels_i(levels_o),
        .kernel_valid_i(kernel_valid),
        .kernel_i(kernel_kept),
        .kernel_ready_o(kernel_ready),
        .stat_valid_i(stat_valid_i),
        .stat_group_i(stat_group_i),
        .stat_cores_i(stat_cores),
        .stat_req_o(stat_req_o),
        .stat_req_group_o(stat_req_group_o),
        .stat_req_regs_o(stat_req_regs_o),
        .ev_ack_i(ev_ack_i),
        .ev_valid_o(ev_valid_o),
        .ev_core_o(ev_core_o),
        .ev_event_o(ev_event),
        .ev_priority_o(ev_priority_o),
        .big_ready_i(big_ready_i),
        .big_valid_o(big_valid_o),
        .big_kernel_o(big_kernel),
        .big_priority_o(big_priority_o),
        .quiet_o(dispatch_quiet)
    );

    event_completion #(
        .RowBits(RowBits),
        .AddressBits(AddressBits)
    ) u_completion (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .cfg_limit_i(cfg_flag_limit_i),
        .cmd_take_i(cmd_valid_i && cmd_ready_o),
        .cmd_flag_first_i(cmd_flag_first_i[AddressBits-1:0]),
        .cmd_flag_last_i(cmd_flag_last_i[AddressBits-1:0]),
        .cmd_bad_o(cmd_bad_window),
        .open_valid_i(open_valid),
        .open_row_i(open_row),
        .done_valid_i(done_valid_i),
        .done_row_i(done_row_i[RowBits-1:0]),
        .done_param_i(done_param_i),
        .done_tag_i(done_tag_i),
        .done_aborted_i(done_aborted_i),
        .done_ready_o(done_ready_o),
        .mr_ready_i(mr_ready_i),
        .mr_rsp_valid_i(mr_rsp_valid_i),
        .mr_rsp_tag_i(mr_rsp_tag_i),
        .mr_rsp_error_i(mr_rsp_error_i),
        .mr_rsp_data_i(mr_rsp_data_i),
        .mr_valid_o(mr_valid_o),
        .mr_addr_o(mr_addr_o),
        .mr_tag_o(mr_tag_o),
        .pw_ready_i(pw_ready_i),
        .pw_valid_o(pw_valid_o),
        .pw_addr_o(pw_addr_o),
        .pw_data_o(pw_data_o),
        .pw_tag_o(pw_tag_o),
        .pw_bad_o(pw_bad_o),
        .pw_why_o(pw_why_o),
        .err_clear_i(err_clear_i),
        .err_pointer_o(err_pointer_o),
        .err_answer_o(err_answer_o),
        .err_timeout_o(err_timeout_o),
        .err_silent_o(err_silent_o),
        .dec_valid_o(dec_valid),
        .dec_row_o(dec_row),
        .quiet_o(completion_quiet)
    );

    event_reserve u_reserve (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .cfg_mode_i(cfg_mode_i),
        .cfg_most_i(cfg_keep_most_i),
        .cfg_shift_i(cfg_keep_shift_i),
        .cfg_patience_i(cfg_keep_patience_i),
        .acc_valid_i(acc_valid_o),
        .dec_valid_i(dec_valid),
        .cores_o(keep_cores_o),
        .quiet_o(reserve_quiet)
    );

    wire inputs_idle = !wr_valid_i && !cmd_valid_i && !done_valid_i && !mr_rsp_valid_i &&
                       !err_clear_i;

    always @(posedge clk_i)
        if (rst_i)
            idle_o <= 1'b1;
        else
            idle_o <= inputs_idle && decoder_quiet && table_quiet && dispatch_quiet &&
                      completion_quiet && reserve_quiet;

`ifdef FORMAL
`include "properties/gpu_frontend.fv.vh"
`endif

endmodule

`default_nettype wire
