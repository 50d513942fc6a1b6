// SPDX-License-Identifier: Apache-2.0
// Properties of prefer_select, included at its end under FORMAL (docs/design/proofs.md).

    wire [Lanes-1:0] f_among = prefer_i != {Lanes{1'b0}} ? prefer_i : bits_i;
    integer          f_i;

`ifdef FORMAL_TOP_prefer_select
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    always @* begin
        `EVG_REQUIRE ((prefer_i & ~bits_i) == {Lanes{1'b0}});
        assert (any_o == (bits_i != {Lanes{1'b0}}) && preferred_o == (prefer_i != {Lanes{1'b0}}));
        assert (!any_o || f_among[index_o]);
        for (f_i = 0; f_i < Lanes; f_i = f_i + 1)
            assert (!f_among[f_i] || f_i[IndexWidth-1:0] >= index_o);
    end
`undef EVG_REQUIRE
`ifdef FORMAL_TOP_prefer_select
    always @* begin
        cover (preferred_o && index_o == {IndexWidth{1'b1}} && bits_i[0]);
        cover (any_o && !preferred_o && index_o == {{IndexWidth - 1{1'b0}}, 1'b1} && bits_i[Lanes-1]);
    end
`endif
