// SPDX-License-Identifier: Apache-2.0
// cm_next_registers: software's access to the registers of cm_next_core (enum cm_next_reg).
//
// Contract
// - An access per edge, with reg_valid_i; cm_answer gives the answer after it. The write_*_o of an
//   access that is not an error is high in the same cycle; the core then takes reg_data_i.
//
//     register        content                                       a write is an error
//     LIMIT           limit_i                                       of a limit outside the mode; with set_i
//     STALL, ISSUED   stall_i, issued_i                             above 2047
//     PAIR            pair_i                                        always
//     AVERAGE, FIRST  bit 15: valid; 10..0                          bits 14..11 not 0
//     EVIDENCE        evidence_i, two's complement                  outside of -4096..4095
//     SEARCH          4..3 last move, 2..0 caution                  move 3, caution out of its range
//     ENDED           ended_i                                       always
//     others          0                                             always; so is a read
//
// - Limits: OFF has 48, FIXED 1..48, other modes those with is_level_i.
`default_nettype none
`include "evgpu_defs.vh"

module cm_next_registers #(
    parameter CautionMin = 1,
    parameter CautionMax = 4
) (
    input  wire               clk_i,
    input  wire               rst_i,
    // Software
    input  wire               reg_valid_i,
    input  wire               reg_write_i,
    input  wire [3:0]         reg_addr_i,
    input  wire [15:0]        reg_data_i,
    output wire               reg_done_o,
    output wire               reg_error_o,
    output wire [15:0]        reg_rdata_o,
    // The core
    input  wire               set_i,
    input  wire [1:0]         mode_i,     // in force
    input  wire               is_level_i, // reg_data_i is a level
    input  wire [5:0]         limit_i,
    input  wire [10:0]        stall_i,
    input  wire [6:0]         pair_i,
    input  wire [10:0]        issued_i,
    input  wire [11:0]        average_i,  // valid, value
    input  wire [11:0]        first_i,
    input  wire signed [12:0] evidence_i,
    input  wire [11:0]        ended_i,
    input  wire [4:0]         search_i,
    output wire               write_limit_o,
    output wire               write_stall_o,
    output wire               write_issued_o,
    output wire               write_average_o,
    output wire               write_first_o,
    output wire               write_evidence_o,
    output wire               write_search_o
);

    localparam [1:0] Off   = `EVG_CM_MODE_OFF;
    localparam [1:0] Fixed = `EVG_CM_MODE_FIXED;
    localparam [5:0] Top   = `EVG_CM_LEVEL_8;
    localparam [2:0] Boldest = CautionMin[2:0];
    localparam [2:0] Shyest  = CautionMax[2:0];

    reg  [15:0] content;
    reg         exists, fits;
    wire [5:0]  limit   = reg_data_i[`EVG_CM_WARPS_VALUE];
    wire [2:0]  caution = reg_data_i[`EVG_CM_SEARCH_CAUTION];

    wire fits_limit    = reg_data_i[`EVG_CM_WARPS_UNUSED] == 10'd0 && limit >= 6'd1 && limit <= Top && !set_i &&
                         (mode_i == Off ? limit == Top : mode_i == Fixed || is_level_i);
    wire fits_count    = reg_data_i[`EVG_CM_COUNT_UNUSED] == 5'd0;
    wire fits_known    = reg_data_i[`EVG_CM_KNOWN_UNUSED] == 4'd0;
    wire fits_evidence = reg_data_i[15:12] == 4'd0 || reg_data_i[15:12] == 4'hf;
    wire fits_search   = reg_data_i[`EVG_CM_SEARCH_UNUSED] == 11'd0 &&
                         !(reg_data_i[`EVG_CM_SEARCH_MOVED_UP] && reg_data_i[`EVG_CM_SEARCH_MOVED_DOWN]) &&
                         caution >= Boldest && caution <= Shyest;

    always @* begin
        exists  = 1'b1;
        fits    = fits_count;
        content = 16'd0;
        case (reg_addr_i)
            `EVG_CM_NEXT_REG_LIMIT: begin
                content[`EVG_CM_WARPS_VALUE] = limit_i;
                fits                         = fits_limit;
            end
            `EVG_CM_NEXT_REG_STALL:  content[`EVG_CM_COUNT_VALUE] = stall_i;
            `EVG_CM_NEXT_REG_PAIR: begin
                content = {9'd0, pair_i};
                fits    = 1'b0;
            end
            `EVG_CM_NEXT_REG_ISSUED: content[`EVG_CM_COUNT_VALUE] = issued_i;
            `EVG_CM_NEXT_REG_AVERAGE: begin
                content = {average_i[11], 4'd0, average_i[10:0]};
                fits    = fits_known;
            end
            `EVG_CM_NEXT_REG_FIRST: begin
                content = {first_i[11], 4'd0, first_i[10:0]};
                fits    = fits_known;
            end
            `EVG_CM_NEXT_REG_EVIDENCE: begin
                content = {{3{evidence_i[12]}}, evidence_i};
                fits    = fits_evidence;
            end
            `EVG_CM_NEXT_REG_ENDED: begin
                content = {4'd0, ended_i};
                fits    = 1'b0;
            end
            `EVG_CM_NEXT_REG_SEARCH: begin
                content = {{`EVG_CM_SEARCH_UNUSED_WIDTH{1'b0}}, search_i};
                fits    = fits_search;
            end
            default: begin
                exists = 1'b0;
                fits   = 1'b0;
            end
        endcase
    end

    wire write = reg_valid_i && reg_write_i && fits;

    assign write_limit_o    = write && reg_addr_i == `EVG_CM_NEXT_REG_LIMIT;
    assign write_stall_o    = write && reg_addr_i == `EVG_CM_NEXT_REG_STALL;
    assign write_issued_o   = write && reg_addr_i == `EVG_CM_NEXT_REG_ISSUED;
    assign write_average_o  = write && reg_addr_i == `EVG_CM_NEXT_REG_AVERAGE;
    assign write_first_o    = write && reg_addr_i == `EVG_CM_NEXT_REG_FIRST;
    assign write_evidence_o = write && reg_addr_i == `EVG_CM_NEXT_REG_EVIDENCE;
    assign write_search_o   = write && reg_addr_i == `EVG_CM_NEXT_REG_SEARCH;

    cm_answer u_answer (
        .clk_i(clk_i), .rst_i(rst_i), .access_i(reg_valid_i),
        .error_i(!exists || (reg_write_i && !fits)), .content_i(content), .done_o(reg_done_o),
        .error_o(reg_error_o), .rdata_o(reg_rdata_o)
    );

endmodule

`default_nettype wire
