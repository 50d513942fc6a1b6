#include "sim/system/gpu_settings.h"

struct gpu_config gpu_settings(const struct machine_config *config, enum tile_backend backend,
                               uint32_t mode)
{
    struct gpu_config gpu = {.cores = config->cores,
                             .core_khz = config->core_khz,
                             .cpu_cores = config->cpu_cores,
                             .memory_bytes = (uint64_t)config->memory_mib << 20,
                             .core = config->core,
                             .mem = config->mem,
                             .kernels_running = config->kernels_running,
                             .kernels_pending = config->kernels_pending,
                             .dispatch_latency = config->dispatch_latency,
                             .packet_decode = config->packet_decode,
                             .wait_poll = config->wait_poll,
                             .wait_reads = config->wait_reads,
                             .mode = mode,
                             .policy = config->policy,
                             .spare_registers = config->spare_registers,
                             .options = config->options,
                             .flush_limit = config->flush_limit,
                             .reserved_cores = config->reserved_cores,
                             .keep = {config->keep_most, config->keep_shift, config->keep_patience},
                             .fe_region_kib = config->fe_region_kib,
                             .fe_timeout_us = config->fe_timeout_us,
                             .fe_host_requests = config->fe_host_requests,
                             .fe_grain_bytes = config->fe_grain_bytes,
                             .fe_look_ahead = config->fe_look_ahead,
                             .concurrency = config->concurrency,
                             .backend = backend};
    if (gpu.keep.most >= gpu.cores)
        gpu.keep.most = gpu.cores - 1;
    if (mode == SCHED_MODE_DYNAMIC) {
        gpu.core.event_queue = config->lane_queue;
        gpu.mem.event_lane = config->lane_queue;
    }
    gpu.mem.net_khz = config->net_khz;
    gpu.mem.l2_khz = config->l2_khz;
    gpu.mem.dram_khz = config->dram_khz;
    return gpu;
}
