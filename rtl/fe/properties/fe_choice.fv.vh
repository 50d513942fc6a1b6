// SPDX-License-Identifier: Apache-2.0
// Properties of fe_choice, included at its end under FORMAL (docs/design/proofs.md).

    reg f_past_q = 1'b0;
    always @(posedge clk_i)
        f_past_q <= 1'b1;

    assign f_turns_o     = {g_turns[2].turns_q, g_turns[1].turns_q, 8'd0};
    assign f_after_cpu_o = after_cpu_q;

    wire [1:0] f_leaving = {1'b0, leave_o[0]} + {1'b0, leave_o[1]} + {1'b0, leave_o[2]};

    always @*
        if (!f_past_q) begin
            assume (rst_i);
        end else begin
            // One of those that can, if there is one.
            assert ((leave_o & ~can_o) == 0 && f_leaving == {1'b0, can_o != 0});
            assert ((can_o & ~ready_o) == 0 && (ready_o & ~(pass_i | blocked_i)) == 0);
        end

    // How often a head was passed, counted in cycles in which it could have left.
    generate
        for (g = 1; g < 3; g = g + 1) begin : g_formal
            reg [8:0] f_passed_q;
            always @(posedge clk_i)
                if (rst_i || leave_o[g])
                    f_passed_q <= 9'd0;
                else if (can_o[g] && f_passed_q != 9'h1ff)
                    f_passed_q <= f_passed_q + 9'd1;
            always @*
                if (f_past_q) begin
                    assert (g_turns[g].turns_q <= Turns);
                    assert (g_turns[g].due_q == (g_turns[g].turns_q == Turns));
                    assert (f_passed_q <= {1'b0, g_turns[g].turns_q} ||
                            (g_turns[g].turns_q == Turns && f_passed_q == {1'b0, Turns} + 9'd1 &&
                             after_cpu_q == (g == Gpu)));
                end
        end
    endgenerate

`ifdef FORMAL_TOP_fe_choice
    always @(posedge clk_i)
        if (!rst_i && f_past_q) begin
            cover (aged == 3'b110);
            cover (aged != 0 && can_o[Non]);
            cover (g_formal[Cpu].f_passed_q == {1'b0, Turns} + 9'd1);
        end
`endif
