#include "sw/services/ipsec/sealgen.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sw/services/ipv4/pktgen_frame.h"

struct sealgen {
    const struct sa_list *list;
    uint32_t payload;
    struct traffic_source source;
};

static const char *const kind_names[SEALGEN_KINDS] = {"no-policy", "bad-checksum", "bad-length",
                                                      "bad-version", "options"};

/* The same of IPv4's generator. */
static const enum pktgen_kind ipv4_kind[SEALGEN_KINDS + 1] = {
    PKTGEN_KINDS,       PKTGEN_BAD_CHECKSUM, PKTGEN_BAD_LENGTH,
    PKTGEN_BAD_VERSION, PKTGEN_OPTIONS,      PKTGEN_KINDS};

struct traffic_options sealgen_defaults(void)
{
    struct traffic_options o = {.seed = 1,
                                .count = 100000,
                                .rate_pps = 1000000,
                                .gaps = TRAFFIC_POISSON,
                                .sizes = TRAFFIC_FIXED,
                                .min_frame = TRAFFIC_MIN_FRAME,
                                .max_frame = TRAFFIC_MAX_FRAME};
    o.fraction[SEALGEN_NO_POLICY] = 10000;
    o.fraction[SEALGEN_BAD_CHECKSUM] = 5000;
    o.fraction[SEALGEN_BAD_LENGTH] = 5000;
    return o;
}

static bool is_protected(const struct sa_list *list, uint32_t address)
{
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->sa[i].protects && (address & list->sa[i].mask) == list->sa[i].network)
            return true;
    }
    return false;
}

static uint32_t draw_protected(const struct sa_list *list, struct rng *rng)
{
    uint32_t i = rng_below(rng, list->count);
    while (!list->sa[i].protects)
        i = i + 1 == list->count ? 0 : i + 1;
    return list->sa[i].network | ((uint32_t)(rng_u64(rng) >> 32) & ~list->sa[i].mask);
}

uint32_t sealgen_frame(const struct sealgen *g, uint8_t *frame, uint32_t kind, struct rng *rng)
{
    uint32_t destination = draw_protected(g->list, rng);
    while (kind == SEALGEN_NO_POLICY && is_protected(g->list, destination))
        destination = (uint32_t)(rng_u64(rng) >> 32);
    uint32_t length = ESP_ETHERNET_BYTES + g->payload - 2 - rng_below(rng, 8);
    return pktgen_frame(frame, length, ipv4_kind[kind], destination, rng);
}

static uint32_t make_frame(void *user, struct traffic_file *t, uint32_t kind, uint8_t *frame,
                           struct error *err)
{
    (void)err;
    return sealgen_frame(user, frame, kind, &t->rng);
}

struct sealgen *sealgen_create(const struct sa_list *list, uint32_t payload)
{
    struct sealgen *g = ALLOC(struct sealgen);
    g->list = list;
    g->payload = payload;
    g->source = (struct traffic_source){
        .kinds = kind_names, .n_kinds = SEALGEN_KINDS, .frame = make_frame, .user = g};
    return g;
}

void sealgen_destroy(struct sealgen *g)
{
    free(g);
}

const struct traffic_source *sealgen_source(const struct sealgen *g)
{
    return &g->source;
}
