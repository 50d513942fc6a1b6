#include <assert.h>
#include <string.h>

#include "sim/host/driver_internal.h"

#define CHUNK_BYTES      4096u /* of a copy, per write handed to the link */
#define COMPLETION_BYTES 4u

/* --- the end of a command, on the GPU's side --- */

static void finish(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command *c = &d->commands[id];

    c->times.finished = cycle;
    list_pop(d, &d->streams[c->call.stream].commands, LIST_STREAM);
    driver_wake(d, cycle);
    if (c->call.finished)
        c->call.finished(c->call.user, cycle);
}

/* Ends a command of which only the GPU knows: the completion write tells the CPU. */
static void finish_on_gpu(struct driver *d, uint64_t cycle, uint32_t id)
{
    finish(d, cycle, id);
    list_push(d, &d->completions, LIST_WIRE, id);
}

void driver_write_ack(struct driver *d, uint64_t cycle, uint32_t tag, uint32_t bytes)
{
    struct command *c;

    assert(tag > 0 && tag <= d->config.max_calls);
    c = &d->commands[tag];
    assert(c->running && (c->call.kind == DRIVER_COPY_IN || c->call.kind == DRIVER_BULK_IN));
    c->landed += bytes;
    if (c->landed == c->call.bytes)
        finish_on_gpu(d, cycle, tag);
}

void driver_kernel_done(struct driver *d, uint64_t cycle, uint32_t id)
{
    assert(id > 0 && id <= d->config.max_calls);
    assert(d->commands[id].running && d->commands[id].call.kind == DRIVER_LAUNCH);
    finish_on_gpu(d, cycle, id);
}

void driver_work_done(struct driver *d, uint64_t cycle, uint32_t id)
{
    assert(id > 0 && id <= d->config.max_calls);
    assert(d->commands[id].running && d->commands[id].call.kind == DRIVER_WORK);
    finish_on_gpu(d, cycle, id);
}

/* --- the host's endpoint --- */

/* A part of a bulk copy to the host, whose data are there by other means. */
static void bulk_arrived(struct driver *d, uint64_t cycle, const struct pcie_write *write)
{
    struct command *c = &d->commands[write->tag];

    c->landed += write->bytes;
    if (c->landed == c->call.bytes) {
        finish(d, cycle, write->tag);
        driver_seen(d, cycle, write->tag);
    }
}

static bool host_write(void *user, uint64_t cycle, const struct pcie_write *write)
{
    struct driver *d = *(struct driver **)user;
    uint64_t id = write->address / COMPLETION_BYTES;

    if (!write->data) {
        bulk_arrived(d, cycle, write);
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

static void host_completion(void *user, uint64_t cycle, const struct pcie_completion *completion)
{
    struct driver *d = *(struct driver **)user;
    uint32_t id = d->reads[completion->tag].command;
    struct command *c = &d->commands[id];

    memcpy((uint8_t *)c->call.host + d->reads[completion->tag].offset + completion->offset,
           completion->data, completion->bytes);
    c->landed += completion->bytes;
    if (completion->last)
        d->free_reads[d->n_free_reads++] = completion->tag;
    if (d->copy_out.first)
        driver_wake(d, cycle); /* the next read may be waiting for a tag */
    if (c->landed == c->call.bytes) {
        finish(d, cycle, id);
        driver_seen(d, cycle, id);
    }
}

void driver_endpoint(struct pcie_endpoint *endpoint, struct driver **driver)
{
    endpoint->user = driver;
    endpoint->deliver_write = host_write;
    endpoint->deliver_read = NULL;
    endpoint->deliver_completion = host_completion;
}

/* --- writes waiting for room on the link --- */

static void send_launches(struct driver *d, uint64_t cycle)
{
    while (d->launches.first) {
        uint32_t id = d->launches.first;
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
        list_pop(d, &d->launches, LIST_WIRE);
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
    if (d->commands[id].call.kind == DRIVER_LAUNCH)
        list_push(d, &d->launches, LIST_WIRE, id);
    else
        d->commands[id].prepared = true;
}

/* --- copy engines --- */

/* True when the copy at the front of the list has been handed to the link in full. */
static bool write_chunks(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command *c = &d->commands[id];

    while (c->moved < c->call.bytes) {
        uint64_t left = c->call.bytes - c->moved;
        struct pcie_write write = {.address = c->call.device + c->moved,
                                   .data = (const uint8_t *)c->call.host + c->moved,
                                   .bytes = left < CHUNK_BYTES ? (uint32_t)left : CHUNK_BYTES,
                                   .tag = id,
                                   .from = d->config.host,
                                   .to = d->config.gpu,
                                   .bar = PCIE_BAR_MEMORY};

        if (!pcie_write(d->config.link, cycle, &write))
            return false;
        c->moved += write.bytes;
    }
    return true;
}

/* Either direction: what a bulk copy puts on the link are writes of whoever has the data. */
static bool bulk_chunks(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command *c = &d->commands[id];
    bool in = c->call.kind == DRIVER_BULK_IN;

    while (c->moved < c->call.bytes) {
        uint64_t left = c->call.bytes - c->moved;
        struct pcie_write write = {.address = c->call.device + c->moved,
                                   .bytes = left < CHUNK_BYTES ? (uint32_t)left : CHUNK_BYTES,
                                   .tag = id,
                                   .from = in ? d->config.host : d->config.gpu,
                                   .to = in ? d->config.gpu : d->config.host,
                                   .bar = PCIE_BAR_MEMORY};

        if (!pcie_bulk(d->config.link, cycle, &write))
            return false;
        c->moved += write.bytes;
    }
    return true;
}

static bool read_chunks(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command *c = &d->commands[id];
    uint32_t max = pcie_max_read(d->config.link);

    while (c->moved < c->call.bytes) {
        uint64_t left = c->call.bytes - c->moved;
        uint32_t tag = d->n_free_reads ? d->free_reads[d->n_free_reads - 1] : 0;
        struct pcie_read read = {.address = c->call.device + c->moved,
                                 .bytes = left < max ? (uint32_t)left : max,
                                 .tag = tag,
                                 .from = d->config.host,
                                 .to = d->config.gpu,
                                 .bar = PCIE_BAR_MEMORY};

        if (!d->n_free_reads || !pcie_read(d->config.link, cycle, &read))
            return false;
        d->n_free_reads--;
        d->reads[tag] = (struct read_entry){.command = id, .offset = c->moved};
        c->moved += read.bytes;
    }
    return true;
}

static bool copy_chunks(struct driver *d, uint64_t cycle, uint32_t id)
{
    switch (d->commands[id].call.kind) {
    case DRIVER_COPY_IN:
        return write_chunks(d, cycle, id);
    case DRIVER_COPY_OUT:
        return read_chunks(d, cycle, id);
    default:
        return bulk_chunks(d, cycle, id);
    }
}

static void run_copies(struct driver *d, uint64_t cycle)
{
    while (d->copy_in.first && copy_chunks(d, cycle, d->copy_in.first))
        list_pop(d, &d->copy_in, LIST_WIRE);
    while (d->copy_out.first && copy_chunks(d, cycle, d->copy_out.first))
        list_pop(d, &d->copy_out, LIST_WIRE);
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
    if (c->call.kind == DRIVER_WORK)
        return true;
    if (c->call.kind == DRIVER_COPY_IN || c->call.kind == DRIVER_BULK_IN) {
        list_push(d, &d->copy_in, LIST_WIRE, id);
        d->stats.copies_in++;
        d->stats.bytes_in += c->call.bytes;
    } else {
        list_push(d, &d->copy_out, LIST_WIRE, id);
        d->stats.copies_out++;
        d->stats.bytes_out += c->call.bytes;
    }
    return true;
}

uint64_t driver_execute(struct driver *d, uint64_t cycle)
{
    uint64_t next = CYCLE_NEVER;
    bool waiting;

    for (uint32_t i = 0; i < d->n_streams; i++)
        if (!run_stream(d, &d->streams[i], cycle))
            next = cycle + 1;
    run_copies(d, cycle);
    send_launches(d, cycle);
    send_completions(d, cycle);
    waiting = d->copy_in.first || d->copy_out.first || d->launches.first || d->completions.first;
    if (waiting) {
        /* Room appears only when the link sends or delivers something. */
        uint64_t link = pcie_next_event(d->config.link);

        link = link > cycle ? link : cycle + 1;
        next = link < next ? link : next;
    }
    return next;
}
