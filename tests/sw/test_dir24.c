/* The DIR-24-8 table against a binary trie and, on small lists, against a scan of all routes. */
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sw/services/ipv4/dir24.h"
#include "sw/services/ipv4/trie.h"
#include "tests/unit.h"

#define REAL_TABLE "../shared/data/bgp_prefixes.txt.gz"
#define HOPS       200u

struct table {
    uint32_t *level1, *level2;
};

static struct table build(const struct route_list *list)
{
    struct table t = {
        .level1 = ALLOC_ARRAY(uint32_t, FWD_LEVEL1_ENTRIES),
        .level2 = alloc_array(dir24_level2_bytes(dir24_blocks(list)) + 1, 1),
    };
    dir24_fill(list, t.level1, t.level2);
    return t;
}

static void destroy(struct table *t)
{
    free(t->level1);
    free(t->level2);
}

static uint32_t scan(const struct route_list *list, uint32_t address)
{
    int best = -1;
    uint32_t hop = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        const struct route *r = &list->routes[i];
        if ((address & address_ipv4_mask(r->length)) == route_ipv4(r) && r->length >= best) {
            best = r->length;
            hop = r->hop;
        }
    }
    return hop;
}

static void add(struct route_list *list, uint32_t prefix, uint32_t length, uint32_t hop)
{
    ARRAY_RESERVE(list->routes, list->count, list->capacity);
    list->routes[list->count++] = (struct route){
        address_of_ipv4(prefix & address_ipv4_mask(length)), (uint16_t)hop, (uint8_t)length};
    list->by_length[length]++;
}

/* An address near the edges of some route. */
static uint32_t near_route(const struct route_list *list, struct rng *rng)
{
    const struct route *r = &list->routes[rng_below(rng, list->count)];
    uint32_t last = route_ipv4(r) | ~address_ipv4_mask(r->length);
    switch (rng_below(rng, 4)) {
    case 0:
        return route_ipv4(r) - rng_below(rng, 2);
    case 1:
        return last + rng_below(rng, 2);
    case 2:
        return route_ipv4(r) | (uint32_t)(rng_u64(rng) & ~address_ipv4_mask(r->length));
    default:
        return (uint32_t)rng_u64(rng);
    }
}

static void compare(const struct route_list *list, const struct table *t, struct rng *rng,
                    uint32_t lookups)
{
    struct trie *trie = trie_create(list);
    for (uint32_t i = 0; i < lookups; i++) {
        uint32_t address = near_route(list, rng);
        uint32_t table = dir24_lookup(t->level1, t->level2, address);
        uint32_t reference = trie_lookup(trie, address);
        if (table != reference)
            fail_msg("0x%08x: table %u, trie %u", address, table, reference);
    }
    trie_destroy(trie);
}

static void single_routes_of_every_length(void **state)
{
    (void)state;
    uint32_t *level1 = ALLOC_ARRAY(uint32_t, FWD_LEVEL1_ENTRIES);
    for (uint32_t length = 0; length <= 32; length++) {
        struct route_list list = {.n_hops = HOPS};
        uint32_t level2[FWD_BLOCK_ENTRIES] = {0};
        add(&list, 0xC0A8A5A5, length, 9);
        const struct route *r = &list.routes[0];
        assert_int_equal(dir24_blocks(&list), length > 24);
        dir24_fill(&list, level1, level2);
        uint32_t last = route_ipv4(r) | ~address_ipv4_mask(length);
        assert_int_equal(dir24_lookup(level1, level2, route_ipv4(r)), 9);
        assert_int_equal(dir24_lookup(level1, level2, last), 9);
        if (length) {
            assert_int_equal(dir24_lookup(level1, level2, route_ipv4(r) - 1), 0);
            assert_int_equal(dir24_lookup(level1, level2, last + 1), 0);
        }
        uint32_t first = length ? route_ipv4(r) >> 8 : 0, end = last >> 8;
        memset(&level1[first], 0, (end - first + 1) * sizeof *level1);
        free(list.routes);
    }
    uint32_t written = 0;
    for (uint32_t i = 0; i < FWD_LEVEL1_ENTRIES; i++)
        written |= level1[i];
    assert_int_equal(written, 0); /* nothing was written outside the routes */
    free(level1);
}

/* Nested prefixes in random order, duplicates among them, all in a few /16, against the scan. */
static void nested_routes_in_any_order(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 24);
    struct table t = {ALLOC_ARRAY(uint32_t, FWD_LEVEL1_ENTRIES), NULL};
    for (uint32_t round = 0; round < 60; round++) {
        struct route_list list = {.n_hops = HOPS};
        if (round % 3 == 0)
            add(&list, 0, 9 + rng_below(&rng, 4), 1 + rng_below(&rng, HOPS));
        for (uint32_t i = 0; i < 120; i++)
            add(&list, 0x0A000000 | (uint32_t)(rng_u64(&rng) & 0x000303FF),
                rng_chance(&rng, 1, 2) ? 8 + rng_below(&rng, 17) : 25 + rng_below(&rng, 8),
                1 + rng_below(&rng, HOPS));
        t.level2 = alloc_array(dir24_level2_bytes(dir24_blocks(&list)) + 1, 1);
        dir24_fill(&list, t.level1, t.level2);
        struct trie *trie = trie_create(&list);
        for (uint32_t i = 0; i < 3000; i++) {
            uint32_t address = near_route(&list, &rng);
            uint32_t expected = scan(&list, address);
            assert_int_equal(dir24_lookup(t.level1, t.level2, address), expected);
            assert_int_equal(trie_lookup(trie, address), expected);
        }
        trie_destroy(trie);
        free(t.level2);
        memset(t.level1, 0,
               sizeof(uint32_t) << 20); /* 0/12, where round % 3 puts its short route */
        memset(t.level1 + (0x0A000000 >> 8), 0, sizeof(uint32_t) << 16);
        free(list.routes);
    }
    free(t.level1);
}

static void default_route_reaches_everywhere(void **state)
{
    (void)state;
    struct route_list list = {.n_hops = HOPS};
    add(&list, 0xFFFFFFFF, 32, 2);
    add(&list, 0, 0, 1);
    add(&list, 0, 32, 3);
    struct table t = build(&list);
    assert_int_equal(dir24_lookup(t.level1, t.level2, 0xFFFFFFFF), 2);
    assert_int_equal(dir24_lookup(t.level1, t.level2, 0xFFFFFFFE), 1);
    assert_int_equal(dir24_lookup(t.level1, t.level2, 0), 3);
    assert_int_equal(dir24_lookup(t.level1, t.level2, 1), 1);
    assert_int_equal(dir24_lookup(t.level1, t.level2, 0x80000000), 1);
    destroy(&t);
    free(list.routes);
}

static void generated_table_against_trie(void **state)
{
    (void)state;
    struct error err = {0};
    struct route_list list;
    struct rng rng;
    rng_seed(&rng, 3);
    assert_true(routes_make(
        &(struct route_source){.family = ADDRESS_IPV4, .seed = 7, .count = 300000, .hops = HOPS},
        &list, &err));
    struct table t = build(&list);
    compare(&list, &t, &rng, 2000000);
    destroy(&t);
    routes_free(&list);
}

/* More than 2^15 second-level blocks, and host routes only. */
static void many_second_level_blocks(void **state)
{
    (void)state;
    struct route_list list = {.n_hops = HOPS};
    struct rng rng;
    rng_seed(&rng, 4);
    for (uint32_t i = 0; i < 40000; i++)
        add(&list, 0x14000000 + (i << 8) + rng_below(&rng, 256), 32, 1 + rng_below(&rng, HOPS));
    assert_int_equal(dir24_blocks(&list), 40000);
    struct table t = build(&list);
    compare(&list, &t, &rng, 200000);
    destroy(&t);
    free(list.routes);
}

static void real_table_against_trie(void **state)
{
    (void)state;
    struct error err = {0};
    struct route_list list;
    struct rng rng;
    if (access(REAL_TABLE, R_OK) != 0) {
        print_message("skipped: %s is not there\n", REAL_TABLE);
        skip();
    }
    rng_seed(&rng, 5);
    assert_true(routes_make(
        &(struct route_source){.family = ADDRESS_IPV4, .path = REAL_TABLE, .hops = HOPS}, &list,
        &err));
    struct table t = build(&list);
    compare(&list, &t, &rng, 3000000);
    destroy(&t);
    routes_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_routes_of_every_length),
        cmocka_unit_test(nested_routes_in_any_order),
        cmocka_unit_test(default_route_reaches_everywhere),
        cmocka_unit_test(generated_table_against_trie),
        cmocka_unit_test(many_second_level_blocks),
        cmocka_unit_test(real_table_against_trie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
