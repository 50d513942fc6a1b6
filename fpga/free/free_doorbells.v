// SPDX-License-Identifier: Apache-2.0
// free_doorbells: the driver and the device of a board that runs by itself: registers four rows of the
// event kernel table, then rings their doorbells at random.
//
// Contract
// - start_i: four registrations, row 0 first; registered_o when the last has been answered, or wrong_o, a
//   pulse, for an answer that is not OK. Row r has priority r, one warp of 4, 8, 8 or 12 units of
//   registers, a queue of 256 entries of 16 bytes and as many flags.
// - From then on each cycle begins a burst of cfg_burst_i + 1 doorbells, one in each cycle, with the chance
//   cfg_rate_i / 65536; each rings a row by chance. No doorbell is rung when cfg_most_i events are in
//   flight (held_o), nor when cfg_goal_i have been rung.
// - done_i: an event has been completed. flight_o counts those in flight, rung_o all.
`default_nettype none
`include "evgpu_defs.vh"

module free_doorbells (
    input  wire         clk_i,
    input  wire         rst_i,
    input  wire         start_i,
    input  wire [31:0]  seed_i,
    input  wire [15:0]  cfg_rate_i,
    input  wire [3:0]   cfg_burst_i,
    input  wire [7:0]   cfg_most_i,
    input  wire [31:0]  cfg_goal_i,
    // Front end: driver commands
    output wire         cmd_valid_o,
    output wire [1:0]   cmd_row_o,
    output wire [63:0]  cmd_kernel_o,
    output wire [63:0]  cmd_base_o,
    output wire [63:0]  cmd_last_o,
    output wire [63:0]  cmd_flag_first_o,
    output wire [63:0]  cmd_flag_last_o,
    output wire [15:0]  cmd_rid_o,
    input  wire         cmd_ready_i,
    input  wire         rsp_valid_i,
    input  wire [2:0]   rsp_code_i,
    // Front end: doorbells
    output wire         wr_valid_o,
    output wire [31:0]  wr_addr_o,
    output wire [15:0]  wr_rid_o,
    // Completed events
    input  wire         done_i,
    // Observation
    output wire         registered_o,
    output wire [31:0]  rung_o,
    output wire [8:0]   flight_o,
    output wire         held_o,
    output wire         wrong_o
);

    localparam [1:0] Idle = 2'd0, Command = 2'd1, Answer = 2'd2, Ring = 2'd3;

    wire [31:0] random;
    free_random u_random (
        .clk_i(clk_i), .rst_i(rst_i), .load_i(start_i), .seed_i(seed_i), .value_o(random)
    );

    reg [1:0]  state_q, row_q, wr_row_q;
    reg [3:0]  burst_q; // doorbells that the burst still has
    reg        wr_valid_q;
    reg [31:0] rung_q;
    reg [8:0]  flight_q;

    wire wants = state_q == Ring && rung_q != cfg_goal_i &&
                 (burst_q != 4'd0 || random[15:0] < cfg_rate_i);
    wire full  = flight_q >= {1'b0, cfg_most_i};
    wire rings = wants && !full;

    always @(posedge clk_i) begin
        case (state_q)
            Idle:    if (start_i) state_q <= Command;
            Command: if (cmd_ready_i) state_q <= Answer;
            Answer:  if (rsp_valid_i) begin
                         state_q <= row_q == 2'd3 ? Ring : Command;
                         row_q   <= row_q + 1'b1;
                     end
            default: state_q <= Ring;
        endcase
        wr_valid_q <= rings;
        wr_row_q   <= random[17:16];
        if (rings) begin
            burst_q <= burst_q != 4'd0 ? burst_q - 1'b1 : cfg_burst_i;
            rung_q  <= rung_q + 1'b1;
        end
        flight_q <= flight_q + {8'd0, rings} - {8'd0, done_i};
        if (rst_i) begin
            state_q    <= Idle;
            row_q      <= 2'd0;
            wr_row_q   <= 2'd0;
            burst_q    <= 4'd0;
            wr_valid_q <= 1'b0;
            rung_q     <= 32'd0;
            flight_q   <= 9'd0;
        end
    end

    wire [7:0] regs = row_q == 2'd0 ? 8'd4 : row_q == 2'd3 ? 8'd12 : 8'd8;

    assign cmd_valid_o      = state_q == Command;
    assign cmd_row_o        = row_q;
    assign cmd_kernel_o     = {regs, 40'd0, 2'd1, row_q, 12'd0};
    assign cmd_base_o       = {47'd0, 1'b1, 2'd0, row_q, 12'd0};
    assign cmd_last_o       = {47'd0, 1'b1, 2'd0, row_q, 12'hff0};
    assign cmd_flag_first_o = {32'd0, 1'b1, 19'd0, row_q, 10'd0};
    assign cmd_flag_last_o  = {32'd0, 1'b1, 19'd0, row_q, 10'h3fc};
    assign cmd_rid_o        = {14'h40, row_q};
    assign wr_valid_o       = wr_valid_q;
    assign wr_addr_o        = {18'd0, wr_row_q, 12'd0};
    assign wr_rid_o         = {14'h40, wr_row_q};
    assign registered_o     = state_q == Ring;
    assign rung_o           = rung_q;
    assign flight_o         = flight_q;
    assign held_o           = wants && full;
    assign wrong_o          = state_q == Answer && rsp_valid_i && rsp_code_i != `EVG_FRONTEND_CODE_OK;

    wire unused = &{1'b0, random[31:18]};

endmodule
`default_nettype wire
