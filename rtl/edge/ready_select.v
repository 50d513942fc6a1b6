// SPDX-License-Identifier: Apache-2.0
// ready_select: a warp that can be flushed at once, for the policy CHEAPEST.
//
// Contract
// - ready_i, now: warps that may be borrowed and of which one command, or none, leaves nothing to wait
//   for; drop: those of them whose loads have to be dropped.
// - Of those that no entry of the table holds (taken_i: one does):
//
//     there are               any     warp                         drop   of warp_o
//     none                    0       -                            0
//     some without loads      1       the lowest without loads     0
//     only some with loads    1       the lowest                   1
//
// - No state: the answer belongs to the same edge.
`default_nettype none
`include "evgpu_defs.vh"

module ready_select (
    input  wire [`EVG_READY_WIDTH-1:0]      ready_i,
    input  wire [63:0]                      taken_i, // an entry holds it
    output wire [`EVG_READY_WARP_WIDTH-1:0] warp_o
);

    wire [63:0] now  = ready_i[`EVG_READY_NOW];
    wire [63:0] drop = ready_i[`EVG_READY_DROP];

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

    assign warp_o = {f_any, f_warp, f_any && f_drop};
    always @*
        assume (!f_any || !taken_i[f_warp]);
    wire unused_masks = ^{now, drop};
`else
    wire [63:0] open = now & ~taken_i;
    wire        any, clean;
    wire [5:0]  warp;

    prefer_select u_select (
        .bits_i(open), .prefer_i(open & ~drop), .any_o(any), .preferred_o(clean), .index_o(warp)
    );

    assign warp_o[`EVG_READY_WARP_ANY]  = any;
    assign warp_o[`EVG_READY_WARP_WARP] = warp;
    assign warp_o[`EVG_READY_WARP_DROP] = any && !clean;

`ifdef FORMAL
`include "properties/ready_select.fv.vh"
`endif
`endif

`ifdef EVG_ABSTRACT
`undef EVG_ABSTRACT
`endif

endmodule

`default_nettype wire
