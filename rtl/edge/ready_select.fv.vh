// Properties of ready_select, included at its end under FORMAL (docs/formal.md).

    integer f_e, f_w;
    always @* begin
        assert (any_o == (|open));
        assert (!any_o || (now_i[warp_o] && drop_o == drop_i[warp_o]));
        for (f_e = 0; f_e < Entries; f_e = f_e + 1)
            assert (!any_o || !held_i[f_e] || held_warp_i[6*f_e+:6] != warp_o);
        for (f_w = 0; f_w < 64; f_w = f_w + 1)
            assert (!open[f_w] || (drop_i[f_w] && !drop_o) || f_w[5:0] >= warp_o);
    end
`ifdef FORMAL_TOP_ready_select
    always @* begin
        cover (any_o && drop_o && warp_o == 6'd63);
        cover (any_o && !drop_o && warp_o == 6'd5 && open[4]);
    end
`endif
