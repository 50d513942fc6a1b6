/* The choices of L1, each by what a kernel of one warp does to its counts. */
#include "rig.h"

#include "sim/simt/core_internal.h"

/* A kernel with a buffer in %rd1, a thread's local memory in %rd2; each word of that is in a line
 * of its own. */
#define KERNEL(body)                                                                               \
    RIG_PTX ".visible .entry go(.param .u64 out, .param .u32 n)\n{\n"                              \
            ".local .align 8 .b8 frame[256];\n.reg .b32 %r<16>;\n.reg .b64 %rd<8>;\n"              \
            "ld.param.u64 %rd1, [out];\nmov.u64 %rd2, frame;\nmov.u32 %r5, 1;\n" body "ret;\n}\n"

/* The addresses depend on the load before. */
#define WAIT                                                                                       \
    "and.b32 %r9, %r5, 0;\ncvt.u64.u32 %rd4, %r9;\nadd.s64 %rd1, %rd1, %rd4;\n"                    \
    "add.s64 %rd2, %rd2, %rd4;\n"

#define LOAD(at)        "ld.global.u32 %r5, [%rd1+" #at "];\n"
#define STORE(at)       "st.global.u32 [%rd1+" #at "], %r5;\n"
#define LOAD_LOCAL(at)  "ld.local.u32 %r5, [%rd2+" #at "];\n"
#define STORE_LOCAL(at) "st.local.u32 [%rd2+" #at "], %r5;\n"

struct figures {
    struct core_stats core;
    uint64_t writes, cycles;
};

static struct figures run(const char *ptx, const struct core_config *config)
{
    static struct rig rig;
    rig_open(&rig, config, ptx);
    uint64_t args[] = {rig_alloc(&rig, 65536), 0};
    rig_run(&rig, "go", 1, 32, 2, args);
    uint64_t cycles = rig.cycle;
    rig_ticks(&rig, 2000);
    struct memsys_stats mem;
    memsys_stats(rig.memsys, &mem);
    struct figures f = {rig_stats(&rig), mem.requests[REQUEST_WRITE], cycles};
    for (uint32_t e = 0; e < rig.core->lsu.l1.cache.sets * rig.core->lsu.l1.cache.ways; e++)
        assert_int_equal(rig.core->lsu.l1.cache.pins[e], 0);
    rig_close(&rig);
    return f;
}

static void check(const struct figures *f, uint64_t misses, uint64_t hits, uint64_t writes)
{
    assert_int_equal(f->core.l1_misses, misses);
    assert_int_equal(f->core.l1_hits, hits);
    assert_int_equal(f->writes, writes);
}

static void test_global_stores(void **state)
{
    (void)state;
    const char *ptx = KERNEL(LOAD(0) WAIT STORE(0) LOAD(0));
    struct core_config k = rig_config();
    k.l1_local_store = L1_STORE_BACK;
    k.l1_global_store = L1_STORE_THROUGH;
    struct figures f = run(ptx, &k);
    check(&f, 1, 1, 1);
    k.l1_global_store = L1_STORE_EVICT;
    f = run(ptx, &k);
    check(&f, 2, 0, 1);
}

static void test_local_stores(void **state)
{
    (void)state;
    const char *ptx = KERNEL(LOAD_LOCAL(0) WAIT STORE_LOCAL(0) LOAD_LOCAL(0) STORE_LOCAL(4));
    struct core_config k = rig_config();
    k.l1_global_store = L1_STORE_EVICT;
    k.l1_local_store = L1_STORE_THROUGH;
    struct figures f = run(ptx, &k);
    check(&f, 1, 1, 2);
    k.l1_local_store = L1_STORE_EVICT;
    f = run(ptx, &k);
    check(&f, 2, 0, 2);
    /* Only the line that is not there goes to L2. */
    k.l1_local_store = L1_STORE_BACK;
    f = run(ptx, &k);
    check(&f, 1, 1, 1);
    assert_int_equal(f.core.l1_writebacks, 0);
}

/* A dirty line leaves when its way is taken, however that happens. */
static void test_dirty_victim(void **state)
{
    (void)state;
    const char *ptx = KERNEL(LOAD_LOCAL(0) WAIT STORE_LOCAL(0) LOAD_LOCAL(4) WAIT LOAD_LOCAL(8)
                                 WAIT LOAD_LOCAL(4) WAIT LOAD_LOCAL(0));
    for (uint32_t allocate = 0; allocate < 2; allocate++) {
        struct core_config k = rig_config();
        k.l1_bytes = 2 * LINE_BYTES;
        k.l1_ways = 2;
        k.l1_allocate = allocate;
        k.l1_local_store = L1_STORE_BACK;
        struct figures f = run(ptx, &k);
        check(&f, 4, 1, 1);
        assert_int_equal(f.core.l1_writebacks, 1);
    }
}

static void test_fetch(void **state)
{
    (void)state;
    const char *ptx = KERNEL(LOAD(0) WAIT LOAD(96));
    struct core_config k = rig_config();
    k.l1_fetch = FETCH_LINE;
    struct figures f = run(ptx, &k);
    check(&f, 1, 1, 0);
    k.l1_fetch = FETCH_SECTOR;
    f = run(ptx, &k);
    check(&f, 2, 0, 0);
}

/* What holds a second miss that does not depend on the first. */
static void test_holds(void **state)
{
    (void)state;
    const char *apart = KERNEL(LOAD(0) "ld.global.u32 %r6, [%rd1+4096];\n" WAIT LOAD(4096));
    const char *same = KERNEL(LOAD(0) "ld.global.u32 %r6, [%rd1+4];\n");
    struct core_config k = rig_config();
    k.l1_bytes = LINE_BYTES;
    k.l1_ways = 1;
    k.l1_allocate = ALLOCATE_ON_MISS;
    struct figures f = run(apart, &k);
    check(&f, 2, 1, 0);
    assert_true(f.core.lsu_held[LSU_WAY] > 20);
    assert_int_equal(f.core.lsu_held[LSU_MSHR] + f.core.lsu_held[LSU_MERGE], 0);
    k.l1_allocate = ALLOCATE_ON_FILL;
    f = run(apart, &k);
    check(&f, 2, 1, 0);
    assert_int_equal(f.core.lsu_held[LSU_WAY], 0);
    k.l1_mshrs = 1;
    f = run(apart, &k);
    assert_true(f.core.lsu_held[LSU_MSHR] > 20);
    k.l1_mshr_merges = 1;
    f = run(same, &k);
    assert_true(f.core.lsu_held[LSU_MERGE] > 20);
    k.l1_mshr_merges = 2;
    f = run(same, &k);
    check(&f, 2, 0, 0);
    assert_int_equal(f.core.l1_merged, 1);
    assert_int_equal(f.core.lsu_held[LSU_MERGE] + f.core.lsu_held[LSU_MSHR], 0);
}

/* A miss takes so many cycles more, and two that follow each other no more than one; DRAM's clock
 * is another, so that its cycle may begin one earlier or later. */
static void test_miss_latency(void **state)
{
    (void)state;
    const char *one = KERNEL(LOAD(0) WAIT);
    const char *two =
        KERNEL(LOAD(0) "ld.global.u32 %r6, [%rd1+4096];\n" WAIT "add.u32 %r6, %r6, %r5;\n");
    struct core_config k = rig_config();
    uint64_t one_short = run(one, &k).cycles, two_short = run(two, &k).cycles;
    k.l1_miss_latency = 30;
    assert_in_range(run(one, &k).cycles, one_short + 29, one_short + 31);
    assert_in_range(run(two, &k).cycles, two_short + 29, two_short + 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_global_stores), cmocka_unit_test(test_local_stores),
        cmocka_unit_test(test_dirty_victim),  cmocka_unit_test(test_fetch),
        cmocka_unit_test(test_holds),         cmocka_unit_test(test_miss_latency),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
