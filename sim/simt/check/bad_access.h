/* Accesses that cannot be: the core's fault is set, naming thread, address and what was missed.
 * Each returns false. */
#ifndef EVGPU_SIMT_CHECK_BAD_ACCESS_H
#define EVGPU_SIMT_CHECK_BAD_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/ptx/program.h"

struct core;

/* Of a device address, also of one that stands for shared or local memory. */
bool bad_global(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
                uint64_t address);

struct bad_offset {
    enum mem_space space;   /* SPACE_PARAM, SPACE_SHARED or SPACE_LOCAL */
    uint64_t offset, bytes; /* bytes: of the memory */
};
bool bad_offset(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
                const struct bad_offset *bad);

/* An atomic on local memory. */
bool bad_atomic(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
                uint64_t offset);

/* "400 bytes inside ..." for a message. */
void access_place(const struct core *c, uint64_t address, char *text, size_t room);

#endif
