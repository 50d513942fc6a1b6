/* Tiles on a board behind a serial port, or Ethernet (docs/design/fpga.md, "The link").
 *
 * A tile is found by its kind: the first one on the board with the same ports that is not in use.
 * Frames that were lost or damaged are sent again; a request carries a number, so that none is
 * obeyed twice. A link serves one machine at a time. */
#ifndef EVGPU_TB_SERIAL_H
#define EVGPU_TB_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "tb/tile.h"

struct serial_link;

enum { SERIAL_BAUD = 1000000 }; /* of the boards in fpga/ */

/* `port` is what board_line_open takes. NULL with an error. The link must outlive its tiles. */
struct serial_link *serial_link_open(const char *port, struct error *err);
void serial_link_close(struct serial_link *link);

/* The board has a tile of this kind that is not in use. */
bool serial_link_has(const struct serial_link *link, const struct tile_kind *kind);

/* Gives the tiles the edges that they are still owed, and compares the outputs. False with an
 * error: the board is not there any more, or a tile of it differs from its golden model. */
bool serial_link_settle(struct serial_link *link, struct error *err);

/* Tiles in use. */
uint32_t serial_link_used(const struct serial_link *link);

/* A tile on a back end; on the board of `place` for TILE_SERIAL, and for TILE_MIXED if the board
 * has it. Its steps are recorded if `place` says so. */
struct tile *tile_create_on(const struct tile_kind *kind, enum tile_backend backend,
                            const struct tile_place *place, const char *instance,
                            struct error *err);

/* With `ahead` (struct tile_place) a tile that is not reduced does not wait for the board. */
struct serial_tile;
struct serial_tile *serial_tile_create(struct serial_link *link, const struct tile_kind *kind,
                                       bool ahead, const char *instance, struct error *err);
void serial_tile_destroy(struct serial_tile *tile);

/* As tile_reset and tile_step. An error, also of the reset, is reported by this step and all later
 * ones. */
void serial_tile_reset(struct serial_tile *tile, void *out);
bool serial_tile_step(struct serial_tile *tile, const void *in, void *out, struct error *err);

/* What is on the board in a tile's place and is no tile (fpga/replay): its bytes on the line. Found
 * by its signature, or by the other one. NULL with an error. */
struct serial_device;
struct serial_device *serial_device_create(struct serial_link *link, const char *name,
                                           uint32_t signature, uint32_t other, size_t out_bytes,
                                           struct error *err);
void serial_device_destroy(struct serial_device *device);

bool serial_device_reset(struct serial_device *device, struct error *err);
/* Writes input bytes: pairs of place and value, at most SERIAL_PAIRS. */
enum { SERIAL_PAIRS = 252 };
bool serial_device_write(struct serial_device *device, const uint8_t *pairs, size_t n,
                         struct error *err);
/* Output bytes, as they were after the last of these. */
const uint8_t *serial_device_out(const struct serial_device *device);

#endif
