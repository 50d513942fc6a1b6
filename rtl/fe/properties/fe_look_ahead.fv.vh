// SPDX-License-Identifier: Apache-2.0
// Properties of fe_look_ahead, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // One request, chosen when it becomes a head, is followed until it leaves.
    `EVG_FOLLOW_SOME(f_pick)
    reg               f_past_q = 1'b0, f_held_q = 1'b0;
    reg [N-1:0]       f_place_q;
    reg [Width-1:0]   f_data_q;
    reg [3:0]         f_passed_q; // by others, since it could leave
    reg               f_could_q;  // could leave in the cycle before
    reg [DepthLog2:0] f_due_q;    // released and still inside
    reg [DepthLog2:0] f_heads, f_released;
    reg [3:0]         f_older;
    wire              f_leaves = (f_place_q & leaving) != 0;
    wire              f_can    = (f_place_q & can) != 0 || f_leaves;
    integer k;

`ifdef FORMAL_CONTENT
    assign f_content_o[0+:N*Width] = items;
    assign f_there_o[0+:N]         = valid_q;
`endif

    always @* begin
        f_heads = {DepthLog2 + 1{1'b0}};
        f_released = {DepthLog2 + 1{1'b0}};
        for (k = 0; k < N; k = k + 1) begin
            f_heads    = f_heads + {{DepthLog2{1'b0}}, valid_q[k]};
            f_released = f_released + {{DepthLog2{1'b0}}, valid_q[k] && released_q[k]};
        end
    end

    always @(posedge clk_i) begin
        f_past_q <= 1'b1;
        if (rst_i) begin
            f_held_q <= 1'b0;
        end else if (!f_held_q && load && f_pick) begin
            f_held_q  <= 1'b1;
            f_place_q <= into;
            f_data_q  <= behind;
        end else if (f_held_q && f_leaves)
            f_held_q <= 1'b0;
        f_could_q <= !rst_i && f_held_q && f_can && !f_leaves;
        if (rst_i || !f_held_q || !f_can || f_leaves)
            f_passed_q <= 4'd0;
        else if (leave_i)
            f_passed_q <= f_passed_q + 4'd1;
        if (rst_i)
            f_due_q <= {DepthLog2 + 1{1'b0}};
        else if (release_i)
            f_due_q <= count_q - {{DepthLog2{1'b0}}, leave_i};
        else if (leave_i && released_o)
            f_due_q <= f_due_q - One;
    end

    wire [N*N-1:0] f_olders;
    generate
        for (g = 0; g < N * N; g = g + 1) begin : g_formal
            localparam A = g / N, B = g % N;
            wire f_before = g_head[A].older_q[B];
            assign f_olders[g] = f_before;
            always @*
                if (f_past_q && valid_q[A]) begin
                    // Heads are ordered, by when they came; the row's order is known.
                    assert (!f_before || valid_q[B]);
                    if (valid_q[B] && A != B)
                        assert (f_before != g_head[B].older_q[A]);
                    if (A == B)
                        assert (!f_before);
                    assert (g_head[A].before_q[B] ==
                            (f_before && rows[A*RowBits+:RowBits] == rows[B*RowBits+:RowBits]));
                    assert (!f_before || (g_head[B].older_q & ~g_head[A].older_q) == 0);
                    // A head that leaves has no older one of its row before it.
                    if (leaving[A] && f_before)
                        assert (rows[A*RowBits+:RowBits] != rows[B*RowBits+:RowBits]);
                end
        end
        for (g = 0; g < N; g = g + 1) begin : g_formal_head
            always @*
                if (f_past_q && valid_q[g]) begin
                    assert (rows[g*RowBits+:RowBits] == items[g*Width+LineLsb+:RowBits]);
                    // One looks at a time: the youngest.
                    if (look[g])
                        assert ((valid_q & ~g_head[g].older_q) == (1 << g));
                    if (chosen_q[g])
                        assert (g_head[g].before_q == 0 && !look[g]);
`ifndef FORMAL_TOP_fe_look_ahead
                    // A head's copy of its row is true.
                    if (rows[g*RowBits+:RowBits] == f_row_i) begin
                        if (states[g*HeadBits+:HeadBits] == `EVG_FE_HEAD_LOOK) begin
                            assert (ram_bits_i == f_bits_i);
                        end else if (states[g*HeadBits+:HeadBits] != `EVG_FE_HEAD_NEW)
                            assert (copies[g*Words+:Words] == f_bits_i);
                    end
`endif
                end
        end
    endgenerate

    always @* begin
        f_older = 4'd0;
        for (k = 0; k < N * N; k = k + 1)
            f_older = f_older + {3'd0, f_place_q[k/N] && f_olders[k]};
    end

    always @* begin
        if (!f_past_q) begin
            assume (rst_i);
        end else begin
            assert ({1'b0, count_q} == {1'b0, behind_count} + {1'b0, f_heads} && count_q <= Full);
            assert (ready_q == (count_q != Full) && last_q == (count_q == Full - One));
            assert ((chosen_q & ~valid_q) == 0 && (chosen_q & (chosen_q - 1'b1)) == 0);
            assert ((valid_q == 0) == (oldest == 0) && (oldest & (oldest - 1'b1)) == 0);
            // RELEASE lets go what is there, and nothing that comes later.
            assert (release_q <= behind_count &&
                    {1'b0, f_due_q} == {1'b0, f_released} + {1'b0, release_q});
            if (f_held_q) begin
                assert (f_place_q != 0 && (f_place_q & (f_place_q - 1'b1)) == 0);
                assert ((f_place_q & ~valid_q) == 0);
                for (k = 0; k < N; k = k + 1)
                    if (f_place_q[k])
                        assert (items[k*Width+:Width] == f_data_q);
                if (f_leaves)
                    assert (data_o == f_data_q);
                // Passed by those older than it, and by one that had been chosen already.
                assert ({1'b0, f_passed_q} + {1'b0, f_older} < N[4:0]);
                assert (f_passed_q == 0 || f_could_q);
            end
        end
    end

    // The caller keeps to the contract.
    always @*
        if (f_past_q && !rst_i)
`ifdef FORMAL_TOP_fe_look_ahead
            assume
`else
            assert
`endif
                ((!push_i || ready_o) && (!look_grant_i || look_o) &&
                 (!leave_i || pass_o || (blocked_o && released_o)));

`ifdef FORMAL_TOP_fe_look_ahead
    always @(posedge clk_i)
        if (!rst_i) begin
            cover (f_past_q && leave_i && !oldest_leaves_o && pass_o); // past a blocked one
            cover (f_past_q && leave_i && blocked_o);                 // released
            cover (f_past_q && still_o && !ready_o);
            cover (f_held_q && f_passed_q != 0);
            cover (f_past_q && chosen_o && (can & ~chosen_q) != 0);
        end
`endif
