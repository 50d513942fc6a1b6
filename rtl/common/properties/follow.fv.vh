// SPDX-License-Identifier: Apache-2.0
// follow.fv.vh: the item that properties follow, under FORMAL. The prover chooses it in a proof, and the
// seed chooses it in a simulation (tile_randomise in tb/tile.h), so that another run follows another one.
//
//   `EVG_FOLLOW_ONE(name, bits)  a number that stays: which row, address, ...
//   `EVG_FOLLOW_SOME(name)       a bit of its own in every cycle: is the entry that comes now the one?
`ifndef EVG_FOLLOW_ONE
`ifdef YOSYS
`define EVG_FOLLOW_ONE(NAME, BITS) (* anyconst *) reg [(BITS)-1:0] NAME;
`define EVG_FOLLOW_SOME(NAME) (* anyseq *) reg NAME;
`elsif EVG_FOLLOW_FIRST
// For tools without $random: the first.
`define EVG_FOLLOW_ONE(NAME, BITS) wire [(BITS)-1:0] NAME = {(BITS){1'b0}};
`define EVG_FOLLOW_SOME(NAME) wire NAME = 1'b1;
`else
`define EVG_FOLLOW_ONE(NAME, BITS) \
    reg [(BITS)-1:0] NAME; \
    integer NAME``_seed; \
    initial begin \
        NAME``_seed = $random; \
        NAME = NAME``_seed[(BITS)-1:0]; \
    end
`define EVG_FOLLOW_SOME(NAME) \
    reg [15:0] NAME``_state; \
    integer NAME``_seed; \
    initial begin \
        NAME``_seed = $random; \
        NAME``_state = {NAME``_seed[15:1], 1'b1}; \
    end \
    always @(posedge clk_i) \
        NAME``_state <= {NAME``_state[14:0], NAME``_state[15] ^ NAME``_state[13] ^ \
                         NAME``_state[12] ^ NAME``_state[10]}; \
    wire NAME = NAME``_state[0] && NAME``_state[3];
`endif
`endif
