// Properties of ready_select, included at its end under FORMAL (docs/design/proofs.md).

    reg  [63:0] f_open; // may be flushed at once, and no entry holds it
    integer     f_e, f_w;
    always @*
        for (f_w = 0; f_w < 64; f_w = f_w + 1) begin
            f_open[f_w] = now_i[f_w];
            for (f_e = 0; f_e < Entries; f_e = f_e + 1)
                if (held_i[f_e] && held_warp_i[6*f_e+:6] == f_w[5:0])
                    f_open[f_w] = 1'b0;
        end

    always @* begin
        assert (any_o == (f_open != 64'd0));
        assert (!any_o || (f_open[warp_o] && drop_o == drop_i[warp_o]));
        assert (any_o || (warp_o == 6'd0 && !drop_o));
        for (f_w = 0; f_w < 64; f_w = f_w + 1)
            assert (!f_open[f_w] || (drop_i[f_w] && !drop_o) || f_w[5:0] >= warp_o);
    end
`ifdef FORMAL_TOP_ready_select
    always @* begin
        cover (any_o && drop_o && warp_o == 6'd63);
        cover (any_o && !drop_o && warp_o == 6'd5 && f_open[4]);
    end
`endif
