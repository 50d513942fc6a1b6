/* Recorded inputs on a board: numbers of replay_slot (fpga/replay/replay_slot.v), which the
 * generator writes for Verilog as `EVG_REPLAY_... . */
#ifndef EVGPU_TB_REPLAY_H
#define EVGPU_TB_REPLAY_H

/* Of input bytes, above those of a tile's ports. */
enum replay_in {
    REPLAY_IN_HASH_LOW = 248,
    REPLAY_IN_HASH_HIGH,
    REPLAY_IN_CHECK,
    REPLAY_IN_STORE,
    REPLAY_IN_RESTART,
    REPLAY_IN_EDGES_LOW,
    REPLAY_IN_EDGES_HIGH, /* begins to give them */
    REPLAY_IN_MASK,       /* the output byte of that number is left out from now on, or no more */
};

/* Of output bytes. */
enum replay_out {
    REPLAY_OUT_STATUS =
        248,          /* bit 0: outputs have differed; bits 7..4: log2 of the words it holds */
    REPLAY_OUT_FIRST, /* 4 bytes: at this edge after the reset, from 1, first */
    REPLAY_OUT_BYTES = REPLAY_OUT_FIRST + 4
};

/* The signature of a tile's replay_slot is the tile's, with these bits flipped. */
#define REPLAY_SIGNATURE 0x52504c59u

#endif
