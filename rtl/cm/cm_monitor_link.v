// SPDX-License-Identifier: Apache-2.0
// cm_monitor_link: cm_controller reads a partition's mem_stall_monitor across clocks: the controller
// has the cores' clock, the monitor that of the memory side, and the two need not be related. One per
// partition; where both have one clock, the monitor is wired to the controller and there is no link.
//
//   cores' clock:  ask_i __/~~~~~~~~~~~~~~~~~~~~~~~~~\__    until the edge with valid_o
//                  ask_q ____/~~~~~~~~~~~~~~~~~~~~~~~~~~    a change asks
//   memory's:      read_o __________/~~~\_______________    once: the counters are taken and cleared
//                  done_q ______________/~~~~~~~~~~~~~~~    follows ask_q; mc_q, net_q stand from here on
//   cores' clock:  valid_o ______________________/~~~\__    with mc_o, net_o
//
// Contract
// - ask_i is held until an edge with valid_o, which takes mc_o and net_o. read_o is high at one edge of
//   the memory's clock per ask, and the monitor's counters are as before that edge: so no stall is lost
//   or counted twice (mem_stall_monitor).
// - Latency from ask_i to valid_o: at most 3 periods of the memory's clock and 5 of the cores'. With P
//   partitions a reading takes P times that, which INTERVAL must exceed by the 13 cycles of a decision.
// - Clock crossings: ask_q and done_q, each through two flip-flops of the other clock (synchroniser), and
//   mc_q and net_q, which stand still from the edge that changes done_q on. Constraints:
//   constraints/cm_monitor_link.sdc.
// - Resets: both are held together for 4 edges of each clock.
// - Illegal: ask_i withdrawn before valid_o.
`default_nettype none

module cm_monitor_link #(
    parameter Width = 10 // of a counter
) (
    // Cores' clock: cm_controller
    input  wire             core_clk_i,
    input  wire             core_rst_i,
    input  wire             ask_i,
    output wire             valid_o,
    output wire [Width-1:0] mc_o,
    output wire [Width-1:0] net_o,
    // Memory's clock: mem_stall_monitor
    input  wire             mem_clk_i,
    input  wire             mem_rst_i,
    output wire             read_o,
    input  wire [Width-1:0] stall_mc_i,
    input  wire [Width-1:0] stall_net_i
);

    // --- cores' clock: asks, and takes what has come ----------------------------------------------
    reg             ask_q, busy_q, valid_q;
    reg             done_sync_q, done_seen_q; // synchroniser
    reg [Width-1:0] core_mc_q, core_net_q;
    wire            comes = busy_q && done_seen_q == ask_q;

    // --- memory's clock: reads once per ask -------------------------------------------------------
    reg             done_q;
    reg             ask_sync_q, ask_seen_q; // synchroniser
    reg [Width-1:0] mc_q, net_q;
    wire            read = ask_seen_q != done_q;

    always @(posedge core_clk_i)
        if (core_rst_i) begin
            ask_q       <= 1'b0;
            busy_q      <= 1'b0;
            valid_q     <= 1'b0;
            done_sync_q <= 1'b0;
            done_seen_q <= 1'b0;
        end else begin
            done_sync_q <= done_q;
            done_seen_q <= done_sync_q;
            valid_q     <= comes;
            if (ask_i && !busy_q && !valid_q) begin
                ask_q  <= !ask_q;
                busy_q <= 1'b1;
            end else if (comes)
                busy_q <= 1'b0;
        end

    always @(posedge core_clk_i)
        if (comes) begin
            core_mc_q  <= mc_q;
            core_net_q <= net_q;
        end

    always @(posedge mem_clk_i)
        if (mem_rst_i) begin
            done_q     <= 1'b0;
            ask_sync_q <= 1'b0;
            ask_seen_q <= 1'b0;
        end else begin
            ask_sync_q <= ask_q;
            ask_seen_q <= ask_sync_q;
            done_q     <= ask_seen_q;
        end

    always @(posedge mem_clk_i)
        if (read) begin
            mc_q  <= stall_mc_i;
            net_q <= stall_net_i;
        end

    assign valid_o = valid_q;
    assign mc_o    = core_mc_q;
    assign net_o   = core_net_q;
    assign read_o  = read;

`ifdef FORMAL
`include "properties/cm_monitor_link.fv.vh"
`endif

endmodule

`default_nettype wire
