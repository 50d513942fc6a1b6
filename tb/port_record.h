/* Every input and output of tiles, step by step, in a file (docs/design/fpga.md, "Recorded ports").
 *
 * The file begins with PORT_RECORD_MAGIC. Then come records, each with a letter:
 *
 *   T: a tile: the name of its kind, 0, that of the instance, 0, the signature of 4 bytes, lowest
 * first.
 *
 *   R: after a tile's reset: the tile, changed output bytes.
 *
 *   S: a step: the tile, machine cycles since the last step of any tile, changed input bytes,
 * changed output bytes.
 *
 *   E: the end: steps.
 *
 * A tile is its number in the order of T, from 0. Numbers have 7 bits in a byte, the lowest first;
 * with bit 7 another byte follows. Changed bytes are their number, then pairs of place and new
 * value. Places are those on the serial link; all bytes are 0 at first. An output without a value
 * is 0. */
#ifndef EVGPU_TB_PORT_RECORD_H
#define EVGPU_TB_PORT_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tb/tile.h"

#define PORT_RECORD_MAGIC "evgpu ports 1\n"

enum { PORT_BYTES = 248 /* of inputs or outputs of a tile, at most */ };

/* Ports as bytes, in the order of the serial link; returns their number. Outputs that have no value
 * are 0. */
size_t port_bytes(const struct tile_port *ports, uint32_t n, const void *fields,
                  uint8_t bytes[PORT_BYTES]);
/* The other way round. */
void port_fields(const struct tile_port *ports, uint32_t n, const uint8_t *bytes, void *fields);
size_t port_output_bytes(const struct tile_kind *kind, const void *out, uint8_t bytes[PORT_BYTES]);

/* The file is compressed if its name ends in .gz or .xz. NULL with an error. */
struct port_record;
struct port_record *port_record_open(const char *path, struct error *err);

/* Where the machine's cycle is read at every step. */
void port_record_clock(struct port_record *record, const uint64_t *cycle);

/* Before the tile's reset; returns its number. */
uint32_t port_record_add(struct port_record *record, const struct tile_kind *kind,
                         const char *instance);

void port_record_reset(struct port_record *record, uint32_t tile, const void *out);

/* Errors are kept until port_record_finish. */
void port_record_step(struct port_record *record, uint32_t tile, const void *in, const void *out);

/* Frees it. False with an error; no file is left then. */
bool port_record_finish(struct port_record *record, struct error *err);
void port_record_abandon(struct port_record *record);

/* --- reading
 * --------------------------------------------------------------------------------------- */

struct recorded_tile {
    char *kind, *instance;
    uint32_t signature;
    uint8_t in[PORT_BYTES], out[PORT_BYTES]; /* after the last step */
};

struct port_recording {
    struct recorded_tile *tiles;
    size_t n_tiles, cap_tiles;
    uint64_t cycle, steps; /* of the last step; steps so far */
    uint32_t stepped;      /* the tile of the last step */
};

struct port_reader;
struct port_reader *port_reader_open(const char *path, struct error *err);
const struct port_recording *port_reader_state(const struct port_reader *reader);

/* The next step, applied to the state, with the tiles that come before the one behind it; false at
 * the end, or with an error that names file and step.
 */
bool port_reader_step(struct port_reader *reader, struct error *err);
void port_reader_close(struct port_reader *reader);

#endif
