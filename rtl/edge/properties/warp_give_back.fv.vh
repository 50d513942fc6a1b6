// SPDX-License-Identifier: Apache-2.0
// Properties of warp_give_back, included at its end under FORMAL (docs/design/proofs.md).

    // Every exit is popped once; then restored if its victim was saved; then released if it had one.
    reg       f_live = 1'b0; // there has been a reset
    wire f_since_reset = f_live; // for the proofs of the users
    reg       f_pop, f_fresh, f_spare; // at the edge before, an exit was taken
    reg [5:0] f_warp;
    reg [6:0] f_regs;
    reg [IndexWidth-1:0] f_entry;
    reg [2:0] f_edges; // since an exit was shown, without those of the restore
    reg       f_owed, f_saved; // popped, not yet released; its victim is still to be restored
    reg       f_waits, f_wait_over;
    reg       f_barrier;

    always @(posedge clk_i) begin
        f_pop     <= !rst_i && pop_d;
        f_fresh   <= back_fresh;
        f_spare   <= back_spare;
        f_barrier <= returned_barrier_i;
        if (pop_d) begin
            f_warp  <= back_warp;
            f_regs  <= back_regs;
            f_entry <= back_entry;
        end
        if (rst_i || back_done || !(back_valid_i || f_owed))
            f_edges <= 3'd0;
        else if (!f_waits)
            f_edges <= f_edges + 3'd1;
        if (rst_i) begin
            f_live      <= 1'b1;
            f_owed      <= 1'b0;
            f_saved     <= 1'b0;
            f_waits     <= 1'b0;
            f_wait_over <= 1'b0;
        end else begin
            if (pop_d) begin
                f_owed  <= !back_fresh;
                f_saved <= !back_fresh && !back_spare;
            end else begin
                if (cmd_release_o || release_d)
                    f_owed <= 1'b0;
                if (restore_d)
                    f_saved <= 1'b0;
            end
            f_waits     <= restore_d || (f_waits && !restore_done_i);
            f_wait_over <= f_waits && restore_done_i;
        end
    end

    always @*
        if (f_live) begin
            assert (cmd_pop_o == f_pop && (!cmd_pop_o || pop_o[`EVG_POP_WARP] == f_warp));
            assert (f_owed == (state_q != Idle));
            assert (!cmd_pop_o || pop_o[`EVG_POP_ENTRY] == f_entry);
            assert (!cmd_restore_o || (restore_o[`EVG_RESTORE_ENTRY] == f_entry && restore_o[`EVG_RESTORE_REGS] == f_regs));
            assert (!f_owed || returned_o[`EVG_RETURNED_ENTRY] == f_entry);
            // In time: two edges beside the restore
            assert (f_edges <= 3'd2);
            assert (f_owed || f_edges == 3'd0);
            assert (state_q != Restore || f_edges == 3'd1);
            assert (state_q != Restoring || f_edges == 3'd2);
            assert (!f_owed || regs_q == f_regs);
            assert (!f_owed || pop_warp_q == f_warp);
            assert (!restore_q || state_q == Restoring);
            assert (!release_q || state_q == Idle);
            assert (f_saved == (state_q == Restore));
            assert (f_waits == (state_q == Restoring));
            assert (!f_wait_over || state_q == Release);
            if (restore_d)
                assert (f_owed && f_saved);
            if (release_d)
                assert (f_owed && !f_saved && !f_waits);
            if (cmd_restore_o)
                assert (!cmd_pop_o && !cmd_release_o && restore_o[`EVG_RESTORE_WARP] == f_warp);
            if (cmd_release_o)
                assert (release_o[`EVG_RELEASE_WARP] == f_warp || cmd_pop_o);
            if (cmd_release_o)
                assert (release_o[`EVG_RELEASE_BARRIER] == f_barrier);
            // Served at once when nothing is owed, and given back when the core has answered
            if (back_valid_i && !f_owed)
                assert (pop_d);
            if (f_owed && !f_saved && !f_waits)
                assert (back_done);
            assert (returned_o[`EVG_RETURNED_DONE] == (release_d || (returned_o[`EVG_RETURNED_NEXT] && back_fresh)));
        end

`ifdef FORMAL_TOP_warp_give_back
    always @* begin
        cover (f_live && cmd_release_o && release_o[`EVG_RELEASE_BARRIER] && f_wait_over == 0);
        cover (f_live && cmd_restore_o && restore_done_i);
        cover (f_live && f_pop && f_fresh);
        cover (f_live && f_pop && !f_fresh && f_spare && cmd_release_o == 0 && release_d);
    end
`endif
