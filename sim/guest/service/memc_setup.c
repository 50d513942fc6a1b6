#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/guest/service/memc.h"
#include "sim/guest/service/packet_setup.h"
#include "sw/services/memc/memcgen.h"

#define ETHERTYPE_IPV4  0x0800
#define DEFAULT_ENTRIES 16384u
#define DEFAULT_SETS    8192u
#define DEFAULT_KEY     16u /* bytes */
#define DEFAULT_VALUE   2u
#define DEFAULT_PORT    11211u
#define MAX_ENTRIES     (1u << 24)

struct setup {
    struct packet_setup packets;
    struct memc_inputs inputs;
    const char *items_path; /* NULL: generated */
    uint32_t sets, key_bytes, value_bytes;
    bool binary;
    struct memcgen *generator;
};

static const struct capture_filter frames = {"IPv4", ETHERTYPE_IPV4, false};

static void release(void *prepared)
{
    struct setup *u = prepared;
    packet_setup_free(&u->packets);
    memcgen_destroy(u->generator);
    memc_items_free(&u->inputs.items);
    free(u);
}

static bool take_protocol(struct setup *u, const char *name, struct error *err)
{
    u->binary = name && !strcmp(name, "binary");
    return u->binary || (name && !strcmp(name, "ascii")) ||
           error_set(err, "protocol %s: must be ascii or binary", name ? name : "");
}

static bool take_key(struct setup *u, const struct setting *s, struct error *err)
{
    return take_count(s, MEMC_LONGEST_KEY, &u->key_bytes, err) &&
           (u->key_bytes || error_set(err, "key=0: a key has at least one byte"));
}

static bool take(struct setup *u, const struct setting *s, struct error *err)
{
    const char *key = s->key;
    if (!strcmp(key, "items"))
        return take_file(s, &u->items_path, err);
    if (!strcmp(key, "sets"))
        return take_count(s, MAX_ENTRIES, &u->sets, err);
    if (!strcmp(key, "entries"))
        return take_count(s, MAX_ENTRIES, &u->inputs.entries, err);
    if (!strcmp(key, "key"))
        return take_key(u, s, err);
    if (!strcmp(key, "value"))
        return take_count(s, MEMC_LONGEST_VALUE, &u->value_bytes, err);
    if (!strcmp(key, "port"))
        return take_count(s, 65535, &u->inputs.server.port, err);
    if (!strcmp(key, "offload"))
        return take_flag(s, &u->inputs.server.skip_checksums, err);
    if (!strcmp(key, "protocol"))
        return take_protocol(u, s->value, err);
    enum setting_taken taken = packet_setup_take(&u->packets, s, err);
    if (taken == SETTING_UNKNOWN)
        return packet_setup_unknown(
            s, "items, sets, entries, key, value, port, offload, protocol, ", err);
    return taken == SETTING_TAKEN;
}

static bool make_items(struct setup *u, struct error *err)
{
    struct memc_items *items = &u->inputs.items;
    struct memc_layout layout;
    if (!(u->items_path ? memc_items_read(u->items_path, items, err)
                        : memc_items_generate(u->packets.traffic.seed, u->sets, u->key_bytes,
                                              u->value_bytes, items, err)))
        return false;
    u->inputs.server.items = items;
    return memc_layout(items, u->inputs.entries, &layout, err);
}

static void *prepare(const struct service_input *input, struct error *err)
{
    struct setup *u = ALLOC(struct setup);
    struct traffic_options traffic = memcgen_defaults();
    packet_setup_init(&u->packets, &traffic, &frames, input->seed);
    u->inputs.entries = DEFAULT_ENTRIES;
    u->inputs.server.port = DEFAULT_PORT;
    u->sets = DEFAULT_SETS;
    u->key_bytes = DEFAULT_KEY;
    u->value_bytes = DEFAULT_VALUE;
    bool ok = true;
    for (uint32_t i = 0; i < input->n_settings && ok; i++)
        ok = take(u, &input->settings[i], err);
    ok = ok &&
         packet_setup_check(&u->packets, &memc_kind, "memc", "memc_get.ptx", input->config, err) &&
         make_items(u, err);
    if (ok)
        u->generator =
            memcgen_create(&u->inputs.items, u->key_bytes, u->inputs.server.port, u->binary);
    if (ok && !input->traffic_only)
        ok = packet_setup_capture(&u->packets, memcgen_source(u->generator), err);
    if (ok)
        return u;
    release(u);
    return NULL;
}

static bool attach(const void *prepared, struct machine *m, const char *name, struct error *err)
{
    const struct setup *u = prepared;
    return packet_create(m, name, &memc_kind, &u->inputs, &u->packets.options, err);
}

static const char *output(const void *prepared, uint32_t index)
{
    const struct setup *u = prepared;
    return index ? NULL : u->packets.options.sent_path;
}

static const struct traffic_source *traffic(const void *prepared, struct traffic_options *options)
{
    const struct setup *u = prepared;
    *options = memcgen_defaults();
    options->seed = u->packets.traffic.seed;
    return memcgen_source(u->generator);
}

static struct packet_setup *packets(void *prepared)
{
    struct setup *u = prepared;
    return &u->packets;
}

const struct service_kind memc_service = {
    .name = "memc",
    .meaning = "a NIC replays a packet capture, an event kernel answers memcached's GET over UDP",
    .keys =
        "items=FILE        `key value [flags]` lines that the server holds (generated ones)\n"
        "sets=N            items to generate (8192)\n"
        "entries=N         of the hash table, a power of two (16384)\n"
        "key=BYTES         of generated items, 1 to 250 (16)\n"
        "value=BYTES       of generated items, 0 to 1024 (2)\n"
        "port=N            UDP port of the server, 0: any (11211)\n"
        "offload           do not check UDP checksums: the capture was taken at a sender whose\n"
        "                  network card completes them\n"
        "protocol=WHICH    of ordinary generated requests: ascii or binary "
        "(ascii)\n" PACKET_SETUP_KEYS,
    .prepare = prepare,
    .attach = attach,
    .release = release,
    .output = output,
    .traffic = traffic,
    .packets = packets};
