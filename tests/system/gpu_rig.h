/* A GPU without the rest of the machine, and what the driver of events needs of it. A test's own
 * struct begins with this one: callbacks and driver get its address. Failures end the test. */
#ifndef EVGPU_TESTS_GPU_RIG_H
#define EVGPU_TESTS_GPU_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_config.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/gpu/region_port.h"
#include "sim/ptx/module.h"
#include "sim/system/config.h"
#include "sw/edge/edge.h"

struct gpu_rig {
    struct gpu *gpu;
    struct edge_driver driver;
    bool answered, freed; /* the command under way, the row that it has given up */
    uint32_t code, row, freed_row;
    uint32_t grids, events; /* that have ended, unless the test has callbacks of its own for them */
};

/* The machine of config/edge.ini; `overrides`: SECTION.KEY=VALUE, NULL at the end. */
void gpu_rig_machine(struct machine_config *machine, const char *const *overrides);
/* Fills rig->gpu and rig->driver; calls->user is set, and command_done, row_freed and read_done.
 * What the test leaves out of flag_write, grid_done and event_done takes flags and counts. */
void gpu_rig_create(struct gpu_rig *rig, const struct gpu_config *config,
                    struct gpu_callbacks *calls);
void gpu_rig_tick(struct gpu_rig *rig);
/* At most so many ticks; time without events is skipped. */
void gpu_rig_run_until_idle(struct gpu_rig *rig, uint64_t most);
uint64_t gpu_rig_alloc(void *rig, uint64_t bytes, uint64_t align);

#endif
