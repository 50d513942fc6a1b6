// SPDX-License-Identifier: Apache-2.0
// flush_watch: how long a victim may take to be flushed, and which warps have taken longer.
//
// A victim may wait for something that only the event that wants its place can do: a full/empty word
// that the event's kernel fills, a flag that it sets. So it is let go after a time, and is out until
// no other warp is left.
//
// Contract
// - start_i: the edge that enters FLUSH. The victim is looked at in each of the following edges, while
//   flushing_i is high; over_o marks the last of the cfg_limit_i edges at which it may be found flushed.
//   With a limit of 0 there is none. cfg_limit_i is read at the edge of start_i only.
//
//     edge          0     1     2   ...  N-1    N
//     start_i       1     0     0         0     0
//     flushing_i    0     1     1         1     1
//     over_o        0     0     0         0     1    the victim is flushed at this edge, or is let go
//
// - give_up_i, with warp_i: at an edge with over_o the victim is let go. Its bit of tried_o is high from
//   the next edge on.
// - clear_i: a new event is taken, or a scan has found no warp: none is out any more.
//
//     at one edge                 what counts
//     start_i and flushing_i      start_i: the time begins anew
//     give_up_i and clear_i       clear_i
//
// - Illegal: give_up_i without over_o (it is obeyed).
// - Without start_i, flushing_i, give_up_i and clear_i no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module flush_watch #(
    parameter LimitBits = 16
) (
    input  wire                 clk_i,
    input  wire                 rst_i,
    input  wire [LimitBits-1:0] cfg_limit_i,
    input  wire                 start_i,
    input  wire                 flushing_i,
    output wire                 over_o,
    input  wire                 give_up_i,
    input  wire [5:0]           warp_i,
    input  wire                 clear_i,
    output wire [63:0]          tried_o
);

    localparam [LimitBits-1:0] One = 1;

    generate
        if (`EVG_MAX_WARPS != 64) begin : g_check
            flush_watch_is_wired_for_64_warps check_parameters ();
        end
    endgenerate

    reg [LimitBits-1:0] left_q; // edges, 0: for ever
    reg [63:0]          tried_q;

    always @(posedge clk_i) begin
        if (rst_i)
            left_q <= {LimitBits{1'b0}};
        else if (start_i)
            left_q <= cfg_limit_i;
        else if (flushing_i && left_q != {LimitBits{1'b0}})
            left_q <= left_q - One;
    end

    always @(posedge clk_i) begin
        if (rst_i || clear_i)
            tried_q <= 64'd0;
        else if (give_up_i)
            tried_q[warp_i] <= 1'b1;
    end

    assign over_o  = flushing_i && left_q == One;
    assign tried_o = tried_q;

`ifdef FORMAL
`include "properties/flush_watch.fv.vh"
`endif

endmodule

`default_nettype wire
