// SPDX-License-Identifier: Apache-2.0
// Properties of register_bank, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One bit, whichever it is
    reg        f_live = 1'b0; // there has been a reset
    `EVG_FOLLOW_ONE(f_bit, IndexBits + 5)
    reg        f_value;
    wire [IndexBits-1:0] f_word = f_bit[5+:IndexBits];
    wire       f_hit = write_i && write_index_i == f_word && !locked_i[f_word] && write_strobe_i[f_bit[4:3]];
    wire       f_new = write_data_i[f_bit[4:0]];

    always @(posedge clk_i)
        if (rst_i) begin
            f_live  <= 1'b1;
            f_value <= Stored[f_bit] && Reset[f_bit];
        end else if (Stored[f_bit])
            f_value <= f_hit ? f_new : f_value;
        else if (Cleared[f_bit])
            f_value <= set_i[f_bit] || (f_value && !(f_hit && f_new));
        else
            f_value <= Pulsed[f_bit] && f_hit && f_new;

    always @*
        if (f_live) begin
            assert (value_o[f_bit] == (Stored[f_bit] || Cleared[f_bit] || Pulsed[f_bit] ? f_value :
                                       Reset[f_bit] && !Shown[f_bit]));
            if (read_index_i == f_word)
                assert (read_data_o[f_bit[4:0]] == (Shown[f_bit] ? show_i[f_bit] :
                                                    !Pulsed[f_bit] && value_o[f_bit]));
            if (write_index_i == f_word)
                assert (write_error_o == (!Mapped[f_word] || locked_i[f_word]));
            if (read_index_i == f_word)
                assert (read_error_o == !Mapped[f_word]);
        end

`ifdef FORMAL_TOP_register_bank
    always @*
        if (f_live) begin
            cover (Stored[f_bit] && f_value && f_hit && !f_new);
            cover (Cleared[f_bit] && f_value && f_hit && f_new && set_i[f_bit]);
            cover (Pulsed[f_bit] && f_value);
            cover (Shown[f_bit] && show_i[f_bit] && read_index_i == f_word);
            cover (write_i && write_error_o && Mapped[write_index_i]);
        end
`endif
