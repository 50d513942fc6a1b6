/* Grids that are not timed. Their blocks go to cores as those of others do, and take the same room,
 * but a core gets its next one only when those it has are over or keep polling: so a block runs to
 * its end in the host's cache, and blocks that wait for others get them, as many as fit. Where
 * caches are warmed for kernels that are timed, blocks are spread over the cores as timed ones are.
 *
 * A core executes UNTIMED_SLICE warp instructions in a cycle, so that everything else in the
 * machine goes on, signals and host functions included. The cycles that this takes mean nothing.
 * While all blocks only look at memory, the next slice comes later and later: they wait for the
 * host or a device, whose time is simulated. */
#include "sim/gpu/gpu_internal.h"

#define LONGEST_PAUSE 256u /* cycles between two slices */

bool untimed_may(const struct gpu *gpu)
{
    return !gpu->fout.levels && !gpu->bus.map.count && !gpu->region.open;
}

void untimed_wake(struct gpu *gpu)
{
    gpu->untimed.wake = gpu->cycle;
}

bool untimed_warms(const struct gpu *gpu)
{
    return gpu->config.timing.kind != TIMED_ALL && gpu->config.timing.kind != TIMED_NONE;
}

uint64_t untimed_next(const struct gpu *gpu)
{
    return gpu->untimed.running ? gpu->untimed.wake : UINT64_MAX;
}

/* The manager starts each grid at another core. It moves on by more cores after a timed grid than
 * after an untimed one, so that timed grids of few blocks come to cores between those of untimed
 * ones. Therefore the code also comes to the cores passed since the last grid. */
static void warm_passed(struct gpu *gpu, const struct kernel *kernel)
{
    struct untimed *u = &gpu->untimed;
    for (; u->passed != gpu->kmu.first_core; u->passed = (u->passed + 1) % gpu->config.cores)
        core_warm_code(gpu->sm[u->passed].core, kernel);
}

/* The core takes a block of the first grid that has one for it. */
static bool feed(struct gpu *gpu, uint32_t core)
{
    struct kernel_manager *kmu = &gpu->kmu;
    if (apart_feed(gpu, core))
        return true;
    for (uint32_t i = 0; i < kmu->n_running; i++) {
        struct running_grid *run = &kmu->running[kmu->order[i]];
        if (run->grid.untimed && kmu_gives_block(gpu, run, core)) {
            if (untimed_warms(gpu) && !run->grid.next_block)
                warm_passed(gpu, run->grid.kernel);
            kmu_give_block(gpu, run, core);
            return true;
        }
    }
    return false;
}

/* What was most of what its blocks did. */
static enum untimed_end run_core(struct gpu *gpu, uint32_t core)
{
    uint64_t budget = UNTIMED_SLICE;
    enum untimed_end end = UNTIMED_NONE, most = UNTIMED_NONE;
    do {
        end = core_run_untimed(gpu->sm[core].core, &budget);
        most = end > most ? end : most;
        if (end != UNTIMED_NONE)
            gpu->core_wake[core] = gpu->cycle;
    } while (budget && end <= UNTIMED_BLOCK &&
             ((!untimed_warms(gpu) && feed(gpu, core)) || end == UNTIMED_BLOCK));
    return most;
}

/* A block for each core, as long as one takes any. Small grids begin where timed ones would, and so
 * warm the caches of the cores that these come to. */
static void feed_in_turn(struct gpu *gpu)
{
    uint32_t first = gpu->kmu.first_core, cores = gpu->config.cores;
    bool fed = true;
    while (fed) {
        fed = false;
        for (uint32_t i = 0; i < cores; i++)
            fed |= feed(gpu, (first + i) % cores);
    }
}

static enum untimed_end run_in_order(struct gpu *gpu)
{
    enum untimed_end most = UNTIMED_NONE;
    if (untimed_warms(gpu))
        feed_in_turn(gpu);
    for (uint32_t i = 0; i < gpu->config.cores && gpu->untimed.running; i++) {
        enum untimed_end end = run_core(gpu, i);
        most = end > most ? end : most;
    }
    return most;
}

/* Nobody executes a kernel now: machine code for one that has executed so much may be made. */
static void count_kernels(struct gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        uint64_t instructions;
        const struct kernel *kernel = core_take_count(gpu->sm[i].core, &instructions);
        if (kernel)
            gpu->untimed.native += native_count(kernel, instructions, gpu->config.native);
    }
}

void untimed_tick(struct gpu *gpu)
{
    struct untimed *u = &gpu->untimed;
    enum untimed_end most = apart_runs(gpu) ? apart_slice(gpu) : run_in_order(gpu);
    count_kernels(gpu);
    if (most == UNTIMED_NONE) {
        u->wake = UINT64_MAX; /* until something changes: untimed_wake */
        return;
    }
    if (most != UNTIMED_POLLS)
        u->pause = 1;
    else if (u->pause < LONGEST_PAUSE)
        u->pause *= 2;
    u->wake = gpu->cycle + u->pause;
}

bool gpu_runs_untimed(const struct gpu *gpu)
{
    return gpu->untimed.running != 0;
}
