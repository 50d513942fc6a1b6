// SPDX-License-Identifier: Apache-2.0
// Properties of completion_window, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    // The window of one row, which is free, as the driver's last command before its opening had it
    `EVG_FOLLOW_ONE(f_row, RowBits)
`ifdef YOSYS
    (* hierconn *) wire [RowBits-1:0]    \u_ram.f_address ;
    (* hierconn, init = 1'b0 *) wire     \u_ram.f_written ;
    (* hierconn, init = 1'b0 *) wire     \u_ram.f_read ;
    (* hierconn *) wire [2*FlagBits-1:0] \u_ram.f_word ;
    (* hierconn *) wire [2*FlagBits-1:0] \u_ram.f_data ;
`endif
    reg                   f_live = 1'b0;    // there has been a reset
    reg                   f_command = 1'b0; // ... and a command
    reg                   f_known = 1'b0;   // ... and the row was opened
    reg                   f_asked = 1'b0;   // the last read was of the row
    reg [AddressBits-1:0] f_cmd_first, f_cmd_last, f_first, f_last, f_was_first, f_was_last;
    reg                   f_opened = 1'b0, f_did_read = 1'b0; // a cycle ago
    reg [RowBits-1:0]     f_open_row;
    wire                  f_open = open_valid_i && open_row_i == f_row;

    always @(posedge clk_i) begin
        f_opened   <= !rst_i && open_valid_i;
        f_open_row <= open_row_i;
        f_did_read <= !rst_i && read_i;
        if (rst_i) begin
            f_live    <= 1'b1;
            f_command <= 1'b0;
            f_known   <= 1'b0;
            f_asked   <= 1'b0;
        end else begin
            if (cmd_take_i) begin
                f_command   <= 1'b1;
                f_cmd_first <= cmd_first_i;
                f_cmd_last  <= cmd_last_i;
            end
            if (f_open) begin
                f_known <= 1'b1;
                f_first <= f_cmd_first;
                f_last  <= f_cmd_last;
            end
            if (read_i) begin
                f_asked     <= f_known && row_i == f_row;
                f_was_first <= f_first;
                f_was_last  <= f_last;
            end
        end
    end

`ifdef FORMAL_TOP_completion_window
`define EVG_REQUIRE assume
`else
`define EVG_REQUIRE assert
`endif
    // The neighbours: event_kernel_table opens once per command, if its window is good, and
    // holds what it has opened;
    // event_completion does not read twice in a row, nor the row that is being opened.
    always @*
        if (f_live && !rst_i) begin
            if (open_valid_i)
                `EVG_REQUIRE (f_command && !new_q && !bad_q && !cmd_take_i && !f_opened);
`ifdef FORMAL_COMPOSED // for which the neighbour keeps its word: the followed one
            if (f_open)
`else
            if (open_valid_i)
`endif
                `EVG_REQUIRE (!(read_i && row_i == open_row_i));
            if (f_opened)
                `EVG_REQUIRE (open_row_i == f_open_row);
            if (f_did_read)
                `EVG_REQUIRE (!read_i);
        end
`undef EVG_REQUIRE

`ifdef FORMAL_TOP_completion_window
    always @* assume (\u_ram.f_address == f_row);
`endif

    always @*
        if (f_live) begin
            if (f_command && !new_q)
                assert (cmd_bad_o == (f_cmd_first > f_cmd_last || f_cmd_first[1:0] != 2'd0 ||
                                      f_cmd_last[1:0] != 2'd0));
            if (f_command)
                assert (first_q == f_cmd_first && last_q == f_cmd_last);
            assert (!late_q || (f_opened && f_did_read && f_command));
            if (f_asked)
                assert ({last_o, first_o} == {f_was_last[AddressBits-1:2],
                                              f_was_first[AddressBits-1:2]});
        end

`ifdef YOSYS
    always @*
        if (f_live && \u_ram.f_address == f_row) begin
            if (f_known && late_q && f_open_row == f_row)
                assert ({f_first, f_last} == {f_cmd_first, f_cmd_last});
            else if (f_known)
                assert (\u_ram.f_written &&
                        \u_ram.f_word == {f_last[AddressBits-1:2], f_first[AddressBits-1:2]});
            if (f_asked)
                assert (\u_ram.f_read && \u_ram.f_data == {f_was_last[AddressBits-1:2],
                                                           f_was_first[AddressBits-1:2]});
        end
`endif

`ifdef FORMAL_TOP_completion_window
    always @* begin
        cover (f_live && f_asked && f_known && f_was_first != f_was_last && f_was_first != 0);
        cover (f_live && late_q && f_open_row == f_row);
        cover (f_live && f_command && !new_q && !cmd_bad_o);
    end
`endif
