// SPDX-License-Identifier: Apache-2.0
// Properties of fe_registers, included at its end under FORMAL (docs/design/proofs.md).

    // Proved of this module alone: its users need nothing of it.
`ifdef FORMAL_TOP_fe_registers
`define EVG_ALONE
`endif
`ifndef YOSYS
`define EVG_ALONE
`endif
`ifdef EVG_ALONE
    // The registers as the contract has them, out of the ports alone
    reg                              f_live = 1'b0; // there has been a reset
    reg                              f_override, f_clear, f_settled, f_start, f_release, f_report;
    reg [31:0]                       f_first, f_last;
    reg [95:0]                       f_limit, f_age;
    reg [2:0]                        f_here, f_old, f_told; // second cycle at the head, waits too long, reported
    reg [LineBits-1:0]               f_region, f_line;
    reg [`EVG_FE_CODE_WIDTH-1:0]     f_code;
    reg [`EVG_FE_COMMAND_WIDTH-1:0]  f_op;
    reg [ErrorBits-1:0]              f_errors, f_lost;
    reg [Words-1:0]                  f_mask;
    reg [InfoBits-1:0]               f_info;
    reg [31:0]                       f_report_age;
    reg                              f_ack, f_read;  // f_read: there has been one
    reg [31:0]                       f_data, f_value; // shown, to be shown

    wire        f_write = reg_valid_i && reg_write_i;
    wire        f_order = f_write && reg_addr_i == `EVG_FE_REG_COMMAND;
    wire        f_base  = f_write && reg_addr_i == `EVG_FE_REG_REGION_BASE;
    wire        f_free  = f_write && reg_addr_i == `EVG_FE_REG_STATUS && (reg_data_i & `EVG_FE_STATUS_REPORT) != 0;
    wire        f_fits  = !f_settled && reg_data_i[RowBits-1:0] == 0 && {1'b0, reg_data_i} < 33'd1 << LineBits;
    wire        f_busy  = range_busy_i || f_start;
    wire [`EVG_FE_COMMAND_WIDTH-1:0] f_what = reg_data_i[`EVG_FE_COMMAND_WIDTH-1:0];
    wire        f_all   = f_what == `EVG_FE_COMMAND_RELEASE;
    wire [2:0]  f_timed = {f_limit[95:64] != 0, f_limit[63:32] != 0, f_limit[31:0] != 0};
    wire [2:0]  f_late  = f_here & f_timed & f_old & ~f_told;
    wire [1:0]  f_which = f_late[0] ? 2'd0 : f_late[1] ? 2'd1 : 2'd2;
    wire        f_take  = f_late != 0 && !f_report;
    integer     f_g;

    reg [`EVG_FE_CODE_WIDTH-1:0] f_verdict;
    always @*
        if (reg_data_i[31:`EVG_FE_COMMAND_WIDTH] != 0 ||
            (f_what != `EVG_FE_COMMAND_FILL && f_what != `EVG_FE_COMMAND_EMPTY &&
             f_what != `EVG_FE_COMMAND_CLEAR && f_what != `EVG_FE_COMMAND_RELEASE))
            f_verdict = `EVG_FE_CODE_BAD_COMMAND;
        else if (f_what == `EVG_FE_COMMAND_CLEAR ? !f_clear : !f_override)
            f_verdict = `EVG_FE_CODE_OFF;
        else if (!f_all && f_busy)
            f_verdict = `EVG_FE_CODE_BUSY;
        else if (!f_all && (f_first > f_last || f_last >= Lines * Words))
            f_verdict = `EVG_FE_CODE_BAD_RANGE;
        else
            f_verdict = `EVG_FE_CODE_OK;

    always @* begin
        f_value = 32'd0;
        case (reg_addr_i)
        `EVG_FE_REG_CONTROL:
            f_value = (f_override ? `EVG_FE_CONTROL_OVERRIDE : 0) + (f_clear ? `EVG_FE_CONTROL_CLEAR : 0);
        `EVG_FE_REG_STATUS:
            f_value = (f_busy ? `EVG_FE_STATUS_RANGE : 0) + (releasing_i || f_release ? `EVG_FE_STATUS_RELEASE : 0) +
                      (f_report ? `EVG_FE_STATUS_REPORT : 0) + (f_settled ? `EVG_FE_STATUS_BASE : 0) +
                      ({{32 - `EVG_FE_CODE_WIDTH{1'b0}}, f_code} << `EVG_FE_STATUS_CODE);
        `EVG_FE_REG_FIRST:        f_value = f_first;
        `EVG_FE_REG_LAST:         f_value = f_last;
        `EVG_FE_REG_TIMEOUT_NON:  f_value = f_limit[32*`EVG_FE_QUEUE_NON+:32];
        `EVG_FE_REG_TIMEOUT_CPU:  f_value = f_limit[32*`EVG_FE_QUEUE_CPU+:32];
        `EVG_FE_REG_TIMEOUT_GPU:  f_value = f_limit[32*`EVG_FE_QUEUE_GPU+:32];
        `EVG_FE_REG_REPORT_LINE:  if (f_report) f_value[LineBits-1:0] = f_line;
        `EVG_FE_REG_REPORT_MASK:  if (f_report) f_value[Words-1:0] = f_mask;
        `EVG_FE_REG_REPORT_AGE:   if (f_report) f_value = f_report_age;
        `EVG_FE_REG_REPORT_INFO:  if (f_report) f_value[InfoBits-1:0] = f_info;
        `EVG_FE_REG_ERRORS:       f_value[ErrorBits-1:0] = f_errors;
        `EVG_FE_REG_LOST:         f_value[ErrorBits-1:0] = f_lost;
        `EVG_FE_REG_REGION_BASE:  f_value[LineBits-1:0] = f_region;
        `EVG_FE_REG_REGION_LINES: f_value = Lines;
        `EVG_FE_REG_LINE_BYTES:   f_value = Words * `EVG_FE_WORD_BYTES;
        `EVG_FE_REG_GRAIN_BYTES:  f_value = GrainWords * `EVG_FE_WORD_BYTES;
        `EVG_FE_REG_LOOK_AHEAD:   f_value = LookAhead;
        default: ;
        endcase
    end

    always @(posedge clk_i)
        if (rst_i) begin
            f_live <= 1'b1;
            {f_override, f_clear, f_settled, f_start, f_release, f_report, f_ack} <= 7'd0;
            {f_first, f_last}       <= 64'd0;
            {f_limit, f_age}        <= 192'd0;
            {f_here, f_old, f_told} <= 9'd0;
            f_errors <= {ErrorBits{1'b0}};
            f_lost   <= {ErrorBits{1'b0}};
            f_region <= RegionBase[LineBits-1:0];
            f_code   <= `EVG_FE_CODE_OK;
        end else begin
            f_ack <= reg_valid_i;
            if (f_write)
                case (reg_addr_i)
                `EVG_FE_REG_CONTROL: begin
                    f_override <= (reg_data_i & `EVG_FE_CONTROL_OVERRIDE) != 0;
                    f_clear    <= (reg_data_i & `EVG_FE_CONTROL_CLEAR) != 0;
                end
                `EVG_FE_REG_FIRST:       f_first <= reg_data_i;
                `EVG_FE_REG_LAST:        f_last  <= reg_data_i;
                `EVG_FE_REG_TIMEOUT_NON: f_limit[32*`EVG_FE_QUEUE_NON+:32] <= reg_data_i;
                `EVG_FE_REG_TIMEOUT_CPU: f_limit[32*`EVG_FE_QUEUE_CPU+:32] <= reg_data_i;
                `EVG_FE_REG_TIMEOUT_GPU: f_limit[32*`EVG_FE_QUEUE_GPU+:32] <= reg_data_i;
                default: ;
                endcase
            f_settled <= f_settled || taken_i || (f_base && f_fits);
            if (f_base && f_fits)
                f_region <= reg_data_i[LineBits-1:0];
            if (f_base)
                f_code <= f_fits ? `EVG_FE_CODE_OK : `EVG_FE_CODE_BAD_BASE;
            if (f_order) begin
                f_code <= f_verdict;
                f_op   <= f_what;
            end
            f_start   <= f_order && f_verdict == `EVG_FE_CODE_OK && !f_all;
            f_release <= f_order && f_verdict == `EVG_FE_CODE_OK && f_all;
            // An error in the cycle of the write is the first one after it.
            if (f_write && reg_addr_i == `EVG_FE_REG_ERRORS)
                f_errors <= {{ErrorBits - 1{1'b0}}, error_i};
            else if (error_i && f_errors != {ErrorBits{1'b1}})
                f_errors <= f_errors + 1'b1;
            if (f_write && reg_addr_i == `EVG_FE_REG_LOST)
                f_lost <= {{ErrorBits - 1{1'b0}}, GrainWords != 1 && lost_i};
            else if (lost_i && f_lost != {ErrorBits{1'b1}} && GrainWords != 1)
                f_lost <= f_lost + 1'b1;
            // A head's age counts its cycles, and stops at its highest value.
            f_here <= head_valid_i & ~head_leaves_i;
            for (f_g = 0; f_g < 3; f_g = f_g + 1) begin
                f_old[f_g] <= f_here[f_g] && f_timed[f_g] && f_age[32*f_g+:32] >= f_limit[32*f_g+:32];
                if (!f_here[f_g] || !f_timed[f_g]) begin
                    f_age[32*f_g+:32] <= 32'd0;
                    f_told[f_g]       <= 1'b0;
                end else begin
                    if (f_age[32*f_g+:32] != 32'hffff_ffff)
                        f_age[32*f_g+:32] <= f_age[32*f_g+:32] + 32'd1;
                    if (f_take && f_which == f_g[1:0])
                        f_told[f_g] <= 1'b1;
                end
            end
            f_report <= f_take || (f_report && !f_free);
            if (f_take) begin
                f_line       <= head_line_i[LineBits*f_which+:LineBits];
                f_mask       <= head_mask_i[Words*f_which+:Words];
                f_info       <= head_info_i[InfoBits*f_which+:InfoBits];
                f_report_age <= f_age[32*f_which+:32];
            end
        end

    always @(posedge clk_i)
        if (reg_valid_i && !reg_write_i) begin
            f_read <= f_live;
            f_data <= f_value;
        end else if (!f_live)
            f_read <= 1'b0;

    always @*
        if (f_live) begin
            assert (reg_ack_o == f_ack && irq_o == f_report);
            if (f_read)
                assert (reg_data_o == f_data);
            assert (range_start_o == f_start && release_o == f_release);
            if (range_start_o)
                assert (range_command_o == f_op && f_first[31:RowBits+WordBits] == 0 && f_last[31:RowBits+WordBits] == 0 &&
                        range_first_o == f_first[RowBits+WordBits-1:0] && range_last_o == f_last[RowBits+WordBits-1:0] &&
                        range_first_o <= range_last_o && f_last < Lines * Words);
            assert (region_o == f_region[LineBits-1:RowBits]);
            assert (quiet_o == (!f_ack && (head_valid_i & f_timed) == 0));
        end

`ifdef FORMAL_TOP_fe_registers
    always @*
        if (!f_live)
            assume (rst_i);
    always @(posedge clk_i) begin
        cover (f_live && irq_o && f_line != 0);
        cover (f_live && f_late == 3'b110 && f_take);
        cover (f_live && f_region != RegionBase[LineBits-1:0]);
        cover (f_live && f_code == `EVG_FE_CODE_BAD_BASE && f_settled);
        cover (f_live && range_start_o && f_order && f_verdict == `EVG_FE_CODE_BUSY);
    end
`endif

    // --- invariants ------------------------------------------------------------------------------
    always @*
        if (f_live) begin
            assert ({override_q, clear_q, first_q, last_q, limit_q, timed_q} ==
                    {f_override, f_clear, f_first, f_last, f_limit, f_timed});
            assert ({settled_q, code_q, age_q, here_q, old_q, reported_q} ==
                    {f_settled, f_code, f_age, f_here, f_old, f_told});
            assert (f_region[RowBits-1:0] == 0 && errors == f_errors && lost == f_lost);
            if (f_start || f_release)
                assert (op_q == f_op);
            // A command that runs is one of a range that lies in the region.
            if (f_start)
                assert (f_first <= f_last && f_last < Lines * Words);
            if (f_report)
                assert (line_q == f_line && mask_q == f_mask && info_q == f_info && report_age_q == f_report_age);
        end
`undef EVG_ALONE
`endif
