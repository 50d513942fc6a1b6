// SPDX-License-Identifier: Apache-2.0
// Properties of event_dispatch, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // Kernels of one priority, which is free, from their taking to their hand-over, in two queues written
    // anew; and one core, which is free: its answer in this scan is followed through the three steps
    // of the selection.
`ifdef YOSYS
    (* hierconn *) wire [Bits-1:0]      \u_warps.f_level ;
    (* hierconn *) wire [1:0]           \u_warps.f_count ;
    (* hierconn *) wire [WarpWidth-1:0] \u_warps.f_oldest ;
    (* hierconn *) wire [WarpWidth-1:0] \u_warps.f_newest ;
    (* hierconn, init = 1'b0 *) wire    \u_warps.f_live ;
    (* hierconn *) wire [Bits-1:0]      \u_bigs.f_level ;
    (* hierconn *) wire [1:0]           \u_bigs.f_count ;
    (* hierconn *) wire [`EVG_LARGER_WIDTH-1:0] \u_bigs.f_oldest ;
    (* hierconn, init = 1'b0 *) wire    \u_bigs.f_live ;
    (* hierconn *) wire [Bits-1:0]      \u_order.f_level ;
    (* hierconn, init = 1'b0 *) wire    \u_order.f_live ;
    (* hierconn *) wire                 \u_order.f_trying ;
`endif
    `EVG_FOLLOW_ONE(f_core, `EVG_CORE_PLACE_WIDTH)
    `EVG_FOLLOW_ONE(f_level, Bits)
    reg        f_live = 1'b0; // there has been a reset
    // How many wait, and all of each: what each field of the row means, put together anew
    localparam F_Warp = 56 + 7 + 64 + 6 + 18 + 5 + 16;
    localparam F_Big  = 56 + 7 + 64 + 192 + 16 + 5 + 16;
    reg [1:0]        f_warps;
    reg              f_big;
    reg [F_Warp-1:0] f_first, f_second;
    reg [F_Big-1:0]  f_larger;
    wire f_take   = kernel_valid_i && kernel_ready_o && kernel_priority == f_level;
    wire f_given  = ev_valid_o && ev_ack_i && ev_priority_o == f_level;
    wire f_queued = big_valid_o && big_ready_i && big_priority_o == f_level;
    // of the block; the grid is one block
    wire [F_Warp-1:0] f_came = {kernel_i[`EVG_LAUNCH_TAG], kernel_i[`EVG_LAUNCH_ROW], kernel_dims[5*32+:6],
                                kernel_dims[4*32+:6], kernel_dims[3*32+:6], kernel_i[`EVG_LAUNCH_THREADS],
                                kernel_i[`EVG_LAUNCH_PARAM], kernel_code[62:56], kernel_code[55:0]};
    wire [55:0]        f_code    = f_first[55:0];
    wire [6:0]         f_regs    = f_first[56+:7];
    wire [63:0]        f_param   = f_first[63+:64];
    wire [5:0]         f_threads = f_first[127+:6];
    wire [17:0]        f_dims    = f_first[133+:18];
    wire [4:0]         f_from    = f_first[151+:5];
    wire [15:0]        f_tag     = f_first[156+:16];
    reg                f_waited = 1'b0;
    reg  [31:0]        f_mask;
    integer            f_l;
    always @*
        for (f_l = 0; f_l < 32; f_l = f_l + 1)
            f_mask[f_l] = f_l[5:0] < f_threads;
    // The core's answer, and how far it has come; the choice
    reg                f_asked = 1'b0, f_fits, f_paired = 1'b0, f_found = 1'b0, f_compared = 1'b0;
    reg [KeyWidth-1:0] f_key, f_chosen_key;

    wire f_answers = stat_req_o && stat_req_group_o == f_core[`EVG_CORE_PLACE_GROUP] && stat_valid_i &&
                     stat_group_i == f_core[`EVG_CORE_PLACE_GROUP];
    // Edges of a try, without those that wait for an answer; whether cfg_core_groups_i has been the same
    reg [3:0]  f_step, f_groups;
    reg        f_same, f_new;
    reg        f_begins = 1'b0; // the first cycle of a try
    wire [3:0] f_asks = cfg_core_groups_i == 4'd0 ? 4'd1 : cfg_core_groups_i > 4'd8 ? 4'd8 : cfg_core_groups_i;

    wire f_idle    = state_q == `EVG_DISPATCH_STATE_IDLE;
    wire f_scan    = state_q == `EVG_DISPATCH_STATE_SCAN;
    wire f_reduce  = state_q == `EVG_DISPATCH_STATE_REDUCE;
    wire f_offer   = state_q == `EVG_DISPATCH_STATE_OFFER;
    wire [CoreWidth-1:0] f_status = stat_cores_i[CoreWidth*f_core[`EVG_CORE_PLACE_LANE]+:CoreWidth];
    wire [2:0] f_occupancy = f_status[`EVG_CORE_STATUS_OCCUPANCY];
    wire [2:0] f_victims   = f_status[`EVG_CORE_STATUS_VICTIMS];
    wire       f_busy      = f_status[`EVG_CORE_STATUS_BUSY];
    wire       f_free      = f_status[`EVG_CORE_STATUS_FREE];
    wire       f_can       = f_free || f_status[`EVG_CORE_STATUS_FITS];
    wire       f_kept      = f_free && f_status[`EVG_CORE_STATUS_KEPT];
    // The priorities without an event on the core: those to which it owes an entry each, and those to which
    // it owes one together
    wire [Levels-1:0] f_absent = ~f_status[`EVG_CORE_STATUS_LEVELS] & ~(one_level << ev_priority_o);
    wire [Levels-1:0] f_above  = ~((one_level << ev_priority_o) | ((one_level << ev_priority_o) - one_level));
    wire       f_holds     = f_status[`EVG_CORE_STATUS_LEVELS_LSB + ev_priority_o];
    wire [Levels-1:0] f_owed = warps & f_absent & (f_holds ? {Levels{1'b1}} : f_above);
    wire       f_lent      = f_holds && |(levels_i & ~warps & f_absent);
    wire       f_room      = {2'b00, f_occupancy} + {4'd0, f_owed[0]} + {4'd0, f_owed[1]} +
                             {4'd0, f_owed[2]} + {4'd0, f_owed[3]} + {4'd0, f_lent} < `EVG_PEWT_ENTRIES;
    wire [1:0] f_pair      = f_core[2:1];
    wire [KeyWidth-1:0] f_pair_key = pair_keys_q[KeyWidth*f_pair+:KeyWidth];

    always @(posedge clk_i) begin
        f_paired <= !rst_i && f_answers;
        f_found  <= !rst_i && f_paired;
        f_waited <= !rst_i && f_idle && |warps;
        f_new    <= !rst_i && choose && !failed;
        f_begins <= !rst_i && restart;
        f_same   <= !rst_i && (restart || (f_same && f_asks == f_groups));
        if (restart)
            f_groups <= f_asks;
        if (rst_i)
            f_step <= 4'd0;
        else if (restart)
            f_step <= 4'd1;
        else if (!f_idle && !f_offer && !(f_scan && !answered))
            f_step <= f_step + 4'd1;
        if (rst_i) begin
            f_live     <= 1'b1;
            f_warps    <= 2'd0;
            f_big      <= 1'b0;
            f_asked    <= 1'b0;
            f_compared <= 1'b0;
        end else begin
            f_warps <= f_warps + {1'b0, f_take && kernel_warp} - {1'b0, f_given};
            if (f_take && kernel_warp && (f_warps == 2'd0 || (f_warps == 2'd1 && f_given)))
                f_first <= f_came;
            else if (f_given)
                f_first <= f_second;
            if (f_take && kernel_warp)
                f_second <= f_came;
            f_big <= (f_take && !kernel_warp) || (f_big && !f_queued);
            if (f_take && !kernel_warp)
                f_larger <= {kernel_code[62:0], kernel_i[`EVG_LAUNCH_PARAM], kernel_dims,
                             kernel_i[`EVG_LAUNCH_SHARED], kernel_i[`EVG_LAUNCH_ROW],
                             kernel_i[`EVG_LAUNCH_TAG]};
            f_compared <= !restart && (f_compared || f_found);
            if (restart)
                f_asked <= 1'b0;
            else if (f_answers)
                f_asked <= 1'b1;
            if (f_answers) begin
                f_fits <= cfg_core_mask_i[f_core] && f_room;
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

    // Beside what follows this takes a solver long: it is proved with the neighbours.
`ifdef FORMAL_COMPOSED
`define EVG_TIMES
`elsif YOSYS
`else
`define EVG_TIMES
`endif
`ifdef EVG_TIMES
    always @*
        if (f_live) begin
            // A try takes as many edges as there are groups, and 3, but for those without an answer.
            assert (stat_req_o == f_scan && f_step <= 4'd11);
            if (f_scan)
                assert (f_step == {1'b0, group_q} + 4'd1 && (!f_same || {1'b0, group_q} < f_groups));
            if (f_reduce || choose)
                assert (f_step == {1'b0, answer_group_q} + (choose ? 4'd3 : 4'd2) &&
                        (!f_same || {1'b0, answer_group_q} + 4'd1 == f_groups));
            if (f_new)
                assert (f_step == {1'b0, answer_group_q} + 4'd4 && (!f_same || f_step == f_groups + 4'd3));
        end
`endif
`undef EVG_TIMES

    // Nothing is assumed of a neighbour here, so where the neighbours are (gpu_frontend.fv.vh) only what
    // these take from it is proved again.
`ifndef FORMAL_COMPOSED
    always @*
        if (f_live) begin
            assert (state_q <= `EVG_DISPATCH_STATE_OFFER);
            // Offered is what was taken, once, in order; what is full takes no more
            assert (f_warps <= 2'd2);
            if (kernel_priority == f_level)
                assert (kernel_ready_o == (kernel_warp ? f_warps != 2'd2 : !f_big));
            assert (ev_valid_o == f_offer);
            assert (warps[f_level] == (f_warps != 2'd0) && bigs[f_level] == f_big);
            if (f_warps != 2'd0 && ev_priority_o == f_level && !f_idle)
                assert (ev_event_o[`EVG_EVENT_REGS] == f_regs && stat_req_regs_o == f_regs);
            if (f_warps != 2'd0 && ev_priority_o == f_level && !f_idle && !f_begins)
                assert (ev_event_o[`EVG_EVENT_KERNEL] == {8'd0, f_code} &&
                        ev_event_o[`EVG_EVENT_PARAM] == f_param &&
                        (f_threads > 6'd32 || ev_event_o[`EVG_EVENT_MASK] == f_mask) &&
                        ev_event_o[`EVG_EVENT_DIMS] == f_dims && ev_event_o[`EVG_EVENT_ROW] == f_from &&
                        ev_event_o[`EVG_EVENT_TAG] == f_tag);
            if (!f_idle && ev_priority_o == f_level)
                assert (f_warps != 2'd0);
            if (f_big && big_priority_o == f_level)
                assert (big_valid_o && big_kernel_o == f_larger);
            if (big_valid_o && big_priority_o == f_level)
                assert (f_big);
            // What is being tried is in the store; what waits is being tried in the next cycle but one
            assert (f_idle || warps[ev_priority_o]);
            assert (!f_waited || !f_idle);
            // The groups are asked in rising order, each once
            assert (stat_req_o == f_scan);
            if (answer_q)
                assert (f_scan || f_reduce);
            if (f_scan) begin
                assert (!answer_q || answer_group_q < group_q);
                assert (!found_q || found_core_q[`EVG_CORE_PLACE_GROUP] < group_q);
                assert (!best_valid_q || best_core_q[`EVG_CORE_PLACE_GROUP] < group_q);
            end
            if (f_reduce)
                assert (answer_q && answer_group_q == group_q);
            if (choose)
                assert (!answer_q);
            if (f_idle || f_offer)
                assert (!answer_q && !found_q);
            if (found_q && answer_q)
                assert (found_core_q[`EVG_CORE_PLACE_GROUP] < answer_group_q);
            if (best_valid_q && answer_q)
                assert (best_core_q[`EVG_CORE_PLACE_GROUP] < answer_group_q);
            if (best_valid_q && found_q)
                assert (best_core_q[`EVG_CORE_PLACE_GROUP] < found_core_q[`EVG_CORE_PLACE_GROUP]);
            // The core's answer is at one place
            assert (f_paired == (answer_q && answer_group_q == f_core[`EVG_CORE_PLACE_GROUP]));
            assert (!f_found || !f_paired);
            if (f_paired || f_found || f_compared)
                assert (f_asked);
            if (f_asked && !f_offer && !f_idle)
                assert (f_paired || f_found || f_compared);
            if (f_found)
                assert (f_scan || f_reduce || choose);
            if ((f_found || f_compared) && answer_q)
                assert (f_core[`EVG_CORE_PLACE_GROUP] < answer_group_q);
            if (f_compared && found_q)
                assert (f_core[`EVG_CORE_PLACE_GROUP] < found_core_q[`EVG_CORE_PLACE_GROUP]);
            if (f_asked && f_scan)
                assert (f_core[`EVG_CORE_PLACE_GROUP] < group_q);
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
            if (found_q && found_core_q[`EVG_CORE_PLACE_GROUP] == f_core[`EVG_CORE_PLACE_GROUP])
                assert (f_found);
            if (found_q && found_core_q == f_core)
                assert (f_fits && found_key_q == f_key);
            // ... of the groups so far
            if (f_compared && f_fits && !f_idle)
                assert (f_offer || (best_valid_q && {best_key_q, best_core_q} <= {f_key, f_core}));
            if (best_valid_q && best_core_q == f_core && !f_offer && !f_idle)
                assert (f_compared && f_fits && best_key_q == f_key);
            if (best_valid_q && best_core_q[`EVG_CORE_PLACE_GROUP] == f_core[`EVG_CORE_PLACE_GROUP] && !f_offer && !f_idle)
                assert (f_compared);
            // The core that gets the event is in the mask and has room, and none that was asked
            // and has room is better.
            if (ev_valid_o && ev_core_o == f_core)
                assert (f_asked && f_fits && f_chosen_key == f_key);
            if (ev_valid_o && f_asked && f_fits)
                assert ({f_chosen_key, ev_core_o} <= {f_key, f_core});
        end
`endif

`ifdef FORMAL_TOP_event_dispatch
    // The kernels of one row, which is free, by number, and where they are: each is handed over once, for
    // its own row.
    `EVG_FOLLOW_ONE(f_whose, `EVG_EVENT_ROW_WIDTH)
    (* hierconn *) wire [WarpWidth*Levels-1:0] \u_warps.f_second_data ;
    (* hierconn *) wire [Levels-1:0]           \u_warps.f_second ;
    (* hierconn *) wire [`EVG_LARGER_WIDTH*Levels-1:0] \u_bigs.oldest_o ;
    reg [Bits+2:0]    f_of_row, f_there;
    wire              f_row_in   = kernel_valid_i && kernel_ready_o && kernel_i[`EVG_LAUNCH_ROW] == f_whose;
    wire              f_row_warp = ev_valid_o && ev_ack_i && ev_event_o[`EVG_EVENT_ROW] == f_whose;
    wire              f_row_big  = big_valid_o && big_ready_i && big_kernel_o[`EVG_LARGER_ROW] == f_whose;
    integer           f_i;
    always @(posedge clk_i)
        if (rst_i)
            f_of_row <= 0;
        else
            f_of_row <= f_of_row + {{Bits + 2{1'b0}}, f_row_in} - {{Bits + 2{1'b0}}, f_row_warp} -
                        {{Bits + 2{1'b0}}, f_row_big};
    always @* begin
        f_there = 0;
        for (f_i = 0; f_i < Levels; f_i = f_i + 1)
            f_there = f_there +
                {{Bits + 2{1'b0}}, warps[f_i] && oldest[WarpWidth*f_i+`EVG_WAITING_ROW_LSB+:`EVG_WAITING_ROW_WIDTH] == f_whose} +
                {{Bits + 2{1'b0}}, \u_warps.f_second [f_i] &&
                                   \u_warps.f_second_data [WarpWidth*f_i+`EVG_WAITING_ROW_LSB+:`EVG_WAITING_ROW_WIDTH] == f_whose} +
                {{Bits + 2{1'b0}}, bigs[f_i] && \u_bigs.oldest_o [`EVG_LARGER_WIDTH*f_i+`EVG_LARGER_ROW_LSB+:`EVG_LARGER_ROW_WIDTH] == f_whose};
    end
    always @*
        if (f_live) begin
            assert (f_of_row == f_there);
            // The first cycle of a try ends with the copy
            assert (f_idle || warps[ev_level]);
            assert (!f_begins || f_scan);
            assert (f_idle || f_begins ||
                    event_q[`EVG_EVENT_ROW] ==
                        oldest[WarpWidth*ev_level+`EVG_WAITING_ROW_LSB+:`EVG_WAITING_ROW_WIDTH]);
            assert (!big_valid_o || bigs[big_level_q]);
            assert (ev_valid_o == f_offer && state_q <= `EVG_DISPATCH_STATE_OFFER);
            assert ((f_row_warp ? 1 : 0) + (f_row_big ? 1 : 0) <= f_of_row);
        end
    // The submodules follow the same priority, and hold what the queues here do.
    always @* begin
        assume (\u_warps.f_level == f_level && \u_bigs.f_level == f_level &&
                \u_order.f_level == f_level);
        assert (f_live == \u_warps.f_live && f_live == \u_bigs.f_live &&
                f_live == \u_order.f_live );
        if (f_live) begin
            assert (\u_order.f_trying == !f_idle);
`ifndef FORMAL_COMPOSED
            assert (\u_warps.f_count == f_warps && \u_bigs.f_count == {1'b0, f_big});
            if (f_warps != 2'd0)
                assert (\u_warps.f_oldest == f_packed(f_first));
            if (f_warps == 2'd2)
                assert (\u_warps.f_newest == f_packed(f_second));
            if (f_big)
                assert (\u_bigs.f_oldest == f_larger);
`endif
        end
    end
    function [WarpWidth-1:0] f_packed(input [F_Warp-1:0] one);
        f_packed = {one[56+:7], one[55:0], one[63+:64], one[127+:6], one[133+:18],
                    one[151+:5], one[156+:16]};
    endfunction

    always @* begin
        cover (f_live && ev_valid_o && ev_core_o == f_core && f_core == 6'd63 && big_valid_o);
        cover (f_live && ev_valid_o && ev_core_o[`EVG_CORE_PLACE_GROUP] < f_core[`EVG_CORE_PLACE_GROUP] && f_fits && f_asked &&
               f_chosen_key == f_key);
        cover (f_live && ev_valid_o && ev_core_o[`EVG_CORE_PLACE_GROUP] > f_core[`EVG_CORE_PLACE_GROUP] && f_fits && f_asked);
        cover (f_live && failed && ev_priority_o == f_level && try_level > f_level);
        cover (f_live && failed && ev_priority_o == f_level && try_level < f_level);
        cover (f_live && placed && warps[f_level] && ev_priority_o > f_level);
        cover (f_live && kernel_valid_i && !kernel_ready_o && f_warps == 2'd2 && f_big);
    end
`endif
