/* A bounded queue and a delay line by themselves. */
#include "sim/mem/queue.h"
#include "tests/unit.h"

static void test_queue(void **state)
{
    (void)state;
    struct request_queue q;
    queue_create(&q, 3);
    struct mem_request r = {0};
    uint32_t in = 0, out = 0;
    for (uint64_t now = 0; now < 50; now++) {
        for (; !queue_full(&q); queue_push(&q, &r, now))
            r.tag = in++;
        assert_int_equal(in - out, 3);
        for (uint32_t i = 0; i < 1 + now % 3; i++, queue_pop(&q, now))
            assert_int_equal(queue_head(&q)->tag, out++);
    }
    assert_int_equal(q.use.stats.most, 3);
    assert_int_equal(q.use.stats.entered, in);
    queue_destroy(&q);
}

/* Requests that entered three ticks apart leave three ticks apart, however long the first stands
 * at the end: what is behind it does not close up. */
static void test_line_stands_as_a_whole(void **state)
{
    (void)state;
    struct delay_line l;
    line_create(&l, 5);
    const struct mem_request first = {.tag = 1}, second = {.tag = 2};
    line_enter(&l, &first, 0);
    assert_false(line_room(&l, 0));
    assert_true(line_room(&l, 1));
    assert_null(line_end(&l, 3));
    line_enter(&l, &second, 3);
    for (uint64_t now = 4; now < 14; now++) {
        assert_int_equal(line_next(&l), now);
        assert_int_equal(line_end(&l, now)->tag, 1);
        line_stand(&l);
    }
    assert_int_equal(line_end(&l, 14)->tag, 1);
    line_leave(&l);
    assert_int_equal(line_next(&l), 17);
    assert_null(line_end(&l, 16));
    assert_int_equal(line_end(&l, 17)->tag, 2);
    line_leave(&l);
    assert_int_equal(l.count, 0);
    line_destroy(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queue),
        cmocka_unit_test(test_line_stands_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
