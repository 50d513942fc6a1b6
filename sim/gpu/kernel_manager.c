/* Kernel management unit and kernel dispatch unit (EDGE II-A): kernels wait by priority and
 * arrival, those of events by the priority of their row, but every FAIR_EVERY-th time the oldest;
 * each priority that has rows keeps a place in the queue and a dispatch slot. Up to kernels.running
 * have their blocks handed to the cores, at most one block per core per cycle. A core that an event
 * waits for gets no new background block (draining, EDGE IV-B). */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_internal.h"

void kmu_create(struct gpu *gpu)
{
    struct kernel_manager *kmu = &gpu->kmu;
    kmu->pending = ALLOC_ARRAY(struct pending_kernel, gpu->config.kernels.pending);
    kmu->running = ALLOC_ARRAY(struct running_grid, gpu->config.kernels.running);
    kmu->order = ALLOC_ARRAY(uint32_t, gpu->config.kernels.running);
    kmu->wake = UINT64_MAX;
    gpu->untimed.pause = 1;
    apart_create(gpu);
}

void kmu_destroy(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->kmu.running && i < gpu->config.kernels.running; i++)
        free(gpu->kmu.running[i].grid.executed);
    free(gpu->kmu.pending);
    free(gpu->kmu.running);
    free(gpu->kmu.order);
    apart_destroy(gpu);
    owner_work_destroy(gpu);
}

static uint32_t level_of(const struct pending_kernel *kernel)
{
    return kernel->from_event ? (uint32_t)(kernel->launch.priority - EVENT_PRIORITY) : NO_LEVEL;
}

/* Of so many places, may a kernel of this level take one? Not the last for another priority of
 * events that has rows and none there, so that nothing of a lower one can fill what a higher one
 * needs. */
static bool has_place(const struct gpu *gpu, uint32_t places, uint32_t used, uint32_t held,
                      uint32_t level)
{
    uint32_t kept = gpu->fout.levels & ~held & ~(1u << level);
    uint32_t owed = places > EVENT_LEVELS ? (uint32_t)__builtin_popcount(kept) : 0;
    return used + owed < places;
}

bool kmu_has_room(const struct gpu *gpu, uint32_t level)
{
    const struct kernel_manager *kmu = &gpu->kmu;
    uint32_t held = 0, places = gpu->config.kernels.pending;
    if (kmu->n_pending + EVENT_LEVELS < places)
        return true;
    for (uint32_t i = 0; i < kmu->n_pending; i++)
        held |= 1u << level_of(&kmu->pending[i]);
    return has_place(gpu, places, kmu->n_pending, held, level);
}

/* Levels that may have one of the dispatch slots, a bit each. */
static uint32_t levels_with_slot(const struct gpu *gpu)
{
    const struct kernel_manager *kmu = &gpu->kmu;
    uint32_t held = 0, may = 0, places = gpu->config.kernels.running;
    if (kmu->n_running + EVENT_LEVELS < places)
        return UINT32_MAX;
    for (uint32_t i = 0; i < kmu->n_running; i++)
        held |= 1u << kmu->running[kmu->order[i]].level;
    for (uint32_t level = 0; level <= NO_LEVEL; level++)
        may |= (uint32_t)has_place(gpu, places, kmu->n_running, held, level) << level;
    return may;
}

bool kmu_enqueue(struct gpu *gpu, const struct pending_kernel *kernel)
{
    struct kernel_manager *kmu = &gpu->kmu;
    if (!kmu_has_room(gpu, level_of(kernel)))
        return false;
    kmu->pending[kmu->n_pending] = *kernel;
    kmu->pending[kmu->n_pending++].queued = gpu->cycle;
    kmu->dirty = true;
    return true;
}

void gpu_hold(struct gpu *gpu, bool held)
{
    struct kernel_manager *kmu = &gpu->kmu;
    kmu->dirty = kmu->dirty || kmu->held != held;
    kmu->held = held;
}

bool gpu_can_launch(const struct gpu *gpu)
{
    return kmu_has_room(gpu, NO_LEVEL);
}

static bool no_local_memory(const struct gpu *gpu, const struct kernel *kernel, struct error *err)
{
    return error_set(
        err,
        "kernel %.80s: %u bytes of local memory per thread are %llu for all resident threads; "
        "device memory has %llu, of which %llu are allocated",
        kernel->name, kernel->local_bytes,
        (unsigned long long)core_local_bytes(&gpu->config.core, kernel, gpu->config.cores),
        (unsigned long long)gpu->image.bytes, (unsigned long long)gpu->image.allocated);
}

uint32_t gpu_background_cores(const struct gpu *gpu)
{
    return (uint32_t)__builtin_popcountll(gpu->background_cores);
}

static bool fits_at_once(const struct gpu *gpu, const struct launch *launch, uint32_t resident,
                         struct error *err)
{
    uint64_t blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint64_t room = (uint64_t)resident * gpu_background_cores(gpu);
    return blocks <= room ||
           error_set(err,
                     "cooperative launch of %s: of %llu blocks only %llu can be resident at a time",
                     launch->kernel->name, (unsigned long long)blocks, (unsigned long long)room);
}

bool kmu_fits(const struct gpu *gpu, const struct launch *launch, struct error *err)
{
    uint32_t shared = launch->dynamic_shared;
    if (launch->kernel->defect)
        return error_set(err, "kernel %.80s cannot run: %s", launch->kernel->name,
                         launch->kernel->defect);
    for (int i = 0; i < 3; i++) {
        if (!launch->grid[i] || !launch->block[i])
            return error_set(err, "kernel %s: a grid or block dimension is 0",
                             launch->kernel->name);
    }
    uint32_t resident =
        core_occupancy(&gpu->config.core, launch->kernel, launch->block, shared, NULL, err);
    if (!resident || (launch->cooperative && !fits_at_once(gpu, launch, resident, err)))
        return false;
    uint64_t local = core_local_bytes(&gpu->config.core, launch->kernel, gpu->config.cores);
    if (local > gpu->image.bytes - IMAGE_HEAP_BASE)
        return no_local_memory(gpu, launch->kernel, err);
    return true;
}

bool gpu_launch(struct gpu *gpu, const struct launch *launch, struct error *err)
{
    if (!kmu_fits(gpu, launch, err))
        return false;
    struct pending_kernel kernel = {.launch = *launch};
    if (!kmu_enqueue(gpu, &kernel))
        return error_set(err, "kernel %s: the queue already holds %u pending kernels",
                         launch->kernel->name, gpu->config.kernels.pending);
    return true;
}

/* The oldest kernel of an event, when it has its turn; `none` otherwise. */
static uint32_t event_turn(const struct kernel_manager *kmu, uint32_t may, uint32_t none)
{
    if (kmu->event_starts % EVG_FAIR_EVERY != EVG_FAIR_EVERY - 1)
        return none;
    for (uint32_t i = 0; i < kmu->n_pending; i++) {
        if (kmu->pending[i].from_event && may >> level_of(&kmu->pending[i]) & 1)
            return i;
    }
    return none;
}

/* Of the kernels whose level may start one; n_pending: there is none. */
static uint32_t highest_pending(const struct kernel_manager *kmu, uint32_t may)
{
    uint32_t best = kmu->n_pending;
    for (uint32_t i = 0; i < kmu->n_pending; i++) {
        const struct pending_kernel *kernel = &kmu->pending[i];
        if (may >> level_of(kernel) & 1 &&
            (best == kmu->n_pending ||
             kernel->launch.priority > kmu->pending[best].launch.priority))
            best = i;
    }
    return event_turn(kmu, may, best);
}

static struct running_grid *free_slot(struct gpu *gpu, uint32_t *slot)
{
    for (uint32_t i = 0; i < gpu->config.kernels.running; i++) {
        if (!gpu->kmu.running[i].used) {
            *slot = i;
            return &gpu->kmu.running[i];
        }
    }
    return NULL;
}

/* Device memory behind the grid's local memory; false when there is none left at the moment. */
static bool take_local_memory(struct gpu *gpu, struct grid *grid)
{
    uint64_t bytes = core_local_bytes(&gpu->config.core, grid->kernel, gpu->config.cores);
    if (!bytes)
        return true;
    grid->local_base = image_alloc(&gpu->image, bytes, LINE_BYTES);
    image_describe(&gpu->image, grid->local_base,
                   &(struct image_note){.access = IMAGE_CLOSED,
                                        .what = "local memory of kernel",
                                        .name = grid->kernel->name});
    return grid->local_base != 0;
}

static void fill_grid(struct gpu *gpu, struct grid *grid, const struct launch *launch)
{
    memset(grid, 0, sizeof *grid);
    grid->kernel = launch->kernel;
    grid->id = gpu->kmu.next_id++;
    grid->priority = launch->priority;
    memcpy(grid->dims, launch->grid, sizeof grid->dims);
    memcpy(grid->block, launch->block, sizeof grid->block);
    grid->dynamic_shared = launch->dynamic_shared;
    grid->cooperative = launch->cooperative;
    grid->param = launch->param;
    grid->total_blocks = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
}

static bool cooperative_runs(const struct kernel_manager *kmu)
{
    for (uint32_t i = 0; i < kmu->n_running; i++) {
        if (kmu->running[kmu->order[i]].grid.cooperative)
            return true;
    }
    return false;
}

/* Is the grid, which has come to a dispatch slot, chosen? */
static bool is_chosen(struct gpu *gpu, struct running_grid *run)
{
    const struct timing_choice *timing = &gpu->config.timing;
    const char *name = run->grid.kernel->name;
    gpu->untimed.named |= timing_named(timing, name);
    return timing->kind == TIMED_PLAN
               ? launch_plan_times(timing->plan, timing->log, run->record)
               : timing_selects(timing, name, gpu->untimed.launches, gpu->cycle);
}

static void choose_timing(struct gpu *gpu, struct running_grid *run)
{
    struct untimed *u = &gpu->untimed;
    run->logged = gpu->config.timing.log && !run->from_event;
    if (run->from_event)
        return;
    if (run->logged)
        run->record = launch_log_start(gpu->config.timing.log, &run->grid);
    bool chosen = is_chosen(gpu, run), timed = chosen || !untimed_may(gpu);
    if (run->logged && !timed)
        run->grid.executed = ALLOC_ARRAY(uint64_t, run->grid.kernel->n_inst + 1);
    run->grid.untimed = !timed;
    u->launches++;
    u->timed_anyway += timed && !chosen;
    u->timed += timed;
    u->running += !timed;
    if (!timed && gpu->config.native == NATIVE_FIRST)
        u->native += native_count(run->grid.kernel, 0, NATIVE_FIRST);
}

/* Moves the pending kernel of highest priority into a dispatch slot. */
static bool start_pending(struct gpu *gpu)
{
    struct kernel_manager *kmu = &gpu->kmu;
    uint32_t slot = 0;
    if (!kmu->n_pending || kmu->n_running == gpu->config.kernels.running)
        return false;
    struct running_grid *run = free_slot(gpu, &slot);
    uint32_t index = highest_pending(kmu, levels_with_slot(gpu));
    if (index == kmu->n_pending)
        return false;
    const struct pending_kernel *next = &kmu->pending[index];
    if (next->launch.cooperative && cooperative_runs(kmu))
        return false;
    fill_grid(gpu, &run->grid, &next->launch);
    run->grid.queued_cycle = next->queued;
    if (!take_local_memory(gpu, &run->grid))
        return false;
    /* What a grid before it in this slot left on the way, a dropped load say, is not its own. */
    run->grid.owner = owner_counters_of_grid(slot);
    owner_counters_take(gpu, run->grid.owner, &run->grid.counters);
    run->grid.counters = (struct grid_counters){.memory = {0}};
    run->cookie = next->launch.cookie;
    run->ready_cycle = gpu->cycle + (next->one_warp ? 0 : gpu->config.kernels.dispatch_latency);
    run->used = true;
    run->family = 0;
    run->from_event = run->grid.is_event = next->from_event;
    run->level = level_of(next);
    run->event_row = next->event_row;
    run->event_tag = next->event_tag;
    run->event_entry = next->event_entry;
    if (next->from_event && kmu->event_starts++ % EVG_FAIR_EVERY == EVG_FAIR_EVERY - 1)
        run->grid.priority = INT32_MAX; /* its turn lasts until its blocks are on the cores */
    memmove(&kmu->pending[index], &kmu->pending[index + 1],
            (kmu->n_pending - index - 1) * sizeof *kmu->pending);
    kmu->n_pending--;
    uint32_t at = kmu->n_running++;
    while (at && kmu->running[kmu->order[at - 1]].grid.priority < run->grid.priority) {
        kmu->order[at] = kmu->order[at - 1];
        at--;
    }
    kmu->order[at] = slot;
    choose_timing(gpu, run);
    return true;
}

static bool core_drains(const struct gpu *gpu, uint32_t core)
{
    return gpu->sm[core].out.want_drain;
}

static bool may_run_on(const struct gpu *gpu, const struct running_grid *run, uint32_t core)
{
    uint64_t cores = run->from_event ? gpu->event_cores : gpu->background_cores;
    if (!(cores >> core & 1))
        return false;
    if (run->from_event)
        return true;
    /* The blocks of a cooperative grid wait for each other, on kept cores too. */
    return !core_drains(gpu, core) && (run->grid.cooperative || !events_keep(gpu, core));
}

/* For concurrency management, which takes kernels of events for none. */
static void kernel_begins(struct gpu *gpu, const struct running_grid *run)
{
    const struct grid *grid = &run->grid;
    struct error none = {0};
    if (!gpu->concurrency || run->from_event || run->grid.untimed)
        return;
    uint32_t threads = grid->block[0] * grid->block[1] * grid->block[2];
    uint32_t blocks = core_occupancy(&gpu->config.core, grid->kernel, grid->block,
                                     grid->dynamic_shared, NULL, &none);
    concurrency_kernel_begins(gpu->concurrency, blocks, (threads + WARP_SIZE - 1) / WARP_SIZE);
}

static bool has_block_for(const struct gpu *gpu, const struct running_grid *run, uint32_t core)
{
    const struct grid *grid = &run->grid;
    bool ends_later =
        gpu->turns.left.mail >> core & 1; /* what has made room may be a later cycle's */
    return grid->next_block != grid->total_blocks && run->ready_cycle <= gpu->cycle &&
           !ends_later && may_run_on(gpu, run, core);
}

bool kmu_gives_block(const struct gpu *gpu, const struct running_grid *run, uint32_t core)
{
    return has_block_for(gpu, run, core) && core_accepts(gpu->sm[core].core, &run->grid);
}

static void begin(struct gpu *gpu, struct running_grid *run)
{
    struct grid *grid = &run->grid;
    if (grid->next_block)
        return;
    grid->start_cycle = gpu->cycle;
    kernel_begins(gpu, run);
    owner_work_started(gpu, grid);
    if (run->from_event)
        gpu->times[run->event_tag % TAG_RING].pushed = gpu->cycle;
}

void kmu_give_block(struct gpu *gpu, struct running_grid *run, uint32_t core)
{
    begin(gpu, run);
    core_launch_block(gpu->sm[core].core, &run->grid, run->grid.next_block++);
    gpu->core_wake[core] = gpu->cycle;
}

uint64_t kmu_reserve_blocks(struct gpu *gpu, struct running_grid *run, uint32_t core, uint64_t most,
                            uint64_t *first)
{
    struct grid *grid = &run->grid;
    uint64_t left = grid->total_blocks - grid->next_block, blocks = most < left ? most : left;
    if (!blocks || !has_block_for(gpu, run, core))
        return 0;
    begin(gpu, run);
    *first = grid->next_block;
    grid->next_block += blocks;
    return blocks;
}

/* Gives one core its next block of a timed grid; true when it took one. */
static bool feed_core(struct gpu *gpu, uint32_t core)
{
    struct kernel_manager *kmu = &gpu->kmu;
    for (uint32_t i = 0; i < kmu->n_running; i++) {
        struct running_grid *run = &kmu->running[kmu->order[i]];
        if (run->grid.untimed || !has_block_for(gpu, run, core))
            continue;
        if (!core_accepts(gpu->sm[core].core, &run->grid)) {
            /* Blocks of lower priority must not keep taking what this one waits for. */
            if (run->from_event)
                return false;
            continue;
        }
        kmu_give_block(gpu, run, core);
        return true;
    }
    return false;
}

void kmu_report_end(struct gpu *gpu, const struct running_grid *run)
{
    if (run->from_event)
        events_grid_done(gpu, run);
    else if (run->cookie & PROCESSOR_COOKIE)
        pp_kernel_done(gpu->processor, gpu->cycle, run->cookie & ~PROCESSOR_COOKIE, &run->grid);
    else
        gpu->calls.grid_done(gpu->calls.user, run->cookie, &run->grid);
}

static void finish_grid(struct gpu *gpu, struct running_grid *run)
{
    struct kernel_manager *kmu = &gpu->kmu;
    bool begun = run->grid.next_block != 0;
    uint32_t slot = (uint32_t)(run - kmu->running);
    uint32_t at = 0;
    while (kmu->order[at] != slot)
        at++;
    memmove(&kmu->order[at], &kmu->order[at + 1], (kmu->n_running - at - 1) * sizeof *kmu->order);
    kmu->n_running--;
    gpu->untimed.running -= run->grid.untimed;
    run->used = false;
    run->grid.end_cycle = gpu->cycle;
    owner_counters_take(gpu, run->grid.owner, &run->grid.counters);
    if (gpu->concurrency && !run->from_event && begun && !run->grid.untimed)
        concurrency_kernel_ends(gpu->concurrency);
    if (begun)
        owner_work_ended(gpu, &run->grid);
    else
        run->grid.start_cycle = gpu->cycle;
    if (run->grid.local_base)
        image_release(&gpu->image, run->grid.local_base);
    if (run->logged)
        launch_log_end(gpu->config.timing.log, run->record, &run->grid);
    free(run->grid.executed);
    run->grid.executed = NULL;
    if (run->from_event)
        grid_counters_add(&gpu->event_counts[run->event_row], &run->grid.counters);
    if (!device_launch_holds(gpu, run))
        kmu_report_end(gpu, run);
}

/* --- the end of an owner ---------------------------------------------------------------------- */

void kmu_end_owner(struct gpu *gpu)
{
    gpu->kmu.ending = true;
    gpu->kmu.dirty = true;
}

/* A grid that never starts. */
static void drop_pending(struct gpu *gpu, uint32_t index, bool aborted)
{
    struct kernel_manager *kmu = &gpu->kmu;
    const struct pending_kernel dropped = kmu->pending[index];
    struct running_grid run = {.cookie = dropped.launch.cookie,
                               .from_event = dropped.from_event,
                               .event_row = dropped.event_row,
                               .event_tag = dropped.event_tag,
                               .event_entry = dropped.event_entry};
    memmove(&kmu->pending[index], &kmu->pending[index + 1],
            (kmu->n_pending - index - 1) * sizeof *kmu->pending);
    kmu->n_pending--;
    fill_grid(gpu, &run.grid, &dropped.launch);
    run.grid.total_blocks = 0;
    run.grid.aborted = aborted;
    run.grid.start_cycle = run.grid.end_cycle = gpu->cycle;
    kmu_report_end(gpu, &run);
}

/* Of owners that have ended, and of aborted events, nothing starts any more: pending kernels end
 * here, and grids of which no block is under way. Others end with their last block. */
static void drop_ended(struct gpu *gpu)
{
    struct kernel_manager *kmu = &gpu->kmu;
    for (uint32_t i = 0; i < kmu->n_pending;) {
        if (gpu_owner_ended(gpu, kmu->pending[i].launch.kernel->owner))
            drop_pending(gpu, i, false);
        else
            i++;
    }
    for (uint32_t i = 0; i < kmu->n_running;) {
        struct running_grid *run = &kmu->running[kmu->order[i]];
        struct grid *grid = &run->grid;
        bool over = grid->aborted || gpu_owner_ended(gpu, grid->kernel->owner);
        if (over) {
            grid->next_block -= apart_drop(gpu, grid);
            grid->total_blocks = grid->next_block;
        }
        if (over && grid->blocks_done == grid->next_block)
            finish_grid(gpu, run);
        else
            i++;
    }
}

bool kmu_abort_event(struct gpu *gpu, uint8_t row, uint64_t entry, bool *begun)
{
    struct kernel_manager *kmu = &gpu->kmu;
    for (uint32_t i = 0; i < kmu->n_pending; i++) {
        const struct pending_kernel *p = &kmu->pending[i];
        if (!p->from_event || p->event_row != row || p->event_entry != entry)
            continue;
        *begun = true;
        drop_pending(gpu, i, true);
        return true;
    }
    for (uint32_t i = 0; i < kmu->n_running; i++) {
        struct running_grid *run = &kmu->running[kmu->order[i]];
        if (!run->from_event || run->event_row != row || run->event_entry != entry)
            continue;
        *begun = !run->grid.aborted;
        run->grid.aborted = true;
        for (uint32_t c = 0; c < gpu->config.cores; c++) {
            core_end_grid(gpu->sm[c].core, &run->grid);
            gpu->core_wake[c] = gpu->cycle;
        }
        kmu->ending = kmu->dirty = true;
        return true;
    }
    return false;
}

static void update_wake(struct gpu *gpu)
{
    struct kernel_manager *kmu = &gpu->kmu;
    kmu->wake = UINT64_MAX;
    for (uint32_t i = 0; i < kmu->n_running; i++) {
        uint64_t ready = kmu->running[kmu->order[i]].ready_cycle;
        if (ready > gpu->cycle && ready < kmu->wake)
            kmu->wake = ready;
    }
}

/* Nothing runs that could give memory back. */
static bool refuse(struct gpu *gpu, struct error *err)
{
    struct kernel_manager *kmu = &gpu->kmu;
    const struct pending_kernel *kernel = &kmu->pending[highest_pending(kmu, UINT32_MAX)];
    no_local_memory(gpu, kernel->launch.kernel, err);
    return kernel_fault_refused(gpu, kernel, err);
}

bool kmu_tick(struct gpu *gpu, struct error *err)
{
    struct kernel_manager *kmu = &gpu->kmu;
    if (!kmu->dirty && gpu->cycle < kmu->wake)
        return true;
    untimed_wake(gpu);
    if (kmu->ending)
        drop_ended(gpu);
    while (!kmu->held && start_pending(gpu))
        ;
    while (kmu->n_pending && !kmu->n_running && !kmu->held) {
        if (!refuse(gpu, err))
            return false;
        drop_ended(gpu);
        while (start_pending(gpu))
            ;
    }
    bool launched = false;
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        launched |= feed_core(gpu, (kmu->first_core + i) % gpu->config.cores);
    kmu->first_core = (kmu->first_core + 1) % gpu->config.cores;
    kmu->dirty = launched;
    update_wake(gpu);
    return true;
}

void kmu_block_done(struct gpu *gpu, struct grid *grid)
{
    gpu->kmu.dirty = true;
    if (grid->blocks_done == grid->total_blocks)
        finish_grid(gpu, (struct running_grid *)(void *)grid);
}

uint64_t kmu_next_event(const struct gpu *gpu)
{
    return gpu->kmu.dirty ? gpu->cycle : gpu->kmu.wake;
}
