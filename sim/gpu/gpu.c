#include "sim/gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/event_rooms.h"
#include "sim/gpu/gpu_internal.h"
#include "tb/port_record.h"
#include "sim/mem/memsys_stats.h"
#include "sim/mem/region/fe.h"
#include "tb/serial.h"

static enum perform_result on_perform(void *user, const struct mem_request *request,
                                      uint32_t *words)
{
    struct gpu *gpu = user;
    const struct endpoint *from = memsys_requester(gpu->memsys, request->source);
    if (from->kind == ENDPOINT_HOST) {
        if (request->tag & HOST_TAG_POLLED)
            bus_port_perform(gpu, request);
        else
            region_requests_perform(gpu, request);
    } else if (from->kind == ENDPOINT_CORE) {
        core_perform(gpu->sm[from->index].core, request);
        gpu->core_wake[from->index] = gpu->cycle; /* what waited for it may issue */
    }
    if (request->region && gpu->calls.region_performed)
        gpu->calls.region_performed(gpu->calls.user, request);
    *words = 0;
    return PERFORM_DONE;
}

const struct kernel *gpu_kernel_at(const struct gpu *gpu, uint64_t address)
{
    for (uint32_t i = 0; i < gpu->n_kernels; i++) {
        if (gpu->kernels[i]->code_address == address)
            return gpu->kernels[i];
    }
    return NULL;
}

static const struct kernel *on_kernel_at(void *user, uint64_t address)
{
    return gpu_kernel_at(user, address);
}

static void on_block_done(void *user, uint32_t core, struct grid *grid)
{
    (void)core;
    kmu_block_done(user, grid);
}

static uint16_t on_event_owner(void *user, uint16_t tag)
{
    return events_owner(user, tag);
}

static bool on_owner_ended(void *user, uint32_t owner)
{
    return gpu_owner_ended(user, owner);
}

static void on_event_started(void *user, uint32_t core, uint16_t tag)
{
    events_started(user, core, tag);
}

static bool create_memory(struct gpu *gpu, struct error *err)
{
    const struct gpu_config *config = &gpu->config;
    bool created = config->shared_at
                       ? image_create_shared(&gpu->image, config->shared_at,
                                             config->memory_bytes + config->shared_extra, err)
                       : image_create(&gpu->image, config->memory_bytes, err);
    if (!created)
        return false;
    gpu->image.unguarded = config->unguarded;
    if (!region_port_create(gpu, err))
        return false;
    struct memsys_config mem = config->mem;
    mem.fe = region_port_settings(gpu);
    struct endpoint requesters[MAX_ENDPOINTS];
    for (uint32_t i = 0; i < config->cores; i++)
        requesters[mem.ports++] = (struct endpoint){ENDPOINT_CORE, CLASS_GPU, (uint16_t)i};
    requesters[mem.ports++] = (struct endpoint){ENDPOINT_HOST, CLASS_HOST, 0};
    for (uint32_t i = 0; i < config->cpu_cores; i++)
        requesters[mem.ports++] = (struct endpoint){ENDPOINT_CPU, CLASS_CPU, (uint16_t)i};
    mem.requesters = requesters;
    mem.core_khz = config->core_khz;
    mem.perform = on_perform;
    mem.user = gpu;
    gpu->memsys = memsys_create(&mem, err);
    if (!gpu->memsys)
        return false;
    gpu->host.port = memsys_port(gpu->memsys, ENDPOINT_HOST, 0);
    bus_port_create(gpu);
    return true;
}

#define DESCRIBED_WARPS 3u

static void close_block(struct gpu *gpu, uint64_t address, const char *what, const char *name)
{
    image_describe(&gpu->image, address,
                   &(struct image_note){.access = IMAGE_CLOSED, .what = what, .name = name});
}

static bool create_core(struct gpu *gpu, uint32_t id, struct error *err)
{
    uint64_t save =
        image_alloc(&gpu->image, (uint64_t)EVG_PEWT_ENTRIES * MAX_REGS * LINE_BYTES, LINE_BYTES);
    uint64_t local = image_alloc(
        &gpu->image, (uint64_t)EVG_PEWT_ENTRIES * WARP_SIZE * EVENT_LOCAL_BYTES, LINE_BYTES);
    if (!save || !local)
        return error_set(err,
                         "gpu.memory_mib: must be larger to hold the event save areas of %u cores",
                         gpu->config.cores);
    close_block(gpu, save, "saved registers", NULL);
    close_block(gpu, local, "local memory of events", NULL);
    struct core_env env = {.image = &gpu->image,
                           .memsys = gpu->memsys,
                           .port = id,
                           .n_cores = gpu->config.cores,
                           .core_khz = gpu->config.core_khz,
                           .turned = &gpu->turns.turned,
                           .save_area = save,
                           .event_local = local,
                           .event_local_bytes = EVENT_LOCAL_BYTES,
                           .kernel_at = on_kernel_at,
                           .block_done = on_block_done,
                           .event_owner = on_event_owner,
                           .owner_ended = on_owner_ended,
                           .event_started = on_event_started,
                           .user = gpu};
    device_runtime_connect(&env);
    env.check = gpu->check;
    env.warms = untimed_warms(gpu);
    region_port_connect(gpu, &env);
    bus_port_connect(gpu, &env);
    gpu->sm[id].core = core_create(&gpu->config.core, &env, err);
    return gpu->sm[id].core != NULL;
}

static bool create_concurrency(struct gpu *gpu, struct error *err)
{
    const struct gpu_config *k = &gpu->config;
    struct core *cores[GPU_MAX_CORES];
    if (k->concurrency.choice.policy == CONCURRENCY_OFF)
        return true;
    if (k->core.warp_limit)
        return error_set(err,
                         "core.warp_limit = %u and --concurrency %s both limit the warps of a "
                         "core; set core.warp_limit to 0",
                         k->core.warp_limit, k->concurrency.choice.name);
    for (uint32_t i = 0; i < k->cores; i++)
        cores[i] = gpu->sm[i].core;
    struct concurrency_env env = {.core = cores,
                                  .cores = k->cores,
                                  .schedulers = k->core.schedulers,
                                  .partitions = k->mem.partitions,
                                  .core_khz = k->core_khz,
                                  .l2_khz = k->mem.l2_khz,
                                  .memsys = gpu->memsys,
                                  .core_wake = gpu->core_wake,
                                  .backend = k->backend,
                                  .place = &gpu->place};
    gpu->concurrency = concurrency_create(&k->concurrency, &env, err);
    return gpu->concurrency != NULL;
}

static bool open_link(struct gpu *gpu, struct error *err)
{
    if (gpu->config.backend != TILE_SERIAL && gpu->config.backend != TILE_MIXED)
        return true;
    gpu->place.ahead = true;
    gpu->place.board = serial_link_open(gpu->config.serial_port, err);
    return gpu->place.board != NULL;
}

bool gpu_settle(struct gpu *gpu, struct error *err)
{
    return !gpu->place.board || serial_link_settle(gpu->place.board, err);
}

static bool create_parts(struct gpu *gpu, struct error *err)
{
    gpu->place.ports = gpu->config.ports;
    if (gpu->config.ports)
        port_record_clock(gpu->config.ports, &gpu->cycle);
    if (!create_memory(gpu, err) || !open_link(gpu, err))
        return false;
    if (gpu->config.checks)
        gpu->check = checker_create(gpu->config.checks, &gpu->image, gpu->config.cores,
                                    gpu->config.core.blocks);
    gpu->sm = ALLOC_ARRAY(struct sm_unit, gpu->config.cores);
    gpu->core_wake = ALLOC_ARRAY(uint64_t, gpu->config.cores);
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        if (!create_core(gpu, i, err))
            return false;
    }
    core_turns_create(gpu);
    kmu_create(gpu);
    if (!events_create(gpu, err) || !create_concurrency(gpu, err))
        return false;
    return !gpu->place.board || serial_link_used(gpu->place.board) ||
           error_set(err, "%s: the board implements no tile of this run", gpu->config.serial_port);
}

struct gpu *gpu_create(const struct gpu_config *config, const struct gpu_callbacks *callbacks,
                       struct error *err)
{
    struct gpu *gpu = alloc_lines(1, sizeof *gpu);
    gpu->config = *config;
    gpu->calls = *callbacks;
    if (create_parts(gpu, err))
        return gpu;
    gpu_destroy(gpu);
    return NULL;
}

void gpu_destroy(struct gpu *gpu)
{
    if (!gpu)
        return;
    concurrency_destroy(gpu->concurrency);
    pp_destroy(gpu->processor);
    device_launch_destroy(gpu);
    events_destroy(gpu);
    kmu_destroy(gpu);
    core_turns_destroy(gpu);
    for (uint32_t i = 0; gpu->sm && i < gpu->config.cores; i++)
        core_destroy(gpu->sm[i].core);
    memsys_destroy(gpu->memsys);
    serial_link_close(gpu->place.board); /* tiles of all these parts may lie behind it */
    image_destroy(&gpu->image);
    checker_destroy(gpu->check);
    free(gpu->sm);
    free(gpu->core_wake);
    free(gpu->kernels);
    free(gpu);
}

struct image *gpu_image(struct gpu *gpu)
{
    return &gpu->image;
}

struct memsys *gpu_memory(struct gpu *gpu)
{
    return gpu->memsys;
}

static uint64_t on_allocate(void *user, uint64_t bytes, uint64_t align)
{
    return image_alloc(user, bytes, align);
}

static void add_kernels(struct gpu *gpu, struct module *module)
{
    for (uint32_t i = 0; i < module_kernel_count(module); i++) {
        const struct kernel *kernel = module_kernel_at(module, i);
        close_block(gpu, kernel->code_address, "code of kernel", kernel->name);
        ARRAY_RESERVE(gpu->kernels, gpu->n_kernels, gpu->cap_kernels);
        gpu->kernels[gpu->n_kernels++] = module_kernel_at(module, i);
        device_runtime_set_stack(gpu, gpu->kernels[gpu->n_kernels - 1]);
    }
}

bool gpu_load(struct gpu *gpu, struct module *module, struct error *err)
{
    if (!module_place(module, on_allocate, &gpu->image, err))
        return false;
    for (uint32_t i = 0; i < module_variable_count(module); i++) {
        const struct module_variable *v = module_variable_at(module, i);
        if (v->init)
            memcpy(gpu->image.base + v->address, v->init, v->size);
    }
    add_kernels(gpu, module);
    return true;
}

bool gpu_load_like(struct gpu *gpu, struct module *module, const struct module *like,
                   struct error *err)
{
    if (!module_place_like(module, like, on_allocate, &gpu->image, err))
        return false;
    add_kernels(gpu, module);
    return true;
}

/* After a cycle, what the tiles of the memory partitions say. */
static bool check_partitions(struct gpu *gpu, struct error *err)
{
    const struct error *error = memsys_error(gpu->memsys);
    if (error->set)
        return error_set(err, "%s", error->text);
    if (!gpu->region.open)
        return true;
    region_port_tick(gpu);
    if (gpu->aborting)
        events_free_aborted(gpu);
    struct fe_report report;
    return !memsys_fe_timed_out(gpu->memsys, &report) || region_report(gpu, &report, err);
}

/* --- concurrency management ------------------------------------------------------------------- */

/* Its clock stands still while the GPU has had nothing to do for so many intervals: hours without
 * work would otherwise be billions of them. */
#define INTERVALS_AWAKE 64u

static uint64_t concurrency_time(const struct gpu *gpu)
{
    return gpu->cycle - gpu->concurrency_slept;
}

static bool concurrency_sleeps(const struct gpu *gpu)
{
    return gpu->cycle - gpu->busy_at >
               (uint64_t)INTERVALS_AWAKE * gpu->config.concurrency.interval &&
           memsys_idle(gpu->memsys);
}

static uint64_t next_decision(const struct gpu *gpu)
{
    uint64_t now = concurrency_time(gpu), next = concurrency_next_event(gpu->concurrency, now);
    if (next > now && concurrency_sleeps(gpu))
        return UINT64_MAX;
    return next + gpu->concurrency_slept;
}

static bool tick_concurrency(struct gpu *gpu, struct error *err)
{
    if (gpu->kmu.n_running || gpu->active_units || !memsys_idle(gpu->memsys))
        gpu->busy_at = gpu->cycle;
    return concurrency_tick(gpu->concurrency, concurrency_time(gpu), err);
}

/* --- time ------------------------------------------------------------------------------------- */

bool gpu_tick(struct gpu *gpu, struct error *err)
{
    if (gpu->concurrency && !tick_concurrency(gpu, err))
        return false;
    if (!events_tick(gpu, err))
        return false;
    if (gpu->processor && pp_next_event(gpu->processor) <= gpu->cycle)
        pp_tick(gpu->processor, gpu->cycle);
    if (device_launch_next(gpu) <= gpu->cycle)
        device_launch_tick(gpu);
    if (!kmu_tick(gpu, err))
        return false;
    if (untimed_next(gpu) <= gpu->cycle)
        untimed_tick(gpu);
    if (!core_turns(gpu, err))
        return false;
    host_port_tick(gpu);
    if (gpu->bus.count)
        bus_port_tick(gpu);
    memsys_tick(gpu->memsys);
    gpu->cycle++;
    return (!gpu->region.open && !gpu->concurrency) || check_partitions(gpu, err);
}

uint64_t gpu_cycle(const struct gpu *gpu)
{
    return gpu->cycle;
}

uint64_t gpu_next_event(const struct gpu *gpu)
{
    if (gpu->aborting || events_busy(gpu) || host_port_wants(gpu) ||
        memsys_reply_ports(gpu->memsys, 0))
        return gpu->cycle;
    uint64_t next = kmu_next_event(gpu), bus = bus_port_next(gpu);
    next = bus < next ? bus : next;
    if (gpu->untimed.running && untimed_next(gpu) < next)
        next = untimed_next(gpu);
    if (gpu->processor && pp_next_event(gpu->processor) < next)
        next = pp_next_event(gpu->processor);
    if (device_launch_next(gpu) < next)
        next = device_launch_next(gpu);
    if (gpu->concurrency) {
        uint64_t decision = next_decision(gpu);
        next = decision < next ? decision : next;
    }
    if (gpu->rooms && event_rooms_next(gpu) < next)
        next = event_rooms_next(gpu);
    uint64_t cores = core_turns_next(gpu);
    next = cores < next ? cores : next;
    if (next <= gpu->cycle)
        return gpu->cycle;
    if (!memsys_idle(gpu->memsys)) {
        uint64_t quiet =
            memsys_quiet_cycles(gpu->memsys) - 1; /* a reply may wait for its word for ever */
        if (next - gpu->cycle > quiet)
            next = gpu->cycle + quiet;
    }
    return next;
}

void gpu_skip_to(struct gpu *gpu, uint64_t cycle)
{
    if (cycle <= gpu->cycle)
        return;
    memsys_skip(gpu->memsys, cycle - gpu->cycle);
    if (gpu->concurrency && cycle > gpu->cycle && concurrency_sleeps(gpu))
        gpu->concurrency_slept += cycle - gpu->cycle;
    gpu->cycle = cycle;
    gpu->turns.turned = cycle;
}

bool gpu_idle(const struct gpu *gpu)
{
    return !gpu->kmu.n_pending && !gpu->kmu.n_running && !gpu->active_units && !events_busy(gpu) &&
           !host_port_busy(gpu) && !gpu->bus.count && memsys_idle(gpu->memsys) &&
           !(gpu->processor && pp_busy(gpu->processor)) && device_launch_next(gpu) == UINT64_MAX;
}

static void add_core_stats(struct core_stats *sum, const struct core_stats *one)
{
    /* core_stats is an array of counters. */
    uint64_t *to = (uint64_t *)(void *)sum;
    const uint64_t *from = (const uint64_t *)(const void *)one;
    for (size_t i = 0; i < sizeof *sum / sizeof *to; i++)
        to[i] += from[i];
}

void gpu_stats(const struct gpu *gpu, struct gpu_stats *stats)
{
    memset(stats, 0, sizeof *stats);
    stats->cycles = gpu->cycle;
    stats->doorbells = gpu->doorbells;
    stats->events = gpu->events;
    stats->events_aborted = gpu->aborted;
    memcpy(stats->events_by_path, gpu->by_path, sizeof stats->events_by_path);
    stats->rejected_unregistered = gpu->fout.err_unregistered;
    stats->rejected_misaligned = gpu->fout.err_misaligned;
    stats->rejected_size = gpu->fout.err_size;
    stats->rejected_foreign = gpu->fout.err_foreign;
    stats->rejected_overrun = gpu->fout.err_overrun;
    stats->rejected_pointers = gpu->fout.err_pointer;
    stats->flags_unanswered = gpu->fout.err_answer;
    stats->flags_timed_out = gpu->fout.err_timeout;
    stats->flags_silent = gpu->fout.err_silent;
    stats->n_cores = gpu->config.cores;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        core_stats(gpu->sm[i].core, &stats->core[i]);
        add_core_stats(&stats->cores, &stats->core[i]);
    }
    memsys_stats(gpu->memsys, &stats->mem);
    stats->processor_used = gpu->processor != NULL;
    if (gpu->processor)
        pp_get_stats(gpu->processor, &stats->processor);
    stats->tile_steps = gpu->tile_steps;
    event_rooms_stats(gpu, &stats->rooms);
    stats->launches = gpu->untimed.launches;
    stats->timed = gpu->untimed.timed;
    stats->timing_named = gpu->untimed.named;
    stats->timed_anyway = gpu->untimed.timed_anyway;
    stats->native = gpu->untimed.native;
}

bool gpu_concurrency(struct gpu *gpu, struct concurrency_stats *stats)
{
    if (gpu->concurrency)
        concurrency_get_stats(gpu->concurrency, concurrency_time(gpu), stats);
    return gpu->concurrency != NULL;
}

uint32_t gpu_core_khz(const struct gpu *gpu)
{
    return gpu->config.core_khz;
}

uint64_t gpu_waiting_since(const struct gpu *gpu, uint64_t from)
{
    uint64_t since = gpu->cycle;
    for (uint32_t i = 0; i < TAG_RING; i++) {
        const struct event_times *t = &gpu->times[i];
        if (t->accepted && !t->pushed && t->arrived >= from && t->arrived < since)
            since = t->arrived;
    }
    return since;
}

struct gpu_watch gpu_watch(const struct gpu *gpu)
{
    return (struct gpu_watch){.preemptions = gpu->preemptions,
                              .doorbells = gpu->doorbells,
                              .rejected = gpu->rejected,
                              .fe_watches = memsys_fe_watches(gpu->memsys)};
}

bool gpu_trace(struct gpu *gpu, struct tile_trace *trace, struct error *err)
{
    gpu->watched = true;
    if (!tile_trace_add(trace, gpu->frontend, err))
        return false;
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        if (!tile_trace_add(trace, gpu->sm[i].tile, err))
            return false;
    }
    if (gpu->rooms && !event_rooms_trace(gpu, trace, err))
        return false;
    if (gpu->concurrency && !concurrency_trace(gpu->concurrency, trace, err))
        return false;
    if (!gpu_region_start(gpu, err))
        return false;
    for (uint32_t i = 0; gpu->region.bytes && i < gpu->config.mem.partitions; i++) {
        if (!tile_trace_add(trace, fe_tile(memsys_fe(gpu->memsys, i)), err))
            return false;
    }
    return true;
}

const char *gpu_running_kernel(const struct gpu *gpu, double *share, uint32_t *id)
{
    if (!gpu->kmu.n_running)
        return NULL;
    const struct grid *grid = &gpu->kmu.running[gpu->kmu.order[0]].grid;
    *share = (double)grid->blocks_done / (double)grid->total_blocks;
    *id = grid->id;
    return grid->kernel->name;
}

void gpu_describe(const struct gpu *gpu, void (*line)(void *user, const char *text), void *user)
{
    char text[160];
    snprintf(text, sizeof text, "front end: %s, doorbell write %s, event %s, completion %s",
             gpu->fout.idle ? "idle" : "busy", gpu->write_held ? "held" : "none",
             gpu->fout.ev_valid ? "waits for a core" : "none",
             gpu->fout.pw_valid ? "waits for PCIe" : "none");
    line(user, text);
    snprintf(text, sizeof text,
             "kernels: %u running, %u pending; host port: %u queued, %u in flight",
             gpu->kmu.n_running, gpu->kmu.n_pending, gpu->host.count, gpu->host.outstanding);
    line(user, text);
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        const struct sm_event_unit_out *out = &gpu->sm[i].out;
        if (out->occupancy) {
            snprintf(text, sizeof text, "sm%u event unit: %u events, take state %u, back state %u",
                     i, out->occupancy, out->take_state, out->back_state);
            line(user, text);
        }
    }
}

struct first_lines {
    void (*line)(void *user, const char *text);
    void *user;
    uint32_t count;
};

static void take_line(void *user, const char *text)
{
    struct first_lines *f = user;
    if (f->count++ < DESCRIBED_WARPS)
        f->line(f->user, text);
}

void gpu_describe_warps(const struct gpu *gpu, void (*line)(void *user, const char *text),
                        void *user)
{
    struct first_lines f = {.line = line, .user = user};
    char text[64];
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        core_describe(gpu->sm[i].core, take_line, &f);
    if (f.count <= DESCRIBED_WARPS)
        return;
    snprintf(text, sizeof text, "and %u more warps", f.count - DESCRIBED_WARPS);
    line(user, text);
}
