// SPDX-License-Identifier: Apache-2.0
// Properties of ready_select, included at its end under FORMAL (docs/design/proofs.md).

    wire        f_any  = warp_o[`EVG_READY_WARP_ANY];
    wire [5:0]  f_warp = warp_o[`EVG_READY_WARP_WARP];
    wire        f_drop = warp_o[`EVG_READY_WARP_DROP];
    wire [63:0] f_open = now & ~taken_i; // may be flushed at once, and no entry holds it
    integer     f_w;

    always @* begin
        assert (f_any == (f_open != 64'd0));
        assert (!f_any || (f_open[f_warp] && f_drop == drop[f_warp]));
        assert (f_any || !f_drop);
        for (f_w = 0; f_w < 64; f_w = f_w + 1)
            assert (!f_open[f_w] || (drop[f_w] && !f_drop) || f_w[5:0] >= f_warp);
    end
`ifdef FORMAL_TOP_ready_select
    always @* begin
        cover (f_any && f_drop && f_warp == 6'd63);
        cover (f_any && !f_drop && f_warp == 6'd5 && f_open[4]);
    end
`endif
