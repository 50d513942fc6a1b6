#include "sim/host/nic/packets.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

void packets_init(struct nic *n)
{
    n->packets.record = ALLOC_ARRAY(struct nic_record, nic_most_packets(n));
}

void packets_free(struct nic *n)
{
    free(n->packets.record);
    histogram_free(&n->packets.latency);
}

void packets_arrived(struct nic *n, uint32_t packet, uint64_t cycle)
{
    struct nic_stats *stats = &n->packets.stats;

    n->packets.record[packet].arrival = cycle;
    if (stats->packets_in++ == 0)
        stats->first_arrival = cycle;
    stats->bytes_in += n->capture.packets[packet].length;
}

void packets_over_rate(struct nic *n, uint32_t packet)
{
    n->packets.record[packet].over_rate = true;
    n->packets.stats.over_rate++;
}

void packets_lost(struct nic *n, uint32_t packet)
{
    struct nic_record *record = &n->packets.record[packet];

    record->fate = NIC_LOST;
    record->departure = record->arrival;
    n->packets.stats.packets_lost++;
}

uint64_t packets_arrival(const struct nic *n, uint32_t packet)
{
    return n->packets.record[packet].arrival;
}

void packets_batched(struct nic *n, uint32_t packet, uint32_t batch)
{
    n->packets.record[packet].batch = batch;
}

static uint32_t field(const uint8_t *result, uint32_t offset, uint32_t bytes)
{
    uint32_t value = 0;

    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint32_t)result[offset + i] << 8 * i;
    return value;
}

uint32_t packets_decided(struct nic *n, uint32_t packet, const uint8_t *result)
{
    const struct nic_layout *l = &n->config.layout;
    struct nic_record *record = &n->packets.record[packet];
    uint32_t came = n->capture.packets[packet].length;

    record->verdict = field(result, l->verdict_offset, l->verdict_bytes);
    record->next_hop = field(result, l->hop_offset, l->hop_bytes);
    record->sent = 0;
    if (record->verdict >= 32 || !(l->forward >> record->verdict & 1))
        return 0;
    uint32_t length = l->sent_bytes ? field(result, l->sent_offset, l->sent_bytes) : came;

    if (length && length <= came + l->growth)
        record->sent = length;
    else
        n->packets.stats.bad_lengths++;
    return record->sent;
}

uint32_t packets_sent_length(const struct nic *n, uint32_t packet)
{
    return n->packets.record[packet].sent;
}

static struct nic_record *end(struct nic *n, uint32_t packet, enum nic_fate fate, uint64_t cycle)
{
    struct nic_record *record = &n->packets.record[packet];

    record->fate = (uint8_t)fate;
    record->departure = cycle;
    return record;
}

void packets_forwarded(struct nic *n, uint32_t packet, uint64_t cycle)
{
    struct nic_stats *stats = &n->packets.stats;
    const struct nic_record *record = end(n, packet, NIC_FORWARDED, cycle);

    stats->forwarded++;
    stats->bytes_out += record->sent;
    stats->last_departure = cycle;
    histogram_add(&n->packets.latency, cycle - record->arrival);
}

void packets_dropped(struct nic *n, uint32_t packet, uint64_t cycle)
{
    uint32_t verdict = end(n, packet, NIC_DROPPED, cycle)->verdict;

    n->packets.stats.dropped[verdict < NIC_VERDICTS ? verdict : NIC_VERDICTS - 1]++;
}

void packets_aborted(struct nic *n, uint32_t packet, uint64_t cycle)
{
    end(n, packet, NIC_ABORTED, cycle);
    n->packets.stats.packets_aborted++;
}

void packets_fail_rest(struct nic *n)
{
    for (uint32_t i = 0; i < n->capture.count; i++) {
        if (n->packets.record[i].fate != NIC_WAITING)
            continue;
        n->packets.record[i].fate = NIC_FAILED;
        n->packets.stats.packets_failed++;
    }
}

const struct nic_record *nic_records(const struct nic *n)
{
    return n->packets.record;
}

void nic_get_stats(const struct nic *n, struct nic_stats *stats)
{
    *stats = n->packets.stats;
    stats->latency = &n->packets.latency;
    wire_stats(n, stats);
    fill_stats(n, stats);
    entries_stats(n, stats);
}
