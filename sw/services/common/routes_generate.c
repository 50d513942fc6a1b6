#include <stdlib.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "sw/services/common/routes.h"

#define LENGTHS 64u /* prefix lengths of a family, at most */

/* Routes of each prefix length in a full Internet routing table of 2026 (the test data of the Go
 * library gaissmai/bart, MIT), counted once. */
struct lengths {
    uint32_t most;     /* routes to generate */
    uint32_t shortest; /* prefix length of count[0] */
    uint32_t frequent; /* the most frequent one takes what rounding leaves */
    uint32_t n;
    uint32_t count[LENGTHS];
};

static const struct lengths lengths_of[] = {
    /* 901,899 prefixes, none shorter than 8. */
    [ADDRESS_IPV4] = {.most = 4000000,
                      .shortest = 8,
                      .frequent = 24,
                      .n = 25,
                      .count = {16,   13,    38,    103,   299,   581,    1203,  2100,   13490,
                                8235, 13798, 24870, 42611, 50750, 108623, 96510, 537698, 20,
                                3,    11,    18,    17,    3,     3,      886}},
    /* 160,147 prefixes; the 205 longer ones are left out. */
    [ADDRESS_IPV6] = {.most = 1000000,
                      .shortest = 16,
                      .frequent = 48,
                      .n = 49,
                      .count = {1,    0,    0,     1,    16,    3,   7,     8,    30,    8,
                                15,   20,   193,   4371, 650,   284, 22548, 2926, 2603,  1043,
                                5996, 880,  1617,  1377, 13418, 903, 2301,  1001, 14365, 1553,
                                3039, 3153, 75488, 11,   3,     0,   1,     0,    0,     1,
                                24,   0,    20,    0,    2,     0,   0,     0,    184}}};

/* The blocks of 16 bits that the Internet's registries give IPv6 addresses from. */
static const struct {
    uint16_t first, count;
} BLOCKS[] = {{0x2001, 1}, {0x2400, 16}, {0x2600, 16}, {0x2800, 8}, {0x2A00, 16}, {0x2C0F, 1}};
#define N_BLOCKS (sizeof BLOCKS / sizeof *BLOCKS)

#define OWNER_SHORTEST 28u /* of an IPv6 prefix that others are drawn inside of */
#define OWNER_LONGEST  44u

/* Open-addressed set of the routes taken so far, by number from 1; 0 is an empty place. */
struct prefix_set {
    uint32_t *places;
    uint64_t mask;
};

/* The route that would be the list's next, unless it is there. */
static bool set_add(struct prefix_set *set, const struct route_list *list, const struct route *r)
{
    uint64_t key = r->prefix.high ^ r->prefix.high >> 32 ^ r->prefix.low << 1 ^ r->length;
    uint64_t i = key * 0x9E3779B97F4A7C15u >> 20 & set->mask;
    for (; set->places[i]; i = (i + 1) & set->mask) {
        const struct route *other = &list->routes[set->places[i] - 1];
        if (other->prefix.high == r->prefix.high && other->prefix.low == r->prefix.low &&
            other->length == r->length)
            return false;
    }
    set->places[i] = list->count + 1;
    return true;
}

/* Prefixes of a length that are drawn at most, fewer than there are to draw from, so that drawing
 * ends. */
static uint32_t room(enum address_family family, uint32_t length)
{
    if (family == ADDRESS_IPV4)
        return UINT32_C(1) << (length - 1);
    return length < 24 ? 4u << (length - 16) : UINT32_MAX;
}

/* How many prefixes of each length: `count` shared out as in the table, each share rounded to the
 * nearest number. */
static void share_out(enum address_family family, uint32_t count, uint32_t share[LENGTHS])
{
    const struct lengths *l = &lengths_of[family];
    uint64_t total = 0;
    uint32_t given = 0;
    for (uint32_t i = 0; i < l->n; i++)
        total += l->count[i];
    for (uint32_t i = 0; i < l->n; i++) {
        uint32_t want = (uint32_t)(((uint64_t)count * l->count[i] + total / 2) / total);
        uint32_t most = room(family, l->shortest + i);
        share[i] = want < most ? want : most;
        if (share[i] > count - given)
            share[i] = count - given;
        given += share[i];
    }
    share[l->frequent - l->shortest] += count - given;
}

/* Not 0/8, 127/8, or anything from 224/4 on. */
static bool unicast(uint32_t address)
{
    uint32_t first = address >> 24;
    return first != 0 && first != 127 && first < 224;
}

/* An IPv6 prefix in an allocation of a registry. */
static uint64_t draw_allocation(struct rng *rng, uint32_t length)
{
    uint32_t block = rng_below(rng, N_BLOCKS);
    uint64_t top = BLOCKS[block].first + rng_below(rng, BLOCKS[block].count);
    return (top << 48 | rng_u64(rng) >> 16) & address_mask(length).high;
}

/* Inside an earlier route, mostly in its lower part: networks are numbered from below. */
static uint64_t draw_inside(struct rng *rng, const struct route *owner, uint32_t length)
{
    uint64_t more = rng_u64(rng);
    if (rng_chance(rng, 2, 3))
        more &= rng_u64(rng) & rng_u64(rng);
    return owner->prefix.high |
           (more & ~address_mask(owner->length).high & address_mask(length).high);
}

static uint64_t draw_ipv6(struct rng *rng, const struct route_list *list, uint32_t length,
                          uint32_t owners)
{
    if (length > 32 && owners && rng_chance(rng, 9, 10)) {
        const struct route *owner = &list->routes[rng_below(rng, owners)];
        if (owner->length >= OWNER_SHORTEST && owner->length < length)
            return draw_inside(rng, owner, length);
    }
    return draw_allocation(rng, length);
}

/* A new route of the length; false when it is of no use, or is there. `owners`: the first routes of
 * the list, which IPv6 prefixes are drawn inside of. */
static bool draw(struct rng *rng, const struct route_list *list, struct prefix_set *set,
                 uint32_t owners, struct route *r)
{
    if (list->family == ADDRESS_IPV4) {
        uint32_t prefix = (uint32_t)(rng_u64(rng) >> 32) & address_ipv4_mask(r->length);
        r->prefix = address_of_ipv4(prefix);
        if (!unicast(prefix) || !set_add(set, list, r))
            return false;
        r->hop = (uint16_t)(1 + rng_below(rng, list->n_hops));
        return true;
    }
    r->prefix = (struct address){draw_ipv6(rng, list, r->length, owners), 0};
    r->hop = (uint16_t)(1 + rng_below(rng, list->n_hops));
    return set_add(set, list, r);
}

static void fill(struct rng *rng, struct route_list *list, struct prefix_set *set, uint32_t count)
{
    const struct lengths *l = &lengths_of[list->family];
    uint32_t share[LENGTHS], owners = 0;
    share_out(list->family, count, share);
    for (uint32_t i = 0; i < l->n; i++) {
        struct route r = {.length = (uint8_t)(l->shortest + i)};
        while (list->by_length[r.length] < share[i]) {
            if (!draw(rng, list, set, owners, &r))
                continue;
            list->routes[list->count++] = r;
            list->by_length[r.length]++;
        }
        if (r.length <= OWNER_LONGEST)
            owners = list->count;
    }
}

uint32_t routes_generate_max(enum address_family family)
{
    return lengths_of[family].most;
}

void routes_generate(const struct route_source *source, struct route_list *list)
{
    struct rng rng;
    rng_seed(&rng, source->seed);
    struct prefix_set set = {.mask = 1};
    while (set.mask < 2 * (uint64_t)source->count)
        set.mask = 2 * set.mask + 1;
    set.places = ALLOC_ARRAY(uint32_t, set.mask + 1);
    list->routes = ALLOC_ARRAY(struct route, source->count);
    list->capacity = source->count;
    fill(&rng, list, &set, source->count);
    free(set.places);
}
