/* A GPU with a synchronised region, its host side and a few kernels, for the tests of
 * sim/gpu/region_port.h. */
#ifndef EVGPU_TESTS_REGION_RIG_H
#define EVGPU_TESTS_REGION_RIG_H

#include "sim/gpu/gpu.h"

#define RIG_TAGS 256u

struct region_rig {
    struct gpu *gpu;
    struct module *module;
    struct gpu_region region;
    uint64_t plain;        /* 1 MB of device memory outside the region */
    uint32_t marks, grids; /* answered; over */
    uint32_t code, value;  /* of the last mark or register */
    bool done[RIG_TAGS];   /* requests, by tag */
    uint8_t status[RIG_TAGS];
    uint64_t done_at[RIG_TAGS];
    struct error error;  /* of the tick that failed */
    const char *pending; /* what region_pending says, NULL: nothing */
};

/* `overrides`: of config/gtx480.ini, ends with NULL; the region is 64 KiB a partition. */
struct region_rig *rig_create(enum tile_backend backend, const char *const *overrides);
void rig_destroy(struct region_rig *r);

/* Ticks, or skips, until `cycles` have passed; false: a tick has failed. */
bool rig_run(struct region_rig *r, uint64_t cycles);

/* Launches a kernel with up to four 64-bit arguments. */
void rig_launch(struct region_rig *r, const char *kernel, uint32_t blocks, uint32_t threads,
                const uint64_t arguments[4]);
/* Until so many kernels are over; false: not within a million cycles, or a tick has failed. */
bool rig_wait_grids(struct region_rig *r, uint32_t grids);
/* Until the request is answered. */
bool rig_wait(struct region_rig *r, uint32_t tag);
void rig_mark(struct region_rig *r, bool full, uint64_t address, uint64_t bytes);

/* A request of one line or less. */
void rig_write(struct region_rig *r, uint64_t address, const void *data, uint32_t bytes,
               uint8_t trigger, uint8_t action, uint32_t tag);
void rig_read(struct region_rig *r, uint64_t address, void *data, uint32_t bytes, uint8_t trigger,
              uint8_t action, uint32_t tag);

#endif
