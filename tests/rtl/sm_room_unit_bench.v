// SPDX-License-Identifier: Apache-2.0
// sm_room_unit, and in it event_room, beside a sum that takes every cycle: events come and go at random, in
// intervals that are busy or still; room, registers and mean are compared at the end of each.
`default_nettype none
`include "evgpu_defs.vh"

module sm_room_unit_bench;
    localparam Shift     = 9;
    localparam Length    = 1 << Shift;
    localparam Intervals = 150;
    localparam Quiet     = 6; // cycles without a take around a tick, longer than the latency

    reg         clk = 1'b0, rst = 1'b1, take = 1'b0, tick = 1'b0;
    reg  [1:0]  margin = 2'd0;
    reg  [2:0]  events = 3'd0;
    reg  [6:0]  regs = 7'd0;
    reg  [16:0] at = 17'd0;
    wire [2:0]  warps;
    wire [9:0]  room;
    wire [10:0] mean;
    wire        idle;

    sm_room_unit dut (
        .clk_i(clk), .rst_i(rst), .cfg_shift_i(5'd9), .cfg_margin_i(margin), .events_i(events), .take_i(take),
        .regs_i(regs), .at_i(at), .tick_i(tick), .warps_o(warps), .regs_o(room), .mean_o(mean), .idle_o(idle));

    // The contract: the sum of this interval; mean; the registers of an event, and those of this interval
    integer sum = 0, before = 0, share, fall, want_mean = 0, want_warps, event_regs = 0, recent = 0;
    integer interval, cycle, busy, kept = 0, errors = 0;

    task step;
        begin
            sum    = sum + before;
            before = {29'd0, events};
            if (take && {25'd0, regs} > recent)
                recent = {25'd0, regs};
            if (recent > event_regs)
                event_regs = recent;
            if (tick) begin
                share = sum >> (Shift - 8);
                fall  = want_mean - (want_mean + 3) / 4;
                want_mean = share > fall ? share : fall;
                if (recent != 0)
                    event_regs = recent;
                if (want_mean == 0)
                    event_regs = 0;
                recent = 0;
                sum    = 0;
            end
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
    endtask

    task check;
        begin
            want_warps = want_mean == 0 ? 0 : (want_mean + 255) / 256 + {30'd0, margin};
            if (want_warps > `EVG_PEWT_ENTRIES)
                want_warps = `EVG_PEWT_ENTRIES;
            if (mean !== want_mean[10:0] || warps !== want_warps[2:0] ||
                {22'd0, room} !== want_warps * event_regs) begin
                $display("interval %0d: mean %0d, %0d warps, %0d registers instead of %0d, %0d, %0d", interval, mean,
                         warps, room, want_mean, want_warps, want_warps * event_regs);
                errors = errors + 1;
            end
            if (warps != 0 && warps < `EVG_PEWT_ENTRIES)
                kept = kept + 1;
        end
    endtask

    initial begin
        step;
        rst = 1'b0;
        for (interval = 0; interval < Intervals; interval = interval + 1) begin
            busy = $random & 7; // 0 and 1: a still interval
            for (cycle = 1; cycle <= Length; cycle = cycle + 1) begin
                at   = cycle[16:0];
                tick = cycle == Length;
                take = 1'b0;
                if (busy < 2)
                    events = 3'd0;
                else if (($random & 15) == 0) begin
                    if (events < `EVG_PEWT_ENTRIES && ($random & 7) < busy - 2) begin
                        if (cycle > Quiet && cycle < Length - Quiet) begin
                            events = events + 1'b1;
                            take   = 1'b1;
                            regs   = $random;
                        end
                    end else if (events != 0)
                        events = events - 1'b1;
                end
                if (cycle == Length) begin
                    check;
                    margin = $random;
                end
                step;
            end
        end
        if (kept < Intervals / 10) begin
            $display("only %0d intervals kept room for some events, not all", kept);
            errors = errors + 1;
        end
        if (errors == 0)
            $display("passed");
        $finish;
    end
endmodule

`default_nettype wire
