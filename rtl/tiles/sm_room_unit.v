// SPDX-License-Identifier: Apache-2.0
// sm_room_unit: the room that one SIMT core keeps for events, a tile (docs/design/concurrency.md): one per
// core, beside its sm_event_unit, whose ports it watches.
//
// Contract
// - That of event_room. All outputs are registers with defined values from reset on.
// - Inputs at an edge already show what the core's event unit did at the edge before.
`default_nettype none

module sm_room_unit (
    input  wire        clk_i,
    input  wire        rst_i,
    // Configuration
    input  wire [4:0]  cfg_shift_i,
    input  wire [1:0]  cfg_margin_i,
    // sm_event_unit
    input  wire [2:0]  events_i,
    input  wire        take_i,
    input  wire [6:0]  regs_i,
    // Time
    input  wire [16:0] at_i,
    input  wire        tick_i,
    // Kernel management
    output wire [2:0]  warps_o,
    output wire [9:0]  regs_o,
    // Observation
    output wire [10:0] mean_o,
    output wire        idle_o
);

    event_room u_room (
        .clk_i(clk_i), .rst_i(rst_i), .cfg_shift_i(cfg_shift_i), .cfg_margin_i(cfg_margin_i),
        .events_i(events_i), .take_i(take_i), .regs_i(regs_i), .at_i(at_i), .tick_i(tick_i),
        .warps_o(warps_o), .regs_o(regs_o), .mean_o(mean_o), .idle_o(idle_o)
    );

endmodule

`default_nettype wire
