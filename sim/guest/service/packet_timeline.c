/* Batches of the NIC on a timeline: from the first packet's last byte to the free entry. */
#include "base/timeline.h"
#include "sim/guest/service/packet_internal.h"

static void write_batch(struct packet_service *s, uint64_t index, const struct nic_batch *b)
{
    struct timeline *file = guest_timeline(s->guest);
    const struct {
        const char *name;
        uint64_t begin, end;
    } parts[] = {{"receive", b->first_arrival, b->signalled},
                 {"kernel", b->signalled, b->done},
                 {"send", b->done, b->freed}};
    struct timeline_slice slice = {
        .begin = b->first_arrival, .end = b->freed, .category = "nic", .name = "batch"};
    slice.args[0] = (struct timeline_arg){"batch", NULL, index};
    slice.args[1] = (struct timeline_arg){"packets", NULL, b->count};
    slice.args[2] = (struct timeline_arg){"entry", NULL, b->entry};
    timeline_lane(file, &s->lanes, &slice);
    slice.args[0].key = NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        slice.name = parts[i].name;
        slice.begin = parts[i].begin;
        slice.end = parts[i].end;
        timeline_slice(file, &slice);
    }
}

void packet_timeline(struct packet_service *s)
{
    uint32_t count = 0;
    const struct nic_batch *batches = nic_batches(s->nic, &count);
    s->lanes.process = guest_process(s->guest);
    s->lanes.first_track = TRACK_DEVICE;
    s->lanes.name = "NIC batches";
    for (; s->drawn < count && batches[s->drawn].freed; s->drawn++)
        write_batch(s, s->drawn, &batches[s->drawn]);
}
