// SPDX-License-Identifier: Apache-2.0
// free_memory: the memory of a board that runs by itself, as far as the front end reads it: the pointer of a
// queue entry to its flag.
//
// Contract
// - A read is taken in every cycle, and answered 17 cycles later: entry e of row r has flag e of row r
//   (free_doorbells).
`default_nettype none

module free_memory (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        read_i,
    input  wire [63:0] addr_i,
    input  wire [4:0]  tag_i,
    output wire        valid_o,
    output wire [4:0]  tag_o,
    output wire [63:0] data_o
);

    localparam Width = 16; // valid, tag, row, entry

    reg [Width-1:0] line [0:15];
    reg [3:0]       at_q;
    reg [Width-1:0] out_q;
    reg [4:0]       warm_q; // what the line held before the reset is not an answer

    always @(posedge clk_i) begin
        line[at_q] <= {read_i, tag_i, addr_i[13:12], addr_i[11:4]};
        out_q      <= line[at_q];
        at_q       <= at_q + 1'b1;
        if (!warm_q[4])
            warm_q <= warm_q + 1'b1;
        if (rst_i) begin
            at_q   <= 4'd0;
            warm_q <= 5'd0;
        end
    end

    assign valid_o = out_q[Width-1] && warm_q[4];
    assign tag_o   = out_q[Width-2 -: 5];
    assign data_o  = {32'd0, 1'b1, 19'd0, out_q[9:8], out_q[7:0], 2'd0};

    wire unused = &{1'b0, addr_i[63:14], addr_i[3:0]};

endmodule
`default_nettype wire
