// SPDX-License-Identifier: Apache-2.0
// cm_limits: the warp limits of each mode of a core's concurrency management, and the steps between them
// (CM-BAL 4.1, 4.2). No state: outputs follow the inputs.
//
// Contract
//
//     mode    its limits, in warps                  next one down, up
//     OFF     48                                    -
//     CPU     1..CM_FINE, then every second to 48   step_down_o, step_up_o
//     BAL     the levels CM_LEVEL_0..8              below_warps_o, above_warps_o
//     FIXED   1..48                                 -
//
// - has_o: asked_mode_i has the limit asked_i.
// - set_o: the highest limit of set_mode_i that is not above limit_i; of OFF, 48. level_o: the number
//   of the highest level that is not above limit_i.
// - step_down_o, step_up_o: from limit_i; without meaning from the lowest down, from the highest up.
// - warps_o: those of level level_i; below_o, above_o: its neighbours, or itself at the ends.
`default_nettype none
`include "evgpu_defs.vh"

module cm_limits (
    input  wire [1:0] asked_mode_i,
    input  wire [5:0] asked_i,
    output reg        has_o,
    input  wire [5:0] limit_i,
    input  wire [1:0] set_mode_i,
    output reg  [5:0] set_o,
    output wire [3:0] level_o,
    output wire [5:0] step_down_o,
    output wire [5:0] step_up_o,
    input  wire [3:0] level_i,
    output wire [5:0] warps_o,
    output wire [3:0] below_o,
    output wire [5:0] below_warps_o,
    output wire [3:0] above_o,
    output wire [5:0] above_warps_o
);

    localparam [5:0] Level0 = `EVG_CM_LEVEL_0;
    localparam [5:0] Level1 = `EVG_CM_LEVEL_1;
    localparam [5:0] Level2 = `EVG_CM_LEVEL_2;
    localparam [5:0] Level3 = `EVG_CM_LEVEL_3;
    localparam [5:0] Level4 = `EVG_CM_LEVEL_4;
    localparam [5:0] Level5 = `EVG_CM_LEVEL_5;
    localparam [5:0] Level6 = `EVG_CM_LEVEL_6;
    localparam [5:0] Level7 = `EVG_CM_LEVEL_7;
    localparam [5:0] Level8 = `EVG_CM_LEVEL_8;

    localparam [1:0] Off = `EVG_CM_MODE_OFF;
    localparam [1:0] Cpu = `EVG_CM_MODE_CPU;
    localparam [1:0] Bal = `EVG_CM_MODE_BAL;
    localparam [1:0] Fixed = `EVG_CM_MODE_FIXED;

    localparam integer LastLevel = `EVG_CM_LEVELS - 1;
    localparam [3:0]   Last      = LastLevel[3:0];
    localparam [5:0]   Fine      = `EVG_CM_FINE;
    localparam [5:0]   Step      = `EVG_CM_STEP;

    generate
        if (Level0 < 1 || Level1 <= Level0 || Level2 <= Level1 || Level3 <= Level2 ||
            Level4 <= Level3 || Level5 <= Level4 || Level6 <= Level5 || Level7 <= Level6 ||
            Level8 <= Level7) begin : g_check_order
            cm_limits_needs_levels_in_ascending_order check_parameters ();
        end
        if (`EVG_CM_LEVELS != 9 || `EVG_CM_STEP != 2 || `EVG_CM_FINE % 2 != 0) begin : g_check_levels
            cm_limits_needs_nine_levels_and_even_steps check_parameters ();
        end
    endgenerate

    function [5:0] warps_of;
        input [3:0] level;
        case (level)
            4'd0:    warps_of = Level0;
            4'd1:    warps_of = Level1;
            4'd2:    warps_of = Level2;
            4'd3:    warps_of = Level3;
            4'd4:    warps_of = Level4;
            4'd5:    warps_of = Level5;
            4'd6:    warps_of = Level6;
            4'd7:    warps_of = Level7;
            default: warps_of = Level8;
        endcase
    endfunction

    // Number of the highest level that is not above `warps`.
    function [3:0] level_below;
        input [5:0] warps;
        begin
            if (warps >= Level8)      level_below = 4'd8;
            else if (warps >= Level7) level_below = 4'd7;
            else if (warps >= Level6) level_below = 4'd6;
            else if (warps >= Level5) level_below = 4'd5;
            else if (warps >= Level4) level_below = 4'd4;
            else if (warps >= Level3) level_below = 4'd3;
            else if (warps >= Level2) level_below = 4'd2;
            else if (warps >= Level1) level_below = 4'd1;
            else                      level_below = 4'd0;
        end
    endfunction

    // The same for every number of warps, and the limits that each mode has, as tables: a look-up is
    // shorter than a chain of comparisons.
    function [4*64-1:0] table_of_levels;
        input integer first;
        integer       w;
        begin
            table_of_levels = {4 * 64{1'b0}};
            for (w = 63; w >= first; w = w - 1)
                table_of_levels = {table_of_levels[4*63-1:0], level_below(w[5:0])};
        end
    endfunction

    function [63:0] table_of_limits;
        input [1:0] mode;
        integer     w;
        begin
            table_of_limits = 64'd0;
            for (w = 63; w >= 0; w = w - 1)
                table_of_limits = {table_of_limits[62:0],
                                   w >= 1 && w <= `EVG_CM_LEVEL_8 &&
                                   (mode != Off || w == `EVG_CM_LEVEL_8) &&
                                   (mode != Cpu || w <= `EVG_CM_FINE || w % 2 == 0) &&
                                   (mode != Bal || warps_of(level_below(w[5:0])) == w[5:0])};
        end
    endfunction

    // CM-CPU's steps, 8 bits each; never taken at the ends.
    function [8*64-1:0] table_of_steps;
        input   up;
        integer w;
        begin
            table_of_steps = {8 * 64{1'b0}};
            for (w = 63; w >= 0; w = w - 1) begin
                table_of_steps = table_of_steps << 8;
                if (up)
                    table_of_steps[5:0] = w[5:0] + ((w >= `EVG_CM_FINE) ? Step : 6'd1);
                else
                    table_of_steps[5:0] = w[5:0] - ((w > `EVG_CM_FINE) ? Step : 6'd1);
            end
        end
    endfunction

    localparam [8*64-1:0] CpuDown    = table_of_steps(1'b0);
    localparam [8*64-1:0] CpuUp      = table_of_steps(1'b1);
    localparam [4*64-1:0] LevelBelow = table_of_levels(0);
    localparam [63:0]     HasOff     = table_of_limits(Off);
    localparam [63:0]     HasCpu     = table_of_limits(Cpu);
    localparam [63:0]     HasBal     = table_of_limits(Bal);
    localparam [63:0]     HasFixed   = table_of_limits(Fixed);

    always @* begin
        case (asked_mode_i)
            Off:     has_o = HasOff[asked_i];
            Cpu:     has_o = HasCpu[asked_i];
            Bal:     has_o = HasBal[asked_i];
            default: has_o = HasFixed[asked_i];
        endcase
        case (set_mode_i)
            Off:     set_o = Level8;
            Cpu:     set_o = (limit_i > Fine) ? {limit_i[5:1], 1'b0} : limit_i;
            Bal:     set_o = warps_of(level_o);
            default: set_o = limit_i;
        endcase
    end

    assign level_o       = LevelBelow[{limit_i, 2'd0} +: 4];
    assign step_down_o   = CpuDown[{limit_i, 3'd0} +: 6];
    assign step_up_o     = CpuUp[{limit_i, 3'd0} +: 6];
    assign warps_o       = warps_of(level_i);
    assign below_o       = (level_i == 4'd0) ? 4'd0 : level_i - 4'd1;
    assign above_o       = (level_i == Last) ? Last : level_i + 4'd1;
    assign below_warps_o = warps_of(below_o);
    assign above_warps_o = warps_of(above_o);

endmodule

`default_nettype wire
