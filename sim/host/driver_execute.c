#include <assert.h>
#include <stddef.h>

#include "sim/host/driver_internal.h"

#define COMPLETION_BYTES 4u

/* --- the end of a command, on the GPU's side --- */

void driver_finish(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command *c = &d->commands[id];

    c->times.finished = cycle;
    list_pop(d, &d->streams[c->call.stream].commands, LIST_STREAM);
    driver_wake(d, cycle);
    if (c->call.finished)
        c->call.finished(c->call.user, cycle);
}

/* Ends a command of which only the GPU knows: the completion write tells the CPU. */
void driver_finish_on_gpu(struct driver *d, uint64_t cycle, uint32_t id)
{
    driver_finish(d, cycle, id);
    list_push(d, &d->completions, LIST_WIRE, id);
}

void driver_kernel_done(struct driver *d, uint64_t cycle, uint32_t id)
{
    assert(id > 0 && id <= d->config.max_calls);
    assert(d->commands[id].running && d->commands[id].call.kind == DRIVER_LAUNCH);
    driver_finish_on_gpu(d, cycle, id);
}

void driver_work_done(struct driver *d, uint64_t cycle, uint32_t id)
{
    assert(id > 0 && id <= d->config.max_calls);
    assert(d->commands[id].running &&
           (d->commands[id].call.kind == DRIVER_WORK || d->commands[id].call.kind == DRIVER_OP));
    if (d->commands[id].call.kind == DRIVER_OP && !d->commands[id].call.done) {
        driver_finish(d, cycle, id);
        driver_seen(d, cycle, id);
        return;
    }
    driver_finish_on_gpu(d, cycle, id);
}

/* --- the host's endpoint --- */

static bool host_write(void *user, uint64_t cycle, const struct pcie_write *write)
{
    struct driver *d = *(struct driver **)user;
    uint64_t id = write->address / COMPLETION_BYTES;

    if (!write->data) {
        copy_arrived_at_host(d, cycle, write);
        return true;
    }

    /* Other words of host memory have no reader: the write is performed and forgotten. */
    if (write->bytes == COMPLETION_BYTES && id > 0 && id <= d->config.max_calls &&
        d->commands[id].told) {
        d->commands[id].told = false;
        driver_seen(d, cycle, (uint32_t)id);
    }
    return true;
}

void driver_endpoint(struct pcie_endpoint *endpoint, struct driver **driver)
{
    endpoint->user = driver;
    endpoint->deliver_write = host_write;
    endpoint->deliver_read = NULL;
    endpoint->deliver_completion = NULL;
}

/* --- writes waiting for room on the link --- */

static void send_commands(struct driver *d, uint64_t cycle)
{
    while (d->sends.first) {
        uint32_t id = d->sends.first;
        /* The command names the launch; what it describes stays with the driver. */
        uint8_t data[DRIVER_COMMAND_BYTES] = {(uint8_t)id, (uint8_t)(id >> 8)};
        struct pcie_write write = {.address =
                                       (uint64_t)d->commands[id].call.stream * DRIVER_COMMAND_BYTES,
                                   .data = data,
                                   .bytes = sizeof data,
                                   .from = d->config.host,
                                   .to = d->config.gpu,
                                   .bar = PCIE_BAR_COMMAND};

        if (!pcie_write(d->config.link, cycle, &write))
            return;
        d->commands[id].on_wire = true;
        list_pop(d, &d->sends, LIST_WIRE);
    }
}

static void send_completions(struct driver *d, uint64_t cycle)
{
    while (d->completions.first) {
        uint32_t id = d->completions.first;
        uint8_t data[COMPLETION_BYTES] = {1};
        struct pcie_write write = {.address = (uint64_t)id * COMPLETION_BYTES,
                                   .data = data,
                                   .bytes = sizeof data,
                                   .from = d->config.gpu,
                                   .to = d->config.host,
                                   .bar = PCIE_BAR_MEMORY};

        if (!pcie_write(d->config.link, cycle, &write))
            return;
        d->commands[id].told = true;
        list_pop(d, &d->completions, LIST_WIRE);
    }
}

bool driver_command(struct driver *d, uint64_t cycle, const struct pcie_write *write)
{
    uint32_t id;

    if (write->bar != PCIE_BAR_COMMAND || write->bytes != DRIVER_COMMAND_BYTES)
        return false;
    id = (uint32_t)write->data[0] | (uint32_t)write->data[1] << 8;
    if (id == 0 || id > d->config.max_calls || !d->commands[id].on_wire)
        return false;
    d->commands[id].on_wire = false;
    d->commands[id].prepared = true;
    driver_wake(d, cycle);
    return true;
}

void driver_prepared(struct driver *d, uint32_t id)
{
    enum driver_kind kind = d->commands[id].call.kind;
    bool command = kind == DRIVER_LAUNCH || kind == DRIVER_OP || kind == DRIVER_COPY_OUT ||
                   (kind == DRIVER_BULK_OUT && d->bulk_memory);

    if (is_copy(kind))
        copy_prepared(d, id);
    if (command)
        list_push(d, &d->sends, LIST_WIRE, id);
    else
        d->commands[id].prepared = true;
}

/* --- streams --- */

/* Starts the first command of a stream; false: the GPU has no room for its kernel. */
static bool run_stream(struct driver *d, struct stream *s, uint64_t cycle)
{
    uint32_t id = s->commands.first;
    struct command *c = &d->commands[id];

    if (id == 0 || c->running || !c->prepared)
        return true;
    if (c->call.kind == DRIVER_LAUNCH) {
        /* Set before the call: an empty kernel may end within it. */
        c->running = true;
        c->times.started = cycle;
        if (!d->config.launch(d->config.user, cycle, id, &c->call.kernel)) {
            c->running = false;
            return false;
        }
        d->stats.launches++;
        return true;
    }
    c->running = true;
    c->times.started = cycle;
    if (c->call.started)
        c->call.started(c->call.user, cycle, id);
    if (c->call.kind == DRIVER_WORK || c->call.kind == DRIVER_OP)
        return true;
    copy_start(d, cycle, id);
    return true;
}

uint64_t driver_execute(struct driver *d, uint64_t cycle)
{
    uint64_t next = CYCLE_NEVER;
    enum copy_wait wait;

    for (uint32_t i = 0; i < d->n_streams; i++)
        if (!run_stream(d, &d->streams[i], cycle))
            next = cycle + 1;
    wait = copy_run(d, cycle);
    if (wait == COPY_WAITS_FOR_ROOM)
        next = cycle + 1;
    send_commands(d, cycle);
    send_completions(d, cycle);
    if (!copy_send_answers(d, cycle))
        wait = wait == COPY_WAITS_FOR_NOTHING ? COPY_WAITS_FOR_LINK : wait;
    if (wait == COPY_WAITS_FOR_LINK || d->sends.first || d->completions.first) {
        /* Room appears only when the link sends or delivers something. */
        uint64_t link = pcie_next_event(d->config.link);

        link = link > cycle ? link : cycle + 1;
        next = link < next ? link : next;
    }
    return copy_next_event(d) < next ? copy_next_event(d) : next;
}
