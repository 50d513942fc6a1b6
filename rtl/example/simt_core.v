// SPDX-License-Identifier: Apache-2.0
// simt_core: a small SIMT core that runs event kernels: 4 warp contexts of 8 lanes, 8 registers per thread.
// It is the example of docs/guide/integrate.md for what an event unit needs from a core.
//
// Contract
// - One instruction of one warp at a time, 4 cycles each, in turn among the warps that may issue. A load or
//   store takes its lanes one by one through the memory port. Instructions: enum simt_op, record
//   simt_instruction of rtl/evgpu.def; simt_program holds them.
//
//     LI rd, imm      rd = imm             AND XOR ADD rd, ra, rb    MASK ra     only lanes with ra != 0 go on
//     LANE rd         rd = lane            ADDI rd, ra, imm          ALL         all lanes go on
//     LD rd, [ra+imm] 32 bits              SHL SHR rd, ra, imm       BNZ ra, imm to imm, if a lane has ra != 0
//     ST rb, [ra+imm]                      EXIT
//
// - A background block (blk_*) takes a free context unless the event unit wants it to drain; it begins at
//   blk_pc_i with blk_arg_i in r0 of all lanes. blk_done_o is the pulse of its end.
// - An event begins at push_kernel_i / 4 with push_param_i in r0. On a victim the program counter and
//   the lanes of the victim go under those of the event, one level for each entry of the event unit's table;
//   its registers are copied to that entry's save area and back, or with push_spare_i stay, and the event
//   has the save area.
// - The ports of the event unit are those of sm_event_unit, of the same names. Commands act at the edge that
//   sees them, or as soon as the instruction under way has ended; answers are pulses. A push fails if its
//   free context is gone.
// - mem_valid_o with address and data stays until mem_ready_i; a read's data come in the next cycle.
`default_nettype none
`include "evgpu_defs.vh"

module simt_core (
    input  wire         clk_i,
    input  wire         rst_i,
    // Background blocks
    input  wire         blk_valid_i,
    input  wire [5:0]   blk_pc_i,
    input  wire [31:0]  blk_arg_i,
    output wire         blk_ready_o,
    output wire         blk_done_o,
    // Memory: words of 32 bits
    output wire         mem_valid_o,
    output wire         mem_write_o,
    output wire [13:0]  mem_word_o,
    output wire [31:0]  mem_data_o,
    input  wire         mem_ready_i,
    input  wire [31:0]  mem_data_i,
    // Event unit: free resources
    output wire         core_free_warp_o,
    output wire [5:0]   core_free_slot_o,
    output wire [9:0]   core_free_regs_o,
    output wire [15:0]  core_now_o,
    input  wire         want_drain_i,
    // Event unit: candidates
    output wire [7:0]   cand_ok_o,
    output wire [55:0]  cand_regs_o,
    output wire [127:0] cand_stamp_o,
    output wire [63:0]  cand_now_o,
    // Event unit: the victim
    input  wire         vic_valid_i,
    input  wire [5:0]   vic_warp_i,
    output wire         vic_alive_o,
    output wire         vic_pipe_o,
    // Event unit: commands
    input  wire         cmd_save_i,
    input  wire [1:0]   save_entry_i,
    input  wire         cmd_push_i,
    input  wire [5:0]   push_warp_i,
    input  wire         push_fresh_i,
    input  wire         push_spare_i,
    input  wire [1:0]   push_entry_i,
    input  wire [63:0]  push_kernel_i,
    input  wire [63:0]  push_param_i,
    input  wire [31:0]  push_mask_i,
    input  wire         cmd_pop_i,
    input  wire [5:0]   pop_warp_i,
    input  wire [1:0]   pop_entry_i,
    input  wire         cmd_restore_i,
    input  wire [5:0]   restore_warp_i,
    input  wire [1:0]   restore_entry_i,
    input  wire         cmd_release_i,
    input  wire [5:0]   release_warp_i,
    // Event unit: answers
    output wire         push_ok_o,
    output wire         push_fail_o,
    output wire         save_done_o,
    output wire         restore_done_o,
    output wire         exit_valid_o,
    output wire [5:0]   exit_warp_o
);

    localparam Warps = 4;
    localparam Lanes = 8;
    localparam [6:0] Units = 7'd2; // 8 registers per thread

    // --- Warp contexts -------------------------------------------------------------------------------
    // A context is free, or one of these:
    reg [3:0]  run_q;   // a block runs
    reg [3:0]  event_q; // an event runs, on a victim or fresh
    reg [3:0]  over_q;  // it has ended, and waits for the pop
    reg [3:0]  back_q;  // its victim waits for the release
    wire [3:0] free = ~(run_q | event_q | over_q | back_q);
    reg [5:0]  pc_q    [0:Warps-1];
    reg [7:0]  full_q  [0:Warps-1]; // lanes of the warp
    reg [7:0]  mask_q  [0:Warps-1]; // ... that go on
    reg [15:0] stamp_q [0:Warps-1];
    reg [3:0]  fresh_q;             // the event has no victim below it
    reg [3:0]  spare_q;             // ... or has the save area of its entry for its registers
    reg [1:0]  entry_q [0:Warps-1];
    reg [21:0] under_q [0:3];       // of the victim of an entry: pc, lanes, those that go on
    reg [15:0] now_q;

    // --- The engine: what the register file does -------------------------------------------------------
    localparam [2:0] Idle = `EVG_SIMT_STEP_IDLE, ReadA = `EVG_SIMT_STEP_READ_A, ReadB = `EVG_SIMT_STEP_READ_B,
                     Exec = `EVG_SIMT_STEP_EXEC, Mem = `EVG_SIMT_STEP_MEM, Data = `EVG_SIMT_STEP_DATA,
                     CopyRead = `EVG_SIMT_STEP_COPY_READ, CopyWrite = `EVG_SIMT_STEP_COPY_WRITE;
    reg [2:0]  step_q;
    reg [1:0]  warp_q, last_q;                // that executes; that issued last
    reg [2:0]  count_q;                       // lane, or register of a copy
    reg        save_q, restore_q, restoring_q; // wanted; the copy under way is a restore
    reg        push_q;
    reg [1:0]  save_entry_q, restore_entry_q, save_warp_q, restore_warp_q;

    reg [3:0]  held;
    wire [3:0] ready = event_q | (run_q & ~held);
    reg [1:0]  next, at;
    reg        free_any;
    reg [1:0]  free_slot;
    integer    w;
    always @* begin
        free_any  = 1'b0;
        free_slot = 2'd0;
        for (w = Warps - 1; w >= 0; w = w - 1) begin
            held[w]  = vic_valid_i && vic_warp_i == w[5:0];
            if (free[w]) begin
                free_any  = 1'b1;
                free_slot = w[1:0];
            end
        end
        next = last_q;
        for (w = Warps; w >= 1; w = w - 1) begin
            at = last_q + w[1:0];
            if (ready[at])
                next = at;
        end
    end

    // One thing begins at a time; the commands of the event unit go first.
    wire idle    = step_q == Idle;
    wire push    = idle && push_q;
    wire push_ok = push && (!push_fresh_i || free[push_warp_i[1:0]]);
    wire save    = idle && !push_q && save_q;
    wire restore = idle && !push_q && !save_q && restore_q;
    wire block   = idle && !push_q && !save_q && !restore_q && blk_valid_i && free_any && !want_drain_i;
    wire issue   = idle && !push_q && !save_q && !restore_q && !block && |ready;

    // --- The instruction -------------------------------------------------------------------------------
    wire [31:0] instruction;
    simt_program u_program (
        .clk_i(clk_i), .enable_i(issue), .address_i(pc_q[next]), .data_o(instruction)
    );
    wire [3:0]  op  = instruction[`EVG_SIMT_INSTRUCTION_OP];
    wire [2:0]  rd  = instruction[`EVG_SIMT_INSTRUCTION_RD];
    wire [2:0]  ra  = instruction[`EVG_SIMT_INSTRUCTION_RA];
    wire [2:0]  rb  = instruction[`EVG_SIMT_INSTRUCTION_RB];
    wire [15:0] imm = instruction[`EVG_SIMT_INSTRUCTION_IMM];
    wire        unused = &{1'b0, instruction[`EVG_SIMT_INSTRUCTION_UNUSED], push_kernel_i[63:8],
                           push_kernel_i[1:0], push_param_i[63:32], push_mask_i[31:8],
                           push_warp_i[5:2], pop_warp_i[5:2], restore_warp_i[5:2], release_warp_i[5:2]};
    wire        memory  = op == `EVG_SIMT_OP_LD || op == `EVG_SIMT_OP_ST;
    wire        writes  = op != `EVG_SIMT_OP_ST && op != `EVG_SIMT_OP_MASK && op != `EVG_SIMT_OP_ALL &&
                          op != `EVG_SIMT_OP_BNZ && op != `EVG_SIMT_OP_EXIT && !memory;
    wire [31:0] offset  = {{16{imm[15]}}, imm};
    wire [7:0]  mask    = mask_q[warp_q];
    wire        exec    = step_q == Exec;
    wire        ends    = exec && op == `EVG_SIMT_OP_EXIT;

    // --- The register file: by lane, {save area, warp or entry, register} --------------------------------
    wire        start   = push_ok || block; // r0 of every lane
    wire        data    = step_q == Data;
    wire        copied  = step_q == CopyWrite;
    wire        reading = step_q == ReadA || step_q == ReadB || step_q == CopyRead;
    wire [1:0]  copy_warp  = restoring_q ? restore_warp_q : save_warp_q;
    wire [1:0]  copy_entry = restoring_q ? restore_entry_q : save_entry_q;
    wire [2:0]  file = {spare_q[warp_q], spare_q[warp_q] ? entry_q[warp_q] : warp_q}; // that executes
    wire [2:0]  begin_file = !push_q ? {1'b0, free_slot} : {push_spare_i, push_spare_i ? push_entry_i : push_warp_i[1:0]};
    reg  [5:0]  address;
    always @*
        case (step_q)
            ReadA:     address = {file, ra};
            ReadB:     address = {file, rb};
            CopyRead:  address = restoring_q ? {1'b1, copy_entry, count_q} : {1'b0, copy_warp, count_q};
            CopyWrite: address = restoring_q ? {1'b0, copy_warp, count_q} : {1'b1, copy_entry, count_q};
            Idle:      address = {begin_file, 3'd0};
            default:   address = {file, rd};
        endcase

    wire [7:0]   nonzero;
    wire [255:0] a_all, b_all;
    reg  [255:0] a_q;
    genvar l;
    generate
        for (l = 0; l < Lanes; l = l + 1) begin : g_lane
            wire [31:0] out, a, b;
            reg  [31:0] result;
            assign a = a_q[32*l+:32];
            assign b = out;
            always @*
                case (op)
                    `EVG_SIMT_OP_LI:   result = offset;
                    `EVG_SIMT_OP_LANE: result = l;
                    `EVG_SIMT_OP_ADD:  result = a + b;
                    `EVG_SIMT_OP_ADDI: result = a + offset;
                    `EVG_SIMT_OP_AND:  result = a & b;
                    `EVG_SIMT_OP_SHL:  result = a << imm[4:0];
                    `EVG_SIMT_OP_SHR:  result = a >> imm[4:0];
                    default:           result = a ^ b;
                endcase
            wire        write = start || copied || (exec && writes && mask[l]) || (data && count_q == l);
            wire [31:0] value = start  ? (push_q ? push_param_i[31:0] : blk_arg_i) :
                                copied ? out : data ? mem_data_i : result;
            single_port_ram #(.Width(32), .Depth(64), .AddressBits(6)) u_registers (
                .clk_i(clk_i), .enable_i(reading || write), .write_i(write), .address_i(address),
                .data_i(value), .data_o(out)
            );
            assign b_all[32*l+:32] = out;
            assign a_all[32*l+:32] = out;
            assign nonzero[l] = |a;
        end
    endgenerate

    wire [31:0] lane_address = a_q[32*count_q+:32] + offset;
    wire        lane_done    = !mask[count_q] || (mem_ready_i && mem_write_o);
    wire        lane_read    = mask[count_q] && mem_ready_i && !mem_write_o;
    wire        last_lane    = count_q == 3'd7;
    wire        unused_address = &{1'b0, lane_address[31:16], lane_address[1:0]};

    always @(posedge clk_i) begin
        if (step_q == ReadB)
            a_q <= a_all;
        if (rst_i) begin
            step_q <= Idle;
            last_q <= 2'd0;
        end else
            case (step_q)
                Idle: begin
                    count_q     <= 3'd0;
                    restoring_q <= restore;
                    if (save || restore)
                        step_q <= CopyRead;
                    else if (issue) begin
                        step_q <= ReadA;
                        warp_q <= next;
                        last_q <= next;
                    end
                end
                ReadA:    step_q <= ReadB;
                ReadB:    step_q <= Exec;
                Exec:     step_q <= memory ? Mem : Idle;
                Mem:
                    if (lane_read)
                        step_q <= Data;
                    else if (lane_done) begin
                        count_q <= count_q + 3'd1;
                        step_q  <= last_lane ? Idle : Mem;
                    end
                Data: begin
                    count_q <= count_q + 3'd1;
                    step_q  <= last_lane ? Idle : Mem;
                end
                CopyRead: step_q <= CopyWrite;
                default: begin
                    count_q <= count_q + 3'd1;
                    step_q  <= last_lane ? Idle : CopyRead;
                end
            endcase
    end

    // --- Commands, and what becomes of the contexts -----------------------------------------------------
    wire copy_ends = copied && last_lane;
    reg  push_ok_q, push_fail_q, save_done_q, restore_done_q, exit_q, blk_done_q;
    reg  [1:0] exit_warp_q;

    always @(posedge clk_i) begin
        push_ok_q      <= !rst_i && push_ok;
        push_fail_q    <= !rst_i && push && !push_ok;
        save_done_q    <= !rst_i && copy_ends && !restoring_q;
        restore_done_q <= !rst_i && copy_ends && restoring_q;
        exit_q         <= !rst_i && ends && event_q[warp_q];
        exit_warp_q    <= warp_q;
        blk_done_q     <= !rst_i && ends && run_q[warp_q];
        push_q         <= !rst_i && (cmd_push_i || (push_q && !push));
        save_q         <= !rst_i && (cmd_save_i || (save_q && !save));
        restore_q      <= !rst_i && (cmd_restore_i || (restore_q && !restore));
        if (cmd_save_i)
            {save_warp_q, save_entry_q} <= {vic_warp_i[1:0], save_entry_i};
        if (cmd_restore_i)
            {restore_warp_q, restore_entry_q} <= {restore_warp_i[1:0], restore_entry_i};

        if (exec) begin
            pc_q[warp_q] <= op == `EVG_SIMT_OP_BNZ && |(nonzero & mask) ? imm[5:0] : pc_q[warp_q] + 6'd1;
            if (op == `EVG_SIMT_OP_MASK)
                mask_q[warp_q] <= mask & nonzero;
            if (op == `EVG_SIMT_OP_ALL)
                mask_q[warp_q] <= full_q[warp_q];
        end
        if (ends) begin
            over_q[warp_q]  <= event_q[warp_q];
            event_q[warp_q] <= 1'b0;
            run_q[warp_q]   <= 1'b0;
        end
        if (block) begin
            run_q[free_slot]   <= 1'b1;
            pc_q[free_slot]    <= blk_pc_i;
            full_q[free_slot]  <= 8'hff;
            mask_q[free_slot]  <= 8'hff;
            stamp_q[free_slot] <= now_q;
        end
        if (push_ok) begin
            under_q[push_entry_i]     <= {pc_q[push_warp_i[1:0]], full_q[push_warp_i[1:0]],
                                          mask_q[push_warp_i[1:0]]};
            run_q[push_warp_i[1:0]]   <= 1'b0;
            event_q[push_warp_i[1:0]] <= 1'b1;
            fresh_q[push_warp_i[1:0]] <= push_fresh_i;
            spare_q[push_warp_i[1:0]] <= push_spare_i;
            entry_q[push_warp_i[1:0]] <= push_entry_i;
            pc_q[push_warp_i[1:0]]    <= push_kernel_i[7:2];
            full_q[push_warp_i[1:0]]  <= push_mask_i[7:0];
            mask_q[push_warp_i[1:0]]  <= push_mask_i[7:0];
        end
        if (cmd_pop_i) begin
            over_q[pop_warp_i[1:0]] <= 1'b0;
            back_q[pop_warp_i[1:0]] <= !fresh_q[pop_warp_i[1:0]];
            spare_q[pop_warp_i[1:0]] <= 1'b0;
            {pc_q[pop_warp_i[1:0]], full_q[pop_warp_i[1:0]], mask_q[pop_warp_i[1:0]]} <= under_q[pop_entry_i];
        end
        if (cmd_release_i) begin
            back_q[release_warp_i[1:0]] <= 1'b0;
            run_q[release_warp_i[1:0]]  <= 1'b1;
        end
        now_q <= rst_i ? 16'd0 : now_q + {15'd0, block};
        if (rst_i) begin
            run_q   <= 4'd0;
            event_q <= 4'd0;
            over_q  <= 4'd0;
            back_q  <= 4'd0;
            spare_q <= 4'd0;
        end
    end

    // --- What the event unit sees -----------------------------------------------------------------------
    wire [2:0] free_count = {2'd0, free[0]} + {2'd0, free[1]} + {2'd0, free[2]} + {2'd0, free[3]};
    genvar g;
    generate
        for (g = 0; g < 8; g = g + 1) begin : g_cand
            assign cand_regs_o[7*g+:7] = Units;
            if (g < Warps) begin : g_warp
                assign cand_ok_o[g] = run_q[g];
                assign cand_stamp_o[16*g+:16] = run_q[g] ? stamp_q[g] : 16'd0;
                assign cand_now_o[g] = run_q[g] && (idle || warp_q != g) && !held[g];
            end else begin : g_none
                assign cand_ok_o[g] = 1'b0;
                assign cand_stamp_o[16*g+:16] = 16'd0;
                assign cand_now_o[g] = 1'b0;
            end
        end
    endgenerate
    assign cand_now_o[63:8] = 56'd0;

    assign blk_ready_o      = block;
    assign blk_done_o       = blk_done_q;
    assign mem_valid_o      = step_q == Mem && mask[count_q];
    assign mem_write_o      = op == `EVG_SIMT_OP_ST;
    assign mem_word_o       = lane_address[15:2];
    assign mem_data_o       = b_all[32*count_q+:32];
    assign core_free_warp_o = free_any;
    assign core_free_slot_o = {4'd0, free_slot};
    assign core_free_regs_o = {6'd0, free_count, 1'b0}; // 2 units each
    assign core_now_o       = now_q;
    assign vic_alive_o      = run_q[vic_warp_i[1:0]];
    assign vic_pipe_o       = !idle && warp_q == vic_warp_i[1:0] &&
                              step_q != CopyRead && step_q != CopyWrite;
    assign push_ok_o        = push_ok_q;
    assign push_fail_o      = push_fail_q;
    assign save_done_o      = save_done_q;
    assign restore_done_o   = restore_done_q;
    assign exit_valid_o     = exit_q;
    assign exit_warp_o      = {4'd0, exit_warp_q};

`ifdef FORMAL
`include "properties/simt_core.fv.vh"
`endif

endmodule

`default_nettype wire
