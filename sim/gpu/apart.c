/* Blocks of a grid without time, on all threads at once (sim/simt/core_untimed.h). Which block runs
 * on which core, and where each slice ends, does not depend on the number of threads: a core is
 * given its blocks for a slice beforehand, and asks for memory when it first touches it. What has
 * to have its turn between two slices costs more than it does on one thread: a kernel with many of
 * these accesses goes on in the order of its cores (untimed.c), and so do grids beside others. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_internal.h"

#define MOST_BLOCKS 4096u /* for a core, at a time */
#define FEW_TURNS   1024u /* accesses in turn that any kernel may have */
#define TURN_EVERY  1024u /* warp instructions to one of the others */

void apart_create(struct gpu *gpu)
{
    struct apart *a = &gpu->untimed.apart;
    a->share = ALLOC_ARRAY(struct apart_share, gpu->config.cores);
    a->end = ALLOC_ARRAY(enum untimed_end, gpu->config.cores);
    a->begun = ALLOC_ARRAY(atomic_uint, gpu->config.cores);
}

void apart_destroy(struct gpu *gpu)
{
    free(gpu->untimed.apart.share);
    free(gpu->untimed.apart.end);
    free(gpu->untimed.apart.begun);
}

/* A grid with fewer blocks than cores is not worth the questions. */
static bool may(const struct gpu *gpu, const struct grid *grid)
{
    return !gpu->check && !untimed_warms(gpu) && !grid->executed && !grid->cooperative &&
           grid->total_blocks >= gpu->config.cores && core_runs_apart(grid->kernel);
}

/* What is remembered of it, or a new record in place of the oldest one. */
static struct apart_kernel *record_of(struct apart *a, const struct kernel *kernel)
{
    uint32_t known = a->n_kernels < APART_KERNELS ? a->n_kernels : APART_KERNELS;
    for (uint32_t i = 0; i < known; i++)
        if (a->kernel[i].code == kernel->code_address)
            return &a->kernel[i];
    struct apart_kernel *record = &a->kernel[a->n_kernels++ % APART_KERNELS];
    *record = (struct apart_kernel){.code = kernel->code_address};
    return record;
}

static bool too_many_turns(const struct apart_kernel *k)
{
    return k->in_turn > FEW_TURNS + k->instructions / TURN_EVERY;
}

/* Nothing is granted to it yet, and something is going to be asked for. */
static void start(struct gpu *gpu, struct running_grid *run)
{
    struct apart *a = &gpu->untimed.apart;
    a->grid = run->grid.id;
    a->of = may(gpu, &run->grid) ? record_of(a, run->grid.kernel) : NULL;
    a->refused = !a->of || too_many_turns(a->of);
    a->asked = true;
    a->blocks = 1;
    a->spans.count = 0;
}

bool apart_runs(struct gpu *gpu)
{
    struct apart *a = &gpu->untimed.apart;
    struct running_grid *before = a->run;
    a->run = NULL;
    if (gpu->kmu.n_running != 1)
        return false;
    struct running_grid *run = &gpu->kmu.running[gpu->kmu.order[0]];
    if (!run->grid.untimed)
        return false;
    bool goes_on = run->grid.id == a->grid && run->grid.next_block;
    if (!goes_on)
        start(gpu, run);
    if (a->refused)
        return false;
    a->run = run;
    for (uint32_t i = 0; !(goes_on && before == run) && i < gpu->config.cores; i++)
        a->share[i].fresh = true;
    return true;
}

static void share_out(struct gpu *gpu, bool keeps)
{
    struct apart *a = &gpu->untimed.apart;
    struct grid *grid = &a->run->grid;
    uint64_t left = grid->total_blocks - grid->next_block, cores = gpu->config.cores;
    uint64_t most = (left + cores - 1) / cores;
    most = a->blocks < most ? a->blocks : most;
    for (uint32_t i = 0; i < cores; i++) {
        struct apart_share *share = &a->share[i];
        share->grid = grid;
        share->spans = &a->spans;
        share->budget = UNTIMED_SLICE;
        share->keeps = keeps;
        if (share->next == share->end) {
            uint64_t blocks = kmu_reserve_blocks(gpu, a->run, i, most, &share->next);
            share->end = share->next + blocks;
        }
    }
    if (!grid->issue_cycle)
        grid->issue_cycle = gpu->cycle + 1;
}

/* A thread's own cores, which are in its cache, then those that no thread has begun: so nobody
 * waits for a thread that the host keeps from running for longer than a core's slice. */
static void run_cores(void *user, uint32_t thread)
{
    struct gpu *gpu = user;
    struct apart *a = &gpu->untimed.apart;
    uint32_t first, end, cores = gpu->config.cores;
    core_turns_cores(gpu, thread, &first, &end);
    for (uint32_t n = 0; n < cores; n++) {
        uint32_t i = (first + n) % cores;
        if (atomic_exchange_explicit(&a->begun[i], a->slice, memory_order_relaxed) != a->slice)
            a->end[i] = core_run_apart(gpu->sm[i].core, &a->share[i]);
    }
}

/* An allocation that is already granted for something else is in turn from now on, and no
 * instruction may rely on what it remembers of it. False: it cannot be granted. */
static bool grant(struct gpu *gpu, const struct apart_span *asked)
{
    struct apart_spans *spans = &gpu->untimed.apart.spans;
    if (asked->low == asked->high)
        return false;
    for (uint32_t i = 0; i < spans->count; i++) {
        struct apart_span *span = &spans->span[i];
        if (asked->low >= span->high || asked->high <= span->low)
            continue;
        for (uint32_t c = 0; span->use != asked->use && c < gpu->config.cores; c++)
            gpu->untimed.apart.share[c].fresh = true;
        span->use = span->use == asked->use ? span->use : APART_IN_TURN;
        return true;
    }
    if (spans->count == APART_SPANS)
        return false;
    spans->span[spans->count++] = *asked;
    return true;
}

/* More blocks at a time while all cores have had time left, fewer when one could not start its own.
 */
static void adapt(struct apart *a, uint32_t cores)
{
    bool short_of_time = false, idle = true;
    for (uint32_t i = 0; i < cores; i++) {
        short_of_time |= a->share[i].next != a->share[i].end;
        idle &= a->share[i].budget > UNTIMED_SLICE / 2;
    }
    if (short_of_time)
        a->blocks = a->blocks > 1 ? a->blocks / 2 : 1;
    else if (idle && a->blocks < MOST_BLOCKS)
        a->blocks *= 2;
}

/* The cores meet, one after the other; and again for what is in turn. */
static void meet(struct gpu *gpu)
{
    struct apart *a = &gpu->untimed.apart;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        core_meet_apart(gpu->sm[i].core);
        if (a->end[i] != UNTIMED_NONE)
            gpu->core_wake[i] = gpu->cycle;
    }
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        a->of->instructions += UNTIMED_SLICE - a->share[i].budget;
        a->of->in_turn += core_take_turn(gpu->sm[i].core);
    }
}

/* While something is asked for, slices are short, and one thread is faster. */
enum untimed_end apart_slice(struct gpu *gpu)
{
    struct apart *a = &gpu->untimed.apart;
    bool together = gpu->turns.threads > 1 && !a->asked;
    enum untimed_end most = UNTIMED_NONE;
    share_out(gpu, together);
    a->slice++;
    if (together)
        team_run_long(gpu->turns.team, UINT64_MAX >> (64 - gpu->turns.threads), run_cores, gpu);
    else
        for (uint32_t i = 0; i < gpu->turns.threads; i++)
            run_cores(gpu, i);
    meet(gpu);
    a->asked = false;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        if (a->end[i] == UNTIMED_ASKS) {
            a->asked = true;
            a->refused |= !grant(gpu, &a->share[i].asks);
        }
        most = a->end[i] > most ? a->end[i] : most;
    }
    a->refused |= too_many_turns(a->of);
    adapt(a, gpu->config.cores);
    return most;
}

bool apart_feed(struct gpu *gpu, uint32_t core)
{
    struct apart_share *share = &gpu->untimed.apart.share[core];
    if (share->next == share->end || !core_accepts(gpu->sm[core].core, share->grid))
        return false;
    core_launch_block(gpu->sm[core].core, share->grid, share->next++);
    gpu->core_wake[core] = gpu->cycle;
    return true;
}

uint64_t apart_drop(struct gpu *gpu, const struct grid *grid)
{
    uint64_t dropped = 0;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        struct apart_share *share = &gpu->untimed.apart.share[i];
        if (share->grid != grid)
            continue;
        dropped += share->end - share->next;
        share->next = share->end;
    }
    return dropped;
}
