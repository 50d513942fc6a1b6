// SPDX-License-Identifier: Apache-2.0
// axi_frontend: gpu_frontend for a design with AXI: doorbells, commands, configuration, counters and
// an interrupt behind an AXI4-Lite slave, completion pointers and flags through an AXI4 master.
//
// Contract
// - Ports as in rtl/evgpu.def; those towards the cores are gpu_frontend's. Every output is a register.
//   The bus: axil_slave, axi_master.
// - Addresses of the slave: with bit 17 low they are the doorbell region, a page of DOORBELL_PAGE bytes per
//   row; with bit 17 high the registers of docs/design/registers.md. A device's window ends below bit 17.
// - A write to the doorbell region is a doorbell of as many bytes as s_wstrb_i has, from the lowest one
//   on, by the requester s_awuser_i; without a byte it is none. It is answered with OKAY, whatever
//   doorbell_decoder thinks of it: a device need not know. A read gives 0 and OKAY.
// - A word that is no register answers SLVERR. So does a write to a register of a command from its go to its
//   answer; it changes nothing.
// - Command: its registers, then COMMAND with go; RESULT.busy until it is answered, then
//   IRQ_STATUS.command. A command waits in front of gpu_frontend as its contract says.
// - IRQ_STATUS remembers; irq_o is the level of what of it IRQ_ENABLE has, two cycles after the event.
// - Latency: a doorbell reaches gpu_frontend a cycle after its address and data are taken; one per cycle.
// - idle_o: nothing is inside and nothing is offered, one cycle ago. Events may be running in the cores.
`default_nettype none
`include "evgpu_defs.vh"
`include "axi_regs.vh"

module axi_frontend (
    input  wire         clk_i,
    input  wire         rst_i,
    // AXI4-Lite slave
    input  wire         s_awvalid_i,
    input  wire [17:0]  s_awaddr_i,
    input  wire [15:0]  s_awuser_i,
    input  wire         s_wvalid_i,
    input  wire [31:0]  s_wdata_i,
    input  wire [3:0]   s_wstrb_i,
    input  wire         s_bready_i,
    input  wire         s_arvalid_i,
    input  wire [17:0]  s_araddr_i,
    input  wire         s_rready_i,
    // AXI4 master
    input  wire         m_arready_i,
    input  wire         m_rvalid_i,
    input  wire [4:0]   m_rid_i,
    input  wire [63:0]  m_rdata_i,
    input  wire [1:0]   m_rresp_i,
    input  wire         m_awready_i,
    input  wire         m_wready_i,
    input  wire         m_bvalid_i,
    input  wire [1:0]   m_bresp_i,
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
    // AXI4-Lite slave
    output wire         s_awready_o,
    output wire         s_wready_o,
    output wire         s_bvalid_o,
    output wire [1:0]   s_bresp_o,
    output wire         s_arready_o,
    output wire         s_rvalid_o,
    output wire [31:0]  s_rdata_o,
    output wire [1:0]   s_rresp_o,
    // AXI4 master
    output wire         m_arvalid_o,
    output wire [4:0]   m_arid_o,
    output wire [63:0]  m_araddr_o,
    output wire [7:0]   m_arlen_o,
    output wire [2:0]   m_arsize_o,
    output wire [1:0]   m_arburst_o,
    output wire         m_rready_o,
    output wire         m_awvalid_o,
    output wire [4:0]   m_awid_o,
    output wire [63:0]  m_awaddr_o,
    output wire [7:0]   m_awlen_o,
    output wire [2:0]   m_awsize_o,
    output wire [1:0]   m_awburst_o,
    output wire         m_wvalid_o,
    output wire [63:0]  m_wdata_o,
    output wire [7:0]   m_wstrb_o,
    output wire         m_wlast_o,
    output wire         m_bready_o,
    // Interrupt
    output reg          irq_o,
    // Abort: the event that is to end
    output wire         ab_valid_o,
    output wire [4:0]   ab_row_o,
    output wire [63:0]  ab_param_o,
    // Accepted doorbell writes
    output wire         acc_valid_o,
    output wire [4:0]   acc_row_o,
    output wire [15:0]  acc_tag_o,
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
    // Cores kept for events
    output wire [5:0]   keep_cores_o,
    // Quiescence
    output reg          idle_o
);

    localparam IndexBits = `EVG_AXI_REGS_INDEX_BITS;
    localparam Words     = 1 << IndexBits;
    localparam Bits      = 32 << IndexBits;

    // --- The slave's accesses ------------------------------------------------------------------------
    wire        write, write_error, read, read_error;
    wire [15:0] write_word, read_word, write_user;
    wire [31:0] write_data, read_data;
    wire [3:0]  write_strobe;
    wire        slave_quiet;

    axil_slave #(
        .AddressBits(18),
        .UserBits(16)
    ) u_slave (
        .clk_i(clk_i), .rst_i(rst_i),
        .s_awvalid_i(s_awvalid_i), .s_awaddr_i(s_awaddr_i), .s_awuser_i(s_awuser_i),
        .s_awready_o(s_awready_o), .s_wvalid_i(s_wvalid_i), .s_wdata_i(s_wdata_i),
        .s_wstrb_i(s_wstrb_i), .s_wready_o(s_wready_o), .s_bvalid_o(s_bvalid_o),
        .s_bresp_o(s_bresp_o), .s_bready_i(s_bready_i), .s_arvalid_i(s_arvalid_i),
        .s_araddr_i(s_araddr_i), .s_arready_o(s_arready_o), .s_rvalid_o(s_rvalid_o),
        .s_rdata_o(s_rdata_o), .s_rresp_o(s_rresp_o), .s_rready_i(s_rready_i),
        .write_o(write), .write_word_o(write_word), .write_user_o(write_user),
        .write_data_o(write_data), .write_strobe_o(write_strobe), .write_error_i(write_error),
        .read_o(read), .read_word_o(read_word), .read_data_i(read_data), .read_error_i(read_error),
        .quiet_o(slave_quiet)
    );

    // Bit 15 of the word is bit 17 of the address.
    wire write_register = write_word[15];
    wire read_register  = read_word[15];
    wire write_outside  = |write_word[14:IndexBits]; // of the map, if it is a register
    wire read_outside   = |read_word[14:IndexBits];
    wire unused_read    = &{1'b0, read};             // reads have no effect

    // --- Doorbells -----------------------------------------------------------------------------------
    wire       ring = write && !write_register && write_strobe != 4'd0;
    reg  [1:0] first; // byte of the word
    always @*
        casez (write_strobe)
            4'b???1: first = 2'd0;
            4'b??10: first = 2'd1;
            4'b?100: first = 2'd2;
            default: first = 2'd3;
        endcase
    wire [3:0] ring_size = {3'd0, write_strobe[0]} + {3'd0, write_strobe[1]} +
                           {3'd0, write_strobe[2]} + {3'd0, write_strobe[3]};

    // --- Registers -----------------------------------------------------------------------------------
    wire [Bits-1:0]  value;
    reg  [Bits-1:0]  show, set;
    wire [Words-1:0] locked;
    wire             unused_value = &{1'b0, value};
    wire             bank_write_error, bank_read_error;
    wire [31:0]      bank_data;

    register_bank #(
        .IndexBits(IndexBits),
        .Mapped(`EVG_AXI_REGS_MAPPED),
        .Stored(`EVG_AXI_REGS_STORED),
        .Cleared(`EVG_AXI_REGS_CLEARED),
        .Pulsed(`EVG_AXI_REGS_PULSED),
        .Shown(`EVG_AXI_REGS_SHOWN),
        .Reset(`EVG_AXI_REGS_RESET)
    ) u_bank (
        .clk_i(clk_i), .rst_i(rst_i),
        .write_i(write && write_register && !write_outside), .write_index_i(write_word[IndexBits-1:0]),
        .write_data_i(write_data), .write_strobe_i(write_strobe), .write_error_o(bank_write_error),
        .read_index_i(read_word[IndexBits-1:0]), .read_data_o(bank_data),
        .read_error_o(bank_read_error), .locked_i(locked), .show_i(show), .set_i(set),
        .value_o(value)
    );

    assign write_error = write_register && (write_outside || bank_write_error);
    assign read_error  = read_register && (read_outside || bank_read_error);
    assign read_data   = read_register && !read_outside ? bank_data : 32'd0;

    // --- Commands ------------------------------------------------------------------------------------
    wire       go = value[`EVG_AXI_COMMAND_GO];
    wire       cmd_ready, rsp_valid, freed_valid;
    wire [2:0] rsp_code;
    wire [4:0] rsp_row, freed_row;
    reg        offered_q; // to gpu_frontend, not taken
    reg        busy_q;    // not answered
    reg  [2:0] code_q;
    reg  [4:0] row_q;
    wire       busy = go || busy_q;

    always @(posedge clk_i) begin
        if (rst_i) begin
            offered_q <= 1'b0;
            busy_q    <= 1'b0;
            code_q    <= 3'd0;
            row_q     <= 5'd0;
        end else begin
            offered_q <= go || (offered_q && !cmd_ready);
            busy_q    <= go || (busy_q && !rsp_valid);
            if (rsp_valid) begin
                code_q <= rsp_code;
                row_q  <= rsp_row;
            end
        end
    end

    // --- What the registers show, and what sets their bits --------------------------------------------
    wire        pw_bad, written, bus_error, front_idle, master_quiet;
    wire [1:0]  pw_why;
    wire [3:0]  levels;
    wire [15:0] pw_tag;
    wire [63:0] pw_addr;
    wire [31:0] accepted, completed, flags, bus_errors;
    wire [31:0] unregistered, foreign, misaligned, bad_size, overrun;
    wire [31:0] bad_pointer, no_answer, timed_out, silent;
    reg  [15:0] lost_tag_q;
    reg  [1:0]  lost_why_q;
    reg  [63:0] lost_addr_q;
    reg         refused_q;
    wire        quiet   = front_idle && master_quiet && !busy; // but for the slave
    wire        refused = |{unregistered, foreign, misaligned, bad_size, overrun};

    always @(posedge clk_i) begin
        if (pw_bad) begin
            lost_tag_q  <= pw_tag;
            lost_why_q  <= pw_why;
            lost_addr_q <= pw_addr;
        end
        if (rst_i) begin
            lost_tag_q  <= 16'd0;
            lost_why_q  <= 2'd0;
            lost_addr_q <= 64'd0;
        end
        refused_q <= !rst_i && refused;
        irq_o     <= !rst_i && |{value[`EVG_AXI_IRQ_STATUS_COMMAND] & value[`EVG_AXI_IRQ_ENABLE_COMMAND],
                                 value[`EVG_AXI_IRQ_STATUS_FREED] & value[`EVG_AXI_IRQ_ENABLE_FREED],
                                 value[`EVG_AXI_IRQ_STATUS_DOORBELL] & value[`EVG_AXI_IRQ_ENABLE_DOORBELL],
                                 value[`EVG_AXI_IRQ_STATUS_FLAG] & value[`EVG_AXI_IRQ_ENABLE_FLAG],
                                 value[`EVG_AXI_IRQ_STATUS_BUS] & value[`EVG_AXI_IRQ_ENABLE_BUS]};
        idle_o    <= rst_i || (slave_quiet && quiet && !done_valid_i);
    end

    genvar w;
    generate
        for (w = 0; w < Words; w = w + 1) begin : g_locked
            assign locked[w] = busy && (w == `EVG_AXI_COMMAND_INDEX ||
                                        (w >= `EVG_AXI_OWNER_INDEX && w <= `EVG_AXI_BLOCK_Z_INDEX));
        end
    endgenerate

    always @* begin
        show = {Bits{1'b0}};
        show[`EVG_AXI_RESULT_BUSY] = busy;
        show[`EVG_AXI_RESULT_CODE] = code_q;
        show[`EVG_AXI_RESULT_ROW] = row_q;
        show[`EVG_AXI_STATUS_IDLE] = quiet;
        show[`EVG_AXI_STATUS_LEVELS] = levels;
        show[`EVG_AXI_STATUS_KEEP_CORES] = keep_cores_o;
        show[`EVG_AXI_LOST_TAG] = lost_tag_q;
        show[`EVG_AXI_LOST_WHY] = lost_why_q;
        show[`EVG_AXI_LOST_ADDR_LO_VALUE] = lost_addr_q[31:0];
        show[`EVG_AXI_LOST_ADDR_HI_VALUE] = lost_addr_q[63:32];
        show[`EVG_AXI_ACCEPTED_COUNT] = accepted;
        show[`EVG_AXI_COMPLETED_COUNT] = completed;
        show[`EVG_AXI_FLAGS_COUNT] = flags;
        show[`EVG_AXI_BUS_ERRORS_COUNT] = bus_errors;
        show[`EVG_AXI_UNREGISTERED_COUNT] = unregistered;
        show[`EVG_AXI_FOREIGN_COUNT] = foreign;
        show[`EVG_AXI_MISALIGNED_COUNT] = misaligned;
        show[`EVG_AXI_BAD_SIZE_COUNT] = bad_size;
        show[`EVG_AXI_OVERRUN_COUNT] = overrun;
        show[`EVG_AXI_BAD_POINTER_COUNT] = bad_pointer;
        show[`EVG_AXI_NO_ANSWER_COUNT] = no_answer;
        show[`EVG_AXI_TIMED_OUT_COUNT] = timed_out;
        show[`EVG_AXI_SILENT_COUNT] = silent;
        set = {Bits{1'b0}};
        set[`EVG_AXI_IRQ_STATUS_COMMAND] = rsp_valid;
        set[`EVG_AXI_IRQ_STATUS_FREED] = freed_valid;
        set[`EVG_AXI_IRQ_STATUS_DOORBELL] = refused && !refused_q;
        set[`EVG_AXI_IRQ_STATUS_FLAG] = pw_bad;
        set[`EVG_AXI_IRQ_STATUS_BUS] = bus_error;
        set[`EVG_AXI_FREED_ROWS] = freed_valid ? 32'd1 << freed_row : 32'd0;
    end

    wire clear = value[`EVG_AXI_CLEAR_COUNTERS];
    saturating_counter #(.Width(32)) u_accepted (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .count_i(acc_valid_o), .value_o(accepted));
    saturating_counter #(.Width(32)) u_completed (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .count_i(done_valid_i && done_ready_o),
        .value_o(completed));
    saturating_counter #(.Width(32)) u_flags (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .count_i(written), .value_o(flags));
    saturating_counter #(.Width(32)) u_bus_errors (
        .clk_i(clk_i), .rst_i(rst_i), .clear_i(clear), .count_i(bus_error), .value_o(bus_errors));

    // --- The front end, and its memory accesses ------------------------------------------------------
    wire        mr_valid, mr_ready, mr_rsp_valid, mr_rsp_error, pw_valid, pw_ready;
    wire [63:0] mr_addr, mr_rsp_data;
    wire [4:0]  mr_tag, mr_rsp_tag;
    wire [31:0] pw_data;

    gpu_frontend u_frontend (
        .clk_i(clk_i),
        .rst_i(rst_i),
        .wr_valid_i(ring),
        .wr_addr_i({15'd0, write_word[14:0], first}),
        .wr_size_i(ring_size),
        .wr_rid_i(write_user),
        .cmd_valid_i(offered_q),
        .cmd_op_i(value[`EVG_AXI_COMMAND_OP]),
        .cmd_row_i(value[`EVG_AXI_COMMAND_ROW]),
        .cmd_rid_i(value[`EVG_AXI_OWNER_RID]),
        .cmd_kernel_i({value[`EVG_AXI_KERNEL_HI_REGS], value[`EVG_AXI_KERNEL_HI_VALUE], value[`EVG_AXI_KERNEL_LO_VALUE]}),
        .cmd_base_i({value[`EVG_AXI_BASE_HI_VALUE], value[`EVG_AXI_BASE_LO_VALUE]}),
        .cmd_size_i({value[`EVG_AXI_SIZE_HI_VALUE], value[`EVG_AXI_SIZE_LO_VALUE]}),
        .cmd_last_i({value[`EVG_AXI_LAST_HI_VALUE], value[`EVG_AXI_LAST_LO_VALUE]}),
        .cmd_dims_i({value[`EVG_AXI_BLOCK_Z_VALUE], value[`EVG_AXI_BLOCK_Y_VALUE], value[`EVG_AXI_BLOCK_X_VALUE], value[`EVG_AXI_GRID_Z_VALUE], value[`EVG_AXI_GRID_Y_VALUE], value[`EVG_AXI_GRID_X_VALUE]}),
        .cmd_shared_i(value[`EVG_AXI_SHARED_BYTES]),
        .cmd_priority_i(value[`EVG_AXI_OWNER_PRIORITY]),
        .cmd_flag_first_i({value[`EVG_AXI_FLAG_FIRST_HI_VALUE], value[`EVG_AXI_FLAG_FIRST_LO_VALUE]}),
        .cmd_flag_last_i({value[`EVG_AXI_FLAG_LAST_HI_VALUE], value[`EVG_AXI_FLAG_LAST_LO_VALUE]}),
        .cfg_core_groups_i(value[`EVG_AXI_MODE_CORE_GROUPS]),
        .cfg_core_mask_i({value[`EVG_AXI_CORES_HI_MASK], value[`EVG_AXI_CORES_LO_MASK]}),
        .cfg_mode_i(value[`EVG_AXI_MODE_MODE]),
        .cfg_keep_most_i(value[`EVG_AXI_MODE_KEEP_MOST]),
        .cfg_keep_shift_i(value[`EVG_AXI_MODE_KEEP_SHIFT]),
        .cfg_keep_patience_i(value[`EVG_AXI_KEEP_PATIENCE]),
        .cfg_flag_limit_i(value[`EVG_AXI_FLAG_LIMIT_EDGES]),
        .stat_valid_i(stat_valid_i),
        .stat_group_i(stat_group_i),
        .stat_occupancy_i(stat_occupancy_i),
        .stat_victims_i(stat_victims_i),
        .stat_busy_i(stat_busy_i),
        .stat_free_i(stat_free_i),
        .stat_fits_i(stat_fits_i),
        .stat_kept_i(stat_kept_i),
        .stat_levels_i(stat_levels_i),
        .ab_hit_i(ab_hit_i),
        .ev_ack_i(ev_ack_i),
        .big_ready_i(big_ready_i),
        .done_valid_i(done_valid_i),
        .done_row_i(done_row_i),
        .done_param_i(done_param_i),
        .done_tag_i(done_tag_i),
        .done_aborted_i(done_aborted_i),
        .mr_ready_i(mr_ready),
        .mr_rsp_valid_i(mr_rsp_valid),
        .mr_rsp_tag_i(mr_rsp_tag),
        .mr_rsp_error_i(mr_rsp_error),
        .mr_rsp_data_i(mr_rsp_data),
        .pw_ready_i(pw_ready),
        .err_clear_i(clear),
        .cmd_ready_o(cmd_ready),
        .rsp_valid_o(rsp_valid),
        .rsp_code_o(rsp_code),
        .rsp_row_o(rsp_row),
        .freed_valid_o(freed_valid),
        .freed_row_o(freed_row),
        .ab_valid_o(ab_valid_o),
        .ab_row_o(ab_row_o),
        .ab_param_o(ab_param_o),
        .acc_valid_o(acc_valid_o),
        .acc_row_o(acc_row_o),
        .acc_tag_o(acc_tag_o),
        .err_unregistered_o(unregistered),
        .err_misaligned_o(misaligned),
        .err_size_o(bad_size),
        .err_foreign_o(foreign),
        .err_overrun_o(overrun),
        .err_pointer_o(bad_pointer),
        .err_answer_o(no_answer),
        .err_timeout_o(timed_out),
        .err_silent_o(silent),
        .stat_req_o(stat_req_o),
        .stat_req_group_o(stat_req_group_o),
        .stat_req_regs_o(stat_req_regs_o),
        .ev_valid_o(ev_valid_o),
        .ev_core_o(ev_core_o),
        .ev_kernel_o(ev_kernel_o),
        .ev_param_o(ev_param_o),
        .ev_mask_o(ev_mask_o),
        .ev_dims_o(ev_dims_o),
        .ev_regs_o(ev_regs_o),
        .ev_row_o(ev_row_o),
        .ev_tag_o(ev_tag_o),
        .ev_priority_o(ev_priority_o),
        .big_valid_o(big_valid_o),
        .big_kernel_o(big_kernel_o),
        .big_param_o(big_param_o),
        .big_dims_o(big_dims_o),
        .big_shared_o(big_shared_o),
        .big_regs_o(big_regs_o),
        .big_row_o(big_row_o),
        .big_tag_o(big_tag_o),
        .big_priority_o(big_priority_o),
        .done_ready_o(done_ready_o),
        .mr_valid_o(mr_valid),
        .mr_addr_o(mr_addr),
        .mr_tag_o(mr_tag),
        .pw_valid_o(pw_valid),
        .pw_bad_o(pw_bad),
        .pw_why_o(pw_why),
        .pw_addr_o(pw_addr),
        .pw_data_o(pw_data),
        .pw_tag_o(pw_tag),
        .keep_cores_o(keep_cores_o),
        .levels_o(levels),
        .idle_o(front_idle)
    );

    axi_master u_master (
        .clk_i(clk_i), .rst_i(rst_i),
        .mr_valid_i(mr_valid), .mr_addr_i(mr_addr), .mr_tag_i(mr_tag), .mr_ready_o(mr_ready),
        .mr_rsp_valid_o(mr_rsp_valid), .mr_rsp_tag_o(mr_rsp_tag), .mr_rsp_error_o(mr_rsp_error),
        .mr_rsp_data_o(mr_rsp_data), .pw_valid_i(pw_valid), .pw_addr_i(pw_addr),
        .pw_data_i(pw_data), .pw_ready_o(pw_ready), .written_o(written), .error_o(bus_error),
        .m_arvalid_o(m_arvalid_o), .m_arid_o(m_arid_o), .m_araddr_o(m_araddr_o),
        .m_arlen_o(m_arlen_o), .m_arsize_o(m_arsize_o), .m_arburst_o(m_arburst_o),
        .m_arready_i(m_arready_i), .m_rvalid_i(m_rvalid_i), .m_rid_i(m_rid_i),
        .m_rdata_i(m_rdata_i), .m_rresp_i(m_rresp_i), .m_rready_o(m_rready_o),
        .m_awvalid_o(m_awvalid_o), .m_awid_o(m_awid_o), .m_awaddr_o(m_awaddr_o),
        .m_awlen_o(m_awlen_o), .m_awsize_o(m_awsize_o), .m_awburst_o(m_awburst_o),
        .m_awready_i(m_awready_i), .m_wvalid_o(m_wvalid_o), .m_wdata_o(m_wdata_o),
        .m_wstrb_o(m_wstrb_o), .m_wlast_o(m_wlast_o), .m_wready_i(m_wready_i),
        .m_bvalid_i(m_bvalid_i), .m_bresp_i(m_bresp_i), .m_bready_o(m_bready_o),
        .quiet_o(master_quiet)
    );

`ifdef FORMAL
`include "properties/axi_frontend.fv.vh"
`endif

endmodule

`default_nettype wire
