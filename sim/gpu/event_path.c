/* The event path: wires the front end tile to the cores' event units, the kernel manager, the host
 * port and PCIe, and keeps the times of every event on its way.
 *
 * Each cycle, all tile inputs are formed from the outputs of the previous edge, then all tiles that
 * are not idle get their clock edge; so the order of tiles cannot matter
 * (docs/design/architecture.md). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/event_rooms.h"
#include "sim/gpu/gpu_internal.h"
#include "tb/model/victim/policy.h"
#include "tb/serial.h"

#define WARP_DIM_BITS 6 /* of a dimension in ev_dims */

static struct event_times *times_of(struct gpu *gpu, uint32_t tag)
{
    return &gpu->times[tag % TAG_RING];
}

static uint64_t low_bits(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
}

static void configure_tiles(struct gpu *gpu)
{
    const struct gpu_config *c = &gpu->config;
    uint64_t all = low_bits(c->cores);
    gpu->background_cores = all;
    gpu->event_cores = all;
    if (c->mode == SCHED_MODE_RESERVE && c->cores > 1) {
        gpu->background_cores = low_bits(c->cores - c->events.reserved_cores);
        gpu->event_cores = all & ~gpu->background_cores;
    }
    gpu->fin.cfg_core_groups = (uint8_t)((c->cores + EVG_SCAN_LANES - 1) / EVG_SCAN_LANES);
    gpu->fin.cfg_core_mask = gpu->event_cores;
    gpu->fin.cfg_mode = (uint8_t)c->mode;
    gpu->fin.cfg_flag_limit = c->events.flag_limit;
    gpu->fin.cfg_keep_most = (uint8_t)c->events.keep.most;
    gpu->fin.cfg_keep_shift = (uint8_t)c->events.keep.shift;
    gpu->fin.cfg_keep_patience = (uint16_t)c->events.keep.patience;
    for (uint32_t i = 0; i < c->cores; i++) {
        struct sm_event_unit_in *in = &gpu->sm[i].in;
        in->cfg_policy = victim_policy_port(c->events.policy);
        in->cfg_opts =
            c->events.options == EVENT_DROP_UNSAFE ? EVENT_OPTIONS_ALL : (uint8_t)c->events.options;
        in->cfg_flush_limit = (uint16_t)c->events.flush_limit;
        in->cfg_spare = c->events.spare_registers || c->mode == SCHED_MODE_DYNAMIC;
        in->cfg_preempt = c->mode == SCHED_MODE_PREEMPT || c->mode == SCHED_MODE_DYNAMIC;
        in->cfg_warp_groups = (uint8_t)((c->core.warps + EVG_SCAN_LANES - 1) / EVG_SCAN_LANES);
    }
}

static bool check_policy(const struct gpu_config *c, struct error *err)
{
    const struct victim_rule *policy = victim_policy_at(c->events.policy);
    return policy->in_rtl || c->backend == TILE_MODEL ||
           error_set(err,
                     "event.policy = %s: only the C model of the event unit has this victim "
                     "policy, not the Verilog; run with --tiles=model",
                     policy->name);
}

bool events_create(struct gpu *gpu, struct error *err)
{
    if (!check_policy(&gpu->config, err))
        return false;
    gpu->arrivals = ALLOC_ARRAY(uint64_t, TAG_RING);
    gpu->times = ALLOC_ARRAY(struct event_times, TAG_RING);
    gpu->frontend =
        tile_create_on(&gpu_frontend_kind, gpu->config.backend, &gpu->place, "gpu_frontend", err);
    if (!gpu->frontend)
        return false;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        char name[16];
        snprintf(name, sizeof name, "sm%u", i);
        gpu->sm[i].tile =
            tile_create_on(&sm_event_unit_kind, gpu->config.backend, &gpu->place, name, err);
        if (!gpu->sm[i].tile)
            return false;
        tile_reset(gpu->sm[i].tile, &gpu->sm[i].out);
    }
    if (gpu->place.board && !gpu_region_start(gpu, err))
        return false;
    tile_reset(gpu->frontend, &gpu->fout);
    configure_tiles(gpu);
    return event_rooms_create(gpu, err);
}

void events_destroy(struct gpu *gpu)
{
    for (uint32_t i = 0; gpu->sm && i < gpu->config.cores; i++)
        tile_destroy(gpu->sm[i].tile);
    tile_destroy(gpu->frontend);
    event_rooms_destroy(gpu->rooms, gpu->config.cores);
    free(gpu->arrivals);
    free(gpu->times);
    free(gpu->done);
}

/* --- calls from outside ----------------------------------------------------------------------- */

bool gpu_doorbell(struct gpu *gpu, uint32_t offset, uint32_t bytes, uint16_t requester,
                  uint32_t data)
{
    if (gpu->write_held || gpu->arrival_count == TAG_RING)
        return false;
    gpu->fin.wr_valid = 1;
    gpu->fin.wr_addr = offset;
    gpu->fin.wr_size = (uint8_t)(bytes > 15 ? 0 : bytes);
    gpu->fin.wr_rid = requester;
    (void)data; /* the value of a doorbell write has no meaning, EDGE III-C */
    gpu->write_held = true;
    gpu->doorbells++;
    gpu->arrivals[(gpu->arrival_head + gpu->arrival_count++) % TAG_RING] = gpu->cycle;
    return true;
}

bool gpu_command(struct gpu *gpu, const struct frontend_command *command)
{
    if (gpu->command_held)
        return false;
    struct gpu_frontend_in *in = &gpu->fin;
    in->cmd_valid = 1;
    in->cmd_op = command->op;
    in->cmd_row = command->row;
    in->cmd_rid = command->requester;
    in->cmd_kernel = command->kernel;
    in->cmd_base = command->base;
    in->cmd_size = command->size;
    in->cmd_last = command->last;
    memcpy(in->cmd_dims, command->dims, sizeof in->cmd_dims);
    in->cmd_shared = command->shared;
    in->cmd_priority = command->priority;
    in->cmd_flag_first = command->flag_first;
    in->cmd_flag_last = command->flag_last;
    gpu->command_held = true;
    return true;
}

/* --- inputs of the front end ------------------------------------------------------------------ */

bool events_keep(const struct gpu *gpu, uint32_t core)
{
    return core + gpu->fout.keep_cores >= gpu->config.cores;
}

/* Can the core give an event of so many registers a warp that is not free? */
static bool serves_by_victim(const struct sm_unit *sm, uint32_t units)
{
    bool own = sm->in.cfg_spare && sm->in.core_free_regs >= units;
    return sm->in.cfg_preempt && (own || core_lends(sm->core, units));
}

static void answer_core_scan(struct gpu *gpu)
{
    struct gpu_frontend_in *in = &gpu->fin;
    in->stat_valid = gpu->fout.stat_req;
    in->stat_group = gpu->fout.stat_req_group;
    in->stat_occupancy = 0;
    in->stat_victims = 0;
    in->stat_busy = 0;
    in->stat_free = in->stat_fits = in->stat_kept = 0;
    in->stat_levels = 0;
    if (!gpu->fout.stat_req)
        return;
    uint32_t first = (uint32_t)gpu->fout.stat_req_group * EVG_SCAN_LANES;
    for (uint32_t i = 0; i < EVG_SCAN_LANES && first + i < gpu->config.cores; i++) {
        struct sm_unit *sm = &gpu->sm[first + i];
        core_event_inputs(sm->core, &sm->in);
        in->stat_occupancy |= (uint32_t)sm->out.occupancy << (3 * i);
        in->stat_levels |= (uint32_t)sm->out.levels << (EVENT_LEVELS * i);
        in->stat_victims |= (uint32_t)sm->out.victims << (3 * i);
        in->stat_busy |= (uint8_t)(sm->out.busy << i);
        uint32_t units = gpu->fout.stat_req_regs;
        bool is_free = sm->in.core_free_warp && sm->in.core_free_regs >= units;
        in->stat_free |= (uint8_t)(is_free << i);
        in->stat_fits |= (uint8_t)((!is_free && serves_by_victim(sm, units)) << i);
        in->stat_kept |= (uint8_t)(events_keep(gpu, first + i) << i);
    }
}

static bool enqueue_event(struct gpu *gpu, const struct pending_kernel *kernel)
{
    struct event_times *times = times_of(gpu, kernel->event_tag);
    if (!kmu_enqueue(gpu, kernel))
        return false;
    times->path = EVENT_BLOCKS;
    times->taken = gpu->cycle;
    return true;
}

static bool find_kernel(const struct gpu *gpu, uint64_t address, struct launch *launch,
                        struct error *err)
{
    launch->kernel = gpu_kernel_at(gpu, address);
    return launch->kernel ||
           error_set(err, "event kernel table: no kernel at 0x%llx", (unsigned long long)address);
}

/* Does the one-warp event wait in kernel management instead of in a core's table? With preemption
 * only one that falls back: the front end has chosen the best core, so what that one cannot serve,
 * none can. With spare registers any warp is a victim, and only other events can be in the way. */
static bool drains_as_block(struct gpu *gpu, struct sm_unit *sm)
{
    const struct event_config *c = &gpu->config.events;
    uint32_t units = gpu->fout.ev_regs;
    if (gpu->rooms) /* whose tiles look at the cores' tables */
        return false;
    if (gpu->config.mode == SCHED_MODE_DRAIN || gpu->config.mode == SCHED_MODE_RESERVE)
        return c->drain != EVENT_DRAIN_CORE;
    if (gpu->config.mode != SCHED_MODE_PREEMPT || c->drain != EVENT_DRAIN_FALLBACK ||
        c->spare_registers)
        return false;
    core_event_inputs(sm->core, &sm->in);
    return !(sm->in.core_free_warp && sm->in.core_free_regs >= units) &&
           !serves_by_victim(sm, units);
}

/* The event as a kernel of one block (EDGE IV-B). It has come by the path of warp events, so it
 * does not pay for kernel management's: as in EDGE's artifact, all ways to schedule an event begin
 * at the same moment. */
static bool queue_event_warp(struct gpu *gpu, struct error *err)
{
    const struct gpu_frontend_out *out = &gpu->fout;
    if (!kmu_has_room(gpu, out->ev_priority))
        return true;
    struct pending_kernel kernel = {.from_event = true,
                                    .one_warp = true,
                                    .event_row = out->ev_row,
                                    .event_tag = out->ev_tag,
                                    .event_entry = out->ev_param,
                                    .launch = {.grid = {1, 1, 1},
                                               .param = out->ev_param + PARAM_HEADER_BYTES,
                                               .priority = EVENT_PRIORITY + out->ev_priority}};
    if (!find_kernel(gpu, out->ev_kernel, &kernel.launch, err))
        return false;
    for (uint32_t i = 0; i < 3; i++)
        kernel.launch.block[i] = out->ev_dims >> i * WARP_DIM_BITS & ((1u << WARP_DIM_BITS) - 1);
    gpu->fin.ev_ack = enqueue_event(gpu, &kernel);
    return true;
}

/* Hands a one-warp event to the chosen core's table, or to kernel management. */
static bool dispatch_warp_event(struct gpu *gpu, struct error *err)
{
    const struct gpu_frontend_out *out = &gpu->fout;
    gpu->fin.ev_ack = 0;
    if (!out->ev_valid)
        return true;
    struct event_times *times = times_of(gpu, out->ev_tag);
    if (!times->launched)
        times->launched = gpu->cycle;
    struct sm_unit *sm = &gpu->sm[out->ev_core];
    if (drains_as_block(gpu, sm))
        return queue_event_warp(gpu, err);
    if (!sm->out.ev_ready)
        return true;
    sm->in.ev_valid = 1;
    sm->in.ev_kernel = out->ev_kernel;
    sm->in.ev_param = out->ev_param;
    sm->in.ev_mask = out->ev_mask;
    sm->in.ev_dims = out->ev_dims;
    sm->in.ev_regs = out->ev_regs;
    sm->in.ev_row = out->ev_row;
    sm->in.ev_tag = out->ev_tag;
    sm->in.ev_priority = out->ev_priority;
    gpu->fin.ev_ack = 1;
    gpu->active_units |= (uint64_t)1 << out->ev_core;
    times->core = out->ev_core;
    times->taken = gpu->cycle;
    return true;
}

/* An event of more than one warp becomes a pending kernel, before all that are not events, and by
 * the priority of its row (EDGE III-C, IV). */
static bool queue_event_kernel(struct gpu *gpu, struct error *err)
{
    const struct gpu_frontend_out *out = &gpu->fout;
    gpu->fin.big_ready = 0;
    if (!out->big_valid)
        return true;
    struct event_times *times = times_of(gpu, out->big_tag);
    if (!times->launched)
        times->launched = gpu->cycle;
    if (!kmu_has_room(gpu, out->big_priority))
        return true;
    struct pending_kernel kernel = {.from_event = true,
                                    .event_row = out->big_row,
                                    .event_tag = out->big_tag,
                                    .event_entry = out->big_param};
    struct launch *launch = &kernel.launch;
    if (!find_kernel(gpu, out->big_kernel, launch, err))
        return false;
    for (int i = 0; i < 3; i++) {
        launch->grid[i] = out->big_dims[i];
        launch->block[i] = out->big_dims[3 + i];
    }
    launch->dynamic_shared =
        out->big_shared - launch->kernel->shared_bytes; /* row: both together */
    launch->param = out->big_param + PARAM_HEADER_BYTES;
    launch->priority = EVENT_PRIORITY + out->big_priority;
    gpu->fin.big_ready = enqueue_event(gpu, &kernel);
    return true;
}

static void offer_done(struct gpu *gpu, uint64_t param, uint16_t tag, uint8_t row, bool aborted)
{
    gpu->fin.done_valid = 1;
    gpu->fin.done_param = param;
    gpu->fin.done_tag = tag;
    gpu->fin.done_row = row;
    gpu->fin.done_aborted = aborted;
    struct event_times *times = times_of(gpu, tag);
    times->exited = gpu->cycle;
    times->aborted = aborted;
    if (aborted && !times->pushed)
        times->pushed = gpu->cycle;
    gpu->events++;
    gpu->aborted += aborted;
    gpu->aborting -= aborted && gpu->aborting;
    gpu->by_path[times->path]++;
    if (gpu->calls.event_exited)
        gpu->calls.event_exited(gpu->calls.user, times);
}

/* One completion per cycle to the front end: finished event grids first, then the cores in turn. */
static void collect_done(struct gpu *gpu)
{
    gpu->fin.done_valid = 0;
    if (!gpu->fout.done_ready)
        return;
    if (gpu->done_count) {
        const struct done_event *d = &gpu->done[gpu->done_head];
        gpu->done_head = (gpu->done_head + 1) % gpu->done_capacity;
        gpu->done_count--;
        offer_done(gpu, d->param, d->tag, d->row, d->aborted);
        return;
    }
    if (!gpu->active_units)
        return;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        uint32_t core = (gpu->done_turn + i) % gpu->config.cores;
        struct sm_unit *sm = &gpu->sm[core];
        if (!sm->out.done_valid)
            continue;
        offer_done(gpu, sm->out.done_param, sm->out.done_tag, sm->out.done_row,
                   sm->out.done_aborted);
        sm->in.done_ready = 1;
        gpu->done_turn = (core + 1) % gpu->config.cores;
        return;
    }
}

static void serve_memory_read(struct gpu *gpu)
{
    struct gpu_frontend_in *in = &gpu->fin;
    struct pointer_reads *p = &gpu->pointers;
    in->mr_rsp_valid = p->count != 0;
    if (in->mr_rsp_valid) {
        uint8_t tag = p->answered[p->head];
        p->head = (p->head + 1) % POINTER_READS;
        p->count--;
        in->mr_rsp_tag = tag;
        in->mr_rsp_error = p->read[tag].failed;
        in->mr_rsp_data = p->read[tag].failed ? 0 : p->read[tag].value;
    }
    in->mr_ready =
        gpu->fout.mr_valid && host_port_read_pointer(gpu, gpu->fout.mr_addr, gpu->fout.mr_tag);
}

static void serve_flag_write(struct gpu *gpu)
{
    gpu->fin.pw_ready = 0;
    if (!gpu->fout.pw_valid)
        return;
    struct event_times *times = times_of(gpu, gpu->fout.pw_tag);
    if (!gpu->calls.flag_write(gpu->calls.user, times->row, gpu->fout.pw_addr, gpu->fout.pw_data))
        return;
    gpu->fin.pw_ready = 1;
    times->flagged = gpu->cycle;
    gpu->calls.event_done(gpu->calls.user, times);
}

/* --- outputs of the front end ----------------------------------------------------------------- */

/* The decoder decides writes in order; each one is either accepted or counted as rejected. */
static void match_arrivals(struct gpu *gpu)
{
    const struct gpu_frontend_out *out = &gpu->fout;
    uint64_t rejected = (uint64_t)out->err_unregistered + out->err_misaligned + out->err_size +
                        out->err_foreign + out->err_overrun;
    while (gpu->rejected < rejected && gpu->arrival_count) {
        gpu->rejected++;
        gpu->arrival_head = (gpu->arrival_head + 1) % TAG_RING;
        gpu->arrival_count--;
    }
    if (!out->acc_valid)
        return;
    struct event_times *times = times_of(gpu, out->acc_tag);
    memset(times, 0, sizeof *times);
    times->tag = out->acc_tag;
    times->row = out->acc_row;
    times->index = gpu->accepted[out->acc_row]++;
    times->accepted = gpu->cycle;
    times->arrived = gpu->arrivals[gpu->arrival_head];
    gpu->arrival_head = (gpu->arrival_head + 1) % TAG_RING;
    gpu->arrival_count--;
}

static bool step_frontend(struct gpu *gpu, struct error *err)
{
    struct gpu_frontend_in *in = &gpu->fin;
    bool wanted =
        !gpu->fout.idle || in->wr_valid || in->cmd_valid || in->done_valid || in->mr_rsp_valid;
    if (!wanted)
        return true;
    uint32_t kept = gpu->fout.keep_cores;
    bool command_taken = in->cmd_valid && gpu->fout.cmd_ready;
    gpu->tile_steps++;
    if (!tile_step(gpu->frontend, in, &gpu->fout, err))
        return false;
    in->wr_valid = 0; /* a write is always taken */
    gpu->write_held = false;
    if (command_taken) {
        in->cmd_valid = 0;
        gpu->command_held = false;
    }
    match_arrivals(gpu);
    if (gpu->fout.pw_bad && gpu->calls.flag_lost)
        gpu->calls.flag_lost(gpu->calls.user, times_of(gpu, gpu->fout.pw_tag), gpu->fout.pw_why,
                             gpu->fout.pw_addr);
    gpu->kmu.dirty |= gpu->fout.keep_cores != kept;
    if (gpu->fout.rsp_valid && gpu->fout.rsp_code == FRONTEND_CODE_OK &&
        in->cmd_op == FRONTEND_CMD_REGISTER)
        gpu->accepted[gpu->fout.rsp_row] = 0;
    if (gpu->fout.rsp_valid)
        gpu->calls.command_done(gpu->calls.user, gpu->fout.rsp_code, gpu->fout.rsp_row);
    if (gpu->fout.freed_valid)
        gpu->calls.row_freed(gpu->calls.user, gpu->fout.freed_row);
    return true;
}

/* --- the cores' event units ------------------------------------------------------------------- */

static void note_push(struct gpu *gpu, const struct sm_event_unit_out *out)
{
    struct event_times *times = times_of(gpu, out->push_tag);
    times->pushed = gpu->cycle;
    times->path = out->push_fresh ? EVENT_FREE : out->push_spare ? EVENT_SPARE : EVENT_SAVED;
}

static bool step_unit(struct gpu *gpu, uint32_t core, struct error *err)
{
    struct sm_unit *sm = &gpu->sm[core];
    bool wanted = core_event_inputs(sm->core, &sm->in) || sm->in.ev_valid || sm->in.done_ready;
    if (wanted || !sm->out.idle) {
        bool drained = sm->out.want_drain;
        bool flushing = sm->out.vic_valid;
        uint8_t occupancy = sm->out.occupancy;
        gpu->tile_steps++;
        if (!tile_step(sm->tile, &sm->in, &sm->out, err))
            return false;
        core_event_commands(sm->core, &sm->out);
        gpu->preemptions += sm->out.vic_valid && !flushing;
        gpu->core_wake[core] = gpu->cycle;
        if (sm->out.cmd_push)
            note_push(gpu, &sm->out);
        if (sm->out.occupancy < occupancy || (drained && !sm->out.want_drain))
            gpu->kmu.dirty = true;
    }
    sm->in.ev_valid = 0;
    sm->in.done_ready = 0;
    if (sm->out.idle && !sm->out.occupancy)
        gpu->active_units &= ~((uint64_t)1 << core);
    return true;
}

bool events_tick(struct gpu *gpu, struct error *err)
{
    if (!gpu->fout.idle || gpu->write_held || gpu->command_held || gpu->active_units ||
        gpu->done_count || gpu->pointers.count) {
        answer_core_scan(gpu);
        if (!dispatch_warp_event(gpu, err) || !queue_event_kernel(gpu, err))
            return false;
        collect_done(gpu);
        events_answer_abort(gpu);
        serve_memory_read(gpu);
        serve_flag_write(gpu);
        if (!step_frontend(gpu, err))
            return false;
    }
    if (gpu->rooms && !event_rooms_tick(gpu, err))
        return false;
    for (uint64_t left = gpu->active_units; left; left &= left - 1) {
        if (!step_unit(gpu, (uint32_t)__builtin_ctzll(left), err))
            return false;
    }
    return true;
}

uint16_t events_owner(struct gpu *gpu, uint16_t tag)
{
    return owner_counters_of_row(times_of(gpu, tag)->row);
}

void events_started(struct gpu *gpu, uint32_t core, uint16_t tag)
{
    (void)core;
    times_of(gpu, tag)->started = gpu->cycle;
}

void events_grid_done(struct gpu *gpu, const struct running_grid *run)
{
    if (gpu->done_count == gpu->done_capacity) {
        uint32_t capacity = gpu->done_capacity ? 2 * gpu->done_capacity : 64;
        struct done_event *grown = ALLOC_ARRAY(struct done_event, capacity);
        for (uint32_t i = 0; i < gpu->done_count; i++)
            grown[i] = gpu->done[(gpu->done_head + i) % gpu->done_capacity];
        free(gpu->done);
        gpu->done = grown;
        gpu->done_head = 0;
        gpu->done_capacity = capacity;
    }
    gpu->done[(gpu->done_head + gpu->done_count++) % gpu->done_capacity] =
        (struct done_event){.param = run->event_entry,
                            .tag = run->event_tag,
                            .row = run->event_row,
                            .aborted = run->grid.aborted};
    times_of(gpu, run->event_tag)->started = run->grid.issue_cycle;
}

/* An event that only runs leaves its unit's state standing still; the core wakes it. */
bool events_busy(const struct gpu *gpu)
{
    if (!gpu->fout.idle || gpu->write_held || gpu->command_held || gpu->done_count ||
        gpu->pointers.count)
        return true;
    for (uint64_t left = gpu->active_units; left; left &= left - 1) {
        const struct sm_unit *sm = &gpu->sm[__builtin_ctzll(left)];
        if (!sm->out.idle || core_event_pending(sm->core))
            return true;
    }
    return false;
}
