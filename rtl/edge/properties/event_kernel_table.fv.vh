// SPDX-License-Identifier: Apache-2.0
// Properties of event_kernel_table, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // The port, the launch and the command. One row, which is free, is followed through
    // registration, launches and removal.
    `EVG_FOLLOW_ONE(f_row, RowBits)
`ifdef YOSYS
    // The word that the RAM's own proof follows is this row's second one; with FORMAL_FIRST_WORD
    // its first one.
    (* hierconn *) wire [RowBits:0]     \u_table.f_address ;
    (* hierconn, init = 1'b0 *) wire    \u_table.f_written ;
    (* hierconn, init = 1'b0 *) wire    \u_table.f_read ;
    (* hierconn *) wire [WordWidth-1:0] \u_table.f_word ;
    (* hierconn *) wire [WordWidth-1:0] \u_table.f_data ;
    (* hierconn *) wire [5:0]           \u_threads.f_steps ;
    (* hierconn, init = 1'b0 *) wire    \u_threads.f_started ;
`endif
    localparam       Checks  = 2 * DimBits;
    localparam [5:0] F_Check = Checks[5:0];
    reg f_live = 1'b0; // there has been a reset
    // The steps of a launch, by the cycles since it was taken
    reg f_second = 1'b0, f_third = 1'b0, f_fourth = 1'b0, f_fifth = 1'b0;
    reg f_checked = 1'b0;   // at least one cycle of checking is over
    reg [3:0] f_waits;      // cycles since the command in hand was checked
    reg [5:0] f_checks;     // cycles of its check so far
    reg [5:0] f_age;        // cycles since it was taken
    reg f_leaves = 1'b0;    // its row drains
    reg f_answering = 1'b0; // a command has been taken and not answered
    reg f_told = 1'b0, f_abort, f_hit;  // an abort is told to those that run events; whether it was hit
    reg [RowBits-1:0]     f_abort_row;
    reg [AddressBits-1:0] f_abort_entry;
    reg                   f_abort_free; // its row is, as it is decided
    // The row: registered at all, in the table, its queue
    reg                   f_used = 1'b0, f_entered = 1'b0;
    reg [AddressBits-1:0] f_base, f_head, f_size, f_last;
    reg [AddressBits-1:0] f_given; // head when it was launched last
    reg [WordWidth-1:0]   f_what;  // its kernel, as registered
    // The decoder's view of it, and a cycle ago: what was taken then may still fill it
    reg        f_open = 1'b0, f_was_open = 1'b0;
    reg        f_was_empty = 1'b1;
    reg        f_kept = 1'b0;

    wire f_ours   = launch_row_q == f_row;
    wire f_launch = launch_take && launch_row_i == f_row;
    wire f_empty  = row_empty_i[f_row];
    wire f_over   = drained && over_row == f_row;
    wire f_step_state = state_q == `EVG_EKT_STATE_STEP;
    wire f_stepping   = read_queue || load || f_step_state || write_back;
    // The command in hand, as its ports had it; the answer that it has to get
    localparam CommandBits = `EVG_CODE_WIDTH + 3 * AddressBits + `EVG_DIMS_WIDTH + 16 + 16 + Bits;
    reg [CommandBits-1:0] f_command;
    wire [CommandBits-1:0] f_in_hand = {kernel_q, base_q, size_q, last_q, dims_q, shared_q, rid_q, priority_q};
    reg               f_reg, f_unreg;       // REGISTER, UNREGISTER
    reg [RowBits-1:0] f_names;              // its row
    reg               f_bad_args;
    reg               f_free_then;          // the row was free at the end of the check
    reg               f_bad, f_there;       // at its decision: not accepted; the row is registered
    reg               f_opened = 1'b0;      // a cycle ago open_valid_o was high ...
    reg [RowBits-1:0] f_opened_row;         // ... with this row
    function f_refused;
        input [`EVG_CODE_WIDTH-1:0] kernel;
        input [AddressBits-1:0] base, size, last;
        input [`EVG_DIMS_WIDTH-1:0] dims;
        integer                 d;
        begin
            f_refused = kernel[`EVG_CODE_ADDRESS] == 56'd0 || kernel[`EVG_CODE_INVALID] || size == 0 || base > last ||
                        size % `EVG_ENTRY_ALIGN != 0 || base % `EVG_ENTRY_ALIGN != 0;
            for (d = 0; d < 6; d = d + 1)
                f_refused = f_refused || dims[32*d+:32] == 32'd0 ||
                            (d >= 3 && dims[32*d+:32] > BlockThreads);
        end
    endfunction
    wire [15:0] f_shared = kernel_o[`EVG_LAUNCH_SHARED];
    // The step, as the paper has it
    wire [AddressBits:0]   f_sum  = {1'b0, f_head} + {1'b0, f_size};
    wire [AddressBits-1:0] f_next = f_sum > {1'b0, f_last} ? f_base : f_sum[AddressBits-1:0];

    always @(posedge clk_i) begin
        if (cmd_take) begin
            f_command  <= {cmd_i[`EVG_COMMAND_KERNEL], cmd_base[AddressBits-1:0], cmd_size[AddressBits-1:0],
                           cmd_last[AddressBits-1:0], cmd_dims, cmd_i[`EVG_COMMAND_SHARED],
                           cmd_i[`EVG_COMMAND_RID], cmd_i[`EVG_COMMAND_PRIORITY]};
            f_reg      <= cmd_op == `EVG_FRONTEND_CMD_REGISTER;
            f_unreg    <= cmd_op == `EVG_FRONTEND_CMD_UNREGISTER;
            f_names    <= cmd_row[RowBits-1:0];
            f_bad_args <= f_refused(cmd_i[`EVG_COMMAND_KERNEL], cmd_base[AddressBits-1:0], cmd_size[AddressBits-1:0],
                                    cmd_last[AddressBits-1:0], cmd_dims);
        end
        if (checking_q)
            f_free_then <= !f_used;
        if (cmd_held_q && !decide)
            f_bad <= f_bad_args || too_many || cmd_bad_window_i;
        if (decide)
            f_there <= f_used && !f_leaves;
        f_opened     <= !rst_i && open_valid_o;
        f_opened_row <= open_row_o;
        f_second <= !rst_i && launch_take;
        f_third  <= !rst_i && f_second;
        f_fourth <= !rst_i && f_third;
        f_fifth  <= !rst_i && f_fourth;
        f_checked <= checking_q && !rst_i;
        f_kept    <= !rst_i && kernel_valid_o && !kernel_ready_i;
        f_told    <= !rst_i && cmd_valid_i && cmd_ready_o && cmd_op == 2'd3;
        if (cmd_valid_i && cmd_ready_o) begin
            f_abort       <= cmd_op == 2'd3;
            f_abort_row   <= cmd_row[RowBits-1:0];
            f_abort_entry <= cmd_base[AddressBits-1:0];
        end
        if (f_told)
            f_hit <= ab_hit_i;
        if (decide)
            f_abort_free <= !registered_q[f_abort_row];
        if (rst_i) begin
            f_live      <= 1'b1;
            f_answering <= 1'b0;
            f_waits     <= 4'd0;
            f_checks    <= 6'd0;
            f_age       <= 6'd0;
            f_leaves    <= 1'b0;
            f_used      <= 1'b0;
            f_entered   <= 1'b0;
            f_open      <= 1'b0;
            f_was_open  <= 1'b0;
            f_was_empty <= 1'b1;
        end else begin
            if (cmd_take)
                f_answering <= 1'b1;
            else if (rsp_valid_o)
                f_answering <= 1'b0;
            f_waits <= cmd_held_q || answer ? f_waits + 4'd1 : 4'd0;
            f_checks <= checking_q ? f_checks + 6'd1 : 6'd0;
            f_age    <= cmd_take ? 6'd1 : f_answering ? f_age + 6'd1 : 6'd0;
            if (write_new && free_row_q == f_row)
                f_used <= 1'b1;
            else if (f_over)
                f_used <= 1'b0;
            if (f_over)
                f_leaves <= 1'b0;
            else if (decide && is_unreg && cmd_row_q == f_row && f_used)
                f_leaves <= 1'b1;
            if (write_new && free_row_q == f_row)
                f_what <= {shared_q[SharedBits-1:0], warp_event_q, {`EVG_ROW_KERNEL_UNUSED_WIDTH{1'b0}},
                           priority_q, product[`EVG_ROW_KERNEL_THREADS_WIDTH-1:0],
                           dims_q[`EVG_ROW_KERNEL_DIMS_WIDTH-1:0], kernel_q};
            if (write_queue && free_row_q == f_row) begin
                f_entered <= 1'b1;
                f_base    <= base_q;
                f_head    <= base_q;
                f_size    <= size_q;
                f_last    <= last_q;
            end else if (f_over)
                f_entered <= 1'b0;
            if (f_launch)
                f_given <= f_head;
            if (write_back && f_ours)
                f_head <= f_next;
            if (close_valid_o && close_row_o == f_row)
                f_open <= 1'b0;
            else if (open_valid_o && open_row_o == f_row)
                f_open <= 1'b1;
            f_was_open  <= f_open;
            f_was_empty <= f_empty;
        end
    end

`ifdef FORMAL_COMPOSED // with its neighbours (gpu_frontend.fv.vh)
`define EVG_REQUIRE assert
`elsif FORMAL_TOP_event_kernel_table
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    // The neighbour: doorbell_decoder accepts for open rows, launches what it has accepted, and does not
    // call a row empty before what was launched has completed.
    always @*
        if (f_live) begin
            if (f_was_empty && !f_empty)
                `EVG_REQUIRE (f_was_open);
            if (launch_valid_i && launch_row_i == f_row)
                `EVG_REQUIRE (!f_empty);
            if (f_ours && (f_stepping || kernel_valid_o))
                `EVG_REQUIRE (!f_empty);
        end
`undef EVG_REQUIRE

`ifdef FORMAL_TOP_event_kernel_table
    always @* begin
`ifdef FORMAL_FIRST_WORD
        assume (\u_table.f_address == {f_row, 1'b0});
`else
        assume (\u_table.f_address == {f_row, 1'b1});
`endif
    end
`endif

    always @*
        if (f_live) begin
            assert (state_q <= `EVG_EKT_STATE_ANSWER);
            // One access of the port per cycle; a launch takes exactly five
            assert ({2'b0, launch_take} + {2'b0, read_queue} + {2'b0, write_back} +
                    {2'b0, write_new} + {2'b0, write_queue} <= 3'd1);
            // What a launch gives is kept until it is taken.
            if (f_kept)
                assert (kernel_valid_o);
            assert (f_second == read_queue && f_third == load && f_fourth == f_step_state &&
                    f_fifth == write_back);
            if (load)
                assert (kernel_valid_o);
            if (read_queue)
                assert (!kernel_valid_o);
            // One answer per command, after it
            assert ({1'b0, checking_q} + {1'b0, cmd_held_q} + {1'b0, answer} == {1'b0, !cmd_ready_o});
            // It comes in time, whatever drains, is launched or waits to be taken: 7 cycles after the
            // command has been checked at most
            if (cmd_held_q || answer)
                assert (f_waits <= (state_q == `EVG_EKT_STATE_IDLE       ? 4'd5 :
                                state_q == `EVG_EKT_STATE_READ_QUEUE ? 4'd1 :
                                state_q == `EVG_EKT_STATE_LOAD       ? 4'd2 :
                                state_q == `EVG_EKT_STATE_STEP       ? 4'd3 :
                                state_q == `EVG_EKT_STATE_WRITE_BACK ? 4'd4 :
                                state_q == `EVG_EKT_STATE_DECIDE     ? 4'd6 : 4'd7));
            if (f_stepping || (cmd_held_q && f_waits != 4'd0))
                assert (!after_cmd_q || decide);
            if (!cmd_held_q && !answer)
                assert (f_waits <= 4'd8);
            // A check takes as long as its product; so a REGISTER is answered 2 * DimBits + 4 cycles after it
            // was taken, UNREGISTER and ABORT 3 or 4, all 5 later at most
`ifdef YOSYS
            assert (!checking_q || (\u_threads.f_started && \u_threads.f_steps == f_checks));
`endif
            assert (checking_q ? f_checks < F_Check && f_age == f_checks + 6'd1 : f_checks == 6'd0 || cmd_held_q);
            if (cmd_held_q || answer)
                assert (f_age == (is_reg ? F_Check : 6'd0) + {2'd0, f_waits} + 6'd1);
            assert (!decide || f_waits != 4'd0);
            assert (!answer || f_waits > 4'd1);
            if (rsp_valid_o)
                assert (f_age <= (f_reg ? F_Check : 6'd0) + 6'd9 && f_age >= (f_reg ? F_Check + 6'd4 : 6'd3));
            assert (f_answering == (!cmd_ready_o || rsp_valid_o));
            if (rsp_valid_o)
                assert (cmd_ready_o);
            if (decide) begin
                assert (cmd_held_q);
                if (is_reg)
                    assert (bad_q || !no_order_q);
            end
            // An abort is told once, in the cycle after it was taken, and what it was answered there is
            // what the driver is answered; no other command is told.
            assert (ab_valid_o == f_told);
            if (ab_valid_o)
                assert (ab_row_o == f_abort_row && ab_param_o == f_abort_entry && cmd_held_q && !decide);
            if (!cmd_ready_o)
                assert (f_abort == is_abort && (!f_abort || cmd_row_q == f_abort_row));
            if (f_abort && (answer || (cmd_held_q && !f_told)))
                assert (ab_hit_q == f_hit);
            if (answer && f_abort)
                assert (rsp_row_o == f_abort_row && !open_valid_o &&
                        rsp_code_o == (f_abort_free ? `EVG_FRONTEND_CODE_NOT_REGISTERED :
                                       f_hit ? `EVG_FRONTEND_CODE_OK : `EVG_FRONTEND_CODE_NOT_RUNNING));
            // A registration takes a free row, which no other command can take meanwhile
            assert (entering_q == open_valid_o);
            if (entering_q)
                assert (answer && is_reg && open_row_o == free_row_q);
            if ((checking_q && f_checked) || (cmd_held_q && is_reg)) begin
                assert (table_full_q || !(&registered_q));
                assert (table_full_q || !registered_q[free_row_q]);
                assert (no_order_q == (base_q > last_q));
            end
            if (checking_q)
                assert (is_reg);
            // The answer: of a registration the lowest row that was free, which is opened, or that none
            // was, or that it is not accepted; of a removal whether its row was registered. What is said
            // of the row that is followed holds for each.
            if (!cmd_ready_o) begin
                assert (f_command == f_in_hand && open_rid_o == rid_q && open_priority_o == priority_q);
                assert (f_reg == is_reg && f_unreg == is_unreg && f_names == cmd_row_q);
                assert (f_bad_args == f_refused(kernel_q, base_q, size_q, last_q, dims_q));
            end
            if ((checking_q && f_checked) || (cmd_held_q && is_reg)) begin
                assert (one_block_q == ({grid_x, grid_y, grid_z} == {32'd1, 32'd1, 32'd1} && shared_q == 0));
                assert (f_bad_args == (zero_dim_q || large_dim_q || bad_queue_q || no_order_q || bad_code_q));
                assert (f_free_then ? !table_full_q && free_row_q <= f_row
                                    : table_full_q || free_row_q != f_row);
            end
            if (decide)
                assert (!is_reg || (bad_q == f_bad &&
                                    warp_event_q == ({grid_x, grid_y, grid_z} == {32'd1, 32'd1, 32'd1} && shared_q == 0 &&
                                                     product <= `EVG_WARP_LANES)));
            if (answer || rsp_valid_o) begin
                if (f_reg) begin
                    assert (f_bad == (rsp_code_o == `EVG_FRONTEND_CODE_BAD_ARGUMENT));
                    assert (f_bad || rsp_code_o == `EVG_FRONTEND_CODE_OK ||
                            rsp_code_o == `EVG_FRONTEND_CODE_FULL);
                    if (rsp_code_o == `EVG_FRONTEND_CODE_FULL)
                        assert (!f_free_then);
                    if (rsp_code_o != `EVG_FRONTEND_CODE_OK)
                        assert (rsp_row_o == 0);
                    if (rsp_code_o == `EVG_FRONTEND_CODE_OK)
                        assert ((answer ? entering_q && open_row_o == rsp_row_o
                                        : f_opened && f_opened_row == rsp_row_o) &&
                                (f_free_then ? rsp_row_o <= f_row : rsp_row_o != f_row));
                end else if (f_unreg) begin
                    assert (rsp_row_o == f_names);
                    if (f_names == f_row)
                        assert (rsp_code_o == (f_there ? `EVG_FRONTEND_CODE_OK
                                                       : `EVG_FRONTEND_CODE_NOT_REGISTERED));
                end else if (!f_abort) begin
                    assert (rsp_code_o == `EVG_FRONTEND_CODE_BAD_ARGUMENT);
                end
            end
            assert (!f_opened || (rsp_valid_o && f_reg && rsp_code_o == `EVG_FRONTEND_CODE_OK));
            // The row that is followed
            assert (f_used == registered_q[f_row] && f_leaves == draining_q[f_row]);
            // It is freed when it drains and is empty, at once but for lower rows, and not otherwise
            assert (f_over ? f_leaves && f_empty : !(f_leaves && f_empty) || drained);
            if (f_leaves)
                assert (f_used);
`ifdef YOSYS
            if (drained && !f_over && f_leaves && f_empty)
                assert (over_row < f_row);
`endif
            if (freed_valid_o && freed_row_o == f_row)
                assert (!f_used || entering_q);
            assert (f_entered == (f_used && !(entering_q && free_row_q == f_row)));
            if (entering_q)
                assert (rsp_code_o == `EVG_FRONTEND_CODE_OK);
            if (entering_q && free_row_q == f_row)
                assert (f_used && !f_leaves && base_q <= last_q);
        end

`ifndef YOSYS
    // Of every row, but only as far as the simulation goes
    always @*
        if (f_live && write_back) begin
            assert (row_base <= row_head && row_head <= row_last);
            assert (row_base <= next_head && next_head <= row_last);
        end
`endif

`ifdef FORMAL_TOP_event_kernel_table
    always @*
        if (f_live) begin
            // No launch without the row being there; none of its events outlives it
            if (f_launch)
                assert (f_entered);
            if (f_open || f_was_open)
                assert (f_used);
            if (close_valid_q)
                assert (cmd_held_q && is_unreg && !decide);
            if (cmd_held_q && is_unreg && cmd_row_q == f_row)
                assert (!f_open || close_valid_q);
            if (!f_used)
                assert (f_empty && f_was_empty && !f_open && !f_was_open);
            if (entering_q && free_row_q == f_row)
                assert (f_empty && f_was_empty && !f_open && !f_was_open);
            if (f_leaves)
                assert (!f_open && !f_was_open);
            // Its head stays between base and last, and its words are its own, whatever happens.
            if (f_entered)
                assert (f_base <= f_head && f_head <= f_last);
`ifdef FORMAL_FIRST_WORD
            if (f_used)
                assert (\u_table.f_written && \u_table.f_word == f_what);
            // What a launch gives is what its row was registered with, until it is taken.
            if (f_ours && read_queue)
                assert (\u_table.f_read && \u_table.f_data == f_what);
            if (f_ours && kernel_valid_o)
                assert (kernel_o[`EVG_LAUNCH_KERNEL] == f_what[`EVG_ROW_KERNEL_KERNEL] &&
                        kernel_o[`EVG_LAUNCH_DIMS] == {16'd0, f_what[`EVG_ROW_KERNEL_DIMS]} &&
                        kernel_o[`EVG_LAUNCH_WARP] == f_what[`EVG_ROW_KERNEL_WARP] &&
                        kernel_o[`EVG_LAUNCH_PRIORITY] == f_what[`EVG_ROW_KERNEL_PRIORITY] &&
                        kernel_o[`EVG_LAUNCH_THREADS] == f_what[`EVG_ROW_KERNEL_THREADS] &&
                        f_shared[SharedBits-1:0] == f_what[`EVG_ROW_KERNEL_SHARED]);
`else
            if (f_entered)
                assert (\u_table.f_written &&
                        \u_table.f_word [4*AddressBits-1:0] == {f_last, f_size, f_head, f_base});
`endif
            // A launch of it gets the head from before the step, until it is taken; the step is the
            // paper's.
            if (f_ours && f_stepping)
                assert (f_entered && !f_empty && f_head == f_given);
`ifdef FORMAL_FIRST_WORD
            if (f_ours && kernel_valid_o)
                assert (f_entered && !f_empty);
`else
            if (f_ours && (load || f_step_state || write_back || kernel_valid_o))
                assert (\u_table.f_read && \u_table.f_data [HeadLsb+:AddressBits] == f_given);
            if (f_ours && (load || f_step_state || write_back))
                assert (\u_table.f_data [4*AddressBits-1:0] == {f_last, f_size, f_head, f_base});
            if (f_ours && (f_step_state || write_back))
                assert (queue_q == {f_last, f_size, f_head, f_base});
            if (f_ours && write_back)
                assert (next_head == f_next);
            if (f_ours && kernel_valid_o)
                assert (kernel_o[`EVG_LAUNCH_PARAM] == f_given && kernel_o[`EVG_LAUNCH_ROW] == f_row);
`endif
        end

    always @* begin
        cover (f_live && write_back && past_last_q && row_size != 0 && cmd_held_q);
        cover (f_live && write_back && f_ours && !past_last_q && row_size != 0);
        cover (f_live && write_new && launch_valid_i && registered_q[0]);
        cover (f_live && drained && launch_valid_i);
        cover (f_live && answer && verdict == `EVG_FRONTEND_CODE_FULL);
        cover (f_entered && f_ours && write_back && f_head == f_last && f_next == f_base &&
               f_base != f_last);
        cover (f_live && f_over && registered_q != {Rows{1'b0}});
        cover (f_live && f_leaves && !f_empty && rsp_valid_o && rsp_code_q == `EVG_FRONTEND_CODE_OK &&
               is_unreg && rsp_row_o != f_row);
        cover (f_live && f_leaves && !f_empty && open_valid_o);
        cover (f_live && drained && !f_over && f_leaves && f_empty);
    end
`endif

`ifndef YOSYS
    // No answer shows whose turn a reset has left: no launch waits before the first command.
    reg f_was_reset = 1'b0;

    always @(posedge clk_i) begin
        f_was_reset <= rst_i;
        if (f_was_reset)
            assert (!after_cmd_q);
    end
`endif
