/* With a time-out, the driver watches the service's events: one whose flag the NIC does not have in
 * time is aborted. One that has not begun is none that hangs: it is asked for again after the same
 * time. */
#include <stdlib.h>

#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/guest/service/packet_internal.h"
#include "sim/host/rate.h"

void packet_watch_create(struct packet_service *s)
{
    struct packet_watch *w = &s->watch;
    if (!s->options.timeout_us)
        return;
    w->timeout = rate_ns_to_cycles((uint64_t)s->options.timeout_us * 1000,
                                   machine_config(s->machine)->core_khz);
    w->asked = ALLOC_ARRAY(struct packet_asked, s->memory.entries);
    w->next = CYCLE_NEVER;
}

void packet_watch_destroy(struct packet_service *s)
{
    free(s->watch.asked);
}

static void answered(void *user, uint32_t code, uint32_t row)
{
    struct packet_service *s = user;
    (void)row;
    s->figures.aborts_refused += code != FRONTEND_CODE_OK;
}

/* When the batch is to be looked at next; one that is over its time is aborted first. */
static uint64_t judge(struct packet_service *s, uint32_t number, const struct nic_batch *batch,
                      uint64_t cycle)
{
    struct packet_watch *w = &s->watch;
    struct packet_asked *asked = &w->asked[batch->entry];
    if (batch->done)
        return CYCLE_NEVER;
    if (!batch->signalled)
        return cycle + w->timeout;
    uint64_t since = asked->times && asked->batch == number ? asked->cycle : batch->signalled;
    if (cycle < since + w->timeout)
        return since + w->timeout;
    if (asked->batch != number)
        asked->times = 0;
    *asked = (struct packet_asked){.batch = number, .times = asked->times + 1, .cycle = cycle};
    guest_command(
        s->guest,
        &(struct frontend_command){.op = FRONTEND_CMD_ABORT,
                                   .row = (uint8_t)edge_row(s->memory.event),
                                   .base = edge_entry_address(s->memory.event, batch->entry)},
        answered, s);
    return cycle + w->timeout;
}

/* Entries are used in turn: the batches under way are among the last ones. */
void packet_watch_tick(struct packet_service *s, uint64_t cycle)
{
    struct packet_watch *w = &s->watch;
    uint32_t count = 0;
    if (!w->timeout || s->failed)
        return;
    const struct nic_batch *batches = nic_batches(s->nic, &count);
    if (w->next == CYCLE_NEVER ? count == w->seen : cycle < w->next)
        return;
    w->seen = count;
    w->next = CYCLE_NEVER;
    for (uint32_t i = count < s->memory.entries ? 0 : count - s->memory.entries; i < count; i++) {
        uint64_t next = judge(s, i, &batches[i], cycle);
        w->next = next < w->next ? next : w->next;
    }
}

uint64_t packet_watch_next(const struct packet_service *s)
{
    return s->watch.timeout && !s->failed ? s->watch.next : CYCLE_NEVER;
}
