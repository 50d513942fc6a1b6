#include "sw/services/ipv4/pktgen.h"

#include <errno.h>
#include <inttypes.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/base/error.h"
#include "sim/base/rng.h"
#include "sw/services/ipv4/pktgen_frame.h"
#include "sw/services/ipv4/trie.h"

#define SECOND_NS       UINT64_C(1000000000)
#define NO_ROUTE_TRIES  (1u << 20)
#define SNAPSHOT_LENGTH 65535

struct generator {
    const char *path;
    const struct pktgen_options *options;
    const struct route_list *routes;
    struct trie *trie;
    struct rng rng;
    uint64_t time_ns;
    uint64_t gap_remainder; /* what rounding to nanoseconds has left of the gaps so far */
    struct pktgen_summary summary;
};

struct pktgen_options pktgen_defaults(void)
{
    struct pktgen_options o = {
        .seed = 1,
        .count = 100000,
        .rate_pps = 1000000,
        .gaps = PKTGEN_POISSON,
        .sizes = PKTGEN_FIXED,
        .min_frame = PKTGEN_MIN_FRAME,
        .max_frame = PKTGEN_MAX_FRAME,
    };
    o.fraction[PKTGEN_NO_ROUTE] = 5000;
    o.fraction[PKTGEN_TTL_EXPIRED] = 5000;
    o.fraction[PKTGEN_BAD_CHECKSUM] = 5000;
    o.fraction[PKTGEN_ARP] = 5000;
    return o;
}

const char *pktgen_kind_name(enum pktgen_kind kind)
{
    static const char *const NAMES[PKTGEN_KINDS] = {"no-route",   "ttl-expired", "bad-checksum",
                                                    "bad-length", "bad-version", "options",
                                                    "arp",        "ipv6",        "vlan"};
    return kind < PKTGEN_KINDS ? NAMES[kind] : "ordinary";
}

static bool check_options(const struct pktgen_options *o, const struct route_list *routes,
                          struct error *err)
{
    uint64_t fractions = 0;
    for (uint32_t k = 0; k < PKTGEN_KINDS; k++)
        fractions += o->fraction[k];
    if (o->count == 0)
        return error_set(err, "packet generator: count must be 1 or more");
    if (o->rate_pps == 0 || o->rate_pps > SECOND_NS)
        return error_set(err,
                         "packet generator: rate is %" PRIu64 "; it must be 1..%" PRIu64
                         " packets per second",
                         o->rate_pps, SECOND_NS);
    if (o->sizes != PKTGEN_IMIX &&
        (o->min_frame < PKTGEN_MIN_FRAME || o->min_frame > PKTGEN_MAX_FRAME))
        return error_set(err, "packet generator: frame size is %u; it must be %u..%u bytes",
                         o->min_frame, PKTGEN_MIN_FRAME, PKTGEN_MAX_FRAME);
    if (o->sizes == PKTGEN_RANGE &&
        (o->max_frame < o->min_frame || o->max_frame > PKTGEN_MAX_FRAME))
        return error_set(err, "packet generator: largest frame size is %u; it must be %u..%u bytes",
                         o->max_frame, o->min_frame, PKTGEN_MAX_FRAME);
    if (fractions > PKTGEN_MILLION)
        return error_set(err,
                         "packet generator: the fractions add up to %" PRIu64
                         " parts per million; at most %u are possible",
                         fractions, PKTGEN_MILLION);
    if (routes->count == 0)
        return error_set(err, "packet generator: no routes to draw destinations from");
    return true;
}

/* -log2(x / 2^32) in 1/2^32, for x > 0, by repeated squaring: integers only, so that the gaps are
 * the same on every machine. */
static uint64_t minus_log2(uint32_t x)
{
    uint32_t zeros = (uint32_t)__builtin_clz(x);
    uint64_t mantissa = (uint64_t)x << zeros; /* in [2^31, 2^32): 1.31 fixed point */
    uint64_t log = 0;
    for (uint32_t bit = 0; bit < 32; bit++) {
        mantissa = mantissa * mantissa >> 31;
        log <<= 1;
        if (mantissa >> 32) {
            mantissa >>= 1;
            log |= 1;
        }
    }
    return ((uint64_t)(zeros + 1) << 32) - log;
}

/* Nanoseconds to the next frame. */
static uint64_t next_gap(struct generator *g)
{
    uint64_t rate = g->options->rate_pps;
    if (g->options->gaps == PKTGEN_CONSTANT) {
        uint64_t numerator = SECOND_NS + g->gap_remainder;
        g->gap_remainder = numerator % rate;
        return numerator / rate;
    }
    const uint64_t LN_2 = 0xB17217F8; /* in 1/2^32 */
    uint32_t x = (uint32_t)(rng_u64(&g->rng) >> 32);
    unsigned __int128 exponential = (unsigned __int128)minus_log2(x ? x : 1) * LN_2 >> 32;
    unsigned __int128 gap = exponential * SECOND_NS / rate + g->gap_remainder;
    g->gap_remainder = (uint32_t)gap;
    return (uint64_t)(gap >> 32);
}

static uint32_t frame_length(struct generator *g)
{
    static const uint32_t IMIX[12] = {64, 64, 64, 64, 64, 64, 64, 594, 594, 594, 594, 1518};
    const struct pktgen_options *o = g->options;
    uint32_t size = o->min_frame;
    if (o->sizes == PKTGEN_IMIX)
        size = IMIX[rng_below(&g->rng, 12)];
    else if (o->sizes == PKTGEN_RANGE)
        size += rng_below(&g->rng, o->max_frame - o->min_frame + 1);
    return size - PKTGEN_FCS_BYTES;
}

static enum pktgen_kind draw_kind(struct generator *g)
{
    uint32_t x = rng_below(&g->rng, PKTGEN_MILLION), kind = 0;
    while (kind < PKTGEN_KINDS && x >= g->options->fraction[kind])
        x -= g->options->fraction[kind++];
    return (enum pktgen_kind)kind;
}

static bool draw_destination(struct generator *g, enum pktgen_kind kind, uint32_t *destination,
                             struct error *err)
{
    if (kind != PKTGEN_NO_ROUTE) {
        const struct route *r = &g->routes->routes[rng_below(&g->rng, g->routes->count)];
        uint32_t host = (uint32_t)(rng_u64(&g->rng) >> 32) & ~route_mask(r->length);
        *destination = r->prefix | host;
        return true;
    }
    for (uint32_t i = 0; i < NO_ROUTE_TRIES; i++) {
        uint32_t address = (uint32_t)(rng_u64(&g->rng) >> 32);
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

static bool write_frames(struct generator *g, pcap_dumper_t *dump, struct error *err)
{
    uint8_t frame[PKTGEN_MAX_FRAME];
    for (uint32_t i = 0; i < g->options->count; i++) {
        enum pktgen_kind kind = draw_kind(g);
        uint32_t destination = 0;
        if (!draw_destination(g, kind, &destination, err))
            return false;
        uint32_t length = pktgen_frame(frame, frame_length(g), kind, destination, &g->rng);
        if (i)
            g->time_ns += next_gap(g);
        uint64_t now = g->options->start_ns + g->time_ns;
        struct pcap_pkthdr header = {
            .ts = {.tv_sec = (time_t)(now / SECOND_NS), .tv_usec = (suseconds_t)(now % SECOND_NS)},
            .caplen = length,
            .len = length};
        pcap_dump((u_char *)dump, &header, frame);
        if (kind == PKTGEN_KINDS)
            g->summary.ordinary++;
        else
            g->summary.kind[kind]++;
        g->summary.bytes += length;
    }
    g->summary.duration_ns = g->time_ns;
    errno = 0;
    if (pcap_dump_flush(dump) != 0 || ferror(pcap_dump_file(dump)))
        return error_set(err, "%s: cannot be written: %s", g->path,
                         errno ? strerror(errno) : "write error");
    return true;
}

static bool write_file(struct generator *g, struct error *err)
{
    pcap_t *pcap = pcap_open_dead_with_tstamp_precision(DLT_EN10MB, SNAPSHOT_LENGTH,
                                                        PCAP_TSTAMP_PRECISION_NANO);
    if (!pcap)
        return error_set(err, "%s: out of memory", g->path);
    pcap_dumper_t *dump = pcap_dump_open(pcap, g->path);
    bool ok = dump != NULL;
    if (!dump) {
        error_set(err, "%s", pcap_geterr(pcap));
    } else {
        ok = write_frames(g, dump, err);
        pcap_dump_close(dump);
        if (!ok)
            remove(g->path);
    }
    pcap_close(pcap);
    return ok;
}

bool pktgen_write(const char *path, const struct pktgen_options *options,
                  const struct route_list *routes, struct pktgen_summary *summary,
                  struct error *err)
{
    if (!check_options(options, routes, err))
        return false;
    struct generator g = {.path = path, .options = options, .routes = routes};
    rng_seed(&g.rng, options->seed);
    if (options->fraction[PKTGEN_NO_ROUTE])
        g.trie = trie_create(routes);
    bool ok = write_file(&g, err);
    trie_destroy(g.trie);
    if (ok && summary)
        *summary = g.summary;
    return ok;
}
