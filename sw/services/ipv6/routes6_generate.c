#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sw/services/ipv6/routes6.h"

/* Routes of each prefix length 16..64 in a full Internet routing table of 2026 (the test data of
 * the Go library gaissmai/bart, MIT), counted once: 160,147 IPv6 prefixes; the 205 longer ones are
 * left out. */
#define SHORTEST 16u
#define LENGTHS  49u
static const uint32_t LENGTH_COUNT[LENGTHS] = {
    1,    0,    0,     1,     16,   3,    7,     8,    30,  8,    15,   20,    193,
    4371, 650,  284,   22548, 2926, 2603, 1043,  5996, 880, 1617, 1377, 13418, 903,
    2301, 1001, 14365, 1553,  3039, 3153, 75488, 11,   3,   0,    1,    0,     0,
    1,    24,   0,     20,    0,    2,    0,     0,    0,   184};

/* The blocks of 16 bits that the Internet's registries give addresses from. */
static const struct {
    uint16_t first, count;
} BLOCKS[] = {{0x2001, 1}, {0x2400, 16}, {0x2600, 16}, {0x2800, 8}, {0x2A00, 16}, {0x2C0F, 1}};
#define N_BLOCKS (sizeof BLOCKS / sizeof *BLOCKS)

#define OWNER_SHORTEST 28u /* of a prefix that others are drawn inside of */
#define OWNER_LONGEST  44u

/* Open-addressed set of the routes taken so far, by number from 1; 0 is an empty place. */
struct prefix_set {
    uint32_t *places;
    uint64_t mask;
};

static bool set_add(struct prefix_set *set, const struct route6_list *list, uint32_t number)
{
    const struct route6 *r = &list->routes[number];
    uint64_t hash = (r->prefix.high ^ r->prefix.low << 1 ^ r->length) * 0x9E3779B97F4A7C15u;
    uint64_t i = hash >> 20 & set->mask;
    for (; set->places[i]; i = (i + 1) & set->mask) {
        const struct route6 *other = &list->routes[set->places[i] - 1];
        if (other->prefix.high == r->prefix.high && other->prefix.low == r->prefix.low &&
            other->length == r->length)
            return false;
    }
    set->places[i] = number + 1;
    return true;
}

/* How many prefixes of each length: `count` shared out as in LENGTH_COUNT, each share rounded to
 * the nearest number; /48, the most frequent, takes what rounding leaves. */
static void share_out(uint32_t count, uint32_t share[LENGTHS])
{
    uint64_t total = 0;
    uint32_t given = 0;
    for (uint32_t i = 0; i < LENGTHS; i++)
        total += LENGTH_COUNT[i];
    for (uint32_t i = 0; i < LENGTHS; i++) {
        uint32_t want = (uint32_t)(((uint64_t)count * LENGTH_COUNT[i] + total / 2) / total);
        uint32_t most = i < 8 ? 4u << i : UINT32_MAX; /* fewer than there are to draw from */
        share[i] = want < most ? want : most;
        if (share[i] > count - given)
            share[i] = count - given;
        given += share[i];
    }
    share[48 - SHORTEST] += count - given;
}

/* A prefix of `length` in an allocation of a registry. */
static uint64_t draw_allocation(struct rng *rng, uint32_t length)
{
    uint32_t block = rng_below(rng, N_BLOCKS);
    uint64_t top = BLOCKS[block].first + rng_below(rng, BLOCKS[block].count);
    return (top << 48 | rng_u64(rng) >> 16) & address6_mask(length).high;
}

/* Inside an earlier route, mostly in its lower part: networks are numbered from below. */
static uint64_t draw_inside(struct rng *rng, const struct route6 *owner, uint32_t length)
{
    uint64_t more = rng_u64(rng);
    if (rng_chance(rng, 2, 3))
        more &= rng_u64(rng) & rng_u64(rng);
    return owner->prefix.high |
           (more & ~address6_mask(owner->length).high & address6_mask(length).high);
}

static struct route6 draw(struct rng *rng, const struct route6_list *list, uint32_t length,
                          uint32_t owners)
{
    uint64_t prefix = 0;
    if (length > 32 && owners && rng_chance(rng, 9, 10)) {
        const struct route6 *owner = &list->routes[rng_below(rng, owners)];
        prefix = owner->length >= OWNER_SHORTEST && owner->length < length
                     ? draw_inside(rng, owner, length)
                     : draw_allocation(rng, length);
    } else {
        prefix = draw_allocation(rng, length);
    }
    return (struct route6){
        {prefix, 0}, (uint16_t)(1 + rng_below(rng, list->n_hops)), (uint8_t)length};
}

static void generate(struct rng *rng, struct route6_list *list, struct prefix_set *set,
                     uint32_t count)
{
    uint32_t share[LENGTHS], owners = 0;
    share_out(count, share);
    for (uint32_t i = 0; i < LENGTHS; i++) {
        uint32_t length = SHORTEST + i;
        while (list->by_length[length] < share[i]) {
            list->routes[list->count] = draw(rng, list, length, owners);
            if (!set_add(set, list, list->count))
                continue;
            list->count++;
            list->by_length[length]++;
        }
        if (length <= OWNER_LONGEST)
            owners = list->count;
    }
}

bool routes6_generate(uint64_t seed, uint32_t count, uint32_t n_hops, struct route6_list *list,
                      struct error *err)
{
    *list = (struct route6_list){.n_hops = n_hops};
    if (n_hops < 1 || n_hops > ROUTE6_MAX_HOPS)
        return error_set(err, "number of next hops is %u; it must be 1..%u", n_hops,
                         ROUTE6_MAX_HOPS);
    if (count < 1 || count > ROUTES6_GENERATE_MAX)
        return error_set(err, "number of routes is %u; it must be 1..%u", count,
                         ROUTES6_GENERATE_MAX);
    struct rng rng;
    rng_seed(&rng, seed);
    struct prefix_set set = {.mask = 1};
    while (set.mask < 2 * (uint64_t)count)
        set.mask = 2 * set.mask + 1;
    set.places = ALLOC_ARRAY(uint32_t, set.mask + 1);
    list->routes = ALLOC_ARRAY(struct route6, count + 1);
    list->capacity = count + 1;
    generate(&rng, list, &set, count);
    free(set.places);
    return true;
}
