/* The service `memc`: memcached's GET over UDP from a hash table in device memory. */
#include "sw/services/common/service.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/memc/memc.h"
#include "sw/services/memc/memcgen.h"

#define ETHERTYPE_IPV4 0x0800
#define MAX_ENTRIES    (1u << 24)

_Static_assert(MEMC_SLOT_ALIGN == PACKET_SLOT_ALIGN && MEMC_FRAME_OFFSET == PACKET_FRAME_OFFSET,
               "the kernel's layout of slots");

struct memc_inputs {
    struct memc_items items;
    uint32_t entries;
    struct memc_server server; /* its items are those above */
    struct memcgen *generator;
};

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
        packet_table(tables, "tags", (uint64_t)layout.entries * sizeof(uint32_t), PACKET_READ, err);
    void *items = packet_table(tables, "items", (uint64_t)layout.entries * layout.item_bytes,
                               PACKET_READ, err);
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

static uint32_t growth(const void *inputs)
{
    const struct memc_inputs *in = inputs;
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

static const struct packet_return returning = {.kernel = "memc_return"};

static const struct packet_kind get = {.file = "memc_get",
                                       .kernel = "memc_get",
                                       .block_kernel = "memc_get",
                                       .persistent = "memc_persistent",
                                       .returning = &returning,
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

/* --- settings -----------------------------------------------------------------------------------
 */

enum { ITEMS_FILE, SETS, ENTRIES, KEY, VALUE, UDP_PORT, OFFLOAD, PROTOCOL };

static const char *const protocols[] = {"ascii", "binary", NULL};

static const struct setting_row settings[] = {
    [ITEMS_FILE] = {.key = "items",
                    .type = SETTING_TEXT,
                    .unit = "FILE",
                    .help = "`key value [flags]` lines that the server holds",
                    .usual_text = "generated ones"},
    [SETS] = {.key = "sets",
              .type = SETTING_NUMBER,
              .unit = "N",
              .help = "items to generate",
              .most = MAX_ENTRIES,
              .usual = 8192,
              .replaced_by = "items"},
    [ENTRIES] = {.key = "entries",
                 .type = SETTING_NUMBER,
                 .unit = "N",
                 .help = "of the hash table",
                 .least = MEMC_WAYS,
                 .most = MAX_ENTRIES,
                 .power_of_two = true,
                 .usual = 16384},
    [KEY] = {.key = "key",
             .type = SETTING_NUMBER,
             .unit = "BYTES",
             .help = "of generated items' keys",
             .least = 1,
             .most = MEMC_LONGEST_KEY,
             .usual = 16},
    [VALUE] = {.key = "value",
               .type = SETTING_NUMBER,
               .unit = "BYTES",
               .help = "of generated items' values",
               .most = MEMC_LONGEST_VALUE,
               .usual = 2,
               .replaced_by = "items"},
    [UDP_PORT] = {.key = "udp_port",
                  .type = SETTING_NUMBER,
                  .unit = "N",
                  .help = "UDP port of the server; 0: any",
                  .most = 65535,
                  .usual = 11211},
    [OFFLOAD] = {.key = "offload",
                 .type = SETTING_FLAG,
                 .help = "do not check UDP checksums: the capture was taken at a sender whose "
                         "network card completes them"},
    [PROTOCOL] = {.key = "protocol",
                  .type = SETTING_CHOICE,
                  .unit = "WHICH",
                  .help = "of ordinary generated requests",
                  .choices = protocols},
    {.key = NULL}};

static void release(void *inputs)
{
    struct memc_inputs *in = inputs;
    memcgen_destroy(in->generator);
    memc_items_free(&in->items);
    free(in);
}

static bool make_items(struct memc_inputs *in, const struct service_input *input, struct error *err)
{
    const struct setting_value *v = input->values;
    struct memc_layout layout;
    if (!v[ITEMS_FILE].text && !memc_fits((uint32_t)v[SETS].number, in->entries, err))
        return false;
    bool ok = v[ITEMS_FILE].text ? memc_items_read(v[ITEMS_FILE].text, &in->items, err)
                                 : memc_items_generate(input->seed, (uint32_t)v[SETS].number,
                                                       (uint32_t)v[KEY].number,
                                                       (uint32_t)v[VALUE].number, &in->items, err);
    return ok && memc_layout(&in->items, in->entries, &layout, err);
}

static void *prepare(const struct service_input *input, struct error *err)
{
    const struct setting_value *v = input->values;
    struct memc_inputs *in = ALLOC(struct memc_inputs);
    in->entries = (uint32_t)v[ENTRIES].number;
    in->server = (struct memc_server){.items = &in->items,
                                      .port = (uint32_t)v[UDP_PORT].number,
                                      .skip_checksums = v[OFFLOAD].number};
    if (make_items(in, input, err)) {
        in->generator = memcgen_create(&in->items, (uint32_t)v[KEY].number, in->server.port,
                                       v[PROTOCOL].number);
        return in;
    }
    release(in);
    return NULL;
}

static const struct traffic_source *traffic(const void *inputs, struct traffic_options *usual)
{
    const struct memc_inputs *in = inputs;
    *usual = memcgen_defaults();
    return memcgen_source(in->generator);
}

const struct event_service memc_service = {.name = "memc",
                                           .summary =
                                               "an event kernel answers memcached's GET over UDP",
                                           .settings = settings,
                                           .kinds = {&get},
                                           .filter = {"IPv4", ETHERTYPE_IPV4, false},
                                           .rate = SERVICE_RATE,
                                           .prepare = prepare,
                                           .release = release,
                                           .traffic = traffic};
