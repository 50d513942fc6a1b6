#include "sw/services/ipsec/espgen.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/services/ipsec/cbc.h"
#include "sw/services/ipv4/ipv4.h"

#define ETHERTYPE_FIELD 12u
#define ETHERTYPE_IPV4  0x0800u
#define IP_UDP          17u
#define NEXT_IPV6       41u
#define NEXT_NONE       59u
#define PAST            64u /* frames to be sent again */

struct espgen {
    const struct sa_list *list;
    uint32_t payload, icv_bytes;
    uint32_t *number; /* last one of each association */
    uint8_t past[PAST][TRAFFIC_ROOM];
    uint32_t past_length[PAST], n_past;
    void (*inside)(void *user, uint8_t *ip, struct rng *rng); /* or NULL */
    void *inside_user;
    struct traffic_source source;
};

static const char *const kind_names[ESPGEN_KINDS] = {
    "replay",       "unknown-spi", "wrong-peer", "bad-padding", "bad-inner", "bad-length",
    "bad-checksum", "cut",         "header",     "other",       "padded"};

struct traffic_options espgen_defaults(void)
{
    struct traffic_options o = {.seed = 1,
                                .count = 100000,
                                .rate_pps = 1000000,
                                .gaps = TRAFFIC_POISSON,
                                .sizes = TRAFFIC_FIXED,
                                .min_frame = TRAFFIC_MIN_FRAME,
                                .max_frame = TRAFFIC_MAX_FRAME};
    o.fraction[ESPGEN_REPLAY] = 5000;
    o.fraction[ESPGEN_UNKNOWN_SPI] = 5000;
    o.fraction[ESPGEN_BAD_PADDING] = 5000;
    o.fraction[ESPGEN_BAD_LENGTH] = 5000;
    return o;
}

/* An IPv4 packet with UDP inside. */
static void make_inner(uint8_t *ip, uint32_t total, struct rng *rng)
{
    traffic_random(ip, total, rng);
    ip[IPV4_VERSION_IHL] = 0x45;
    write_be16(ip + IPV4_TOTAL, total);
    write_be16(ip + 6, 0);
    ip[IPV4_TTL] = 64;
    ip[IPV4_PROTOCOL] = IP_UDP;
    write_be32(ip + IPV4_SOURCE, 0x0A000000 | rng_below(rng, 1u << 24));
    write_be32(ip + IPV4_DESTINATION, 0xAC100000 | rng_below(rng, 1u << 20));
    write_be16(ip + IPV4_CHECKSUM, ipv4_checksum(ip, 5));
    write_be16(ip + 24, total - 20);
    write_be16(ip + 26, 0);
}

/* RFC 4303, 2.4: 1, 2, 3..., the length, the next header. */
static void make_trailer(uint8_t *text, uint32_t bytes, uint32_t padding, uint32_t next)
{
    for (uint32_t i = 0; i < padding; i++)
        text[bytes - 2 - padding + i] = (uint8_t)(i + 1);
    text[bytes - 2] = (uint8_t)padding;
    text[bytes - 1] = (uint8_t)next;
}

/* The text to be encrypted. */
static void make_text(const struct espgen *g, uint8_t *text, uint32_t block, uint32_t kind,
                      struct rng *rng)
{
    uint32_t bytes = g->payload;
    uint32_t padding = rng_below(rng, block), behind = 0, next = ESP_NEXT_IPV4;
    if (kind == ESPGEN_PADDED && rng_chance(rng, 1, 2))
        behind = rng_below(rng, 8);
    else if (kind == ESPGEN_PADDED)
        padding = rng_below(rng, bytes - 30 < 256 ? bytes - 30 : 256);
    if (kind == ESPGEN_BAD_PADDING && padding == 0)
        padding = 1;
    make_inner(text, bytes - 2 - padding - behind, rng);
    if (g->inside)
        g->inside(g->inside_user, text, rng);
    if (kind == ESPGEN_BAD_INNER) {
        switch (rng_below(rng, 3)) {
        case 0:
            next = rng_chance(rng, 1, 2) ? NEXT_IPV6 : NEXT_NONE;
            break;
        case 1:
            text[0] = rng_chance(rng, 1, 2) ? 0x65 : 0x43;
            break;
        default:
            write_be16(text + IPV4_TOTAL, bytes - 2 - padding + 1 + rng_below(rng, 100));
        }
    }
    traffic_random(text + bytes - 2 - padding - behind, behind, rng);
    make_trailer(text, bytes, padding, next);
    if (kind == ESPGEN_BAD_PADDING && bytes < 253 && rng_chance(rng, 1, 2))
        text[bytes - 2] = (uint8_t)(bytes - 1 + rng_below(rng, 257 - bytes));
    else if (kind == ESPGEN_BAD_PADDING)
        text[bytes - 2 - 1 - rng_below(rng, padding)] ^= 0x80;
}

/* ESP header, IV, encrypted text, noise in place of an integrity check value; how many bytes. */
static uint32_t make_esp(struct espgen *g, uint8_t *esp, uint32_t index, uint32_t kind,
                         struct rng *rng)
{
    const struct sa *sa = &g->list->sa[index];
    uint32_t block = cipher_block_bytes(sa->cipher), spi = sa->spi;
    uint8_t *iv = esp + ESP_HEADER_BYTES, *text = iv + block;
    uint32_t bytes = g->payload;
    while (kind == ESPGEN_UNKNOWN_SPI && sas_find(g->list, spi) != UINT32_MAX)
        spi = rng_chance(rng, 1, 4) ? 0 : (uint32_t)rng_u64(rng);
    write_be32(esp, spi);
    write_be32(esp + 4, kind == ESPGEN_REPLAY ? 0 : ++g->number[index]);
    traffic_random(iv, block, rng);
    make_text(g, text, block, kind, rng);
    cbc_crypt(sa->cipher, true, sa->key, iv, text, text, bytes);
    if (kind == ESPGEN_BAD_LENGTH)
        bytes = rng_chance(rng, 1, 4) ? 0 : bytes - 1 - rng_below(rng, block - 1);
    bytes += ESP_HEADER_BYTES + block;
    traffic_random(esp + bytes, g->icv_bytes, rng);
    return bytes + g->icv_bytes;
}

static void make_outer(uint8_t *ip, uint32_t total, const struct sa *sa, uint32_t kind,
                       struct rng *rng)
{
    bool options = kind == ESPGEN_HEADER && rng_chance(rng, 1, 2);
    uint32_t source = sa->source ? sa->source : 0xC6336401u;
    uint32_t local = sa->local ? sa->local : 0xC0000201u;
    if (kind == ESPGEN_WRONG_PEER)
        *(rng_chance(rng, 1, 2) ? &source : &local) ^= 1u << 20;
    ip[IPV4_VERSION_IHL] = options ? 0x46 : 0x45;
    ip[1] = 0;
    write_be16(ip + IPV4_TOTAL, kind == ESPGEN_CUT ? total + 20 + rng_below(rng, 1000) : total);
    write_be16(ip + 4, rng_below(rng, 65536));
    write_be16(ip + 6, kind == ESPGEN_HEADER && !options ? 0x2000 : rng_below(rng, 2) << 14);
    ip[IPV4_TTL] = 64;
    ip[IPV4_PROTOCOL] = kind == ESPGEN_OTHER ? IP_UDP : ESP_PROTOCOL;
    write_be32(ip + IPV4_SOURCE, source);
    write_be32(ip + IPV4_DESTINATION, local);
    uint32_t checksum = ipv4_checksum(ip, ip[IPV4_VERSION_IHL] & 15u);
    if (kind == ESPGEN_BAD_CHECKSUM)
        checksum ^= 1u << rng_below(rng, 16);
    write_be16(ip + IPV4_CHECKSUM, checksum);
}

uint32_t espgen_frame(struct espgen *g, uint8_t *frame, uint32_t kind, struct rng *rng)
{
    static const uint8_t MACS[ETHERTYPE_FIELD] = {2, 'g', 0, 0, 0, 1, 2, 'w', 0, 0, 0, 1};
    if (kind == ESPGEN_REPLAY && g->n_past && rng_chance(rng, 3, 4)) {
        uint32_t i = rng_below(rng, g->n_past < PAST ? g->n_past : PAST);
        memcpy(frame, g->past[i], g->past_length[i]);
        return g->past_length[i];
    }
    uint32_t index = rng_below(rng, g->list->count);
    memcpy(frame, MACS, sizeof MACS);
    write_be16(frame + ETHERTYPE_FIELD, ETHERTYPE_IPV4);
    uint8_t *ip = frame + ESP_ETHERNET_BYTES;
    uint32_t total = ESP_IPV4_BYTES + make_esp(g, ip + ESP_IPV4_BYTES, index, kind, rng);
    make_outer(ip, total, &g->list->sa[index], kind, rng);
    uint32_t length = ESP_ETHERNET_BYTES + total;
    for (; length < ESP_LEAST_FRAME; length++)
        frame[length] = 0;
    if (kind == ESPGEN_KINDS) {
        memcpy(g->past[g->n_past % PAST], frame, length);
        g->past_length[g->n_past++ % PAST] = length;
    }
    return length;
}

static uint32_t make_frame(void *user, struct traffic_file *t, uint32_t kind, uint8_t *frame,
                           struct error *err)
{
    (void)err;
    return espgen_frame(user, frame, kind, &t->rng);
}

struct espgen *espgen_create(const struct sa_list *list, uint32_t payload, uint32_t icv_bytes)
{
    struct espgen *g = ALLOC(struct espgen);
    g->list = list;
    g->payload = payload;
    g->icv_bytes = icv_bytes;
    g->number = ALLOC_ARRAY(uint32_t, list->count);
    g->source = (struct traffic_source){
        .kinds = kind_names, .n_kinds = ESPGEN_KINDS, .frame = make_frame, .user = g};
    return g;
}

void espgen_inside(struct espgen *g, void (*inside)(void *user, uint8_t *ip, struct rng *rng),
                   void *user)
{
    g->inside = inside;
    g->inside_user = user;
}

void espgen_destroy(struct espgen *g)
{
    if (!g)
        return;
    free(g->number);
    free(g);
}

const struct traffic_source *espgen_source(const struct espgen *g)
{
    return &g->source;
}
