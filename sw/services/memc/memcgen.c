#include "sw/services/memc/memcgen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/services/common/bytes.h"
#include "sw/services/ipv4/ipv4.h"

#define ETHERTYPE_FIELD 12u
#define ETHERTYPE_IPV4  0x0800u
#define IP_UDP          17u
#define IP_TCP          6u
#define SERVER          0x0A000001u /* 10.0.0.1 */
#define OP_SET          0x01u
#define OP_NOOP         0x0Au

struct memcgen {
    const struct memc_items *items;
    uint32_t key_bytes, port;
    bool binary;
    struct traffic_source source;
};

static const char *const kind_names[MEMCGEN_KINDS] = {
    "miss",    "gets",         "binary",           "binary-key",     "quiet-miss", "several",
    "unknown", "bad-checksum", "bad-udp-checksum", "bad-udp-length", "bad-frame",  "bad-request",
    "bad-key", "cut",          "header",           "other"};

struct traffic_options memcgen_defaults(void)
{
    struct traffic_options o = {.seed = 1,
                                .count = 100000,
                                .rate_pps = 1000000,
                                .gaps = TRAFFIC_POISSON,
                                .sizes = TRAFFIC_FIXED,
                                .min_frame = TRAFFIC_MIN_FRAME,
                                .max_frame = TRAFFIC_MAX_FRAME};
    o.fraction[MEMCGEN_MISS] = 50000;
    o.fraction[MEMCGEN_UNKNOWN] = 5000;
    o.fraction[MEMCGEN_BAD_UDP_CHECKSUM] = 5000;
    return o;
}

/* --- requests --- */

static uint32_t draw_present(const struct memcgen *g, uint8_t *key, struct rng *rng)
{
    const struct memc_pair *p = &g->items->pair[rng_below(rng, g->items->count)];
    memcpy(key, p->key, p->key_length);
    return p->key_length;
}

/* A key that is not there: with a capital letter, until none is found. */
static uint32_t draw_absent(const struct memcgen *g, uint8_t *key, struct rng *rng)
{
    uint32_t length = g->key_bytes;
    do {
        for (uint32_t i = 0; i < length; i++)
            key[i] = (uint8_t)('A' + rng_below(rng, 26));
        length = memc_items_find(g->items, key, length) ? length % MEMC_LONGEST_KEY + 1 : length;
    } while (memc_items_find(g->items, key, length));
    return length;
}

static uint32_t make_text(const char *command, const uint8_t *key, uint32_t length, uint8_t *at)
{
    uint32_t n = (uint32_t)strlen(command);
    memcpy(at, command, n);
    memcpy(at + n, key, length);
    memcpy(at + n + length, "\r\n", 2);
    return n + length + 2;
}

static uint32_t make_binary(uint32_t opcode, const uint8_t *key, uint32_t length, uint8_t *at,
                            struct rng *rng)
{
    memset(at, 0, MEMC_BINARY);
    at[0] = MEMC_MAGIC_REQUEST;
    at[1] = (uint8_t)opcode;
    write_be16(at + 2, length);
    write_be32(at + 8, length);
    write_be32(at + 12, (uint32_t)rng_u64(rng)); /* opaque */
    memcpy(at + MEMC_BINARY, key, length);
    return MEMC_BINARY + length;
}

static uint32_t make_several(const struct memcgen *g, uint8_t *at, struct rng *rng)
{
    uint8_t key[MEMC_LONGEST_KEY];
    uint32_t n = 0, keys = 2 + rng_below(rng, 2);
    if (rng_chance(rng, 1, 2)) {
        for (uint32_t i = 0; i < keys; i++)
            n += make_binary(MEMC_OP_GETKQ, key, draw_present(g, key, rng), at + n, rng);
        return n + make_binary(OP_NOOP, key, 0, at + n, rng);
    }
    n = make_text("get ", key, draw_present(g, key, rng), at);
    n -= rng_chance(rng, 1, 2) ? 2 : 0;
    return n + make_text(at[n - 1] == '\n' ? "get " : " ", key, draw_present(g, key, rng), at + n);
}

static uint32_t make_unknown(const struct memcgen *g, uint8_t *at, struct rng *rng)
{
    static const char *const COMMANDS[] = {"delete ", "touch ", "incr ", "getx ", "Get ", "mg "};
    uint8_t key[MEMC_LONGEST_KEY];
    uint32_t length = draw_present(g, key, rng);
    if (rng_chance(rng, 1, 4))
        return make_binary(OP_SET, key, length, at, rng);
    if (rng_chance(rng, 1, 3))
        return (uint32_t)snprintf((char *)at, 300, "set %.*s 0 0 2\r\nxy\r\n", (int)length,
                                  (const char *)key);
    return make_text(COMMANDS[rng_below(rng, 6)], key, length, at);
}

static uint32_t make_bad_request(const struct memcgen *g, uint8_t *at, struct rng *rng)
{
    uint8_t key[MEMC_LONGEST_KEY];
    uint32_t length = draw_present(g, key, rng);
    switch (rng_below(rng, 4)) {
    case 0: /* no end */
        return make_text("get ", key, length, at) - 2;
    case 1: /* a body longer than the datagram */
        return make_binary(MEMC_OP_GET, key, length, at, rng) - 1;
    case 2: /* extras that a GET does not have */
        length = make_binary(MEMC_OP_GET, key, length, at, rng);
        at[4] = 4;
        return length;
    default: /* half a header */
        make_binary(MEMC_OP_GET, key, length, at, rng);
        return 1 + rng_below(rng, MEMC_BINARY - 1);
    }
}

static uint32_t make_bad_key(uint8_t *at, struct rng *rng)
{
    uint8_t key[2 * MEMC_LONGEST_KEY];
    uint32_t length = rng_chance(rng, 1, 3) ? 0 : MEMC_LONGEST_KEY + 1 + rng_below(rng, 200);
    memset(key, 'k', sizeof key);
    return rng_chance(rng, 1, 2) ? make_text("get ", key, length, at)
                                 : make_binary(MEMC_OP_GET, key, length, at, rng);
}

static uint32_t make_request(const struct memcgen *g, uint32_t kind, uint8_t *at, struct rng *rng)
{
    uint8_t key[MEMC_LONGEST_KEY];
    bool absent = kind == MEMCGEN_MISS || kind == MEMCGEN_QUIET_MISS ||
                  (kind == MEMCGEN_BINARY_KEY && rng_chance(rng, 1, 3));
    uint32_t length = absent ? draw_absent(g, key, rng) : draw_present(g, key, rng);
    switch (kind) {
    case MEMCGEN_SEVERAL:
        return make_several(g, at, rng);
    case MEMCGEN_UNKNOWN:
        return make_unknown(g, at, rng);
    case MEMCGEN_BAD_REQUEST:
        return make_bad_request(g, at, rng);
    case MEMCGEN_BAD_KEY:
        return make_bad_key(at, rng);
    case MEMCGEN_GETS:
        return make_text("gets ", key, length, at);
    case MEMCGEN_BINARY_KEY:
        return make_binary(MEMC_OP_GETK, key, length, at, rng);
    case MEMCGEN_QUIET_MISS:
        return make_binary(rng_chance(rng, 1, 2) ? MEMC_OP_GETQ : MEMC_OP_GETKQ, key, length, at,
                           rng);
    default:
        return g->binary || kind == MEMCGEN_BINARY
                   ? make_binary(MEMC_OP_GET, key, length, at, rng)
                   : make_text(rng_chance(rng, 1, 8) ? "get  " : "get ", key, length, at);
    }
}

/* --- headers --- */

static uint32_t udp_checksum(const uint8_t *ip, const uint8_t *udp, uint32_t bytes)
{
    uint64_t sum = IP_UDP + bytes;
    for (uint32_t i = IPV4_SOURCE; i < IPV4_DESTINATION + 4; i += 2)
        sum += read_be16(ip + i);
    for (uint32_t i = 0; i < bytes; i++)
        sum += i & 1 ? udp[i] : (uint32_t)udp[i] << 8;
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return sum == 0xFFFF ? 0xFFFF : (uint32_t)~sum & 0xFFFF;
}

static void make_udp(const struct memcgen *g, const uint8_t *ip, uint8_t *udp, uint32_t bytes,
                     uint32_t kind, struct rng *rng)
{
    uint32_t length = bytes, port = g->port ? g->port : 11211;
    if (kind == MEMCGEN_BAD_UDP_LENGTH)
        length = rng_chance(rng, 1, 2) ? rng_below(rng, 16) : bytes + 1 + rng_below(rng, 1000);
    write_be16(udp, 1024 + rng_below(rng, 60000));
    write_be16(udp + 2, kind == MEMCGEN_OTHER ? port ^ 1u : port);
    write_be16(udp + 4, length);
    write_be16(udp + 6, 0);
    write_be16(udp + 8, rng_below(rng, 65536)); /* request number; datagram 0 of 1 */
    write_be16(udp + 10, kind == MEMCGEN_BAD_FRAME && rng_chance(rng, 1, 2) ? 1 : 0);
    write_be16(udp + 12, kind == MEMCGEN_BAD_FRAME ? 2 + rng_below(rng, 5) : 1);
    write_be16(udp + 14, 0);
    if (kind == MEMCGEN_BAD_UDP_LENGTH ||
        (kind != MEMCGEN_BAD_UDP_CHECKSUM && rng_chance(rng, 1, 16)))
        return; /* without a checksum */
    uint32_t checksum = udp_checksum(ip, udp, bytes);
    if (kind == MEMCGEN_BAD_UDP_CHECKSUM)
        checksum = checksum == 1 ? 2 : checksum ^ 1;
    write_be16(udp + 6, checksum);
}

static void make_ip(uint8_t *ip, uint32_t total, uint32_t kind, struct rng *rng)
{
    bool options = kind == MEMCGEN_HEADER && rng_chance(rng, 1, 2);
    ip[IPV4_VERSION_IHL] = options ? 0x46 : 0x45;
    ip[1] = (uint8_t)rng_below(rng, 256);
    write_be16(ip + IPV4_TOTAL, kind == MEMCGEN_CUT ? total + 20 + rng_below(rng, 1000) : total);
    write_be16(ip + 4, rng_below(rng, 65536));
    write_be16(ip + 6, kind == MEMCGEN_HEADER && !options ? 0x2000 : rng_below(rng, 2) << 14);
    ip[IPV4_TTL] = (uint8_t)(1 + rng_below(rng, 255));
    ip[IPV4_PROTOCOL] = kind == MEMCGEN_OTHER && rng_chance(rng, 1, 2) ? IP_TCP : IP_UDP;
    write_be32(ip + IPV4_SOURCE, 0x0A010000 | rng_below(rng, 65536));
    write_be32(ip + IPV4_DESTINATION, SERVER);
    uint32_t checksum = ipv4_checksum(ip, ip[IPV4_VERSION_IHL] & 15u);
    if (kind == MEMCGEN_BAD_CHECKSUM)
        checksum ^= 1u << rng_below(rng, 16);
    write_be16(ip + IPV4_CHECKSUM, checksum);
}

uint32_t memcgen_frame(const struct memcgen *g, uint8_t *frame, uint32_t kind, struct rng *rng)
{
    static const uint8_t MACS[ETHERTYPE_FIELD] = {2, 'm', 0, 0, 0, 1, 2, 'c', 0, 0, 0, 1};
    uint32_t bytes = 16 + make_request(g, kind, frame + MEMC_REQUEST, rng);
    uint32_t length = MEMC_UDP + bytes;
    memcpy(frame, MACS, sizeof MACS);
    write_be16(frame + ETHERTYPE_FIELD, ETHERTYPE_IPV4);
    make_ip(frame + MEMC_IP, 20 + bytes, kind, rng);
    make_udp(g, frame + MEMC_IP, frame + MEMC_UDP, bytes, kind, rng);
    for (; length < MEMC_LEAST_FRAME; length++)
        frame[length] = 0;
    return length;
}

static uint32_t make_frame(void *user, struct traffic_file *t, uint32_t kind, uint8_t *frame,
                           struct error *err)
{
    const struct memcgen *g = user;
    if (g->items->count == 0) {
        error_set(err,
                  "packet generator: the table has no items to request; items=FILE needs a line");
        return 0;
    }
    return memcgen_frame(g, frame, kind, &t->rng);
}

struct memcgen *memcgen_create(const struct memc_items *items, uint32_t key_bytes, uint32_t port,
                               bool binary)
{
    struct memcgen *g = ALLOC(struct memcgen);
    g->items = items;
    g->key_bytes = key_bytes;
    g->port = port;
    g->binary = binary;
    g->source = (struct traffic_source){
        .kinds = kind_names, .n_kinds = MEMCGEN_KINDS, .frame = make_frame, .user = g};
    return g;
}

void memcgen_destroy(struct memcgen *g)
{
    free(g);
}

const struct traffic_source *memcgen_source(const struct memcgen *g)
{
    return &g->source;
}
