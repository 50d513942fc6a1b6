// SPDX-License-Identifier: Apache-2.0
// fe_bit_ram: the full/empty bits of the synchronised region (F/E 4.2), one row per line of memory,
// one bit per grain of GrainWords 4-byte words; 1 is full.
//
// Contract
// - A row is read and written as the bits of its words. A grain is full when all its words are. With
//   GrainWords 1 that is all.
// - With more, the RAM holds a bit per grain, and a mark for a line that has words which are full in a
//   grain that is not (part-full grains). The words of such a line are kept beside it, in a table of
//   PartLines lines: a line's place is that of its lowest bits. Writing a line with part-full grains
//   (mixed_o) takes the place; the line that had it before then loses the words of its part-full
//   grains, which become empty. No bit ever becomes full by that, and no grain changes.
// - One read port and one write port, meant for block RAM. read_i in cycle t: bits_o shows the row
//   from cycle t+1 on, as of the end of t, and holds it until the next read. lost_o is high in t+1
//   if words of the row had been lost when it was read.
// - write_i in cycle t: the row is replaced at the end of the cycle. A read of the same row in the
//   same cycle shows the new bits.
//
//     cycle      t       t+1     t+2     t+3
//     read_i     row a   0       row a   0
//     write_i    row a   row a   0       0
//     bits_o     -       1st     1st     2nd     the bits of the two writes
//
// - Rows and bits_o are undefined until written and read; there is no reset (fe_range fills every
//   row after one).
// - Illegal: a row of Lines or above (only possible when Lines is not a power of two); its read is
//   undefined and its write is lost.
`default_nettype none
`include "evgpu_defs.vh"

module fe_bit_ram #(
    parameter Lines      = `EVG_FE_REGION_LINES,
    parameter RowBits    = 11, // log2(Lines), rounded up
    parameter Words      = 32, // per line
    parameter GrainWords = 1,  // power of two, up to Words
    parameter PartLines  = `EVG_FE_PART_LINES // power of two, 2 up to 2^RowBits; not with GrainWords 1
) (
    input  wire               clk_i,
    input  wire               read_i,
    input  wire [RowBits-1:0] read_row_i,
    output wire [Words-1:0]   bits_o,
    output wire               lost_o,
    input  wire               write_i,
    input  wire [RowBits-1:0] write_row_i,
`ifdef FORMAL
    // A row for proofs to look at, as it is in this cycle
    input  wire [RowBits-1:0] f_row_i,
    output wire [Words-1:0]   f_bits_o,
`endif
    input  wire [Words-1:0]   write_bits_i,
    output wire               mixed_o // write_i, with part-full grains
);

    localparam Grains    = Words / GrainWords;
    localparam IndexBits = GrainWords == 1 ? 1 : $clog2(PartLines); // of a place in the table

    generate
        if (Lines < 2 || (1 << RowBits) < Lines || Words < 1) begin : g_check
            fe_bit_ram_needs_row_bits_for_its_lines check_parameters ();
        end
        if (GrainWords < 1 || Grains * GrainWords != Words || (1 << $clog2(GrainWords)) != GrainWords ||
            (GrainWords != 1 &&
             (PartLines < 2 || (1 << IndexBits) != PartLines || IndexBits > RowBits)))
        begin : g_check_grains
            fe_bit_ram_needs_whole_grains_and_part_lines_a_power_of_two check_parameters ();
        end
    endgenerate

    reg [Words-1:0] written_q;
    reg             same_q;
    wire            same = write_i && write_row_i == read_row_i;

    always @(posedge clk_i)
        if (read_i) begin
            same_q    <= same;
            written_q <= write_bits_i;
        end

    genvar g;
    generate
        if (GrainWords == 1) begin : g_words
            reg [Words-1:0] memory [0:Lines-1];
            reg [Words-1:0] read_q;

            always @(posedge clk_i) begin
                if (write_i)
                    memory[write_row_i] <= write_bits_i;
                if (read_i)
                    // Where both meet, the value is not used, so the RAM may do what it does.
                    read_q <= same ? {Words{1'bx}} : memory[read_row_i];
            end

            assign bits_o  = same_q ? written_q : read_q;
            assign lost_o  = 1'b0;
            assign mixed_o = 1'b0;
`ifdef FORMAL
            assign f_bits_o = memory[f_row_i];
`endif
        end else begin : g_grains
            reg [Grains:0]           memory [0:Lines-1]; // mark, bits
            reg [RowBits+Words-1:0]  parts [0:PartLines-1]; // row, words of its part-full grains
            reg [Grains:0]           read_q;
            reg [RowBits+Words-1:0]  part_q;
            reg [RowBits-1:0]        row_q;
            reg                      looked_q, taken_q; // taken_q: its place was, in the cycle of the read

            wire [IndexBits-1:0] read_place  = read_row_i[IndexBits-1:0];
            wire [IndexBits-1:0] write_place = write_row_i[IndexBits-1:0];
            wire [Grains-1:0]    full;
            wire [Words-1:0]     part, read_words;
            wire                 mixed = part != {Words{1'b0}};
            wire                 own   = part_q[Words+:RowBits] == row_q && !taken_q;
            wire [Words-1:0]     kept  = read_q[Grains] && own ? part_q[Words-1:0] : {Words{1'b0}};

            for (g = 0; g < Grains; g = g + 1) begin : g_grain
                wire [GrainWords-1:0] grain = write_bits_i[g*GrainWords+:GrainWords];
                assign full[g] = &grain;
                assign part[g*GrainWords+:GrainWords] = full[g] ? {GrainWords{1'b0}} : grain;
                assign read_words[g*GrainWords+:GrainWords] =
                    kept[g*GrainWords+:GrainWords] | {GrainWords{read_q[g]}};
            end

            always @(posedge clk_i) begin
                if (write_i)
                    memory[write_row_i] <= {mixed, full};
                if (read_i)
                    read_q <= same ? {Grains + 1{1'bx}} : memory[read_row_i];
                if (mixed_o)
                    parts[write_place] <= {write_row_i, part};
                if (read_i)
                    part_q <= mixed_o && write_place == read_place ? {RowBits + Words{1'bx}}
                                                                   : parts[read_place];
            end

            always @(posedge clk_i) begin
                looked_q <= read_i;
                if (read_i) begin
                    row_q   <= read_row_i;
                    taken_q <= mixed_o && write_place == read_place;
                end
            end

            assign bits_o  = same_q ? written_q : read_words;
            assign lost_o  = looked_q && !same_q && read_q[Grains] && !own;
            assign mixed_o = write_i && mixed;
`ifdef FORMAL
            wire [Grains:0]          f_read = memory[f_row_i];
            wire [RowBits+Words-1:0] f_part = parts[f_row_i[IndexBits-1:0]];
            for (g = 0; g < Words; g = g + 1) begin : g_formal
                assign f_bits_o[g] = f_read[g/GrainWords] ||
                                     (f_read[Grains] && f_part[Words+:RowBits] == f_row_i && f_part[g]);
            end
            // A grain is full by its bit, never by its words; what nobody has written may be anything.
            for (g = 0; g < Grains; g = g + 1) begin : g_formal_grain
                wire f_sound = f_read[g] || !(&f_bits_o[g*GrainWords+:GrainWords]);
                always @*
                    if (f_known) begin
                        assert (f_sound);
                    end else
                        assume (f_sound);
            end
`endif
        end
    endgenerate

`ifdef FORMAL
`include "properties/fe_bit_ram.fv.vh"
`endif

endmodule

`default_nettype wire
