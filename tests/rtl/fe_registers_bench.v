// SPDX-License-Identifier: Apache-2.0
// The age of a head at the end of its range, which no run is long enough for: it stops at its highest value.
`default_nettype none
`include "evgpu_defs.vh"

module fe_registers_bench;
    reg         clk = 1'b0, rst = 1'b1, access = 1'b0, write = 1'b0;
    reg  [`EVG_FE_REG_WIDTH-1:0] address;
    reg  [31:0] value;
    reg  [2:0]  heads = 3'd0;
    wire        ack, irq, start, release_all, quiet;
    wire [31:0] data;
    wire [`EVG_FE_COMMAND_WIDTH-1:0] command;
    wire [15:0] first, last;
    wire [20:0] region;
    integer     queue, ahead, i, errors = 0;

    fe_registers dut (
        .clk_i(clk), .rst_i(rst), .reg_valid_i(access), .reg_write_i(write), .reg_addr_i(address),
        .reg_data_i(value), .reg_ack_o(ack), .reg_data_o(data), .irq_o(irq), .range_start_o(start),
        .range_command_o(command), .range_first_o(first), .range_last_o(last), .range_busy_i(1'b0),
        .release_o(release_all), .releasing_i(1'b0), .head_valid_i(heads), .head_leaves_i(3'd0),
        .head_line_i(96'd0), .head_mask_i(96'd0), .head_info_i(72'd0), .error_i(1'b0), .lost_i(1'b0),
        .taken_i(1'b0), .region_o(region), .quiet_o(quiet));

    task cycle;
        begin
            #1 clk = 1'b1;
            #1 clk = 1'b0;
        end
    endtask

    task reach(input a_write, input [`EVG_FE_REG_WIDTH-1:0] an_address, input [31:0] a_value);
        begin
            access  = 1'b1;
            write   = a_write;
            address = an_address;
            value   = a_value;
            cycle;
            access = 1'b0;
        end
    endtask

    initial begin
        for (queue = 0; queue < 3; queue = queue + 1)
            for (ahead = 1; ahead < 6; ahead = ahead + 1) begin
                rst   = 1'b1;
                heads = 3'd0;
                cycle;
                rst = 1'b0;
                reach(1'b1, `EVG_FE_REG_TIMEOUT_NON + queue, 32'hffff_ffff);
                heads = 3'd1 << queue;
                cycle;
                cycle;
                dut.age_q[32*queue+:32] = 32'hffff_ffff - ahead;
                for (i = 0; i < ahead; i = i + 1)
                    cycle;
                if (irq) // the time-out is the highest value itself
                    errors = errors + 1;
                for (i = 0; i < 3; i = i + 1)
                    cycle;
                reach(1'b0, `EVG_FE_REG_REPORT_AGE, 32'd0);
                if (!irq || data !== 32'hffff_ffff) begin
                    $display("queue %0d: age %h, irq %b", queue, data, irq);
                    errors = errors + 1;
                end
            end
        if (errors == 0)
            $display("passed");
    end
endmodule
