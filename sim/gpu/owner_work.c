/* What the kernels of each guest (an owner of the image) have done on the GPU, and what they have
 * there. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_internal.h"

void owner_work_destroy(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->n_owners; i++)
        device_runtime_free(&gpu->owners[i].runtime);
    free(gpu->owners);
}

struct owner_record *owner_record(struct gpu *gpu, uint32_t owner)
{
    while (gpu->n_owners <= owner) {
        ARRAY_RESERVE(gpu->owners, gpu->n_owners, gpu->cap_owners);
        gpu->owners[gpu->n_owners] = (struct owner_record){.running = 0};
        device_runtime_init(&gpu->owners[gpu->n_owners++].runtime);
    }
    return &gpu->owners[owner];
}

static void add(struct gpu_owner_work *sum, const struct grid *grid)
{
    sum->warp_instructions += grid->warp_instructions;
    sum->thread_instructions += grid->thread_instructions;
}

void owner_work_started(struct gpu *gpu, const struct grid *grid)
{
    struct owner_record *r = owner_record(gpu, grid->kernel->owner);
    if (!r->running++)
        r->since = gpu->cycle;
}

void owner_work_ended(struct gpu *gpu, const struct grid *grid)
{
    struct owner_record *r = owner_record(gpu, grid->kernel->owner);
    add(&r->ended, grid);
    if (!--r->running)
        r->ended.cycles += gpu->cycle - r->since;
}

void gpu_end_owner(struct gpu *gpu, uint32_t owner)
{
    struct owner_record *r = owner_record(gpu, owner);
    if (r->over)
        return;
    r->over = true;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        core_end_owner(gpu->sm[i].core, owner);
        gpu->core_wake[i] = gpu->cycle;
    }
    kmu_end_owner(gpu);
}

void gpu_begin_owner(struct gpu *gpu, uint32_t owner)
{
    owner_record(gpu, owner)->over = false;
}

bool gpu_owner_ended(const struct gpu *gpu, uint32_t owner)
{
    return owner < gpu->n_owners && gpu->owners[owner].over;
}

bool gpu_owner_at_work(const struct gpu *gpu, uint32_t owner)
{
    const struct kernel_manager *kmu = &gpu->kmu;
    for (uint32_t i = 0; i < kmu->n_pending; i++) {
        if (kmu->pending[i].launch.kernel->owner == owner)
            return true;
    }
    for (uint32_t i = 0; i < kmu->n_running; i++) {
        if (kmu->running[kmu->order[i]].grid.kernel->owner == owner)
            return true;
    }
    return device_launch_at_work(gpu, owner);
}

void gpu_owner_work(struct gpu *gpu, uint32_t owner, struct gpu_owner_work *work)
{
    const struct owner_record *r = owner_record(gpu, owner);
    *work = r->ended;
    if (!r->running)
        return;
    work->cycles += gpu->cycle - r->since;
    for (uint32_t i = 0; i < gpu->kmu.n_running; i++) {
        const struct grid *grid = &gpu->kmu.running[gpu->kmu.order[i]].grid;
        if (grid->kernel->owner != owner || !grid->next_block)
            continue;
        work->blocks += grid->total_blocks;
        work->blocks_done += grid->blocks_done;
        add(work, grid);
        for (uint32_t c = 0; c < gpu->config.cores; c++)
            core_add_instructions(gpu->sm[c].core, grid, &work->warp_instructions,
                                  &work->thread_instructions);
    }
}
