// SPDX-License-Identifier: Apache-2.0
// Properties of cm_monitor_link, included at its end under FORMAL (docs/design/proofs.md).

    // Every asking is read once, and what comes back is what was read then, whatever the two clocks do: in
    // the proof they are free (tests/formal/cm_monitor_link_top.v). Time is counted in edges.
    reg             f_live = 1'b0;         // there has been a reset
    reg [1:0]       f_reads, f_takes;      // modulo 4
    reg [Width-1:0] f_mc, f_net;           // what was read last
    reg [1:0]       f_seen, f_still;       // f_reads at the last edge of the cores' clock; edges since a change
    reg             f_asked;               // an edge ago, without an answer
    reg             f_turn;                // the asking whose edges are counted
    reg [2:0]       f_mem_edges;           // of the memory's clock, since it was asked
    reg [2:0]       f_core_edges;          // of the cores', with ask_i and not while the memory's side works
    wire            f_working = ask_q != done_q;
    wire [1:0]      f_inside  = f_reads - f_takes;
    wire            f_steady  = f_live && !core_rst_i && !mem_rst_i;

    always @(posedge core_clk_i)
        if (core_rst_i) begin
            f_live       <= 1'b1;
            f_takes      <= 2'd0;
            f_seen       <= 2'd0;
            f_still      <= 2'd0;
            f_asked      <= 1'b0;
            f_core_edges <= 3'd0;
        end else begin
            if (ask_i && valid_o)
                f_takes <= f_takes + 2'd1;
            f_seen  <= f_reads;
            f_still <= f_seen != f_reads ? 2'd0 : f_still == 2'd3 ? 2'd3 : f_still + 2'd1;
            f_asked <= ask_i && !valid_o;
            if (!ask_i || valid_o)
                f_core_edges <= 3'd0;
            else if (!f_working)
                f_core_edges <= f_core_edges + 3'd1;
        end

    always @(posedge mem_clk_i)
        if (mem_rst_i) begin
            f_reads     <= 2'd0;
            f_turn      <= 1'b0;
            f_mem_edges <= 3'd0;
        end else begin
            if (read_o) begin
                f_reads <= f_reads + 2'd1;
                f_mc    <= stall_mc_i;
                f_net   <= stall_net_i;
            end
            f_turn <= ask_q;
            if (ask_q != f_turn)
                f_mem_edges <= 3'd1;
            else if (f_working)
                f_mem_edges <= f_mem_edges + 3'd1;
        end

`ifdef FORMAL_TOP_cm_monitor_link
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    always @*
        if (f_steady && f_asked)
            `EVG_REQUIRE (ask_i);
`undef EVG_REQUIRE

    always @*
        if (f_steady) begin
            // One reading per asking: none without, none twice, none lost
            assert (f_inside <= 2'd1);
            if (read_o)
                assert (f_inside == 2'd0 && f_working && ask_i);
            if (!ask_i)
                assert (f_inside == 2'd0 && !valid_o && !f_working);
            if (valid_o)
                assert (ask_i && f_inside == 2'd1 && mc_o == f_mc && net_o == f_net);
            // The counters stand still when they cross, for an edge of the cores' clock before it too.
            if (comes)
                assert (!read_o && f_seen == f_reads && f_still != 2'd0 && mc_q == f_mc && net_q == f_net);
            // In time: three edges of the memory's clock and four of the cores' until valid_o
            assert (f_mem_edges <= 3'd3 && f_core_edges <= 3'd4);
            if (f_core_edges == 3'd4)
                assert (valid_o);
        end

`ifdef FORMAL_TOP_cm_monitor_link
    always @* begin
        cover (f_steady && valid_o && f_takes == 2'd2 && mc_o != 0);
        cover (f_steady && f_core_edges == 3'd4 && f_mem_edges == 3'd3);
        cover (f_steady && read_o && !comes && f_mem_edges == 3'd2);
    end
`endif
