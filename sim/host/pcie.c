#include "sim/host/pcie.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/host/rate.h"

#define MAX_TRANSFER 4096u /* one pcie_write or pcie_read */

enum tlp_kind { TLP_WRITE, TLP_BULK, TLP_READ, TLP_COMPLETION };

struct tlp {
    uint64_t cycle; /* queued; in flight: arrives */
    uint64_t address;
    uint32_t bytes;
    uint32_t tag;
    uint32_t handle; /* reads and completions: the read's slot */
    uint32_t offset; /* completion in flight: of this piece */
    uint8_t kind, to, bar, from;
};

/* An outstanding read, from pcie_read to the delivery of its last byte. */
struct read_slot {
    uint8_t *data;
    uint32_t bytes, sent;
    uint32_t tag;
    uint8_t from, to;
    bool delivered; /* the request has reached its target */
};

struct endpoint {
    struct pcie_endpoint with;
    struct tlp *send; /* ring */
    uint32_t send_size, send_head, send_count;
    uint32_t posted;  /* writes and read requests in it, at most config.send_queue */
    uint8_t *payload; /* ring of config.send_queue slots, one per queued write */
    uint32_t payload_head, payload_count;
    uint32_t *free_tags; /* stack of read slots */
    uint32_t n_free_tags;
    uint64_t bytes; /* from it and to it, with headers */
};

struct direction {
    struct rate wire;
    struct tlp *flight; /* ring of config.credits */
    uint8_t *payload;   /* one slot per flight entry */
    uint32_t head, count;
    uint32_t queued;     /* TLP entries in the send queues of this side */
    uint32_t turn;       /* endpoint to look at first */
    uint64_t not_before; /* cycle of the last wait for a credit */
    bool stalled, refused;
    struct pcie_direction_stats stats;
};

struct pcie {
    struct pcie_config config;
    uint64_t latency;
    struct endpoint endpoint[PCIE_MAX_ENDPOINTS];
    uint32_t n_endpoints;
    struct direction direction[2]; /* by sending side */
    struct read_slot *slots;       /* endpoint i owns [i * read_tags, (i + 1) * read_tags) */
    uint8_t *slot_data;
    uint64_t outstanding; /* TLPs and reads not finished */
    uint64_t next;
};

static bool check_config(const struct pcie_config *c, struct error *err)
{
    if (c->core_khz == 0)
        return error_set(err, "PCIe: the core clock must not be 0");
    for (int s = 0; s < 2; s++)
        if (c->bytes_per_second[s] < 1000000 || c->bytes_per_second[s] > 1000000000000)
            return error_set(err, "PCIe: the bandwidth must be 10^6 to 10^12 bytes per second");
    if (c->max_payload < 64 || c->max_payload > MAX_TRANSFER ||
        (c->max_payload & (c->max_payload - 1)))
        return error_set(err,
                         "pcie payload_bytes = %" PRIu32 ": must be a power of two, 64 to 4096",
                         c->max_payload);
    if (c->header_bytes == 0 || c->header_bytes > 256)
        return error_set(err, "PCIe: the header of a TLP must have 1 to 256 bytes");
    if (c->send_queue < MAX_TRANSFER / c->max_payload || c->send_queue > 65536)
        return error_set(err, "PCIe: the send queue must hold %u to 65536 TLPs",
                         MAX_TRANSFER / c->max_payload);
    if (c->credits == 0 || c->credits > 65536)
        return error_set(err, "PCIe: there must be 1 to 65536 credits");
    if (c->read_tags == 0 || c->read_tags > 256)
        return error_set(err, "PCIe: there must be 1 to 256 read tags");
    if (c->max_read < 64 || c->max_read > MAX_TRANSFER)
        return error_set(err, "PCIe: the maximum read must be 64 to 4096 bytes");
    /* A TLP put on the wire in a tick never arrives in the same tick. */
    if (c->latency_ns > 1000000000)
        return error_set(err, "PCIe: the latency must be at most 10^9 ns");
    if (rate_ns_to_cycles(c->latency_ns, c->core_khz) == 0)
        return error_set(err,
                         "pcie latency_ns = %" PRIu32 ": is no core cycle with gpu core_clock_khz "
                         "= %" PRIu32 ", must be at least %" PRIu32,
                         c->latency_ns, c->core_khz, (500000 + c->core_khz - 1) / c->core_khz);
    return true;
}

struct pcie *pcie_create(const struct pcie_config *config, struct error *err)
{
    if (!check_config(config, err))
        return NULL;

    struct pcie *p = ALLOC(struct pcie);
    uint32_t slots = PCIE_MAX_ENDPOINTS * config->read_tags;

    p->config = *config;
    p->latency = rate_ns_to_cycles(config->latency_ns, config->core_khz);
    p->next = CYCLE_NEVER;
    p->slots = ALLOC_ARRAY(struct read_slot, slots);
    p->slot_data = ALLOC_ARRAY(uint8_t, (size_t)slots * config->max_read);
    for (uint32_t i = 0; i < slots; i++)
        p->slots[i].data = p->slot_data + (size_t)i * config->max_read;
    for (int s = 0; s < 2; s++) {
        struct direction *d = &p->direction[s];

        d->wire = rate_make(config->core_khz, config->bytes_per_second[s]);
        d->flight = ALLOC_ARRAY(struct tlp, config->credits);
        d->payload = ALLOC_ARRAY(uint8_t, (size_t)config->credits * config->max_payload);
    }
    return p;
}

void pcie_destroy(struct pcie *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; i < p->n_endpoints; i++) {
        free(p->endpoint[i].send);
        free(p->endpoint[i].payload);
        free(p->endpoint[i].free_tags);
    }
    for (int s = 0; s < 2; s++) {
        free(p->direction[s].flight);
        free(p->direction[s].payload);
    }
    free(p->slots);
    free(p->slot_data);
    free(p);
}

int pcie_attach(struct pcie *p, const struct pcie_endpoint *endpoint, struct error *err)
{
    uint32_t tags = p->config.read_tags;

    if (p->n_endpoints == PCIE_MAX_ENDPOINTS) {
        error_set(err, "PCIe: more than %u endpoints", PCIE_MAX_ENDPOINTS);
        return -1;
    }
    if (endpoint->side > 1) {
        error_set(err, "PCIe: endpoint %s is on side %u; it must be 0 or 1", endpoint->name,
                  endpoint->side);
        return -1;
    }

    struct endpoint *e = &p->endpoint[p->n_endpoints];

    e->with = *endpoint;
    /* Room for the answer to every read that can be outstanding, so that answers are always taken.
     */
    e->send_size = p->config.send_queue + (PCIE_MAX_ENDPOINTS - 1) * tags;
    e->send = ALLOC_ARRAY(struct tlp, e->send_size);
    e->payload = ALLOC_ARRAY(uint8_t, (size_t)p->config.send_queue * p->config.max_payload);
    e->free_tags = ALLOC_ARRAY(uint32_t, tags);
    for (uint32_t i = 0; i < tags; i++)
        e->free_tags[i] = p->n_endpoints * tags + (tags - 1 - i);
    e->n_free_tags = tags;
    return (int)p->n_endpoints++;
}

/* --- sending --- */

static void wake(struct pcie *p, uint64_t cycle)
{
    if (cycle < p->next)
        p->next = cycle;
}

static void push(struct pcie *p, uint8_t from, const struct tlp *tlp)
{
    struct endpoint *e = &p->endpoint[from];
    struct direction *d = &p->direction[e->with.side];
    uint32_t at = e->send_head + e->send_count;

    assert(e->send_count < e->send_size);
    e->send[at < e->send_size ? at : at - e->send_size] = *tlp;
    e->send_count++;
    e->posted += tlp->kind != TLP_COMPLETION;
    d->queued++;
    if (!d->stalled)
        wake(p, d->wire.cycle > tlp->cycle ? d->wire.cycle : tlp->cycle);
}

static bool opposite(const struct pcie *p, uint8_t from, uint8_t to)
{
    return from < p->n_endpoints && to < p->n_endpoints &&
           p->endpoint[from].with.side != p->endpoint[to].with.side;
}

bool pcie_write(struct pcie *p, uint64_t cycle, const struct pcie_write *write)
{
    uint32_t max = p->config.max_payload;
    uint32_t pieces = (write->bytes + max - 1) / max;
    struct endpoint *e = &p->endpoint[write->from];

    assert(opposite(p, write->from, write->to));
    assert(write->bytes > 0 && write->bytes <= MAX_TRANSFER);
    assert(p->endpoint[write->to].with.deliver_write);
    if (e->posted + pieces > p->config.send_queue)
        return false;
    for (uint32_t done = 0; done < write->bytes; done += max) {
        uint32_t bytes = write->bytes - done < max ? write->bytes - done : max;
        uint32_t slot = (e->payload_head + e->payload_count++) % p->config.send_queue;
        struct tlp tlp = {.cycle = cycle,
                          .address = write->address + done,
                          .bytes = bytes,
                          .tag = write->tag,
                          .kind = TLP_WRITE,
                          .from = write->from,
                          .to = write->to,
                          .bar = write->bar};

        memcpy(e->payload + (size_t)slot * max, write->data + done, bytes);
        push(p, write->from, &tlp);
    }
    p->outstanding += pieces;
    return true;
}

bool pcie_bulk(struct pcie *p, uint64_t cycle, const struct pcie_write *write)
{
    struct tlp tlp = {.cycle = cycle,
                      .address = write->address,
                      .bytes = write->bytes,
                      .tag = write->tag,
                      .kind = TLP_BULK,
                      .from = write->from,
                      .to = write->to,
                      .bar = write->bar};

    assert(opposite(p, write->from, write->to));
    assert(write->bytes > 0 && write->bytes <= MAX_TRANSFER);
    if (p->endpoint[write->from].posted == p->config.send_queue)
        return false;
    push(p, write->from, &tlp);
    p->outstanding++;
    return true;
}

bool pcie_read(struct pcie *p, uint64_t cycle, const struct pcie_read *read)
{
    struct endpoint *e = &p->endpoint[read->from];

    assert(opposite(p, read->from, read->to));
    assert(read->bytes > 0 && read->bytes <= p->config.max_read);
    assert(p->endpoint[read->to].with.deliver_read && e->with.deliver_completion);
    if (e->n_free_tags == 0 || e->posted == p->config.send_queue)
        return false;

    uint32_t handle = e->free_tags[--e->n_free_tags];
    struct read_slot *slot = &p->slots[handle];
    struct tlp tlp = {.cycle = cycle,
                      .address = read->address,
                      .bytes = read->bytes,
                      .tag = read->tag,
                      .handle = handle,
                      .kind = TLP_READ,
                      .from = read->from,
                      .to = read->to,
                      .bar = read->bar};

    slot->bytes = read->bytes;
    slot->sent = 0;
    slot->tag = read->tag;
    slot->from = read->from;
    slot->to = read->to;
    slot->delivered = false;
    push(p, read->from, &tlp);
    p->outstanding++;
    return true;
}

void pcie_complete(struct pcie *p, uint64_t cycle, uint32_t handle, const void *data)
{
    struct read_slot *slot = &p->slots[handle];
    struct tlp tlp = {.cycle = cycle,
                      .bytes = slot->bytes,
                      .tag = slot->tag,
                      .handle = handle,
                      .kind = TLP_COMPLETION,
                      .from = slot->to,
                      .to = slot->from};

    assert(handle < PCIE_MAX_ENDPOINTS * p->config.read_tags && slot->delivered);
    slot->delivered = false;
    memcpy(slot->data, data, slot->bytes);
    push(p, slot->to, &tlp);
}

/* --- the wire --- */

/* The next endpoint of side `side`, from d->turn on, with something queued; d->queued > 0. */
static struct endpoint *arbitrate(struct pcie *p, struct direction *d, uint32_t side)
{
    for (;;) {
        struct endpoint *e = &p->endpoint[d->turn];

        d->turn = d->turn + 1 == p->n_endpoints ? 0 : d->turn + 1;
        if (e->with.side == side && e->send_count)
            return e;
    }
}

static void pop_send(struct pcie *p, struct direction *d, struct endpoint *e)
{
    struct tlp *t = &e->send[e->send_head];

    if (t->kind == TLP_WRITE) {
        e->payload_head = e->payload_head + 1 == p->config.send_queue ? 0 : e->payload_head + 1;
        e->payload_count--;
    }
    e->posted -= t->kind != TLP_COMPLETION;
    e->send_head = e->send_head + 1 == e->send_size ? 0 : e->send_head + 1;
    e->send_count--;
    d->queued--;
}

/* Puts the endpoint's first TLP, or the next piece of its completion, on the wire. */
static void start(struct pcie *p, struct direction *d, struct endpoint *e)
{
    const struct tlp *t = &e->send[e->send_head];
    uint32_t at = (d->head + d->count) % p->config.credits;
    struct tlp *f = &d->flight[at];
    uint64_t begin = t->cycle > d->not_before ? t->cycle : d->not_before;
    uint32_t carried = 0, packets = 1;
    bool last = true;

    *f = *t;
    if (t->kind == TLP_WRITE) {
        carried = t->bytes;
        memcpy(d->payload + (size_t)at * p->config.max_payload,
               e->payload + (size_t)e->payload_head * p->config.max_payload, carried);
        d->stats.writes++;
        d->stats.write_bytes += carried;
    } else if (t->kind == TLP_BULK) {
        carried = t->bytes;
        packets = (carried + p->config.max_payload - 1) / p->config.max_payload;
        d->stats.writes += packets;
        d->stats.write_bytes += carried;
    } else if (t->kind == TLP_READ) {
        d->stats.reads++;
    } else {
        struct read_slot *slot = &p->slots[t->handle];
        uint32_t left = slot->bytes - slot->sent;

        carried = left < p->config.max_payload ? left : p->config.max_payload;
        f->offset = slot->sent;
        f->bytes = carried;
        slot->sent += carried;
        last = slot->sent == slot->bytes;
        d->stats.completions++;
        d->stats.completion_bytes += carried;
    }
    d->stats.tlps += packets;
    d->stats.bytes += (uint64_t)packets * p->config.header_bytes + carried;
    p->endpoint[f->from].bytes += (uint64_t)packets * p->config.header_bytes + carried;
    p->endpoint[f->to].bytes += (uint64_t)packets * p->config.header_bytes + carried;
    f->cycle = rate_take(&d->wire, begin, (uint64_t)packets * p->config.header_bytes + carried) +
               p->latency;
    d->count++;
    if (last)
        pop_send(p, d, e);
}

static void send(struct pcie *p, uint32_t side, uint64_t cycle)
{
    struct direction *d = &p->direction[side];

    while (d->queued && rate_free(&d->wire, cycle)) {
        if (d->count == p->config.credits) {
            d->stats.credit_stalls += !d->stalled;
            d->stalled = true;
            return;
        }
        if (d->stalled) {
            d->stalled = false;
            d->not_before = cycle;
        }
        start(p, d, arbitrate(p, d, side));
    }
}

/* --- receiving --- */

static bool deliver_write(struct pcie *p, struct direction *d, uint64_t cycle, const struct tlp *t)
{
    const struct endpoint *to = &p->endpoint[t->to];
    const uint8_t *data = d->payload + (size_t)d->head * p->config.max_payload;
    struct pcie_write write = {.address = t->address,
                               .data = t->kind == TLP_BULK ? NULL : data,
                               .bytes = t->bytes,
                               .tag = t->tag,
                               .rid = p->endpoint[t->from].with.rid,
                               .from = t->from,
                               .to = t->to,
                               .bar = t->bar};

    if (!to->with.deliver_write(to->with.user, cycle, &write))
        return false;
    p->outstanding--;
    return true;
}

static void deliver_read(struct pcie *p, uint64_t cycle, const struct tlp *t)
{
    const struct endpoint *to = &p->endpoint[t->to];
    struct pcie_read read = {.address = t->address,
                             .bytes = t->bytes,
                             .tag = t->tag,
                             .handle = t->handle,
                             .rid = p->endpoint[t->from].with.rid,
                             .from = t->from,
                             .to = t->to,
                             .bar = t->bar};

    p->slots[t->handle].delivered = true;
    to->with.deliver_read(to->with.user, cycle, &read);
}

static void deliver_completion(struct pcie *p, uint64_t cycle, const struct tlp *t)
{
    struct endpoint *to = &p->endpoint[t->to];
    const struct read_slot *slot = &p->slots[t->handle];
    struct pcie_completion completion = {.data = slot->data + t->offset,
                                         .offset = t->offset,
                                         .bytes = t->bytes,
                                         .tag = t->tag,
                                         .last = t->offset + t->bytes == slot->bytes};

    to->with.deliver_completion(to->with.user, cycle, &completion);
    /* Freed after the call: a read sent from within it must not overwrite the data. */
    if (completion.last) {
        to->free_tags[to->n_free_tags++] = t->handle;
        p->outstanding--;
    }
}

static void receive(struct pcie *p, uint32_t side, uint64_t cycle)
{
    struct direction *d = &p->direction[side];

    while (d->count && d->flight[d->head].cycle <= cycle) {
        const struct tlp t = d->flight[d->head];

        d->refused = false;
        if (t.kind == TLP_WRITE || t.kind == TLP_BULK) {
            if (!deliver_write(p, d, cycle, &t)) {
                d->refused = true;
                d->stats.refused_cycles++;
                return;
            }
        } else if (t.kind == TLP_READ) {
            deliver_read(p, cycle, &t);
        } else {
            deliver_completion(p, cycle, &t);
        }
        d->head = d->head + 1 == p->config.credits ? 0 : d->head + 1;
        d->count--;
    }
}

void pcie_tick(struct pcie *p, uint64_t cycle)
{
    for (uint32_t side = 0; side < 2; side++)
        receive(p, side, cycle);
    for (uint32_t side = 0; side < 2; side++)
        send(p, side, cycle);
    p->next = CYCLE_NEVER;
    for (uint32_t side = 0; side < 2; side++) {
        const struct direction *d = &p->direction[side];

        if (d->count) {
            uint64_t arrives = d->flight[d->head].cycle;

            wake(p, arrives > cycle ? arrives : cycle + 1);
        }
        if (d->queued && !d->stalled)
            wake(p, d->wire.cycle > cycle ? d->wire.cycle : cycle + 1);
    }
}

uint64_t pcie_next_event(const struct pcie *p)
{
    return p->next;
}

bool pcie_idle(const struct pcie *p)
{
    return p->outstanding == 0;
}

bool pcie_serves(const struct pcie *p, uint8_t endpoint, bool read)
{
    const struct pcie_endpoint *e = &p->endpoint[endpoint].with;

    return read ? e->deliver_read != NULL : e->deliver_write != NULL;
}

uint32_t pcie_max_read(const struct pcie *p)
{
    return p->config.max_read;
}

uint32_t pcie_max_payload(const struct pcie *p)
{
    return p->config.max_payload;
}

uint64_t pcie_latency(const struct pcie *p)
{
    return p->latency;
}

uint32_t pcie_queued(const struct pcie *p, uint8_t endpoint)
{
    return p->endpoint[endpoint].posted;
}

uint64_t pcie_bytes_of(const struct pcie *p, uint8_t endpoint)
{
    return p->endpoint[endpoint].bytes;
}

void pcie_stats(const struct pcie *p, uint32_t side, struct pcie_direction_stats *stats)
{
    *stats = p->direction[side & 1].stats;
}
