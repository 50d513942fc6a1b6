// SPDX-License-Identifier: Apache-2.0
// fe_range: changes whole ranges of full/empty bits: start-up, override, clear (F/E 4.5).
//
// Contract
// - After reset every row is filled, one per cycle, beginning in the first cycle after it: the
//   start-up that lets a program run without using full/empty bits (F/E 4.5).
// - start_i, while busy_o is low, in cycle t:
//
//     CLEAR        empties all words of the rows that first_i and last_i lie in
//     FILL, EMPTY  changes the words first_i to last_i only
//
//     cycle         t        t+1    t+2       t+3       t+4     t+5    t+6      t+7
//     CLEAR         start_i  READ   row 0     row 1     row 2   ..
//     FILL, EMPTY   start_i  READ   MERGE     row 0     REST    READ   MERGE    row 1
//
//   first_i and last_i are word numbers in the region. Both begin with a read, so that a write that
//   was under way when start_i came has been done before the first one here.
// - busy_o is high from cycle t+1 on until the last row has been written (CLEAR), or the cycle after
//   it (FILL, EMPTY).
// - Reads and writes have the ports of the bit RAM in the cycle they are asked for; no other write
//   may happen in a cycle with write_o or between the read and the write of a row. next_write_o
//   announces a cycle with write_o one cycle ahead. next_hold_o says that in the next cycle nothing
//   may leave that writes in the one after it. FILL and EMPTY give way in one of four cycles, and to
//   all alike: another in which only some can leave would let these pass the others for ever.
// - Illegal: start_i while busy_o (ignored), first_i > last_i, a word outside the region, another
//   command.
`default_nettype none
`include "evgpu_defs.vh"

module fe_range #(
    parameter Lines    = `EVG_FE_REGION_LINES,
    parameter RowBits  = 11, // log2(Lines), rounded up
    parameter Words    = 32, // power of two
    parameter WordBits = 5   // log2(Words)
) (
    input  wire                          clk_i,
    input  wire                          rst_i,
    // Command
    input  wire                          start_i,
    input  wire [`EVG_FE_COMMAND_WIDTH-1:0] command_i,
    input  wire [RowBits+WordBits-1:0]   first_i,
    input  wire [RowBits+WordBits-1:0]   last_i,
    output wire                          busy_o,
    // Bit RAM
    output wire                          read_o,
    output wire                          write_o,
    output wire                          next_write_o, // write_o in the next cycle
    output wire                          next_hold_o,  // and nothing else may in the one after it
    output wire [RowBits-1:0]            row_o, // of the read or the write
    input  wire [Words-1:0]              ram_bits_i,
    output wire [Words-1:0]              write_bits_o,
    output wire [`EVG_FE_RANGE_WIDTH-1:0] state_o
);

    generate
        if (Lines < 2 || (1 << RowBits) < Lines || (1 << WordBits) != Words || Words < 2)
        begin : g_check
            fe_range_needs_words_a_power_of_two_and_row_bits_for_its_lines check_parameters ();
        end
    endgenerate

    localparam [RowBits-1:0] LastRow = Lines[RowBits-1:0] - 1'b1;

    reg [`EVG_FE_RANGE_WIDTH-1:0] state_q, state_d;
    reg                           write_q; // a function of the state
    reg [RowBits-1:0]             row_q, last_row_q;
    reg [WordBits-1:0]            low_q, last_word_q; // low_q: first word of this row
    reg                           fill_q, clear_q;
    reg [Words-1:0]               mask_q; // words of this row that the command is for
    reg [Words-1:0]               bits_q; // to be written
    reg                           last_q; // the last row of a FILL or EMPTY has been written

    wire start  = start_i && state_q == `EVG_FE_RANGE_IDLE;
    wire at_end = row_q == last_row_q;

    always @* begin
        state_d = state_q;
        case (state_q)
        `EVG_FE_RANGE_IDLE:
            if (start_i)
                state_d = `EVG_FE_RANGE_READ;
        `EVG_FE_RANGE_READ:
            state_d = clear_q ? `EVG_FE_RANGE_CLEAR : `EVG_FE_RANGE_MERGE;
        `EVG_FE_RANGE_MERGE:
            state_d = `EVG_FE_RANGE_WRITE;
        `EVG_FE_RANGE_WRITE:
            state_d = `EVG_FE_RANGE_REST;
        `EVG_FE_RANGE_REST:
            state_d = last_q ? `EVG_FE_RANGE_IDLE : `EVG_FE_RANGE_READ;
        default: // START, CLEAR
            if (at_end)
                state_d = `EVG_FE_RANGE_IDLE;
        endcase
    end

    wire write_d = state_d == `EVG_FE_RANGE_START || state_d == `EVG_FE_RANGE_CLEAR ||
                   state_d == `EVG_FE_RANGE_WRITE;
    wire hold_d  = state_d != `EVG_FE_RANGE_IDLE && state_d != `EVG_FE_RANGE_REST;

    always @(posedge clk_i) begin
        if (rst_i) begin
            state_q    <= `EVG_FE_RANGE_START;
            write_q    <= 1'b1;
            row_q      <= {RowBits{1'b0}};
            last_row_q <= LastRow;
            fill_q     <= 1'b1;
        end else begin
            state_q <= state_d;
            write_q <= write_d;
            if (start) begin
                row_q      <= first_i[WordBits+:RowBits];
                last_row_q <= last_i[WordBits+:RowBits];
                fill_q     <= command_i == `EVG_FE_COMMAND_FILL;
            end else if (write_q)
                row_q <= row_q + 1'b1;
        end
    end

    always @(posedge clk_i)
        if (start) begin
            low_q       <= first_i[WordBits-1:0];
            last_word_q <= last_i[WordBits-1:0];
            clear_q     <= command_i == `EVG_FE_COMMAND_CLEAR;
        end else if (write_q)
            low_q <= {WordBits{1'b0}};

    always @(posedge clk_i)
        if (write_q)
            last_q <= at_end;

    wire [Words-1:0]  from_low  = {Words{1'b1}} << low_q;
    wire [WordBits-1:0] spare   = ~last_word_q; // words behind the last one, Words - 1 - last word
    wire [Words-1:0]  to_last   = at_end ? {Words{1'b1}} >> spare : {Words{1'b1}};
    wire [Words-1:0]  mask      = from_low & to_last;

    // Merged in a cycle of its own, since the RAM's output comes late.
    always @(posedge clk_i) begin
        if (state_q == `EVG_FE_RANGE_READ)
            mask_q <= mask;
        if (state_q == `EVG_FE_RANGE_MERGE)
            bits_q <= fill_q ? ram_bits_i | mask_q : ram_bits_i & ~mask_q;
    end

    assign read_o  = state_q == `EVG_FE_RANGE_READ;
    assign write_o = write_q;
    assign next_write_o = write_d;
    assign next_hold_o  = hold_d;
    assign row_o   = row_q;
    assign busy_o  = state_q != `EVG_FE_RANGE_IDLE;
    assign state_o = state_q;
    assign write_bits_o = state_q == `EVG_FE_RANGE_WRITE ? bits_q : {Words{fill_q}};

`ifdef FORMAL
`include "properties/fe_range.fv.vh"
`endif

endmodule

`default_nettype wire
