// SPDX-License-Identifier: Apache-2.0
// Properties of fe_bit_ram, included at its end under FORMAL (docs/design/proofs.md).

    reg               f_past_q = 1'b0, f_read_q = 1'b0;
    reg [RowBits-1:0] f_read_row_q, f_row_q;
    reg [Words-1:0]   f_bits_q, f_new_q;
    reg               f_write_q, f_taken_q; // the row was written, has lost its place
    reg               f_known_q = 1'b0; // the row had been written
    wire              f_known = f_known_q && f_row_i == f_row_q;
    wire [Words-1:0]  f_grains_q, f_grains; // words of full grains, before and now

    always @(posedge clk_i) begin
        f_past_q     <= 1'b1;
        f_read_q     <= read_i;
        f_read_row_q <= read_row_i;
        f_row_q      <= f_row_i;
        f_bits_q     <= f_bits_o;
        f_new_q      <= write_bits_i;
        f_write_q    <= write_i && write_row_i == f_row_i;
        f_known_q    <= f_known || (write_i && write_row_i == f_row_i);
        f_taken_q    <= mixed_o && write_row_i[IndexBits-1:0] == f_row_i[IndexBits-1:0];
    end

    generate
        for (g = 0; g < Words; g = g + 1) begin : g_full
            assign f_grains[g]   = &f_bits_o[g/GrainWords*GrainWords+:GrainWords];
            assign f_grains_q[g] = &f_bits_q[g/GrainWords*GrainWords+:GrainWords];
        end
    endgenerate

    // A row is what was written last; without its place, what is left are the full grains.
    always @*
        if (f_past_q && f_row_i == f_row_q) begin
            if (f_write_q) begin
                assert (f_bits_o == f_new_q);
            end else if (f_taken_q) begin
                assert (f_bits_o == (f_bits_q & f_grains_q));
            end else
                assert (f_bits_o == f_bits_q);
        end

`ifdef FORMAL_TOP_fe_bit_ram
    always @(posedge clk_i) begin
        cover (f_read_q && f_read_row_q == f_row_i && same_q && written_q[0] && !written_q[Words-1]);
        if (GrainWords != 1) begin
            cover (f_read_q && f_read_row_q == f_row_i && !same_q && bits_o != (bits_o & f_grains));
            cover (lost_o);
        end
    end
`endif

    // A read shows the row with everything that was written until then.
    always @*
        if (f_read_q && f_read_row_q == f_row_i)
            assert (bits_o == f_bits_o);

    // It tells of words that the row has lost by then: not of what is replaced in its very cycle.
    generate
        if (GrainWords != 1) begin : g_formal_lost
            wire f_lost = g_grains.f_read[Grains] && g_grains.f_part[Words+:RowBits] != f_row_i;
            always @*
                if (f_read_q && f_read_row_q == f_row_i)
                    assert (lost_o == f_lost);
        end
    endgenerate
