// SPDX-License-Identifier: Apache-2.0
// completion_window: where the completion flags of each row's events may be written: the device's
// completion queue, from its first to its last flag, as the row was registered.
//
// Contract
// - A command's window is kept from cmd_take_i on. cmd_bad_o says from the second cycle after it
//   whether it is none: an end that is not a multiple of FLAG_BYTES, or the first flag behind the
//   last one.
// - open_valid_i: the window of the last command becomes that of row open_row_i. It is in the table
//   one cycle later, or two if that cycle reads.
// - read_i with row_i: first_o and last_o show the row's window in the next cycle, in flags.
//
//     clk      0     1     2     3
//     read_i   __/---\_________________
//     row_i    XX| r |XXXXXXXXXXXXXXXXX
//     first_o  XXXXXX| of r            (until the next read)
//
// - Illegal: cmd_take_i, another open_valid_i or a read of the same row in the cycle of open_valid_i;
//   reads in two cycles that follow each other. A row that was never opened has an undefined window.
// - quiet_o: without a command, an open or a read no register changes.
`default_nettype none
`include "evgpu_defs.vh"

module completion_window #(
    parameter RowBits     = 5,
    parameter AddressBits = 64 // windows lie below 2**AddressBits
) (
    input  wire                   clk_i,
    input  wire                   rst_i,
    // Command of the driver, and its row once it is accepted
    input  wire                   cmd_take_i,
    input  wire [AddressBits-1:0] cmd_first_i,
    input  wire [AddressBits-1:0] cmd_last_i,
    output wire                   cmd_bad_o,
    input  wire                   open_valid_i,
    input  wire [RowBits-1:0]     open_row_i,
    // Window of a row
    input  wire                   read_i,
    input  wire [RowBits-1:0]     row_i,
    output wire [AddressBits-3:0] first_o,
    output wire [AddressBits-3:0] last_o,
    output wire                   quiet_o
);

    localparam FlagBits = AddressBits - 2;

    generate
        if (`EVG_FLAG_BYTES != 4 || AddressBits < 4 || AddressBits > 64) begin : g_check
            completion_window_needs_flags_of_4_bytes check_parameters ();
        end
    endgenerate

    reg [AddressBits-1:0] first_q, last_q;
    reg                   new_q; // taken a cycle ago
    reg                   bad_q;

    always @(posedge clk_i) begin
        if (cmd_take_i) begin
            first_q <= cmd_first_i;
            last_q  <= cmd_last_i;
        end
        if (new_q)
            bad_q <= first_q > last_q || first_q[1:0] != 0 || last_q[1:0] != 0;
    end

    // A read goes first: the row that is opened has no events whose window could be asked for.
    reg  late_q; // an open had to wait
    wire write = (open_valid_i || late_q) && !read_i;

    always @(posedge clk_i)
        if (rst_i) begin
            new_q  <= 1'b0;
            late_q <= 1'b0;
        end else begin
            new_q  <= cmd_take_i;
            late_q <= open_valid_i && read_i;
        end

    single_port_ram #(
        .Width(2 * FlagBits),
        .Depth(1 << RowBits),
        .AddressBits(RowBits)
    ) u_ram (
        .clk_i(clk_i),
        .enable_i(read_i || write),
        .write_i(write),
        .address_i(read_i ? row_i : open_row_i),
        .data_i({last_q[AddressBits-1:2], first_q[AddressBits-1:2]}),
        .data_o({last_o, first_o})
    );

    assign cmd_bad_o = bad_q;
    assign quiet_o   = !new_q && !late_q;

`ifdef FORMAL
`include "properties/completion_window.fv.vh"
`endif

endmodule

`default_nettype wire
