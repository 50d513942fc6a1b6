// SPDX-License-Identifier: Apache-2.0
// fe_registers: the software registers of the full/empty scheduler, for override, range-clear and
// time-outs, which the paper leaves open (F/E 4.5). All are off after reset.
//
// Contract
// - A register access (reg_valid_i) in cycle t is acknowledged by reg_ack_o in cycle t+1; reg_data_o
//   then shows the register as of cycle t and holds it until the next read. Bits that a register
//   does not have are read as 0 and not written; addresses without a register too.
//     CONTROL       FE_CONTROL_ bits: which commands are allowed
//     STATUS        FE_STATUS_ bits, and from bit FE_STATUS_CODE on the fe_code of the last command.
//                   Writing with FE_STATUS_REPORT set frees the report
//     COMMAND       write: an fe_command; reads 0
//     FIRST, LAST   word numbers in the region, for FILL, EMPTY and CLEAR
//     TIMEOUT_...   cycles that the head of a queue may wait before it is reported; 0: off
//     REPORT_...    the blocked head: line, mask, age in cycles, and INFO: id in bits 15..0, queue
//                   from bit FE_INFO_QUEUE on, likewise source, write, trigger, action. 0 without a
//                   report
//     ERRORS        error replies since the last write of this register; stops at its highest value
//     REGION_BASE   first line of the region: a multiple of RegionLines rounded up to a power of two;
//                   RegionBase after reset. Written once at most, and before the first request is taken
//                   (see below); region_o shows its upper bits
//     REGION_LINES, LINE_BYTES, GRAIN_BYTES, LOOK_AHEAD  of this block
//     LOST          reads of rows of which words had been lost (fe_bit_ram), by heads and range commands,
//                   since the last write of this register; stops at its highest value, 2^ErrorBits - 1
// - A command takes effect in the next cycle: range_start_o or release_o is high in cycle t+1. It is
//   refused, changing nothing but the code, if it is
//   none (BAD_COMMAND), not allowed (OFF), a range while one is worked on (BUSY), or has FIRST above
//   LAST or LAST outside the region (BAD_RANGE); the first that applies.
// - A write of REGION_BASE in cycle t counts from t+1 on and makes the code OK. It changes nothing, and
//   makes the code BAD_BASE, if FE_STATUS_BASE is set in STATUS, or if the value is no such multiple or
//   has more than LineBits bits. FE_STATUS_BASE is set by a write that counts and by the first request
//   that is taken (taken_i); a request taken in cycle t is still judged by the old base.
// - The age of a head is the number of cycles since its second cycle at the head, or since the
//   time-out of its queue was switched on; it stops at its highest value. A head whose first cycle is
//   h and which does not leave up to h+T+1, T being the time-out, is reported, once, if no other
//   report is held: the report is written at the end of h+T+2 with age T+1 (later, with a higher age,
//   if another was held), the lowest queue first, and irq_o is high from h+T+3 on, for as long as it
//   is held. The report stays as it is when its head leaves.
// - With several heads, a queue's head here is its oldest request: others that pass it do not count as
//   its leaving.
// - A time-out does not ask why the head waits: for its words, for memory, for a place among the
//   replies or for a range command. A head that need not wait leaves by h+3, so a time-out of 1
//   reports it too.
// - quiet_o: without an access and with heads only in queues whose time-out is off, no register
//   changes.
`default_nettype none
`include "evgpu_defs.vh"

module fe_registers #(
    parameter Lines      = `EVG_FE_REGION_LINES,
    parameter RegionBase = `EVG_FE_REGION_BASE, // after reset
    parameter RowBits    = 11, // log2(Lines), rounded up
    parameter Words      = 32, // per line, power of two up to 32
    parameter GrainWords = 1,  // words per full/empty bit
    parameter LookAhead  = 1,  // heads of the GPU queue
    parameter WordBits   = 5,  // log2(Words)
    parameter LineBits   = 32, // of a line number, above RowBits, up to 32
    parameter InfoBits   = 24, // of REPORT_INFO, up to 32
    parameter ErrorBits  = 32  // of ERRORS, up to 32
) (
    input  wire                          clk_i,
    input  wire                          rst_i,
    // Software
    input  wire                          reg_valid_i,
    input  wire                          reg_write_i,
    input  wire [`EVG_FE_REG_WIDTH-1:0]  reg_addr_i,
    input  wire [31:0]                   reg_data_i,
    output wire                          reg_ack_o,
    output wire [31:0]                   reg_data_o,
    output wire                          irq_o,
    // Commands
    output wire                          range_start_o,
    output wire [`EVG_FE_COMMAND_WIDTH-1:0] range_command_o,
    output wire [RowBits+WordBits-1:0]   range_first_o,
    output wire [RowBits+WordBits-1:0]   range_last_o,
    input  wire                          range_busy_i,
    output wire                          release_o, // pulse: all that wait now leave
    input  wire                          releasing_i,
    // Heads of the queues, queue 0 in the lowest bits
    input  wire [2:0]                    head_valid_i,
    input  wire [2:0]                    head_leaves_i,
    input  wire [3*LineBits-1:0]         head_line_i,
    input  wire [3*Words-1:0]            head_mask_i,
    input  wire [3*InfoBits-1:0]         head_info_i,
    // Errors
    input  wire                          error_i,
    input  wire                          lost_i, // a row was read of which words had been lost
    // Intake
    input  wire                          taken_i,
    output wire [LineBits-RowBits-1:0]   region_o,
    output wire                          quiet_o
);

    localparam Non = `EVG_FE_QUEUE_NON, Cpu = `EVG_FE_QUEUE_CPU, Gpu = `EVG_FE_QUEUE_GPU;
    localparam IndexBits = RowBits + WordBits;
    localparam [31:0] RegionWords = Lines * Words;
    localparam [31:0] RegionStart = RegionBase;
    localparam [31:0] LineBytes   = Words * `EVG_FE_WORD_BYTES;
    localparam [31:0] GrainBytes  = GrainWords * `EVG_FE_WORD_BYTES;

    generate
        if ((1 << WordBits) != Words || Words < 2 || Words > 32 || LineBits < 1 ||
            LineBits > 32 || InfoBits < 1 || InfoBits > 32 || ErrorBits < 1 || ErrorBits > 32 ||
            Lines < 2 || (1 << RowBits) < Lines || IndexBits > 31) begin : g_check
            fe_registers_needs_fields_that_fit_32_bits check_parameters ();
        end
        if (RowBits >= LineBits || (RegionStart & ((32'd1 << RowBits) - 32'd1)) != 0 ||
            33'd0 + RegionStart >= (33'd1 << LineBits)) begin : g_check_base
            fe_registers_needs_a_region_base_that_is_a_multiple_of_its_lines check_parameters ();
        end
    endgenerate

    wire access_write = reg_valid_i && reg_write_i;
    wire access_read  = reg_valid_i && !reg_write_i;
    wire [`EVG_FE_REG_WIDTH-1:0] address = reg_addr_i;

    // --- settings --------------------------------------------------------------------------------
    reg         override_q, clear_q;
    reg [31:0]  first_q, last_q;
    reg [95:0]  limit_q;
    reg [2:0]   timed_q; // the queue's time-out is on: not 0
    integer     i;

    always @(posedge clk_i) begin
        if (rst_i) begin
            override_q <= 1'b0;
            clear_q    <= 1'b0;
            first_q    <= 32'd0;
            last_q     <= 32'd0;
            limit_q    <= 96'd0;
            timed_q    <= 3'd0;
        end else if (access_write)
            case (address)
            `EVG_FE_REG_CONTROL: begin
                override_q <= (reg_data_i & `EVG_FE_CONTROL_OVERRIDE) != 0;
                clear_q    <= (reg_data_i & `EVG_FE_CONTROL_CLEAR) != 0;
            end
            `EVG_FE_REG_FIRST:       first_q          <= reg_data_i;
            `EVG_FE_REG_LAST:        last_q           <= reg_data_i;
            `EVG_FE_REG_TIMEOUT_NON: {timed_q[Non], limit_q[32*Non+:32]} <= {reg_data_i != 0, reg_data_i};
            `EVG_FE_REG_TIMEOUT_CPU: {timed_q[Cpu], limit_q[32*Cpu+:32]} <= {reg_data_i != 0, reg_data_i};
            `EVG_FE_REG_TIMEOUT_GPU: {timed_q[Gpu], limit_q[32*Gpu+:32]} <= {reg_data_i != 0, reg_data_i};
            default: ;
            endcase
    end

    // --- the region ------------------------------------------------------------------------------
    reg [LineBits-RowBits-1:0] region_q;
    reg                        settled_q; // the base can no longer be written
    wire set_base = access_write && address == `EVG_FE_REG_REGION_BASE;
    wire fits     = !settled_q && reg_data_i[RowBits-1:0] == {RowBits{1'b0}} &&
                    {1'b0, reg_data_i} < (33'd1 << LineBits);

    always @(posedge clk_i)
        if (rst_i) begin
            region_q  <= RegionStart[LineBits-1:RowBits];
            settled_q <= 1'b0;
        end else begin
            settled_q <= settled_q || taken_i || (set_base && fits);
            if (set_base && fits)
                region_q <= reg_data_i[LineBits-1:RowBits];
        end

    assign region_o = region_q;

    // --- commands --------------------------------------------------------------------------------
    localparam [31:0] LastCommand = {{32 - `EVG_FE_COMMAND_WIDTH{1'b0}}, `EVG_FE_COMMAND_RELEASE};

    wire command = access_write && address == `EVG_FE_REG_COMMAND;
    wire [`EVG_FE_COMMAND_WIDTH-1:0] op = reg_data_i[`EVG_FE_COMMAND_WIDTH-1:0];
    wire is_clear   = op == `EVG_FE_COMMAND_CLEAR;
    wire is_release = op == `EVG_FE_COMMAND_RELEASE;

    reg [`EVG_FE_CODE_WIDTH-1:0] verdict, code_q;
    wire range_busy = range_busy_i || range_start_o;

    always @* begin
        verdict = `EVG_FE_CODE_OK;
        if (reg_data_i == 0 || reg_data_i > LastCommand)
            verdict = `EVG_FE_CODE_BAD_COMMAND;
        else if (is_clear ? !clear_q : !override_q)
            verdict = `EVG_FE_CODE_OFF;
        else if (!is_release && range_busy)
            verdict = `EVG_FE_CODE_BUSY;
        else if (!is_release && (first_q > last_q || last_q >= RegionWords))
            verdict = `EVG_FE_CODE_BAD_RANGE;
    end

    always @(posedge clk_i)
        if (rst_i)
            code_q <= `EVG_FE_CODE_OK;
        else if (command)
            code_q <= verdict;
        else if (set_base)
            code_q <= fits ? `EVG_FE_CODE_OK : `EVG_FE_CODE_BAD_BASE;

    wire accepted = command && verdict == `EVG_FE_CODE_OK;
    reg                              start_q, release_q;
    reg [`EVG_FE_COMMAND_WIDTH-1:0]  op_q;

    always @(posedge clk_i) begin
        start_q   <= !rst_i && accepted && !is_release;
        release_q <= !rst_i && accepted && is_release;
        if (command)
            op_q <= op;
    end

    assign range_start_o   = start_q;
    assign range_command_o = op_q;
    assign range_first_o   = first_q[IndexBits-1:0];
    assign range_last_o    = last_q[IndexBits-1:0];
    assign release_o       = release_q;

    // --- time-outs -------------------------------------------------------------------------------
    reg  [95:0] age_q;
    reg  [2:0]  reported_q, here_q; // here_q: not the head's first cycle
    wire [2:0]  late;
    reg  [2:0]  old_q;       // the head's age was the time-out or more
    genvar      g;

    generate
        for (g = 0; g < 3; g = g + 1) begin : g_age
            assign late[g] = old_q[g] && timed_q[g] && here_q[g] && !reported_q[g];

            always @(posedge clk_i)
                old_q[g] <= !rst_i && timed_q[g] && here_q[g] &&
                            age_q[32*g+:32] >= limit_q[32*g+:32];
        end
    endgenerate

    reg        report_q;
    wire       report_free = access_write && address == `EVG_FE_REG_STATUS &&
                             (reg_data_i & `EVG_FE_STATUS_REPORT) != 0;
    wire       capture = late != 0 && !report_q;
    wire [2:0] chosen = late & (~late + 3'd1); // the lowest

    always @(posedge clk_i)
        here_q <= rst_i ? 3'd0 : head_valid_i & ~head_leaves_i;

    always @(posedge clk_i) begin
        if (rst_i) begin
            age_q      <= 96'd0;
            reported_q <= 3'd0;
            report_q   <= 1'b0;
        end else begin
            for (i = 0; i < 3; i = i + 1) begin
                if (!here_q[i] || !timed_q[i]) begin
                    age_q[32*i+:32] <= 32'd0;
                    reported_q[i]   <= 1'b0;
                end else begin
                    if (age_q[32*i+:32] != {32{1'b1}})
                        age_q[32*i+:32] <= age_q[32*i+:32] + 32'd1;
                    if (capture && chosen[i])
                        reported_q[i] <= 1'b1;
                end
            end
            if (capture)
                report_q <= 1'b1;
            else if (report_free)
                report_q <= 1'b0;
        end
    end

    reg [LineBits-1:0] line_q;
    reg [Words-1:0]    mask_q;
    reg [31:0]         report_age_q;
    reg [InfoBits-1:0] info_q;

    always @(posedge clk_i)
        if (capture) begin
            line_q <= chosen[Non] ? head_line_i[LineBits*Non+:LineBits]
                    : chosen[Cpu] ? head_line_i[LineBits*Cpu+:LineBits]
                                  : head_line_i[LineBits*Gpu+:LineBits];
            mask_q <= chosen[Non] ? head_mask_i[Words*Non+:Words]
                    : chosen[Cpu] ? head_mask_i[Words*Cpu+:Words] : head_mask_i[Words*Gpu+:Words];
            info_q <= chosen[Non] ? head_info_i[InfoBits*Non+:InfoBits]
                    : chosen[Cpu] ? head_info_i[InfoBits*Cpu+:InfoBits]
                                  : head_info_i[InfoBits*Gpu+:InfoBits];
            report_age_q <= chosen[Non] ? age_q[32*Non+:32]
                          : chosen[Cpu] ? age_q[32*Cpu+:32] : age_q[32*Gpu+:32];
        end

    // --- reads -----------------------------------------------------------------------------------
    wire [ErrorBits-1:0] errors;
    reg  [31:0] value, base_value, line_value, mask_value, info_value, errors_value, lost_value;
    reg  [31:0] reg_data_q;
    reg         reg_ack_q;

    saturating_counter #(.Width(ErrorBits)) u_errors (
        .clk_i(clk_i), .rst_i(rst_i),
        .clear_i(access_write && address == `EVG_FE_REG_ERRORS), .count_i(error_i),
        .value_o(errors)
    );

    wire [ErrorBits-1:0] lost;
    generate
        if (GrainWords == 1) begin : g_words
            wire unused_lost = lost_i;
            assign lost = {ErrorBits{1'b0}};
        end else begin : g_grains
            saturating_counter #(.Width(ErrorBits)) u_lost (
                .clk_i(clk_i), .rst_i(rst_i),
                .clear_i(access_write && address == `EVG_FE_REG_LOST), .count_i(lost_i),
                .value_o(lost)
            );
        end
    endgenerate

    wire [31:0] code_value = {{32 - `EVG_FE_CODE_WIDTH{1'b0}}, code_q};

    always @* begin
        base_value = 32'd0;
        line_value = 32'd0;
        mask_value = 32'd0;
        info_value = 32'd0;
        errors_value = 32'd0;
        lost_value = 32'd0;
        base_value[LineBits-1:RowBits] = region_q;
        line_value[LineBits-1:0] = line_q;
        mask_value[Words-1:0]    = mask_q;
        info_value[InfoBits-1:0] = info_q;
        errors_value[ErrorBits-1:0] = errors;
        lost_value[ErrorBits-1:0] = lost;
        value = 32'd0;
        case (address)
        `EVG_FE_REG_CONTROL:
            value = (override_q ? `EVG_FE_CONTROL_OVERRIDE : 0) |
                    (clear_q ? `EVG_FE_CONTROL_CLEAR : 0);
        `EVG_FE_REG_STATUS:
            value = (range_busy ? `EVG_FE_STATUS_RANGE : 0) |
                    (releasing_i || release_q ? `EVG_FE_STATUS_RELEASE : 0) |
                    (report_q ? `EVG_FE_STATUS_REPORT : 0) |
                    (settled_q ? `EVG_FE_STATUS_BASE : 0) |
                    (code_value << `EVG_FE_STATUS_CODE);
        `EVG_FE_REG_FIRST:        value = first_q;
        `EVG_FE_REG_LAST:         value = last_q;
        `EVG_FE_REG_TIMEOUT_NON:  value = limit_q[32*Non+:32];
        `EVG_FE_REG_TIMEOUT_CPU:  value = limit_q[32*Cpu+:32];
        `EVG_FE_REG_TIMEOUT_GPU:  value = limit_q[32*Gpu+:32];
        `EVG_FE_REG_REPORT_LINE:  value = report_q ? line_value : 32'd0;
        `EVG_FE_REG_REPORT_MASK:  value = report_q ? mask_value : 32'd0;
        `EVG_FE_REG_REPORT_AGE:   value = report_q ? report_age_q : 32'd0;
        `EVG_FE_REG_REPORT_INFO:  value = report_q ? info_value : 32'd0;
        `EVG_FE_REG_ERRORS:       value = errors_value;
        `EVG_FE_REG_REGION_BASE:  value = base_value;
        `EVG_FE_REG_REGION_LINES: value = Lines;
        `EVG_FE_REG_LINE_BYTES:   value = LineBytes;
        `EVG_FE_REG_GRAIN_BYTES:  value = GrainBytes;
        `EVG_FE_REG_LOST:         value = lost_value;
        `EVG_FE_REG_LOOK_AHEAD:   value = LookAhead;
        default: ;
        endcase
    end

    always @(posedge clk_i)
        if (rst_i)
            reg_ack_q <= 1'b0;
        else
            reg_ack_q <= reg_valid_i;

    always @(posedge clk_i)
        if (access_read)
            reg_data_q <= value;

    assign reg_ack_o  = reg_ack_q;
    assign reg_data_o = reg_data_q;
    assign irq_o      = report_q;
    assign quiet_o    = !reg_ack_q && (head_valid_i & timed_q) == 0;

`ifdef FORMAL
`include "properties/fe_registers.fv.vh"
`endif

endmodule

`default_nettype wire
