// SPDX-License-Identifier: Apache-2.0
// take_event: the event that warp_take_ctrl is taking, and which free registers it may have (EDGE IV-D,
// VI-C).
//
// Contract
// - take_i loads the event of pend_i: entry_o and regs_o from the next edge on, until the next take_i.
// - fits_o: the core has enough free registers for it. Never for a lighter event: what is free is drained
//   for the one whose turn it is.
// - A search (search_i) asks for any warp, if cfg_spare_i is high and the event fits, else for a warp with
//   registers enough; any_o says what the search at this edge would ask for, any_asked_o what the last
//   one did ask for, select_regs_o its least registers.
// - While a victim of any warp is being looked for, flushed and pushed (claims_next_i: so at the next edge),
//   claim_regs_o keeps blocks from taking the registers that the event needs: 0 otherwise.
//
//     edge            0      1      2      3
//     search_i        0      1      0      0       cfg_spare_i, and the event fits
//     claims_next_i   0      1      1      0
//     any_asked_o     0      0      1      1       until the next search_i or take_i
//     claim_regs_o    0      0      regs   regs    0 from edge 4 on
//
// - Without take_i, search_i and claims_next_i no register but claim_regs_o changes.
`default_nettype none
`include "evgpu_defs.vh"

module take_event (
    input  wire                            clk_i,
    input  wire                            rst_i,
    input  wire                            cfg_spare_i,
    input  wire [9:0]                      free_regs_i, // of the core
    // warp_take_ctrl
    input  wire                            take_i,
    input  wire [`EVG_PENDING_WIDTH-1:0]   pend_i,
    input  wire                            search_i,
    input  wire                            claims_next_i,
    output wire [`EVG_PEWT_INDEX_BITS-1:0] entry_o,
    output wire [6:0]                      regs_o,
    output wire                            lighter_o,
    output wire                            lighter_next_o, // from the next edge on
    output wire                            fits_o,
    output wire                            any_o,
    output wire                            any_asked_o,
    output wire [6:0]                      select_regs_o,
    output wire [6:0]                      claim_regs_o
);

    reg [`EVG_PEWT_INDEX_BITS-1:0] entry_q;
    reg [6:0]                      regs_q, claim_q;
    reg                            any_q, lighter_q;

    assign lighter_next_o = take_i ? pend_i[`EVG_PENDING_LIGHTER] : lighter_q;
    assign fits_o         = !lighter_q && free_regs_i >= {3'd0, regs_q};
    assign any_o          = cfg_spare_i && fits_o;

    wire any_d = search_i ? any_o : any_q && !take_i;

    always @(posedge clk_i) begin
        if (rst_i) begin
            entry_q <= {`EVG_PEWT_INDEX_BITS{1'b0}};
            regs_q  <= 7'd0;
            any_q   <= 1'b0;
            claim_q <= 7'd0;
        end else begin
            any_q   <= any_d;
            claim_q <= any_d && claims_next_i ? regs_q : 7'd0;
            if (take_i) begin
                entry_q <= pend_i[`EVG_PENDING_ENTRY];
                regs_q  <= pend_i[`EVG_PENDING_REGS];
            end
        end
    end

    // Of the event that is being taken: a reset ends that.
    always @(posedge clk_i)
        lighter_q <= lighter_next_o;

    assign entry_o       = entry_q;
    assign regs_o        = regs_q;
    assign lighter_o     = lighter_q;
    assign any_asked_o   = any_q;
    assign select_regs_o = any_q ? 7'd0 : regs_q;
    assign claim_regs_o  = claim_q;

endmodule

`default_nettype wire
