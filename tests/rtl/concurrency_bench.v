// SPDX-License-Identifier: Apache-2.0
// Concurrency management as a machine joins it: concurrency_unit (with cm_controller) reads the counters of
// three partitions that answer late, and its decisions move the limits of two cores, a sm_concurrency_unit
// with cm_bal_core in mode CPU and one with cm_next_core. Decisions are compared with the counts that were
// read, limits with the levels of each core.
`default_nettype none
`include "evgpu_defs.vh"

module concurrency_bench;
    localparam Interval = 64, High = 300, Low = 90, Partitions = 3;
    localparam [1:0] Hold = `EVG_CM_DECISION_HOLD, Down = `EVG_CM_DECISION_DOWN, Up = `EVG_CM_DECISION_UP;

    reg         clk = 1'b0, rst = 1'b1, write = 1'b0, mon_valid = 1'b0;
    reg  [3:0]  addr = 4'd0;
    reg  [15:0] data = 16'd0;
    reg  [9:0]  mon_mc = 10'd0, mon_net = 10'd0;
    reg  [1:0]  ready = 2'd0; // the schedulers of the core with cm_next_core
    wire        done, error, mon_read, tick, set, idle;
    wire [15:0] rdata, rdata_a, rdata_b;
    wire [3:0]  mon_index, state_a, state_b;
    wire [1:0]  decision, mode, state, done_c, error_c, idle_c;
    wire [10:0] k;
    wire [2:0]  patience;
    wire [5:0]  pivot, limit, walk;

    concurrency_unit controller (
        .clk_i(clk), .rst_i(rst), .reg_valid_i(write), .reg_write_i(write), .reg_addr_i(addr), .reg_data_i(data),
        .reg_done_o(done), .reg_error_o(error), .reg_rdata_o(rdata), .mon_read_o(mon_read), .mon_index_o(mon_index),
        .mon_valid_i(mon_valid), .mon_mc_i(mon_mc), .mon_net_i(mon_net), .cm_tick_o(tick), .cm_decision_o(decision),
        .cm_set_o(set), .cm_mode_o(mode), .cm_k_o(k), .cm_patience_o(patience), .cm_pivot_o(pivot), .state_o(state),
        .idle_o(idle));

    sm_concurrency_unit core (
        .clk_i(clk), .rst_i(rst), .cm_tick_i(tick), .cm_decision_i(decision), .cm_set_i(set), .cm_mode_i(mode),
        .cm_k_i(k), .cm_patience_i(patience), .cm_pivot_i(pivot), .core_active_i(1'b1), .sched_ready_i(2'b11),
        .sched_full_i(2'b00), .kernel_begin_i(1'b0), .kernel_end_i(1'b0), .limit_o(limit), .reg_valid_i(1'b0),
        .reg_write_i(1'b0), .reg_addr_i(4'd0), .reg_data_i(16'd0), .reg_done_o(done_c[0]), .reg_error_o(error_c[0]),
        .reg_rdata_o(rdata_a), .state_o(state_a), .idle_o(idle_c[0]));

    sm_concurrency_unit #(.Next(1)) walker (
        .clk_i(clk), .rst_i(rst), .cm_tick_i(tick), .cm_decision_i(decision), .cm_set_i(set), .cm_mode_i(mode),
        .cm_k_i(k), .cm_patience_i(patience), .cm_pivot_i(pivot), .core_active_i(1'b1), .sched_ready_i(ready),
        .sched_full_i(2'b00), .kernel_begin_i(1'b0), .kernel_end_i(1'b0), .limit_o(walk), .reg_valid_i(1'b0),
        .reg_write_i(1'b0), .reg_addr_i(4'd0), .reg_data_i(16'd0), .reg_done_o(done_c[1]), .reg_error_o(error_c[1]),
        .reg_rdata_o(rdata_b), .state_o(state_b), .idle_o(idle_c[1]));

    integer   phase, edges, late = 0, sum_mc = 0, sum_net = 0, most = 200, ticks = 0, errors = 0, seen = 0;
    reg [1:0] want, before = Hold;
    reg [5:0] want_limit = 6'd48, was_walk = 6'd48;

    task fail(input [8*24-1:0] what, input integer got, input integer wanted);
        begin
            $display("tick %0d: %0s %0d instead of %0d", ticks, what, got, wanted);
            errors = errors + 1;
        end
    endtask

    // The neighbours on the levels 1..8, 10, 12, .. 48 of mode CPU, and on those of cm_next_core
    function [5:0] moved(input [5:0] from, input [1:0] how);
        case (how)
        Down:    moved = from == 6'd1 ? 6'd1 : from <= 6'd8 ? from - 6'd1 : from - 6'd2;
        Up:      moved = from == 6'd48 ? 6'd48 : from < 6'd8 ? from + 6'd1 : from + 6'd2;
        default: moved = from;
        endcase
    endfunction

    function [5:0] above(input [5:0] from);
        above = from < 6'd4 ? from + 6'd1 : from < 6'd8 ? from + 6'd2 : from < 6'd16 ? from + 6'd4 :
                from < 6'd48 ? from + 6'd8 : 6'd48;
    endfunction

    // An edge; a partition answers up to two edges after it was asked, and its counters are what was read.
    task step;
        begin
            mon_valid = mon_read && late == 0;
            if (mon_read && late != 0)
                late = late - 1;
            if (mon_valid) begin
                if (mon_index == 4'd0) begin
                    sum_mc  = 0;
                    sum_net = 0;
                end
                mon_mc  = $unsigned($random) % most;
                mon_net = $unsigned($random) % most;
                sum_mc  = sum_mc + {22'd0, mon_mc};
                sum_net = sum_net + {22'd0, mon_net};
                late    = $unsigned($random) % 3;
            end
            #1 clk = 1'b1;
            #1 clk = 1'b0;
            write = 1'b0;
            if (tick) begin
                ticks = ticks + 1;
                want  = sum_mc >= High || sum_net >= High ? Down : sum_mc < Low && sum_net < Low ? Up : Hold;
                if (decision !== want)
                    fail("decision", {30'd0, decision}, {30'd0, want});
                seen = seen | 1 << want;
                if (limit !== want_limit)
                    fail("limit", {26'd0, limit}, {26'd0, want_limit});
                want_limit = moved(limit, want);
                // What the decision before asked for; on 16 warps a core waits before it goes down
                if (ready == 2'd0 && walk !== was_walk) begin
                    if (before == Hold || walk !== (before == Up ? above(was_walk) : walk) ||
                        (before == Down && above(walk) !== was_walk))
                        fail("walk", {26'd0, walk}, {26'd0, was_walk});
                end else if (ready == 2'd0 && before != Hold && was_walk !== 6'd16 &&
                             was_walk !== (before == Up ? 6'd48 : 6'd2))
                    fail("walk that stands on", {26'd0, walk}, 0);
                before   = want;
                was_walk = walk;
            end
        end
    endtask

    task put(input [3:0] to, input [15:0] value);
        begin
            addr  = to;
            data  = value;
            write = 1'b1;
            step;
            if (!done || error)
                fail("answer", {31'd0, error}, 0);
        end
    endtask

    task run(input integer highest, input integer intervals);
        begin
            most = highest;
            repeat (intervals * Interval) step;
        end
    endtask

    initial begin
        step;
        rst = 1'b0;
        put(`EVG_CM_REG_INTERVAL, Interval);
        put(`EVG_CM_REG_PARTITIONS, Partitions);
        put(`EVG_CM_REG_T_HIGH, High);
        put(`EVG_CM_REG_T_LOW, Low);
        put(`EVG_CM_REG_MODE, {14'd0, `EVG_CM_MODE_CPU});
        repeat (2 * Interval) step;
        if (mode !== `EVG_CM_MODE_CPU)
            fail("mode", {30'd0, mode}, {30'd0, `EVG_CM_MODE_CPU});
        run(200, 150);
        // Traffic that is always too much, then always little: to both ends. A core that issues seldom goes one
        // level below the least that a decision leads to.
        run(1000, 60);
        if (limit !== 6'd1)
            fail("lowest limit", {26'd0, limit}, 1);
        if (walk !== 6'd2)
            fail("lowest walk", {26'd0, walk}, 2);
        run(20, 60);
        if (limit !== 6'd48 || walk !== 6'd48)
            fail("highest limit", {26'd0, limit}, 48);
        // A core that issues in every slot computes: it tries 16 warps, and stays there while it issues as much.
        ready = 2'b11;
        put(`EVG_CM_REG_K, 16'd32);
        run(20, 30);
        run(1000, 30);
        if (walk !== 6'd16)
            fail("limit of a busy core in its trial", {26'd0, walk}, 16);
        // Slower by half, it gets all its warps back, and keeps them.
        ready = 2'b01;
        run(1000, 30);
        if (walk !== 6'd48)
            fail("limit of a busy core after it", {26'd0, walk}, 48);
        if (seen !== 7)
            fail("decisions seen", seen, 7);
        if (ticks < 290)
            fail("ticks", ticks, 290);
        if (errors == 0)
            $display("passed");
        $finish;
    end
endmodule

`default_nettype wire
