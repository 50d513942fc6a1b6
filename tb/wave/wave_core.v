// SPDX-License-Identifier: Apache-2.0
// wave_core: what a waveform of a run says of a SIMT core beside its event unit: the victim that is
// being taken, and what the entries of the pending event warp table hold. As wave_run.
`default_nettype none
`include "evgpu_defs.vh"

module wave_core (
    /* verilator tracing_off */
    input wire [32*(29+10*`EVG_PEWT_ENTRIES)-1:0] data_i
    /* verilator tracing_on */
);

    localparam Entries = 32 * 29, EntryBits = 32 * 10;
    localparam Payload = 32 * 3; // as pending_event_warp_table.v lays it out

    wire         victim        = data_i[0];
    wire [5:0]   victim_warp   = data_i[32+:6];
    wire [63:0]  victim_pc     = data_i[64+:64];
    wire [31:0]  victim_line   = data_i[128+:32]; // of the PTX
    wire [255:0] victim_kernel = data_i[160+:256]; // characters
    wire [511:0] victim_text   = data_i[416+:512]; // of the instruction, characters

    genvar i;
    generate
        for (i = 0; i < `EVG_PEWT_ENTRIES; i = i + 1) begin : entry
            localparam At = Entries + EntryBits * i, In = At + Payload;
            wire [`EVG_PEWT_STATE_WIDTH-1:0] state = data_i[At+:`EVG_PEWT_STATE_WIDTH];
            wire [5:0]  warp      = data_i[At+32+:6];
            wire        used      = data_i[At+64];
            wire [15:0] tag       = data_i[In+:16];
            wire [4:0]  row       = data_i[In+16+:5];
            wire [6:0]  registers = data_i[In+21+:7];
            wire [5:0]  block_x   = data_i[In+28+:6];
            wire [5:0]  block_y   = data_i[In+34+:6];
            wire [5:0]  block_z   = data_i[In+40+:6];
            wire [31:0] mask      = data_i[In+46+:32];
            wire [63:0] param     = data_i[In+78+:64];
            wire [63:0] kernel    = data_i[In+142+:64];
        end
    endgenerate

endmodule

`default_nettype wire
