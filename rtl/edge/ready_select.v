// SPDX-License-Identifier: Apache-2.0
// ready_select: a warp that can be flushed at once, for the policy CHEAPEST.
//
// Contract
// - ready_i, now: warps that may be borrowed and of which one command, or none, leaves nothing to wait
//   for; drop: those of them whose loads have to be dropped.
// - Of those that no entry of the table holds:
//
//     there are               any     warp                         drop   of warp_o
//     none                    0       0                            0
//     some without loads      1       the lowest without loads     0
//     only some with loads    1       the lowest                   1
//
// - No state: the answer belongs to the same edge.
`default_nettype none
`include "evgpu_defs.vh"

module ready_select (
    input  wire [`EVG_READY_WIDTH-1:0]      ready_i,
    input  wire [`EVG_HOLDERS_WIDTH-1:0]    holders_i,
    output wire [`EVG_READY_WARP_WIDTH-1:0] warp_o
);

    localparam Entries = `EVG_PEWT_ENTRIES;

    wire [63:0]          now       = ready_i[`EVG_READY_NOW];
    wire [63:0]          drop      = ready_i[`EVG_READY_DROP];
    wire [Entries-1:0]   held      = holders_i[`EVG_HOLDERS_HELD];
    wire [6*Entries-1:0] held_warp = holders_i[`EVG_HOLDERS_WARP];

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

    assign warp_o = {f_any, f_warp, f_any && f_drop};
    always @*
        for (f_e = 0; f_e < Entries; f_e = f_e + 1)
            assume (!f_any || !held[f_e] || held_warp[6*f_e+:6] != f_warp);
    wire unused_masks = ^{now, drop};
`else
    reg  [63:0] open;
    integer     entry;

    always @* begin
        open = now;
        for (entry = 0; entry < Entries; entry = entry + 1)
            if (held[entry])
                open = open & ~(64'd1 << held_warp[6*entry+:6]);
    end

    // Both are looked for at the same time: the warp must be known early in the cycle.
    wire       any, clean;
    wire [5:0] open_warp, clean_warp;

    lowest_select u_open (.bits_i(open), .any_o(any), .index_o(open_warp));
    lowest_select u_clean (.bits_i(open & ~drop), .any_o(clean), .index_o(clean_warp));

    assign warp_o[`EVG_READY_WARP_ANY]  = any;
    assign warp_o[`EVG_READY_WARP_WARP] = clean ? clean_warp : open_warp;
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
