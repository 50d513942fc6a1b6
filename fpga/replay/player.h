/* Plays recorded ports to a board whose tiles replay (fpga/replay/replay_slot.v). */
#ifndef EVGPU_FPGA_REPLAY_PLAYER_H
#define EVGPU_FPGA_REPLAY_PLAYER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "tb/serial.h"

struct replay_request {
    const char *path, *only; /* only: an instance, NULL: all */
    struct serial_link *link;
    uint64_t plant; /* 0: none; a step of each tile whose first output is taken to be another one */
};

struct replay_result {
    uint32_t equal, different, missing; /* tiles */
    uint64_t steps;                     /* of those that are equal */
};

/* Tile by tile, a line on stdout for each; a difference is shown with step, machine cycle, port and
 * both values. False with an error if the board or the file fails, or the board has none of the
 * tiles. */
bool replay(const struct replay_request *request, struct replay_result *result, struct error *err);

#endif
