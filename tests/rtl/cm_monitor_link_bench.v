// SPDX-License-Identifier: Apache-2.0
// A controller's side that reads a monitor across clocks that are not related: no stall is lost or counted
// twice, whatever the clocks' ratio; an answer comes in time.
`timescale 1ps / 1ps
`default_nettype none

module cm_monitor_link_bench;
    reg        core_clk = 1'b0, mem_clk = 1'b0, core_rst = 1'b1, mem_rst = 1'b1, ask = 1'b0;
    reg        mc_valid = 1'b0, net_valid = 1'b0;
    wire       valid, read;
    wire [9:0] mc, net, stall_mc, stall_net;
    reg        stop = 1'b0; // no other reading
    integer    core_half = 500, mem_half = 700;
    integer    errors = 0, reads, ratio;
    integer    mc_stalls, net_stalls, mc_read, net_read, core_edges, mem_edges;

    always #(core_half) core_clk = !core_clk;
    always #(mem_half) mem_clk = !mem_clk;

    mem_stall_monitor monitor (
        .clk_i(mem_clk), .rst_i(mem_rst), .mc_valid_i(mc_valid), .mc_ready_i(1'b0),
        .net_valid_i(net_valid), .net_ready_i(1'b0), .read_i(read), .stall_mc_o(stall_mc),
        .stall_net_o(stall_net));

    cm_monitor_link dut (
        .core_clk_i(core_clk), .core_rst_i(core_rst), .ask_i(ask), .valid_o(valid), .mc_o(mc),
        .net_o(net), .mem_clk_i(mem_clk), .mem_rst_i(mem_rst), .read_o(read),
        .stall_mc_i(stall_mc), .stall_net_i(stall_net));

    always @(posedge mem_clk) begin
        if (!mem_rst) begin
            mc_stalls  = mc_stalls + mc_valid;
            net_stalls = net_stalls + net_valid;
        end
        mem_edges = mem_edges + 1;
        mc_valid  <= $random;
        net_valid <= $random & $random;
    end

    // As cm_controller: asks until an edge with valid, which takes the values; then later again.
    always @(posedge core_clk) begin
        core_edges = core_edges + 1;
        if (!core_rst && ask && valid) begin
            mc_read  = mc_read + mc;
            net_read = net_read + net;
            reads    = reads + 1;
            if (core_edges > 5 && mem_edges > 3 && core_edges > 6 + 3 * mem_half / core_half + 1) begin
                $display("answer after %0d edges of the cores' clock", core_edges);
                errors = errors + 1;
            end
            ask <= $random & !stop;
            core_edges = 0;
            mem_edges  = 0;
        end else if (!ask) begin
            ask <= $random & !stop;
            core_edges = 0;
            mem_edges  = 0;
        end
    end

    task run(input integer core, input integer mem);
        begin
            core_half = core;
            mem_half  = mem;
            core_rst  = 1'b1;
            mem_rst   = 1'b1;
            ask       = 1'b0;
            #(20 * (core + mem));
            @(negedge mem_clk) mem_rst = 1'b0;
            mc_stalls  = 0;
            net_stalls = 0;
            mc_read    = 0;
            net_read   = 0;
            reads      = 0;
            core_edges = 0;
            mem_edges  = 0;
            @(negedge core_clk) core_rst = 1'b0;
            #(4000 * (core + mem));
            // The last reading, then what the monitor still holds.
            stop = 1'b1;
            @(negedge core_clk);
            while (ask)
                @(negedge core_clk);
            @(negedge mem_clk);
            if (mc_read + stall_mc !== mc_stalls || net_read + stall_net !== net_stalls || reads < 100) begin
                $display("halves %0d, %0d: %0d reads, %0d + %0d of %0d, %0d + %0d of %0d", core, mem,
                         reads, mc_read, stall_mc, mc_stalls, net_read, stall_net, net_stalls);
                errors = errors + 1;
            end
            stop = 1'b0;
            // The next reset comes amidst an answer, which must not be taken after it.
            while (!(ask && valid))
                @(negedge core_clk);
        end
    endtask

    initial begin
        run(500, 700);
        run(700, 500);
        run(500, 501);
        run(1000, 131);
        run(131, 1000);
        run(617, 617);
        for (ratio = 0; ratio < 20; ratio = ratio + 1)
            run(200 + ($random & 1023), 200 + ($random & 1023));
        if (errors == 0)
            $display("passed");
        $finish;
    end
endmodule

`default_nettype wire
