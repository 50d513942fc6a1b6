// SPDX-License-Identifier: Apache-2.0
// Properties of single_port_ram, included at its end under FORMAL (docs/design/proofs.md).
`include "properties/follow.fv.vh"

    `EVG_FOLLOW_ONE(f_address, AddressBits)
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
        if (f_read && {1'b0, f_address} < Depth[AddressBits:0])
            assert (data_o == f_data);
        cover (f_read && f_data != f_word && enable_i && !write_i);
    end

    // --- invariants ------------------------------------------------------------------------------
    always @*
        if (f_written && {1'b0, f_address} < Depth[AddressBits:0])
            assert (memory[f_address] == f_word);
