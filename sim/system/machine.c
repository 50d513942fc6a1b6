#include "sim/system/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_config.h"
#include "sim/ptx/module.h"
#include "sim/system/gpu_settings.h"
#include "sim/system/machine_internal.h"
#include "sim/system/moments.h"

#define DISPATCH_CYCLES 5 /* of a warp event, besides one per group of cores: gpu_frontend.v */

/* --- construction ----------------------------------------------------------------------------- */

struct pcie_config machine_link_settings(const struct machine_config *config)
{
    uint64_t rate = (uint64_t)config->pcie_mb_per_s * 1000000;
    return (struct pcie_config){.core_khz = config->core_khz,
                                .bytes_per_second = {rate, rate},
                                .latency_ns = config->pcie_latency_ns,
                                .max_payload = config->pcie_payload_bytes,
                                .header_bytes = config->pcie_header_bytes,
                                .send_queue = 128,
                                .credits = 64,
                                .read_tags = 64,
                                .max_read = MAX_READ};
}

static bool attach(struct machine *m, struct pcie_endpoint *endpoint, uint8_t *number,
                   struct error *err)
{
    int n = pcie_attach(m->gpu_link, endpoint, err);
    *number = (uint8_t)n;
    return n >= 0;
}

static bool create_link(struct machine *m, struct error *err)
{
    struct pcie_config settings = machine_link_settings(&m->config);
    m->gpu_link = pcie_create(&settings, err);
    if (!m->gpu_link)
        return false;
    struct pcie_endpoint gpu, host = {.name = "host", .side = 1, .rid = HOST_RID};
    machine_gpu_endpoint(m, &gpu);
    gpu.name = "gpu";
    gpu.rid = GPU_RID;
    driver_endpoint(&host, &m->driver);
    return attach(m, &gpu, &m->gpu_end, err) && attach(m, &host, &m->host_end, err);
}

static bool create_driver(struct machine *m, struct error *err)
{
    const struct machine_config *c = &m->config;
    struct driver_config settings = {.core_khz = c->core_khz,
                                     .one_unit = c->one_driver,
                                     .copy_engines = c->copy_engines,
                                     .bulk_memory_ns = c->bulk_memory_ns,
                                     .copy_alone = c->copy_alone,
                                     .in_turn = c->prepare_in_turn,
                                     .copy_enqueue_ns = c->copy_enqueue_ns,
                                     .copy_prepare_ns = c->copy_prepare_ns,
                                     .copy_wait_ns = c->copy_wait_ns,
                                     .launch_enqueue_ns = c->launch_enqueue_ns,
                                     .launch_prepare_ns = c->launch_prepare_ns,
                                     .op_enqueue_ns = c->stream_op_ns,
                                     .sync_call_ns = c->sync_call_ns,
                                     .sync_return_ns = c->sync_return_ns,
                                     .max_calls = 16384,
                                     .link = m->gpu_link,
                                     .host = m->host_end,
                                     .gpu = m->gpu_end,
                                     .launch = machine_driver_launch,
                                     .request = machine_copy_request,
                                     .watch = m->options.timeline ? timeline_call : NULL,
                                     .user = m};
    m->driver = driver_create(&settings, err);
    return m->driver != NULL;
}

/* One core alone serves both; there is nothing to reserve. */
static bool check_reservation(const struct machine *m, struct error *err)
{
    uint32_t cores = m->config.cores, reserved = m->config.events.reserved_cores;
    if (m->options.mode != SCHED_MODE_RESERVE || cores == 1 || (reserved && reserved < cores))
        return true;
    return error_set(err, "event.reserved_cores: %u of %u cores leaves none for %s", reserved,
                     cores, reserved ? "other kernels" : "events");
}

/* Places in the cores' event tables, and the time that one event takes the front end. */
static struct edge_book *create_book(const struct machine *m)
{
    const struct machine_config *c = &m->config;
    bool reserve = m->options.mode == SCHED_MODE_RESERVE && c->cores > 1;
    uint32_t cores = reserve ? c->events.reserved_cores : c->cores;
    uint32_t cycles = (c->cores + EVG_SCAN_LANES - 1) / EVG_SCAN_LANES + DISPATCH_CYCLES;
    return edge_book_create(cores * EVG_PEWT_ENTRIES, cycles * 1000000 / c->core_khz + 1);
}

static bool create_parts(struct machine *m, struct error *err)
{
    if (!check_reservation(m, err))
        return false;
    m->book = create_book(m);
    struct gpu_config settings = gpu_settings(&m->config, m->options.backend, m->options.mode);
    settings.serial_port = m->options.serial_port;
    settings.checks = m->options.checks;
    settings.concurrency.choice = m->options.concurrency;
    settings.timing = m->options.timing;
    settings.native = m->options.native;
    settings.ports = m->options.ports;
    settings.shared_at = m->options.shared_at;
    settings.shared_extra = settings.memory_bytes;
    struct gpu_callbacks calls = machine_gpu_callbacks(m);
    m->gpu = gpu_create(&settings, &calls, err);
    if (!m->gpu)
        return false;
    if (m->options.details)
        m->moments = moments_create(m->gpu);
    return create_link(m, err) && create_driver(m, err);
}

struct machine *machine_create(const struct machine_config *config,
                               const struct machine_options *options, struct error *err)
{
    struct machine *m = ALLOC(struct machine);
    m->config = *config;
    m->options = *options;
    if (create_parts(m, err))
        return m;
    machine_destroy(m);
    return NULL;
}

void machine_destroy(struct machine *m)
{
    if (!m)
        return;
    while (m->n_guests)
        guest_destroy(m->guests[--m->n_guests]);
    driver_destroy(m->driver);
    pcie_destroy(m->gpu_link);
    moments_destroy(m->moments);
    gpu_destroy(m->gpu);
    edge_book_destroy(m->book);
    for (uint32_t i = 0; i < m->n_modules; i++)
        module_free(m->modules[i]);
    free(m->modules);
    free(m->guests);
    free(m->free_streams);
    free(m->bus_data);
    free(m->takes.data);
    guest_region_free(m);
    free(m->commands);
    timeline_destroy_machine(m);
    free(m);
}

const struct machine_config *machine_config(const struct machine *m)
{
    return &m->config;
}

const struct machine_options *machine_options(const struct machine *m)
{
    return &m->options;
}

struct gpu *machine_gpu(struct machine *m)
{
    return m->gpu;
}

struct driver *machine_driver(struct machine *m)
{
    return m->driver;
}

uint32_t machine_guest_count(const struct machine *m)
{
    return m->n_guests;
}

struct guest *machine_guest_at(const struct machine *m, uint32_t index)
{
    return m->guests[index];
}

/* --- time ------------------------------------------------------------------------------------- */

static bool tick_guests(struct machine *m, uint64_t cycle, struct error *err)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        struct guest *g = m->guests[i];
        if (!g->started || g->ops->next_event(g->self) > cycle)
            continue;
        if (!g->ops->tick(g->self, cycle, err)) {
            error_prefix(err, "%s", g->name);
            return false;
        }
    }
    return true;
}

bool machine_tick(struct machine *m, struct error *err)
{
    uint64_t cycle = gpu_cycle(m->gpu);
    if (m->hook)
        m->hook(m->hook_user, cycle);
    if (m->options.timeline)
        timeline_tick(m, cycle);
    if (m->moments)
        moments_tick(m->moments, cycle);
    if (pcie_next_event(m->gpu_link) <= cycle)
        pcie_tick(m->gpu_link, cycle);
    if (m->stray.guest)
        machine_device_faults(m);
    if (driver_next_event(m->driver) <= cycle)
        driver_tick(m->driver, cycle);
    if (!tick_guests(m, cycle, err))
        return false;
    if (m->n_commands && !m->command_sent)
        machine_send_command(m);
    if (m->reads_waiting)
        machine_retry_reads(m);
    if (!gpu_tick(m->gpu, err))
        return false;
    return m->fault.set ? error_set(err, "%s", m->fault.text) : true;
}

uint64_t machine_cycle(const struct machine *m)
{
    return gpu_cycle(m->gpu);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t machine_next_event(const struct machine *m)
{
    if (m->reads_waiting || (m->n_commands && !m->command_sent))
        return gpu_cycle(m->gpu);
    uint64_t next = gpu_next_event(m->gpu);
    next = earlier(next, pcie_next_event(m->gpu_link));
    next = earlier(next, driver_next_event(m->driver));
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (g->started)
            next = earlier(next, g->ops->next_event(g->self));
    }
    return next;
}

const struct moments *machine_moments(struct machine *m)
{
    if (m->moments)
        moments_end(m->moments, gpu_cycle(m->gpu));
    return m->moments;
}

void machine_on_tick(struct machine *m, void (*hook)(void *user, uint64_t cycle), void *user)
{
    m->hook = hook;
    m->hook_user = user;
}

/* --- the guests ------------------------------------------------------------------------------- */

void machine_link_stats(const struct machine *m, struct pcie_direction_stats *in,
                        struct pcie_direction_stats *out)
{
    pcie_stats(m->gpu_link, 1, in);
    pcie_stats(m->gpu_link, 0, out);
}

bool machine_services_at_work(const struct machine *m)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        const struct guest *g = m->guests[i];
        if (g->ops->role == GUEST_SERVICE && !g->ops->finished(g->self))
            return true;
    }
    return false;
}

bool machine_has_services(const struct machine *m)
{
    for (uint32_t i = 0; i < m->n_guests; i++) {
        if (m->guests[i]->ops->role == GUEST_SERVICE)
            return true;
    }
    return false;
}

bool machine_stopped(const struct machine *m)
{
    return m->stop && *m->stop;
}

static void write_files(struct machine *m, struct guest *g)
{
    struct error err = {.set = false};
    if (!g->ops->write_files || g->ops->write_files(g->self, &err))
        return;
    fprintf(stderr, "evgpu: %s: %s\n", g->name, err.text);
    m->files_missing = true;
}

bool machine_files_written(const struct machine *m)
{
    return !m->files_missing;
}

bool machine_verdict(struct machine *m, bool finished, char *text, size_t room)
{
    const struct guest *wrong = NULL;
    bool all = true;
    size_t length = 0;
    *text = '\0';
    for (uint32_t i = 0; i < m->n_guests; i++) {
        struct guest *g = m->guests[i];
        if (finished && (!g->started || !g->ops->finished(g->self))) {
            all = false;
            write_files(m, g);
            continue;
        }
        g->right = g->ops->verdict(g->self, g->verdict, sizeof g->verdict) && !g->failure.set;
        g->judged = true;
        write_files(m, g);
        if (!g->right && !wrong)
            wrong = g;
        int n = snprintf(text + length, room - length, "%s%s", length ? "; " : "", g->verdict);
        length += n > 0 && (size_t)n < room - length ? (size_t)n : 0;
    }
    if (m->failed)
        snprintf(text, room, "%s",
                 m->failed->judged ? m->failed->verdict : m->failed->failure.text);
    else if (wrong)
        snprintf(text, room, "%s: %s", wrong->name, wrong->verdict);
    return all && !wrong;
}

bool machine_guest_verdict(const struct guest *g, const char **text)
{
    *text = g->judged ? g->verdict : NULL;
    return g->right;
}
