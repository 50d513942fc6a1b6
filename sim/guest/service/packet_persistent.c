#include "sim/guest/service/packet_persistent.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/guest/service/packet_internal.h"
#include "sw/services/common/persistent.h"

#define QUEUE_PARAMETERS 6u /* of the kernel, before those of the service */

/* A batch that is at work for longer than this many cycles does not count as work any more. */
#define LONGEST_BATCH 50000000u

_Static_assert(PERSISTENT_DONE == EVG_COMPLETION_DONE, "what the NIC takes for done");

struct serving {
    uint64_t batches; /* that have begun */
    uint64_t instructions;
    uint64_t since; /* cycle */
    bool at_work;
};

struct persistent {
    struct packet_service *service;
    uint32_t warps;
    uint64_t ready, parameters;
    uint32_t *stop; /* [entries], what is copied into the ready words */
    uint32_t thread, launch_stream, stop_stream;
    bool stopping, stopped, ended;
    struct serving *serving; /* by warp */
    struct persistent_figures figures;
};

/* --- set-up ------------------------------------------------------------------------------------
 */

/* Warps that fit on the GPU, and for want of what no more. */
static uint32_t room_for(const struct packet_service *s, const char **limiter, struct error *err)
{
    const struct machine_config *c = machine_config(s->machine);
    const uint32_t block[3] = {WARP_SIZE, 1, 1};
    return c->cores * core_occupancy(&c->core, s->memory.kernel, block, 0, limiter, err);
}

uint32_t persistent_default(const struct packet_service *s, uint32_t entries)
{
    struct error none = {.set = false};
    uint32_t most = room_for(s, NULL, &none) / 2;
    most = most ? most : 1;
    return entries < most ? entries : most;
}

static bool check_room(const struct persistent *p, struct error *err)
{
    const struct packet_service *s = p->service;
    const char *limiter = "";
    uint32_t room = room_for(s, &limiter, err);
    if (err->set)
        return false;
    if (p->warps > s->memory.entries)
        return error_set(
            err, "persistent_warps=%u: each warp needs an entry of the NIC's queue, which has %u",
            p->warps, s->memory.entries);
    return p->warps <= room ||
           error_set(err,
                     "persistent_warps=%u: only %u warps of %s fit on the GPU; it runs out of %s",
                     p->warps, room, s->memory.kernel->name, limiter);
}

static bool take_driver(struct persistent *p, struct error *err)
{
    struct guest *g = p->service->guest;
    return guest_thread(g, &p->thread, err) && guest_stream(g, &p->launch_stream, err) &&
           guest_stream(g, &p->stop_stream, err);
}

static void *host(const struct persistent *p, uint64_t address)
{
    return machine_memory(p->service->machine, address, 1);
}

static uint64_t make_entries(struct persistent *p, struct error *err)
{
    const struct packet_memory *f = &p->service->memory;
    uint64_t bytes = f->entries * sizeof(struct persistent_entry);
    uint64_t address = guest_alloc(p->service->guest, bytes, 256, err);
    struct persistent_entry *e = address ? host(p, address) : NULL;
    for (uint32_t i = 0; i < f->entries && e; i++)
        e[i] = (struct persistent_entry){f->entry[i].input, f->entry[i].results};
    return address;
}

/* The queue's parameters, then those of the service's kernels but slots, count and results. */
static bool make_parameters(struct persistent *p, struct error *err)
{
    struct packet_service *s = p->service;
    const struct packet_memory *f = &s->memory;
    uint64_t nic = guest_map_device(s->guest, &s->port, 0, PACKET_NIC_BYTES, err);
    const uint64_t queue[QUEUE_PARAMETERS] = {p->ready,
                                              make_entries(p, err),
                                              nic + (s->completion_base - s->port.bus_base),
                                              guest_alloc(s->guest, sizeof(uint32_t), 256, err),
                                              nic + PACKET_ATTENTION_OFFSET,
                                              f->entries};
    p->parameters = guest_alloc(s->guest, f->kernel->param_bytes, 256, err);
    if (err->set)
        return false;
    uint32_t next = 0;
    for (uint32_t i = 0; i < f->kernel->n_params; i++) {
        const struct kernel_param *param = &f->kernel->params[i];
        uint64_t value;
        if (i < QUEUE_PARAMETERS) {
            value = queue[i];
        } else {
            while (next < s->kind->n_arguments && !packet_constant(s->kind->arguments[next]))
                next++;
            if (next == s->kind->n_arguments)
                return error_set(err, "%s: kernel %s has too many parameters", s->options.ptx,
                                 f->kernel->name);
            value = packet_argument(s, 0, s->kind->arguments[next++]);
        }
        memcpy(host(p, p->parameters + param->offset), &value, param->size);
    }
    return true;
}

struct persistent *persistent_create(struct packet_service *s, struct error *err)
{
    struct persistent *p = ALLOC(struct persistent);
    uint32_t entries = s->memory.entries, bytes = entries * (uint32_t)sizeof(uint32_t);
    p->service = s;
    p->warps = s->options.persistent_warps;
    p->serving = ALLOC_ARRAY(struct serving, p->warps);
    p->stop = ALLOC_ARRAY(uint32_t, entries);
    for (uint32_t i = 0; i < entries; i++)
        p->stop[i] = PERSISTENT_STOP;
    p->figures.warps = p->figures.blocks = p->warps;
    p->figures.registers = p->warps * WARP_SIZE * s->memory.kernel->regs;
    p->ready = check_room(p, err) ? guest_alloc(s->guest, bytes, 256, err) : 0;
    if (p->ready && make_parameters(p, err) && take_driver(p, err))
        return p;
    persistent_destroy(p);
    return NULL;
}

void persistent_destroy(struct persistent *p)
{
    if (!p)
        return;
    free(p->serving);
    free(p->stop);
    free(p);
}

uint64_t persistent_ready_address(const struct persistent *p)
{
    return p->ready;
}

/* --- life --------------------------------------------------------------------------------------
 */

static void count_call(struct persistent *p, const struct driver_times *times)
{
    p->figures.cpu_busy_cycles += times->enqueued - times->called;
}

static void on_ended(void *user, const struct grid *grid)
{
    struct persistent *p = user;
    const struct traffic *memory = &grid->counters.memory;
    p->figures.l2_requests = memory->l2_hits + memory->l2_misses;
    p->figures.dram_bytes = memory->dram_read + memory->dram_written;
}

static void on_done(void *user, uint64_t cycle, const struct driver_times *times)
{
    struct persistent *p = user;
    (void)cycle;
    count_call(p, times);
    p->ended = true;
}

static void on_stopped(void *user, uint64_t cycle, const struct driver_times *times)
{
    struct persistent *p = user;
    (void)cycle;
    count_call(p, times);
    p->stopped = true;
}

bool persistent_start(struct persistent *p, struct error *err)
{
    const struct guest_launch launch = {.kernel = p->service->memory.kernel,
                                        .grid = {p->warps, 1, 1},
                                        .block = {WARP_SIZE, 1, 1},
                                        .parameters = p->parameters,
                                        .priority = 1, /* before what runs beside it */
                                        .thread = p->thread,
                                        .stream = p->launch_stream,
                                        .ended = on_ended,
                                        .done = on_done,
                                        .user = p};
    return guest_launch(p->service->guest, &launch, err);
}

bool persistent_stop(struct persistent *p, struct error *err)
{
    const struct driver_call call = {.kind = DRIVER_COPY_IN,
                                     .thread = p->thread,
                                     .stream = p->stop_stream,
                                     .device = p->ready,
                                     .host = p->stop,
                                     .bytes = p->service->memory.entries * sizeof(uint32_t),
                                     .done = on_stopped,
                                     .user = p};
    if (p->stopping)
        return true;
    p->stopping = true;
    return guest_call(p->service->guest, &call, err);
}

bool persistent_ended(const struct persistent *p)
{
    return p->ended && p->stopped;
}

/* --- what the kernel says ----------------------------------------------------------------------
 */

/* A warp has the batches w, w + W, w + 2 W, ... of the NIC. */
void persistent_mark(struct persistent *p, uint64_t cycle, const struct core_mark *mark)
{
    if (mark->block >= p->warps)
        return;
    struct serving *v = &p->serving[mark->block];
    uint64_t batch = (v->batches - v->at_work) * p->warps + mark->block;
    if (mark->events >> PERSISTENT_BEGINS & 1 && !v->at_work) {
        packet_batch_begins(p->service, batch, cycle);
        *v = (struct serving){v->batches + 1, mark->warp_instructions, cycle, true};
    } else if (mark->events >> PERSISTENT_ENDS & 1 && v->at_work) {
        packet_batch_ends(p->service, batch, cycle);
        p->figures.work_instructions += mark->warp_instructions - v->instructions;
        v->at_work = false;
    }
}

static bool at_work(const struct persistent *p)
{
    uint64_t now = machine_cycle(p->service->machine);
    for (uint32_t i = 0; i < p->warps; i++) {
        if (p->serving[i].at_work && now - p->serving[i].since < LONGEST_BATCH)
            return true;
    }
    return false;
}

static uint64_t instructions(const struct persistent *p)
{
    struct gpu_owner_work work;
    guest_work(p->service->guest, &work);
    return work.warp_instructions;
}

uint64_t persistent_polls(const struct persistent *p)
{
    return at_work(p) ? 0 : instructions(p) - p->figures.work_instructions;
}

void persistent_get_figures(const struct persistent *p, struct persistent_figures *figures)
{
    *figures = p->figures;
    figures->instructions = instructions(p);
}
