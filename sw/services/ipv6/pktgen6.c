#include "sw/services/ipv6/pktgen6.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/error.h"
#include "sw/services/ipv6/address6.h"
#include "sw/services/ipv6/ipv6_forward.h"
#include "sw/services/ipv6/match6.h"

#define NO_ROUTE_TRIES  (1u << 20)
#define ETHERTYPE_FIELD 12u
#define ETHERTYPE_ARP   0x0806u
#define ETHERTYPE_IPV4  0x0800u
#define ETHERTYPE_VLAN  0x8100u
#define UDP_BYTES       8u
#define NEXT_HOP_BY_HOP 0u
#define NEXT_UDP        17u
#define NEXT_ICMPV6     58u
#define NEXT_NONE       59u
#define HOP_BY_HOP      8u  /* bytes */
#define SMALLEST        60u /* bytes of a frame without FCS */
#define BIGGEST         1514u
#define ROOM_FOR_MORE   80u /* of a frame with an extension header, or an ICMPv6 error */

struct pktgen6 {
    const struct route_list *routes;
    struct match6 *match; /* when it is needed */
    struct traffic_source source;
};

static const char *const kind_names[PKTGEN6_KINDS] = {
    "no-route",  "hop-limit",  "too-big", "bad-length", "bad-version", "bad-address",
    "extension", "icmp-error", "arp",     "ipv4",       "vlan"};

struct traffic_options pktgen6_defaults(void)
{
    struct traffic_options o = {.seed = 1,
                                .count = 100000,
                                .rate_pps = 1000000,
                                .gaps = TRAFFIC_POISSON,
                                .sizes = TRAFFIC_FIXED,
                                .min_frame = 78,
                                .max_frame = TRAFFIC_MAX_FRAME};
    o.fraction[PKTGEN6_NO_ROUTE] = 5000;
    o.fraction[PKTGEN6_HOP_LIMIT] = 5000;
    o.fraction[PKTGEN6_BAD_LENGTH] = 5000;
    o.fraction[PKTGEN6_ARP] = 5000;
    return o;
}

/* RFC 8200, 8.1, over the pseudo header and `bytes` of an upper layer whose checksum is zero. */
static uint32_t checksum(const uint8_t *ip, const uint8_t *upper, uint32_t bytes, uint32_t next)
{
    uint64_t sum = bytes + next;
    for (uint32_t i = IPV6_SOURCE; i < FWD6_IPV6_BYTES; i += 2)
        sum += read_be16(ip + i);
    for (uint32_t i = 0; i + 1 < bytes; i += 2)
        sum += read_be16(upper + i);
    if (bytes & 1)
        sum += (uint32_t)upper[bytes - 1] << 8;
    while (sum >> 16)
        sum = (sum & 0xFFFF) + (sum >> 16);
    return sum == 0xFFFF ? 0xFFFF : (uint32_t)~sum & 0xFFFF;
}

static struct address draw_address(struct rng *rng)
{
    return (struct address){UINT64_C(0x2) << 60 | rng_u64(rng) >> 4, rng_u64(rng)};
}

/* One that no router forwards. */
static struct address draw_bad_address(struct rng *rng, bool source)
{
    switch (rng_below(rng, source ? 4 : 3)) {
    case 0:
        return (struct address){UINT64_C(0xFE80) << 48, rng_u64(rng)};
    case 1:
        return (struct address){0, 1};
    case 2:
        return (struct address){UINT64_C(0xFF02) << 48, 1 + rng_below(rng, 100)};
    default:
        return (struct address){0, 0};
    }
}

/* The upper layer in `bytes` bytes at `at`; what its number is. */
static uint32_t make_upper(const uint8_t *ip, uint8_t *at, uint32_t bytes, enum pktgen6_kind kind)
{
    if (kind == PKTGEN6_ICMP_ERROR) {
        at[0] = 3; /* time exceeded */
        at[1] = 0;
        write_be16(at + 2, 0);
        write_be16(at + 2, checksum(ip, at, bytes, NEXT_ICMPV6));
        return NEXT_ICMPV6;
    }
    if (bytes < UDP_BYTES)
        return NEXT_NONE;
    write_be16(at + 4, bytes);
    write_be16(at + 6, 0);
    write_be16(at + 6, checksum(ip, at, bytes, NEXT_UDP));
    return NEXT_UDP;
}

static void make_ipv6(uint8_t *ip, uint32_t bytes, enum pktgen6_kind kind,
                      struct address destination, struct rng *rng)
{
    uint32_t payload = bytes - FWD6_IPV6_BYTES;
    uint32_t extension = kind == PKTGEN6_EXTENSION ? HOP_BY_HOP : 0;
    bool bad_source = kind == PKTGEN6_BAD_ADDRESS && rng_chance(rng, 1, 2);
    traffic_random(ip, bytes, rng);
    ip[0] = (uint8_t)(0x60 | (ip[0] & 15));
    write_be16(ip + IPV6_PAYLOAD, payload);
    ip[IPV6_HOP_LIMIT] = kind == PKTGEN6_HOP_LIMIT || kind == PKTGEN6_ICMP_ERROR
                             ? 1
                             : (uint8_t)(2 + rng_below(rng, 254));
    address6_write(ip + IPV6_SOURCE, bad_source ? draw_bad_address(rng, true) : draw_address(rng));
    if (kind == PKTGEN6_BAD_ADDRESS && !bad_source)
        destination = draw_bad_address(rng, false);
    address6_write(ip + IPV6_DESTINATION, destination);
    uint8_t *upper = ip + FWD6_IPV6_BYTES + extension;
    uint32_t next = make_upper(ip, upper, payload - extension, kind);
    ip[IPV6_NEXT_HEADER] = (uint8_t)next;
    if (extension) { /* RFC 8200, 4.3: padding alone */
        static const uint8_t PADDING[HOP_BY_HOP] = {NEXT_NONE, 0, 1, 4};
        memcpy(ip + FWD6_IPV6_BYTES, PADDING, sizeof PADDING);
        ip[FWD6_IPV6_BYTES] = (uint8_t)next;
        ip[IPV6_NEXT_HEADER] = NEXT_HOP_BY_HOP;
    }
    if (kind == PKTGEN6_BAD_LENGTH)
        write_be16(ip + IPV6_PAYLOAD, payload + 1 + rng_below(rng, 1000));
    if (kind == PKTGEN6_BAD_VERSION)
        ip[0] = (uint8_t)(rng_below(rng, 2) ? 0x45 : 0x70);
}

uint32_t pktgen6_frame(uint8_t *frame, uint32_t length, enum pktgen6_kind kind,
                       struct address destination, struct rng *rng)
{
    static const uint8_t MACS[ETHERTYPE_FIELD] = {2, 'r', 0, 0, 0, 1, 2, 's', 0, 0, 0, 1};
    uint32_t least =
        kind == PKTGEN6_EXTENSION || kind == PKTGEN6_ICMP_ERROR ? ROOM_FOR_MORE : SMALLEST;
    length = kind == PKTGEN6_TOO_BIG ? BIGGEST : length < least ? least : length;
    memcpy(frame, MACS, sizeof MACS);
    uint8_t *type = frame + ETHERTYPE_FIELD, *payload = frame + FWD6_ETHERNET_BYTES;
    uint32_t bytes = length - FWD6_ETHERNET_BYTES, tag = 0;
    write_be16(type, FWD6_ETHERTYPE);
    if (kind == PKTGEN6_ARP || kind == PKTGEN6_IPV4) {
        write_be16(type, kind == PKTGEN6_ARP ? ETHERTYPE_ARP : ETHERTYPE_IPV4);
        traffic_random(payload, bytes, rng);
        return length;
    }
    if (kind == PKTGEN6_VLAN) {
        tag = 4;
        write_be16(type, ETHERTYPE_VLAN);
        write_be16(payload, 1 + rng_below(rng, 4094)); /* VLAN number */
        write_be16(payload + 2, FWD6_ETHERTYPE);
    }
    make_ipv6(payload + tag, bytes - tag, kind, destination, rng);
    return length;
}

static bool draw_destination(struct pktgen6 *g, struct rng *rng, enum pktgen6_kind kind,
                             struct address *destination, struct error *err)
{
    if (g->routes->count == 0)
        return error_set(err,
                         "packet generator: the table has no routes to draw destinations from");
    if (kind != PKTGEN6_NO_ROUTE) {
        const struct route *r = &g->routes->routes[rng_below(rng, g->routes->count)];
        struct address mask = address_mask(r->length);
        *destination = (struct address){r->prefix.high | (rng_u64(rng) & ~mask.high),
                                        r->prefix.low | (rng_u64(rng) & ~mask.low)};
        return true;
    }
    if (!g->match)
        g->match = match6_create(g->routes);
    for (uint32_t i = 0; i < NO_ROUTE_TRIES; i++) {
        *destination = draw_address(rng);
        if (!match6_lookup(g->match, *destination))
            return true;
    }
    return error_set(err,
                     "packet generator: found no address without a route in %u tries; set the "
                     "fraction of frames without a route to 0",
                     NO_ROUTE_TRIES);
}

static uint32_t make_frame(void *user, struct traffic_file *t, uint32_t kind, uint8_t *frame,
                           struct error *err)
{
    struct pktgen6 *g = user;
    struct address destination = {0};
    if (!draw_destination(g, &t->rng, (enum pktgen6_kind)kind, &destination, err))
        return 0;
    uint32_t length = traffic_frame_length(t);
    return pktgen6_frame(frame, length, (enum pktgen6_kind)kind, destination, &t->rng);
}

struct pktgen6 *pktgen6_create(const struct route_list *routes)
{
    struct pktgen6 *g = ALLOC(struct pktgen6);
    g->routes = routes;
    g->source = (struct traffic_source){.kinds = kind_names,
                                        .n_kinds = PKTGEN6_KINDS,
                                        .sized = true,
                                        .frame = make_frame,
                                        .user = g};
    return g;
}

void pktgen6_destroy(struct pktgen6 *g)
{
    if (!g)
        return;
    match6_destroy(g->match);
    free(g);
}

const struct traffic_source *pktgen6_source(const struct pktgen6 *g)
{
    return &g->source;
}
