// SPDX-License-Identifier: Apache-2.0
// free_latency_bench: every push of four cores is counted, with its latencies, in its class. Cores push three cycles
// apart, and at the rate at which the pushes of 16 entries can just be counted. A push of an entry whose
// last one has not been read is told. Prints "passed".
`timescale 1ns / 1ps

module free_latency_bench;

    localparam Apart = 17; // cycles between two pushes of an entry, at least
    localparam Delay = 7;  // from a push to the sums, where no other waits

    reg         clk = 1'b0, rst = 1'b1, acc = 1'b0, clear = 1'b0;
    reg  [15:0] now = 16'd0;
    reg  [8:0]  bin = 9'd0;
    reg  [9:0]  acc_at = 10'd0;
    reg  [3:0]  hold = 4'd0, push = 4'd0, fresh = 4'hf, spare = 4'd0;
    reg  [7:0]  entry = 8'd0;
    reg  [39:0] at = 40'd0;
    wire [143:0] launch_sum;
    wire [95:0] take_sum;
    wire [31:0] launch_bin, take_bin;
    wire [15:0] launch_most, take_most, launch_last;
    wire        lost;

    always #5 clk = !clk;

    free_latency dut (
        .clk_i(clk), .rst_i(rst), .now_i(now), .clear_i(clear), .clear_at_i(bin), .acc_i(acc), .acc_at_i(acc_at),
        .hold_i(hold), .push_i(push), .push_entry_i(entry), .push_at_i(at), .fresh_i(fresh), .spare_i(spare),
        .read_at_i(bin), .launch_bin_o(launch_bin), .take_bin_o(take_bin), .launch_sum_o(launch_sum),
        .take_sum_o(take_sum), .launch_most_o(launch_most), .take_most_o(take_most),
        .launch_last_o(launch_last), .lost_o(lost)
    );

    // What is to be counted: of each class, and what the doorbells and holds began
    integer rung [0:1023];
    integer held [0:3];
    integer sums [0:2];
    integer takes [0:2];
    integer pushes [0:2];
    integer most_launch, most_take, losses, wrong = 0;
    integer c, n, r, t, kind, launch, take;

    task step;
        begin
            for (c = 0; c < 4; c = c + 1)
                if (push[c]) begin
                    kind  = fresh[c] ? 0 : spare[c] ? 1 : 2;
                    launch = now - rung[at[10 * c +: 10]];
                    take   = kind == 0 ? 0 : now - held[c];
                    sums[kind]   = sums[kind] + launch;
                    takes[kind]  = takes[kind] + take;
                    pushes[kind] = pushes[kind] + 1;
                    if (launch > most_launch)
                        most_launch = launch;
                    if (take > most_take)
                        most_take = take;
                end
            @(negedge clk) if (lost)
                losses = losses + 1;
            @(posedge clk) #1 now = now + 16'd1;
        end
    endtask

    task check(input [8*24-1:0] name, input integer is, input integer expected);
        if (is !== expected) begin
            $display("%0s: %0d instead of %0d", name, is, expected);
            wrong = wrong + 1;
        end
    endtask

    // Begins a run: bins are 0, and 1024 doorbells have been rung; acc_i comes two cycles after its doorbell.
    task start;
        begin
            push  = 4'd0;
            hold  = 4'd0;
            fresh = 4'hf;
            most_launch = 0;
            most_take   = 0;
            losses = 0;
            for (n = 0; n < 3; n = n + 1) begin
                sums[n]   = 0;
                takes[n]  = 0;
                pushes[n] = 0;
            end
            rst = 1'b1;
            step; step;
            rst = 1'b0;
            now = 16'd2;
            for (n = 0; n < 1024; n = n + 1) begin
                clear  = n < 512;
                bin    = n;
                acc    = 1'b1;
                acc_at = n * 5; // in another order than the pushes
                rung[acc_at] = now - 2;
                step;
            end
            acc = 1'b0;
        end
    endtask

    // Lets what waits be counted, and compares.
    task finish_run;
        integer launches [0:3];
        integer taken [0:3];
        begin
            push = 4'd0;
            for (n = 0; n < 30; n = n + 1)
                step;
            check("losses", losses, 0);
            check("longest to push", launch_most, most_launch);
            check("longest hold", take_most, most_take);
            for (n = 0; n < 4; n = n + 1) begin
                launches[n] = 0;
                taken[n]    = 0;
            end
            for (n = 0; n < 512; n = n + 1) begin
                bin = n;
                step;
                launches[n / 128] = launches[n / 128] + launch_bin;
                taken[n / 128]    = taken[n / 128] + take_bin;
            end
            for (n = 0; n < 3; n = n + 1) begin
                check("sum to push", launch_sum[48 * n +: 48], sums[n]);
                check("pushes in bins", launches[n], pushes[n]);
                if (n != 0) begin
                    check("sum of holds", take_sum[48 * (n - 1) +: 48], takes[n]);
                    check("holds in bins", taken[n], pushes[n]);
                end
            end
        end
    endtask

    // Four cores push four events each, three cycles apart, core c as many times `skew` later.
    task run_skew(input integer skew);
        begin
            start;
            for (t = 0; t < 30; t = t + 1) begin
                for (c = 0; c < 4; c = c + 1) begin
                    n = t - skew * c;
                    push[c] = n >= 0 && n % 3 == 0 && n < 12;
                    entry[2 * c +: 2] = n / 3;
                    at[10 * c +: 10]  = c + 4 * (n / 3);
                end
                step;
            end
            finish_run;
        end
    endtask

    // All 16 entries again and again, in every class: a push in nearly every cycle (`spread`), or four cores' pushes
    // in four cycles. A victim is held before its core's first push of a round.
    task run_full(input spread);
        begin
            start;
            for (r = 0; r < 12; r = r + 1)
                for (t = 0; t < Apart; t = t + 1) begin
                    for (c = 0; c < 4; c = c + 1) begin
                        n = spread ? t - 1 - c : 4 * (t - 9);
                        push[c]  = n >= 0 && n % 4 == 0 && n < 16;
                        fresh[c] = push[c] == ((r + c) % 3 == 0); // the opposite where nobody may look
                        spare[c] = push[c] == ((r + c) % 3 == 1);
                        hold[c]  = (r + c) % 3 != 0 && t >= c && t < Apart - 1;
                        entry[2 * c +: 2] = n / 4;
                        at[10 * c +: 10]  = 64 * r + 16 * c + t;
                        if (t == c)
                            held[c] = now;
                    end
                    step;
                end
            finish_run;
        end
    endtask

    // Two pushes of one entry, and no other: the second finds the first chosen only if it is the next.
    task run_pair(input integer apart, input integer expected);
        begin
            start;
            entry = 8'd0;
            at    = 40'd7;
            for (t = 0; t < 20; t = t + 1) begin
                push = t == 0 || t == apart ? 4'd1 : 4'd0;
                step;
                if (t + 1 < Delay)
                    check("counted too early", launch_sum[47:0], 0);
                else if (t + 1 == Delay && expected == 0)
                    check("not yet counted", launch_sum[47:0], sums[0] - most_launch);
            end
            check("losses of two", losses, expected);
            check("the last one", launch_last, most_launch);
        end
    endtask

    initial begin
        for (r = 0; r < 4; r = r + 1)
            run_skew(r);
        run_full(1'b0);
        run_full(1'b1);
        run_pair(1, 1);
        run_pair(2, 0);
        $display("%0s", wrong ? "failed" : "passed");
        $finish;
    end

endmodule
