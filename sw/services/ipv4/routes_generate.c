#include <stdlib.h>

#include "base/error.h"

#include "base/alloc.h"
#include "base/rng.h"
#include "sw/services/ipv4/routes.h"

/* Routes of each prefix length 8..32 in a full Internet routing table of 2026 (the test data of the
 * Go library gaissmai/bart, MIT), counted once: 901,899 IPv4 prefixes, none shorter than 8. */
#define SHORTEST 8u
#define LENGTHS  25u
static const uint32_t LENGTH_COUNT[LENGTHS] = {
    16,    13,     38,    103,    299, 581, 1203, 2100, 13490, 8235, 13798, 24870, 42611,
    50750, 108623, 96510, 537698, 20,  3,   11,   18,   17,    3,    3,     886,
};

/* Open-addressed set of the prefixes taken so far; 0 is an empty place, so keys are never 0. */
struct prefix_set {
    uint64_t *keys;
    uint64_t mask;
};

static bool set_add(struct prefix_set *set, uint32_t prefix, uint32_t length)
{
    uint64_t key = (uint64_t)prefix << 6 | length | UINT64_C(1) << 63;
    uint64_t i = (key * 0x9E3779B97F4A7C15u >> 20) & set->mask;
    for (; set->keys[i]; i = (i + 1) & set->mask)
        if (set->keys[i] == key)
            return false;
    set->keys[i] = key;
    return true;
}

/* Not 0/8, 127/8, or anything from 224/4 on. */
static bool unicast(uint32_t address)
{
    uint32_t first = address >> 24;
    return first != 0 && first != 127 && first < 224;
}

/* How many prefixes of each length: `count` shared out as in LENGTH_COUNT, each share rounded to
 * the nearest number; /24, the most frequent, takes what rounding leaves. A length gets at most
 * half of the prefixes that exist, so that drawing them ends. */
static void share_out(uint32_t count, uint32_t share[LENGTHS])
{
    uint64_t total = 0;
    uint32_t given = 0;
    for (uint32_t i = 0; i < LENGTHS; i++)
        total += LENGTH_COUNT[i];
    for (uint32_t i = 0; i < LENGTHS; i++) {
        uint32_t want = (uint32_t)(((uint64_t)count * LENGTH_COUNT[i] + total / 2) / total);
        uint32_t half = UINT32_C(1) << (SHORTEST + i - 1);
        share[i] = want < half ? want : half;
        if (share[i] > count - given)
            share[i] = count - given;
        given += share[i];
    }
    share[24 - SHORTEST] += count - given;
}

bool routes_generate(uint64_t seed, uint32_t count, uint32_t n_hops, struct route_list *list,
                     struct error *err)
{
    *list = (struct route_list){.n_hops = n_hops};
    if (n_hops < 1 || n_hops > ROUTE_MAX_HOPS)
        return error_set(err, "number of next hops is %u; it must be 1..%u", n_hops,
                         ROUTE_MAX_HOPS);
    if (count < 1 || count > ROUTES_GENERATE_MAX)
        return error_set(err, "number of routes is %u; it must be 1..%u", count,
                         ROUTES_GENERATE_MAX);
    struct rng rng;
    rng_seed(&rng, seed);
    struct prefix_set set = {.mask = 1};
    while (set.mask < 2 * (uint64_t)count)
        set.mask = 2 * set.mask + 1;
    set.keys = ALLOC_ARRAY(uint64_t, set.mask + 1);
    list->routes = ALLOC_ARRAY(struct route, count);
    list->capacity = count;

    uint32_t share[LENGTHS];
    share_out(count, share);
    for (uint32_t i = 0; i < LENGTHS; i++) {
        uint32_t length = SHORTEST + i;
        while (list->by_length[length] < share[i]) {
            uint32_t prefix = (uint32_t)(rng_u64(&rng) >> 32) & route_mask(length);
            if (!unicast(prefix) || !set_add(&set, prefix, length))
                continue;
            list->routes[list->count++] =
                (struct route){prefix, (uint16_t)(1 + rng_below(&rng, n_hops)), (uint8_t)length};
            list->by_length[length]++;
        }
    }
    free(set.keys);
    return true;
}
