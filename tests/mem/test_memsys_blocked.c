/* Requests that wait for full/empty words (full/empty paper, section 4): producers and consumers of
 * words, partial completion, time-outs; and that a blocked request keeps nothing that others need.
 */
#include "tests/mem/memsys_fixture.h"

#define LINES 6u
#define MOST  2000u

/* Words of a few lines, each full or empty, and who changed them. */
struct words {
    uint32_t full[LINES];
    uint32_t replied, failed, blocked, partly;
    uint8_t done[MOST];
};

static enum perform_result on_perform(void *user, const struct mem_request *r, uint32_t *words)
{
    struct words *w = user;
    uint32_t line = (uint32_t)(r->line / LINE_BYTES);
    if (line >= LINES) {
        *words = 0;
        return PERFORM_DONE;
    }
    uint32_t can = r->trigger == TRIGGER_FULL    ? w->full[line] & *words
                   : r->trigger == TRIGGER_EMPTY ? ~w->full[line] & *words
                                                 : *words;
    if (r->action == ACTION_FILL)
        w->full[line] |= can;
    else if (r->action == ACTION_EMPTY)
        w->full[line] &= ~can;
    w->partly += can && can != *words;
    *words &= ~can;
    if (!*words)
        return PERFORM_DONE;
    w->blocked++;
    return PERFORM_BLOCKED;
}

static struct mem_request word_request(uint32_t port, uint32_t tag, uint32_t line, uint32_t words,
                                       bool produce)
{
    return (struct mem_request){.line = line * LINE_BYTES,
                                .tag = tag,
                                .words = words,
                                .source = (uint16_t)port,
                                .kind = produce ? REQUEST_ATOMIC : REQUEST_POLL,
                                .sectors = word_sectors(words),
                                .trigger = produce ? TRIGGER_EMPTY : TRIGGER_FULL,
                                .action = produce ? ACTION_FILL : ACTION_EMPTY};
}

static void collect(struct memsys *m, struct words *w, uint32_t ports)
{
    for (uint32_t p = 0; p < ports; p++) {
        struct mem_request r;
        if (!memsys_reply(m, p, &r))
            continue;
        assert_in_range(r.tag, 0, MOST - 1);
        assert_int_equal(w->done[r.tag]++, 0);
        w->replied++;
        w->failed += r.failed;
    }
}

static struct memsys_config small(struct rng *rng, struct words *w)
{
    struct memsys_config c = base_config();
    c.perform = on_perform;
    c.user = w;
    c.parked = 64;
    c.banks = 1 + rng_below(rng, 2);
    c.l2_allocate = rng_below(rng, 2);
    c.l2_fetch = rng_below(rng, 2);
    c.l2_write_miss = rng_below(rng, 3);
    c.l2_ways = 1;
    c.l2_bytes = c.banks * LINE_BYTES * (1 + rng_below(rng, 2));
    c.l2_mshrs = 1 + rng_below(rng, 3);
    c.l2_mshr_merges = 1 + rng_below(rng, 3);
    return c;
}

/* As many producers as consumers of every word: all of them come through, whatever the order. */
static void test_producers_and_consumers(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 30; seed++) {
        struct rng rng;
        rng_seed(&rng, seed);
        struct words w;
        memset(&w, 0, sizeof w);
        struct memsys_config c = small(&rng, &w);
        struct memsys *m = memsys_for(&c);
        uint32_t sent = 0, line = 0, mask = 0;
        for (uint32_t cycle = 0; sent < MOST || !memsys_idle(m); cycle++) {
            uint32_t port = rng_below(&rng, c.ports);
            /* Pairs: the second of a pair has the words of the first and does the opposite. */
            bool second = sent & 1, produce = second ^ (sent >> 1 & 1);
            if (sent < MOST && sent - w.replied < c.parked && memsys_can_request(m, port)) {
                if (!second) {
                    line = rng_below(&rng, LINES);
                    mask = 1 + rng_below(&rng, UINT32_MAX);
                }
                struct mem_request r = word_request(port, sent++, line, mask, produce);
                assert_true(memsys_request(m, &r));
            }
            collect(m, &w, c.ports);
            memsys_tick(m);
            if (cycle >= 400000)
                fail_msg("seed %u: %u of %u answered", seed, w.replied, sent);
        }
        assert_int_equal(w.replied, MOST);
        assert_int_equal(w.failed, 0);
        assert_true(w.blocked > 0 && w.partly > 0);
        for (uint32_t i = 0; i < LINES; i++)
            assert_int_equal(w.full[i], 0);
        memsys_destroy(m);
    }
}

/* While requests wait, with one way and one MSHR, everybody else gets on; the waiting ones are part
 * of what is not idle, and end when their words are filled. */
static void test_blocked_keeps_nothing(void **state)
{
    (void)state;
    struct words w;
    memset(&w, 0, sizeof w);
    struct rng rng;
    rng_seed(&rng, 1);
    struct memsys_config c = small(&rng, &w);
    c.banks = c.partitions = 1;
    c.l2_bytes = LINE_BYTES;
    c.l2_mshrs = c.l2_mshr_merges = 1;
    struct memsys *m = memsys_for(&c);
    for (uint32_t i = 0; i < 20; i++) {
        struct mem_request r = word_request(0, i, i % LINES, 1u << i, false);
        while (!memsys_request(m, &r))
            memsys_tick(m);
    }
    for (uint32_t i = 20; i < 520; i++) {
        struct mem_request r = {.line = (LINES + i) * LINE_BYTES,
                                .tag = i,
                                .source = 1,
                                .kind = (uint8_t)(i % REQUEST_KINDS),
                                .sectors = 1};
        for (uint32_t cycle = 0; !memsys_request(m, &r); cycle++) {
            collect(m, &w, c.ports);
            memsys_tick(m);
            assert_true(cycle < 2000);
        }
    }
    memsys_skip(m, 5000);
    for (uint32_t i = 0; i < 5000; i++, memsys_tick(m))
        collect(m, &w, c.ports);
    assert_int_equal(w.replied, 500);
    assert_false(memsys_idle(m));
    assert_true(memsys_quiet_cycles(m) == UINT64_MAX);
    for (uint32_t i = 0; i < LINES; i++) {
        w.full[i] = UINT32_MAX;
        memsys_wake(m, i * LINE_BYTES);
    }
    for (uint32_t i = 0; i < 3000 && !memsys_idle(m); i++, memsys_tick(m))
        collect(m, &w, c.ports);
    collect(m, &w, c.ports);
    assert_int_equal(w.replied, 520);
    memsys_destroy(m);
}

/* A wait that nobody ends fails after the time-out, and not before it; skipping meets it too. */
static void test_time_out(void **state)
{
    (void)state;
    for (uint32_t skipping = 0; skipping < 2; skipping++) {
        struct words w;
        memset(&w, 0, sizeof w);
        struct rng rng;
        rng_seed(&rng, 5);
        struct memsys_config c = small(&rng, &w);
        c.park_timeout = 3000;
        struct memsys *m = memsys_for(&c);
        struct mem_request r = word_request(2, 7, 3, 0x10, false);
        assert_true(memsys_request(m, &r));
        uint64_t cycle = 0;
        while (!w.replied) {
            uint64_t quiet = memsys_quiet_cycles(m), step = skipping && quiet < 5000 ? quiet : 1;
            memsys_skip(m, step);
            cycle += step;
            collect(m, &w, c.ports);
            assert_true(cycle < 10000);
        }
        assert_int_equal(w.failed, 1);
        assert_in_range(cycle, 3000, 3400);
        assert_true(memsys_idle(m));
        memsys_destroy(m);
    }
}

/* Whoever is woken in vain waits on: its time-out counts from the first time that it was parked. */
static void test_time_out_while_woken(void **state)
{
    (void)state;
    struct words w;
    memset(&w, 0, sizeof w);
    struct rng rng;
    rng_seed(&rng, 6);
    struct memsys_config c = small(&rng, &w);
    c.park_timeout = 3000;
    struct memsys *m = memsys_for(&c);
    struct mem_request r = word_request(2, 7, 3, 0x10, false);
    assert_true(memsys_request(m, &r));
    uint32_t cycle = 0;
    for (; !w.replied; cycle++) {
        if (cycle % 500 == 499)
            memsys_wake(m, r.line);
        memsys_tick(m);
        collect(m, &w, c.ports);
        assert_true(cycle < 10000);
    }
    assert_true(stats_of(m).l2.parked > 4);
    assert_int_equal(w.failed, 1);
    assert_in_range(cycle, 3000, 3400);
    memsys_destroy(m);
}

/* A plain write to the line, or an atomic without an action, tries its waiting requests again. */
static void test_woken_by_writes(void **state)
{
    (void)state;
    const enum request_kind kinds[] = {REQUEST_WRITE, REQUEST_ATOMIC};
    for (uint32_t i = 0; i < 2; i++) {
        struct words w;
        memset(&w, 0, sizeof w);
        struct memsys_config c = base_config();
        c.perform = on_perform;
        c.user = &w;
        c.parked = 4;
        struct memsys *m = memsys_for(&c);
        struct mem_request r = word_request(0, 0, 3, 0x10, false);
        assert_true(memsys_request(m, &r));
        memsys_skip(m, 1000);
        assert_int_equal(w.blocked, 1);
        w.full[3] = 0x10;
        struct mem_request other = {
            .line = r.line, .tag = 1, .kind = (uint8_t)kinds[i], .sectors = 2, .source = 1};
        assert_true(memsys_request(m, &other));
        for (uint32_t cycle = 0; cycle < 1000; cycle++, memsys_tick(m))
            collect(m, &w, c.ports);
        assert_int_equal(w.replied, 2);
        memsys_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_producers_and_consumers),
        cmocka_unit_test(test_blocked_keeps_nothing),
        cmocka_unit_test(test_woken_by_writes),
        cmocka_unit_test(test_time_out),
        cmocka_unit_test(test_time_out_while_woken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
