/* The machine's side of the GPU: its callbacks, its endpoint on PCIe, kernels from the driver. */
#include <stdio.h>
#include <string.h>

#include "sim/gpu/region_port.h"
#include "sim/system/machine_internal.h"
#include "sw/edge/edge_device.h"

/* --- the GPU's callbacks ---------------------------------------------------------------------- */

/* Completion pointers are bus addresses: endpoint, then offset in its memory. */
static bool on_flag_write(void *user, uint32_t row, uint64_t address, uint32_t data)
{
    struct machine *m = user;
    uint64_t endpoint = address >> WINDOW_SHIFT;
    const struct guest *home = m->row_use[row].home;
    /* The pointer lies in the guest's memory, where its kernels may have overwritten it. */
    if (endpoint > UINT8_MAX || !m->device_guest[endpoint] ||
        m->device_guest[endpoint] != m->row_owner[row]) {
        char text[120];
        snprintf(text, sizeof text,
                 "completion pointer 0x%llx of an event of row %u lies outside its device",
                 (unsigned long long)address, row);
        machine_event_fault(m, row, text);
        return true;
    }
    if (home && home->failure.set)
        data = EDGE_FAILED;
    struct pcie_write write = {.address = address,
                               .data = (const uint8_t *)&data,
                               .bytes = sizeof data,
                               .from = m->gpu_end,
                               .to = (uint8_t)endpoint,
                               .bar = PCIE_BAR_MEMORY};
    return pcie_write(m->gpu_link, gpu_cycle(m->gpu), &write);
}

/* A row that is silent has been told about by its time-out. */
static void on_flag_lost(void *user, const struct event_times *times, uint32_t why,
                         uint64_t pointer)
{
    const struct machine *m = user;
    uint32_t limit = m->config.events.flag_limit;
    char text[240];
    if (why == FLAG_LOST_SILENT)
        return;
    if (why == FLAG_LOST_POINTER)
        snprintf(
            text, sizeof text,
            "completion pointer 0x%llx of an event of row %u lies outside its completion queue",
            (unsigned long long)pointer, times->row);
    else if (why == FLAG_LOST_ANSWER)
        snprintf(text, sizeof text,
                 "memory has no completion pointer for an event of row %u: its submission queue "
                 "entry lies outside of memory, or too many reads are not answered",
                 times->row);
    else if (pointer)
        snprintf(text, sizeof text,
                 "the device of row %u did not take the completion flag at 0x%llx within %u core "
                 "cycles (event.flag_limit); the row has no flags until it is registered again",
                 times->row, (unsigned long long)pointer, limit);
    else
        snprintf(text, sizeof text,
                 "memory did not answer with the completion pointer of an event of row %u within "
                 "%u core cycles (event.flag_limit); the row has no flags until it is registered "
                 "again",
                 times->row, limit);
    machine_event_fault(user, times->row, text);
}

static void on_mark(void *user, const struct core_mark *mark)
{
    struct machine *m = user;
    for (uint32_t i = 0; i < m->n_guests; i++) {
        struct guest *g = m->guests[i];
        if (g->owner == mark->owner && g->ops->mark)
            g->ops->mark(g->self, gpu_cycle(m->gpu), mark);
    }
}

static void on_child_over(void *user, const struct grid *grid)
{
    struct machine *m = user;
    for (uint32_t i = 0; i < m->n_guests; i++) {
        struct guest *g = m->guests[i];
        if (g->owner == grid->kernel->owner && g->ops->child_over)
            g->ops->child_over(g->self, grid);
    }
}

static bool on_fault(void *user, const struct gpu_fault *fault)
{
    return machine_kernel_fault(user, fault);
}

static void on_command_done(void *user, uint32_t code, uint32_t row)
{
    machine_answer(user, code, row);
}

static void on_row_freed(void *user, uint32_t row)
{
    machine_row_freed(user, row);
}

static void on_grid_done(void *user, uint64_t cookie, const struct grid *grid)
{
    struct machine *m = user;
    struct launched *launched = &m->launched[cookie];
    launched->used = false;
    if (m->options.timeline && launched->id)
        timeline_grid(m, launched->id, grid);
    if (launched->ended)
        launched->ended(launched->user, grid);
    if (launched->id)
        driver_kernel_done(m->driver, gpu_cycle(m->gpu), launched->id);
}

static void on_event_exited(void *user, const struct event_times *times)
{
    struct machine *m = user;
    struct guest *g = m->row_owner[times->row];
    machine_count_event(m, times);
    if (g && g->ops->event_exited)
        g->ops->event_exited(g->self, times->index, times);
}

static void on_event_done(void *user, const struct event_times *times)
{
    struct machine *m = user;
    struct guest *g = m->row_owner[times->row];
    if (g && m->options.timeline)
        timeline_event(m, g, times);
    if (g && g->ops->event_done)
        g->ops->event_done(g->self, times->index, times);
}

static void on_read_done(void *user, uint32_t tag)
{
    struct machine *m = user;
    struct device_read *read = &m->reads[tag];
    read->used = false;
    pcie_complete(m->gpu_link, gpu_cycle(m->gpu), read->handle,
                  gpu_image(m->gpu)->base + read->address);
}

static void on_region_done(void *user, uint32_t tag, uint32_t status)
{
    struct machine *m = user;
    if (status == REGION_FAILED)
        error_set(&m->fault,
                  "the memory system refused a copy request to memory with full/empty bits");
    if (tag & TAKE_TAG)
        machine_took(m, tag);
    else
        driver_request_done(m->driver, gpu_cycle(m->gpu), tag);
    machine_retry_takes(m);
}

static void on_region_marked(void *user, uint32_t tag, uint32_t code)
{
    guest_region_marked(user, tag, code);
}

static uint32_t on_region_owner(void *user, uint32_t tag)
{
    const struct machine *m = user;
    const struct guest *g = tag & TAKE_TAG ? m->device_guest[m->reads[tag & ~TAKE_TAG].from]
                                           : m->thread_guest[driver_request_thread(m->driver, tag)];
    return g ? g->owner : 0;
}

static bool on_region_pending(void *user, uint64_t address, bool fill, char *text, size_t room)
{
    const struct machine *m = user;
    uint32_t copies = driver_pending_copies(m->driver, address, fill ? ACTION_FILL : ACTION_EMPTY);
    snprintf(text, room, "%u %s for their turn", copies,
             copies == 1 ? "copy that waits" : "copies that wait");
    return copies != 0;
}

struct gpu_callbacks machine_gpu_callbacks(struct machine *m)
{
    return (struct gpu_callbacks){.flag_write = on_flag_write,
                                  .fault = on_fault,
                                  .command_done = on_command_done,
                                  .row_freed = on_row_freed,
                                  .grid_done = on_grid_done,
                                  .event_exited = on_event_exited,
                                  .event_done = on_event_done,
                                  .flag_lost = on_flag_lost,
                                  .read_done = on_read_done,
                                  .bus_read = machine_bus_read,
                                  .bus_write = machine_bus_write,
                                  .bus_valid = machine_bus_valid,
                                  .region_done = on_region_done,
                                  .region_marked = on_region_marked,
                                  .region_owner = on_region_owner,
                                  .region_pending = on_region_pending,
                                  .mark = on_mark,
                                  .child_over = on_child_over,
                                  .user = m};
}

/* --- the GPU's endpoint on PCIe --------------------------------------------------------------- */

static bool memory_write(struct machine *m, uint64_t cycle, const struct pcie_write *write)
{
    if (!write->data) { /* of a copy: the data come by other means */
        driver_arrived(m->driver, cycle, write);
        return true;
    }
    if (!machine_device_reaches(m, write->from, write->address, write->bytes))
        return true;
    return gpu_host_write(m->gpu, write->address, write->data, write->bytes);
}

/* A word that kernels poll: it changes when L2 performs the write. */
static bool polled_write(struct machine *m, const struct pcie_write *write)
{
    uint64_t line = write->address / LINE_BYTES;
    if (!machine_device_reaches(m, write->from, write->address, write->bytes))
        return true;
    if (write->bytes <= POLLED_BYTES && (write->address + write->bytes - 1) / LINE_BYTES == line)
        return gpu_polled_write(m->gpu, write->address, write->data, write->bytes);
    error_set(&m->fault, "PCIe write of %u bytes to 0x%llx hits no word that kernels poll",
              write->bytes, (unsigned long long)write->address);
    return true;
}

static bool deliver_write(void *user, uint64_t cycle, const struct pcie_write *write)
{
    struct machine *m = user;
    switch (write->bar) {
    case PCIE_BAR_DOORBELL: {
        uint32_t value = 0;
        memcpy(&value, write->data, write->bytes < 4 ? write->bytes : 4);
        return gpu_doorbell(m->gpu, (uint32_t)write->address, write->bytes, write->rid, value);
    }
    case PCIE_BAR_QUEUE:
        machine_queue_doorbell(m, write);
        return true;
    case PCIE_BAR_COMMAND:
        if (!driver_command(m->driver, cycle, write))
            error_set(&m->fault, "PCIe write of %u bytes to the command region is not a command",
                      write->bytes);
        return true;
    case PCIE_BAR_POLLED:
        return polled_write(m, write);
    default:
        return memory_write(m, cycle, write);
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

static void deliver_read(void *user, uint64_t cycle, const struct pcie_read *read)
{
    static const uint8_t zeros[MAX_READ];
    struct machine *m = user;
    uint32_t slot = 0;
    while (slot < READ_SLOTS && m->reads[slot].used)
        slot++;
    if (slot == READ_SLOTS) {
        error_set(&m->fault, "PCIe read of %u bytes at 0x%llx: too many reads are under way",
                  read->bytes, (unsigned long long)read->address);
        return;
    }
    if (!machine_device_reaches(m, read->from, read->address, read->bytes)) {
        pcie_complete(m->gpu_link, cycle, read->handle, zeros);
        return;
    }
    m->reads[slot] = (struct device_read){.address = read->address,
                                          .number = m->reads_delivered++,
                                          .bytes = read->bytes,
                                          .handle = read->handle,
                                          .from = read->from,
                                          .used = true};
    if (read->bar == PCIE_BAR_TAKEN) {
        machine_take(m, slot);
        return;
    }
    if (!m->reads_waiting || m->n_devices < 2) {
        start_device_read(m, slot);
        return;
    }
    m->reads[slot].waiting = true; /* its device's turn comes */
    m->reads_waiting++;
}

/* The oldest waiting read of the device whose turn it is. */
static uint32_t next_read(const struct machine *m)
{
    uint32_t best = 0, seen = 0;
    uint8_t distance = UINT8_MAX;
    for (uint32_t i = 0; seen < m->reads_waiting; i++) {
        const struct device_read *read = &m->reads[i];
        if (!read->used || !read->waiting)
            continue;
        uint8_t turns = (uint8_t)(read->from - m->read_turn - 1);
        if (!seen++ || turns < distance ||
            (turns == distance && read->number < m->reads[best].number)) {
            best = i;
            distance = turns;
        }
    }
    return best;
}

/* Several devices take turns, so that none waits behind another's many reads. */
static void retry_in_turns(struct machine *m)
{
    while (m->reads_waiting) {
        uint32_t slot = next_read(m);
        if (!start_device_read(m, slot))
            return;
        m->read_turn = m->reads[slot].from;
    }
}

void machine_retry_reads(struct machine *m)
{
    if (m->n_devices > 1) {
        retry_in_turns(m);
        return;
    }
    for (uint32_t i = 0; i < READ_SLOTS && m->reads_waiting; i++) {
        if (m->reads[i].used && m->reads[i].waiting && !start_device_read(m, i))
            return;
    }
}

void machine_gpu_endpoint(struct machine *m, struct pcie_endpoint *endpoint)
{
    *endpoint = (struct pcie_endpoint){.user = m,
                                       .deliver_write = deliver_write,
                                       .deliver_read = deliver_read,
                                       .deliver_completion = machine_bus_completion};
}

/* --- copies and kernels from the driver
 * ------------------------------------------------------------------ */

struct launched *machine_launch_slot(struct machine *m, uint32_t *index)
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

enum driver_taken machine_copy_request(void *user, uint64_t cycle,
                                       const struct driver_request *request)
{
    struct machine *m = user;
    struct region_request line = {.address = request->address,
                                  .bytes = request->bytes,
                                  .write = request->write,
                                  .trigger = request->trigger,
                                  .action = request->action,
                                  .data = request->data,
                                  .tag = request->tag};
    (void)cycle;
    if (gpu_region_request(m->gpu, &line))
        return DRIVER_TAKEN;
    return request->trigger ? DRIVER_HELD : DRIVER_FULL;
}

bool machine_driver_launch(void *user, uint64_t cycle, uint32_t id,
                           const struct driver_kernel *kernel)
{
    struct machine *m = user;
    (void)cycle;
    uint32_t index = 0;
    struct launched *launched = gpu_can_launch(m->gpu) ? machine_launch_slot(m, &index) : NULL;
    if (!launched)
        return false;
    struct launch launch = {.kernel = gpu_kernel_at(m->gpu, kernel->code),
                            .dynamic_shared = kernel->shared_bytes,
                            .param = kernel->parameters,
                            .priority = kernel->priority,
                            .cooperative = kernel->cooperative,
                            .cookie = index};
    memcpy(launch.grid, kernel->grid, sizeof launch.grid);
    memcpy(launch.block, kernel->block, sizeof launch.block);
    *launched =
        (struct launched){.ended = kernel->ended, .user = kernel->user, .id = id, .used = true};
    if (!launch.kernel)
        error_set(&m->fault, "driver: no kernel at 0x%llx", (unsigned long long)kernel->code);
    else
        gpu_launch(m->gpu, &launch, &m->fault);
    return true;
}
