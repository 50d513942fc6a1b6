// SPDX-License-Identifier: Apache-2.0
// event_driver: what a host and two devices do with event_system: it fills the memory, registers an event
// kernel for each device, rings doorbells at random times beside a background of blocks, and reads the
// memory back.
//
// Contract
// - State by state: FILL writes the words from 0x400 on; REGISTER and ANSWER register the two kernels; RUN
//   rings events_i doorbells and starts blocks at random times, Blocks at least; DRAIN waits until nothing runs; SUM shows each
//   word from 0x400 on (sum_valid_o, sum_data_o) and adds it to sum_o; END. A registration that fails ends
//   in STUCK.
// - A device rings for its next entry when that has completed: never more than 8 of a row are under way.
//   Between two doorbells pass up to gap_i cycles and those in which the entry is not free.
// - Memory: queues of 8 entries of 64 bytes at 0x400 and 0x600: the pointer to the entry's flag, then from 16
//   on 8 words of data; flags at 0x800 and 0x840; results of blocks from 0xc00 on.
`default_nettype none
`include "evgpu_defs.vh"

module event_driver #(
    parameter [15:0] Blocks = 16'd32 // of the background, at least; up to 32 have a result of their own
) (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire [15:0]  events_i,
    input  wire [15:0]  seed_i, // of the times, not 0
    input  wire [7:0]   gap_i,  // mask of a random number of cycles
    // gpu_frontend: commands and doorbells
    output wire         cmd_valid_o,
    output wire [63:0]  cmd_kernel_o,
    output wire [63:0]  cmd_base_o,
    output wire [63:0]  cmd_last_o,
    output wire [63:0]  cmd_flag_first_o,
    output wire [63:0]  cmd_flag_last_o,
    input  wire         cmd_ready_i,
    input  wire         rsp_valid_i,
    input  wire [2:0]   rsp_code_i,
    output wire         wr_valid_o,
    output wire [31:0]  wr_addr_o,
    // Completed events, as they go to gpu_frontend
    input  wire         done_i,
    input  wire [63:0]  done_param_i,
    input  wire         quiet_i, // gpu_frontend and event unit are idle
    // Background blocks
    output wire         blk_valid_o,
    output wire [31:0]  blk_arg_o,
    input  wire         blk_ready_i,
    input  wire         blk_done_i,
    // Memory
    output wire         drv_valid_o,
    output wire         drv_write_o,
    output wire [9:0]   drv_word_o,
    output wire [31:0]  drv_data_o,
    input  wire         drv_ready_i,
    input  wire [31:0]  data_i,
    // What has come of it
    output wire [2:0]   state_o,
    output wire [15:0]  blocks_o,
    output wire         sum_valid_o,
    output wire [31:0]  sum_data_o,
    output wire [31:0]  sum_o
);

    localparam [2:0] Fill = `EVG_DRIVER_STATE_FILL, Register = `EVG_DRIVER_STATE_REGISTER,
                     Answer = `EVG_DRIVER_STATE_ANSWER, Run = `EVG_DRIVER_STATE_RUN,
                     Drain = `EVG_DRIVER_STATE_DRAIN, Sum = `EVG_DRIVER_STATE_SUM,
                     End = `EVG_DRIVER_STATE_END, Stuck = `EVG_DRIVER_STATE_STUCK;
    localparam [9:0] First = 10'h100; // word

    reg [2:0]  state_q;
    reg [9:0]  word_q;
    reg        row_q;             // that is being registered
    reg [15:0] random_q, left_q;  // doorbells
    reg [7:0]  gap_q;
    reg [15:0] busy_q;            // entries under way, of row 1 in the high half
    reg [2:0]  next0_q, next1_q;  // entry of the next doorbell of a row
    reg [15:0] blocks_q;
    reg [2:0]  running_q;         // blocks
    reg        read_q;
    reg [31:0] sum_q;

    // --- Memory: what stands there at first ----------------------------------------------------------
    wire [11:0] at    = {word_q, 2'd0};
    wire [31:0] flag  = {20'd0, 5'b10000, at[9], 1'b0, at[8:6], 2'd0};
    wire [31:0] begin_value = word_q >= 10'h200 ? 32'd0 : word_q[3:0] == 4'd0 ? flag :
                              word_q[3:0] == 4'd1 ? 32'd0 : {at[7:0], 12'ha53, at};

    // --- Doorbells -----------------------------------------------------------------------------------
    wire        row       = random_q[3];
    wire [15:0] entry     = 16'd1 << {row, row ? next1_q : next0_q};
    wire        ring      = state_q == Run && left_q != 16'd0 && gap_q == 8'd0 && !(|(busy_q & entry));
    wire [15:0] end_entry = 16'd1 << done_param_i[9:6];
    wire        none_left = left_q == 16'd0 && busy_q == 16'd0;
    wire        unused    = &{1'b0, done_param_i[63:10], done_param_i[5:0]};

    always @(posedge clk_i) begin
        if (rst_i) begin
            random_q <= seed_i | 16'd1;
            left_q   <= events_i;
            gap_q    <= 8'd0;
            busy_q   <= 16'd0;
            next0_q  <= 3'd0;
            next1_q  <= 3'd0;
        end else begin
            random_q <= {random_q[14:0], random_q[15] ^ random_q[13] ^ random_q[12] ^ random_q[10]};
            busy_q   <= (busy_q | (ring ? entry : 16'd0)) & ~(done_i ? end_entry : 16'd0);
            if (ring) begin
                left_q  <= left_q - 16'd1;
                next0_q <= next0_q + {2'd0, !row};
                next1_q <= next1_q + {2'd0, row};
                gap_q   <= random_q[11:4] & gap_i;
            end else if (gap_q != 8'd0)
                gap_q <= gap_q - 8'd1;
        end
    end

    // --- State by state ------------------------------------------------------------------------------
    wire last_word = word_q == 10'h3ff;
    wire step_word = drv_valid_o && drv_ready_i;

    always @(posedge clk_i) begin
        read_q <= !rst_i && step_word && !drv_write_o;
        if (rst_i) begin
            state_q   <= Fill;
            word_q    <= First;
            row_q     <= 1'b0;
            blocks_q  <= 16'd0;
            running_q <= 3'd0;
            sum_q     <= 32'd0;
        end else begin
            blocks_q  <= blocks_q + {15'd0, blk_ready_i};
            running_q <= running_q + {2'd0, blk_ready_i} - {2'd0, blk_done_i};
            if (step_word)
                word_q <= last_word ? First : word_q + 10'd1;
            if (read_q)
                sum_q <= {sum_q[30:0], sum_q[31]} + data_i;
            case (state_q)
                Fill:     if (step_word && last_word) state_q <= Register;
                Register: if (cmd_ready_i)            state_q <= Answer;
                Answer:
                    if (rsp_valid_i) begin
                        row_q   <= 1'b1;
                        state_q <= rsp_code_i != `EVG_FRONTEND_CODE_OK ? Stuck : row_q ? Run : Register;
                    end
                Run:      if (none_left && blocks_q >= Blocks)        state_q <= Drain;
                Drain:    if (running_q == 3'd0 && quiet_i)           state_q <= Sum;
                Sum:      if (step_word && last_word)                 state_q <= End;
                default:  ;
            endcase
        end
    end

    // Rows, kernels and their memory
    assign cmd_valid_o      = state_q == Register;
    assign cmd_kernel_o     = {8'd2, 48'd0, row_q ? 8'd128 : 8'd80}; // 8 registers; instruction 32 or 20
    assign cmd_base_o       = row_q ? 64'h600 : 64'h400;
    assign cmd_last_o       = row_q ? 64'h7c0 : 64'h5c0;
    assign cmd_flag_first_o = row_q ? 64'h840 : 64'h800;
    assign cmd_flag_last_o  = row_q ? 64'h85c : 64'h81c;
    assign wr_valid_o       = ring;
    assign wr_addr_o        = {19'd0, row, 12'd0};
    assign blk_valid_o      = state_q == Run && random_q[5:0] == 6'd0;
    assign blk_arg_o        = {27'd0, blocks_q[4:0]};
    assign drv_valid_o      = state_q == Fill || state_q == Sum;
    assign drv_write_o      = state_q == Fill;
    assign drv_word_o       = word_q;
    assign drv_data_o       = begin_value;
    assign state_o          = state_q;
    assign blocks_o         = blocks_q;
    assign sum_valid_o      = read_q;
    assign sum_data_o       = data_i;
    assign sum_o            = sum_q;

endmodule

`default_nettype wire
