#include "base/threads/pace.h"

#include "tests/unit.h"

/* A computer on which a piece takes so many ns, by the way in which it is done. */
struct computer {
    struct pace pace;
    uint64_t now;
    uint64_t ns[PACE_WAYS], moving_ns;
    uint32_t done[PACE_WAYS];
    enum pace_way last;
};

static void start(struct computer *c, uint64_t alone, uint64_t together)
{
    *c = (struct computer){.ns = {alone, together}, .last = PACE_TOGETHER};
    pace_create(&c->pace, 0);
}

static void work(struct computer *c, uint32_t pieces)
{
    c->done[PACE_ALONE] = c->done[PACE_TOGETHER] = 0;
    while (pieces--) {
        if (pace_over(&c->pace))
            pace_turn(&c->pace, c->now);
        enum pace_way way = pace_next(&c->pace);
        /* The first piece of another way brings its caches what they need. */
        c->now += c->ns[way] + (way != c->last ? c->moving_ns : 0);
        c->last = way;
        c->done[way]++;
    }
}

/* Nine of ten pieces at least, after a while. */
static void assert_prefers(struct computer *c, enum pace_way way)
{
    work(c, 200000);
    work(c, 1000000);
    assert_in_range(c->done[way], 900000, 1000000);
}

static void the_faster_way_is_taken(void **state)
{
    struct computer c;
    (void)state;
    start(&c, 3500, 2500);
    assert_prefers(&c, PACE_TOGETHER);
    start(&c, 2500, 3500);
    assert_prefers(&c, PACE_ALONE);
}

static void work_that_moves_says_nothing_of_a_way(void **state)
{
    struct computer c;
    (void)state;
    start(&c, 3500, 3000);
    c.moving_ns = 5000000;
    assert_prefers(&c, PACE_TOGETHER);
}

static void a_change_of_the_computer_is_noticed(void **state)
{
    struct computer c;
    (void)state;
    start(&c, 3500, 2500);
    assert_prefers(&c, PACE_TOGETHER);
    c.ns[PACE_TOGETHER] = 20000; /* somebody else needs a processor */
    assert_prefers(&c, PACE_ALONE);
    c.ns[PACE_TOGETHER] = 2500;
    assert_prefers(&c, PACE_TOGETHER);
    c.ns[PACE_ALONE] = 1000; /* the work has become less */
    assert_prefers(&c, PACE_ALONE);
}

/* A thread that is away for milliseconds time and again costs no whole spell. */
static void a_bad_spell_is_left_early(void **state)
{
    struct computer c;
    uint32_t pieces = 0;
    (void)state;
    start(&c, 1000, 1000);
    assert_prefers(&c, c.pace.better);
    while (c.pace.way == PACE_ALONE || c.pace.moving)
        work(&c, 1);
    for (; c.pace.way == PACE_TOGETHER; pieces++) {
        work(&c, 1);
        c.now += 4000000;
        pace_hurt(&c.pace, c.now);
    }
    assert_in_range(pieces, 1, 3);
    assert_int_equal(c.pace.way, PACE_ALONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_faster_way_is_taken),
        cmocka_unit_test(work_that_moves_says_nothing_of_a_way),
        cmocka_unit_test(a_change_of_the_computer_is_noticed),
        cmocka_unit_test(a_bad_spell_is_left_early),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
