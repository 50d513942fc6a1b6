/* Tag array and MSHR table against plain references. */
#include "base/rng.h"
#include "sim/mem/cache/cache.h"
#include "tests/unit.h"

static void test_masks(void **state)
{
    (void)state;
    for (uint32_t s = 0; s < 16; s++) {
        uint32_t words = 0;
        for (uint32_t i = 0; i < 4; i++)
            words |= s >> i & 1 ? 0xffu << 8 * i : 0;
        assert_int_equal(sector_words(s), words);
        assert_int_equal(word_sectors(words), s);
    }
    assert_int_equal(word_sectors(0x01000080u), 9);
}

static void test_geometry(void **state)
{
    (void)state;
    struct cache c;
    struct error err = {0};
    assert_true(cache_create(&c, &(struct cache_shape){12288, 24, INDEX_PLAIN, 0},
                             &err)); /* CM-BAL's texture cache: 4 sets */
    assert_int_equal(c.sets, 4);
    cache_destroy(&c);
    assert_true(cache_create(&c, &(struct cache_shape){3 * 128, 1, INDEX_PLAIN, 0},
                             &err)); /* sets need not be a power of two */
    assert_int_equal(cache_set(&c, 4 * 128), 1);
    cache_destroy(&c);
    const uint64_t bad[][2] = {{0, 4}, {1024, 0}, {1000, 4}, {128, 4}};
    for (int i = 0; i < 4; i++) {
        struct error e = {0};
        assert_false(cache_create(
            &c, &(struct cache_shape){bad[i][0], (uint32_t)bad[i][1], INDEX_PLAIN, 0}, &e));
        assert_true(e.set);
    }
}

/* Takes a waiter out of every entry; from how many it was in. */
static uint32_t drop(struct mshr_table *t, uint32_t waiter)
{
    uint32_t from = 0;
    for (uint32_t e = 0; e < t->entries; e++)
        from += t->waiters[e] && mshr_remove(t, e, waiter);
    return from;
}

/* One set of the reference: lines by last use. */
struct ref {
    uint64_t line[8];
    uint32_t valid[8];
    uint32_t count;
};

static uint32_t ref_find(const struct ref *r, uint64_t line)
{
    uint32_t i = 0;
    while (i < r->count && r->line[i] != line)
        i++;
    return i;
}

static void ref_front(struct ref *r, uint32_t i, uint64_t line, uint32_t valid)
{
    memmove(&r->line[1], &r->line[0], i * sizeof r->line[0]);
    memmove(&r->valid[1], &r->valid[0], i * sizeof r->valid[0]);
    r->line[0] = line;
    r->valid[0] = valid;
}

/* Hits, fills and invalidations at random, as an L1 does them. */
static void test_lru(void **state)
{
    (void)state;
    for (uint32_t ways = 1; ways <= 8; ways++) {
        struct cache c;
        struct ref ref[5] = {{{0}, {0}, 0}};
        struct rng rng;
        rng_seed(&rng, ways);
        assert_true(
            cache_create(&c, &(struct cache_shape){5 * ways * 128, ways, INDEX_PLAIN, 0}, NULL));
        for (uint32_t n = 0; n < 20000; n++) {
            uint64_t line = rng_below(&rng, 5 * ways * 2) * 128;
            uint32_t sectors = 1 + rng_below(&rng, 15);
            struct ref *r = &ref[line / 128 % 5];
            uint32_t i = ref_find(r, line);
            bool hit = i < r->count && !(sectors & ~r->valid[i]);
            assert_int_equal(cache_hit(&c, line, sectors), hit);
            if (rng_chance(&rng, 1, 50)) {
                cache_invalidate(&c, line);
                if (i < r->count) {
                    r->count--;
                    memmove(&r->line[i], &r->line[i + 1], (r->count - i) * sizeof r->line[0]);
                    memmove(&r->valid[i], &r->valid[i + 1], (r->count - i) * sizeof r->valid[0]);
                }
                continue;
            }
            if (!hit)
                cache_fill(&c, line, sectors);
            uint32_t valid = sectors | (i < r->count ? r->valid[i] : 0);
            if (i == r->count && r->count < ways)
                r->count++;
            else if (i == r->count)
                i--;
            ref_front(r, i, line, valid);
        }
        cache_invalidate_all(&c);
        for (uint64_t line = 0; line < 100 * 128; line += 128)
            assert_int_equal(cache_find(&c, line), CACHE_NONE);
        cache_destroy(&c);
    }
}

static void test_pins(void **state)
{
    (void)state;
    struct cache c;
    assert_true(cache_create(&c, &(struct cache_shape){256, 2, INDEX_PLAIN, 0}, NULL));
    cache_fill(&c, 0, 15);
    cache_fill(&c, 128, 15);
    c.pins[cache_find(&c, 0)]++;
    assert_int_equal(cache_victim(&c, 256), cache_find(&c, 128));
    c.pins[cache_find(&c, 128)]++;
    assert_int_equal(cache_victim(&c, 256), CACHE_NONE);
    cache_fill(&c, 256, 15); /* dropped */
    assert_int_equal(cache_find(&c, 256), CACHE_NONE);
    assert_true(cache_hit(&c, 0, 15));
    cache_destroy(&c);
}

static void test_mshr_rules(void **state)
{
    (void)state;
    struct mshr_table t;
    struct error err = {0};
    assert_false(mshr_create(&t, 0, 1, &err));
    err.set = false;
    assert_false(mshr_create(&t, 1025, 1, &err));
    err.set = false;
    assert_false(mshr_create(&t, 1, 0, &err));
    assert_true(mshr_create(&t, 2, 2, NULL));
    uint32_t e, f, waiter;
    uint8_t fetch;
    assert_int_equal(mshr_add(&t, 0, 3, 10, &e, &fetch), MSHR_NEW);
    assert_int_equal(fetch, 3);
    assert_int_equal(mshr_add(&t, 0, 6, 11, &f, &fetch), MSHR_MERGED);
    assert_int_equal(f, e);
    assert_int_equal(fetch, 4);
    assert_int_equal(mshr_check(&t, 0), MSHR_FULL);
    assert_int_equal(mshr_add(&t, 0, 1, 12, &f, &fetch), MSHR_FULL);
    assert_int_equal(mshr_check(&t, 128), MSHR_NEW);
    mshr_arrived(&t, e, 2);
    assert_false(mshr_next(&t, e, &waiter));
    mshr_arrived(&t, e, 4);
    assert_true(mshr_next(&t, e, &waiter));
    assert_int_equal(waiter, 11);
    assert_false(mshr_next(&t, e, &waiter));
    uint32_t ticket = mshr_ticket(&t, e);
    assert_true(ticket < 1u << MSHR_TICKET_BITS);
    assert_int_equal(mshr_entry(&t, ticket), e);
    assert_int_equal(drop(&t, 10), 1); /* free, with a sector still on its way */
    assert_int_equal(t.used, 0);
    assert_int_equal(mshr_entry(&t, ticket), MSHR_NONE);
    assert_int_equal(mshr_add(&t, 0, 1, 13, &e, &fetch), MSHR_NEW);
    assert_int_equal(fetch, 1);
    assert_int_equal(mshr_entry(&t, ticket),
                     MSHR_NONE); /* the late reply is not taken for the new */
    assert_int_equal(mshr_entry(&t, mshr_ticket(&t, e)), e);
    assert_int_equal(drop(&t, 99), 0);
    mshr_destroy(&t);
}

/* Random adds, arrivals and drops; the reference is a list of (line, waiter, sectors). */
struct wait {
    uint64_t line;
    uint32_t waiter;
    uint8_t sectors;
};

struct mshr_ref {
    struct wait list[64];
    uint32_t count;
};

static uint32_t waiters_of(const struct mshr_ref *r, uint64_t line)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->count; i++)
        n += r->list[i].line == line;
    return n;
}

static uint32_t lines_of(const struct mshr_ref *r)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        uint32_t j = 0;
        while (r->list[j].line != r->list[i].line)
            j++;
        n += i == j;
    }
    return n;
}

static void ref_remove(struct mshr_ref *r, uint32_t i)
{
    r->count--;
    memmove(&r->list[i], &r->list[i + 1], (r->count - i) * sizeof r->list[0]);
}

static void arrive(struct mshr_table *t, struct mshr_ref *r, uint64_t line, uint8_t sectors)
{
    uint32_t e = mshr_find(t, line);
    assert_int_equal(e != MSHR_NONE, waiters_of(r, line) != 0);
    if (e == MSHR_NONE)
        return;
    mshr_arrived(t, e, sectors);
    for (uint32_t i = 0; i < r->count;) {
        if (r->list[i].line == line)
            r->list[i].sectors = (uint8_t)(r->list[i].sectors & ~sectors);
        if (r->list[i].line != line || r->list[i].sectors) {
            i++;
            continue;
        }
        uint32_t waiter;
        assert_true(mshr_next(t, e, &waiter));
        assert_int_equal(waiter, r->list[i].waiter);
        ref_remove(r, i);
    }
    uint32_t waiter;
    assert_false(mshr_next(t, e, &waiter));
}

static void test_mshr_random(void **state)
{
    (void)state;
    struct mshr_table t;
    struct mshr_ref r = {.count = 0};
    struct rng rng;
    rng_seed(&rng, 11);
    assert_true(mshr_create(&t, 6, 3, NULL));
    for (uint32_t n = 0; n < 200000; n++) {
        uint64_t line = rng_below(&rng, 10) * 128;
        uint32_t action = rng_below(&rng, 8);
        if (action < 4) {
            struct wait w = {line, rng_below(&rng, 12), (uint8_t)(1 + rng_below(&rng, 15))};
            uint32_t have = waiters_of(&r, line);
            enum mshr_result want = have == 3          ? MSHR_FULL
                                    : have             ? MSHR_MERGED
                                    : lines_of(&r) < 6 ? MSHR_NEW
                                                       : MSHR_FULL;
            uint32_t e;
            uint8_t fetch;
            bool twice = false;
            for (uint32_t i = 0; i < r.count; i++)
                twice = twice || (r.list[i].line == line && r.list[i].waiter == w.waiter);
            if (twice)
                continue;
            assert_int_equal(mshr_check(&t, line), want);
            assert_int_equal(mshr_add(&t, line, w.sectors, w.waiter, &e, &fetch), want);
            if (want != MSHR_FULL)
                r.list[r.count++] = w;
        } else if (action < 7) {
            arrive(&t, &r, line, (uint8_t)rng_below(&rng, 16));
        } else {
            uint32_t waiter = rng_below(&rng, 12);
            uint32_t from = 0;
            for (uint32_t i = 0; i < r.count;) {
                if (r.list[i].waiter == waiter) {
                    ref_remove(&r, i);
                    from++;
                } else {
                    i++;
                }
            }
            assert_int_equal(drop(&t, waiter), from);
        }
        assert_int_equal(t.used, lines_of(&r));
    }
    mshr_destroy(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masks),      cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_lru),        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_mshr_rules), cmocka_unit_test(test_mshr_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
