#include "sim/guest/service/promise.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/kernel/stress.h"
#include "sim/guest/service/packet_internal.h"
#include "sim/guest/service/packet_setup.h"

#define NS_PER_S     1000000000u
#define MEASURED_NS  100000u  /* of traffic per pattern, unless that is fewer packets than ... */
#define PATIENCE_NS  1500000u /* after the last packet has come */
#define LEAST_EVENTS 6u       /* full batches */
#define FLOOD        200000u  /* packets of the neighbour, more than can come in that time */

/* Two machines' worth of things; lives as long as the machine. */
struct measurement {
    const struct promise_request *request;
    struct machine *machine;
    struct capture capture, flood;
    uint32_t evenly; /* first packet of the second pattern */
    volatile sig_atomic_t stop;
};

/* Packets of the service's own traffic, again and again, with no time stamps yet. */
static void copy_packets(struct capture *to, const struct capture *from, uint32_t count)
{
    *to = *from;
    to->count = count;
    to->packets = ALLOC_ARRAY(struct captured_packet, count);
    for (uint32_t i = 0; i < count; i++) {
        to->packets[i] = from->packets[i % from->count];
        to->packets[i].timestamp_ns = 0;
    }
}

/* Bursts as the declared rate allows, then, after a pause, the same packets evenly. */
static void make_traffic(struct measurement *m, const struct packet_options *o)
{
    const struct packet_promise *p = &o->promise;
    uint64_t count = (uint64_t)p->rate * MEASURED_NS / NS_PER_S;
    uint64_t least = (uint64_t)LEAST_EVENTS * (p->burst > o->batch ? p->burst : o->batch);
    count = count < least ? least : count;
    m->evenly = (uint32_t)count;
    copy_packets(&m->capture, o->capture, (uint32_t)(2 * count));
    uint64_t pause = (count + p->burst) * NS_PER_S / p->rate;
    for (uint64_t i = 0; i < count; i++) {
        m->capture.packets[i].timestamp_ns = i / p->burst * p->burst * NS_PER_S / p->rate;
        m->capture.packets[count + i].timestamp_ns = pause + i * NS_PER_S / p->rate;
    }
}

static bool add_services(struct measurement *m, struct packet_options *o, struct error *err)
{
    const struct promise_request *r = m->request;
    o->pace = NIC_PACE_TIMESTAMPS;
    o->drop = false;
    o->sent_path = NULL;
    o->promise = (struct packet_promise){.p99_ns = 0};
    o->capture = &m->capture;
    if (!packet_setup_attach(r->setup, m->machine, "measured", err))
        return false;
    o->capture = &m->flood;
    o->priority = 0;
    return packet_setup_attach(r->setup, m->machine, "neighbour", err) &&
           stress_create(m->machine, err);
}

static void on_tick(void *user, uint64_t cycle)
{
    struct measurement *m = user;
    const struct guest *g = machine_guest_at(m->machine, 0);
    (void)cycle;
    m->stop = guest_ops(g)->finished(guest_self(g)) || (m->request->stop && *m->request->stop);
}

static void take_result(struct measurement *m, struct packet_promise *p)
{
    struct packet_service *s = guest_self(machine_guest_at(m->machine, 0));
    const struct packet_figures *f = packet_figures(s);
    const struct nic_record *records = nic_records(s->nic);
    uint64_t slowest = 0;
    for (uint32_t i = 0; i < m->capture.count; i++) {
        uint64_t cycles = records[i].departure - records[i].arrival;
        slowest = cycles > slowest ? cycles : slowest;
    }
    uint32_t khz = m->request->config->core_khz, margin = 100 + PROMISE_MARGIN_PERCENT;
    p->worst_ns = rate_cycles_to_ns(slowest, khz) * margin / 100;
    p->event_ns = rate_cycles_to_ns(histogram_summarise(&f->runtime).max, khz) * margin / 100 + 1;
}

/* Cycles after which the service does not keep up. */
static uint64_t patience(const struct measurement *m)
{
    uint64_t last = m->capture.packets[m->capture.count - 1].timestamp_ns;
    return (last + PATIENCE_NS) * (m->request->config->core_khz / 1000) / 1000;
}

static bool measure(struct measurement *m, struct packet_promise *result, struct error *err)
{
    struct run_control control = {.stop = &m->stop, .max_cycles = patience(m)};
    struct error ended = {0};
    machine_on_tick(m->machine, on_tick, m);
    enum run_end end = machine_run(m->machine, &control, &ended);
    if (m->request->stop && *m->request->stop)
        return error_set(err, "stopped during the measurement of its promise");
    if (end == RUN_LIMIT || end == RUN_HUNG)
        return error_set(err,
                         "no p99 can be promised: under full contention the events do not keep up "
                         "with %u packets per second; lower promise_rate",
                         result->rate);
    if (end != RUN_STOPPED && end != RUN_DONE)
        return error_set(err, "the measurement for the promise fails: %s", ended.text);
    take_result(m, result);
    return true;
}

bool promise_wanted(struct packet_setup *setup)
{
    return packet_setup_options(setup)->promise.p99_ns != 0;
}

bool promise_reserve(struct packet_setup *setup, struct machine_config *config, struct error *err)
{
    const struct packet_options *o = packet_setup_options(setup);
    if (o->launch != LAUNCH_EDGE || o->foreign || o->thread_blocks)
        return true;
    struct module *module =
        o->registers ? module_load_within(o->ptx, o->registers, err) : module_load(o->ptx, err);
    if (!module)
        return false;
    uint32_t most = 0;
    for (uint32_t i = 0; i < module_kernel_count(module); i++) {
        const struct kernel *kernel = module_kernel_at(module, i);
        most = kernel->regs > most ? kernel->regs : most;
    }
    module_free(module);
    uint32_t reserve = event_reserve(most);
    config->events.spare_registers = 1;
    if (config->core.register_reserve < reserve)
        config->core.register_reserve = reserve;
    return reserve < config->core.registers ||
           error_set(err, "the promise would reserve %u of a core's %u registers for events",
                     reserve, config->core.registers);
}

bool promise_measure(const struct promise_request *request, struct error *err)
{
    struct packet_options *o = packet_setup_options(request->setup);
    if (!o->promise.p99_ns)
        return true;
    if (request->mode == SCHED_MODE_DRAIN)
        return error_set(
            err, "no p99 can be promised with --sched drain, where events wait for warps to end");
    struct packet_options saved = *o;
    struct measurement m = {.request = request};
    struct machine_options options = {.backend = TILE_MODEL, .mode = request->mode, .silent = true};
    make_traffic(&m, o);
    copy_packets(&m.flood, o->capture, FLOOD);
    m.machine = machine_create(request->config, &options, err);
    bool ok = m.machine && add_services(&m, o, err) && measure(&m, &saved.promise, err);
    machine_destroy(m.machine);
    free(m.capture.packets);
    free(m.flood.packets);
    *o = saved;
    return ok;
}

void promise_print(const struct promise_request *request, const char *name, FILE *to)
{
    const struct packet_promise *p = &packet_setup_options(request->setup)->promise;
    if (p->p99_ns)
        fprintf(
            to,
            "%s: at %u packets/s, %u at once, the slowest under full contention takes %.2f us, an "
            "event %.2f us\n",
            name, p->rate, p->burst, (double)p->worst_ns / 1000, (double)p->event_ns / 1000);
}
