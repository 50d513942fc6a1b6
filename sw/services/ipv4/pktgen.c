#include "sw/services/ipv4/pktgen.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/services/ipv4/pktgen_frame.h"
#include "sw/services/ipv4/trie.h"

#define NO_ROUTE_TRIES (1u << 20)

struct pktgen {
    const struct route_list *routes;
    struct trie *trie; /* when it is needed */
    struct traffic_source source;
};

static const char *const kind_names[PKTGEN_KINDS] = {"no-route",   "ttl-expired", "bad-checksum",
                                                     "bad-length", "bad-version", "options",
                                                     "arp",        "ipv6",        "vlan"};

struct traffic_options pktgen_defaults(void)
{
    struct traffic_options o = {
        .seed = 1,
        .count = 100000,
        .rate_pps = 1000000,
        .gaps = TRAFFIC_POISSON,
        .sizes = TRAFFIC_FIXED,
        .min_frame = TRAFFIC_MIN_FRAME,
        .max_frame = TRAFFIC_MAX_FRAME,
    };
    o.fraction[PKTGEN_NO_ROUTE] = 5000;
    o.fraction[PKTGEN_TTL_EXPIRED] = 5000;
    o.fraction[PKTGEN_BAD_CHECKSUM] = 5000;
    o.fraction[PKTGEN_ARP] = 5000;
    return o;
}

bool pktgen_destination(struct pktgen *g, struct rng *rng, bool routed, uint32_t *destination,
                        struct error *err)
{
    if (g->routes->count == 0)
        return error_set(err,
                         "packet generator: the table has no routes to draw destinations from");
    if (routed) {
        const struct route *r = &g->routes->routes[rng_below(rng, g->routes->count)];
        uint32_t host = (uint32_t)(rng_u64(rng) >> 32) & ~address_ipv4_mask(r->length);
        *destination = route_ipv4(r) | host;
        return true;
    }
    if (!g->trie)
        g->trie = trie_create(g->routes);
    for (uint32_t i = 0; i < NO_ROUTE_TRIES; i++) {
        uint32_t address = (uint32_t)(rng_u64(rng) >> 32);
        uint32_t first = address >> 24;
        if (first == 0 || first == 127 || first >= 224 || trie_lookup(g->trie, address))
            continue;
        *destination = address;
        return true;
    }
    return error_set(err,
                     "packet generator: found no unicast address without a route in %u tries; set "
                     "the fraction of frames without a route to 0",
                     NO_ROUTE_TRIES);
}

static uint32_t make_frame(void *user, struct traffic_file *t, uint32_t kind, uint8_t *frame,
                           struct error *err)
{
    struct pktgen *g = user;
    uint32_t destination = 0;
    if (!pktgen_destination(g, &t->rng, kind != PKTGEN_NO_ROUTE, &destination, err))
        return 0;
    return pktgen_frame(frame, traffic_frame_length(t), (enum pktgen_kind)kind, destination,
                        &t->rng);
}

struct pktgen *pktgen_create(const struct route_list *routes)
{
    struct pktgen *g = ALLOC(struct pktgen);
    g->routes = routes;
    g->source = (struct traffic_source){.kinds = kind_names,
                                        .n_kinds = PKTGEN_KINDS,
                                        .sized = true,
                                        .frame = make_frame,
                                        .user = g};
    return g;
}

void pktgen_destroy(struct pktgen *g)
{
    if (!g)
        return;
    trie_destroy(g->trie);
    free(g);
}

const struct traffic_source *pktgen_source(const struct pktgen *g)
{
    return &g->source;
}
