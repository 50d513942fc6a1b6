// Properties of event_dispatch, included at its end under FORMAL (docs/formal.md).
`include "follow.fv.vh"

    // A kernel from its taking to its hand-over, and one core, which is free: its answer in this
    // scan is followed through the three steps of the selection.
    `EVG_FOLLOW_ONE(f_core, 6)
    reg        f_live = 1'b0; // there has been a reset
    // Taken and not handed over, by class
    reg        f_warp = 1'b0, f_big = 1'b0;
    // ... and all of it: what each field of the row means, put together anew
    reg [55:0]  f_warp_code, f_big_code;
    reg [6:0]   f_warp_regs, f_big_regs;
    reg [63:0]  f_warp_param, f_big_param;
    reg [191:0] f_big_dims;
    reg [15:0]  f_big_shared;
    reg [31:0]  f_warp_mask;
    reg         f_warp_legal; // no more threads than lanes
    reg [5:0]   f_warp_x, f_warp_y, f_warp_z;
    integer     f_l;
    reg [`EVG_PRIORITY_BITS+RowBits+15:0] f_warp_from, f_big_from;
    // The core's answer, and how far it has come; the choice
    reg                f_asked = 1'b0, f_fits, f_paired = 1'b0, f_found = 1'b0, f_compared = 1'b0;
    reg [KeyWidth-1:0] f_key, f_chosen_key;

    wire f_answers = stat_req_o && stat_req_group_o == f_core[5:3] && stat_valid_i &&
                     stat_group_i == f_core[5:3];
    wire f_idle    = state_q == `EVG_DISPATCH_STATE_IDLE;
    wire f_scan    = state_q == `EVG_DISPATCH_STATE_SCAN;
    wire f_reduce  = state_q == `EVG_DISPATCH_STATE_REDUCE;
    wire f_offer   = state_q == `EVG_DISPATCH_STATE_OFFER;
    wire [2:0] f_occupancy = stat_occupancy_i[3*f_core[2:0]+:3];
    wire [2:0] f_victims   = stat_victims_i[3*f_core[2:0]+:3];
    wire       f_busy      = stat_busy_i[f_core[2:0]];
    wire       f_free      = stat_free_i[f_core[2:0]];
    wire       f_can       = f_free || stat_fits_i[f_core[2:0]];
    wire       f_kept      = f_free && stat_kept_i[f_core[2:0]];
    wire [1:0] f_pair      = f_core[2:1];
    wire [KeyWidth-1:0] f_pair_key = pair_keys_q[KeyWidth*f_pair+:KeyWidth];

    always @(posedge clk_i) begin
        f_paired <= !rst_i && f_answers;
        f_found  <= !rst_i && f_paired;
        if (rst_i) begin
            f_live     <= 1'b1;
            f_warp     <= 1'b0;
            f_big      <= 1'b0;
            f_asked    <= 1'b0;
            f_compared <= 1'b0;
        end else begin
            if (kernel_valid_i && kernel_ready_o && kernel_warp_i) begin
                f_warp       <= 1'b1;
                f_warp_code  <= kernel_code_i[55:0];
                f_warp_regs  <= kernel_code_i[62:56];
                f_warp_param <= kernel_param_i;
                f_warp_x     <= kernel_dims_i[3*32+:6]; // of the block; the grid is one block
                f_warp_y     <= kernel_dims_i[4*32+:6];
                f_warp_z     <= kernel_dims_i[5*32+:6];
                f_warp_legal <= kernel_threads_i <= 6'd32;
                for (f_l = 0; f_l < 32; f_l = f_l + 1)
                    f_warp_mask[f_l] <= f_l[5:0] < kernel_threads_i;
                f_warp_from  <= {kernel_priority_i, kernel_row_i, kernel_tag_i};
            end else if (ev_valid_o && ev_ack_i)
                f_warp <= 1'b0;
            if (kernel_valid_i && kernel_ready_o && !kernel_warp_i) begin
                f_big       <= 1'b1;
                f_big_code   <= kernel_code_i[55:0];
                f_big_regs   <= kernel_code_i[62:56];
                f_big_param  <= kernel_param_i;
                f_big_dims   <= kernel_dims_i;
                f_big_shared <= kernel_shared_i;
                f_big_from  <= {kernel_priority_i, kernel_row_i, kernel_tag_i};
            end else if (big_valid_o && big_ready_i)
                f_big <= 1'b0;
            f_compared <= !restart && (f_compared || f_found);
            if (restart)
                f_asked <= 1'b0;
            else if (f_answers)
                f_asked <= 1'b1;
            if (f_answers) begin
                f_fits <= cfg_core_mask_i[f_core] && f_occupancy < Entries;
                f_key  <= cfg_mode_i == `EVG_SCHED_MODE_PREEMPT
                              ? {1'b0, !f_free, !f_can, f_victims, f_occupancy, f_busy}
                          : cfg_mode_i == `EVG_SCHED_MODE_DYNAMIC
                              ? {!f_kept, !f_free, !f_can, f_occupancy, f_victims, f_busy}
                              : {2'd0, !f_free, f_occupancy, f_victims, f_busy};
            end
            if (choose)
                f_chosen_key <= improves ? found_key_q : best_key_q;
        end
    end

    always @*
        if (f_live) begin
            assert (state_q <= `EVG_DISPATCH_STATE_OFFER);
            // Offered is what was taken, once; nothing is taken before that is over
            assert (f_warp == !f_idle && f_big == big_valid_o && ev_valid_o == f_offer);
            if (kernel_valid_i && kernel_ready_o)
                assert (kernel_warp_i ? !f_warp : !f_big);
            if (f_warp)
                assert (ev_kernel_o == {8'd0, f_warp_code} && ev_regs_o == f_warp_regs &&
                        stat_req_regs_o == f_warp_regs && ev_param_o == f_warp_param &&
                        (!f_warp_legal || ev_mask_o == f_warp_mask) &&
                        ev_dims_o == {f_warp_z, f_warp_y, f_warp_x} &&
                        {ev_priority_o, ev_row_o, ev_tag_o} == f_warp_from);
            if (f_big)
                assert (big_kernel_o == {8'd0, f_big_code} && big_regs_o == f_big_regs &&
                        big_param_o == f_big_param && big_dims_o == f_big_dims &&
                        big_shared_o == f_big_shared &&
                        {big_priority_o, big_row_o, big_tag_o} == f_big_from);
            // The groups are asked in rising order, each once
            assert (stat_req_o == f_scan);
            if (answer_q)
                assert (f_scan || f_reduce);
            if (f_scan) begin
                assert (!answer_q || answer_group_q < group_q);
                assert (!found_q || found_core_q[5:3] < group_q);
                assert (!best_valid_q || best_core_q[5:3] < group_q);
            end
            if (f_reduce)
                assert (answer_q && answer_group_q == group_q);
            if (choose)
                assert (!answer_q);
            if (f_idle || f_offer)
                assert (!answer_q && !found_q);
            if (found_q && answer_q)
                assert (found_core_q[5:3] < answer_group_q);
            if (best_valid_q && answer_q)
                assert (best_core_q[5:3] < answer_group_q);
            if (best_valid_q && found_q)
                assert (best_core_q[5:3] < found_core_q[5:3]);
            // The core's answer is at one place
            assert (f_paired == (answer_q && answer_group_q == f_core[5:3]));
            assert (!f_found || !f_paired);
            if (f_paired || f_found || f_compared)
                assert (f_asked);
            if (f_asked && !f_offer && !f_idle)
                assert (f_paired || f_found || f_compared);
            if (f_found)
                assert (f_scan || f_reduce || choose);
            if ((f_found || f_compared) && answer_q)
                assert (f_core[5:3] < answer_group_q);
            if (f_compared && found_q)
                assert (f_core[5:3] < found_core_q[5:3]);
            if (f_asked && f_scan)
                assert (f_core[5:3] < group_q);
            // The best of its pair: itself, or one that is better
            if (f_paired) begin
                if (f_fits)
                    assert (pair_valid_q[f_pair] && {f_pair_key, pair_odd_q[f_pair]} <=
                                                    {f_key, f_core[0]});
                if (pair_valid_q[f_pair] && pair_odd_q[f_pair] == f_core[0])
                    assert (f_fits && f_pair_key == f_key);
            end
            // ... of its group
            if (f_found && f_fits)
                assert (found_q && {found_key_q, found_core_q} <= {f_key, f_core});
            if (found_q && found_core_q[5:3] == f_core[5:3])
                assert (f_found);
            if (found_q && found_core_q == f_core)
                assert (f_fits && found_key_q == f_key);
            // ... of the groups so far
            if (f_compared && f_fits && !f_idle)
                assert (f_offer || (best_valid_q && {best_key_q, best_core_q} <= {f_key, f_core}));
            if (best_valid_q && best_core_q == f_core && !f_offer && !f_idle)
                assert (f_compared && f_fits && best_key_q == f_key);
            if (best_valid_q && best_core_q[5:3] == f_core[5:3] && !f_offer && !f_idle)
                assert (f_compared);
            // The core that gets the event is in the mask and has room, and none that was asked
            // and has room is better.
            if (ev_valid_o && ev_core_o == f_core)
                assert (f_asked && f_fits && f_chosen_key == f_key);
            if (ev_valid_o && f_asked && f_fits)
                assert ({f_chosen_key, ev_core_o} <= {f_key, f_core});
        end

`ifdef FORMAL_TOP_event_dispatch
    always @* begin
        cover (f_live && ev_valid_o && ev_core_o == f_core && f_core == 6'd63 && big_valid_o);
        cover (f_live && ev_valid_o && ev_core_o[5:3] < f_core[5:3] && f_fits && f_asked &&
               f_chosen_key == f_key);
        cover (f_live && ev_valid_o && ev_core_o[5:3] > f_core[5:3] && f_fits && f_asked);
        cover (f_live && choose && none);
        cover (f_live && kernel_valid_i && !kernel_ready_o && f_warp && f_big);
    end
`endif
