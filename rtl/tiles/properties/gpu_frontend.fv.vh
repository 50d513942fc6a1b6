// SPDX-License-Identifier: Apache-2.0
// Properties of gpu_frontend, included at its end under FORMAL (docs/design/proofs.md).

`ifdef FORMAL_TOP_gpu_frontend
    // The blocks together, for one row, which is free: what each assumes of the others is proved here. What is
    // assumed is only that a completion is of an event that a core or kernel management was given, and
    // reported once; a faulty core is tried in simulation.
    (* hierconn *) wire [RowBits-1:0] \u_decoder.f_row , \u_table.f_row ;
    (* hierconn *) wire [4:0]         \u_dispatch.f_whose ;
    (* hierconn *) wire [RowBits-1:0] \u_completion.u_window.f_row , \u_table.launch_row_q ;
    (* hierconn *) wire [RowBits-1:0] \u_decoder.row_q ;
    (* hierconn *) wire [Rows-1:0]    \u_decoder.open_q ;
    (* hierconn *) wire [`EVG_ROW_EVENT_BITS-1:0] \u_decoder.f_running ;
    (* hierconn *) wire               \u_decoder.accept_q , \u_table.read_queue , \u_table.load ;
    (* hierconn *) wire               \u_table.f_step_state , \u_table.write_back ;
    (* hierconn *) wire               \u_table.is_reg , \u_table.cmd_held_q , \u_table.decide ;
    (* hierconn *) wire               \u_table.bad_q , \u_table.entering_q ;
    (* hierconn *) wire               \u_completion.u_window.new_q , \u_completion.u_window.bad_q ;
    (* hierconn *) wire [4:0]         \u_dispatch.f_of_row ;
    (* hierconn *) wire [4:0]         \u_completion.f_of_row ;
    (* hierconn, init = 1'b0 *) wire  \u_decoder.f_live , \u_table.f_live , \u_table.f_open ;
    (* hierconn, init = 1'b0 *) wire  \u_dispatch.f_live , \u_completion.f_live , \u_completion.f_command ;
    wire [RowBits-1:0] f_row = \u_table.f_row ;

    // Its events from their launch to their end: in the table, in event_dispatch, outside, in
    // event_completion
    localparam CountBits = `EVG_ROW_EVENT_BITS + 2;
    wire                 f_ours   = \u_table.launch_row_q == f_row;
    wire                 f_inside = f_ours && (\u_table.read_queue || kernel_valid);
    wire                 f_given  = (placed && ev_row_o == f_row);
    wire                 f_queued = (queued && big_row_o == f_row);
    wire                 f_done   = done_valid_i && done_ready_o && done_row_i[RowBits-1:0] == f_row;
    reg  [CountBits-1:0] f_outside;
    reg                  f_taken = 1'b0, f_taken_before = 1'b0; // by event_dispatch, so many cycles ago
    wire [CountBits-1:0] f_all = {{CountBits - 1{1'b0}}, f_inside} +
                                 {{CountBits - 5{1'b0}}, \u_dispatch.f_of_row } + f_outside +
                                 {{CountBits - 5{1'b0}}, \u_completion.f_of_row };

    always @(posedge clk_i) begin
        f_taken        <= !rst_i && f_ours && kernel_valid && kernel_ready;
        f_taken_before <= !rst_i && f_taken;
        if (rst_i)
            f_outside <= 0;
        else
            f_outside <= f_outside + {{CountBits - 1{1'b0}}, f_given} + {{CountBits - 1{1'b0}}, f_queued} -
                         {{CountBits - 1{1'b0}}, f_done};
    end

    always @* begin
        assume (\u_decoder.f_row == f_row && \u_dispatch.f_whose == f_row &&
                \u_completion.u_window.f_row == f_row);
        assert (\u_decoder.f_live == \u_table.f_live && \u_dispatch.f_live == \u_table.f_live &&
                \u_completion.f_live == \u_table.f_live );
        if (\u_table.f_live ) begin
            if (f_done)
                assume (f_outside != 0);
            // Each has the same row open; what comes in comes for an open one.
            assert (\u_decoder.open_q [f_row] == \u_table.f_open );
            if (\u_decoder.accept_q && \u_decoder.row_q == f_row)
                assert (\u_table.f_open );
            // No event lost or counted twice between the blocks
            assert ({2'b00, \u_decoder.f_running } == f_all && f_outside < 1 << `EVG_ROW_EVENT_BITS);
            // A launch that has been taken is stepped while its event is young.
            if (f_taken)
                assert (\u_dispatch.f_of_row != 0);
            if (f_taken_before)
                assert (\u_dispatch.f_of_row != 0 || f_outside != 0);
            if (f_ours && \u_table.load )
                assert (kernel_valid);
            if (f_ours && \u_table.f_step_state )
                assert (kernel_valid || f_taken);
            if (f_ours && \u_table.write_back )
                assert (kernel_valid || f_taken || f_taken_before);
            // The window of a command has been judged when it is decided.
            if (!cmd_ready_o)
                assert (\u_completion.f_command );
            if (\u_table.is_reg && \u_table.cmd_held_q )
                assert (!\u_completion.u_window.new_q );
            if (\u_table.is_reg && ((\u_table.decide && !\u_table.bad_q ) || \u_table.entering_q ))
                assert (!\u_completion.u_window.bad_q );
        end
    end
`endif
