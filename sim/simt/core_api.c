/* The public functions of a core besides its cycle: most belong to a room. */
#include <string.h>

#include "sim/simt/core_internal.h"

/* Whoever changes a core from outside, or looks at what it has counted, finds it at the end of the
 * last cycle. */
static void rouse(struct core *c)
{
    if (c->dozes && c->slots.env.turned)
        core_doze(c, *c->slots.env.turned - 1);
}

/* --- questions -------------------------------------------------------------------------------- */

bool core_empty(const struct core *c)
{
    return !warps_resident(&c->slots.warps);
}

uint32_t core_resident_warps(const struct core *c)
{
    return warps_count(&c->slots.warps);
}

void core_watch_signals(struct core *c, bool memory)
{
    issue_watch(&c->pipeline.issue, memory);
}

struct core_signals core_signals(const struct core *c)
{
    return (struct core_signals){.ready = issue_signal_ready(&c->pipeline.issue),
                                 .full = issue_signal_full(&c->pipeline.issue),
                                 .active = warps_resident(&c->slots.warps) != 0,
                                 .memory = issue_all_wait_for_memory(&c->pipeline)};
}

struct core_signals core_signals_at_rest(const struct core *c)
{
    struct core_signals signals = core_signals(c);
    signals.ready = signals.full = issue_signals_at_rest(&c->pipeline);
    return signals;
}

void core_stats(struct core *c, struct core_stats *stats)
{
    rouse(c);
    memset(stats, 0, sizeof *stats);
    residence_stats(&c->residence, stats);
    issue_stats(&c->pipeline.issue, stats);
    fetch_stats(&c->pipeline.fetch, stats);
    lsu_stats(&c->lsu, clock_now(&c->slots.clock), stats);
    l1_stats(&c->lsu.l1, clock_now(&c->slots.clock), stats);
    memory_stats(&c->lsu.memory, stats);
    barrier_stats(&c->pipeline.barriers, stats);
    replay_stats(&c->lsu.replay, stats);
    transfer_stats(&c->event.transfers, stats);
    port_stats(&c->event.tile, stats);
    stats->untimed_warp_instructions = functional_instructions(&c->functional);
    stats->untimed_thread_instructions = functional_threads(&c->functional);
}

void core_record(struct core *c)
{
    sampler_record(&c->sampler);
}

const struct recorder *core_recorded(const struct core *c)
{
    return sampler_recorded(&c->sampler);
}

void core_add_instructions(const struct core *c, const struct grid *grid,
                           uint64_t *warp_instructions, uint64_t *thread_instructions)
{
    for (uint64_t left = warps_resident(&c->slots.warps); left; left &= left - 1) {
        const struct warp *warp = warp_of(&c->slots.warps, lowest(left));
        if (warp->grid != grid)
            continue;
        *warp_instructions += warp->warp_instructions;
        *thread_instructions += warp->thread_instructions;
    }
}

/* A block may be ending in this very tick, whose cycle still counts. */
void core_take_counters(struct core *c, uint32_t owner, struct core_counters *sum)
{
    rouse(c);
    account_take(&c->slots.accounts, clock_now(&c->slots.clock) + 1, owner, sum);
}

const struct core_fault *core_fault(const struct core *c)
{
    return fault_first(&c->slots.fault);
}

const struct core_fault *core_fault_at(const struct core *c, uint32_t index, const char **text)
{
    return fault_at(&c->slots.fault, index, text);
}

void core_faults_over(struct core *c)
{
    faults_over(&c->slots.fault);
}

/* --- the rooms' own --------------------------------------------------------------------------- */

uint64_t core_local_bytes(const struct core_config *config, const struct kernel *kernel,
                          uint32_t n_cores)
{
    return block_local_bytes(config, kernel, n_cores);
}

uint32_t core_occupancy(const struct core_config *config, const struct kernel *kernel,
                        const uint32_t block[3], uint32_t dynamic_shared, const char **limiter,
                        struct error *err)
{
    return block_occupancy(config, kernel, block, dynamic_shared, limiter, err);
}

bool core_accepts(const struct core *c, const struct grid *grid)
{
    return blocks_accept(&c->pipeline.blocks, grid);
}

void core_launch_block(struct core *c, struct grid *grid, uint64_t block)
{
    rouse(c);
    if (grid->untimed)
        functional_launch(&c->functional, grid, block);
    else
        launch_block(&c->pipeline, grid, block);
}

enum untimed_end core_run_untimed(struct core *c, uint64_t *budget)
{
    rouse(c);
    enum untimed_end end = functional_run(&c->functional, budget);
    core_meet_mail(c);
    return end;
}

void core_warm_code(struct core *c, const struct kernel *kernel)
{
    warm_code(&c->functional, kernel);
}

bool core_runs_apart(const struct kernel *kernel)
{
    return apart_kernel(kernel);
}

enum untimed_end core_run_apart(struct core *c, struct apart_share *share)
{
    rouse(c);
    return functional_run_apart(&c->functional, share);
}

void core_meet_apart(struct core *c)
{
    functional_meet(&c->functional);
    core_meet_mail(c);
}

uint32_t core_take_turn(struct core *c)
{
    return functional_take_turn(&c->functional);
}

const struct kernel *core_take_count(struct core *c, uint64_t *instructions)
{
    return functional_take_count(&c->functional, instructions);
}

void core_perform(struct core *c, const struct mem_request *request)
{
    rouse(c);
    l2_access_perform(&c->lsu.l2_accesses, request);
}

void core_bus_stored(struct core *c, uint32_t account)
{
    rouse(c);
    bus_stored(&c->lsu.bus, account);
}

bool core_event_inputs(struct core *c, struct sm_event_unit_in *in)
{
    rouse(c);
    return event_inputs(&c->event, in);
}

bool core_lends(const struct core *c, uint32_t units)
{
    return event_lends(&c->slots, units);
}

void core_keep_room(struct core *c, uint32_t warps, uint32_t registers)
{
    blocks_keep_room(&c->pipeline.blocks, warps, registers);
}

bool core_event_pending(const struct core *c)
{
    return event_pending(&c->event);
}

void core_event_commands(struct core *c, const struct sm_event_unit_out *out)
{
    rouse(c);
    event_commands(&c->event, out);
}

/* --- the end of an owner, a grid, an event ---------------------------------------------------- */

void core_end_owner(struct core *c, uint32_t owner)
{
    rouse(c);
    for (uint64_t m = warps_alive(&c->slots.warps); m; m &= m - 1) {
        uint32_t w = lowest(m);
        if (warp_of(&c->slots.warps, w)->kernel->owner == owner)
            warp_doom(&c->slots, w);
    }
    events_end_owner(&c->event.run, owner);
    retire_blocks(&c->pipeline, blocks_of_owner(&c->pipeline.blocks, owner));
    ready_limit_stale(&c->slots.ready);
}

void core_end_grid(struct core *c, const struct grid *grid)
{
    rouse(c);
    for (uint64_t m = warps_alive(&c->slots.warps); m; m &= m - 1) {
        uint32_t w = lowest(m);
        if (warp_of(&c->slots.warps, w)->grid == grid)
            warp_doom(&c->slots, w);
    }
    events_end_grid(&c->event.run, grid);
    retire_blocks(&c->pipeline, blocks_of_grid(&c->pipeline.blocks, grid));
    ready_limit_stale(&c->slots.ready);
}

bool core_abort_event(struct core *c, uint32_t row, uint64_t entry, bool *begun)
{
    rouse(c);
    return event_abort(&c->event, row, entry, begun);
}

bool core_access_aborted(const struct core *c, const struct mem_request *request)
{
    uint32_t w = l2_access_of(&c->lsu.l2_accesses, request)->warp;
    const struct grid *grid = warp_of(&c->slots.warps, w)->grid;
    return grid ? grid->aborted : event_aborted(&c->event, w);
}
