// single_port_ram: one read/write port, registered read; infers block RAM.
//
// Contract
// - With enable_i, the cycle either writes (write_i) data_i to address_i, or reads address_i:
//   data_o shows the word from the next cycle on and holds it until the next read. A write leaves
//   data_o as it is.
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
`ifdef YOSYS
    (* anyconst *) wire [AddressBits-1:0] f_address;
`else
    wire [AddressBits-1:0] f_address = {AddressBits{1'b0}};
`endif
    reg             f_written = 1'b0; // f_word was written to f_address last
    reg             f_read    = 1'b0; // ... and f_data was read from there last
    reg [Width-1:0] f_word, f_data;

    always @(posedge clk_i)
        if (enable_i) begin
            if (write_i && address_i == f_address) begin
                f_written <= 1'b1;
                f_word    <= data_i;
            end
            if (!write_i) begin
                f_read <= f_written && address_i == f_address;
                f_data <= f_word;
            end
        end

`ifndef FORMAL_TOP_single_port_ram
    always @*
        if (enable_i)
            assert ({1'b0, address_i} < Depth[AddressBits:0]);
`endif

    always @* begin
        if (f_written && {1'b0, f_address} < Depth[AddressBits:0])
            assert (memory[f_address] == f_word);
        if (f_read && {1'b0, f_address} < Depth[AddressBits:0])
            assert (data_o == f_data);
        cover (f_read && f_data != f_word && enable_i && !write_i);
    end
`endif

endmodule

`default_nettype wire
