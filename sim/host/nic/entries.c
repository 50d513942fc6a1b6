#include "sim/host/nic/entries.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

void entries_init(struct nic *n)
{
    const struct nic_config *c = &n->config;
    struct entries *e = &n->entries;

    e->buffers = ALLOC_ARRAY(struct nic_entry, c->entries);
    for (uint32_t i = 0; i < c->entries; i++)
        e->buffers[i] = c->entry[i];
    e->flags = ALLOC_ARRAY(uint32_t, c->entries);
    e->entry = ALLOC_ARRAY(struct entry, c->entries);
    e->packets = ALLOC_ARRAY(uint32_t, c->entries * c->layout.batch);
    edge_device_init(&e->ring, e->flags, c->entries);
}

void entries_free(struct nic *n)
{
    free(n->entries.buffers);
    free(n->entries.flags);
    free(n->entries.entry);
    free(n->entries.packets);
    free(n->entries.batches);
}

static struct nic_batch *batch_of(struct nic *n, uint32_t entry)
{
    return &n->entries.batches[n->entries.entry[entry].batch];
}

bool entries_open(struct nic *n, uint64_t first_arrival, uint32_t *entry)
{
    struct entries *e = &n->entries;

    if (!edge_device_try_launch(&e->ring, entry))
        return false;
    e->in_flight++;
    ARRAY_RESERVE(e->batches, e->n_batches, e->batches_capacity);
    e->batches[e->n_batches] = (struct nic_batch){.first_arrival = first_arrival, .entry = *entry};
    e->entry[*entry] = (struct entry){.state = ENTRY_FILLING, .batch = e->n_batches++};
    return true;
}

void entries_add(struct nic *n, uint32_t entry, uint32_t index, uint32_t packet)
{
    n->entries.packets[(size_t)entry * n->config.layout.batch + index] = packet;
    packets_batched(n, packet, n->entries.entry[entry].batch);
}

void entries_filled(struct nic *n, uint32_t entry, uint64_t cycle)
{
    batch_of(n, entry)->filled = cycle;
}

void entries_counted(struct nic *n, uint32_t entry, uint32_t count)
{
    batch_of(n, entry)->count = count;
}

void entries_signalled(struct nic *n, uint32_t entry, uint64_t cycle)
{
    struct nic_batch *batch = batch_of(n, entry);

    batch->signalled = cycle;
    n->entries.entry[entry].state = ENTRY_LAUNCHED;
    n->entries.entry[entry].signalled = batch->count;
    n->entries.signalled++;
    if (n->config.returns == NIC_RETURN_WORDS)
        nic_wake(n, cycle + 1); /* to ask for its results */
    n->entries.partial += batch->count < n->config.layout.batch;
}

void entries_follow(struct nic *n, uint32_t entry)
{
    n->entries.entry[entry].filling = true;
}

void entries_followed(struct nic *n, uint32_t entry, uint32_t count, uint64_t cycle)
{
    struct nic_batch *batch = batch_of(n, entry);

    n->entries.partial += count < batch->count;
    batch->count = count;
    batch->filled = cycle;
    n->entries.entry[entry].filling = false;
    nic_wake(n, cycle + 1); /* it may have been done before */
}

void entries_move(struct nic *n, uint32_t entry, enum entry_state state)
{
    n->entries.entry[entry].state = state;
}

bool entries_complete(struct nic *n, uint32_t *entry)
{
    return !n->entries.entry[n->entries.ring.tail].filling &&
           edge_device_complete(&n->entries.ring, entry);
}

bool entries_aborted(const struct nic *n, uint32_t entry)
{
    return edge_device_aborted(&n->entries.ring, entry);
}

bool entries_filling(const struct nic *n, uint32_t entry)
{
    return n->entries.entry[entry].filling;
}

uint32_t entries_results(const struct nic *n, uint32_t entry)
{
    return n->config.returns == NIC_RETURN_WORDS ? n->entries.entry[entry].signalled
                                                 : entries_batch(n, entry)->count;
}

void entries_answered(struct nic *n, uint32_t entry, uint64_t cycle)
{
    struct entries *e = &n->entries;

    edge_device_write(&e->ring, (uint64_t)entry * EDGE_FLAG_BYTES, EDGE_DONE);
    edge_device_complete(&e->ring, &entry);
    batch_of(n, entry)->done = cycle;
}

bool entries_untold(const struct nic *n)
{
    return n->config.returns == NIC_RETURN_WORDS && !agenda_closed(&n->agenda) &&
           n->entries.told < n->entries.signalled;
}

static void release(struct nic *n, uint32_t entry)
{
    n->entries.entry[entry].state = ENTRY_FREE;
    n->entries.in_flight--;
    edge_device_release(&n->entries.ring, entry);
}

void entries_sent(struct nic *n, uint32_t entry, uint64_t cycle)
{
    batch_of(n, entry)->freed = cycle;
    n->entries.entry[entry].state = ENTRY_EMPTYING;
    if (n->config.empty)
        n->config.empty(n->config.user, entry);
    else
        release(n, entry);
}

void nic_emptied(struct nic *n, uint32_t entry, uint64_t cycle)
{
    if (agenda_closed(&n->agenda))
        return;
    release(n, entry);
    nic_wake(n, cycle);
}

void entries_close(struct nic *n)
{
    n->entries.in_flight = 0;
}

enum entry_state entries_state(const struct nic *n, uint32_t entry)
{
    return n->entries.entry[entry].state;
}

const struct nic_batch *entries_batch(const struct nic *n, uint32_t entry)
{
    return &n->entries.batches[n->entries.entry[entry].batch];
}

const struct nic_entry *entries_buffers(const struct nic *n, uint32_t entry)
{
    return &n->entries.buffers[entry];
}

uint32_t entries_packet(const struct nic *n, uint32_t entry, uint32_t index)
{
    return n->entries.packets[(size_t)entry * n->config.layout.batch + index];
}

uint32_t entries_in_flight(const struct nic *n)
{
    return n->entries.in_flight;
}

const struct nic_batch *nic_batches(const struct nic *n, uint32_t *count)
{
    *count = n->entries.n_batches;
    return n->entries.batches;
}

void entries_stats(const struct nic *n, struct nic_stats *stats)
{
    stats->batches = n->entries.signalled;
    stats->partial_batches = n->entries.partial;
    stats->bad_completions = n->entries.bad_completions;
}

/* --- the completion queue --- */

static bool launched(const struct nic *n, uint64_t entry)
{
    return entry < n->config.entries && n->entries.entry[entry].state == ENTRY_LAUNCHED;
}

/* A completion signal or the read index of the queue. */
static void take_queue_write(struct nic *n, uint64_t cycle, const struct pcie_write *write)
{
    uint64_t offset = write->address - n->config.completion_base;
    uint64_t entry = offset / AQL_SIGNAL_BYTES, value = 0;

    if (write->bytes == AQL_SIGNAL_BYTES && offset % AQL_SIGNAL_BYTES == 0)
        value = aql_get(write->data, AQL_SIGNAL_BYTES);
    else
        entry = UINT64_MAX;
    if (entry == n->config.entries && fill_read_index(n, value))
        ;
    else if (launched(n, entry) && !value &&
             edge_device_write(&n->entries.ring, entry * EDGE_FLAG_BYTES, EDGE_DONE))
        batch_of(n, (uint32_t)entry)->done = cycle;
    else
        n->entries.bad_completions++;
    nic_wake(n, cycle);
}

/* Nobody waits for it, and the entry may have its next event already. */
static void count_flag(struct nic *n, uint64_t cycle, const struct pcie_write *write)
{
    struct entries *e = &n->entries;
    uint64_t offset = write->address - n->config.completion_base;
    bool valid = write->bytes == EDGE_FLAG_BYTES && offset % EDGE_FLAG_BYTES == 0 &&
                 offset / EDGE_FLAG_BYTES < n->config.entries && e->told < e->signalled;

    if (valid && write->data[0] == EDGE_FAILED)
        nic_close(n, cycle);
    else if (valid && write->data[0] == EDGE_DONE)
        e->told++;
    else
        e->bad_completions++;
    nic_wake(n, cycle);
}

static void take_flag(struct nic *n, uint64_t cycle, const struct pcie_write *write)
{
    uint64_t offset = write->address - n->config.completion_base;
    uint64_t entry = offset / EDGE_FLAG_BYTES;
    uint32_t value = 0;

    for (uint32_t i = 0; i < write->bytes && i < EDGE_FLAG_BYTES; i++)
        value |= (uint32_t)write->data[i] << 8 * i;
    /* An entry is busy from when it is filled, but can only be done once it has been launched. */
    bool valid =
        write->bytes == EDGE_FLAG_BYTES && offset % EDGE_FLAG_BYTES == 0 && launched(n, entry);
    if (valid && value == EDGE_FAILED) {
        nic_close(n, cycle);
        return;
    }
    if (!valid || !edge_device_write(&n->entries.ring, offset, value)) {
        n->entries.bad_completions++;
        return;
    }
    batch_of(n, (uint32_t)entry)->done = cycle;
    batch_of(n, (uint32_t)entry)->aborted = value == EDGE_ABORTED;
    nic_wake(n, cycle);
}

bool entries_deliver_write(void *user, uint64_t cycle, const struct pcie_write *write)
{
    struct nic *n = *(struct nic **)user;

    if (agenda_closed(&n->agenda))
        return true;
    if (n->config.attention && write->address == n->config.attention && !wire_started(n))
        nic_start(n, cycle);
    else if (n->config.signal.kind == NIC_SIGNAL_QUEUE)
        take_queue_write(n, cycle, write);
    else if (n->config.returns == NIC_RETURN_WORDS)
        count_flag(n, cycle, write);
    else
        take_flag(n, cycle, write);
    return true;
}
