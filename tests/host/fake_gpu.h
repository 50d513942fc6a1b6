/* A GPU behind a PCIe link, for the tests of driver and launcher: device memory that performs host
 * accesses after a fixed time, kernels that take a given time, and the loop that ticks everything.
 */
#ifndef EVGPU_TESTS_HOST_FAKE_GPU_H
#define EVGPU_TESTS_HOST_FAKE_GPU_H

#include "sim/host/cpu_launcher.h"
#include "sim/host/driver.h"
#include "sim/host/pcie.h"
#include "sim/host/rate.h"
#include "tests/unit.h"

#define DEVICE_BYTES (1u << 20)
#define MAX_RUNNING  64u

enum { GPU, HOST };

struct pending_request {
    uint64_t cycle;
    struct driver_request request;
};

struct running_kernel {
    uint64_t end;
    uint32_t id;
    struct driver_kernel kernel;
};

struct fake_gpu {
    struct pcie *link;
    struct driver *driver;
    uint64_t cycle;
    uint8_t *memory;
    uint64_t ack_delay, read_delay;
    struct pending_request requests[4096];
    uint32_t requests_head, requests_count;
    /* A request with a trigger is performed when this says so, from the first one on. */
    bool open;
    uint32_t places; /* requests with a trigger at most */
    struct driver_request held[64];
    uint32_t n_held, most_held;
    uint32_t room; /* requests under way at most, 0: any number */
    struct running_kernel running[MAX_RUNNING];
    uint32_t n_running, max_running; /* kernels at once */
    uint32_t launches, refusals, most_running;
    uint64_t last_command; /* arrival */
    /* What a kernel does when it starts; may be NULL. */
    void (*on_start)(struct fake_gpu *g, const struct driver_kernel *kernel);
    /* Others that share the clock. */
    struct pcie *nic_link;
    struct launcher *launcher;
};

static inline bool gpu_write(void *user, uint64_t cycle, const struct pcie_write *w)
{
    struct fake_gpu *g = user;

    if (w->bar == PCIE_BAR_COMMAND) {
        assert_true(driver_command(g->driver, cycle, w));
        g->last_command = cycle;
        return true;
    }
    assert_true(!w->data && w->address + w->bytes <= DEVICE_BYTES);
    driver_arrived(g->driver, cycle, w);
    return true;
}

static inline enum driver_taken gpu_request(void *user, uint64_t cycle,
                                            const struct driver_request *r)
{
    struct fake_gpu *g = user;

    assert_true(r->address + r->bytes <= DEVICE_BYTES);
    assert_true(r->address / DRIVER_LINE_BYTES == (r->address + r->bytes - 1) / DRIVER_LINE_BYTES);
    if (r->trigger && !g->open) {
        if (g->n_held == g->places)
            return DRIVER_HELD;
        g->held[g->n_held++] = *r;
        if (g->n_held > g->most_held)
            g->most_held = g->n_held;
        return DRIVER_TAKEN;
    }
    assert_true(g->requests_count < 4096);
    if (g->room && g->requests_count == g->room)
        return DRIVER_FULL;
    g->requests[(g->requests_head + g->requests_count++) % 4096] =
        (struct pending_request){cycle + (r->write ? g->ack_delay : g->read_delay), *r};
    return DRIVER_TAKEN;
}

static inline void perform(struct fake_gpu *g, const struct driver_request *r)
{
    if (r->write && r->data)
        memcpy(g->memory + r->address, r->data, r->bytes);
    else if (r->data)
        memcpy(r->data, g->memory + r->address, r->bytes);
    driver_request_done(g->driver, g->cycle, r->tag);
}

/* kernel.user is how many cycles it takes. */
static inline bool gpu_launch(void *user, uint64_t cycle, uint32_t id,
                              const struct driver_kernel *kernel)
{
    struct fake_gpu *g = user;

    if (g->n_running == g->max_running) {
        g->refusals++;
        return false;
    }
    g->running[g->n_running++] = (struct running_kernel){
        .end = cycle + (uintptr_t)kernel->user, .id = id, .kernel = *kernel};
    g->launches++;
    if (g->n_running > g->most_running)
        g->most_running = g->n_running;
    if (g->on_start)
        g->on_start(g, kernel);
    return true;
}

static inline void gpu_step(struct fake_gpu *g)
{
    while (g->requests_count && g->requests[g->requests_head].cycle <= g->cycle) {
        perform(g, &g->requests[g->requests_head].request);
        g->requests_head = (g->requests_head + 1) % 4096;
        g->requests_count--;
    }
    if (g->open) {
        for (uint32_t i = 0; i < g->n_held; i++)
            perform(g, &g->held[i]);
        g->n_held = 0;
    }
    for (uint32_t i = 0; i < g->n_running;) {
        if (g->running[i].end <= g->cycle) {
            uint32_t id = g->running[i].id;
            g->running[i] = g->running[--g->n_running];
            driver_kernel_done(g->driver, g->cycle, id);
        } else {
            i++;
        }
    }
}

/* One cycle of everything, in the order that the headers ask for. The GPU comes before the driver.
 */
static inline void fake_step(struct fake_gpu *g)
{
    if (g->nic_link && pcie_next_event(g->nic_link) <= g->cycle)
        pcie_tick(g->nic_link, g->cycle);
    if (pcie_next_event(g->link) <= g->cycle)
        pcie_tick(g->link, g->cycle);
    gpu_step(g);
    if (driver_next_event(g->driver) <= g->cycle)
        driver_tick(g->driver, g->cycle);
    if (g->launcher && launcher_next_event(g->launcher) <= g->cycle)
        launcher_tick(g->launcher, g->cycle);
    g->cycle++;
}

static inline void fake_run_dry(struct fake_gpu *g)
{
    while (!driver_idle(g->driver)) {
        fake_step(g);
        assert_true(g->cycle < 100000000);
    }
}

/* 1 GHz, 7 GB/s with headers, 350 ns one way; the driver with the F/E paper's Table 2. */
static inline struct driver_config fe_table2(void)
{
    return (struct driver_config){.core_khz = 1000000,
                                  .threads = 2,
                                  .streams = 8,
                                  .prepare_units = 1,
                                  .copy_engines = 2,
                                  .copy_enqueue_ns = 1200,
                                  .copy_prepare_ns = 6000,
                                  .copy_wait_ns = 6000,
                                  .launch_enqueue_ns = 1500,
                                  .launch_prepare_ns = 3000,
                                  .sync_call_ns = 1000,
                                  .sync_return_ns = 1000,
                                  .max_calls = 64};
}

static inline struct fake_gpu *fake_create(struct driver_config config)
{
    static const struct pcie_config link = {.core_khz = 1000000,
                                            .bytes_per_second = {7000000000, 7000000000},
                                            .latency_ns = 350,
                                            .max_payload = 256,
                                            .header_bytes = 24,
                                            .send_queue = 32,
                                            .credits = 64,
                                            .read_tags = 32,
                                            .max_read = 512};
    struct fake_gpu *g = calloc(1, sizeof *g);
    struct pcie_endpoint gpu = {.name = "gpu", .side = 0, .user = g, .deliver_write = gpu_write};
    struct pcie_endpoint host = {.name = "host", .side = 1};

    g->memory = calloc(1, DEVICE_BYTES);
    g->max_running = 32;
    g->places = 64;
    g->link = pcie_create(&link, NULL);
    assert_int_equal(pcie_attach(g->link, &gpu, NULL), GPU);
    driver_endpoint(&host, &g->driver);
    assert_int_equal(pcie_attach(g->link, &host, NULL), HOST);
    config.link = g->link;
    config.host = HOST;
    config.gpu = GPU;
    config.launch = gpu_launch;
    config.request = gpu_request;
    config.user = g;
    g->driver = driver_create(&config, NULL);
    assert_non_null(g->driver);
    return g;
}

static inline void fake_destroy(struct fake_gpu *g)
{
    driver_destroy(g->driver);
    pcie_destroy(g->link);
    free(g->memory);
    free(g);
}

#endif
