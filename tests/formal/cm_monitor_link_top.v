// SPDX-License-Identifier: Apache-2.0
// For cm_monitor_link.task: the link with two clocks that have nothing to do with each other, and its
// resets, as its contract has them: both together, for four edges of each clock.
`default_nettype none

module cm_monitor_link_top (
    input wire       core_clk_i,
    input wire       mem_clk_i,
    input wire       again_i, // reset, whenever
    input wire       ask_i,
    input wire [1:0] stall_mc_i,
    input wire [1:0] stall_net_i
);

    (* gclk *) wire any_time;
    reg        rst_q = 1'b1;
    reg        core_was = 1'b1, mem_was = 1'b1;
    reg [2:0]  core_edges = 3'd0, mem_edges = 3'd0; // in reset
    wire       long_enough = core_edges == 3'd4 && mem_edges == 3'd4;
    wire       unused_valid, unused_read;
    wire [1:0] unused_mc, unused_net;

    always @(posedge any_time) begin
        core_was <= core_clk_i;
        mem_was  <= mem_clk_i;
        if (!rst_q) begin
            core_edges <= 3'd0;
            mem_edges  <= 3'd0;
        end else begin
            if (core_clk_i && !core_was && core_edges != 3'd4)
                core_edges <= core_edges + 3'd1;
            if (mem_clk_i && !mem_was && mem_edges != 3'd4)
                mem_edges <= mem_edges + 3'd1;
        end
        rst_q <= again_i || (rst_q && !long_enough);
    end

    cm_monitor_link #(.Width(2)) u_link (
        .core_clk_i(core_clk_i), .core_rst_i(rst_q), .ask_i(ask_i), .valid_o(unused_valid),
        .mc_o(unused_mc), .net_o(unused_net), .mem_clk_i(mem_clk_i), .mem_rst_i(rst_q),
        .read_o(unused_read), .stall_mc_i(stall_mc_i), .stall_net_i(stall_net_i));
endmodule

`default_nettype wire
