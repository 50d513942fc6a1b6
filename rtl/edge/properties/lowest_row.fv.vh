// SPDX-License-Identifier: Apache-2.0
// Properties of lowest_row, included at its end under FORMAL (docs/design/proofs.md).
    integer f_row;

    always @* begin
        assert (any_o == |rows_i);
        if (any_o)
            assert (rows_i[row_o]);
        for (f_row = 0; f_row < Rows; f_row = f_row + 1)
            if (rows_i[f_row])
                assert (row_o <= f_row[RowBits-1:0]);
    end
