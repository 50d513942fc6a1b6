#include "sim/guest/service/memc.h"

#include <stdlib.h>

#include "base/alloc.h"

_Static_assert(MEMC_SLOT_ALIGN == PACKET_SLOT_ALIGN && MEMC_FRAME_OFFSET == PACKET_FRAME_OFFSET,
               "the kernel's layout of slots");

struct server {
    const struct memc_inputs *inputs;
    struct memc_layout layout;
};

enum { TAGS, ITEMS };
enum { BUCKET_MASK, ITEM_BYTES, KEY_ROOM, PORT, SKIP_CHECKSUMS };

static void *create(const void *inputs, struct packet_tables *tables, struct error *err)
{
    const struct memc_inputs *in = inputs;
    struct memc_layout layout;
    if (!memc_layout(&in->items, in->entries, &layout, err))
        return NULL;
    void *tags =
        packet_table(tables, "tags", (uint64_t)layout.entries * sizeof(uint32_t), true, err);
    void *items =
        packet_table(tables, "items", (uint64_t)layout.entries * layout.item_bytes, true, err);
    if (err->set)
        return NULL;
    memc_fill(&in->items, &layout, tags, items);
    tables->value[BUCKET_MASK] = layout.entries / MEMC_WAYS - 1;
    tables->value[ITEM_BYTES] = layout.item_bytes;
    tables->value[KEY_ROOM] = layout.key_room;
    tables->value[PORT] = in->server.port;
    tables->value[SKIP_CHECKSUMS] = in->server.skip_checksums;
    struct server *s = ALLOC(struct server);
    *s = (struct server){in, layout};
    return s;
}

static uint32_t growth(const void *inputs, const struct capture *capture)
{
    const struct memc_inputs *in = inputs;
    (void)capture;
    return memc_growth(&in->items);
}

static void expect(void *state, const struct packet_view *packet, struct packet_want *want)
{
    const struct server *s = state;
    (void)packet;
    want->verdict = memc_reference(want->frame, &want->length, &s->inputs->server);
    want->port = 0;
}

static void print(const void *state, FILE *to)
{
    const struct server *s = state;
    fprintf(to, "Items                 %u in %u entries of %u bytes\n", s->inputs->items.count,
            s->layout.entries, s->layout.item_bytes);
}

static void json(const void *state, json_t *into)
{
    const struct server *s = state;
    json_object_set_new(into, "table",
                        json_pack("{s:i, s:i, s:i}", "items", (int)s->inputs->items.count,
                                  "entries", (int)s->layout.entries, "entry_bytes",
                                  (int)s->layout.item_bytes));
}

static const uint8_t arguments[] = {PACKET_SLOTS,
                                    PACKET_SLOT_BYTES,
                                    PACKET_COUNT,
                                    PACKET_TABLE + TAGS,
                                    PACKET_TABLE + ITEMS,
                                    PACKET_VALUE + BUCKET_MASK,
                                    PACKET_VALUE + ITEM_BYTES,
                                    PACKET_VALUE + KEY_ROOM,
                                    PACKET_VALUE + PORT,
                                    PACKET_VALUE + SKIP_CHECKSUMS,
                                    PACKET_RESULTS};

const struct packet_kind memc_kind = {.name = "memc",
                                      .kernel = "memc_get",
                                      .block_kernel = "memc_get",
                                      .persistent = "memc_persistent",
                                      .threads_per_packet = 1,
                                      .arguments = arguments,
                                      .n_arguments = sizeof arguments,
                                      .verdicts = MEMC_VERDICTS,
                                      .forward = 1u << MEMC_HIT | 1u << MEMC_MISS,
                                      .verdict_name = memc_verdict_name,
                                      .sends_length = true,
                                      .create = create,
                                      .destroy = free,
                                      .growth = growth,
                                      .expect = expect,
                                      .print = print,
                                      .json = json};
