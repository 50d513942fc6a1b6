/* IPv6 routes: read from a file, or generated.
 *
 * File: as for IPv4 (sw/services/ipv4/routes.h), `prefix/length` and optionally a next hop number;
 * here the IPv4 prefixes are skipped and counted. */
#ifndef EVGPU_SW_ROUTES6_H
#define EVGPU_SW_ROUTES6_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/ipv6/address6.h"

struct error; /* base/error.h */

#define ROUTE6_MAX_HOPS 65535u

struct route6 {
    struct address6 prefix; /* bits beyond the length are 0 */
    uint16_t hop;           /* 1..n_hops */
    uint8_t length;         /* 0..128 */
};

/* In file order. When a prefix occurs twice, the later one counts. */
struct route6_list {
    struct route6 *routes;
    uint32_t count, capacity;
    uint32_t n_hops;         /* highest next hop number that may occur */
    uint32_t ipv4_skipped;   /* lines */
    uint32_t by_length[129]; /* routes of each prefix length */
};

/* As routes_read of IPv4. */
bool routes6_read(const char *path, uint32_t n_hops, struct route6_list *list, struct error *err);

/* `count` distinct routes, 1..ROUTES6_GENERATE_MAX, with the prefix lengths of a full Internet
 * routing table and, roughly, its nesting: allocations of few /16, longer prefixes inside shorter
 * ones. Deterministic in `seed`. */
#define ROUTES6_GENERATE_MAX 1000000u
bool routes6_generate(uint64_t seed, uint32_t count, uint32_t n_hops, struct route6_list *list,
                      struct error *err);

/* Writes the list in the file format above. */
bool routes6_write(const char *path, const struct route6_list *list, struct error *err);

void routes6_free(struct route6_list *list);

#endif
