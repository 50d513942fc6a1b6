// fe_bit_ram: the full/empty bits of the synchronised region (F/E 4.2), one row per line of memory,
// one bit per 4-byte word of it; 1 is full.
//
// Contract
// - One read port and one write port, meant for block RAM. read_i in cycle t: bits_o shows the row
//   from cycle t+1 on and holds it until the next read.
// - write_i in cycle t: the row is replaced at the end of the cycle. A read of the same row in the
//   same cycle shows the new bits.
// - Rows and bits_o are undefined until written and read; there is no reset (fe_range fills every
//   row after one).
// - Illegal: a row of Lines or above (only possible when Lines is not a power of two); its read is
//   undefined and its write is lost.
`default_nettype none
`include "evgpu_defs.vh"

module fe_bit_ram #(
    parameter Lines   = `EVG_FE_REGION_LINES,
    parameter RowBits = 11, // log2(Lines), rounded up
    parameter Words   = 32  // per line
) (
    input  wire               clk_i,
    input  wire               read_i,
    input  wire [RowBits-1:0] read_row_i,
    output wire [Words-1:0]   bits_o,
    input  wire               write_i,
    input  wire [RowBits-1:0] write_row_i,
`ifdef FORMAL
    // A row for proofs to look at, as it is in this cycle
    input  wire [RowBits-1:0] f_row_i,
    output wire [Words-1:0]   f_bits_o,
`endif
    input  wire [Words-1:0]   write_bits_i
);

    generate
        if (Lines < 2 || (1 << RowBits) < Lines || Words < 1) begin : g_check
            fe_bit_ram_needs_row_bits_for_its_lines check_parameters ();
        end
    endgenerate

    reg [Words-1:0] memory [0:Lines-1];
    reg [Words-1:0] read_q, written_q;
    reg             same_q;
    wire            same = write_i && write_row_i == read_row_i;

    always @(posedge clk_i) begin
        if (write_i)
            memory[write_row_i] <= write_bits_i;
        if (read_i)
            // Where both meet, the value is not used, so the RAM may do what it does.
            read_q <= same ? {Words{1'bx}} : memory[read_row_i];
    end

    always @(posedge clk_i)
        if (read_i) begin
            same_q    <= same;
            written_q <= write_bits_i;
        end

    assign bits_o = same_q ? written_q : read_q;

`ifdef FORMAL
    reg               f_read_q = 1'b0;
    reg [RowBits-1:0] f_read_row_q;

    assign f_bits_o = memory[f_row_i];

    always @(posedge clk_i) begin
        f_read_q     <= read_i;
        f_read_row_q <= read_row_i;
    end

`ifdef FORMAL_TOP_fe_bit_ram
    always @(posedge clk_i)
        cover (f_read_q && f_read_row_q == f_row_i && same_q && written_q[0] && !written_q[Words-1]);
`endif

    // A read shows the row with everything that was written until then.
    always @*
        if (f_read_q && f_read_row_q == f_row_i)
            assert (bits_o == f_bits_o);
`endif

endmodule

`default_nettype wire
