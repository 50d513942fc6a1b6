#include <string.h>

#include "sim/host/nic_internal.h"

/* --- the completion queue in the NIC's memory --- */

/* A completion signal or the read index of the queue. */
static void take_queue_write(struct nic *n, uint64_t cycle, const struct pcie_write *write)
{
    uint64_t offset = write->address - n->config.completion_base;
    uint64_t entry = offset / AQL_SIGNAL_BYTES, value = 0;

    if (write->bytes == AQL_SIGNAL_BYTES && offset % AQL_SIGNAL_BYTES == 0)
        value = aql_get(write->data, AQL_SIGNAL_BYTES);
    else
        entry = UINT64_MAX;
    if (entry == n->config.entries && value > n->queue_read && value <= n->queue_written)
        n->queue_read = value;
    else if (entry < n->config.entries && !value && n->entry[entry].state == ENTRY_LAUNCHED &&
             edge_device_write(&n->ring, entry * EDGE_FLAG_BYTES, EDGE_DONE))
        n->batches[n->entry[entry].batch].done = cycle;
    else
        n->stats.bad_completions++;
    nic_wake(n, cycle);
}

bool nic_deliver_write(void *user, uint64_t cycle, const struct pcie_write *write)
{
    struct nic *n = *(struct nic **)user;
    uint64_t offset = write->address - n->config.completion_base;
    uint64_t entry = offset / EDGE_FLAG_BYTES;
    uint32_t value = 0;

    if (n->closed)
        return true;
    if (n->config.attention && write->address == n->config.attention && !n->started) {
        nic_start(n, cycle);
        return true;
    }
    if (n->config.signal.kind == NIC_SIGNAL_QUEUE) {
        take_queue_write(n, cycle, write);
        return true;
    }
    for (uint32_t i = 0; i < write->bytes && i < EDGE_FLAG_BYTES; i++)
        value |= (uint32_t)write->data[i] << 8 * i;
    /* An entry is busy from when it is filled, but can only be done once it has been launched. */
    bool launched = write->bytes == EDGE_FLAG_BYTES && offset % EDGE_FLAG_BYTES == 0 &&
                    entry < n->config.entries && n->entry[entry].state == ENTRY_LAUNCHED;
    if (launched && value == EDGE_FAILED) {
        nic_close(n, cycle);
        return true;
    }
    if (!launched || !edge_device_write(&n->ring, offset, value)) {
        n->stats.bad_completions++;
        return true;
    }
    n->batches[n->entry[entry].batch].done = cycle;
    n->batches[n->entry[entry].batch].aborted = value == EDGE_ABORTED;
    nic_wake(n, cycle);
    return true;
}

/* --- reads of results and frames --- */

static void push_job(struct nic *n, const struct job *job)
{
    n->jobs[(n->jobs_head + n->jobs_count++) % n->jobs_size] = *job;
    n->entry[job->entry].pending += job->bytes;
}

static void run_jobs(struct nic *n, uint64_t cycle)
{
    uint32_t max = pcie_max_read(n->config.gpu_link);

    while (n->jobs_count) {
        struct job *job = &n->jobs[n->jobs_head];
        uint32_t bytes = job->bytes < max ? job->bytes : max;
        uint32_t tag = n->n_free_reads ? n->free_reads[n->n_free_reads - 1] : 0;
        struct pcie_read read = {.address = job->address,
                                 .bytes = bytes,
                                 .tag = tag,
                                 .from = n->config.self,
                                 .to = n->config.gpu,
                                 .bar = PCIE_BAR_MEMORY};

        if (!n->n_free_reads || !pcie_read(n->config.gpu_link, cycle, &read)) {
            nic_wait_for_link(n, n->config.gpu_link, cycle);
            return;
        }
        n->n_free_reads--;
        n->reads[tag] = (struct read_entry){.into = job->into, .entry = job->entry};
        job->into += bytes;
        job->address += bytes;
        job->bytes -= bytes;
        if (job->bytes == 0) {
            n->jobs_head = n->jobs_head + 1 == n->jobs_size ? 0 : n->jobs_head + 1;
            n->jobs_count--;
        }
    }
}

static uint32_t get(const uint8_t *from, uint32_t bytes)
{
    uint32_t value = 0;

    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

void nic_push(struct nic *n, uint64_t cycle, uint32_t entry)
{
    struct job job = {.into = (uint8_t *)&n->push_word,
                      .address = n->buffers[entry].count,
                      .bytes = sizeof n->push_word,
                      .entry = entry};

    n->entry[entry].state = ENTRY_PUSHED;
    push_job(n, &job);
    run_jobs(n, cycle);
}

/* --- the life of an entry after its event is done --- */

static uint8_t *results_of(struct nic *n, uint32_t entry)
{
    return n->results + (size_t)entry * n->config.layout.batch * n->config.layout.result_stride;
}

static void read_results(struct nic *n, uint32_t entry)
{
    struct job job = {.into = results_of(n, entry),
                      .address = n->buffers[entry].results,
                      .bytes =
                          n->batches[n->entry[entry].batch].count * n->config.layout.result_stride,
                      .entry = entry};

    if (edge_device_aborted(&n->ring, entry)) {
        n->entry[entry].state = ENTRY_READ;
        return;
    }
    n->entry[entry].state = ENTRY_RESULTS;
    push_job(n, &job);
}

/* Bytes to send for a packet by its result; 0: none. */
static uint32_t sent_length(struct nic *n, uint32_t packet, const uint8_t *result)
{
    const struct nic_layout *l = &n->config.layout;
    uint32_t came = n->capture.packets[packet].length, verdict = n->records[packet].verdict;

    if (verdict >= 32 || !(l->forward >> verdict & 1))
        return 0;
    uint32_t length = l->sent_bytes ? get(result + l->sent_offset, l->sent_bytes) : came;

    if (length && length <= came + l->growth)
        return length;
    n->stats.bad_lengths++;
    return 0;
}

/* The result records are here: decides for every packet, and reads the frames that go on. */
static void read_frames(struct nic *n, uint32_t entry)
{
    const struct nic_layout *l = &n->config.layout;
    uint32_t count = n->batches[n->entry[entry].batch].count;

    n->entry[entry].state = ENTRY_FRAMES;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t packet = n->entry_packets[(size_t)entry * l->batch + i];
        const uint8_t *result = results_of(n, entry) + (size_t)i * l->result_stride;
        struct nic_record *record = &n->records[packet];

        record->verdict = get(result + l->verdict_offset, l->verdict_bytes);
        record->next_hop = get(result + l->hop_offset, l->hop_bytes);
        record->sent = sent_length(n, packet, result);
        if (record->sent) {
            struct job job = {.into = nic_output_place(n, packet),
                              .address = n->buffers[entry].output + (uint64_t)i * l->slot_stride +
                                         l->frame_offset,
                              .bytes = record->sent,
                              .entry = entry};

            push_job(n, &job);
        }
    }
}

void nic_deliver_completion(void *user, uint64_t cycle, const struct pcie_completion *completion)
{
    struct nic *n = *(struct nic **)user;
    const struct read_entry *read = &n->reads[completion->tag];
    struct entry *e = &n->entry[read->entry];

    memcpy(read->into + completion->offset, completion->data, completion->bytes);
    e->pending -= completion->bytes;
    if (completion->last)
        n->free_reads[n->n_free_reads++] = completion->tag;
    if (n->closed)
        return;
    if (e->pending == 0 && e->state == ENTRY_PUSHED) {
        n->arrived.entries[(n->arrived.head + n->arrived.count++) % n->config.entries] =
            read->entry;
        nic_wake(n, cycle);
        return;
    }
    if (e->pending == 0 && e->state == ENTRY_RESULTS)
        read_frames(n, read->entry);
    if (e->pending == 0)
        e->state = ENTRY_READ;
    if (e->pending == 0 || n->jobs_count)
        nic_wake(n, cycle);
}

static void free_entry(struct nic *n, uint32_t entry)
{
    n->entry[entry].state = ENTRY_FREE;
    n->in_flight--;
    edge_device_release(&n->ring, entry);
}

/* Sends the entry's forwarded frames, forgets the others, and frees the entry. */
static void finish_entry(struct nic *n, uint64_t cycle, uint32_t entry)
{
    struct nic_batch *batch = &n->batches[n->entry[entry].batch];

    for (uint32_t i = 0; i < batch->count; i++) {
        uint32_t packet = n->entry_packets[(size_t)entry * n->config.layout.batch + i];
        struct nic_record *record = &n->records[packet];

        if (batch->aborted) {
            record->fate = NIC_ABORTED;
            record->departure = cycle;
            n->stats.packets_aborted++;
            continue;
        }
        if (!record->sent) {
            uint32_t cause = record->verdict < NIC_VERDICTS ? record->verdict : NIC_VERDICTS - 1;

            record->fate = NIC_DROPPED;
            record->departure = cycle;
            n->stats.dropped[cause]++;
            continue;
        }
        record->fate = NIC_FORWARDED;
        record->departure = rate_take(&n->tx_wire, cycle, nic_wire_bits(n, record->sent));
        n->tx_end = record->departure;
        n->stats.forwarded++;
        n->stats.bytes_out += record->sent;
        n->stats.last_departure = record->departure;
        histogram_add(&n->latency, record->departure - record->arrival);
    }
    batch->freed = cycle;
    n->entry[entry].state = ENTRY_EMPTYING;
    if (n->config.empty)
        n->config.empty(n->config.user, entry);
    else
        free_entry(n, entry);
}

void nic_emptied(struct nic *n, uint32_t entry, uint64_t cycle)
{
    if (n->closed)
        return;
    free_entry(n, entry);
    nic_wake(n, cycle);
}

void nic_send(struct nic *n, uint64_t cycle)
{
    uint32_t entry;

    while (edge_device_complete(&n->ring, &entry))
        read_results(n, entry);
    run_jobs(n, cycle);
    while (n->entry[n->oldest].state == ENTRY_READ) {
        finish_entry(n, cycle, n->oldest);
        n->oldest = n->oldest + 1 == n->config.entries ? 0 : n->oldest + 1;
    }
}
