#include "sim/system/gpu_settings.h"

struct gpu_config gpu_settings(const struct machine_config *config, enum tile_backend backend,
                               uint32_t mode)
{
    struct gpu_config gpu = {.cores = config->cores,
                             .core_khz = config->core_khz,
                             .cpu_cores = config->cpu_cores,
                             .memory_bytes = (uint64_t)config->memory_mib << 20,
                             .unguarded = !config->protection,
                             .core = config->core,
                             .mem = config->mem,
                             .kernels = config->kernels,
                             .packets = config->packets,
                             .events = config->events,
                             .fe = config->fe,
                             .mode = mode,
                             .concurrency = config->concurrency,
                             .threads = config->threads,
                             .lookahead = config->lookahead,
                             .thread_model = config->thread_model,
                             .backend = backend};
    gpu.core.drop_unsafe = config->events.options == EVENT_DROP_UNSAFE;
    if (gpu.events.keep.most >= gpu.cores)
        gpu.events.keep.most = gpu.cores - 1;
    if (mode == SCHED_MODE_DYNAMIC) {
        gpu.core.event_queue = config->lane_queue;
        gpu.mem.event_lane = config->lane_queue;
    }
    return gpu;
}
