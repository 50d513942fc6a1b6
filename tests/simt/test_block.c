/* Resources: what a core accepts, what limits it, and that everything is given back. */
#include "rig.h"
#include "sim/simt/core_internal.h"

static const char kernels[] = RIG_PTX
    ".visible .entry plain(.param .u64 out, .param .u32 n)\n{\n.reg .b32 %r<12>;\n.reg .b64 "
    "%rd<6>;\n"
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\n"
    "mov.u32 %r4, %ctaid.x;\nmov.u32 %r5, %ctaid.y;\nmov.u32 %r6, %ctaid.z;\n"
    "mad.lo.u32 %r7, %r3, 3, %r2;\nmad.lo.u32 %r7, %r7, 5, %r1;\n"
    "mad.lo.u32 %r8, %r6, 4, %r5;\nmad.lo.u32 %r8, %r8, 2, %r4;\n"
    "mad.lo.u32 %r9, %r8, 30, %r7;\nmul.wide.u32 %rd2, %r9, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "red.global.add.u32 [%rd3], 1;\nret;\n}\n"
    ".visible .entry tile(.param .u64 out, .param .u32 n)\n{\n.shared .align 4 .b8 t[3000];\n"
    ".reg .b32 %r<4>;\nmov.u32 %r1, t;\nst.shared.u32 [%r1], 1;\nret;\n}\n"
    ".visible .entry early(.param .u64 out, .param .u32 n)\n{\n.reg .pred %p<3>;\n"
    ".reg .b32 %r<4>;\nmov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 31;\n@%p1 ret;\n"
    "mov.u32 %r2, 0;\n$again:\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p2, %r2, 100;\n"
    "@%p2 bra $again;\nret;\n}\n"
    ".visible .entry small(.param .u64 out, .param .u32 n)\n.maxntid 64, 1, 1\n{\nret;\n}\n";

static uint32_t occupancy(const struct core_config *config, const char *name, uint32_t threads,
                          uint32_t dynamic, const char **limiter, struct error *err)
{
    struct error ignored = {0};
    struct module *m = module_parse("test.ptx", kernels, strlen(kernels), &ignored);
    assert_non_null(m);
    uint32_t n = core_occupancy(config, module_kernel(m, name), (uint32_t[]){threads, 1, 1},
                                dynamic, limiter, err);
    module_free(m);
    return n;
}

static void expect(const struct core_config *config, const char *name, uint32_t threads,
                   uint32_t dynamic, uint32_t blocks, const char *limiter)
{
    const char *got = "";
    assert_int_equal(occupancy(config, name, threads, dynamic, &got, NULL), blocks);
    assert_string_equal(got, limiter);
}

static void test_occupancy(void **state)
{
    (void)state;
    struct core_config k = rig_config();
    expect(&k, "small", 32, 0, 8, "blocks");
    expect(&k, "small", 64, 0, 8, "blocks");
    expect(&k, "plain", 96, 0, 5, "warps");
    expect(&k, "plain", 33, 0, 8, "blocks");
    k.threads = 100;
    expect(&k, "plain", 33, 0, 3, "threads");
    k = rig_config();
    expect(&k, "tile", 32, 0, 5, "shared memory");
    expect(&k, "tile", 32, 1096, 4, "shared memory");
    expect(&k, "plain", 32, 16384, 1, "shared memory");
    struct error ignored = {0};
    struct module *m = module_parse("test.ptx", kernels, strlen(kernels), &ignored);
    uint32_t regs = module_kernel(m, "plain")->regs;
    module_free(m);
    assert_int_equal(regs % 4, 0);
    k.registers = regs * 32 * 7 + 31;
    expect(&k, "plain", 64, 0, 3, "registers");
    expect(&k, "plain", 32, 0, 7, "registers");
}

static void expect_too_large(const struct core_config *k, const char *name, uint32_t threads,
                             uint32_t dynamic, const char *text)
{
    struct error err = {0};
    assert_int_equal(occupancy(k, name, threads, dynamic, NULL, &err), 0);
    assert_non_null(strstr(err.text, text));
    assert_non_null(strstr(err.text, name));
}

static void test_too_large(void **state)
{
    (void)state;
    struct core_config k = rig_config();
    expect_too_large(&k, "plain", 513, 0, "larger than a core");
    expect_too_large(&k, "plain", 0, 0, "block dimension x");
    expect_too_large(&k, "plain", 32, 16385, "shared memory");
    expect_too_large(&k, "small", 65, 0, ".maxntid");
    k.registers = 256;
    expect_too_large(&k, "plain", 512, 0, "registers");
}

/* A grid in three dimensions with blocks of 5 x 3 x 2 threads: every thread runs exactly once,
 * knows where it is, and at the end the core is as empty as before. */
static void test_dimensions(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    rig_open(&rig, &config, kernels);
    uint32_t total = 2 * 4 * 3 * 30;
    uint64_t out = rig_alloc(&rig, total * 4);
    struct grid grid = rig_grid(&rig, "plain", 1, 1, 2, (uint64_t[]){out, 0});
    memcpy(grid.dims, (uint32_t[]){2, 4, 3}, sizeof grid.dims);
    memcpy(grid.block, (uint32_t[]){5, 3, 2}, sizeof grid.block);
    grid.total_blocks = 24;
    assert_true(rig_finish(&rig, &grid));
    for (uint32_t i = 0; i < total; i++)
        assert_int_equal(rig_words(&rig, out)[i], 1);
    rig_close(&rig);
}

/* Fills the core to exactly its occupancy, twice. */
static void test_accounting(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    config.registers = 4096;
    rig_open(&rig, &config, kernels);
    uint64_t out = rig_alloc(&rig, 65536);
    const char *const names[] = {"plain", "tile", "small"};
    for (int i = 0; i < 6; i++) {
        const char *name = names[i % 3];
        struct grid grid = rig_grid(&rig, name, 100, 60, 2, (uint64_t[]){out, 0});
        uint32_t fits = core_occupancy(&config, grid.kernel, grid.block, 0, NULL, NULL);
        rig_launch(&rig, &grid);
        assert_int_equal(grid.next_block, fits);
        assert_int_equal(core_resident_warps(rig.core), fits * 2);
        assert_true(rig_finish(&rig, &grid));
        assert_true(core_empty(rig.core));
    }
    rig_close(&rig);
}

/* Of four blocks of two warps the second ones exit at once: their contexts are free then, or with
 * their blocks. */
static void test_free_contexts(void **state)
{
    (void)state;
    for (uint32_t whole = 0; whole <= 1; whole++) {
        struct rig rig;
        struct core_config config = rig_config();
        config.event_context = whole ? EVENT_CONTEXT_BLOCK : EVENT_CONTEXT_WARP;
        rig_open(&rig, &config, kernels);
        struct grid grid = rig_grid(&rig, "early", 4, 64, 2, (uint64_t[]){0, 0});
        uint32_t most = 0;
        rig_launch(&rig, &grid);
        assert_int_equal(grid.next_block, 4);
        while (core_resident_warps(rig.core) > 4)
            assert_true(rig_tick(&rig));
        for (int i = 0; i < 20; i++) {
            uint32_t n = (uint32_t)__builtin_popcountll(warps_free(&rig.core->slots.warps));
            most = n > most ? n : most;
            assert_true(rig_tick(&rig));
        }
        assert_int_equal(core_resident_warps(rig.core), 4);
        assert_int_equal(most, config.warps - (whole ? 8 : 4));
        assert_true(rig_finish(&rig, &grid));
        assert_int_equal(__builtin_popcountll(warps_free(&rig.core->slots.warps)), config.warps);
        rig_close(&rig);
    }
}

/* What blocks do not get: the reserve, and what the tile claims for the event it is placing. */
static void test_reserve(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    config.registers = 8192;
    config.register_reserve = 2048;
    config.blocks = config.warps = 32;
    config.threads = 1024;
    rig_open(&rig, &config, kernels);
    uint64_t out = rig_alloc(&rig, 65536);
    struct grid grid = rig_grid(&rig, "plain", 100, 32, 2, (uint64_t[]){out, 0}), all = grid;
    uint32_t each = grid.kernel->regs * 32;
    struct blocks *b = &rig.core->pipeline.blocks;
    assert_int_equal(core_occupancy(&config, grid.kernel, grid.block, 0, NULL, NULL), 6144 / each);
    /* Events hold nothing, part of the reserve, all of it, more. */
    for (uint32_t held = 0; held <= 4096; held += 1024) {
        assert_true(blocks_take_registers(b, held));
        uint32_t room = held > 2048 ? 8192 - held : 6144;
        grid = all;
        rig_launch(&rig, &grid);
        assert_int_equal(core_resident_warps(rig.core), room / each);
        assert_true(rig_finish(&rig, &grid));
        blocks_give_registers(b, held);
    }
    /* An event's own blocks may have it. */
    grid = all;
    grid.is_event = true;
    rig_launch(&rig, &grid);
    assert_int_equal(core_resident_warps(rig.core), 8192 / each);
    assert_true(rig_finish(&rig, &grid));
    assert_int_equal(b->held.registers, 0);
    assert_int_equal(b->free_registers, 8192);
    /* A claim above the reserve. */
    grid = all;
    rig.core->pipeline.blocks.claim = 4096;
    rig_launch(&rig, &grid);
    assert_int_equal(core_resident_warps(rig.core), 4096 / each);
    rig.core->pipeline.blocks.claim = 0;
    assert_true(rig_finish(&rig, &grid));
    struct error err = {0};
    struct kernel large = *grid.kernel;
    large.regs = 200;
    assert_int_equal(core_occupancy(&config, &large, grid.block, 0, NULL, &err), 0);
    assert_non_null(strstr(err.text, "event.register_reserve"));
    rig_close(&rig);
}

/* A background on a core that keeps room: what it leaves free, less what events hold of it. */
static uint32_t resident_beside(struct rig *rig, struct grid grid)
{
    rig_launch(rig, &grid);
    uint32_t warps = core_resident_warps(rig->core);
    assert_true(rig_finish(rig, &grid));
    return warps;
}

static void test_room(void **state)
{
    (void)state;
    struct rig rig;
    struct core_config config = rig_config();
    config.blocks = config.warps = 32;
    config.threads = 1024;
    rig_open(&rig, &config, kernels);
    uint64_t out = rig_alloc(&rig, 65536);
    struct grid small = rig_grid(&rig, "plain", 100, 32, 2, (uint64_t[]){out, 0});
    struct grid half = rig_grid(&rig, "plain", 100, 512, 2, (uint64_t[]){out, 0}), whole = half;
    struct blocks *b = &rig.core->pipeline.blocks;
    uint32_t each = small.kernel->regs * 32;
    whole.block[0] = 1024;
    assert_true(each * 32 <= config.registers);
    for (uint32_t held = 0; held <= 5; held++) { /* contexts that events hold */
        core_keep_room(rig.core, 4, 0);
        assert_int_equal(resident_beside(&rig, small), held < 4 ? 28 + held : 32);
        core_keep_room(rig.core, 1, 0); /* a block is withheld for one context */
        assert_int_equal(resident_beside(&rig, half), held ? 32 : 16);
        blocks_take_context(b);
    }
    b->held.warps = 0;
    /* Registers: all but four warps'; then events hold two warps' of them. */
    core_keep_room(rig.core, 0, config.registers - 4 * each);
    assert_int_equal(resident_beside(&rig, small), 4);
    assert_true(blocks_take_registers(b, 2 * each));
    assert_int_equal(resident_beside(&rig, small), 4);
    blocks_give_registers(b, 2 * each);
    /* The first block takes all there is, so that no room keeps a kernel away for ever; then none.
     */
    core_keep_room(rig.core, 4, config.registers);
    assert_int_equal(resident_beside(&rig, whole), 32);
    assert_int_equal(resident_beside(&rig, small), 1);
    /* Blocks that wait for each other, and those of events, for whom the room is. */
    small.cooperative = true;
    assert_int_equal(resident_beside(&rig, small), 32);
    small.cooperative = false;
    small.is_event = true;
    assert_int_equal(resident_beside(&rig, small), 32);
    assert_int_equal(b->held.warps + b->held.blocks + b->held.registers, 0);
    rig_close(&rig);
}

static void test_local_bytes(void **state)
{
    (void)state;
    struct core_config k = rig_config();
    struct kernel kernel = {.local_bytes = 20};
    assert_int_equal(core_local_bytes(&k, &kernel, 3), 16u * 32 * 32 * 3);
    kernel.local_bytes = 0;
    assert_int_equal(core_local_bytes(&k, &kernel, 3), 0);
}

static void expect_bad(void (*change)(struct core_config *), const char *text)
{
    struct core_config k = rig_config();
    change(&k);
    struct image image = {0};
    struct core_env env = {.image = &image, .core_khz = 700000};
    struct error err = {0};
    assert_null(core_create(&k, &env, &err));
    if (!strstr(err.text, text))
        fail_msg("'%s' lacks '%s'", err.text, text);
}

static void no_warps(struct core_config *k)
{
    k->warps = 0;
}
static void many_warps(struct core_config *k)
{
    k->warps = 65;
}
static void three_schedulers(struct core_config *k)
{
    k->schedulers = 3;
}
static void no_latency(struct core_config *k)
{
    k->latency[TIMING_DP] = 0;
}
static void no_unit(struct core_config *k)
{
    k->units[UNIT_SFU] = 0;
}
static void odd_l1(struct core_config *k)
{
    k->l1_bytes = 1000;
}
static void odd_icache(struct core_config *k)
{
    k->icache_bytes = 100;
}
static void no_const(struct core_config *k)
{
    k->const_bytes = 0;
}

static void test_bad_config(void **state)
{
    (void)state;
    expect_bad(no_warps, "core.warps is 0; it must be 1 to 64");
    expect_bad(many_warps, "core.warps is 65");
    expect_bad(three_schedulers, "core.schedulers");
    expect_bad(no_latency, "core.latency");
    expect_bad(no_unit, "core.units");
    expect_bad(odd_l1, "L1 cache");
    expect_bad(odd_icache, "instruction cache");
    expect_bad(no_const, "constant cache");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_occupancy),   cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_dimensions),  cmocka_unit_test(test_accounting),
        cmocka_unit_test(test_local_bytes), cmocka_unit_test(test_bad_config),
        cmocka_unit_test(test_reserve),     cmocka_unit_test(test_free_contexts),
        cmocka_unit_test(test_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
