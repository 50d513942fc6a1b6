// SPDX-License-Identifier: Apache-2.0
// Properties of simt_core, included at its end under FORMAL: checked in simulation. They say what it and the
// event unit may expect of each other.

    reg       f_live = 1'b0; // there has been a reset
    reg       f_mem;         // a request stood without its ready
    reg [46:0] f_request;

    always @(posedge clk_i) begin
        f_live    <= f_live || rst_i;
        f_mem     <= !rst_i && mem_valid_o && !mem_ready_i;
        f_request <= {mem_write_o, mem_word_o, mem_data_o};
    end

    always @*
        if (f_live) begin
            // A context has one use
            assert (((run_q & event_q) | (run_q & over_q) | (run_q & back_q) | (event_q & over_q) |
                     (event_q & back_q) | (over_q & back_q)) == 4'd0);
            // What executes has not been taken away
            if (step_q != Idle && step_q != CopyRead && step_q != CopyWrite)
                assert (run_q[warp_q] || event_q[warp_q]);
            // A push finds its free context or, between two instructions, its victim
            if (push && !push_fresh_i)
                assert (run_q[push_warp_i[1:0]]);
            // Registers are saved of a victim and given back to one
            if (cmd_save_i)
                assert (run_q[vic_warp_i[1:0]] && !vic_pipe_o);
            if (cmd_pop_i)
                assert (over_q[pop_warp_i[1:0]]);
            if (cmd_restore_i)
                assert (back_q[restore_warp_i[1:0]]);
            if (cmd_release_i)
                assert (back_q[release_warp_i[1:0]] && !restore_q);
            // A request stays as it is
            if (f_mem)
                assert (mem_valid_o && {mem_write_o, mem_word_o, mem_data_o} == f_request);
        end
