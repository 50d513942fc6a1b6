// SPDX-License-Identifier: Apache-2.0
// Properties of lowest_select, included at its end under FORMAL (docs/design/proofs.md).

    integer f_i;
    always @* begin
        assert (any_o == (bits_i != 64'd0));
        assert (any_o ? bits_i[index_o] : index_o == 6'd0);
        for (f_i = 0; f_i < 64; f_i = f_i + 1)
            assert (!any_o || !bits_i[f_i] || f_i[5:0] >= index_o);
    end
`ifdef FORMAL_TOP_lowest_select
    always @* begin
        cover (any_o && index_o == 6'd63);
        cover (any_o && index_o == 6'd9 && bits_i[10] && bits_i[63]);
    end
`endif
