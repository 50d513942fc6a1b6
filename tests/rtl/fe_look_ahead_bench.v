// SPDX-License-Identifier: Apache-2.0
// Release: what is inside at that edge leaves, once and all of it, whatever is loaded meanwhile; what comes
// later waits. For each number of requests inside and each edge of their way to the heads.
`default_nettype none
`include "evgpu_defs.vh"

module fe_look_ahead_bench;
    parameter Heads = 2;

    reg         clk = 1'b0, rst, push = 1'b0, release_all = 1'b0;
    reg  [87:0] item;
    wire [87:0] shown, oldest;
    wire        ready, last, valid, chosen, acts, pass, blocked, released, oldest_leaves, releasing, look, still;
    wire [31:0] row_bits;
    wire [10:0] look_row;
    wire [`EVG_FE_HEAD_WIDTH-1:0] head;
    wire        leave = blocked && released;
    integer     inside, wait_edges, i, id, left, errors = 0;
    reg  [15:0] gone;

    fe_look_ahead #(.LookAhead(Heads)) dut (
        .clk_i(clk), .rst_i(rst), .push_i(push), .data_i(item), .ready_o(ready), .last_o(last), .valid_o(valid),
        .chosen_o(chosen), .data_o(shown), .acts_o(acts), .pass_o(pass), .blocked_o(blocked),
        .released_o(released), .leave_i(leave), .row_bits_o(row_bits), .oldest_data_o(oldest),
        .oldest_leaves_o(oldest_leaves), .oldest_state_o(head), .release_i(release_all),
        .releasing_o(releasing), .look_o(look), .look_row_o(look_row), .look_grant_i(look), .ram_bits_i(32'd0),
        .write_i(1'b0), .write_row_i(11'd0), .write_bits_i(32'd0), .write_mixed_i(1'b0), .still_o(still));

    task cycle;
        begin
            #1;
            if (leave) begin
                if (gone[shown[67:64]])
                    errors = errors + 1;
                gone[shown[67:64]] = 1'b1;
                left = left + 1;
            end
            clk = 1'b1;
            #1 clk = 1'b0;
        end
    endtask

    task enter(input integer number); // waits for a word that stays empty
        begin
            item         = 88'd0;
            item[10:0]   = number;
            item[63:32]  = 32'd1;
            item[67:64]  = number;
            item[81:80]  = `EVG_FE_TRIGGER_FULL;
            push         = 1'b1;
            cycle;
            push = 1'b0;
        end
    endtask

    initial begin
        for (inside = 1; inside <= 7; inside = inside + 1)
            for (wait_edges = 0; wait_edges < 24; wait_edges = wait_edges + 1) begin
                rst = 1'b1;
                gone = 16'd0;
                left = 0;
                cycle;
                gone = 16'd0;
                left = 0;
                rst  = 1'b0;
                for (id = 0; id < inside; id = id + 1)
                    enter(id);
                for (i = 0; i < wait_edges; i = i + 1)
                    cycle;
                release_all = 1'b1;
                cycle;
                release_all = 1'b0;
                enter(inside);
                for (i = 0; i < 150; i = i + 1)
                    cycle;
                if (left != inside || gone != (16'd1 << inside) - 16'd1 || releasing || !still) begin
                    $display("%0d inside, after %0d edges: %0d left, %h", inside, wait_edges, left, gone);
                    errors = errors + 1;
                end
                // The one that came later leaves with the next release.
                release_all = 1'b1;
                cycle;
                release_all = 1'b0;
                for (i = 0; i < 40; i = i + 1)
                    cycle;
                if (left != inside + 1 || valid) begin
                    $display("%0d inside: the later one stays", inside);
                    errors = errors + 1;
                end
            end
        if (errors == 0)
            $display("passed");
    end
endmodule
