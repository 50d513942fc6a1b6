// SPDX-License-Identifier: Apache-2.0
// level_below: of the levels that wait, the highest, and the next one below a given level (EDGE IV:
// event kernels have a configurable priority).
//
// Contract
// - Combinational. highest_o is the highest level of waits_i. lower_o is the highest of waits_i below
//   level_i, and any_lower_o tells that there is one.
//
//     waits_i    level_i    highest_o    any_lower_o    lower_o
//     1011       3          3            1              1
//     1011       1          3            1              0
//     1011       0          3            0              -
//
// - highest_o without a level in waits_i, and lower_o without any_lower_o, are 0.
`default_nettype none
`include "evgpu_defs.vh"

module level_below (
    input  wire [(1 << `EVG_PRIORITY_BITS)-1:0] waits_i,
    input  wire [`EVG_PRIORITY_BITS-1:0]        level_i,
    output reg  [`EVG_PRIORITY_BITS-1:0]        highest_o,
    output reg  [`EVG_PRIORITY_BITS-1:0]        lower_o,
    output reg                                  any_lower_o
);

    localparam Bits   = `EVG_PRIORITY_BITS;
    localparam Levels = 1 << Bits;

    integer level;

    always @* begin
        highest_o   = {Bits{1'b0}};
        lower_o     = {Bits{1'b0}};
        any_lower_o = 1'b0;
        for (level = 0; level < Levels; level = level + 1)
            if (waits_i[level]) begin
                highest_o = level[Bits-1:0];
                if (level[Bits-1:0] < level_i) begin
                    lower_o     = level[Bits-1:0];
                    any_lower_o = 1'b1;
                end
            end
    end

endmodule

`default_nettype wire
