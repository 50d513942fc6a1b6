/* Steps of tiles on a board in one request, and the reply that is due (docs/design/fpga.md, "The
 * link"). A record of the request is a tile, 0 to 255 edges, and input bytes to write before the
 * first; the reply has the output bytes that change, in the order of the edges. */
#ifndef EVGPU_TB_SERIAL_BATCH_H
#define EVGPU_TB_SERIAL_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tb/serial_frame.h"

enum {
    BATCH_HEADER = 2, /* of a request: number, operation; of a reply: number, status */
    RECORD_HEADER = 3,
    BATCH_EDGES = 1024, /* at most: they take the board time */
    BATCH_RECORDS = (FRAME_MAX_MESSAGE - 2 - BATCH_HEADER) / RECORD_HEADER
};

struct serial_batch {
    uint8_t message[FRAME_MAX_MESSAGE], reply[FRAME_MAX_MESSAGE];
    size_t count, reply_count; /* bytes of both, from the header on */
    size_t record;             /* where the last record begins; 0: there is none */
    size_t room; /* bytes that a request and its reply may have; one step always fits */
    uint32_t records, edges;
    uint64_t first[BATCH_RECORDS]; /* which step of its tile the first edge of a record is */
    uint8_t since;                 /* edges since the last mark in the reply */
};

/* Pairs of a byte's number and its value. */
struct byte_pairs {
    const uint8_t *bytes;
    size_t n;
};

void serial_batch_begin(struct serial_batch *batch, size_t room);

/* One more step of a tile, its `step`th: the inputs that change before the edge, the outputs that
 * change after it. False: the batch has no room for it, and is as it was. An empty one has room for
 * any step of a tile with at most DEF_LINK_BYTES of each. */
bool serial_batch_add(struct serial_batch *batch, uint8_t tile, uint64_t step,
                      struct byte_pairs inputs, struct byte_pairs outputs);

/* The first output byte in which a reply is not the one that is due. */
struct serial_difference {
    uint8_t tile, byte;
    uint64_t step;
    int board, due; /* values after the step; -1: it does not change */
};

/* True with a difference; false if the reply of `count` bytes, header included, is the one due. */
bool serial_batch_differs(const struct serial_batch *batch, const uint8_t *reply, size_t count,
                          struct serial_difference *difference);

#endif
