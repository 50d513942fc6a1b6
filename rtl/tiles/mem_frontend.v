// SPDX-License-Identifier: Apache-2.0
// mem_frontend: tile of one memory partition: the full/empty scheduler before its DRAM channel (F/E
// 4.3) and the stall counters of its interval (CM-BAL 3.2.1).
//
//   requests -> fe_dram_scheduler -> memory channel -> replies
//   mc_*, net_* -> mem_stall_monitor -> stall_* (read through a cm_monitor_link from another clock)
//
// Contract
// - The two blocks share only clock and reset; fe_dram_scheduler and mem_stall_monitor hold their
//   contracts. The caller reports stalls with mc_* and net_*, because some requests and replies bypass
//   this tile.
// - EVG_COUNTERS_ALONE, with Scheduler 0, leaves fe_dram_scheduler out, for the simulation of a partition
//   without a synchronised region: the stall counters are those of the whole tile, no request is taken, no
//   register answers, and all outputs but stall_mc_o, stall_net_o and idle_o are 0. It is a macro so that the
//   tile's netlist, down to the names of its cells, does not depend on it.
// - idle_o: with req_valid_i, answer_valid_i, reg_valid_i and stall_read_i low and no stall, the state
//   stands still, whatever the other inputs. It is low while a head waits whose time-out is on, and
//   during the start-up.
// - A small FPGA: with RegionLines 1024 instead of 2048 the bits take half the block RAM (iCE40 HX8K: 28
//   of its 32 block RAMs instead of 36).
`default_nettype none
`include "evgpu_defs.vh"

module mem_frontend #(
    parameter Scheduler      = 1,
    parameter LineBytes      = `EVG_FE_LINE_BYTES,
    parameter GrainBytes     = `EVG_FE_GRAIN_BYTES,
    parameter PartLines      = `EVG_FE_PART_LINES,
    parameter RegionBase     = `EVG_FE_REGION_BASE,
    parameter RegionLines    = `EVG_FE_REGION_LINES,
    parameter QueueDepth     = `EVG_FE_QUEUE_DEPTH,
    parameter QueueDepthLog2 = 3,
    parameter ReplyDepth     = `EVG_FE_REPLY_DEPTH,
    parameter ReplyDepthLog2 = 5,
    parameter TurnLimit      = `EVG_FE_TURN_LIMIT,
    parameter LookAhead      = `EVG_FE_LOOK_AHEAD,
    parameter LineBits       = 32,
    parameter IdBits         = `EVG_FE_ID_BITS,
    parameter ErrorBits      = 32
) (
    input  wire        clk_i,
    input  wire        rst_i,
    // Requests, from the L2 slice and the host port
    input  wire        req_valid_i,
    input  wire [LineBits-1:0] req_line_i,
    input  wire [LineBytes/`EVG_FE_WORD_BYTES-1:0] req_mask_i,
    input  wire [1:0]  req_trigger_i,
    input  wire [1:0]  req_action_i,
    input  wire        req_source_i,
    input  wire        req_write_i,
    input  wire [IdBits-1:0] req_id_i,
    output wire [2:0]  req_ready_o,
    // Memory channel
    output wire        dram_valid_o,
    output wire [LineBits-1:0] dram_line_o,
    output wire [LineBytes/`EVG_FE_WORD_BYTES-1:0] dram_mask_o,
    output wire        dram_source_o,
    output wire        dram_write_o,
    output wire [IdBits-1:0] dram_id_o,
    output wire [ReplyDepthLog2+1:0] dram_tag_o,
    input  wire        dram_ready_i,
    input  wire        answer_valid_i,
    input  wire [ReplyDepthLog2+1:0] answer_tag_i,
    // Replies
    output wire        rsp_valid_o,
    output wire [IdBits-1:0] rsp_id_o,
    output wire        rsp_source_o,
    output wire [1:0]  rsp_status_o,
    output wire [1:0]  rsp_queue_o,
    input  wire        rsp_ready_i,
    // Registers of the scheduler
    input  wire        reg_valid_i,
    input  wire        reg_write_i,
    input  wire [4:0]  reg_addr_i,
    input  wire [31:0] reg_data_i,
    output wire        reg_ack_o,
    output wire [31:0] reg_data_o,
    output wire        irq_o,
    // Stall counters, for concurrency_unit
    input  wire        mc_valid_i,
    input  wire        mc_ready_i,
    input  wire        net_valid_i,
    input  wire        net_ready_i,
    input  wire        stall_read_i,
    output wire [9:0]  stall_mc_o,
    output wire [9:0]  stall_net_o,
    // For waveforms, the watchdog and quiescence
    output wire [8:0]  head_state_o,
    output wire [2:0]  range_state_o,
    output wire        idle_o
);

    wire scheduler_quiet;

`ifdef EVG_COUNTERS_ALONE
    localparam HasScheduler = 0;
    assign {req_ready_o, dram_valid_o, dram_line_o, dram_mask_o, dram_source_o, dram_write_o, dram_id_o,
            dram_tag_o, rsp_valid_o, rsp_id_o, rsp_source_o, rsp_status_o, rsp_queue_o, reg_ack_o, reg_data_o,
            irq_o, head_state_o, range_state_o} = 0;
    assign scheduler_quiet = 1'b1;
    wire unused = &{1'b0, req_line_i, req_mask_i, req_trigger_i, req_action_i, req_source_i, req_write_i,
                    req_id_i, dram_ready_i, answer_tag_i, rsp_ready_i, reg_write_i, reg_addr_i, reg_data_i};
`else
    localparam HasScheduler = 1;
    fe_dram_scheduler #(
        .LineBytes(LineBytes), .GrainBytes(GrainBytes), .PartLines(PartLines),
        .RegionBase(RegionBase), .RegionLines(RegionLines),
        .QueueDepth(QueueDepth), .QueueDepthLog2(QueueDepthLog2), .TurnLimit(TurnLimit),
        .LookAhead(LookAhead), .ReplyDepth(ReplyDepth), .ReplyDepthLog2(ReplyDepthLog2),
        .LineBits(LineBits), .IdBits(IdBits), .ErrorBits(ErrorBits)
    ) u_scheduler (
        .clk_i(clk_i), .rst_i(rst_i), .req_valid_i(req_valid_i), .req_line_i(req_line_i),
        .req_mask_i(req_mask_i), .req_trigger_i(req_trigger_i), .req_action_i(req_action_i),
        .req_source_i(req_source_i), .req_write_i(req_write_i), .req_id_i(req_id_i),
        .req_ready_o(req_ready_o), .dram_valid_o(dram_valid_o), .dram_line_o(dram_line_o),
        .dram_mask_o(dram_mask_o), .dram_source_o(dram_source_o), .dram_write_o(dram_write_o),
        .dram_id_o(dram_id_o), .dram_tag_o(dram_tag_o), .dram_ready_i(dram_ready_i),
        .answer_valid_i(answer_valid_i), .answer_tag_i(answer_tag_i), .rsp_valid_o(rsp_valid_o),
        .rsp_id_o(rsp_id_o), .rsp_source_o(rsp_source_o), .rsp_status_o(rsp_status_o),
        .rsp_queue_o(rsp_queue_o), .rsp_ready_i(rsp_ready_i), .reg_valid_i(reg_valid_i),
        .reg_write_i(reg_write_i), .reg_addr_i(reg_addr_i), .reg_data_i(reg_data_i),
        .reg_ack_o(reg_ack_o), .reg_data_o(reg_data_o), .irq_o(irq_o),
        .head_state_o(head_state_o), .range_state_o(range_state_o), .quiet_o(scheduler_quiet)
    );
`endif

    generate
        if (Scheduler != HasScheduler) begin : g_check
            mem_frontend_without_scheduler_is_for_simulation check_parameters ();
        end
    endgenerate

    mem_stall_monitor u_monitor (
        .clk_i(clk_i), .rst_i(rst_i), .mc_valid_i(mc_valid_i), .mc_ready_i(mc_ready_i),
        .net_valid_i(net_valid_i), .net_ready_i(net_ready_i), .read_i(stall_read_i),
        .stall_mc_o(stall_mc_o), .stall_net_o(stall_net_o)
    );

    wire stall = (mc_valid_i && !mc_ready_i) || (net_valid_i && !net_ready_i);

    reg idle_q;
    always @(posedge clk_i)
        idle_q <= !rst_i && scheduler_quiet && !req_valid_i && !answer_valid_i && !reg_valid_i &&
                  !stall_read_i && !stall;

    assign idle_o = idle_q;

endmodule

`default_nettype wire
