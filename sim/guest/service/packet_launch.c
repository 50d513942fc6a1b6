/* The ways to launch a batch's work that are not an event kernel's (EDGE Figure 3): a polling CPU
 * through the driver, or through a user-level queue (HSA); the NIC itself through such a queue
 * (XTQ); kernels that the CPU has prepared (GPUDirect Async). */
#include <stdlib.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/gpu/queue/packet_processor.h"
#include "sim/guest/service/packet_internal.h"

/* --- when kernels of batches ran ---------------------------------------------------------------
 */

/* Entries are handed out in turn: round r (from 0) of an entry is this batch. */
static uint64_t batch_of(const struct packet_service *s, uint32_t entry, uint64_t round)
{
    return round * s->memory.entries + entry;
}

/* One of a pipeline's two kernels, in any order. */
static void stage_ended(struct packet_service *s, const struct entry_launch *e, uint64_t batch,
                        const struct grid *grid)
{
    struct batch_times *b = packet_batch(s, batch);
    packet_pipeline_count(s->pipeline, e->kernel, grid);
    if (e->kernel) {
        b->then.placed = grid->start_cycle;
        b->then.start = grid->issue_cycle;
        b->end = grid->end_cycle;
    } else {
        b->arrived = grid->queued_cycle;
        b->placed = grid->start_cycle;
        b->start = grid->issue_cycle;
        b->then.handed = grid->end_cycle;
    }
}

/* `arrived`: of what made it start at the GPU; 0: known already. */
static void kernel_ended(struct packet_service *s, uint32_t entry, uint64_t arrived,
                         const struct grid *grid)
{
    struct batch_times *b = packet_batch(s, batch_of(s, entry, s->entry_launch[entry].launches++));
    b->arrived = arrived ? arrived : b->arrived;
    b->placed = grid->start_cycle;
    b->start = grid->issue_cycle;
    b->end = grid->end_cycle;
}

static void driver_kernel_ended(void *user, const struct grid *grid)
{
    struct entry_launch *e = user;
    struct packet_service *s = e->service;
    if (s->pipeline)
        stage_ended(s, e, batch_of(s, e->entry, e->launches++), grid);
    else
        kernel_ended(s, e->entry, s->armed ? 0 : grid->queued_cycle, grid);
    if (s->launcher)
        histogram_add(&s->figures.cpu_start,
                      grid->start_cycle - launcher_called(s->launcher, e->entry, e->kernel));
}

static void queue_kernel_ended(void *user, uint64_t index, uint64_t rung, const struct grid *grid)
{
    struct packet_service *s = user;
    (void)index;
    kernel_ended(s, (uint32_t)((grid->param - s->memory.parameters) / s->memory.parameter_stride),
                 rung, grid);
}

/* --- the NIC and the CPU -----------------------------------------------------------------------
 */

static bool attach(struct pcie *link, struct pcie_endpoint *endpoint, const char *name,
                   uint8_t side, uint8_t *number, struct error *err)
{
    endpoint->name = name;
    endpoint->side = side;
    endpoint->rid = (uint16_t)(HOST_RID + side);
    int n = pcie_attach(link, endpoint, err);
    *number = (uint8_t)n;
    return n >= 0;
}

/* The NIC's way to the memory of the polling CPU. */
static bool create_host_link(struct packet_service *s, struct error *err)
{
    s->host_link = guest_link(s->guest, err);
    if (!s->host_link)
        return false;
    struct pcie_endpoint host = {.user = NULL}, nic = {.user = NULL};
    launcher_endpoint(&host, &s->launcher);
    nic_endpoint(&nic, &s->nic);
    return attach(s->host_link, &host, "host memory", 0, &s->host_end_of_nic, err) &&
           attach(s->host_link, &nic, "nic", 1, &s->nic_end_of_host, err);
}

/* Threads and streams of the driver, the first numbers of consecutive ones. */
static bool take_driver(struct packet_service *s, uint32_t streams, uint32_t *thread,
                        uint32_t *stream, struct error *err)
{
    const struct machine_config *c = machine_config(s->machine);
    for (uint32_t i = 0, number = 0; i < c->cpu_threads; i++) {
        if (!guest_thread(s->guest, &number, err))
            return false;
        *thread = i ? *thread : number;
    }
    for (uint32_t i = 0, number = 0; i < streams; i++) {
        if (!guest_stream(s->guest, &number, err))
            return false;
        *stream = i ? *stream : number;
    }
    return true;
}

static bool create_launcher(struct packet_service *s, struct error *err)
{
    const struct machine_config *c = machine_config(s->machine);
    uint32_t kernels = s->pipeline ? PIPELINE_KERNELS : 1;
    struct launcher_config settings = {.core_khz = c->core_khz,
                                       .threads = c->cpu_threads,
                                       .streams = c->streams,
                                       .poll_ns = c->poll_ns,
                                       .notify_ns = c->poll_ns,
                                       .entries = s->memory.entries,
                                       .kernels = kernels,
                                       .together = s->options.hand == HAND_WORDS,
                                       .then_streams = packet_pipeline_streams(s),
                                       .kernel = s->memory.kernels,
                                       .driver = machine_driver(s->machine),
                                       .queue = s->queue,
                                       .packet = s->packets,
                                       .packet_ns = c->packet_ns,
                                       .nic_link = s->host_link,
                                       .host = s->host_end_of_nic,
                                       .nic = s->nic_end_of_host,
                                       .signal_base = PACKET_SIGNAL_BASE,
                                       .completion_base = s->completion_base,
                                       .done_value = EVG_COMPLETION_DONE};
    if (!s->queue && !take_driver(s, c->streams + settings.then_streams, &settings.first_thread,
                                  &settings.first_stream, err))
        return false;
    s->launcher = launcher_create(&settings, err);
    return s->launcher != NULL;
}

/* --- user-level queues -------------------------------------------------------------------------
 */

static uint32_t power_of_two(uint32_t n)
{
    uint32_t p = 1;
    while (p < n)
        p *= 2;
    return p;
}

static void write_packets(struct packet_service *s, uint64_t signals)
{
    const struct packet_memory *f = &s->memory;
    struct aql_dispatch d = {.acquire = AQL_SCOPE_SYSTEM,
                             .release = AQL_SCOPE_SYSTEM,
                             .dimensions = 1,
                             .group = {(uint16_t)f->block, 1, 1},
                             .grid = {f->grid * f->block, 1, 1},
                             .private_bytes = f->kernel->local_bytes,
                             .shared_bytes = f->kernel->shared_bytes,
                             .kernel = f->kernel->code_address};
    s->packets = ALLOC_ARRAY(uint8_t, (size_t)f->entries * AQL_PACKET_BYTES);
    for (uint32_t i = 0; i < f->entries; i++) {
        d.kernarg = f->kernels[i].parameters;
        d.signal = signals + (uint64_t)i * AQL_SIGNAL_BYTES;
        aql_write_dispatch(s->packets + (size_t)i * AQL_PACKET_BYTES, &d);
    }
}

/* The ring, in device memory unless `ring` is on the bus. */
static bool create_queue(struct packet_service *s, uint64_t ring, uint64_t read_index,
                         uint16_t requester, struct error *err)
{
    uint32_t number = 0;
    if (!(ring & AQL_BUS)) {
        s->ring = guest_alloc(s->guest, (uint64_t)s->ring_packets * AQL_PACKET_BYTES, 256, err);
        if (!s->ring)
            return false;
        ring = s->ring;
    }
    struct pp_queue queue = {.ring = ring,
                             .packets = s->ring_packets,
                             .read_index = read_index,
                             .owner = s->memory.kernel->owner,
                             .requester = requester,
                             .priority = PACKET_PRIORITY,
                             .ended = queue_kernel_ended,
                             .user = s};
    if (!gpu_queue_create(machine_gpu(s->machine), &queue, &number, err))
        return false;
    s->queue_doorbell = (uint64_t)number * AQL_DOORBELL_PAGE;
    return true;
}

/* XTQ: completion signals and the read index are the NIC's. */
static bool create_nic_queue(struct packet_service *s, struct error *err)
{
    uint64_t signals = s->completion_base | AQL_BUS;
    write_packets(s, signals);
    return create_queue(s, 0, signals + (uint64_t)s->memory.entries * AQL_SIGNAL_BYTES, s->port.rid,
                        err);
}

static void on_signal(void *user, uint64_t cycle, uint32_t signal)
{
    struct packet_service *s = user;
    launcher_signalled(s->launcher, cycle, signal);
}

/* HSA: they are in host memory, in which the ring may be as well. */
static bool create_cpu_queue(struct packet_service *s, struct error *err)
{
    struct pcie_endpoint memory = {.user = NULL};
    struct guest_port *port = &s->queue_port;
    user_queue_endpoint(&memory, &s->queue);
    if (!guest_attach_device(s->guest, &memory, port, err))
        return false;
    uint64_t window = port->bus_base | AQL_BUS;
    write_packets(s, window + USER_QUEUE_SIGNALS);
    if (!create_queue(s, s->options.ring_on_gpu ? 0 : window + USER_QUEUE_RING,
                      window + USER_QUEUE_READ_INDEX, port->rid, err))
        return false;
    struct user_queue_config config = {.packets = s->ring_packets,
                                       .signals = s->memory.entries,
                                       .link = port->link,
                                       .host = port->self,
                                       .gpu = port->gpu,
                                       .window = port->bus_base,
                                       .device_ring = s->ring,
                                       .doorbell = s->queue_doorbell,
                                       .signalled = on_signal,
                                       .user = s};
    s->queue = user_queue_create(&config, err);
    return s->queue != NULL;
}

/* --- prepared kernels --------------------------------------------------------------------------
 */

static bool wait_word(void *user, uint64_t address, uint32_t value,
                      void (*done)(void *user, uint64_t cycle, uint64_t written), void *done_user)
{
    struct packet_service *s = user;
    return gpu_wait_word(machine_gpu(s->machine), address, value, done, done_user);
}

static void send_flag(void *user, uint64_t address, uint32_t value)
{
    struct packet_service *s = user;
    gpu_send_word(machine_gpu(s->machine), address, value);
}

/* When a word came that was there before the wait is not known. */
static void on_triggered(void *user, uint32_t entry, uint32_t round, uint64_t written)
{
    struct packet_service *s = user;
    packet_batch(s, batch_of(s, entry, round - 1))->arrived = written;
}

static void on_prepared(void *user, uint64_t cycle)
{
    struct packet_service *s = user;
    if (s->options.fill)
        packet_fill_start(s);
    else
        nic_start(s->nic, cycle);
}

static bool create_prepared(struct packet_service *s, struct error *err)
{
    const struct machine_config *c = machine_config(s->machine);
    uint32_t streams = c->streams / c->cpu_threads * c->cpu_threads;
    s->words = guest_alloc(s->guest, (uint64_t)s->memory.entries * sizeof(uint32_t), 256, err);
    if (!s->words)
        return false;
    struct armed_config settings = {.core_khz = c->core_khz,
                                    .threads = c->cpu_threads,
                                    .streams = streams,
                                    .poll_ns = c->poll_ns,
                                    .entries = s->memory.entries,
                                    .kernel = s->memory.kernels,
                                    .words = s->words,
                                    .completion_base = s->completion_base,
                                    .done_value = EVG_COMPLETION_DONE,
                                    .driver = machine_driver(s->machine),
                                    .wait = wait_word,
                                    .send = send_flag,
                                    .triggered = on_triggered,
                                    .ready = on_prepared,
                                    .user = s};
    if (!take_driver(s, streams, &settings.first_thread, &settings.first_stream, err))
        return false;
    s->armed = armed_create(&settings, err);
    return s->armed != NULL;
}

/* --- the whole ---------------------------------------------------------------------------------
 */

static void create_entries(struct packet_service *s)
{
    uint32_t entries = s->memory.entries, launches = entries * (s->pipeline ? PIPELINE_KERNELS : 1);
    s->entry_launch = ALLOC_ARRAY(struct entry_launch, launches);
    for (uint32_t i = 0; i < launches; i++) {
        s->entry_launch[i] =
            (struct entry_launch){.service = s, .entry = i % entries, .kernel = i / entries};
        s->memory.kernels[i].ended = driver_kernel_ended;
        s->memory.kernels[i].user = &s->entry_launch[i];
    }
    s->ring_packets =
        s->options.ring_packets ? s->options.ring_packets : power_of_two(s->memory.entries);
}

bool packet_launch_create(struct packet_service *s, struct error *err)
{
    enum packet_launch launch = s->options.launch;
    if (s->memory.kernels)
        create_entries(s);
    if (launch == LAUNCH_XTQ)
        return create_nic_queue(s, err);
    if (launch == LAUNCH_GDA)
        return create_prepared(s, err);
    if (launch == LAUNCH_HSA)
        return create_host_link(s, err) && create_cpu_queue(s, err) && create_launcher(s, err);
    return launch != LAUNCH_CPU || (create_host_link(s, err) && create_launcher(s, err));
}

void packet_launch_destroy(struct packet_service *s)
{
    launcher_destroy(s->launcher);
    user_queue_destroy(s->queue);
    armed_destroy(s->armed);
    pcie_destroy(s->host_link);
    free(s->entry_launch);
    free(s->packets);
}

void packet_launch_start(struct packet_service *s, uint64_t cycle)
{
    armed_start(s->armed, cycle);
}

void packet_launch_tick(struct packet_service *s, uint64_t cycle)
{
    if (s->host_link && pcie_next_event(s->host_link) <= cycle)
        pcie_tick(s->host_link, cycle);
    if (s->launcher && launcher_next_event(s->launcher) <= cycle)
        launcher_tick(s->launcher, cycle);
    if (s->armed && armed_next_event(s->armed) <= cycle)
        armed_tick(s->armed, cycle);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t packet_launch_next_event(const struct packet_service *s)
{
    uint64_t next = s->armed ? armed_next_event(s->armed) : CYCLE_NEVER;
    if (!s->launcher)
        return next;
    return earlier(next, earlier(pcie_next_event(s->host_link), launcher_next_event(s->launcher)));
}

struct nic_signal packet_signal(const struct packet_service *s)
{
    struct nic_signal gpu = {.link = s->port.link,
                             .from = s->port.self,
                             .to = s->port.gpu,
                             .bar = PCIE_BAR_DOORBELL,
                             .address = s->memory.doorbell};
    switch (s->options.launch) {
    case LAUNCH_CPU:
    case LAUNCH_HSA:
        return (struct nic_signal){.link = s->host_link,
                                   .from = s->nic_end_of_host,
                                   .to = s->host_end_of_nic,
                                   .bar = PCIE_BAR_MEMORY,
                                   .address = PACKET_SIGNAL_BASE,
                                   .stride = sizeof(uint32_t)};
    case LAUNCH_GDA:
        gpu.kind = NIC_SIGNAL_ROUND;
        gpu.bar = PCIE_BAR_MEMORY;
        gpu.address = s->words;
        gpu.stride = sizeof(uint32_t);
        return gpu;
    case LAUNCH_XTQ:
        gpu.kind = NIC_SIGNAL_QUEUE;
        gpu.bar = PCIE_BAR_QUEUE;
        gpu.address = s->queue_doorbell;
        return gpu;
    case LAUNCH_PERSISTENT:
        gpu.bar = PCIE_BAR_POLLED;
        gpu.address = persistent_ready_address(s->persistent);
        gpu.stride = sizeof(uint32_t);
        return gpu;
    default:
        return gpu;
    }
}
