/* Replacement policies: one set, sequences of lines by hand. */
#include "sim/mem/cache/cache.h"
#include "tests/mem/policy_number.h"
#include "tests/unit.h"

#define WAYS 4u
#define ALL  15u /* sectors */

static void make(struct cache *c, const char *policy)
{
    struct cache_shape shape = {.bytes = WAYS * LINE_BYTES, .ways = WAYS};
    shape.policy = policy_number(cache_policy_name, policy);
    struct error err = {0};
    assert_non_null(cache_policy_at(shape.policy));
    assert_true(cache_create(c, &shape, &err));
}

/* One access: a miss takes a way. Line `name` lies at name * LINE_BYTES; true for a hit. */
static bool use(struct cache *c, char name)
{
    uint64_t line = (uint64_t)name * LINE_BYTES;
    bool hit = cache_hit(c, line, ALL);
    if (!hit)
        cache_fill(c, line, ALL);
    return hit;
}

/* The lines by way, '.' for a free one. */
static void check_ways(const struct cache *c, const char *lines)
{
    for (uint32_t e = 0; e < WAYS; e++)
        assert_int_equal(c->line[e] == UINT64_MAX ? '.' : c->line[e] / LINE_BYTES, lines[e]);
}

/* Accesses `lines` one by one; `hits` has an h for each that must hit. */
static void access_all(struct cache *c, const char *lines, const char *hits)
{
    for (uint32_t i = 0; lines[i]; i++)
        if (use(c, lines[i]) != (hits[i] == 'h'))
            fail_msg("%s: access %u, %c, is no %s", c->policy->name, i, lines[i],
                     hits[i] == 'h' ? "hit" : "miss");
}

static void test_lru(void **state)
{
    (void)state;
    struct cache c;
    make(&c, "lru");
    access_all(&c, "ABCDA", "mmmmh");
    access_all(&c, "EF", "mm"); /* for B, C */
    check_ways(&c, "AEFD");
    access_all(&c, "D", "h");
    access_all(&c, "GH", "mm"); /* for A, E */
    check_ways(&c, "GHFD");
    cache_destroy(&c);
}

/* SRRIP of 2 bits; the values of the ways stand behind each step. */
static void test_srrip(void **state)
{
    (void)state;
    struct cache c;
    make(&c, "srrip");
    access_all(&c, "ABCD", "mmmm"); /* 2 2 2 2 */
    access_all(&c, "A", "h");       /* 0 2 2 2 */
    access_all(&c, "E", "m");       /* all move up by 1, B is first at 3: 1 2 3 3 */
    check_ways(&c, "AECD");
    access_all(&c, "F", "m"); /* C: 1 2 2 3 */
    check_ways(&c, "AEFD");
    access_all(&c, "E", "h"); /* 1 0 2 3 */
    access_all(&c, "G", "m"); /* D: 1 0 2 2 */
    check_ways(&c, "AEFG");
    access_all(&c, "H", "m"); /* up by 1, F: 2 1 2 3 */
    check_ways(&c, "AEHG");
    access_all(&c, "I", "m"); /* G: 2 1 2 2 */
    access_all(&c, "J", "m"); /* up by 1, A at last: 2 2 3 3 */
    check_ways(&c, "JEHI");
    cache_destroy(&c);
}

/* Two lines in use and a scan of lines that are used once: LRU loses the two when the scan is
 * longer than the ways left; SRRIP keeps them until the scan has moved the set up three times. */
static void test_scan(void **state)
{
    (void)state;
    struct cache c;
    make(&c, "lru");
    access_all(&c, "ABAB1234AB", "mmhhmmmmmm");
    cache_destroy(&c);
    make(&c, "srrip");
    access_all(&c, "ABAB1234AB", "mmhhmmmmhh");
    access_all(&c, "5678AB", "mmmmhh");
    cache_destroy(&c);
    make(&c, "srrip");
    /* 1 and 2 take the free ways; 3, 5 and 7 each move the set up by 1. Then A and B are at 3. */
    access_all(&c, "ABAB12345678AB", "mmhhmmmmmmmmmm");
    cache_destroy(&c);
}

/* victim names a line as often as it is asked and changes nothing; a pinned line stays. */
static void test_victim_changes_nothing(void **state)
{
    (void)state;
    struct cache c;
    make(&c, "srrip");
    access_all(&c, "ABCDA", "mmmmh"); /* 0 2 2 2 */
    uint64_t line = (uint64_t)'E' * LINE_BYTES;
    for (int i = 0; i < 5; i++)
        assert_int_equal(cache_victim(&c, line), 1);
    c.pins[1] = 1;
    assert_int_equal(cache_victim(&c, line), 2);
    access_all(&c, "E", "m"); /* C: 1 3 2 3 */
    check_ways(&c, "ABED");
    c.pins[1] = 0;
    access_all(&c, "F", "m"); /* B: 1 2 2 3 */
    check_ways(&c, "AFED");
    for (uint32_t e = 0; e < WAYS; e++)
        c.pins[e] = 1;
    assert_int_equal(cache_victim(&c, line + LINE_BYTES), CACHE_NONE);
    cache_destroy(&c);
}

/* A line that has been invalidated leaves a free way: no set moves for the line that takes it. */
static void test_free_way(void **state)
{
    (void)state;
    struct cache c;
    make(&c, "srrip");
    access_all(&c, "ABCDABCD", "mmmmhhhh"); /* 0 0 0 0 */
    cache_invalidate(&c, (uint64_t)'C' * LINE_BYTES);
    check_ways(&c, "AB.D");
    access_all(&c, "E", "m"); /* 0 0 2 0 */
    access_all(&c, "F", "m"); /* up by 1: 1 1 2 1 */
    check_ways(&c, "ABFD");
    cache_invalidate_all(&c);
    check_ways(&c, "....");
    cache_destroy(&c);
}

/* More sectors of a line that is there are a use of it; sets do not meet. */
static void test_second_fill_and_sets(void **state)
{
    (void)state;
    struct cache c;
    struct cache_shape shape = {.bytes = 2 * WAYS * LINE_BYTES, .ways = WAYS};
    shape.policy = policy_number(cache_policy_name, "srrip");
    assert_true(cache_create(&c, &shape, NULL));
    for (uint64_t n = 0; n < 8; n++)
        cache_fill(&c, n * LINE_BYTES, 1);
    cache_fill(&c, 0, 2); /* line 0, set 0 */
    cache_fill(&c, 8 * LINE_BYTES, 1);
    cache_fill(&c, 9 * LINE_BYTES, 1);
    assert_true(cache_hit(&c, 0, 3));
    assert_int_equal(cache_find(&c, 2 * LINE_BYTES), CACHE_NONE);
    assert_int_equal(cache_find(&c, 1 * LINE_BYTES), CACHE_NONE); /* set 1, first way */
    cache_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lru),      cmocka_unit_test(test_srrip),
        cmocka_unit_test(test_scan),     cmocka_unit_test(test_victim_changes_nothing),
        cmocka_unit_test(test_free_way), cmocka_unit_test(test_second_fill_and_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
