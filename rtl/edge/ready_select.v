// ready_select: a warp that can be flushed at once, for the policy CHEAPEST.
//
// Contract
// - now_i: warps that may be borrowed and of which one command, or none, leaves nothing to wait for;
//   drop_i: those of them whose loads have to be dropped.
// - Of those that no entry of the table holds:
//
//     there are               any_o   warp_o                       drop_o
//     none                    0       0                            0
//     some without loads      1       the lowest without loads     0
//     only some with loads    1       the lowest                   1
//
// - No state: the answer belongs to the same edge.
`default_nettype none
`include "evgpu_defs.vh"

module ready_select #(
    parameter Entries = `EVG_PEWT_ENTRIES
) (
    input  wire [63:0]          now_i,
    input  wire [63:0]          drop_i,
    input  wire [Entries-1:0]   held_i,
    input  wire [6*Entries-1:0] held_warp_i,
    output wire                 any_o,
    output wire [5:0]           warp_o,
    output wire                 drop_o
);

`ifdef FORMAL
`ifdef YOSYS
`ifndef FORMAL_TOP_ready_select
`define EVG_ABSTRACT
`endif
`endif
`endif

`ifdef EVG_ABSTRACT
    // In the proofs of its users: any warp that no entry holds. That what stands below is one of these
    // is proved of this module alone.
    (* anyseq *) wire       f_any, f_drop;
    (* anyseq *) wire [5:0] f_warp;
    integer                 f_e;

    assign any_o  = f_any;
    assign warp_o = f_warp;
    assign drop_o = f_any && f_drop;
    always @*
        for (f_e = 0; f_e < Entries; f_e = f_e + 1)
            assume (!f_any || !held_i[f_e] || held_warp_i[6*f_e+:6] != f_warp);
    wire unused_masks = ^{now_i, drop_i};
`else
    reg  [63:0] open;
    integer     entry;

    always @* begin
        open = now_i;
        for (entry = 0; entry < Entries; entry = entry + 1)
            if (held_i[entry])
                open[held_warp_i[6*entry+:6]] = 1'b0;
    end

    wire [63:0] clean = open & ~drop_i;
    wire        loads = !(|clean);
    wire [63:0] pool  = loads ? open : clean;
    reg  [5:0]  lowest;
    integer     w;

    always @* begin
        lowest = 6'd0;
        for (w = 63; w >= 0; w = w - 1)
            if (pool[w])
                lowest = w[5:0];
    end

    assign any_o  = |open;
    assign warp_o = lowest;
    assign drop_o = any_o && loads;

`ifdef FORMAL
`include "ready_select.fv.vh"
`endif
`endif

`ifdef EVG_ABSTRACT
`undef EVG_ABSTRACT
`endif

endmodule

`default_nettype wire
