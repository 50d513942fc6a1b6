// SPDX-License-Identifier: Apache-2.0
// register_bank: the registers of a map of rtl/evgpu.def (regs), 32 bits each.
//
// Contract
// - The vectors have 32 bits for each word of the map; the parameters come from the map's macros
//   (EVG_..._REGS_...), and say what each bit is:
//
//     bit of     software writes          software reads      value_o
//     Stored     its value                its value           its value, Reset after a reset
//     Cleared    1: clears it             its value           its value; set_i sets it
//     Pulsed     1: a pulse               0                   high in the cycle after the write
//     Shown      nothing                  show_i              0
//     no other   nothing                  Reset               Reset
//
// - write_i: the bytes of write_strobe_i take effect at this edge, so value_o shows them in the next
//   cycle. write_error_o answers in the same cycle: the word is not of the map, or locked_i has it;
//   then nothing is written.
// - read_data_o and read_error_o (the word is not of the map; then 0) answer in the same cycle.
// - At one edge set_i goes before a clearing write: what happens at that edge is not lost.
`default_nettype none

module register_bank #(
    parameter IndexBits = 1, // the map has 2**IndexBits words
    parameter [(1<<IndexBits)-1:0]    Mapped  = 0, // words that are
    parameter [(32<<IndexBits)-1:0]   Stored  = 0,
    parameter [(32<<IndexBits)-1:0]   Cleared = 0,
    parameter [(32<<IndexBits)-1:0]   Pulsed  = 0,
    parameter [(32<<IndexBits)-1:0]   Shown   = 0,
    parameter [(32<<IndexBits)-1:0]   Reset   = 0
) (
    input  wire                       clk_i,
    input  wire                       rst_i,
    // Software writes
    input  wire                       write_i,
    input  wire [IndexBits-1:0]       write_index_i,
    input  wire [31:0]                write_data_i,
    input  wire [3:0]                 write_strobe_i,
    output wire                       write_error_o,
    // Software reads
    input  wire [IndexBits-1:0]       read_index_i,
    output wire [31:0]                read_data_o,
    output wire                       read_error_o,
    // Hardware
    input  wire [(1<<IndexBits)-1:0]  locked_i,
    input  wire [(32<<IndexBits)-1:0] show_i,
    input  wire [(32<<IndexBits)-1:0] set_i,
    output wire [(32<<IndexBits)-1:0] value_o
);

    localparam Words = 1 << IndexBits;
    localparam Bits  = 32 << IndexBits;
    localparam [Bits-1:0] Fixed = Reset & ~(Stored | Cleared | Pulsed | Shown);

    generate
        if (|((Stored & Cleared) | (Stored & Pulsed) | (Cleared & Pulsed) |
              (Shown & (Stored | Cleared | Pulsed)))) begin : g_check
            register_bank_needs_bits_of_one_kind check_parameters ();
        end
    endgenerate

    wire [31:0] bytes = {{8{write_strobe_i[3]}}, {8{write_strobe_i[2]}},
                         {8{write_strobe_i[1]}}, {8{write_strobe_i[0]}}};

    reg  [Bits-1:0] value_q;

    genvar w;
    generate
        for (w = 0; w < Words; w = w + 1) begin : g_word
            wire [31:0] stored  = Stored[32*w+:32];
            wire [31:0] cleared = Cleared[32*w+:32];
            wire [31:0] pulsed  = Pulsed[32*w+:32];
            wire [31:0] set     = set_i[32*w+:32] & cleared;
            wire        hit     = write_i && write_index_i == w && !locked_i[w];
            wire [31:0] written = hit ? bytes : 32'd0;
            always @(posedge clk_i)
                if (rst_i)
                    value_q[32*w+:32] <= Reset[32*w+:32] & stored;
                else
                    value_q[32*w+:32] <= (stored & ((value_q[32*w+:32] & ~written) | (write_data_i & written))) |
                                         (cleared & value_q[32*w+:32] & ~(write_data_i & written)) | set |
                                         (pulsed & write_data_i & written);
        end
    endgenerate

    wire [Bits-1:0] seen = (value_q & ~Pulsed) | (show_i & Shown) | Fixed;

    assign write_error_o = !Mapped[write_index_i] || locked_i[write_index_i];
    assign read_error_o  = !Mapped[read_index_i];
    assign read_data_o   = seen[32*read_index_i+:32];
    assign value_o       = value_q | Fixed;

`ifdef FORMAL
`include "properties/register_bank.fv.vh"
`endif

endmodule

`default_nettype wire
