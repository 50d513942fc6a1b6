/* Grids without time whose blocks run apart, on several threads: the same words in the same cycle
 * whatever the number of threads, with stores that collide, allocations that are read and written,
 * faults, and owners that end. */
#include "base/alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/system/gpu_settings.h"
#include "tests/system/gpu_rig.h"
#include "tests/unit.h"

#define BLOCKS  60u
#define THREADS 96u
#define VALUES  (BLOCKS * THREADS)
#define BYTES   (VALUES * 32u) /* of each buffer */

/* %r4: the thread among all, %rd1 and %rd2: the buffers, %rd3, %rd4: its own 16 bytes there. */
#define KERNEL(name, body)                                                                         \
    ".visible .entry " name "(.param .u64 from, .param .u64 to)\n{\n"                              \
    ".reg .b64 %rd<12>;\n.reg .b32 %r<12>;\n.reg .pred %p<3>;\n"                                   \
    "ld.param.u64 %rd1, [from];\nld.param.u64 %rd2, [to];\n"                                       \
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"                        \
    "mad.lo.u32 %r4, %r1, %r2, %r3;\nmul.wide.u32 %rd5, %r4, 16;\n"                                \
    "add.u64 %rd3, %rd1, %rd5;\nadd.u64 %rd4, %rd2, %rd5;\n" body "ret;\n}\n"
/* A word of the table by chance, to %r5. */
#define READ                                                                                       \
    "mul.lo.u32 %r6, %r4, 1664525;\nshr.u32 %r6, %r6, 20;\nmul.wide.u32 %rd6, %r6, 4;\n"           \
    "add.u64 %rd6, %rd1, %rd6;\nld.global.u32 %r5, [%rd6];\n"

static const char ptx[] = ".version 3.2\n.target sm_35\n.address_size 64\n"
    /* A vector, a row of words, bytes of every third thread, and a word of another thread's. */
    KERNEL("apart", READ "st.global.v2.u32 [%rd4], {%r5, %r4};\nsub.u64 %rd7, %rd4, %rd5;\n"
                         "mul.wide.u32 %rd8, %r4, 4;\nadd.u64 %rd7, %rd7, %rd8;\n"
                         "st.global.u32 [%rd7+" /* VALUES * 16 */ "92160], %r5;\n"
                         "rem.u32 %r7, %r4, 3;\nsetp.eq.u32 %p1, %r7, 0;\n"
                         "@%p1 st.global.u8 [%rd4+9], %r5;\nxor.b32 %r8, %r4, 21;\n"
                         "mul.wide.u32 %rd9, %r8, 16;\nadd.u64 %rd9, %rd2, %rd9;\n"
                         "st.global.u32 [%rd9+12], %r4;\n")
    /* Every block stores to the same 64 words. */
    KERNEL("race", READ "and.b32 %r7, %r5, 63;\nmul.wide.u32 %rd7, %r7, 4;\n"
                        "add.u64 %rd7, %rd2, %rd7;\nst.global.u32 [%rd7], %r4;\n")
    /* Reads what other blocks write. */
    KERNEL("place", "mul.lo.u32 %r6, %r4, 977;\nrem.u32 %r6, %r6, 5760;\n"
                    "mul.wide.u32 %rd6, %r6, 16;\nadd.u64 %rd6, %rd2, %rd6;\n"
                    "ld.global.u32 %r5, [%rd6];\nmad.lo.u32 %r5, %r5, 3, %r4;\n"
                    "st.global.u32 [%rd4], %r5;\n")
        KERNEL("count", "red.global.add.u32 [%rd2], 1;\n")
    /* Goes on from its own word, 64 steps, and back. */
    KERNEL("draw", "ld.global.u32 %r5, [%rd3];\nmov.u32 %r7, 64;\n"
                   "$more:\nmad.lo.u32 %r5, %r5, 1664525, 1013904223;\nsub.u32 %r7, %r7, 1;\n"
                   "setp.ne.u32 %p1, %r7, 0;\n@%p1 bra $more;\n"
                   "st.global.u32 [%rd3], %r5;\nst.global.u32 [%rd4], %r5;\n")
    /* Two blocks of four: another thread's word plus its own, and one instruction that stores
     * to both buffers, to what is in turn and to one of 64 words of what is only stored to. The
     * others, in the same slice: a plain store to that word. */
    KERNEL("both", "xor.b32 %r8, %r4, 96;\nmul.wide.u32 %rd9, %r8, 16;\nadd.u64 %rd9, %rd1, %rd9;\n"
                   "and.b32 %r7, %r4, 63;\nmul.wide.u32 %rd7, %r7, 4;\nadd.u64 %rd7, %rd2, %rd7;\n"
                   "and.b32 %r10, %r1, 2;\nsetp.ne.u32 %p1, %r10, 0;\n@%p1 bra $other;\n"
                   "ld.global.u32 %r5, [%rd9];\natom.global.add.u32 %r6, [%rd3+4], %r5;\n"
                   "add.u32 %r5, %r5, %r6;\nand.b32 %r9, %r4, 1;\nsetp.eq.u32 %p2, %r9, 0;\n"
                   "selp.b64 %rd10, %rd3, %rd7, %p2;\nst.global.u32 [%rd10], %r5;\nret;\n"
                   "$other:\natom.global.add.u32 %r6, [%rd3+8], 1;\n"
                   "atom.global.add.u32 %r6, [%rd3+8], %r6;\nst.global.u32 [%rd7], %r4;\n"
                   "red.global.add.u32 [%rd3+8], 1;\n")
        KERNEL("lost", READ "setp.eq.u32 %p1, %r1, 41;\n@%p1 shl.b64 %rd4, %rd4, 20;\n"
                            "st.global.u32 [%rd4], %r5;\n")
            KERNEL("long", READ
                   "mov.u32 %r7, 5000;\n$more:\nsub.u32 %r7, %r7, 1;\nsetp.ne.u32 %p1, %r7, 0;\n"
                   "@%p1 bra $more;\nst.global.u32 [%rd4], %r5;\n");

struct rig {
    struct gpu_rig host;
    struct module *module;
    uint64_t buffer[2];
    char fault[400];
};

static bool on_fault(void *user, const struct gpu_fault *fault)
{
    struct rig *r = user;
    snprintf(r->fault, sizeof r->fault, "%s", fault->text);
    gpu_end_owner(r->host.gpu, fault->owner);
    return true;
}

static uint32_t *words(const struct rig *r, uint32_t buffer)
{
    return (uint32_t *)(void *)(gpu_image(r->host.gpu)->base + r->buffer[buffer]);
}

static void open_rig(struct rig *r, uint32_t threads)
{
    struct machine_config machine;
    struct error err = {0};
    memset(r, 0, sizeof *r);
    gpu_rig_machine(&machine, (const char *const[]){"gpu.cores=7", NULL});
    machine.threads = threads;
    struct gpu_config config = gpu_settings(&machine, TILE_MODEL, SCHED_MODE_PREEMPT);
    config.timing.kind = TIMED_NONE;
    struct gpu_callbacks calls = {.fault = on_fault};
    gpu_rig_create(&r->host, &config, &calls);
    r->module = module_parse("test", ptx, strlen(ptx), &err);
    if (!r->module)
        fail_msg("%s", err.text);
    uint32_t owner = image_add_owner(gpu_image(r->host.gpu), "program");
    for (uint32_t i = 0; i < module_kernel_count(r->module); i++)
        module_kernel_at(r->module, i)->owner = owner;
    assert_true(gpu_load(r->host.gpu, r->module, &err));
    for (uint32_t i = 0; i < 2; i++)
        r->buffer[i] = gpu_rig_alloc(r, BYTES, 256);
    for (uint32_t i = 0; i < BYTES / 4; i++)
        words(r, 0)[i] = i * 2654435761u;
}

static void close_rig(struct rig *r)
{
    gpu_destroy(r->host.gpu);
    module_free(r->module);
}

static void start(struct rig *r, const char *kernel, uint32_t from, uint32_t to)
{
    struct error err = {0};
    uint64_t param = gpu_rig_alloc(r, 16, 16);
    memcpy(gpu_image(r->host.gpu)->base + param, (uint64_t[]){r->buffer[from], r->buffer[to]}, 16);
    struct launch l = {.kernel = module_kernel(r->module, kernel),
                       .grid = {BLOCKS, 1, 1},
                       .block = {THREADS, 1, 1},
                       .param = param};
    if (!gpu_launch(r->host.gpu, &l, &err))
        fail_msg("%s", err.text);
}

static const struct apart *apart_of(const struct rig *r)
{
    return &r->host.gpu->untimed.apart;
}

static void run(struct rig *r, const char *kernel, uint32_t from, uint32_t to)
{
    start(r, kernel, from, to);
    gpu_rig_run_until_idle(&r->host, 1000000);
}

/* The kernel, so many times, from the table to the other buffer, with one thread and with more.
 * Leaves the rig with one thread open. */
static void same(struct rig *one, const char *kernel, uint32_t times)
{
    static const uint32_t threads[] = {1, 2, 3, 7};
    for (uint32_t i = 0; i < 4; i++) {
        struct rig more, *r = i ? &more : one;
        open_rig(r, threads[i]);
        for (uint32_t n = 0; n < times; n++)
            run(r, kernel, 0, 1);
        if (!i)
            continue;
        assert_int_equal(apart_of(one)->refused, apart_of(r)->refused);
        assert_memory_equal(words(one, 0), words(r, 0), BYTES);
        assert_memory_equal(words(one, 1), words(r, 1), BYTES);
        assert_string_equal(one->fault, r->fault);
        assert_int_equal(gpu_cycle(one->host.gpu), gpu_cycle(r->host.gpu));
        assert_int_equal(one->host.grids, r->host.grids);
        close_rig(r);
    }
}

/* One whose blocks run apart, and have what they read and what they write. */
static void apart(struct rig *one, const char *kernel)
{
    same(one, kernel, 1);
    assert_false(apart_of(one)->refused);
    assert_int_equal(apart_of(one)->spans.count, 2);
    assert_int_equal(apart_of(one)->of->in_turn, 0);
}

static uint32_t read_by(uint32_t thread)
{
    return (thread * 1664525u >> 20) * 2654435761u;
}

static void test_stores(void **state)
{
    (void)state;
    struct rig r;
    apart(&r, "apart");
    for (uint32_t i = 0; i < VALUES; i++) {
        const uint32_t *own = &words(&r, 1)[4 * i];
        assert_int_equal(own[0], read_by(i));
        assert_int_equal(own[1], i);
        assert_int_equal(own[2], i % 3 ? 0 : (read_by(i) & 0xff) << 8);
        assert_int_equal(own[3], i ^ 21);
        assert_int_equal(words(&r, 1)[4 * VALUES + i], read_by(i));
    }
    close_rig(&r);
}

/* Each of the words is of the last thread that has stored to it, in some order of the blocks. */
static void test_collisions(void **state)
{
    (void)state;
    struct rig r;
    apart(&r, "race");
    for (uint32_t i = 0; i < 64; i++) {
        uint32_t thread = words(&r, 1)[i], stored = 0;
        for (uint32_t t = 0; t < VALUES && !stored; t++)
            stored = (read_by(t) & 63) == i;
        assert_true(!stored || (read_by(thread) & 63) == i);
    }
    close_rig(&r);
}

/* What was granted to a launch is not to the next one: the other way round, and within one buffer.
 */
static void test_rights(void **state)
{
    (void)state;
    struct rig r;
    open_rig(&r, 3);
    run(&r, "race", 0, 1);
    run(&r, "race", 1, 0);
    assert_false(apart_of(&r)->refused);
    assert_int_equal(apart_of(&r)->spans.count, 2);
    run(&r, "race", 1, 1);
    assert_false(apart_of(&r)->refused);
    assert_int_equal(apart_of(&r)->spans.count, 1);
    assert_int_equal(apart_of(&r)->spans.span[0].use, APART_IN_TURN);
    close_rig(&r);
}

#define WARPS (VALUES / 32)

/* Few of them have their turn; with many, the kernel goes on in order, in later launches from the
 * beginning. */
static void test_atomics(void **state)
{
    (void)state;
    struct rig r;
    for (uint32_t times = 1; times < 10; times += 4) {
        same(&r, "count", times);
        assert_int_equal(words(&r, 1)[0], times * VALUES);
        assert_int_equal(apart_of(&r)->refused, times * WARPS > 1024);
        assert_true(apart_of(&r)->of->in_turn <= 1024 + WARPS);
        close_rig(&r);
    }
}

static void test_in_place(void **state)
{
    (void)state;
    struct rig r;
    same(&r, "draw", 2);
    assert_false(apart_of(&r)->refused);
    assert_in_range(apart_of(&r)->of->in_turn, 3 * WARPS, 4 * WARPS);
    for (uint32_t i = 0; i < VALUES; i++) {
        uint32_t value = 4 * i * 2654435761u;
        for (uint32_t n = 0; n < 128; n++)
            value = value * 1664525u + 1013904223u;
        assert_int_equal(words(&r, 0)[4 * i], value);
        assert_int_equal(words(&r, 1)[4 * i], value);
    }
    close_rig(&r);
}

/* Blocks that read what others write have one result, too, apart and later in order. */
static void test_order(void **state)
{
    (void)state;
    struct rig r;
    for (uint32_t times = 1; times < 8; times += 6) {
        same(&r, "place", times);
        assert_int_equal(apart_of(&r)->refused, times > 1);
        close_rig(&r);
        same(&r, "both", times);
        assert_int_equal(apart_of(&r)->refused, times > 1);
        close_rig(&r);
    }
}

static void test_fault(void **state)
{
    (void)state;
    struct rig r;
    apart(&r, "lost");
    assert_non_null(strstr(r.fault, "block (41,0,0)"));
    close_rig(&r);
}

/* The owner ends while cores still have blocks to start: the grid is over, and they are not. */
static void test_end(void **state)
{
    (void)state;
    struct rig r;
    open_rig(&r, 2);
    start(&r, "long", 0, 1);
    for (uint32_t i = 0; !apart_of(&r)->share[0].end; i++) {
        assert_true(i < 10000);
        gpu_rig_tick(&r.host);
    }
    for (uint32_t i = 0; i < 6; i++)
        gpu_rig_tick(&r.host);
    gpu_end_owner(r.host.gpu, 1);
    gpu_rig_run_until_idle(&r.host, 100000);
    assert_int_equal(r.host.grids, 1);
    uint32_t stored = 0;
    for (uint32_t i = 0; i < VALUES; i++)
        stored += words(&r, 1)[4 * i] != 0;
    assert_true(stored < VALUES / 2);
    close_rig(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stores),   cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_rights),   cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_in_place), cmocka_unit_test(test_order),
        cmocka_unit_test(test_fault),    cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
