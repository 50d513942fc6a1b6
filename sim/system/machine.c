#include "sim/system/machine.h"

#include <stdlib.h>
#include <string.h>

#include "evgpu_defs.h"
#include "sim/base/alloc.h"
#include "sim/system/gpu_settings.h"

#define READ_SLOTS   512  /* device reads between PCIe and the GPU's host port */
#define LAUNCH_SLOTS 2048 /* kernels between the driver and their end; more than can be pending */

struct device_read {
    uint64_t address;
    uint32_t bytes, handle;
    bool used, waiting; /* waiting: the host port had no room yet */
};

struct launched {
    struct background *background; /* NULL: launched by the polling CPU */
    uint32_t id;                   /* the driver's */
    bool used;
};

struct machine {
    struct machine_config config;
    struct machine_options options;
    struct gpu *gpu;
    struct pcie *gpu_link, *host_link; /* host_link: NIC to host memory, only with cpu_launch */
    struct driver *driver;
    struct launcher *launcher;
    struct nic *nic;
    uint8_t gpu_end, host_end, nic_end;       /* endpoints on gpu_link */
    uint8_t host_end_of_nic, nic_end_of_host; /* endpoints on host_link */
    struct device_read reads[READ_SLOTS];
    uint32_t reads_waiting;
    struct launched launched[LAUNCH_SLOTS];
    uint32_t launch_cursor;
    bool answered;
    uint32_t answer_code, answer_row;
    struct error fault; /* something that a callback found */
    void (*hook)(void *user, uint64_t cycle);
    void *hook_user;
    bool (*done)(const void *user);
    const void *done_user;
};

/* --- the GPU's callbacks ---------------------------------------------------------------------- */

static bool on_flag_write(void *user, uint64_t address, uint32_t data)
{
    struct machine *m = user;
    struct pcie_write write = {.address = address,
                               .data = (const uint8_t *)&data,
                               .bytes = sizeof data,
                               .from = m->gpu_end,
                               .to = m->nic_end,
                               .bar = PCIE_BAR_MEMORY};
    return pcie_write(m->gpu_link, gpu_cycle(m->gpu), &write);
}

static void on_command_done(void *user, uint32_t code, uint32_t row)
{
    struct machine *m = user;
    m->answered = true;
    m->answer_code = code;
    m->answer_row = row;
}

static void on_grid_done(void *user, uint64_t cookie, const struct grid *grid)
{
    struct machine *m = user;
    struct launched *launched = &m->launched[cookie];
    if (launched->background) {
        launched->background->result = *grid;
        launched->background->done = true;
    }
    launched->used = false;
    driver_kernel_done(m->driver, gpu_cycle(m->gpu), launched->id);
}

static void on_event_done(void *user, const struct event_times *times)
{
    struct machine *m = user;
    if (m->options.event_done)
        m->options.event_done(m->options.user, times);
}

static void on_read_done(void *user, uint32_t tag)
{
    struct machine *m = user;
    struct device_read *read = &m->reads[tag];
    read->used = false;
    pcie_complete(m->gpu_link, gpu_cycle(m->gpu), read->handle,
                  gpu_image(m->gpu)->base + read->address);
}

/* --- the GPU's endpoint on PCIe --------------------------------------------------------------- */

static bool gpu_memory_write(struct machine *m, uint64_t cycle, const struct pcie_write *write)
{
    if (!image_valid(gpu_image(m->gpu), write->address, write->bytes)) {
        error_set(&m->fault, "PCIe write of %u bytes to 0x%llx, outside device memory",
                  write->bytes, (unsigned long long)write->address);
        return true;
    }
    if (!gpu_host_write(m->gpu, write->address, write->data, write->bytes))
        return false;
    if (write->from == m->host_end)
        driver_write_ack(m->driver, cycle, write->tag, write->bytes);
    return true;
}

static bool gpu_deliver_write(void *user, uint64_t cycle, const struct pcie_write *write)
{
    struct machine *m = user;
    switch (write->bar) {
    case PCIE_BAR_DOORBELL: {
        uint32_t value = 0;
        memcpy(&value, write->data, write->bytes < 4 ? write->bytes : 4);
        return gpu_doorbell(m->gpu, (uint32_t)write->address, write->bytes, write->rid, value);
    }
    case PCIE_BAR_COMMAND:
        if (!driver_command(m->driver, cycle, write))
            error_set(&m->fault, "PCIe write of %u bytes to the command region is no command",
                      write->bytes);
        return true;
    default:
        return gpu_memory_write(m, cycle, write);
    }
}

static bool start_device_read(struct machine *m, uint32_t slot)
{
    struct device_read *read = &m->reads[slot];
    bool started = gpu_host_read(m->gpu, read->address, read->bytes, slot);
    if (read->waiting && started)
        m->reads_waiting--;
    if (!read->waiting && !started)
        m->reads_waiting++;
    read->waiting = !started;
    return started;
}

static void gpu_deliver_read(void *user, uint64_t cycle, const struct pcie_read *read)
{
    struct machine *m = user;
    (void)cycle;
    uint32_t slot = 0;
    while (slot < READ_SLOTS && m->reads[slot].used)
        slot++;
    if (slot == READ_SLOTS || !image_valid(gpu_image(m->gpu), read->address, read->bytes)) {
        error_set(&m->fault, "PCIe read of %u bytes at 0x%llx, outside device memory", read->bytes,
                  (unsigned long long)read->address);
        return;
    }
    m->reads[slot] = (struct device_read){
        .address = read->address, .bytes = read->bytes, .handle = read->handle, .used = true};
    start_device_read(m, slot);
}

static void retry_device_reads(struct machine *m)
{
    for (uint32_t i = 0; i < READ_SLOTS && m->reads_waiting; i++) {
        if (m->reads[i].used && m->reads[i].waiting && !start_device_read(m, i))
            return;
    }
}

/* --- kernels from the driver ------------------------------------------------------------------ */

static struct launched *free_launch(struct machine *m, uint32_t *index)
{
    for (uint32_t i = 0; i < LAUNCH_SLOTS; i++) {
        *index = (m->launch_cursor + i) % LAUNCH_SLOTS;
        if (!m->launched[*index].used) {
            m->launch_cursor = *index + 1;
            return &m->launched[*index];
        }
    }
    return NULL;
}

static bool on_driver_launch(void *user, uint64_t cycle, uint32_t id,
                             const struct driver_kernel *kernel)
{
    struct machine *m = user;
    (void)cycle;
    uint32_t index = 0;
    struct launched *launched = gpu_can_launch(m->gpu) ? free_launch(m, &index) : NULL;
    if (!launched)
        return false;
    struct launch launch = {.kernel = gpu_kernel_at(m->gpu, kernel->code),
                            .dynamic_shared = kernel->shared_bytes,
                            .param = kernel->parameters,
                            .priority = kernel->priority,
                            .cookie = index};
    memcpy(launch.grid, kernel->grid, sizeof launch.grid);
    memcpy(launch.block, kernel->block, sizeof launch.block);
    *launched = (struct launched){
        .background = (struct background *)(uintptr_t)kernel->user, .id = id, .used = true};
    if (!launch.kernel)
        error_set(&m->fault, "driver: no kernel at 0x%llx", (unsigned long long)kernel->code);
    else
        gpu_launch(m->gpu, &launch, &m->fault);
    return true;
}

/* --- construction ----------------------------------------------------------------------------- */

static struct pcie_config link_settings(const struct machine_config *config)
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
                                .max_read = 512};
}

static bool attach(struct pcie *link, struct pcie_endpoint *endpoint, const char *name,
                   uint8_t side, uint16_t rid, uint8_t *number, struct error *err)
{
    endpoint->name = name;
    endpoint->side = side;
    endpoint->rid = rid;
    int n = pcie_attach(link, endpoint, err);
    *number = (uint8_t)n;
    return n >= 0;
}

static bool create_gpu_link(struct machine *m, struct error *err)
{
    struct pcie_config settings = link_settings(&m->config);
    m->gpu_link = pcie_create(&settings, err);
    if (!m->gpu_link)
        return false;
    struct pcie_endpoint gpu = {
        .user = m, .deliver_write = gpu_deliver_write, .deliver_read = gpu_deliver_read};
    struct pcie_endpoint host = {.user = NULL}, nic = {.user = NULL};
    driver_endpoint(&host, &m->driver);
    nic_endpoint(&nic, &m->nic);
    return attach(m->gpu_link, &gpu, "gpu", 0, GPU_RID, &m->gpu_end, err) &&
           attach(m->gpu_link, &host, "host", 1, HOST_RID, &m->host_end, err) &&
           attach(m->gpu_link, &nic, "nic", 1, NIC_RID, &m->nic_end, err);
}

static bool create_host_link(struct machine *m, struct error *err)
{
    struct pcie_config settings = link_settings(&m->config);
    m->host_link = pcie_create(&settings, err);
    if (!m->host_link)
        return false;
    struct pcie_endpoint host = {.user = NULL}, nic = {.user = NULL};
    launcher_endpoint(&host, &m->launcher);
    nic_endpoint(&nic, &m->nic);
    return attach(m->host_link, &host, "host memory", 0, HOST_RID, &m->host_end_of_nic, err) &&
           attach(m->host_link, &nic, "nic", 1, NIC_RID, &m->nic_end_of_host, err);
}

static bool create_driver(struct machine *m, struct error *err)
{
    const struct machine_config *c = &m->config;
    /* One thread and stream of its own for the background kernel, the rest for the launcher. */
    struct driver_config settings = {.core_khz = c->core_khz,
                                     .threads = 1 + c->cpu_threads,
                                     .streams = 1 + c->streams,
                                     .prepare_units = 1 + c->cpu_threads,
                                     .copy_enqueue_ns = c->launch_enqueue_ns,
                                     .copy_prepare_ns = c->launch_prepare_ns,
                                     .launch_enqueue_ns = c->launch_enqueue_ns,
                                     .launch_prepare_ns = c->launch_prepare_ns,
                                     .max_calls = 4096,
                                     .link = m->gpu_link,
                                     .host = m->host_end,
                                     .gpu = m->gpu_end,
                                     .launch = on_driver_launch,
                                     .user = m};
    m->driver = driver_create(&settings, err);
    return m->driver != NULL;
}

static bool create_parts(struct machine *m, struct error *err)
{
    struct gpu_config settings = gpu_settings(&m->config, m->options.backend, m->options.mode);
    settings.serial_port = m->options.serial_port;
    struct gpu_callbacks calls = {.flag_write = on_flag_write,
                                  .command_done = on_command_done,
                                  .grid_done = on_grid_done,
                                  .event_done = on_event_done,
                                  .read_done = on_read_done,
                                  .user = m};
    m->gpu = gpu_create(&settings, &calls, err);
    if (!m->gpu || !create_gpu_link(m, err) || !create_driver(m, err))
        return false;
    return !m->options.cpu_launch || create_host_link(m, err);
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
    nic_destroy(m->nic);
    launcher_destroy(m->launcher);
    driver_destroy(m->driver);
    pcie_destroy(m->gpu_link);
    pcie_destroy(m->host_link);
    gpu_destroy(m->gpu);
    free(m);
}

struct gpu *machine_gpu(struct machine *m)
{
    return m->gpu;
}

struct nic *machine_nic(struct machine *m)
{
    return m->nic;
}

struct launcher *machine_launcher(struct machine *m)
{
    return m->launcher;
}

struct driver *machine_driver(struct machine *m)
{
    return m->driver;
}

void machine_wire_nic(struct machine *m, struct nic_config *config, uint32_t doorbell)
{
    config->core_khz = m->config.core_khz;
    config->gpu_link = m->gpu_link;
    config->self = m->nic_end;
    config->gpu = m->gpu_end;
    config->completion_base = NIC_COMPLETION_BASE;
    if (m->options.cpu_launch)
        config->signal = (struct nic_signal){.link = m->host_link,
                                             .from = m->nic_end_of_host,
                                             .to = m->host_end_of_nic,
                                             .bar = PCIE_BAR_MEMORY,
                                             .address = HOST_SIGNAL_BASE,
                                             .stride = sizeof(uint32_t)};
    else
        config->signal = (struct nic_signal){.link = m->gpu_link,
                                             .from = m->nic_end,
                                             .to = m->gpu_end,
                                             .bar = PCIE_BAR_DOORBELL,
                                             .address = doorbell};
}

bool machine_add_nic(struct machine *m, const struct nic_config *config,
                     const struct nic_capture *capture, struct error *err)
{
    m->nic = nic_create(config, capture, err);
    return m->nic != NULL;
}

bool machine_add_launcher(struct machine *m, const struct driver_kernel *kernels, uint32_t entries,
                          struct error *err)
{
    struct launcher_config settings = {.core_khz = m->config.core_khz,
                                       .threads = m->config.cpu_threads,
                                       .first_thread = 1,
                                       .streams = m->config.streams,
                                       .first_stream = 1,
                                       .poll_ns = m->config.poll_ns,
                                       .notify_ns = m->config.poll_ns,
                                       .entries = entries,
                                       .kernel = kernels,
                                       .driver = m->driver,
                                       .nic_link = m->host_link,
                                       .host = m->host_end_of_nic,
                                       .nic = m->nic_end_of_host,
                                       .signal_base = HOST_SIGNAL_BASE,
                                       .completion_base = NIC_COMPLETION_BASE,
                                       .done_value = EVG_COMPLETION_DONE};
    m->launcher = launcher_create(&settings, err);
    return m->launcher != NULL;
}

bool machine_launch(struct machine *m, struct background *background, struct error *err)
{
    if (!core_occupancy(&m->config.core, background->kernel, background->block, 0, NULL, err))
        return false;
    struct driver_call call = {.kind = DRIVER_LAUNCH,
                               .kernel = {.code = background->kernel->code_address,
                                          .parameters = background->parameters,
                                          .user = (uint64_t)(uintptr_t)background}};
    memcpy(call.kernel.grid, background->grid, sizeof call.kernel.grid);
    memcpy(call.kernel.block, background->block, sizeof call.kernel.block);
    background->done = false;
    if (!driver_call(m->driver, gpu_cycle(m->gpu), &call))
        return error_set(err, "driver: too many calls outstanding");
    return true;
}

/* --- time ------------------------------------------------------------------------------------- */

bool machine_tick(struct machine *m, struct error *err)
{
    uint64_t cycle = gpu_cycle(m->gpu);
    if (m->hook)
        m->hook(m->hook_user, cycle);
    if (pcie_next_event(m->gpu_link) <= cycle)
        pcie_tick(m->gpu_link, cycle);
    if (m->host_link && pcie_next_event(m->host_link) <= cycle)
        pcie_tick(m->host_link, cycle);
    if (driver_next_event(m->driver) <= cycle)
        driver_tick(m->driver, cycle);
    if (m->launcher && launcher_next_event(m->launcher) <= cycle)
        launcher_tick(m->launcher, cycle);
    if (m->nic && nic_next_event(m->nic) <= cycle)
        nic_tick(m->nic, cycle);
    if (m->reads_waiting)
        retry_device_reads(m);
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

static uint64_t machine_next_event(const void *self)
{
    const struct machine *m = self;
    uint64_t next = gpu_next_event(m->gpu);
    if (m->reads_waiting)
        next = gpu_cycle(m->gpu);
    next = earlier(next, pcie_next_event(m->gpu_link));
    next = earlier(next, driver_next_event(m->driver));
    if (m->host_link)
        next = earlier(next, pcie_next_event(m->host_link));
    if (m->launcher)
        next = earlier(next, launcher_next_event(m->launcher));
    if (m->nic)
        next = earlier(next, nic_next_event(m->nic));
    return next;
}

static bool target_tick(void *self, struct error *err)
{
    return machine_tick(self, err);
}

static uint64_t target_cycle(const void *self)
{
    return machine_cycle(self);
}

static void target_skip(void *self, uint64_t cycle)
{
    gpu_skip_to(((struct machine *)self)->gpu, cycle);
}

static uint64_t target_work(const void *self)
{
    const struct machine *m = self;
    struct gpu_stats stats;
    gpu_stats(m->gpu, &stats);
    uint64_t work = stats.cores.warp_instructions + stats.events + stats.doorbells;
    if (m->nic) {
        struct nic_stats nic;
        nic_get_stats(m->nic, &nic);
        work += nic.packets_in + nic.forwarded;
    }
    return work;
}

static void target_describe(const void *self, void (*line)(void *user, const char *text),
                            void *user)
{
    const struct machine *m = self;
    if (m->nic)
        line(user, nic_finished(m->nic) ? "NIC finished" : "NIC waits for completions");
    line(user, driver_idle(m->driver) ? "driver idle" : "driver has calls outstanding");
    gpu_describe(m->gpu, line, user);
}

static bool target_done(const void *self)
{
    const struct machine *m = self;
    return m->done(m->done_user);
}

void machine_target(struct machine *m, bool (*done)(const void *user), const void *user,
                    struct run_target *target)
{
    m->done = done;
    m->done_user = user;
    *target = (struct run_target){.self = m,
                                  .tick = target_tick,
                                  .cycle = target_cycle,
                                  .next_event = machine_next_event,
                                  .skip_to = target_skip,
                                  .done = target_done,
                                  .work = target_work,
                                  .describe = target_describe};
}

bool machine_command(struct machine *m, const struct frontend_command *command, uint32_t *code,
                     uint32_t *row, struct error *err)
{
    m->answered = false;
    if (!gpu_command(m->gpu, command))
        return error_set(err, "front end: a command is outstanding");
    /* An unregistration waits for its events; the watchdog's patience bounds it. */
    for (uint32_t i = 0; i < DEFAULT_WATCHDOG_CYCLES && !m->answered; i++) {
        if (!machine_tick(m, err))
            return false;
    }
    *code = m->answer_code;
    *row = m->answer_row;
    return m->answered ? true : error_set(err, "front end: a command was not answered");
}

void machine_on_tick(struct machine *m, void (*hook)(void *user, uint64_t cycle), void *user)
{
    m->hook = hook;
    m->hook_user = user;
}
