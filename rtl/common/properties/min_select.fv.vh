// SPDX-License-Identifier: Apache-2.0
// Properties of min_select, included at its end under FORMAL (docs/design/proofs.md).

    integer f_lane;

    always @* begin
        f_lane = 0;
        assert (any_o == (enable_i && |valid_i));
        if (!enable_i) begin
            assert (index_o == 0);
        end
        if (any_o) begin
            assert (valid_i[index_o] && key_o == keys_i[index_o*KeyWidth+:KeyWidth]);
            for (f_lane = 0; f_lane < Lanes; f_lane = f_lane + 1)
                if (valid_i[f_lane])
                    assert (key_o < keys_i[f_lane*KeyWidth+:KeyWidth] ||
                            (key_o == keys_i[f_lane*KeyWidth+:KeyWidth] &&
                             index_o <= f_lane[IndexWidth-1:0]));
        end
`ifdef FORMAL_TOP_min_select
        cover (valid_i[0] && valid_i[Lanes-1] && any_o && key_o < keys_i[0+:KeyWidth] &&
               key_o == keys_i[Lanes*KeyWidth-1-:KeyWidth]);
        cover (any_o && index_o == 0 && valid_i[Lanes-1] && key_o == keys_i[Lanes*KeyWidth-1-:KeyWidth]);
        cover (enable_i && !any_o);
`endif
    end
