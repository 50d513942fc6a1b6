// SPDX-License-Identifier: Apache-2.0
// single_port_ram: one read/write port, registered read; infers block RAM.
//
// Contract
// - With enable_i, the cycle either writes (write_i) data_i to address_i, or reads address_i:
//   data_o shows the word from the next cycle on and holds it until the next read. A write leaves
//   data_o as it is.
//
//     cycle        t       t+1     t+2       t+3       t+4
//     enable_i     1       1       0         1         0
//     write_i      1       0       -         1         -
//     address_i    a       a       -         b         -
//     data_o       -       -       a's new   a's new   a's new
//
// - Contents and data_o are undefined until written and read; there is no reset.
// - Illegal: an address of Depth or above (only possible when Depth is not a power of two); its
//   read is undefined and its write is lost.
`default_nettype none

module single_port_ram #(
    parameter Width       = 8,
    parameter Depth       = 32,
    parameter AddressBits = 5  // 2**AddressBits >= Depth
) (
    input  wire                   clk_i,
    input  wire                   enable_i,
    input  wire                   write_i,
    input  wire [AddressBits-1:0] address_i,
    input  wire [Width-1:0]       data_i,
    output wire [Width-1:0]       data_o
);

    generate
        if (Width < 1 || Depth < 2 || (1 << AddressBits) < Depth) begin : g_check
            single_port_ram_needs_address_bits_for_its_depth check_parameters ();
        end
    endgenerate

    reg [Width-1:0] memory [0:Depth-1];
    reg [Width-1:0] data_q;

    always @(posedge clk_i)
        if (enable_i) begin
            if (write_i)
                memory[address_i] <= data_i;
            else
                data_q <= memory[address_i];
        end

    assign data_o = data_q;

`ifdef FORMAL
`include "properties/single_port_ram.fv.vh"
`endif

endmodule

`default_nettype wire
