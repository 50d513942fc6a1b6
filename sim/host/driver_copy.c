/* Copies between host and device, from their turn in the stream to their end: the engines, the
 * requests to memory, and what is on its way over the link. */
#include <assert.h>
#include <stddef.h>

#include "sim/host/driver_internal.h"

#define BULK_BYTES 4096u /* of a bulk copy, per write handed to the link */

/* Writes of a copy to the device that wait to leave at most: the engine hands over what the link
 * can take, so that a copy is over for the engine when its last bytes leave. */
#define QUEUED_WRITES 2u

static uint64_t window(const struct command *c)
{
    return c->call.trigger ? DRIVER_WAIT_WINDOW : DRIVER_COPY_WINDOW;
}

static uint32_t min_bytes(uint64_t a, uint64_t b)
{
    return (uint32_t)(a < b ? a : b);
}

/* --- requests --- */

static uint32_t entry_pop(struct driver *d, struct entry_list *list)
{
    uint32_t e = list->first;

    list->first = d->requests[e].next;
    if (!list->first)
        list->last = 0;
    return e;
}

static void entry_push(struct driver *d, struct entry_list *list, uint32_t e)
{
    d->requests[e].next = 0;
    if (list->last)
        d->requests[list->last].next = e;
    else
        list->first = e;
    list->last = e;
}

/* The next request of the copy, which lies below `end`. */
static enum driver_taken ask(struct driver *d, uint64_t cycle, uint32_t id, uint64_t end)
{
    struct command *c = &d->commands[id];
    uint64_t address = c->call.device + c->asked;
    uint32_t tag = d->free_requests.first;
    struct driver_request request = {
        .address = address,
        .data = c->call.host ? (uint8_t *)c->call.host + c->asked : NULL,
        .tag = tag,
        .bytes = min_bytes(end - c->asked, DRIVER_LINE_BYTES - address % DRIVER_LINE_BYTES),
        .write = is_inward(c->call.kind),
        .trigger = c->call.trigger,
        .action = c->call.action};

    if (!tag)
        return DRIVER_FULL;
    enum driver_taken taken = d->config.request(d->config.user, cycle, &request);
    if (taken != DRIVER_TAKEN)
        return taken;
    entry_pop(d, &d->free_requests);
    d->requests[tag].command = id;
    d->requests[tag].offset = c->asked;
    d->requests[tag].bytes = request.bytes;
    c->asked += request.bytes;
    return DRIVER_TAKEN;
}

/* The engine has handed over the last of the copy, which has left it at `left`. */
static void leave_engine(struct driver *d, uint64_t cycle, const struct command *c, uint64_t left)
{
    uint32_t engine = engine_of(d, c->call.kind);

    if (!c->call.trigger) {
        d->untriggered[engine]--;
        d->engine_left[engine] = left;
    }
    driver_wake(d, cycle);
}

/* One engine for both directions is kept to the end, or the next copy would overlap this one on the
 * other half of the link. */
static bool keeps_engine(const struct driver *d, const struct command *c)
{
    return d->config.copy_engines == 1 && !c->call.trigger;
}

static void give_up_engine(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command_list *list = &d->engine[0];
    uint32_t before = 0;

    if (!keeps_engine(d, &d->commands[id]))
        return;
    for (uint32_t i = list->first; i != id; i = d->commands[i].link[LIST_WIRE])
        before = i;
    list_remove(d, list, LIST_WIRE, before, id);
    driver_wake(d, cycle);
}

uint32_t driver_request_thread(const struct driver *d, uint32_t tag)
{
    return d->commands[d->requests[tag].command].call.thread;
}

void driver_other_done(struct driver *d, uint64_t cycle)
{
    driver_wake(d, cycle);
}

void driver_request_done(struct driver *d, uint64_t cycle, uint32_t tag)
{
    uint32_t id = d->requests[tag].command;
    struct command *c = &d->commands[id];

    assert(tag > 0 && tag <= DRIVER_MAX_REQUESTS && c->running);
    driver_wake(d, cycle);
    if (!is_inward(c->call.kind)) {
        entry_push(d, &d->answered, tag);
        return;
    }
    c->landed += d->requests[tag].bytes;
    entry_push(d, &d->free_requests, tag);
    if (c->landed == c->call.bytes) {
        give_up_engine(d, cycle, id);
        driver_finish_on_gpu(d, cycle, id);
    }
}

/* --- what arrives over the link --- */

/* A bulk copy in memory. */
static void settle(struct driver *d, uint64_t cycle, uint32_t id)
{
    d->commands[id].until = cycle + d->bulk_memory;
    list_push(d, &d->settling, LIST_FEED, id);
    driver_wake(d, cycle + d->bulk_memory);
}

static void settled(struct driver *d, uint64_t cycle)
{
    while (d->settling.first && d->commands[d->settling.first].until <= cycle) {
        uint32_t id = list_pop(d, &d->settling, LIST_FEED);
        enum driver_kind kind = d->commands[id].call.kind;

        if (is_inward(kind))
            driver_finish_on_gpu(d, cycle, id);
        else
            list_push(d, &d->engine[engine_of(d, kind)], LIST_WIRE, id);
    }
}

uint64_t copy_next_event(const struct driver *d)
{
    return d->settling.first ? d->commands[d->settling.first].until : CYCLE_NEVER;
}

void driver_arrived(struct driver *d, uint64_t cycle, const struct pcie_write *write)
{
    uint32_t id = write->tag;
    struct command *c = &d->commands[id];

    assert(id > 0 && id <= d->config.max_calls && c->running && is_inward(c->call.kind));
    if (!c->arrived)
        c->times.moving = cycle;
    c->arrived += write->bytes;
    if (c->call.kind == DRIVER_COPY_IN) {
        if (!c->feeding)
            list_push(d, &d->feeds, LIST_FEED, id);
        c->feeding = true;
        driver_wake(d, cycle);
        return;
    }
    c->landed += write->bytes;
    if (c->landed == c->call.bytes) {
        leave_engine(d, cycle, c, cycle - pcie_latency(d->config.link));
        give_up_engine(d, cycle, id);
        if (d->bulk_memory)
            settle(d, cycle, id);
        else
            driver_finish_on_gpu(d, cycle, id);
    }
}

void copy_arrived_at_host(struct driver *d, uint64_t cycle, const struct pcie_write *write)
{
    struct command *c = &d->commands[write->tag];

    if (!c->landed)
        c->times.moving = cycle;
    c->landed += write->bytes;
    driver_wake(d, cycle);
    if (c->landed < c->call.bytes)
        return;
    if (c->call.kind == DRIVER_BULK_OUT)
        leave_engine(d, cycle, c, cycle - pcie_latency(d->config.link));
    give_up_engine(d, cycle, write->tag);
    driver_finish(d, cycle, write->tag);
    driver_seen(d, cycle, write->tag);
}

/* Makes requests of what has arrived. */
static enum copy_wait feed(struct driver *d, uint64_t cycle)
{
    enum copy_wait wait = COPY_WAITS_FOR_NOTHING;
    uint32_t before = 0, next;

    for (uint32_t id = d->feeds.first; id; id = next) {
        struct command *c = &d->commands[id];
        enum driver_taken taken = DRIVER_TAKEN;

        next = c->link[LIST_FEED];
        while (c->asked < c->arrived && taken == DRIVER_TAKEN)
            taken = ask(d, cycle, id, c->arrived);
        if (taken == DRIVER_FULL)
            wait = COPY_WAITS_FOR_ROOM;
        if (c->asked < c->arrived) {
            before = id;
        } else {
            list_remove(d, &d->feeds, LIST_FEED, before, id);
            c->feeding = false;
        }
    }
    return wait;
}

/* --- to the link --- */

/* A piece of the copy as one write without data; in a block of the link's packets. */
static bool send_piece(struct driver *d, uint64_t cycle, uint32_t id, uint64_t offset,
                       uint32_t bytes)
{
    const struct command *c = &d->commands[id];
    bool in = is_inward(c->call.kind);
    struct pcie_write write = {.address = c->call.device + offset,
                               .bytes = bytes,
                               .tag = id,
                               .from = in ? d->config.host : d->config.gpu,
                               .to = in ? d->config.gpu : d->config.host,
                               .bar = PCIE_BAR_MEMORY};

    return pcie_bulk(d->config.link, cycle, &write);
}

/* Data for the host: neighbours that are there together share packets. */
bool copy_send_answers(struct driver *d, uint64_t cycle)
{
    uint32_t block = pcie_max_payload(d->config.link);

    while (d->answered.first) {
        const struct request_entry *first = &d->requests[d->answered.first];
        uint32_t id = first->command, bytes = first->bytes, entries = 1;
        uint64_t offset = first->offset, device = d->commands[id].call.device;

        for (uint32_t e = first->next; e; e = d->requests[e].next) {
            const struct request_entry *more = &d->requests[e];

            if (more->command != id || more->offset != offset + bytes ||
                (device + more->offset) % block == 0)
                break;
            bytes += more->bytes;
            entries++;
        }
        if (!send_piece(d, cycle, id, offset, bytes))
            return false;
        for (; entries; entries--)
            entry_push(d, &d->free_requests, entry_pop(d, &d->answered));
        d->commands[id].moved += bytes;
        if (d->commands[id].moved == d->commands[id].call.bytes)
            leave_engine(d, cycle, &d->commands[id], cycle);
    }
    return true;
}

/* --- engines --- */

static void reserve(struct driver *d, uint32_t id)
{
    struct command *c = &d->commands[id];

    if (!c->call.trigger && !c->reserved)
        d->untriggered[engine_of(d, c->call.kind)]++;
    c->reserved = true;
}

/* One that waits for no other command has the engine from now on. */
void copy_prepared(struct driver *d, uint32_t id)
{
    if (d->streams[d->commands[id].call.stream].commands.first == id)
        reserve(d, id);
}

void copy_start(struct driver *d, uint64_t cycle, uint32_t id)
{
    const struct driver_call *call = &d->commands[id].call;

    reserve(d, id);
    if (call->kind == DRIVER_BULK_OUT && d->bulk_memory)
        settle(d, cycle, id);
    else
        list_push(d, &d->engine[engine_of(d, call->kind)], LIST_WIRE, id);
    *(is_inward(call->kind) ? &d->stats.copies_in : &d->stats.copies_out) += 1;
    *(is_inward(call->kind) ? &d->stats.bytes_in : &d->stats.bytes_out) += call->bytes;
}

static void cut(struct command *c)
{
    uint64_t begun = c->moved > c->asked ? c->moved : c->asked;

    if (is_copy(c->call.kind) && begun < c->call.bytes)
        c->call.bytes = begun + 1;
}

void driver_cut_copies(struct driver *d, uint32_t thread)
{
    const struct thread *t = &d->threads[thread];

    for (uint32_t id = t->calls.first; id; id = d->commands[id].link[LIST_CALLS])
        cut(&d->commands[id]);
    for (uint32_t i = 0; i < d->n_streams; i++) {
        for (uint32_t id = d->streams[i].commands.first; id;
             id = d->commands[id].link[LIST_STREAM]) {
            if (d->commands[id].call.thread == thread)
                cut(&d->commands[id]);
        }
    }
}

uint32_t driver_pending_copies(const struct driver *d, uint64_t address, uint8_t action)
{
    uint32_t copies = 0;

    for (uint32_t i = 0; i < d->n_streams; i++) {
        const struct command *c;

        for (uint32_t id = d->streams[i].commands.first; id; id = c->link[LIST_STREAM]) {
            c = &d->commands[id];
            copies += c->call.kind <= DRIVER_COPY_OUT && c->call.action == action &&
                      address - c->call.device < c->call.bytes &&
                      (!c->running || address - c->call.device >= c->asked);
        }
    }
    return copies;
}

enum step {
    STEP_OVER,  /* the engine goes on to the next copy */
    STEP_LINK,  /* waits for the link */
    STEP_ROOM,  /* waits for room for a request */
    STEP_MEMORY /* waits for requests that are under way */
};

static enum step step_in(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command *c = &d->commands[id];
    uint32_t block = pcie_max_payload(d->config.link);

    if (c->moved == c->call.bytes)
        return STEP_OVER;
    while (c->moved < c->call.bytes) {
        uint64_t left = c->call.bytes - c->moved;
        uint32_t bytes = min_bytes(left, block - (c->call.device + c->moved) % block);

        if (c->moved + bytes - c->landed > window(c))
            return STEP_MEMORY;
        if (pcie_queued(d->config.link, d->config.host) >= QUEUED_WRITES ||
            !send_piece(d, cycle, id, c->moved, bytes))
            return STEP_LINK;
        c->moved += bytes;
    }
    leave_engine(d, cycle, c, cycle);
    return STEP_OVER;
}

static enum step step_out(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command *c = &d->commands[id];

    while (c->asked < c->call.bytes) {
        if (c->asked + DRIVER_LINE_BYTES - c->moved > window(c))
            return STEP_MEMORY;
        switch (ask(d, cycle, id, c->call.bytes)) {
        case DRIVER_FULL:
            return STEP_ROOM;
        case DRIVER_HELD:
            return STEP_MEMORY;
        default:
            break;
        }
    }
    return STEP_OVER;
}

static enum step step_bulk(struct driver *d, uint64_t cycle, uint32_t id)
{
    struct command *c = &d->commands[id];

    while (c->moved < c->call.bytes) {
        uint32_t bytes = min_bytes(c->call.bytes - c->moved, BULK_BYTES);

        if (!send_piece(d, cycle, id, c->moved, bytes))
            return STEP_LINK;
        c->moved += bytes;
    }
    return STEP_OVER;
}

static enum step step(struct driver *d, uint64_t cycle, uint32_t id)
{
    switch (d->commands[id].call.kind) {
    case DRIVER_COPY_IN:
        return step_in(d, cycle, id);
    case DRIVER_COPY_OUT:
        return step_out(d, cycle, id);
    default:
        return step_bulk(d, cycle, id);
    }
}

static enum copy_wait later(enum copy_wait a, enum copy_wait b)
{
    return a > b ? a : b;
}

/* Works on the first copy that does not wait for words. */
static enum copy_wait run_engine(struct driver *d, uint64_t cycle, struct command_list *list)
{
    enum copy_wait wait = COPY_WAITS_FOR_NOTHING;
    uint32_t before = 0, next;

    for (uint32_t id = list->first; id; id = next) {
        const struct command *c = &d->commands[id];
        enum step at = step(d, cycle, id);

        next = c->link[LIST_WIRE];
        if (at == STEP_OVER && !keeps_engine(d, c)) {
            list_remove(d, list, LIST_WIRE, before, id);
            continue;
        }
        before = id;
        if (at == STEP_LINK)
            wait = later(wait, COPY_WAITS_FOR_LINK);
        if (at == STEP_ROOM)
            wait = later(wait, COPY_WAITS_FOR_ROOM);
        if (!c->call.trigger)
            return wait;
    }
    return wait;
}

enum copy_wait copy_run(struct driver *d, uint64_t cycle)
{
    enum copy_wait wait = feed(d, cycle);

    settled(d, cycle);
    for (uint32_t i = 0; i < d->config.copy_engines; i++)
        wait = later(wait, run_engine(d, cycle, &d->engine[i]));
    return wait;
}
