#include "sim/host/nic/answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/host/nic/internal.h"

void answers_init(struct nic *n)
{
    const struct nic_config *c = &n->config;
    size_t slots = (size_t)c->entries * c->layout.batch;

    if (c->returns != NIC_RETURN_WORDS)
        return;
    n->answers.slots = ALLOC_ARRAY(uint8_t, slots * c->layout.slot_stride);
    n->answers.left = ALLOC_ARRAY(uint32_t, slots);
}

void answers_free(struct nic *n)
{
    free(n->answers.slots);
    free(n->answers.left);
}

static uint32_t after(const struct nic *n, uint32_t entry)
{
    return entry + 1 == n->config.entries ? 0 : entry + 1;
}

static size_t number(const struct nic *n, uint32_t entry, uint32_t index)
{
    return (size_t)entry * n->config.layout.batch + index;
}

static uint8_t *slot_of(const struct nic *n, uint32_t entry, uint32_t index)
{
    return n->answers.slots + number(n, entry, index) * n->config.layout.slot_stride;
}

/* The words of a sent slot; the output may have only the first ones. */
static void take_slot(struct nic *n, uint32_t entry, uint32_t index, uint32_t bytes)
{
    const struct nic_layout *l = &n->config.layout;
    const struct nic_entry *buffers = entries_buffers(n, entry);
    uint64_t at = (uint64_t)index * l->slot_stride;
    uint32_t end = (bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    uint32_t split = l->output_bytes && l->output_bytes < end ? l->output_bytes : end;
    struct job job = {.into = slot_of(n, entry, index),
                      .address = buffers->output + at,
                      .bytes = split,
                      .entry = entry,
                      .left = &n->answers.left[number(n, entry, index)]};

    reads_add(n, &job);
    if (split == end)
        return;
    job.into += split;
    job.address = buffers->input + at + split;
    job.bytes = end - split;
    reads_add(n, &job);
}

/* The entry's results are here. */
static void take_frames(struct nic *n, uint32_t entry)
{
    const struct nic_layout *l = &n->config.layout;
    const uint8_t *results = send_results(n, entry);
    uint32_t count = entries_batch(n, entry)->count;

    entries_move(n, entry, ENTRY_FRAMES);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t sent =
            packets_decided(n, entries_packet(n, entry, i), results + (size_t)i * l->result_stride);
        if (sent)
            take_slot(n, entry, i, l->frame_offset + sent);
    }
}

/* Results of one entry after the other, each behind the frames of the one before. Those of a batch
 * that is still being filled are here only if its kernel has not looked at all packets. */
static void ask(struct nic *n, uint64_t cycle)
{
    struct answers *a = &n->answers;

    for (;;) {
        if (entries_state(n, a->asked) == ENTRY_LAUNCHED)
            send_read_results(n, a->asked);
        if (entries_state(n, a->asked) != ENTRY_RESULTS || reads_pending(n, a->asked) ||
            entries_filling(n, a->asked))
            return;
        entries_answered(n, a->asked, cycle);
        take_frames(n, a->asked);
        a->asked = after(n, a->asked);
    }
}

/* Packets of the oldest entry that are here; true when it has no more. */
static bool send_packets(struct nic *n, uint64_t cycle)
{
    struct answers *a = &n->answers;
    uint32_t count = entries_batch(n, a->oldest)->count;

    for (; a->next < count; a->next++) {
        uint32_t packet = entries_packet(n, a->oldest, a->next);

        if (a->left[number(n, a->oldest, a->next)])
            return false;
        memcpy(send_place(n, packet),
               slot_of(n, a->oldest, a->next) + n->config.layout.frame_offset,
               packets_sent_length(n, packet));
        send_packet(n, cycle, packet);
    }
    return true;
}

void answers_run(struct nic *n, uint64_t cycle)
{
    struct answers *a = &n->answers;

    ask(n, cycle);
    reads_run(n, cycle);
    while (entries_state(n, a->oldest) == ENTRY_FRAMES && send_packets(n, cycle)) {
        entries_sent(n, a->oldest, cycle);
        a->oldest = after(n, a->oldest);
        a->next = 0;
    }
}
