/* Every packet against the host reference; what the NIC sent, as a capture. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/service/packet_internal.h"
#include "sw/services/common/capture_write.h"

/* --- verification -------------------------------------------------------------------------------
 */

static bool check_packet(struct packet_service *s, uint32_t i, struct packet_want *want,
                         struct error *err)
{
    const struct packet_kind *kind = s->kind;
    const struct captured_packet *packet = &s->options.capture->packets[i];
    const struct nic_record *record = &nic_records(s->nic)[i];
    const struct packet_view view = {.index = i,
                                     .frame = s->options.capture->bytes + packet->offset,
                                     .length = packet->length,
                                     .verdict = record->verdict,
                                     .port = record->next_hop,
                                     .sent = nic_output(s->nic, i),
                                     .sent_length = record->sent};
    if (record->fate != NIC_FORWARDED && record->fate != NIC_DROPPED)
        return true;
    s->figures.packets_checked++;
    if (s->options.only_processed)
        return record->verdict != 0 ||
               error_set(err, "packet %u: verdict '%s'", i + 1, kind->verdict_name(0));
    memcpy(want->frame, view.frame, view.length);
    want->length = view.length;
    kind->expect(s->state, &view, want);
    if (record->verdict != want->verdict)
        return error_set(err, "packet %u: verdict '%s', but the host reference says '%s'", i + 1,
                         kind->verdict_name(record->verdict), kind->verdict_name(want->verdict));
    if (!(kind->forward >> want->verdict & 1))
        return true;
    if (view.port != want->port || !view.sent || view.sent_length != want->length ||
        memcmp(view.sent, want->frame, want->length) != 0)
        return error_set(
            err, "packet %u: the forwarded frame or its port differs from the host reference",
            i + 1);
    return true;
}

static bool check_packets(struct packet_service *s, struct error *err)
{
    const struct capture *capture = s->options.capture;
    struct packet_want want = {
        .frame = ALLOC_ARRAY(uint8_t, (size_t)capture->longest + s->memory.growth)};
    bool same = true;
    for (uint32_t i = 0; i < capture->count && same; i++)
        same = check_packet(s, i, &want, err);
    free(want.frame);
    bool all = !s->options.only_processed && !s->failed && !s->figures.aborted;
    return same && (!all || !s->kind->settled || s->kind->settled(s->state, err));
}

/* --- what the NIC sent --------------------------------------------------------------------------
 */

static int by_departure(const void *a, const void *b)
{
    const struct capture_frame *x = a, *y = b;
    return (x->timestamp_ns > y->timestamp_ns) - (x->timestamp_ns < y->timestamp_ns);
}

bool packet_write_sent(struct packet_service *s, struct error *err)
{
    const struct capture *capture = s->options.capture;
    const struct nic_record *records = nic_records(s->nic);
    struct capture_frame *frames = ALLOC_ARRAY(struct capture_frame, capture->count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < capture->count; i++) {
        if (records[i].fate == NIC_FORWARDED)
            frames[count++] = (struct capture_frame){
                .timestamp_ns =
                    rate_cycles_to_ns(records[i].departure, machine_config(s->machine)->core_khz),
                .bytes = nic_output(s->nic, i),
                .length = records[i].sent};
    }
    qsort(frames, count, sizeof *frames, by_departure);
    bool written = capture_write(s->options.sent_path, frames, count, err);
    free(frames);
    return written;
}

/* With `skip`: every packet has come back without a verdict, and every event has ended. */
static bool check_skipped(struct packet_service *s, struct error *err)
{
    const struct packet_figures *f = packet_figures(s);
    const struct nic_record *records = nic_records(s->nic);
    for (uint32_t i = 0; i < s->options.capture->count; i++) {
        if (records[i].fate != NIC_LOST && (records[i].fate != NIC_DROPPED || records[i].verdict))
            return error_set(err, "packet %u: verdict '%s', but execute=no executes no event",
                             i + 1, s->kind->verdict_name(records[i].verdict));
    }
    return f->events == f->nic.batches ||
           error_set(err, "%llu events for %llu batches", (unsigned long long)f->events,
                     (unsigned long long)f->nic.batches);
}

bool packet_check(struct packet_service *s, struct error *err)
{
    if (s->options.skip)
        return check_skipped(s, err);
    return check_packets(s, err) && packet_promise_held(s, err);
}
