/* IPv4 routes: read from a file, or generated.
 *
 * File: one route per line, `prefix/length` and optionally a next hop number, separated by blanks;
 * empty lines and lines that start with # are skipped, as are IPv6 prefixes, which are counted.
 * Plain, gzip or xz. */
#ifndef EVGPU_SW_ROUTES_H
#define EVGPU_SW_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error; /* base/error.h */

#define ROUTE_MAX_HOPS 65535u

struct route {
    uint32_t prefix; /* host order, bits beyond the length are 0 */
    uint16_t hop;    /* 1..n_hops */
    uint8_t length;  /* 0..32 */
};

/* In file order. When a prefix occurs twice, the later one counts. */
struct route_list {
    struct route *routes;
    uint32_t count, capacity;
    uint32_t n_hops;        /* highest next hop number that may occur */
    uint32_t ipv6_skipped;  /* lines */
    uint32_t by_length[33]; /* routes of each prefix length */
};

/* `n_hops`, 1..ROUTE_MAX_HOPS: a route without a next hop of its own gets one of 1..n_hops by a
 * hash of its prefix; a number in the file must lie in that range. False with "FILE:LINE: ..." and
 * an empty list; a file without a single IPv4 route is an error. */
bool routes_read(const char *path, uint32_t n_hops, struct route_list *list, struct error *err);

/* `count` distinct routes, 1..ROUTES_GENERATE_MAX, with the distribution of prefix lengths of a
 * full Internet routing table; deterministic in `seed`. */
#define ROUTES_GENERATE_MAX 4000000u
bool routes_generate(uint64_t seed, uint32_t count, uint32_t n_hops, struct route_list *list,
                     struct error *err);

/* Writes the list in the file format above. */
bool routes_write(const char *path, const struct route_list *list, struct error *err);

void routes_free(struct route_list *list);

/* Network mask of a prefix length. */
static inline uint32_t route_mask(uint32_t length)
{
    return length ? UINT32_MAX << (32 - length) : 0;
}

#endif
