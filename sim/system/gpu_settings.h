/* From a machine's configuration to the GPU layer's. */
#ifndef EVGPU_SYSTEM_GPU_SETTINGS_H
#define EVGPU_SYSTEM_GPU_SETTINGS_H

#include "sim/gpu/gpu_config.h"
#include "sim/system/config.h"

/* `mode`: enum sched_mode. */
struct gpu_config gpu_settings(const struct machine_config *config, enum tile_backend backend,
                               uint32_t mode);

#endif
