/* Packets in memory with full/empty bits: the NIC's writes fill the words, an event's loads wait
 * for them, and an entry is emptied before it takes packets again. The same of records, which a
 * pipeline's first kernel writes. So the doorbell may overtake the
 * packets (full/empty paper, 4.1: producer and consumer). */
#include "base/alloc.h"
#include "sim/guest/service/packet_internal.h"
#include "sim/system/guest_region.h"

static void on_empty(void *user, uint64_t cycle)
{
    const struct emptying *e = user;
    struct packet_service *s = e->service;
    if (s->failed)
        return;
    if (!s->not_emptied)
        nic_emptied(s->nic, e->entry, cycle);
    else if (!--s->not_emptied)
        nic_start(s->nic, cycle);
}

bool packet_fills(const struct packet_service *s)
{
    return s->options.fill || (s->pipeline && s->options.hand == HAND_WORDS);
}

/* `bytes` of an entry from its packets on, or all that a pipeline's first kernel hands on. */
static struct region_job mark_entry(const struct packet_service *s, uint32_t entry, bool full,
                                    uint64_t bytes)
{
    struct region_job job = {
        .kind = REGION_MARK, .full = full, .address = s->memory.entry[entry].input, .bytes = bytes};
    if (s->pipeline)
        job.address = packet_pipeline_records(s->pipeline, entry, &job.bytes);
    return job;
}

static void empty(struct packet_service *s, uint32_t entry, uint64_t bytes)
{
    struct region_job job = mark_entry(s, entry, false, bytes);
    job.done = on_empty;
    job.user = &s->emptying[entry];
    guest_region_job(s->guest, &job);
}

/* What the NIC takes of an early return has been emptied by that. */
void packet_fill_empty(void *self, uint32_t entry)
{
    struct packet_service *s = self;
    empty(s, entry, s->memory.input_bytes);
}

void packet_fill_start(struct packet_service *s)
{
    s->emptying = ALLOC_ARRAY(struct emptying, s->memory.entries);
    s->not_emptied = s->memory.entries;
    for (uint32_t i = 0; i < s->memory.entries; i++) {
        s->emptying[i] = (struct emptying){s, i};
        empty(s, i, s->memory.fill_bytes);
    }
}

static void on_given_up(void *user, uint64_t cycle)
{
    (void)user, (void)cycle;
}

void packet_fill_give_up(struct packet_service *s)
{
    for (uint32_t i = 0; i < s->memory.entries; i++) {
        struct region_job job = mark_entry(s, i, true, s->memory.fill_bytes);
        job.done = on_given_up;
        guest_region_job(s->guest, &job);
    }
}
