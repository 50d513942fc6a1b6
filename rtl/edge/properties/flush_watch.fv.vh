// SPDX-License-Identifier: Apache-2.0
// Properties of flush_watch, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // Proved of this module alone: its users would need the count's invariant.
`ifdef FORMAL_TOP_flush_watch
`define EVG_ALONE
`endif
`ifndef YOSYS
`define EVG_ALONE
`endif
`ifdef EVG_ALONE
    // Edges of the flush that have passed, counted up, and the limit as it was when it began
    reg                 f_live = 1'b0; // there has been a reset
    reg                 f_began;       // since then, a flush
    reg [LimitBits-1:0] f_limit, f_passed;
    `EVG_FOLLOW_ONE(f_warp, 6)
    reg        f_out; // that warp was given up, and nothing has been cleared since

    always @(posedge clk_i) begin
        if (rst_i) begin
            f_live  <= 1'b1;
            f_began <= 1'b0;
            f_out   <= 1'b0;
        end else begin
            if (start_i) begin
                f_began  <= 1'b1;
                f_limit  <= cfg_limit_i;
                f_passed <= {LimitBits{1'b0}};
            end else if (flushing_i && f_passed != f_limit)
                f_passed <= f_passed + One;
            f_out <= !clear_i && (f_out || (give_up_i && warp_i == f_warp));
        end
    end

    always @*
        if (f_live) begin
            // The N-th edge is the last one, neither the one before nor one behind it.
            assert (over_o == (f_began && flushing_i && f_limit != 0 && f_passed + One == f_limit));
            assert (!over_o || f_passed < f_limit);
            assert (tried_o[f_warp] == f_out);
        end

`ifdef FORMAL_TOP_flush_watch
    always @* begin
        cover (f_live && over_o && f_limit == 4);
        cover (f_live && over_o && give_up_i && f_out);
        cover (f_live && !over_o && flushing_i && f_began && f_limit == 0);
    end
`endif

    // --- invariants ------------------------------------------------------------------------------
    always @*
        if (f_live) begin
            assert (!f_began || (f_passed <= f_limit && left_q == f_limit - f_passed));
            assert (f_began || left_q == 0);
        end
`undef EVG_ALONE
`endif
