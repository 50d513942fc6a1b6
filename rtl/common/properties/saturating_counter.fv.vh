// SPDX-License-Identifier: Apache-2.0
// Properties of saturating_counter, included at its end under FORMAL (docs/design/proofs.md).

    reg             f_past = 1'b0; // the registers below hold the cycle before
    reg             f_rst, f_clear, f_count;
    reg [Width-1:0] f_value;

    always @(posedge clk_i) begin
        f_past  <= 1'b1;
        f_rst   <= rst_i;
        f_clear <= clear_i;
        f_count <= count_i;
        f_value <= value_o;
    end

    always @* begin
        if (f_past) begin
            if (f_rst) begin
                assert (value_o == 0);
            end else if (f_clear) begin
                assert (value_o == {Width{f_count}} >> (Width - 1));
            end else if (f_count && f_value != {Width{1'b1}}) begin
                assert (value_o == f_value + 1'b1);
            end else begin
                assert (value_o == f_value);
            end
        end
        cover (f_past && !f_rst && !f_clear && f_count && f_value == {Width{1'b1}});
        cover (f_past && !f_rst && f_clear && f_count && f_value == {Width{1'b1}});
    end
