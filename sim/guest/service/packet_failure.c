/* A packet service whose kernel has failed: its NIC gives its queue up, what was sent before is
 * checked all the same. */
#include <stdio.h>

#include "sim/guest/service/packet_internal.h"

#define NO_PACKET UINT32_MAX

/* The packet of the capture that is the n-th of a batch; NO_PACKET: it has not so many. */
static uint32_t packet_of(const struct packet_service *s, uint64_t batch, uint32_t n)
{
    uint32_t count = 0;
    const struct nic_batch *batches = nic_batches(s->nic, &count);
    const struct nic_record *records = nic_records(s->nic);
    if (batch >= count || n >= batches[batch].count)
        return NO_PACKET;
    for (uint32_t i = 0; i < s->options.capture->count; i++) {
        if (records[i].fate != NIC_LOST && records[i].batch == batch && !n--)
            return i;
    }
    return NO_PACKET;
}

/* Which of its packets the thread at fault works on. */
static uint32_t place_of(const struct packet_service *s, const struct event_times *event,
                         const struct core_fault *what)
{
    uint32_t thread = what->thread[0];
    if (!what->in_event)
        thread += what->block[0] * s->memory.block;
    return s->pipeline && packet_pipeline_is_second(s->pipeline, event)
               ? thread
               : thread / s->kind->threads_per_packet;
}

static void name_packet(struct packet_service *s, const struct guest_fault *fault)
{
    if (!fault->event || !s->nic)
        return;
    uint32_t packet =
        fault->what ? packet_of(s, fault->event->index, place_of(s, fault->event, fault->what))
                    : NO_PACKET;
    int n = snprintf(s->failure, sizeof s->failure, "event %llu of %s",
                     (unsigned long long)fault->event->index + 1, guest_name(s->guest));
    if (packet != NO_PACKET)
        snprintf(s->failure + n, sizeof s->failure - (size_t)n, ", packet %u", packet + 1);
}

void packet_faulted(void *self, uint64_t cycle, const struct guest_fault *fault)
{
    struct packet_service *s = self;
    s->failed = true;
    name_packet(s, fault);
    if (packet_fills(s) && s->emptying)
        packet_fill_give_up(s);
    if (s->nic)
        nic_close(s->nic, cycle);
}

void packet_failed_verdict(struct packet_service *s, char *text, size_t room)
{
    struct error err = {.set = false};
    struct nic_stats nic = {.packets_failed = s->options.capture->count};
    if (s->nic) {
        packet_check(s, &err);
        nic_get_stats(s->nic, &nic);
    }
    int n = snprintf(text, room, "%s%s%s; %llu packets failed; ", guest_failure(s->guest)->text,
                     s->failure[0] ? "; " : "", s->failure, (unsigned long long)nic.packets_failed);
    if (n < 0 || (size_t)n >= room)
        return;
    if (err.set)
        snprintf(text + n, room - (size_t)n, "%s", err.text);
    else
        snprintf(text + n, room - (size_t)n, "the %llu packets before equal their host references",
                 (unsigned long long)s->figures.packets_checked);
}
