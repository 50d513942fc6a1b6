/* Routes of one address family, IPv4 or IPv6: read from a file, or generated.
 *
 * File: one route per line, `prefix/length` and optionally a next hop number, separated by blanks;
 * empty lines and lines that start with # are skipped, as are prefixes of the other family, which
 * are counted. Plain, gzip or xz. */
#ifndef EVGPU_SW_ROUTES_H
#define EVGPU_SW_ROUTES_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/common/address.h"

struct error; /* base/error.h */

#define ROUTE_MAX_HOPS 65535u

struct route {
    struct address prefix; /* bits beyond the length are 0 */
    uint16_t hop;          /* 1..n_hops */
    uint8_t length;        /* 0..32 or 0..128 */
};

/* In file order. When a prefix occurs twice, the later one counts. */
struct route_list {
    enum address_family family;
    struct route *routes;
    uint32_t count, capacity;
    uint32_t n_hops;         /* highest next hop number that may occur */
    uint32_t skipped;        /* lines with a prefix of the other family */
    uint32_t by_length[129]; /* routes of each prefix length */
};

/* Where a list comes from. */
struct route_source {
    enum address_family family;
    const char *path; /* NULL: generated */
    uint64_t seed;
    uint32_t count; /* to generate, 1..routes_generate_max */
    uint32_t hops;  /* next hops, 1..ROUTE_MAX_HOPS */
};

#define ROUTES_DEFAULT_COUNT 100000u
#define ROUTES_DEFAULT_HOPS  256u

/* From the file: a route without a next hop of its own gets one of 1..hops by a hash of its prefix;
 * a number in the file must lie in that range, and a file without a single route of the family is
 * an error. Without a file: `count` distinct routes, deterministic in `seed`, with the prefix
 * lengths of a full Internet routing table; IPv6 prefixes also have, roughly, its nesting. False
 * with an empty list and an error, "FILE:LINE: ..." where a line is wrong. */
bool routes_make(const struct route_source *source, struct route_list *list, struct error *err);

/* Its part without a file: into an empty list with family and next hops, of values in range. */
void routes_generate(const struct route_source *source, struct route_list *list);
uint32_t routes_generate_max(enum address_family family);

/* Writes the list in the file format above. */
bool routes_write(const char *path, const struct route_list *list, struct error *err);

void routes_free(struct route_list *list);

/* "IPv4" or "IPv6". */
const char *address_family_name(enum address_family family);

static inline uint32_t route_ipv4(const struct route *route)
{
    return address_ipv4(route->prefix);
}

#endif
