// SPDX-License-Identifier: Apache-2.0
// free_run: a board that runs by itself (docs/design/fpga.md): the front end and four event units at the
// full clock, between doorbells that ring by chance (free_doorbells) and cores whose warps are state
// machines (free_core); it measures latencies (free_latency) and checks that no event is lost.
//
// Contract
// - Ports as in rtl/evgpu.def; settings stand still from the rise of run_i on. One run after each reset.
// - phase_o: 0 before run_i, 1 while memories are cleared, 2 in the run, 3 when goal_i doorbells have been
//   rung and their events are complete; cycles_o counts phase 2.
// - Each completed event must be the one that its flag and tag name, and each tag must be complete once before
//   it is used again; wrong_o counts what is not so, and what the front end or an event unit does wrong:
//   rung_o = completed_o and wrong_o = 0 in phase 3 say that no event was lost.
// - bin_o and take_bin_o are the bin at_i of the two histograms, two cycles later.
// - leds_o: done, in the run, something is wrong, a beat of 2**24 cycles, the octave of the last latency.
`default_nettype none
`include "evgpu_defs.vh"

module free_run (
    input  wire        clk_i,
    input  wire        rst_i,
    // Settings
    input  wire [31:0] seed_i,
    input  wire [15:0] rate_i,
    input  wire [3:0]  burst_i,
    input  wire [7:0]  most_i,
    input  wire [31:0] goal_i,
    input  wire [1:0]  policy_i,
    input  wire [3:0]  opts_i,
    input  wire        spare_i,
    input  wire [8:0]  at_i,
    input  wire        run_i,
    // Progress
    output wire [1:0]  phase_o,
    output wire [31:0] rung_o,
    output wire [31:0] accepted_o,
    output wire [31:0] pushed_o,
    output wire [31:0] completed_o,
    output wire [15:0] wrong_o,
    output wire [47:0] cycles_o,
    output wire [47:0] held_o,
    // Latencies
    output wire [47:0] sum_free_o,
    output wire [47:0] sum_spare_o,
    output wire [47:0] sum_saved_o,
    output wire [47:0] take_spare_o,
    output wire [47:0] take_saved_o,
    output wire [15:0] launch_most_o,
    output wire [15:0] take_most_o,
    output wire [31:0] bin_o,
    output wire [31:0] take_bin_o,
    output wire [7:0]  leds_o
);

    localparam Cores = 4;
    localparam [1:0] Idle = 2'd0, Clear = 2'd1, Run = 2'd2, Done = 2'd3;

    // --- Phases ------------------------------------------------------------------------------------
    reg [1:0]  phase_q;
    reg [9:0]  clear_q;
    reg        start_q;
    reg [47:0] cycles_q, held_q;
    reg [31:0] accepted_q, pushed_q, completed_q;
    reg [15:0] wrong_q, now_q;
    wire [31:0] rung;
    wire [8:0]  flight;
    wire        registered, held, answer_wrong;
    wire        over = phase_q == Run && registered && rung == goal_i && flight == 9'd0;

    always @(posedge clk_i) begin
        start_q <= phase_q == Clear && clear_q == 10'h3ff;
        now_q   <= now_q + 1'b1;
        case (phase_q)
            Idle:    if (run_i) phase_q <= Clear;
            Clear: begin
                clear_q <= clear_q + 1'b1;
                if (clear_q == 10'h3ff)
                    phase_q <= Run;
            end
            Run:     if (over) phase_q <= Done;
            default: phase_q <= Done;
        endcase
        if (phase_q == Run) begin
            cycles_q <= cycles_q + 1'b1;
            held_q   <= held_q + {47'd0, held};
        end
        if (rst_i) begin
            phase_q  <= Idle;
            clear_q  <= 10'd0;
            start_q  <= 1'b0;
            now_q    <= 16'd0;
            cycles_q <= 48'd0;
            held_q   <= 48'd0;
        end
    end

    // --- Front end ---------------------------------------------------------------------------------
    wire        cmd_valid, cmd_ready, rsp_valid, wr_valid, acc_valid, stat_req, ev_valid, done_ready;
    wire [1:0]  cmd_row;
    wire [63:0] cmd_kernel, cmd_base, cmd_last, cmd_first, cmd_flag_last;
    wire [15:0] cmd_rid, wr_rid, acc_tag, ev_tag, pw_tag;
    wire [2:0]  rsp_code;
    wire [31:0] wr_addr, ev_mask;
    wire [6:0]  stat_regs, ev_regs;
    wire [5:0]  ev_core;
    wire [63:0] ev_kernel, ev_param, mr_addr, mr_data, pw_addr;
    wire [17:0] ev_dims;
    wire [4:0]  ev_row, mr_tag, mr_rsp_tag;
    wire [1:0]  ev_priority;
    wire        mr_valid, mr_rsp_valid, pw_valid, pw_bad;
    wire [31:0] pw_data;
    wire [4:0]  acc_row;
    wire [159:0] errors;

    // From the cores and their event units
    wire [Cores-1:0]    u_ready, u_busy, u_done, u_aborted, s_free, s_fits, s_wrong;
    wire [3*Cores-1:0]  u_occupancy, u_victims;
    wire [4*Cores-1:0]  u_levels;
    wire [5*Cores-1:0]  u_done_row;
    wire [64*Cores-1:0] u_done_param;
    wire [16*Cores-1:0] u_done_tag, u_push_tag;
    wire [2*Cores-1:0]  u_push_entry;
    wire [Cores-1:0]    u_hold, u_push, u_fresh, u_spare;

    // One completion per cycle, from the cores in turn
    reg  [1:0] turn_q;
    wire [3:0] rotated = u_done >> turn_q | u_done << (3'd4 - {1'b0, turn_q});
    wire [1:0] ahead   = rotated[0] ? 2'd0 : rotated[1] ? 2'd1 : {1'b1, !rotated[2]};
    wire [1:0] giver   = turn_q + ahead;
    wire       given   = u_done != 4'd0 && done_ready;
    wire [4:0] given_row = giver == 2'd0 ? u_done_row[4:0] : giver == 2'd1 ? u_done_row[9:5] :
                           giver == 2'd2 ? u_done_row[14:10] : u_done_row[19:15];
    wire       ack     = ev_valid && u_ready[ev_core[1:0]];

    // The link to the device takes flags, but not in every cycle
    wire [31:0] random;
    free_random u_random (
        .clk_i(clk_i), .rst_i(rst_i), .load_i(start_q), .seed_i(~seed_i), .value_o(random)
    );
    wire pw_ready = random[1:0] != 2'd0;
    wire flagged  = pw_valid && pw_ready;

    free_doorbells u_doorbells (
        .clk_i(clk_i), .rst_i(rst_i), .start_i(start_q), .seed_i(seed_i), .cfg_rate_i(rate_i),
        .cfg_burst_i(burst_i), .cfg_most_i(most_i), .cfg_goal_i(goal_i), .cmd_valid_o(cmd_valid),
        .cmd_row_o(cmd_row), .cmd_kernel_o(cmd_kernel), .cmd_base_o(cmd_base),
        .cmd_last_o(cmd_last), .cmd_flag_first_o(cmd_first), .cmd_flag_last_o(cmd_flag_last),
        .cmd_rid_o(cmd_rid), .cmd_ready_i(cmd_ready), .rsp_valid_i(rsp_valid),
        .rsp_code_i(rsp_code), .wr_valid_o(wr_valid), .wr_addr_o(wr_addr), .wr_rid_o(wr_rid),
        .done_i(flagged || pw_bad), .registered_o(registered), .rung_o(rung), .flight_o(flight),
        .held_o(held), .wrong_o(answer_wrong)
    );

    gpu_frontend u_frontend (
        .clk_i(clk_i), .rst_i(rst_i), .wr_valid_i(wr_valid), .wr_addr_i(wr_addr),
        .wr_size_i(4'd4), .wr_rid_i(wr_rid), .cmd_valid_i(cmd_valid),
        .cmd_op_i(`EVG_FRONTEND_CMD_REGISTER), .cmd_row_i({3'd0, cmd_row}), .cmd_rid_i(cmd_rid),
        .cmd_kernel_i(cmd_kernel), .cmd_base_i(cmd_base), .cmd_size_i(64'd16),
        .cmd_last_i(cmd_last), .cmd_dims_i({32'd1, 32'd1, 32'd32, 32'd1, 32'd1, 32'd1}),
        .cmd_shared_i(16'd0), .cmd_priority_i(cmd_row), .cmd_flag_first_i(cmd_first),
        .cmd_flag_last_i(cmd_flag_last), .cfg_core_groups_i(4'd1), .cfg_core_mask_i(64'hf),
        .cfg_mode_i(`EVG_SCHED_MODE_PREEMPT), .cfg_keep_most_i(6'd0), .cfg_keep_shift_i(3'd0),
        .cfg_keep_patience_i(16'd0), .cfg_flag_limit_i(24'd0), .stat_valid_i(stat_req),
        .stat_group_i(3'd0), .stat_occupancy_i({12'd0, u_occupancy}),
        .stat_victims_i({12'd0, u_victims}), .stat_busy_i({4'd0, u_busy}),
        .stat_free_i({4'd0, s_free}), .stat_fits_i({4'd0, s_fits}), .stat_kept_i(8'd0),
        .stat_levels_i({16'd0, u_levels}), .ab_hit_i(1'b0), .ev_ack_i(ack), .big_ready_i(1'b1),
        .done_valid_i(given), .done_row_i(given_row),
        .done_param_i(u_done_param[{giver, 6'd0} +: 64]),
        .done_tag_i(u_done_tag[{giver, 4'd0} +: 16]), .done_aborted_i(u_aborted[giver]),
        .mr_ready_i(1'b1), .mr_rsp_valid_i(mr_rsp_valid), .mr_rsp_tag_i(mr_rsp_tag),
        .mr_rsp_error_i(1'b0), .mr_rsp_data_i(mr_data), .pw_ready_i(pw_ready), .err_clear_i(1'b0),
        .cmd_ready_o(cmd_ready), .rsp_valid_o(rsp_valid), .rsp_code_o(rsp_code), .rsp_row_o(),
        .freed_valid_o(), .freed_row_o(), .ab_valid_o(), .ab_row_o(), .ab_param_o(),
        .acc_valid_o(acc_valid), .acc_row_o(acc_row), .acc_tag_o(acc_tag),
        .err_unregistered_o(errors[31:0]), .err_misaligned_o(errors[63:32]),
        .err_size_o(errors[95:64]), .err_foreign_o(errors[127:96]),
        .err_overrun_o(errors[159:128]), .err_pointer_o(), .err_answer_o(), .err_timeout_o(),
        .err_silent_o(), .stat_req_o(stat_req), .stat_req_group_o(), .stat_req_regs_o(stat_regs),
        .ev_valid_o(ev_valid), .ev_core_o(ev_core), .ev_kernel_o(ev_kernel),
        .ev_param_o(ev_param), .ev_mask_o(ev_mask), .ev_dims_o(ev_dims), .ev_regs_o(ev_regs),
        .ev_row_o(ev_row), .ev_tag_o(ev_tag), .ev_priority_o(ev_priority), .big_valid_o(),
        .big_kernel_o(), .big_param_o(), .big_dims_o(), .big_shared_o(), .big_regs_o(),
        .big_row_o(), .big_tag_o(), .big_priority_o(), .done_ready_o(done_ready),
        .mr_valid_o(mr_valid), .mr_addr_o(mr_addr), .mr_tag_o(mr_tag), .pw_valid_o(pw_valid),
        .pw_addr_o(pw_addr), .pw_data_o(pw_data), .pw_tag_o(pw_tag), .pw_bad_o(pw_bad),
        .pw_why_o(), .keep_cores_o(), .levels_o(), .idle_o()
    );

    free_memory u_memory (
        .clk_i(clk_i), .rst_i(rst_i), .read_i(mr_valid), .addr_i(mr_addr), .tag_i(mr_tag),
        .valid_o(mr_rsp_valid), .tag_o(mr_rsp_tag), .data_o(mr_data)
    );

    // --- Cores -------------------------------------------------------------------------------------
    genvar c;
    generate
        for (c = 0; c < Cores; c = c + 1) begin : g_core
            free_unit #(.Number(c)) u_unit (
                .clk_i(clk_i), .rst_i(rst_i), .start_i(start_q), .seed_i(seed_i),
                .active_i(phase_q == Run && !start_q), .policy_i(policy_i), .opts_i(opts_i), .spare_i(spare_i),
                .ev_valid_i(ack && ev_core == c), .ev_kernel_i(ev_kernel), .ev_param_i(ev_param),
                .ev_mask_i(ev_mask), .ev_dims_i(ev_dims), .ev_regs_i(ev_regs), .ev_row_i(ev_row),
                .ev_tag_i(ev_tag), .ev_priority_i(ev_priority), .ev_ready_o(u_ready[c]),
                .occupancy_o(u_occupancy[3*c +: 3]), .levels_o(u_levels[4*c +: 4]),
                .victims_o(u_victims[3*c +: 3]), .busy_o(u_busy[c]), .stat_regs_i(stat_regs),
                .stat_free_o(s_free[c]), .stat_fits_o(s_fits[c]),
                .done_ready_i(given && giver == c), .done_valid_o(u_done[c]),
                .done_row_o(u_done_row[5*c +: 5]), .done_param_o(u_done_param[64*c +: 64]),
                .done_tag_o(u_done_tag[16*c +: 16]), .done_aborted_o(u_aborted[c]),
                .hold_o(u_hold[c]), .push_o(u_push[c]), .push_fresh_o(u_fresh[c]),
                .push_spare_o(u_spare[c]), .push_tag_o(u_push_tag[16*c +: 16]),
                .push_entry_o(u_push_entry[2*c +: 2]),
                .wrong_o(s_wrong[c])
            );
        end
    endgenerate

    // --- Latencies ---------------------------------------------------------------------------------
    wire [39:0] push_at;
    wire        lost;
    wire [15:0] last;
    generate
        for (c = 0; c < Cores; c = c + 1) begin : g_place
            assign push_at[10*c +: 10] = {u_push_tag[16*c+11 +: 2], u_push_tag[16*c +: 8]};
        end
    endgenerate
    free_latency u_latency (
        .clk_i(clk_i), .rst_i(rst_i), .now_i(now_q), .clear_i(phase_q == Clear),
        .clear_at_i(clear_q[8:0]), .acc_i(acc_valid), .acc_at_i({acc_row[1:0], acc_tag[7:0]}),
        .hold_i(u_hold), .push_i(u_push), .push_entry_i(u_push_entry), .push_at_i(push_at),
        .fresh_i(u_fresh), .spare_i(u_spare), .read_at_i(at_i), .launch_bin_o(bin_o), .take_bin_o(take_bin_o),
        .launch_sum_o({sum_saved_o, sum_spare_o, sum_free_o}),
        .take_sum_o({take_saved_o, take_spare_o}), .launch_most_o(launch_most_o),
        .take_most_o(take_most_o), .launch_last_o(last), .lost_o(lost)
    );

    // --- Each event complete once ------------------------------------------------------------------
    // An entry of a queue belongs to every 256th event of its row: the number of those completed.
    reg  [2:0] turns [0:1023];
    reg  [2:0] turns_q, turn_now_q;
    reg  [9:0] flag_at_q;
    reg        flag_q, flag_bad_q;
    wire [9:0] flag_at = {pw_tag[12:11], pw_tag[7:0]};
    wire       clear   = phase_q == Clear;

    always @(posedge clk_i) begin
        turns_q    <= turns[flag_at];
        flag_q     <= flagged && !rst_i;
        flag_at_q  <= flag_at;
        turn_now_q <= pw_tag[10:8];
        flag_bad_q <= pw_addr != {32'd0, 1'b1, 19'd0, flag_at, 2'd0} || pw_tag[15:13] != 3'd0 ||
                      pw_data != `EVG_COMPLETION_DONE;
        if (clear || flag_q)
            turns[clear ? clear_q : flag_at_q] <= clear ? 3'd0 : turns_q + 1'b1;
    end

    wire mistake = (flag_q && (flag_bad_q || turns_q != turn_now_q)) || pw_bad || lost ||
                   answer_wrong || s_wrong != 4'd0;
    // A rejected doorbell is one mistake for ever.
    wire rejected = errors != 160'd0;
    wire [2:0] pushes = {2'd0, u_push[0]} + {2'd0, u_push[1]} + {2'd0, u_push[2]} + {2'd0, u_push[3]};

    always @(posedge clk_i) begin
        accepted_q  <= accepted_q + {31'd0, acc_valid};
        pushed_q    <= pushed_q + {29'd0, pushes};
        completed_q <= completed_q + {31'd0, flagged};
        if ((mistake || rejected) && wrong_q != 16'hffff)
            wrong_q <= wrong_q + 1'b1;
        if (given)
            turn_q <= giver + 1'b1;
        if (rst_i) begin
            accepted_q  <= 32'd0;
            pushed_q    <= 32'd0;
            completed_q <= 32'd0;
            wrong_q     <= 16'd0;
            turn_q      <= 2'd0;
        end
    end

    function [3:0] octave(input [15:0] v);
        integer b;
        begin
            octave = 4'd0;
            for (b = 1; b < 16; b = b + 1)
                if (v[b])
                    octave = b[3:0];
        end
    endfunction

    assign phase_o     = phase_q;
    assign rung_o      = rung;
    assign accepted_o  = accepted_q;
    assign pushed_o    = pushed_q;
    assign completed_o = completed_q;
    assign wrong_o     = wrong_q;
    assign cycles_o    = cycles_q;
    assign held_o      = held_q;
    assign leds_o      = {phase_q == Done, phase_q == Run, wrong_q != 16'd0, cycles_q[23], octave(last)};

    wire unused = &{1'b0, acc_row[4:2], acc_tag[15:8], ev_core[5:2], u_push_tag, random[31:2], rotated[3]};

endmodule
`default_nettype wire
