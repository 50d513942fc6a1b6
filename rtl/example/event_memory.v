// SPDX-License-Identifier: Apache-2.0
// event_memory: 4 KB for event_system: a simt_core, the front end's completion pointers and flags, a driver.
//
// Contract
// - One word of 32 bits per cycle. First the front end (the second half of a pointer, a flag, a pointer),
//   then the core, then the driver.
// - A pointer's answer comes two cycles after it was taken; the core's and the driver's data in the next cycle.
// - Addresses at or above 4 KB: a pointer's answer is an error; a flag there is taken and lost.
`default_nettype none

module event_memory (
    input  wire        clk_i,
    input  wire        rst_i,
    // gpu_frontend: completion pointers
    input  wire        mr_valid_i,
    input  wire [63:0] mr_addr_i,
    input  wire [4:0]  mr_tag_i,
    output wire        mr_ready_o,
    output wire        mr_rsp_valid_o,
    output wire [4:0]  mr_rsp_tag_o,
    output wire        mr_rsp_error_o,
    output wire [63:0] mr_rsp_data_o,
    // gpu_frontend: completion flags
    input  wire        pw_valid_i,
    input  wire [63:0] pw_addr_i,
    input  wire [31:0] pw_data_i,
    output wire        pw_ready_o,
    // simt_core
    input  wire        mem_valid_i,
    input  wire        mem_write_i,
    input  wire [9:0]  mem_word_i,
    input  wire [31:0] mem_data_i,
    output wire        mem_ready_o,
    // Driver
    input  wire        drv_valid_i,
    input  wire        drv_write_i,
    input  wire [9:0]  drv_word_i,
    input  wire [31:0] drv_data_i,
    output wire        drv_ready_o,
    output wire [31:0] data_o // of the last read
);

    reg        second_q, answer_q, error_q; // of a pointer
    reg [4:0]  tag_q;
    reg [8:0]  pair_q;
    reg [31:0] low_q;

    wire second = second_q;
    wire flag   = !second && pw_valid_i;
    wire first  = !second && !pw_valid_i && mr_valid_i && !answer_q;
    wire core   = !second && !flag && !first && mem_valid_i;
    wire drive  = !second && !flag && !first && !core && drv_valid_i;
    wire known  = pw_addr_i[63:12] == 52'd0;
    wire write  = flag ? known : core ? mem_write_i : drive && drv_write_i;
    wire unused = &{1'b0, mr_addr_i[2:0], pw_addr_i[1:0]};

    wire [9:0] word = second ? {pair_q, 1'b1} : flag ? pw_addr_i[11:2] : first ? {mr_addr_i[11:3], 1'b0} :
                      core ? mem_word_i : drv_word_i;

    single_port_ram #(.Width(32), .Depth(1024), .AddressBits(10)) u_ram (
        .clk_i(clk_i), .enable_i(second || first || core || drive || (flag && known)), .write_i(write),
        .address_i(word), .data_i(flag ? pw_data_i : core ? mem_data_i : drv_data_i), .data_o(data_o)
    );

    always @(posedge clk_i) begin
        if (rst_i) begin
            second_q <= 1'b0;
            answer_q <= 1'b0;
        end else begin
            second_q <= first;
            answer_q <= second;
        end
        if (first) begin
            tag_q   <= mr_tag_i;
            pair_q  <= mr_addr_i[11:3];
            error_q <= mr_addr_i[63:12] != 52'd0;
        end
        if (second)
            low_q <= data_o;
    end

    assign mr_ready_o     = first;
    assign mr_rsp_valid_o = answer_q;
    assign mr_rsp_tag_o   = tag_q;
    assign mr_rsp_error_o = error_q;
    assign mr_rsp_data_o  = {data_o, low_q};
    assign pw_ready_o     = flag;
    assign mem_ready_o    = core;
    assign drv_ready_o    = drive;

endmodule

`default_nettype wire
