/* The driver ends an event that hangs: its warp or blocks go, the victim under it does not notice,
 * its flag says so, and what comes after it is served. */
#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/guest/service/event_driver.h"
#include "sim/system/gpu_settings.h"
#include "tests/system/gpu_rig.h"
#include "tests/unit.h"

enum { RID = 0x200, BLOCKS = 8, THREADS = 256, ROUNDS = 160, TABLE = 256, FLAGS = 0x1000 };
enum { ENTRIES = 4, SERVED = 77, PATIENCE = 100000 };

/* What an event does, its argument `mode`; from COUNT on it goes round so often and ends. */
enum mode { SERVE, SPIN, WAIT, LOADS, STORES, COUNT };

/* `work`: the program, with loads in flight and barriers. `serve` and `serve_blocks`: events. */
static const char ptx[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry work(.param .u64 in, .param .u64 out, .param .u32 rounds)\n"
    "{\n.reg .u64 %rd<8>;\n.reg .u32 %r<12>;\n.reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nld.param.u32 %r6, [rounds];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mad.lo.u32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd3, %r4, 4;\nadd.u64 %rd2, %rd2, %rd3;\n"
    "mov.u32 %r5, %r4;\n"
    "LOOP:\nand.b32 %r7, %r5, 255;\nmul.wide.u32 %rd4, %r7, 4;\nadd.u64 %rd5, %rd1, %rd4;\n"
    "ld.global.u32 %r8, [%rd5];\nmad.lo.u32 %r5, %r5, 1664525, %r8;\n"
    "and.b32 %r9, %r6, 7;\nsetp.ne.u32 %p1, %r9, 0;\n@%p1 bra SKIP;\nbar.sync 0;\n"
    "SKIP:\nsub.u32 %r6, %r6, 1;\nsetp.ne.u32 %p2, %r6, 0;\n@%p2 bra LOOP;\n"
    "st.global.u32 [%rd2], %r5;\nret;\n}\n"
    ".visible .entry serve(.param .u64 out, .param .u64 flag, .param .u32 mode)\n"
    "{\n.reg .u64 %rd<6>;\n.reg .u32 %r<8>;\n.reg .pred %p<8>;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [flag];\nld.param.u32 %r1, [mode];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd3, %r2, 4;\nadd.u64 %rd1, %rd1, %rd3;\n"
    "setp.eq.u32 %p1, %r1, 1;\n@%p1 bra SPIN;\nsetp.eq.u32 %p2, %r1, 2;\n@%p2 bra WAIT;\n"
    "setp.eq.u32 %p3, %r1, 3;\n@%p3 bra LOADS;\nsetp.eq.u32 %p4, %r1, 4;\n@%p4 bra STORES;\n"
    "COUNT:\nsub.u32 %r1, %r1, 1;\nsetp.gt.s32 %p5, %r1, 0;\n@%p5 bra COUNT;\nbra DONE;\n"
    "SPIN:\nld.volatile.global.u32 %r3, [%rd2];\nsetp.eq.u32 %p5, %r3, 0;\n@%p5 bra SPIN;\n"
    "bra DONE;\n"
    "WAIT:\nadd.u64 %rd4, %rd2, %rd3;\nld.global.u32 %r3, [%rd4];\nadd.u32 %r3, %r3, 1;\n"
    "st.global.u32 [%rd1], %r3;\nbra DONE;\n"
    "LOADS:\nld.global.u32 %r3, [%rd1];\nld.global.u32 %r4, [%rd1+128];\n"
    "setp.ne.u32 %p5, %r1, 99;\n@%p5 bra LOADS;\nbra DONE;\n"
    "STORES:\nst.global.u32 [%rd1+256], %r1;\nsetp.ne.u32 %p5, %r1, 99;\n@%p5 bra STORES;\n"
    "DONE:\nmov.u32 %r5, 77;\nst.global.u32 [%rd1], %r5;\nret;\n}\n"
    ".visible .entry serve_blocks(.param .u64 out, .param .u64 flag, .param .u32 mode)\n"
    "{\n.reg .u64 %rd<6>;\n.reg .u32 %r<8>;\n.reg .pred %p<8>;\n"
    "ld.param.u64 %rd1, [out];\nld.param.u64 %rd2, [flag];\nld.param.u32 %r1, [mode];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd3, %r2, 4;\nadd.u64 %rd1, %rd1, %rd3;\n"
    "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nsetp.gt.u32 %p2, %r2, 31;\n@%p2 bra MEET;\n"
    "setp.eq.u32 %p3, %r1, 2;\n@%p3 bra WAIT;\n"
    "SPIN:\nld.volatile.global.u32 %r3, [%rd2];\nsetp.eq.u32 %p5, %r3, 0;\n@%p5 bra SPIN;\n"
    "bra MEET;\n"
    "WAIT:\nadd.u64 %rd4, %rd2, %rd3;\nld.global.u32 %r3, [%rd4];\nst.global.u32 [%rd1], %r3;\n"
    "MEET:\nbar.sync 0;\n"
    "DONE:\nmov.u32 %r5, 77;\nst.global.u32 [%rd1], %r5;\nret;\n}\n";

struct rig {
    struct gpu_rig gpu; /* first */
    struct module *module;
    struct edge_kernel kernel;
    struct edge_parameter *parameters;
    struct edge_event *event;
    uint64_t table, results, out, flag, words;
    uint32_t marks, flags;
    uint32_t entry, code; /* of the last flag */
    struct event_times times;
};

static bool on_flag(void *user, uint32_t row, uint64_t address, uint32_t data)
{
    struct rig *r = user;
    (void)row;
    r->flags++;
    r->entry = (uint32_t)(address - FLAGS) / EVG_FLAG_BYTES;
    r->code = data;
    return true;
}

static void on_event(void *user, const struct event_times *times)
{
    ((struct rig *)user)->times = *times;
}

static void on_mark(void *user, uint32_t tag, uint32_t code)
{
    (void)tag;
    assert_int_equal(code, FE_CODE_OK);
    ((struct rig *)user)->marks++;
}

static struct image *memory(struct rig *r)
{
    return gpu_image(r->gpu.gpu);
}

static uint32_t *words_at(struct rig *r, uint64_t address)
{
    return (uint32_t *)(void *)(memory(r)->base + address);
}

static void open_region(struct rig *r)
{
    struct error err = {0};
    struct gpu_region region;
    if (!gpu_region_open(r->gpu.gpu, &err))
        fail_msg("%s", err.text);
    assert_true(gpu_region(r->gpu.gpu, &region));
    image_add_part(memory(r), &(struct image_block){.address = region.base, .bytes = region.bytes});
    r->words = region.base;
    assert_true(gpu_region_mark(r->gpu.gpu, false, r->words, 64 * 128, 0));
    for (int i = 0; i < PATIENCE && !r->marks; i++)
        gpu_rig_tick(&r->gpu);
    assert_int_equal(r->marks, 1);
}

/* One core, whose contexts the program will take all; events of a warp, or of two blocks of two. */
static struct rig *rig_create(enum tile_backend backend, const char *registers, bool blocks)
{
    struct rig *r = ALLOC(struct rig);
    struct machine_config machine;
    struct error err = {0};
    struct edge_error why = {0};
    gpu_rig_machine(&machine, (const char *const[]){"gpu.cores=1", "event.reserved_cores=0",
                                                    "fe.region_kib=64", registers, NULL});
    struct gpu_config config = gpu_settings(&machine, backend, SCHED_MODE_PREEMPT);
    struct gpu_callbacks calls = {
        .flag_write = on_flag, .event_done = on_event, .region_marked = on_mark};
    gpu_rig_create(&r->gpu, &config, &calls);
    r->module = module_parse("abort", ptx, strlen(ptx), &err);
    if (!r->module || !gpu_load(r->gpu.gpu, r->module, &err))
        fail_msg("%s", err.text);
    open_region(r);
    r->table = image_alloc(memory(r), TABLE * 4, 256);
    r->results = image_alloc(memory(r), BLOCKS * THREADS * 4, 256);
    r->out = image_alloc(memory(r), 4096, 256);
    r->flag = image_alloc(memory(r), 256, 256);
    r->kernel =
        event_kernel(module_kernel(r->module, blocks ? "serve_blocks" : "serve"), &r->parameters);
    struct edge_request request = {EDGE_TYPES(EDGE_I64, EDGE_I64, EDGE_I32),
                                   .kernel = &r->kernel,
                                   .grid = {blocks ? 2 : 1, 1, 1},
                                   .block = {blocks ? 2 * EVG_WARP_LANES : EVG_WARP_LANES, 1, 1},
                                   .max_in_flight = ENTRIES,
                                   .requester = RID,
                                   .completion = FLAGS};
    r->event = edge_register_event(&r->gpu.driver, &request, &why);
    if (!r->event)
        fail_msg("%s", why.text);
    return r;
}

static void rig_destroy(struct rig *r)
{
    gpu_destroy(r->gpu.gpu);
    module_free(r->module);
    free(r->parameters);
    free(r);
}

static void ticks(struct rig *r, uint32_t cycles)
{
    while (cycles--)
        gpu_rig_tick(&r->gpu);
}

/* The program. Without room for blocks of events, with `full`. */
static void start_work(struct rig *r, uint32_t blocks)
{
    struct error err = {0};
    uint64_t param = image_alloc(memory(r), 32, 128);
    uint64_t arguments[3] = {r->table, r->results, ROUNDS};
    for (uint32_t i = 0; i < TABLE; i++)
        words_at(r, r->table)[i] = i * 2654435761u;
    memcpy(memory(r)->base + param, arguments, sizeof arguments);
    struct launch launch = {.kernel = module_kernel(r->module, "work"),
                            .grid = {blocks, 1, 1},
                            .block = {THREADS, 1, 1},
                            .param = param};
    if (!gpu_launch(r->gpu.gpu, &launch, &err))
        fail_msg("%s", err.text);
    ticks(r, 2000);
}

static void check_work(struct rig *r, uint32_t blocks)
{
    for (int i = 0; i < PATIENCE && !r->gpu.grids; i++)
        gpu_rig_tick(&r->gpu);
    assert_int_equal(r->gpu.grids, 1);
    for (uint32_t t = 0; t < blocks * THREADS; t++) {
        uint32_t x = t;
        for (uint32_t i = 0; i < ROUNDS; i++)
            x = x * 1664525u + words_at(r, r->table)[x % TABLE];
        assert_int_equal(words_at(r, r->results)[t], x);
    }
}

static void ring(struct rig *r, uint32_t entry, uint32_t mode)
{
    struct edge_error why = {0};
    assert_true(edge_set_u64(r->event, entry, 0, r->out, &why));
    assert_true(edge_set_u64(r->event, entry, 1, mode == WAIT ? r->words : r->flag, &why));
    assert_true(edge_set_u32(r->event, entry, 2, mode, &why));
    assert_true(edge_set_completion(r->event, entry, FLAGS + EVG_FLAG_BYTES * entry, &why));
    assert_true(gpu_doorbell(r->gpu.gpu, edge_doorbell(r->event), EVG_DOORBELL_BYTES, RID, 1));
}

static bool end(struct rig *r, uint32_t entry)
{
    struct edge_error why = {0};
    bool ended = false;
    if (!edge_abort_event(r->event, entry, &ended, &why))
        fail_msg("%s", why.text);
    return ended;
}

static void expect_flag(struct rig *r, uint32_t entry, uint32_t code)
{
    uint32_t flags = r->flags;
    for (int i = 0; i < PATIENCE && r->flags == flags; i++)
        gpu_rig_tick(&r->gpu);
    assert_int_equal(r->flags, flags + 1);
    assert_int_equal(r->entry, entry);
    assert_int_equal(r->code, code);
}

/* The next event of the row is served; the row drains, and the program has lost nothing. */
static void expect_others_intact(struct rig *r, uint32_t entry, uint32_t blocks)
{
    struct edge_error why = {0};
    memset(words_at(r, r->out), 0, 64 * 4);
    ring(r, entry, SERVE);
    expect_flag(r, entry, EVG_COMPLETION_DONE);
    assert_int_equal(words_at(r, r->out)[31], SERVED);
    check_work(r, blocks);
    if (!edge_unregister_event(r->event, &why))
        fail_msg("%s", why.text);
    for (int i = 0; i < PATIENCE && !gpu_idle(r->gpu.gpu); i++)
        gpu_rig_tick(&r->gpu);
    assert_true(gpu_idle(r->gpu.gpu));
}

static void hangs(enum tile_backend backend, enum mode mode, const char *registers)
{
    struct rig *r = rig_create(backend, registers, false);
    struct gpu_stats stats;
    start_work(r, BLOCKS);
    ring(r, 0, mode);
    ticks(r, 8000);
    assert_int_equal(r->flags, 0);
    assert_true(end(r, 0));
    expect_flag(r, 0, EVG_COMPLETION_ABORTED);
    assert_true(r->times.aborted);
    gpu_stats(r->gpu.gpu, &stats);
    assert_int_equal(stats.events_aborted, 1);
    assert_int_equal(stats.events_by_path[EVENT_FREE], 0); /* it had a victim */
    expect_others_intact(r, 1, BLOCKS);
    gpu_stats(r->gpu.gpu, &stats);
    assert_int_equal(stats.events, 2);
    assert_int_equal(stats.events_aborted, 1);
    rig_destroy(r);
}

static void test_every_way_to_hang(void **state)
{
    (void)state;
    for (enum mode mode = SPIN; mode < COUNT; mode++) {
        hangs(TILE_LOCKSTEP, mode, "event.registers=spare");
        hangs(TILE_MODEL, mode, "event.registers=victim");
    }
    hangs(TILE_VERILATOR, SPIN, "event.registers=spare");
}

/* Without an abort nothing ever ends: neither the event, nor the program under it, nor the row. */
static void test_without_it_nothing_ends(void **state)
{
    (void)state;
    struct rig *r = rig_create(TILE_MODEL, "event.registers=spare", false);
    start_work(r, BLOCKS);
    ring(r, 0, WAIT);
    ticks(r, 2 * PATIENCE);
    assert_int_equal(r->flags, 0);
    assert_int_equal(r->gpu.grids, 0);
    edge_abandon_event(r->event);
    rig_destroy(r);
}

/* Blocks: one warp of each waits at a barrier for the other, which hangs. */
static void blocks_hang(enum tile_backend backend, enum mode mode)
{
    struct rig *r = rig_create(backend, "event.registers=spare", true);
    start_work(r, BLOCKS - 2);
    ring(r, 0, mode);
    ticks(r, 8000);
    assert_int_equal(r->flags, 0);
    assert_true(end(r, 0));
    expect_flag(r, 0, EVG_COMPLETION_ABORTED);
    expect_others_intact(r, 1, BLOCKS - 2);
    rig_destroy(r);
}

static void test_blocks(void **state)
{
    (void)state;
    blocks_hang(TILE_LOCKSTEP, SPIN);
    blocks_hang(TILE_MODEL, WAIT);
}

/* A kernel of an event that waits for room has not begun, and ends at once. */
static void test_a_pending_kernel(void **state)
{
    (void)state;
    struct rig *r = rig_create(TILE_MODEL, "event.registers=spare", true);
    start_work(r, BLOCKS); /* no context is left */
    ring(r, 0, SPIN);
    ticks(r, 1000);
    assert_true(end(r, 0));
    expect_flag(r, 0, EVG_COMPLETION_ABORTED);
    assert_int_equal(r->times.started, 0);
    expect_others_intact(r, 1, BLOCKS);
    rig_destroy(r);
}

static void test_nothing_to_end(void **state)
{
    (void)state;
    struct rig *r = rig_create(TILE_LOCKSTEP, "event.registers=spare", false);
    struct edge_error why = {0};
    bool ended = true;
    start_work(r, BLOCKS);
    assert_false(end(r, 0)); /* nothing is in flight */
    ring(r, 0, SPIN);
    ticks(r, 8000);
    assert_false(end(r, 1)); /* another entry */
    assert_true(end(r, 0));
    expect_flag(r, 0, EVG_COMPLETION_ABORTED);
    assert_false(end(r, 0)); /* it is over */
    assert_false(edge_abort_event(r->event, ENTRIES, &ended, &why));
    assert_non_null(strstr(why.text, "entry 4"));
    expect_others_intact(r, 1, BLOCKS);
    rig_destroy(r);
}

/* Ended by the driver or by itself, never both and never neither. True: by the driver. `wait`:
 * after the doorbell. */
static bool race(enum tile_backend backend, uint32_t wait, uint64_t *exited)
{
    struct rig *r = rig_create(backend, "event.registers=spare", false);
    start_work(r, BLOCKS);
    uint64_t rung = gpu_cycle(r->gpu.gpu);
    ring(r, 0, COUNT + 100);
    bool ended = false;
    if (wait) {
        ticks(r, wait);
        ended = end(r, 0);
    }
    for (int i = 0; i < PATIENCE && !r->flags; i++)
        gpu_rig_tick(&r->gpu);
    assert_int_equal(r->flags, 1);
    assert_int_equal(r->code, ended ? EVG_COMPLETION_ABORTED : EVG_COMPLETION_DONE);
    *exited = r->times.exited - rung;
    expect_others_intact(r, 1, BLOCKS);
    assert_int_equal(r->flags, 2);
    rig_destroy(r);
    return ended;
}

static void test_as_it_ends_by_itself(void **state)
{
    (void)state;
    uint64_t exited, ignored;
    uint32_t by_driver = 0, by_itself = 0;
    assert_false(race(TILE_MODEL, 0, &exited));
    for (uint32_t wait = (uint32_t)exited - 40; wait < exited + 8;
         wait += wait + 12 < exited ? 9 : 1) {
        bool ended = race(wait & 1 ? TILE_MODEL : TILE_LOCKSTEP, wait, &ignored);
        by_driver += ended;
        by_itself += !ended;
        assert_true(!ended || !by_itself); /* one moment divides them */
    }
    assert_true(by_driver >= 2 && by_itself >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_way_to_hang),
        cmocka_unit_test(test_without_it_nothing_ends),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_a_pending_kernel),
        cmocka_unit_test(test_nothing_to_end),
        cmocka_unit_test(test_as_it_ends_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
