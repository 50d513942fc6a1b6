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
                open = open & ~(64'd1 << held_warp_i[6*entry+:6]);
    end

    // Both are looked for at the same time: the warp must be known early in the cycle.
    wire       clean;
    wire [5:0] open_warp, clean_warp;

    lowest_select u_open (.bits_i(open), .any_o(any_o), .index_o(open_warp));
    lowest_select u_clean (.bits_i(open & ~drop_i), .any_o(clean), .index_o(clean_warp));

    assign warp_o = clean ? clean_warp : open_warp;
    assign drop_o = any_o && !clean;

`ifdef FORMAL
`include "ready_select.fv.vh"
`endif
`endif

`ifdef EVG_ABSTRACT
`undef EVG_ABSTRACT
`endif

endmodule

`default_nettype wire
