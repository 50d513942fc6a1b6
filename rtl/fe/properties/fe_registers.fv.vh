// Properties of fe_registers, included at its end under FORMAL (docs/design/proofs.md).

    reg        f_past_q = 1'b0;
    reg        f_written_q; // some register was written since reset
    reg                        f_first_q, f_set_q, f_free_q, f_taken_q; // f_first_q: reset
    reg [LineBits-1:0]         f_line_q;
    reg [LineBits-RowBits-1:0] f_region_q;
    always @(posedge clk_i) begin
        f_first_q  <= rst_i;
        f_set_q    <= reg_valid_i && reg_write_i && reg_addr_i == `EVG_FE_REG_REGION_BASE;
        f_free_q   <= !settled_q;
        f_taken_q  <= taken_i;
        f_line_q   <= reg_data_i[LineBits-1:0];
        f_region_q <= rst_i ? RegionStart[LineBits-1:RowBits] : region_q;
    end
    always @(posedge clk_i) begin
        f_past_q    <= 1'b1;
        f_written_q <= !rst_i && (f_written_q || access_write);
    end

    always @* begin
        if (!f_past_q) begin
            assume (rst_i);
        end else
            assert (timed_q == {limit_q[95:64] != 0, limit_q[63:32] != 0, limit_q[31:0] != 0});
        if (f_past_q && !f_written_q) begin
            // Everything is off by default.
            assert (timed_q == 0 && !irq_o && !override_q && !clear_q && first_q == 0 && last_q == 0);
        end
        // An accepted command is allowed, and its range lies in the region.
        if (f_past_q && accepted && !is_release)
            assert ((is_clear ? clear_q : override_q) && !range_busy);
        if (f_past_q && range_start_o)
            assert (first_q <= last_q && last_q < RegionWords);
        // The region moves once at most since reset, to what was written, and not once a request is in.
        if (f_past_q && region_q != f_region_q)
            assert (f_free_q && f_set_q && {region_q, {RowBits{1'b0}}} == f_line_q);
        if (f_past_q && !f_first_q)
            assert (settled_q || (f_free_q && !f_taken_q));
        if (accepted && is_release)
            assert (override_q);
    end

    // A head's age counts its cycles, and stops at its highest value; what has left is not reported.
    reg [95:0] f_age_q;
    reg [2:0]  f_aged_q;
    integer    f_g;
    always @(posedge clk_i) begin
        f_age_q  <= age_q;
        f_aged_q <= rst_i ? 3'd0 : here_q & timed_q;
    end
    always @*
        for (f_g = 0; f_g < 3; f_g = f_g + 1)
            if (f_past_q) begin
                assert (age_q[32*f_g+:32] == (!f_aged_q[f_g] ? 32'd0 : f_age_q[32*f_g+:32] +
                                              {31'd0, f_age_q[32*f_g+:32] != 32'hffff_ffff}));
                assert (!capture || (chosen & ~here_q) == 0);
            end

`ifdef FORMAL_TOP_fe_registers
    always @(posedge clk_i) begin
        cover (irq_o && line_q != 0);
        cover (late == 3'b110 && capture);
        cover (f_past_q && region_q != f_region_q);
        cover (f_past_q && code_q == `EVG_FE_CODE_BAD_BASE && settled_q);
    end
`endif
