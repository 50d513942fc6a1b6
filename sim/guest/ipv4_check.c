/* Every packet against the host reference; what the NIC sent, as a capture. */
#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/guest/ipv4_internal.h"
#include "sw/services/ipv4/capture_write.h"
#include "sw/services/ipv4/forward.h"

/* --- verification -------------------------------------------------------------------------------
 */

static bool check_packet(struct ipv4 *s, uint32_t i, const struct trie *trie, uint8_t *frame,
                         struct error *err)
{
    const struct capture *capture = s->options.capture;
    const struct nic_packet *packet = &capture->packets[i];
    const struct nic_record *record = &nic_records(s->nic)[i];
    memcpy(frame, capture->bytes + packet->offset, packet->length);
    uint32_t result = forward_reference(frame, packet->length, trie, s->memory.host_hops);
    uint32_t verdict = result & 0xFF, port = result >> FWD_RESULT_PORT_SHIFT;
    if (record->fate == NIC_LOST)
        return true;
    if (s->options.only_processed)
        return record->verdict != FWD_NONE ||
               error_set(err, "packet %u: verdict '%s'", i + 1, forward_verdict_name(FWD_NONE));
    if (record->verdict != verdict)
        return error_set(err, "packet %u: verdict '%s', the host reference says '%s'", i + 1,
                         forward_verdict_name(record->verdict), forward_verdict_name(verdict));
    if (verdict != FWD_FORWARD)
        return true;
    const uint8_t *sent = nic_output(s->nic, i);
    if (record->next_hop != port || !sent || memcmp(sent, frame, packet->length))
        return error_set(err, "packet %u: forwarded frame or port differs from the host reference",
                         i + 1);
    return true;
}

static bool check_packets(struct ipv4 *s, struct error *err)
{
    const struct capture *capture = s->options.capture;
    struct trie *trie = trie_create(s->options.routes);
    uint8_t *frame = ALLOC_ARRAY(uint8_t, capture->longest);
    bool same = true;
    for (uint32_t i = 0; i < capture->count && same; i++)
        same = check_packet(s, i, trie, frame, err);
    free(frame);
    trie_destroy(trie);
    s->figures.packets_checked = capture->count;
    return same;
}

/* --- what the NIC sent --------------------------------------------------------------------------
 */

static int by_departure(const void *a, const void *b)
{
    const struct capture_frame *x = a, *y = b;
    return (x->timestamp_ns > y->timestamp_ns) - (x->timestamp_ns < y->timestamp_ns);
}

static bool write_forwarded(struct ipv4 *s, struct error *err)
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
                .length = capture->packets[i].length};
    }
    qsort(frames, count, sizeof *frames, by_departure);
    bool written = capture_write(s->options.forwarded_path, frames, count, err);
    free(frames);
    return written;
}

bool ipv4_check(struct ipv4 *s, struct error *err)
{
    return check_packets(s, err) && (!s->options.forwarded_path || write_forwarded(s, err));
}
