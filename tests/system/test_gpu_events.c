/* The GPU layer with real tiles: the event path end to end, registration. */
#include "evgpu_defs.h"
#include "tests/system/count_rig.h"
#include "tests/unit.h"

#define RID 0x200

/* Long kernels until no more is taken: how many. */
static uint32_t fill_with_kernels(struct count_rig *r, uint64_t total)
{
    struct error err = {0};
    uint32_t taken = 0;
    for (uint32_t i = 0; i < 100; i++) {
        while (gpu_can_launch(r->host.gpu))
            assert_true(launch(r, total, 50000, 0, taken++, &err));
        gpu_rig_tick(&r->host);
    }
    return taken;
}

static struct edge_event *register_at(struct count_rig *r, uint32_t priority, uint32_t threads,
                                      uint32_t entries, uint64_t total, struct edge_error *err)
{
    struct edge_request request = {EDGE_TYPES(EDGE_I64, EDGE_I32),
                                   .kernel = &r->count,
                                   .priority = priority,
                                   .grid = {1, 1, 1},
                                   .block = {threads, 1, 1},
                                   .max_in_flight = entries,
                                   .requester = RID,
                                   .completion = 0x1000};
    struct edge_event *event = edge_register_event(&r->host.driver, &request, err);
    for (uint32_t i = 0; event && i < entries; i++) {
        edge_set_u64(event, i, 0, total, err);
        edge_set_u32(event, i, 1, 3, err);
        edge_set_completion(event, i, 0x1000 + 4 * (uint64_t)i, err);
    }
    return event;
}

static struct edge_event *register_count(struct count_rig *r, uint32_t threads, uint32_t entries,
                                         uint64_t total, struct edge_error *err)
{
    return register_at(r, 0, threads, entries, total, err);
}

static void ring(struct count_rig *r, uint32_t offset, uint32_t bytes, uint16_t rid)
{
    while (!gpu_doorbell(r->host.gpu, offset, bytes, rid, 1))
        gpu_rig_tick(&r->host);
}

/* 10,000 back-to-back writes: none is lost, every event runs once, every flag is written once, in
 * every mode and on every back end. */
static void drained_burst(uint32_t threads, uint32_t mode, enum tile_backend backend,
                          uint32_t writes, const char *drain)
{
    bool blocks = threads > 32 || (!strcmp(drain, "event.drain=blocks") &&
                                   (mode == SCHED_MODE_DRAIN || mode == SCHED_MODE_RESERVE));
    const char *const small[] = {"gpu.cores=4", "event.reserved_cores=2", "gpu.dispatch_latency=10",
                                 drain, NULL};
    struct count_rig *r = count_rig_create(small, backend, mode);
    struct edge_error err = {0};
    uint64_t total = zero_word(r);
    struct edge_event *event = register_count(r, threads, 64, total, &err);
    assert_non_null(event);
    r->flag_busy = 3;
    for (uint32_t i = 0; i < writes; i++) {
        /* tags stay unique if some are overtaken */
        while (i - r->events == EVG_ROW_EVENTS / 2)
            gpu_rig_tick(&r->host);
        ring(r, edge_doorbell(event), EVG_DOORBELL_BYTES, RID);
    }
    gpu_rig_run_until_idle(&r->host, 10000000);
    assert_int_equal(word_at(r, total), writes * threads);
    assert_int_equal(r->events, writes);
    assert_int_equal(r->flags, writes);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < writes; i++)
        sum += 0x1000 + 4 * (i % 64);
    assert_true(r->flag_sum == sum);
    struct gpu_stats stats;
    gpu_stats(r->host.gpu, &stats);
    assert_int_equal(stats.events_by_path[EVENT_BLOCKS], blocks ? writes : 0);
    assert_true(edge_unregister_event(event, &err));
    count_rig_destroy(r);
}

static void doorbell_burst(uint32_t threads, uint32_t mode, enum tile_backend backend,
                           uint32_t writes)
{
    drained_burst(threads, mode, backend, writes, "event.drain=core");
    drained_burst(threads, mode, backend, writes / 5, "event.drain=blocks");
}

static void bursts_lose_nothing(void **state)
{
    (void)state;
    doorbell_burst(32, SCHED_MODE_PREEMPT, TILE_VERILATOR, 10000);
    doorbell_burst(7, SCHED_MODE_DRAIN, TILE_MODEL, 1000);
    doorbell_burst(32, SCHED_MODE_RESERVE, TILE_LOCKSTEP, 1000);
    doorbell_burst(64, SCHED_MODE_PREEMPT, TILE_VERILATOR, 1000);
    doorbell_burst(100, SCHED_MODE_RESERVE, TILE_LOCKSTEP, 200);
}

static void wrong_writes_are_counted_and_never_launch(void **state)
{
    (void)state;
    struct count_rig *r = count_rig_create(NULL, TILE_LOCKSTEP, SCHED_MODE_PREEMPT);
    struct edge_error err = {0};
    uint64_t total = zero_word(r);
    struct edge_event *event = register_count(r, 32, 4, total, &err);
    uint32_t bell = edge_doorbell(event);
    ring(r, bell + EVG_DOORBELL_PAGE, EVG_DOORBELL_BYTES, RID);
    ring(r, 0xFFFFF000u, EVG_DOORBELL_BYTES, RID);
    for (int i = 0; i < 3; i++)
        ring(r, bell, EVG_DOORBELL_BYTES, RID + 1);
    ring(r, bell + 4, EVG_DOORBELL_BYTES, RID);
    for (int i = 0; i < 4; i++)
        ring(r, bell, 8, RID);
    ring(r, bell, 100, RID);
    ring(r, bell, EVG_DOORBELL_BYTES, RID);
    gpu_rig_run_until_idle(&r->host, 100000);
    struct gpu_stats stats;
    gpu_stats(r->host.gpu, &stats);
    assert_int_equal(stats.rejected_unregistered, 2);
    assert_int_equal(stats.rejected_foreign, 3);
    assert_int_equal(stats.rejected_misaligned, 1);
    assert_int_equal(stats.rejected_size, 5);
    assert_int_equal(word_at(r, total), 32);
    assert_int_equal(stats.events, 1);
    assert_true(edge_unregister_event(event, &err));
    ring(r, bell, EVG_DOORBELL_BYTES, RID);
    gpu_rig_run_until_idle(&r->host, 100000);
    gpu_stats(r->host.gpu, &stats);
    assert_int_equal(stats.rejected_unregistered, 3);
    count_rig_destroy(r);
}

/* A device that takes no flag holds its row's events for the limit, once, and not for ever. */
static void flags_that_are_not_taken(void **state)
{
    (void)state;
    static const char *const limit[] = {"event.flag_limit=500", NULL};
    struct count_rig *r = count_rig_create(limit, TILE_LOCKSTEP, SCHED_MODE_PREEMPT);
    struct edge_error err = {0};
    uint64_t total = zero_word(r);
    struct edge_event *event = register_count(r, 32, 4, total, &err);
    for (uint32_t i = 0; i < 4; i++)
        edge_set_completion(event, i, 0x1000 + 4 * (uint64_t)i, &err);
    r->stuck = true;
    for (uint32_t i = 0; i < 4; i++)
        ring(r, edge_doorbell(event), EVG_DOORBELL_BYTES, RID);
    gpu_rig_run_until_idle(&r->host, 100000);
    struct gpu_stats stats;
    gpu_stats(r->host.gpu, &stats);
    assert_int_equal(stats.flags_timed_out, 1);
    assert_int_equal(stats.flags_silent, 3);
    assert_int_equal(r->lost[FLAG_LOST_TIMEOUT], 1);
    assert_int_equal(r->lost[FLAG_LOST_SILENT], 3);
    assert_int_equal(r->flags, 0);
    assert_int_equal(word_at(r, total), 4 * 32);
    assert_true(edge_unregister_event(event, &err)); /* none of its events is held */
    r->stuck = false;
    event = register_count(r, 32, 4, total, &err);
    edge_set_completion(event, 0, 0x1000, &err);
    ring(r, edge_doorbell(event), EVG_DOORBELL_BYTES, RID);
    gpu_rig_run_until_idle(&r->host, 100000);
    assert_int_equal(r->flags, 1);
    assert_true(edge_unregister_event(event, &err));
    count_rig_destroy(r);
}

/* Pointers beside the row's completion queue, as a kernel might have left them: each is counted and
 * told, written nowhere, and its event is over. */
static void bad_completion_pointers_are_written_nowhere(void **state)
{
    (void)state;
    struct count_rig *r = count_rig_create(NULL, TILE_LOCKSTEP, SCHED_MODE_PREEMPT);
    struct edge_error err = {0};
    uint64_t total = zero_word(r);
    static const uint64_t bad[] = {0x0ffc, 0x1001, 0x1010, 0xffffffffffffffff};
    struct edge_event *event = register_count(r, 32, 4, total, &err);
    for (uint32_t round = 0; round < 3; round++) { /* good, bad, good again */
        for (uint32_t i = 0; i < 4; i++) {
            edge_set_completion(event, i, round == 1 ? bad[i] : 0x1000 + 4 * (uint64_t)i, &err);
            ring(r, edge_doorbell(event), EVG_DOORBELL_BYTES, RID);
        }
        gpu_rig_run_until_idle(&r->host, 100000);
    }
    struct gpu_stats stats;
    gpu_stats(r->host.gpu, &stats);
    assert_int_equal(stats.rejected_pointers, 4);
    assert_int_equal(r->refused, 4);
    assert_true(r->refused_sum == 0x0ffc + 0x1001 + 0x1010 - 1);
    assert_int_equal(r->flags, 8);
    assert_true(r->flag_sum == 2 * (4 * 0x1000 + 4 * (0 + 1 + 2 + 3)));
    assert_int_equal(word_at(r, total), 12 * 32);
    assert_int_equal(stats.events, 12);
    assert_true(edge_unregister_event(event, &err));
    count_rig_destroy(r);
}

static void a_full_table_refuses_and_reverts(void **state)
{
    (void)state;
    struct count_rig *r = count_rig_create(NULL, TILE_LOCKSTEP, SCHED_MODE_PREEMPT);
    struct edge_event *events[EVG_EKT_ROWS];
    struct edge_error err = {0};
    uint64_t total = zero_word(r);
    for (uint32_t i = 0; i < EVG_EKT_ROWS; i++) {
        events[i] = register_count(r, 32, 4, total, &err);
        assert_non_null(events[i]);
        assert_int_equal(edge_row(events[i]), i);
    }
    uint64_t before = image_alloc(gpu_image(r->host.gpu), 512, 16);
    image_release(gpu_image(r->host.gpu), before);
    assert_null(register_count(r, 32, 4, total, &err));
    assert_non_null(strstr(err.text, "full"));
    uint64_t after = image_alloc(gpu_image(r->host.gpu), 512, 16);
    assert_true(before == after);
    memset(&err, 0, sizeof err);
    assert_true(edge_unregister_event(events[7], &err));
    events[7] = register_count(r, 32, 4, total, &err);
    assert_non_null(events[7]);
    assert_int_equal(edge_row(events[7]), 7);
    for (uint32_t i = 0; i < EVG_EKT_ROWS; i++)
        assert_true(edge_unregister_event(events[i], &err));
    count_rig_destroy(r);
}

static void unregistering_drains_first(void **state)
{
    (void)state;
    struct count_rig *r = count_rig_create(NULL, TILE_LOCKSTEP, SCHED_MODE_PREEMPT);
    struct edge_error err = {0};
    uint64_t total = zero_word(r);
    struct edge_event *event = register_count(r, 32, 64, total, &err);
    for (uint32_t i = 0; i < 50; i++)
        ring(r, edge_doorbell(event), EVG_DOORBELL_BYTES, RID);
    assert_true(edge_unregister_event(event, &err));
    /* The last write may still have waited at the port when the doorbell closed: then it is refused
     * and counted. All others were accepted, and ran before the answer. */
    uint32_t ran = word_at(r, total) / 32;
    assert_int_equal(r->flags, ran);
    gpu_rig_run_until_idle(&r->host, 100000);
    struct gpu_stats stats;
    gpu_stats(r->host.gpu, &stats);
    assert_int_equal(ran + stats.rejected_unregistered, 50);
    assert_true(stats.rejected_unregistered <= 1);
    assert_int_equal(word_at(r, total), ran * 32);
    count_rig_destroy(r);
}

/* A row whose event takes its time is unregistered; another is registered, serves and ends while it
 * drains. */
static void a_row_that_drains_holds_no_other(void **state)
{
    (void)state;
    struct count_rig *r = count_rig_create(NULL, TILE_LOCKSTEP, SCHED_MODE_PREEMPT);
    struct edge_error err = {0};
    uint64_t slow_total = zero_word(r), total = zero_word(r);
    struct edge_event *slow = register_count(r, 32, 1, slow_total, &err);
    assert_true(edge_set_u32(slow, 0, 1, 20000, &err));
    ring(r, edge_doorbell(slow), EVG_DOORBELL_BYTES, RID);
    for (uint32_t i = 0; i < 100; i++)
        gpu_rig_tick(&r->host);
    struct frontend_command leave = {.op = FRONTEND_CMD_UNREGISTER, .row = 0};
    r->host.answered = r->host.freed = false;
    assert_true(gpu_command(r->host.gpu, &leave));
    for (uint32_t i = 0; i < 10; i++)
        gpu_rig_tick(&r->host);
    assert_true(r->host.answered && r->host.code == FRONTEND_CODE_OK && !r->host.freed);
    struct edge_event *other = register_count(r, 32, 4, total, &err);
    assert_int_equal(edge_row(other), 1);
    for (uint32_t i = 0; i < 4; i++)
        ring(r, edge_doorbell(other), EVG_DOORBELL_BYTES, RID);
    ring(r, edge_doorbell(slow), EVG_DOORBELL_BYTES, RID); /* closed */
    assert_true(edge_unregister_event(other, &err));
    assert_int_equal(word_at(r, total), 4 * 32);
    assert_int_equal(word_at(r, slow_total), 0);
    r->host.freed = false;
    gpu_rig_run_until_idle(&r->host, 10000000);
    assert_true(r->host.freed && r->host.freed_row == 0);
    assert_int_equal(word_at(r, slow_total), 32);
    struct gpu_stats stats;
    gpu_stats(r->host.gpu, &stats);
    assert_int_equal(stats.rejected_unregistered, 1);
    edge_abandon_event(slow);
    count_rig_destroy(r);
}

/* Each priority that has rows keeps a place in the queue and a slot: whatever else fills both, its
 * kernel runs. */
static void priorities_keep_a_place_each(void **state)
{
    (void)state;
    const char *const few[] = {"gpu.kernels_pending=6", "gpu.kernels_running=7", NULL};
    for (uint32_t rows = 0; rows <= 2; rows++) {
        struct count_rig *r = count_rig_create(few, TILE_LOCKSTEP, SCHED_MODE_PREEMPT);
        uint64_t total = zero_word(r), long_total = zero_word(r);
        struct edge_event *events[2];
        struct edge_error err = {0};
        for (uint32_t i = 0; i < rows; i++) {
            events[i] = register_at(r, 3 - 2 * i, 64, 4, total, &err);
            assert_non_null(events[i]);
        }
        assert_int_equal(fill_with_kernels(r, long_total), 6 - rows + 7 - rows);
        for (uint32_t i = 0; i < rows; i++)
            ring(r, edge_doorbell(events[i]), EVG_DOORBELL_BYTES, RID);
        for (uint32_t i = 0; i < 5000; i++)
            gpu_rig_tick(&r->host);
        assert_int_equal(r->events, rows);
        assert_int_equal(word_at(r, total), rows * 64);
        assert_int_equal(r->n_grids, 0);
        gpu_rig_run_until_idle(&r->host, 10000000);
        for (uint32_t i = 0; i < rows; i++)
            assert_true(edge_unregister_event(events[i], &err));
        count_rig_destroy(r);
    }
}

/* No event interrupts another, of blocks either: a warp event beside one whose warps have all
 * contexts waits for their end. */
static void events_of_blocks_lend_no_warp(void **state)
{
    (void)state;
    const char *const full[] = {"gpu.cores=1", "core.warps=2", "core.threads=64", NULL};
    struct count_rig *r = count_rig_create(full, TILE_LOCKSTEP, SCHED_MODE_PREEMPT);
    struct edge_error err = {0};
    uint64_t total = zero_word(r);
    struct edge_event *blocks = register_count(r, 64, 1, total, &err);
    struct edge_event *warp = register_count(r, 32, 1, total, &err);
    assert_true(edge_set_u32(blocks, 0, 1, 5000, &err));
    ring(r, edge_doorbell(blocks), EVG_DOORBELL_BYTES, RID);
    for (uint32_t i = 0; i < 3000; i++)
        gpu_rig_tick(&r->host);
    ring(r, edge_doorbell(warp), EVG_DOORBELL_BYTES, RID);
    for (uint32_t i = 0; i < 3000; i++)
        gpu_rig_tick(&r->host);
    assert_int_equal(r->events, 0);
    gpu_rig_run_until_idle(&r->host, 10000000);
    struct gpu_stats stats;
    gpu_stats(r->host.gpu, &stats);
    assert_int_equal(stats.events_by_path[EVENT_BLOCKS], 1);
    assert_int_equal(stats.events_by_path[EVENT_FREE], 1);
    assert_int_equal(word_at(r, total), 64 + 32);
    assert_true(edge_unregister_event(blocks, &err) && edge_unregister_event(warp, &err));
    count_rig_destroy(r);
}

/* Neither events of one warp nor kernels of events begin or end one; a launched kernel does. Events
 * run under the lowest limit as without one. */
static void events_are_no_kernels_for_concurrency(void **state)
{
    (void)state;
    const char *const two[] = {"gpu.cores=2", NULL};
    for (uint32_t threads = 32; threads <= 64; threads += 32) {
        struct count_rig *r =
            count_rig_create_with(two, TILE_LOCKSTEP, SCHED_MODE_PREEMPT, "fixed:1");
        struct edge_error err = {0};
        struct error launch_err = {0};
        uint64_t total = zero_word(r);
        struct edge_event *event = register_count(r, threads, 16, total, &err);
        for (uint32_t i = 0; i < 20; i++)
            ring(r, edge_doorbell(event), EVG_DOORBELL_BYTES, RID);
        gpu_rig_run_until_idle(&r->host, 1000000);
        struct concurrency_stats stats;
        assert_true(gpu_concurrency(r->host.gpu, &stats));
        assert_int_equal(r->events, 20);
        assert_true(stats.kernels_begun == 0 && stats.kernels_ended == 0);
        assert_true(launch(r, total, 3, 0, 0, &launch_err));
        gpu_rig_run_until_idle(&r->host, 1000000);
        assert_true(gpu_concurrency(r->host.gpu, &stats));
        assert_true(stats.kernels_begun == 1 && stats.kernels_ended == 1);
        assert_int_equal(word_at(r, total), 20 * threads + 80);
        assert_true(edge_unregister_event(event, &err));
        count_rig_destroy(r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_writes_are_counted_and_never_launch),
        cmocka_unit_test(flags_that_are_not_taken),
        cmocka_unit_test(bad_completion_pointers_are_written_nowhere),
        cmocka_unit_test(a_full_table_refuses_and_reverts),
        cmocka_unit_test(unregistering_drains_first),
        cmocka_unit_test(a_row_that_drains_holds_no_other),
        cmocka_unit_test(priorities_keep_a_place_each),
        cmocka_unit_test(events_of_blocks_lend_no_warp),
        cmocka_unit_test(events_are_no_kernels_for_concurrency),
        cmocka_unit_test(bursts_lose_nothing), /* the longest last */
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
