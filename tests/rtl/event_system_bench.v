// SPDX-License-Identifier: Apache-2.0
// event_system_bench: event_system under each policy, or with +policy=N under one; each word of the memory at
// the end against what the kernels compute. Prints "passed". With +dump it writes event_system.vcd. Blocks, up to 32,
// are those of the background, and most of the run.
`timescale 1ns / 1ps
`include "evgpu_defs.vh"

module event_system_bench #(
    parameter [15:0] Blocks = 16'd32
);

    reg         clk = 1'b0, rst = 1'b1;
    reg  [1:0]  policy = 2'd0;
    wire        ring, push, fresh, spare, save, exit, flag, sum_valid, ended, ring_row;
    wire [15:0] blocks;
    wire [2:0]  state;
    wire [31:0] sum_data, sum;
    integer     rings = 0, pushes = 0, saves = 0, flags = 0, run, first = 0, last = 2, n;
    integer     of_row [0:1];
    reg  [11:0] at;     // of the word that is shown
    reg  [31:0] want;   // in it
    integer     wrong = 0;

    always #5 clk = !clk;
    defparam dut.u_driver.Blocks = Blocks;

    event_system dut (
        .clk_i(clk), .rst_i(rst), .policy_i(policy), .events_i(16'd24), .seed_i(16'h1234), .gap_i(8'h7f),
        .ring_o(ring), .ring_row_o(ring_row), .push_o(push), .push_fresh_o(fresh), .push_spare_o(spare), .save_o(save), .exit_o(exit), .flag_o(flag),
        .blocks_o(blocks), .state_o(state), .sum_valid_o(sum_valid), .sum_data_o(sum_data),
        .sum_o(sum), .end_o(ended)
    );

    // The word at `at`, after the events of its entry, or of its block.
    task expect_word;
        begin
            want = 32'd0;
            if (at >= 12'hc00 && {11'd0, at[9:5]} >= blocks)
                want = 32'd0;
            else if (at >= 12'hc00) begin
                want = {27'd0, at[9:5]} + {29'd0, at[4:2]};
                for (n = 40; n > 0; n = n - 1) begin
                    want = want + n;
                    want = want ^ (want << 5);
                    want = want[0] ? want + 77 : want;
                end
            end else if (at >= 12'h800)
                want = at[5] || at[11:7] != 5'b10000 || of_row[at[6]] <= at[4:2] ? 32'd0 : `EVG_COMPLETION_DONE;
            else if (at[5:2] == 4'd0)
                want = {20'd0, 5'b10000, at[9], 1'b0, at[8:6], 2'd0};
            else if (at[5:2] != 4'd1) begin
                want = {at[7:0], 12'ha53, at};
                if (at[5:2] >= 4'd4 && at[5:2] < 4'd12)
                    for (n = at[8:6]; n < of_row[at[9]]; n = n + 8)
                        want = !at[9] ? (want << 1) ^ (at[5:2] - 4'd4) :
                               want[0] ? 3 * want + 1 : want >> 1;
            end
        end
    endtask

    always @(posedge clk)
        if (!rst) begin
            rings  <= rings + ring;
            pushes <= pushes + push;
            saves  <= saves + save;
            flags  <= flags + flag;
            if (ring)
                of_row[ring_row] <= of_row[ring_row] + 1;
            if (sum_valid) begin
                expect_word;
                if (sum_data !== want) begin
                    wrong = wrong + 1;
                    $display("0x%h holds %h instead of %h", at, sum_data, want);
                end
                at = at + 12'd4;
            end
        end

    initial begin
        if ($test$plusargs("dump")) begin
            $dumpfile("event_system.vcd");
            $dumpvars(1, dut, dut.u_core, dut.u_unit, dut.u_driver);
        end
        if ($value$plusargs("policy=%d", first))
            last = first;
        for (run = first; run <= last; run = run + 1) begin
            rst    = 1'b1;
            policy = run[1:0];
            repeat (3) @(posedge clk);
            rings  = 0;
            pushes = 0;
            saves  = 0;
            flags  = 0;
            at     = 12'h400;
            of_row[0] = 0;
            of_row[1] = 0;
            @(negedge clk) rst = 1'b0;
            while (!ended && state != `EVG_DRIVER_STATE_STUCK)
                @(negedge clk);
            $display("policy %0d: %0d doorbells, %0d events, %0d saves, %0d flags, %0d blocks, sum %h", run, rings,
                     pushes, saves, flags, blocks, sum);
            if (state == `EVG_DRIVER_STATE_STUCK || rings != 24 || pushes != 24 || flags != 24 || saves == 0 || wrong != 0) begin
                $display("failed");
                $finish;
            end
        end
        $display("passed");
        $finish;
    end

endmodule
