#include "sim/guest/service/packet_pipeline.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/figures.h"
#include "sim/guest/service/packet_internal.h"
#include "sim/guest/service/packet_settings.h"
#include "sim/simt/core.h"
#include "sw/services/common/pipeline.h"

struct packet_pipeline {
    struct packet_service *service;
    const struct packet_stage *stage;
    struct module *module; /* the machine's */
    const struct kernel *kernel;
    uint64_t records, record_bytes; /* bytes of an entry's */
    uint64_t queue;                 /* struct pipeline_queue, or 0 */
    struct event_driver driver;
    struct edge_event *event; /* LAUNCH_EDGE */
    uint32_t doorbell;
    uint32_t row;
};

static bool by_words(const struct packet_service *s)
{
    return s->options.hand == HAND_WORDS;
}

/* The first kernel rings. */
static bool rings(const struct packet_service *s)
{
    return s->options.launch == LAUNCH_EDGE && !by_words(s);
}

uint32_t packet_pipeline_streams(const struct packet_service *s)
{
    const struct machine_config *c = machine_config(s->machine);
    uint32_t most = by_words(s) ? pipeline_waiting(c) : c->streams;
    if (!s->pipeline || s->options.launch != LAUNCH_CPU)
        return 0;
    return c->streams < most ? c->streams : most;
}

/* Where events have cores of their own, these are what second kernels that wait must leave one of.
 */
static bool check_reserved(const struct packet_service *s, struct error *err)
{
    uint32_t reserved = machine_config(s->machine)->events.reserved_cores;
    bool reserve = machine_options(s->machine)->mode == SCHED_MODE_RESERVE;
    return !reserve || s->options.launch != LAUNCH_EDGE || !by_words(s) ||
           s->memory.entries < reserved ||
           error_set(err,
                     "hand=words: %u second kernels may wait at a time, and only %u cores are "
                     "reserved for events (event.reserved_cores); set in_flight to at most %u",
                     s->memory.entries, reserved, reserved ? reserved - 1 : 0);
}

uint64_t packet_pipeline_records(const struct packet_pipeline *p, uint32_t entry, uint64_t *bytes)
{
    *bytes = p->record_bytes;
    return p->records + entry * p->record_bytes;
}

uint64_t packet_pipeline_queue_address(const struct packet_pipeline *p)
{
    return p->queue;
}

struct nic_signal packet_pipeline_signal(const struct packet_pipeline *p)
{
    const struct packet_service *s = p->service;
    if (s->options.launch != LAUNCH_EDGE || !by_words(s))
        return (struct nic_signal){.link = NULL};
    return (struct nic_signal){.link = s->port.link,
                               .from = s->port.self,
                               .to = s->port.gpu,
                               .bar = PCIE_BAR_DOORBELL,
                               .address = p->doorbell};
}

/* --- device memory ------------------------------------------------------------------------------
 */

static bool take_records(struct packet_pipeline *p, struct error *err)
{
    struct packet_service *s = p->service;
    uint64_t bytes;
    p->record_bytes = (uint64_t)p->stage->record_bytes * s->options.batch;
    bytes = p->record_bytes * s->memory.entries;
    p->records = by_words(s) ? packet_region_alloc(s, bytes, "hand=words", err)
                             : guest_alloc(s->guest, bytes, LINE_BYTES, err);
    if (!by_words(s) && p->records)
        guest_describe(s->guest, p->records,
                       &(struct image_note){.what = "records of a pipeline", .initialised = true});
    return p->records != 0;
}

static uint64_t queue_bytes(const struct packet_service *s)
{
    return sizeof(struct pipeline_queue) + s->memory.entries * sizeof(uint32_t);
}

static bool take_queue(struct packet_pipeline *p, struct error *err)
{
    struct packet_service *s = p->service;
    if (!rings(s))
        return true;
    p->queue = guest_alloc(s->guest, queue_bytes(s), LINE_BYTES, err);
    guest_describe(s->guest, p->queue,
                   &(struct image_note){.what = "queue of a pipeline", .initialised = true});
    return p->queue != 0;
}

static bool fill_queue(struct packet_pipeline *p, struct error *err)
{
    struct packet_service *s = p->service;
    struct pipeline_queue *q = machine_memory(s->machine, p->queue, queue_bytes(s));
    q->doorbell = guest_map_doorbell(s->guest, p->doorbell, err);
    q->entries = s->memory.entries;
    return q->doorbell != 0;
}

bool packet_pipeline_create(struct packet_service *s, struct error *err)
{
    struct packet_pipeline *p = ALLOC(struct packet_pipeline);
    s->pipeline = p;
    p->service = s;
    p->stage = s->kind->then;
    p->kernel = packet_load(s, s->options.ptx_then, p->stage->kernel, p->stage->n_arguments,
                            &p->module, err);
    return p->kernel && check_reserved(s, err) && take_records(p, err) && take_queue(p, err);
}

/* --- launches -----------------------------------------------------------------------------------
 */

static bool register_second(struct packet_pipeline *p, struct error *err)
{
    struct packet_service *s = p->service;
    struct edge_error why = {.set = false};
    const struct packet_call call = {p->kernel, p->stage->arguments};
    struct edge_request request = {.grid = {1, 1, 1},
                                   .block = {s->options.batch, 1, 1},
                                   .max_in_flight = s->memory.entries,
                                   .priority = s->options.priority,
                                   .requester = rings(s) ? GPU_RID : s->port.rid,
                                   .completion = s->completion_base};
    p->event = packet_register(s, &p->driver, p->kernel, &request, &why);
    bool ok = p->event != NULL;
    p->row = ok ? edge_row(p->event) : 0;
    p->doorbell = ok ? edge_doorbell(p->event) : 0;
    for (uint32_t i = 0; i < s->memory.entries && ok; i++)
        ok = packet_set_event(s, p->event, &call, i, s->completion_base + i * sizeof(uint32_t),
                              &why);
    return ok ? !rings(s) || fill_queue(p, err) : error_set(err, "%s", why.text);
}

static bool make_kernels(struct packet_pipeline *p, struct error *err)
{
    struct packet_service *s = p->service;
    struct packet_memory *f = &s->memory;
    const struct packet_call call = {p->kernel, p->stage->arguments};
    for (uint32_t i = 0; i < f->entries; i++) {
        uint64_t buffer = guest_alloc(s->guest, p->kernel->param_bytes, LINE_BYTES, err);
        if (!buffer)
            return false;
        packet_write_parameters(s, &call, i, buffer);
        f->kernels[f->entries + i] = (struct driver_kernel){.code = p->kernel->code_address,
                                                            .parameters = buffer,
                                                            .grid = {1, 1, 1},
                                                            .block = {s->options.batch, 1, 1},
                                                            .priority = PACKET_PRIORITY};
    }
    return true;
}

bool packet_pipeline_make_launches(struct packet_pipeline *p, struct error *err)
{
    return p->service->options.launch == LAUNCH_EDGE ? register_second(p, err)
                                                     : make_kernels(p, err);
}

void packet_pipeline_destroy(struct packet_pipeline *p)
{
    if (!p)
        return;
    const struct packet_service *s = p->service;
    bool in_order = s->started && s->nic && nic_finished(s->nic) && !s->failed;
    if (p->event && !(in_order && edge_unregister_event(p->event, NULL)))
        edge_abandon_event(p->event);
    event_driver_free(&p->driver);
    free(p);
}

bool packet_pipeline_is_second(const struct packet_pipeline *p, const struct event_times *event)
{
    return p->event && event && event->row == p->row;
}

uint32_t packet_pipeline_registers(const struct packet_pipeline *p)
{
    return p ? p->kernel->regs : 0;
}

/* --- figures ------------------------------------------------------------------------------------
 */

void packet_pipeline_count(struct packet_pipeline *p, uint32_t kernel, const struct grid *grid)
{
    grid_counters_add(&p->service->figures.pipeline.counts[kernel], &grid->counters);
}

static void collect_events(struct packet_pipeline *p)
{
    struct packet_service *s = p->service;
    const struct kernel *kernels[PIPELINE_KERNELS] = {s->memory.kernel, p->kernel};
    const struct guest_event_kernel *list;
    uint32_t count = guest_event_kernels(s->guest, &list);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < PIPELINE_KERNELS; k++) {
            if (!strcmp(list[i].name, kernels[k]->name))
                s->figures.pipeline.counts[k] = list[i].counts;
        }
    }
}

void packet_pipeline_collect(struct packet_pipeline *p)
{
    struct packet_service *s = p->service;
    struct pipeline_figures *f = &s->figures.pipeline;
    for (uint64_t i = 0; i < s->n_batches; i++) {
        const struct batch_times *t = &s->batches[i];
        if (!t->start || !t->then.handed || !t->then.start || !t->end)
            continue;
        histogram_add(&f->runtime[0], t->then.handed - t->start);
        histogram_add(&f->runtime[1], t->end - t->then.start);
        histogram_add(&f->behind, t->end > t->then.handed ? t->end - t->then.handed : 0);
        s->figures.then_held_cycles += t->end - t->then.placed;
    }
    if (s->options.launch == LAUNCH_EDGE)
        collect_events(p);
}

void packet_pipeline_free_figures(struct pipeline_figures *f)
{
    histogram_free(&f->behind);
    for (uint32_t k = 0; k < PIPELINE_KERNELS; k++)
        histogram_free(&f->runtime[k]);
}

void packet_pipeline_print(const struct packet_pipeline *p, FILE *to)
{
    static const char *const ways[2][2] = {{"by a doorbell of the first one", "by the CPU"},
                                           {"by the NIC, with the first one, and waits for words",
                                            "by the CPU, with the first one, and waits for words"}};
    const struct packet_service *s = p->service;
    const struct pipeline_figures *f = &s->figures.pipeline;
    double packets = s->figures.nic.packets_in ? (double)s->figures.nic.packets_in : 1;
    fprintf(to, "Second kernel         %s, launched %s\n", p->kernel->name,
            ways[by_words(s)][s->options.launch == LAUNCH_CPU]);
    for (uint32_t k = 0; k < PIPELINE_KERNELS; k++) {
        const struct grid_counters *c = &f->counts[k];
        fprintf(to, "%-22s%.1f warp instructions and %.1f bytes of DRAM per packet\n",
                k ? "" : "Both kernels", (double)c->core.warp_instructions / packets,
                (double)(c->memory.dram_read + c->memory.dram_written) / packets);
    }
}

static json_t *json_of_kernel(const struct grid_counters *c, const struct histogram *runtime)
{
    json_t *j = json_pack(
        "{s:I, s:I, s:I, s:I}", "warp_instructions", (json_int_t)c->core.warp_instructions,
        "l2_requests", (json_int_t)(c->memory.l2_hits + c->memory.l2_misses), "dram_read_bytes",
        (json_int_t)c->memory.dram_read, "dram_written_bytes", (json_int_t)c->memory.dram_written);
    json_object_set_new(j, "runtime", figures_json_histogram(runtime));
    return j;
}

json_t *packet_pipeline_json(const struct packet_pipeline *p)
{
    const struct packet_service *s = p->service;
    const struct pipeline_figures *f = &s->figures.pipeline;
    json_t *j = json_pack("{s:s}", "hand", by_words(s) ? "words" : "batch");
    json_object_set_new(j, "first", json_of_kernel(&f->counts[0], &f->runtime[0]));
    json_object_set_new(j, "second", json_of_kernel(&f->counts[1], &f->runtime[1]));
    json_object_set_new(j, "behind", figures_json_histogram(&f->behind));
    return j;
}
