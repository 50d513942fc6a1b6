/* The synchronised region in the machine: loads wait, stores fill, atomics do both, copies do what
 * they say; what waits holds nothing else up; a wait without an end is one message. */
#include "evgpu_defs.h"
#include "tests/system/region_rig.h"
#include "tests/unit.h"

#define WORDS 32u /* of a line */

static void fill_line(uint32_t line[WORDS], uint32_t first)
{
    for (uint32_t i = 0; i < WORDS; i++)
        line[i] = first + i;
}

/* A kernel and the copy of its results are under way before its data come, word by word. */
static void test_early(enum tile_backend backend)
{
    struct region_rig *r = rig_create(backend, NULL);
    uint64_t in = r->region.base, out = in + 8192;
    uint32_t line[WORDS], got[2 * WORDS] = {0};
    rig_mark(r, false, in, 256);
    rig_mark(r, false, out, 256);
    rig_launch(r, "move", 2, 32, (uint64_t[4]){in, out});
    rig_read(r, out, got, 128, TRIGGER_FULL, ACTION_NONE, 1);
    rig_read(r, out + 128, got + WORDS, 128, TRIGGER_FULL, ACTION_NONE, 2);
    assert_true(rig_run(r, 5000));
    assert_int_equal(r->grids, 0);
    fill_line(line, 1000);
    /* All words but one: still nothing of that line. */
    rig_write(r, in, line, 124, TRIGGER_NONE, ACTION_FILL, 3);
    rig_write(r, in + 128, line, 128, TRIGGER_NONE, ACTION_FILL, 4);
    assert_true(rig_wait(r, 3) && rig_wait(r, 4) && rig_run(r, 5000));
    assert_false(r->done[1]);
    assert_int_equal(r->grids, 0);
    rig_write(r, in + 124, line + 31, 4, TRIGGER_NONE, ACTION_FILL, 5);
    assert_true(rig_wait_grids(r, 1) && rig_wait(r, 1) && rig_wait(r, 2));
    for (uint32_t i = 0; i < 2 * WORDS; i++)
        assert_int_equal(got[i], 1001 + i % WORDS);
    rig_destroy(r);
}

static void test_early_model(void **state)
{
    (void)state;
    test_early(TILE_MODEL);
}

static void test_early_verilator(void **state)
{
    (void)state;
    test_early(TILE_VERILATOR);
}

static void test_early_lockstep(void **state)
{
    (void)state;
    test_early(TILE_LOCKSTEP);
}

/* An atomic waits for full and leaves full; every one is done once. */
static void test_atomics(void **state)
{
    (void)state;
    struct region_rig *r = rig_create(TILE_LOCKSTEP, NULL);
    uint64_t at = r->region.base + 128 * 77;
    uint32_t zero[WORDS] = {0}, got[WORDS];
    rig_mark(r, false, at, 128);
    rig_launch(r, "add", 8, 64, (uint64_t[4]){at, 0, 4});
    assert_true(rig_run(r, 5000));
    assert_int_equal(r->grids, 0);
    rig_write(r, at, zero, 128, TRIGGER_NONE, ACTION_FILL, 1);
    assert_true(rig_wait_grids(r, 1));
    rig_read(r, at, got, 128, TRIGGER_FULL, ACTION_EMPTY, 2);
    assert_true(rig_wait(r, 2));
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(got[i], i < 4 ? 128 : 0);
    /* Emptied by the copy. */
    rig_read(r, at, got, 4, TRIGGER_FULL, ACTION_NONE, 3);
    assert_true(rig_run(r, 5000));
    assert_false(r->done[3]);
    rig_destroy(r);
}

/* Loads that wait, as many as a core can have, on every core and for every partition, hold up
 * neither memory outside the region, nor stores, nor copies of other words, nor other loads of the
 * same cores. */
static void test_others_go_on(void **state)
{
    (void)state;
    struct region_rig *r = rig_create(TILE_LOCKSTEP, NULL);
    uint64_t in = r->region.base, free_words = in + (256u << 10);
    uint32_t line[WORDS] = {0};
    rig_mark(r, false, in, 128u << 10);
    rig_launch(r, "move", 60, 256, (uint64_t[4]){in, r->plain}); /* half of the blocks that fit */
    assert_true(rig_run(r, 20000));
    assert_int_equal(r->grids, 0);
    rig_launch(r, "move", 60, 128, (uint64_t[4]){r->plain + (256u << 10), r->plain + (512u << 10)});
    assert_true(rig_wait_grids(r, 1));
    rig_launch(r, "move", 60, 128, (uint64_t[4]){r->plain + (256u << 10), free_words});
    assert_true(rig_wait_grids(r, 2));
    rig_write(r, free_words, line, 128, TRIGGER_NONE, ACTION_NONE, 1);
    rig_read(r, free_words, line, 128, TRIGGER_FULL, ACTION_NONE, 2);
    assert_true(rig_wait(r, 1) && rig_wait(r, 2));
    for (uint32_t at = 0; at < 60 * 256 * 4; at += 128) {
        fill_line(line, at);
        rig_write(r, in + at, line, 128, TRIGGER_NONE, ACTION_FILL, 3);
        assert_true(rig_wait(r, 3));
    }
    assert_true(rig_wait_grids(r, 3));
    const uint32_t *out = (const uint32_t *)(const void *)(gpu_image(r->gpu)->base + r->plain);
    for (uint32_t i = 0; i < 60 * 256; i++)
        assert_int_equal(out[i], i / WORDS * 128 + i % WORDS + 1);
    rig_destroy(r);
}

/* Loads that no longer find a place hold their own warp only: the same cores store, and load what
 * is not of the region, and every one gets its place in the end. */
static void test_starved(void **state)
{
    (void)state;
    struct region_rig *r = rig_create(TILE_LOCKSTEP, (const char *[]){"fe.region_kib=4096", NULL});
    enum { STRIDE = 256 * 5, BLOCKS = 60, ALL = BLOCKS * 256 };
    uint64_t in = r->region.base, stores = in + r->region.bytes - (1u << 20);
    rig_mark(r, false, in, (uint64_t)ALL * STRIDE);
    rig_launch(r, "gather", BLOCKS, 256, (uint64_t[4]){in, r->plain, STRIDE / 4});
    assert_true(rig_run(r, 30000));
    assert_int_equal(r->grids, 0);
    rig_launch(r, "move", 60, 128, (uint64_t[4]){r->plain + (512u << 10), stores});
    assert_true(rig_wait_grids(r, 1));
    for (uint32_t i = 0; i < ALL; i++)
        memcpy(gpu_image(r->gpu)->base + in + (uint64_t)i * STRIDE, &i, sizeof i);
    rig_mark(r, true, in, (uint64_t)ALL * STRIDE);
    assert_true(rig_wait_grids(r, 2));
    const uint32_t *out = (const uint32_t *)(const void *)(gpu_image(r->gpu)->base + r->plain);
    for (uint32_t i = 0; i < ALL; i++)
        assert_int_equal(out[i], i);
    rig_destroy(r);
}

/* A thread's load never overtakes its store, though the one waits in a longer queue. */
static void test_own_store(void **state)
{
    (void)state;
    struct region_rig *r = rig_create(TILE_LOCKSTEP, (const char *[]){"fe.region_kib=4096", NULL});
    enum { STRIDE = 6 * 256, ALL = 60 * 128 };
    rig_launch(r, "own", 60, 128, (uint64_t[4]){r->region.base, r->plain, STRIDE / 4});
    assert_true(rig_wait_grids(r, 1));
    const uint32_t *out = (const uint32_t *)(const void *)(gpu_image(r->gpu)->base + r->plain);
    for (uint32_t i = 31; i < ALL; i += 32)
        assert_int_equal(out[i], i + 1);
    rig_destroy(r);
}

/* RELEASE lets what waits go; the time-out of a register is read back. */
static void test_registers(void **state)
{
    (void)state;
    struct region_rig *r = rig_create(TILE_LOCKSTEP, NULL);
    uint32_t got[WORDS];
    rig_mark(r, false, r->region.base, 4096);
    rig_read(r, r->region.base, got, 128, TRIGGER_FULL, ACTION_FILL, 1);
    assert_true(rig_run(r, 3000));
    assert_false(r->done[1]);
    assert_true(gpu_region_release(r->gpu, 0));
    assert_true(rig_wait(r, 1));
    assert_int_equal(r->status[1], REGION_RELEASED);
    assert_true(gpu_region_register(r->gpu, 3, FE_REG_TIMEOUT_GPU, false, 0, 0));
    assert_true(rig_run(r, 100));
    assert_int_equal(r->value, 70000000); /* 100 ms */
    assert_true(gpu_region_set_timeout(r->gpu, 2000, 0));
    assert_true(rig_run(r, 100));
    assert_true(gpu_region_register(r->gpu, 5, FE_REG_TIMEOUT_CPU, false, 0, 0));
    assert_true(rig_run(r, 100));
    assert_int_equal(r->value, 1400);
    assert_true(gpu_region_register(r->gpu, 5, FE_REG_REGION_LINES, false, 0, 0));
    assert_true(rig_run(r, 100));
    assert_int_equal(r->value, 65536);
    rig_destroy(r);
}

/* Blocks that fill the machine wait for words of blocks that are not there yet. */
static void test_deadlock(void **state)
{
    (void)state;
    static const char *const overrides[] = {"gpu.cores=2", "fe.timeout_us=50", NULL};
    struct region_rig *r = rig_create(TILE_LOCKSTEP, overrides);
    rig_mark(r, false, r->region.base, 4096);
    rig_launch(r, "chain", 40, 32, (uint64_t[4]){r->region.base});
    assert_false(rig_run(r, 1000000));
    assert_true(gpu_cycle(r->gpu) > 35000 && gpu_cycle(r->gpu) < 45000);
    const char *text = r->error.text;
    if (!strstr(text, "full/empty time-out: kernel chain, PTX line ") ||
        !strstr(text, "thread (0,0,0), load: waits for word 0x") ||
        !strstr(text,
                "candidates to fill it: 15 requests behind it in its queue, one of kernel chain, "
                "24 non-resident blocks of kernel chain"))
        fail_msg("%s", text);
    rig_destroy(r);
}

/* Without a time-out, a machine in which everything waits has no next event. */
static void test_waits_for_ever(void **state)
{
    (void)state;
    static const char *const overrides[] = {"fe.timeout_us=0", NULL};
    struct region_rig *r = rig_create(TILE_LOCKSTEP, overrides);
    rig_mark(r, false, r->region.base, 4096);
    rig_launch(r, "chain", 4, 32, (uint64_t[4]){r->region.base});
    assert_true(rig_run(r, 20000));
    assert_true(gpu_next_event(r->gpu) == UINT64_MAX);
    rig_destroy(r);
}

static void test_copy_timed_out(void **state)
{
    (void)state;
    static const char *const overrides[] = {"fe.timeout_us=1", NULL};
    struct region_rig *r = rig_create(TILE_LOCKSTEP, overrides);
    uint32_t got[WORDS];
    rig_mark(r, false, r->region.base, 128);
    rig_mark(r, true, r->region.base, 64);
    rig_read(r, r->region.base, got, 128, TRIGGER_FULL, ACTION_NONE, 1);
    assert_false(rig_run(r, 10000));
    char word[40];
    snprintf(word, sizeof word, "word 0x%llx to be full", (unsigned long long)r->region.base + 64);
    if (!strstr(r->error.text, "copy of the host or a device, read of") ||
        !strstr(r->error.text, word) || !strstr(r->error.text, "candidates to fill it: nobody"))
        fail_msg("%s", r->error.text);
    rig_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_early_model),    cmocka_unit_test(test_early_verilator),
        cmocka_unit_test(test_early_lockstep), cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_others_go_on),   cmocka_unit_test(test_own_store),
        cmocka_unit_test(test_starved),        cmocka_unit_test(test_registers),
        cmocka_unit_test(test_deadlock),       cmocka_unit_test(test_copy_timed_out),
        cmocka_unit_test(test_waits_for_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
