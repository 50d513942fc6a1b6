/* The GPU layer with real tiles: kernel management, and writes of devices to polled words. */
#include "evgpu_defs.h"
#include "tests/system/count_rig.h"
#include "tests/unit.h"

static uint32_t most_at_once(const struct count_rig *r)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < r->n_grids; i++) {
        uint32_t now = 0;
        for (uint32_t j = 0; j < r->n_grids; j++)
            now += r->grids[j].start <= r->grids[i].start && r->grids[i].start < r->grids[j].end;
        if (now > most)
            most = now;
    }
    return most;
}

static void thirty_two_kernels_at_once(void **state)
{
    (void)state;
    struct count_rig *r = count_rig_create(NULL, TILE_MODEL, SCHED_MODE_PREEMPT);
    uint64_t total = zero_word(r);
    struct error err = {0};
    for (uint32_t i = 0; i < 40; i++)
        assert_true(launch(r, total, 500, 0, i, &err));
    gpu_rig_run_until_idle(&r->host, 200000);
    assert_int_equal(r->n_grids, 40);
    assert_int_equal(most_at_once(r), 32);
    assert_int_equal(word_at(r, total), 40 * 2 * 40);
    count_rig_destroy(r);
}

static void priorities_decide_then_arrival(void **state)
{
    (void)state;
    const char *const one[] = {"gpu.kernels_running=1", NULL};
    struct count_rig *r = count_rig_create(one, TILE_MODEL, SCHED_MODE_PREEMPT);
    uint64_t total = zero_word(r);
    struct error err = {0};
    assert_true(launch(r, total, 100, 0, 0, &err));
    gpu_rig_tick(&r->host);
    assert_true(launch(r, total, 100, 0, 1, &err));
    assert_true(launch(r, total, 100, 5, 2, &err));
    assert_true(launch(r, total, 100, 5, 3, &err));
    assert_true(launch(r, total, 100, 9, 4, &err));
    gpu_rig_run_until_idle(&r->host, 200000);
    static const uint64_t order[] = {0, 4, 2, 3, 1};
    for (uint32_t i = 0; i < 5; i++)
        assert_true(r->grids[i].cookie == order[i]);
    assert_int_equal(most_at_once(r), 1);
    count_rig_destroy(r);
}

static void a_full_pending_queue_refuses(void **state)
{
    (void)state;
    const char *const few[] = {"gpu.kernels_pending=3", NULL};
    struct count_rig *r = count_rig_create(few, TILE_MODEL, SCHED_MODE_PREEMPT);
    uint64_t total = zero_word(r);
    struct error err = {0};
    for (uint32_t i = 0; i < 3; i++)
        assert_true(launch(r, total, 1, 0, i, &err));
    assert_false(gpu_can_launch(r->host.gpu));
    assert_false(launch(r, total, 1, 0, 3, &err));
    assert_non_null(strstr(err.text, "pending"));
    gpu_rig_run_until_idle(&r->host, 100000);
    assert_int_equal(r->n_grids, 3);
    count_rig_destroy(r);
}

static void impossible_launches_are_refused(void **state)
{
    (void)state;
    struct count_rig *r = count_rig_create(NULL, TILE_MODEL, SCHED_MODE_PREEMPT);
    struct launch l = {.kernel = module_kernel(r->module, "empty"), .grid = {1, 1, 1}};
    struct error err = {0};
    assert_false(gpu_launch(r->host.gpu, &l, &err));
    l.block[0] = 4096, l.block[1] = l.block[2] = 1;
    memset(&err, 0, sizeof err);
    assert_false(gpu_launch(r->host.gpu, &l, &err));
    l.block[0] = 32;
    l.dynamic_shared = 1 << 20;
    memset(&err, 0, sizeof err);
    assert_false(gpu_launch(r->host.gpu, &l, &err));
    assert_non_null(strstr(err.text, "shared"));
    count_rig_destroy(r);
}

/* A device's write to a polled word changes memory when L2 performs it, and writes keep their
 * order; when too many are on the way, the link is held. */
static void polled_words_change_in_order(void **state)
{
    (void)state;
    struct count_rig *r = count_rig_create(NULL, TILE_MODEL, SCHED_MODE_PREEMPT);
    uint64_t word = zero_word(r);
    uint32_t sent = 0, seen = 0, refused = 0;
    assert_true(gpu_polled_write(r->host.gpu, word, (const uint8_t *)&(uint32_t){1}, 4));
    for (sent = 1; word_at(r, word) == 0; seen++)
        gpu_rig_tick(&r->host);
    assert_int_equal(word_at(r, word), 1);
    assert_true(seen >= 180); /* network.request_latency */
    for (uint32_t i = 0; i < 100000 && (sent < 300 || word_at(r, word) != 300); i++) {
        uint32_t before = word_at(r, word), next = sent + 1;
        if (sent < 300 && gpu_polled_write(r->host.gpu, word, (const uint8_t *)&next, 4))
            sent++;
        else
            refused += sent < 300;
        assert_int_equal(word_at(r, word), before); /* nothing changes without a cycle */
        gpu_rig_tick(&r->host);
        assert_true(word_at(r, word) == before || word_at(r, word) == before + 1);
    }
    assert_int_equal(word_at(r, word), 300);
    assert_true(refused > 0);
    gpu_rig_run_until_idle(&r->host, 10000);
    count_rig_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thirty_two_kernels_at_once),
        cmocka_unit_test(priorities_decide_then_arrival),
        cmocka_unit_test(a_full_pending_queue_refuses),
        cmocka_unit_test(impossible_launches_are_refused),
        cmocka_unit_test(polled_words_change_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
