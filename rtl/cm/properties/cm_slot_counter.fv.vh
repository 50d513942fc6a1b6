// SPDX-License-Identifier: Apache-2.0
// Properties of cm_slot_counter, included at its end under FORMAL (docs/design/proofs.md).

    reg         f_past_q = 1'b0;
    reg         f_rst_q, f_write_q, f_begin_q;
    reg  [1:0]  f_slots_q;
    reg  [10:0] f_data_q, f_before_q;
    wire [1:0]  f_more = {f_slots_q[1] && f_slots_q[0], f_slots_q[1] ^ f_slots_q[0]};
    wire [10:0] f_from = f_begin_q ? 11'd0 : f_before_q;

    always @(posedge clk_i) begin
        f_past_q   <= 1'b1;
        f_rst_q    <= rst_i;
        f_write_q  <= write_i;
        f_begin_q  <= begin_i;
        f_slots_q  <= slots_i;
        f_data_q   <= data_i;
        f_before_q <= count_o;
    end

    always @*
        if (f_past_q) begin
            if (f_rst_q) begin
                assert (count_o == 11'd0);
            end else if (f_write_q) begin
                assert (count_o == f_data_q);
            end else begin
                // Each slot once; never over the top, never around it.
                assert (count_o >= f_from && count_o - f_from <= {9'd0, f_more});
                assert (count_o - f_from == {9'd0, f_more} || count_o == Most);
            end
            cover (!f_rst_q && !f_write_q && count_o == Most && f_before_q == Most - 11'd1 && f_more == 2'd2);
            cover (f_begin_q && !f_write_q && count_o == 11'd2);
        end
