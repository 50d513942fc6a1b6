// SPDX-License-Identifier: Apache-2.0
// cm_answer: answers a register access of software, in every block of concurrency management.
//
// Contract
//
//     edge          t            t + 1
//     access_i      1            0
//     error_i       e            -
//     content_i     v            -
//     done_o        0            1
//     error_o       before       e, until the next access
//     rdata_o       before       v, until the next access
//
// - An access per edge. After reset all outputs are 0: ports are compared, so they are reset though they
//   are data.
`default_nettype none

module cm_answer (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        access_i,
    input  wire        error_i,
    input  wire [15:0] content_i,
    output wire        done_o,
    output wire        error_o,
    output wire [15:0] rdata_o
);

    reg        done_q, error_q;
    reg [15:0] rdata_q;

    always @(posedge clk_i)
        if (rst_i) begin
            done_q  <= 1'b0;
            error_q <= 1'b0;
            rdata_q <= 16'd0;
        end else begin
            done_q <= access_i;
            if (access_i) begin
                error_q <= error_i;
                rdata_q <= content_i;
            end
        end

    assign done_o  = done_q;
    assign error_o = error_q;
    assign rdata_o = rdata_q;

endmodule

`default_nettype wire
