#include "sw/services/gateway/gatewaygen.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/services/ipv4/ipv4.h"
#include "sw/services/ipv4/pktgen.h"

struct gatewaygen {
    struct espgen *esp;
    struct pktgen *destinations;
    uint32_t kind; /* of the frame that is being made */
    struct error *err;
    struct traffic_source source;
};

static const char *const kind_names[GATEWAYGEN_KINDS] = {
    "replay",     "unknown-spi",  "wrong-peer",  "bad-padding", "bad-inner",
    "bad-length", "bad-checksum", "cut",         "header",      "other",
    "padded",     "no-route",     "ttl-expired", "bad-inside"};

struct traffic_options gatewaygen_defaults(void)
{
    struct traffic_options o = espgen_defaults();
    o.fraction[GATEWAYGEN_NO_ROUTE] = 5000;
    o.fraction[GATEWAYGEN_TTL_EXPIRED] = 5000;
    o.fraction[GATEWAYGEN_BAD_INSIDE] = 5000;
    return o;
}

/* What forwarding looks at; the rest is espgen's. */
static void inside(void *user, uint8_t *ip, struct rng *rng)
{
    struct gatewaygen *g = user;
    uint32_t destination = 0;
    if (!pktgen_destination(g->destinations, rng, g->kind != GATEWAYGEN_NO_ROUTE, &destination,
                            g->err))
        return;
    write_be32(ip + IPV4_DESTINATION, destination);
    ip[IPV4_TTL] = g->kind == GATEWAYGEN_TTL_EXPIRED ? (uint8_t)rng_below(rng, 2)
                                                     : (uint8_t)(2 + rng_below(rng, 254));
    uint32_t checksum = ipv4_checksum(ip, ip[IPV4_VERSION_IHL] & 15u);
    if (g->kind == GATEWAYGEN_BAD_INSIDE)
        checksum ^= 1u << rng_below(rng, 16); /* one bit: never the other zero of the same sum */
    write_be16(ip + IPV4_CHECKSUM, checksum);
}

static uint32_t make_frame(void *user, struct traffic_file *t, uint32_t kind, uint8_t *frame,
                           struct error *err)
{
    struct gatewaygen *g = user;
    g->kind = kind;
    g->err = err;
    uint32_t length =
        espgen_frame(g->esp, frame, kind < ESPGEN_KINDS ? kind : ESPGEN_KINDS, &t->rng);
    return err->set ? 0 : length;
}

struct gatewaygen *gatewaygen_create(const struct sa_list *sas, const struct route_list *routes,
                                     uint32_t payload, uint32_t icv_bytes)
{
    struct gatewaygen *g = ALLOC(struct gatewaygen);
    g->esp = espgen_create(sas, payload, icv_bytes);
    g->destinations = pktgen_create(routes);
    espgen_inside(g->esp, inside, g);
    g->source = (struct traffic_source){
        .kinds = kind_names, .n_kinds = GATEWAYGEN_KINDS, .frame = make_frame, .user = g};
    return g;
}

void gatewaygen_destroy(struct gatewaygen *g)
{
    if (!g)
        return;
    espgen_destroy(g->esp);
    pktgen_destroy(g->destinations);
    free(g);
}

const struct traffic_source *gatewaygen_source(const struct gatewaygen *g)
{
    return &g->source;
}
