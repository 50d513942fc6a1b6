#include "sim/gpu/gpu_record.h"

#include <string.h>

#include "sim/gpu/gpu_internal.h"
#include "sim/mem/dram/dram_config.h"
#include "sim/simt/recorder.h"

void gpu_record_start(struct gpu *gpu)
{
    gpu->watched = true;
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        core_record(gpu->sm[i].core);
}

struct gpu_record_shape gpu_record_shape(const struct gpu *gpu)
{
    struct gpu_record_shape s = {.cores = gpu->config.cores,
                                 .channels = gpu->config.mem.partitions,
                                 .requests = memsys_links(gpu->memsys, false, NULL),
                                 .replies = memsys_links(gpu->memsys, true, NULL)};
    s.counts = s.cores * RECORD_CORE + s.channels * RECORD_CHANNEL + s.requests + s.replies;
    return s;
}

void gpu_record_read(const struct gpu *gpu, uint64_t *counts)
{
    for (uint32_t i = 0; i < gpu->config.cores; i++, counts += RECORD_CORE) {
        struct core_stats stats;
        core_stats(gpu->sm[i].core, &stats);
        memcpy(counts, core_recorded(gpu->sm[i].core)->state, WARP_STATES * sizeof *counts);
        counts[RECORD_INSTRUCTIONS] = stats.warp_instructions;
        counts[RECORD_WARPS] = stats.warp_cycles;
    }
    for (uint32_t p = 0; p < gpu->config.mem.partitions; p++, counts += RECORD_CHANNEL) {
        const struct dram_stats d = memsys_channel(gpu->memsys, p);
        counts[RECORD_DRAM_CYCLES] = d.cycles;
        counts[RECORD_DRAM_BUSY] = d.bus_busy;
        counts[RECORD_ROW_HITS] = d.row_hits;
        counts[RECORD_ROW_MISSES] = d.row_misses;
    }
    counts += memsys_links(gpu->memsys, false, counts);
    memsys_links(gpu->memsys, true, counts);
}

static const struct recorded_kernel *recorded(const struct gpu *gpu, uint32_t core,
                                              const struct kernel *kernel)
{
    const struct recorder *r = core_recorded(gpu->sm[core].core);
    for (uint32_t i = 0; r && i < r->n_kernels; i++) {
        if (r->kernels[i].kernel == kernel)
            return &r->kernels[i];
    }
    return NULL;
}

void gpu_record_places(const struct gpu *gpu,
                       void (*see)(void *user, const struct gpu_record_place *place), void *user)
{
    for (uint32_t k = 0; k < gpu->n_kernels; k++) {
        const struct kernel *kernel = gpu->kernels[k];
        const struct recorded_kernel *of[GPU_MAX_CORES];
        for (uint32_t i = 0; i < gpu->config.cores; i++)
            of[i] = recorded(gpu, i, kernel);
        for (uint32_t n = 0; n < kernel->n_inst; n++) {
            struct gpu_record_place place = {.kernel = kernel, .instruction = n};
            uint64_t any = 0;
            for (uint32_t i = 0; i < gpu->config.cores; i++) {
                for (uint32_t s = 0; of[i] && s < WARP_STATES; s++)
                    any |= place.state[s] += of[i]->inst[n][s];
            }
            if (any)
                see(user, &place);
        }
    }
}
