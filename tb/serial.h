/* Tiles on a board behind a serial port (docs/design/fpga.md, "The link").
 *
 * A tile is found by its kind: the first one on the board with the same ports that is not in use.
 * Frames that were lost or damaged are sent again; a request carries a number, so that none is
 * obeyed twice. A link serves one machine at a time. */
#ifndef EVGPU_TB_SERIAL_H
#define EVGPU_TB_SERIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tb/tile.h"

struct serial_link;

enum { SERIAL_BAUD = 1000000 }; /* of the boards in fpga/ */

/* `port` is PATH or PATH@BAUD. NULL with an error. The link must outlive its tiles. */
struct serial_link *serial_link_open(const char *port, struct error *err);
void serial_link_close(struct serial_link *link);

/* The board has a tile of this kind that is not in use. */
bool serial_link_has(const struct serial_link *link, const struct tile_kind *kind);

/* Tiles in use. */
uint32_t serial_link_used(const struct serial_link *link);

/* A tile on a back end; on the board of `link` (NULL: there is none) for TILE_SERIAL, and for
 * TILE_MIXED if the board has it. */
struct tile *tile_create_on(const struct tile_kind *kind, enum tile_backend backend,
                            struct serial_link *link, const char *instance, struct error *err);

struct serial_tile;
struct serial_tile *serial_tile_create(struct serial_link *link, const struct tile_kind *kind,
                                       const char *instance, struct error *err);
void serial_tile_destroy(struct serial_tile *tile);

/* As tile_reset and tile_step. An error, also of the reset, is reported by this step and all later
 * ones. */
void serial_tile_reset(struct serial_tile *tile, void *out);
bool serial_tile_step(struct serial_tile *tile, const void *in, void *out, struct error *err);

#endif
