/* A victim that waits for what only the event can do: a full/empty word that the event's kernel
 * fills. With a limit it is let go, another warp runs the event, and everything ends right; without
 * one nothing ever ends. */
#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/guest/service/event_driver.h"
#include "sim/system/gpu_settings.h"
#include "tests/system/gpu_rig.h"
#include "tests/unit.h"

enum { RID = 0x200, BLOCKS = 8, THREADS = 256, LIMIT = 2000, VALUE = 40 };

/* `meet`: the first `waiters` threads of all wait for a word each, move it, and raise the flag; the
 * others poll that. `fill`: the event; it fills the words of as many lines as there are waiting
 * warps. */
static const char ptx[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry meet(.param .u64 in, .param .u64 out, .param .u64 flag, .param .u32 waiters)\n"
    "{\n.reg .u64 %rd<8>;\n.reg .u32 %r<8>;\n.reg .pred %p<3>;\n"
    "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nld.param.u64 %rd3, [flag];\n"
    "ld.param.u32 %r6, [waiters];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
    "mad.lo.u32 %r4, %r2, %r3, %r1;\nsetp.lt.u32 %p1, %r4, %r6;\n@%p1 bra WAIT;\n"
    "POLL:\nld.volatile.global.u32 %r5, [%rd3];\nsetp.lt.u32 %p2, %r5, %r6;\n@%p2 bra POLL;\nret;\n"
    "WAIT:\nmul.wide.u32 %rd4, %r4, 4;\nadd.u64 %rd5, %rd1, %rd4;\nadd.u64 %rd6, %rd2, %rd4;\n"
    "ld.global.u32 %r5, [%rd5];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd6], %r5;\n"
    "red.global.add.u32 [%rd3], 1;\nret;\n}\n"
    ".visible .entry fill(.param .u64 in, .param .u32 lines)\n"
    "{\n.reg .u64 %rd<4>;\n.reg .u32 %r<4>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [in];\nld.param.u32 %r1, [lines];\nmov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %rd2, %r2, 4;\nadd.u64 %rd1, %rd1, %rd2;\nmov.u32 %r3, 40;\n"
    "LOOP:\nst.global.u32 [%rd1], %r3;\nadd.u64 %rd1, %rd1, 128;\nsub.u32 %r1, %r1, 1;\n"
    "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra LOOP;\nret;\n}\n";

struct rig {
    struct gpu_rig gpu; /* first */
    struct module *module;
    struct edge_kernel fill;
    struct edge_parameter *parameters;
    struct edge_event *event;
    uint64_t in, out, flag;
    uint32_t marks;
};

static void on_mark(void *user, uint32_t tag, uint32_t code)
{
    (void)tag;
    assert_int_equal(code, FE_CODE_OK);
    ((struct rig *)user)->marks++;
}

static bool on_pending(void *user, uint64_t address, bool fill, char *text, size_t room)
{
    (void)user, (void)address, (void)fill, (void)text, (void)room;
    return false;
}

static struct image *memory(struct rig *r)
{
    return gpu_image(r->gpu.gpu);
}

/* One core, whose contexts the background takes all. */
static struct rig *rig_create(enum tile_backend backend, uint32_t limit)
{
    struct rig *r = ALLOC(struct rig);
    struct machine_config machine;
    struct error err = {0};
    char text[64];
    snprintf(text, sizeof text, "event.flush_limit=%u", limit);
    gpu_rig_machine(&machine,
                    (const char *const[]){"gpu.cores=1", "event.reserved_cores=0",
                                          "fe.region_kib=64", "event.registers=spare", text, NULL});
    struct gpu_config config = gpu_settings(&machine, backend, SCHED_MODE_PREEMPT);
    struct gpu_callbacks calls = {.region_marked = on_mark, .region_pending = on_pending};
    gpu_rig_create(&r->gpu, &config, &calls);
    struct gpu *gpu = r->gpu.gpu;
    r->module = module_parse("meet", ptx, strlen(ptx), &err);
    if (!r->module || !gpu_load(gpu, r->module, &err) || !gpu_region_open(gpu, &err))
        fail_msg("%s", err.text);
    struct gpu_region region;
    assert_true(gpu_region(gpu, &region));
    struct image_block all = {.address = region.base, .bytes = region.bytes};
    image_add_part(memory(r), &all);
    r->in = region.base;
    r->out = image_alloc(memory(r), 65536, 4096);
    r->flag = image_alloc(memory(r), 256, 256);
    assert_true(gpu_region_mark(gpu, false, r->in, 64 * 128, 0));
    for (int i = 0; i < 100000 && !r->marks; i++)
        gpu_rig_tick(&r->gpu);
    assert_int_equal(r->marks, 1);
    return r;
}

static void rig_destroy(struct rig *r)
{
    edge_abandon_event(r->event);
    gpu_destroy(r->gpu.gpu);
    module_free(r->module);
    free(r->parameters);
    free(r);
}

static void run(struct rig *r, uint64_t cycles)
{
    uint64_t end = gpu_cycle(r->gpu.gpu) + cycles;
    while (gpu_cycle(r->gpu.gpu) < end && !(r->gpu.grids && r->gpu.events))
        gpu_rig_tick(&r->gpu);
}

/* Lets `warps` warps, the oldest of the core, wait for the event that then comes. */
static void meet(struct rig *r, uint32_t warps)
{
    struct error err = {0};
    struct edge_error why = {0};
    struct gpu_stats stats;
    uint32_t waiters = warps * EVG_WARP_LANES;
    uint64_t param = image_alloc(memory(r), 32, 128);
    uint64_t arguments[4] = {r->in, r->out, r->flag, waiters};
    memcpy(memory(r)->base + param, arguments, sizeof arguments);
    struct launch launch = {.kernel = module_kernel(r->module, "meet"),
                            .grid = {BLOCKS, 1, 1},
                            .block = {THREADS, 1, 1},
                            .param = param};
    r->fill = event_kernel(module_kernel(r->module, "fill"), &r->parameters);
    struct edge_request request = {EDGE_TYPES(EDGE_I64, EDGE_I32),
                                   .kernel = &r->fill,
                                   .grid = {1, 1, 1},
                                   .block = {EVG_WARP_LANES, 1, 1},
                                   .max_in_flight = 1,
                                   .requester = RID,
                                   .completion = 0x1000};
    r->event = edge_register_event(&r->gpu.driver, &request, &why);
    assert_non_null(r->event);
    assert_true(edge_set_u64(r->event, 0, 0, r->in, &why));
    assert_true(edge_set_u32(r->event, 0, 1, warps, &why));
    assert_true(edge_set_completion(r->event, 0, 0x1000, &why));
    if (!gpu_launch(r->gpu.gpu, &launch, &err))
        fail_msg("%s", err.text);
    run(r, 20000); /* all wait or poll */
    gpu_stats(r->gpu.gpu, &stats);
    assert_int_equal(stats.events, 0);
    assert_true(gpu_doorbell(r->gpu.gpu, edge_doorbell(r->event), EVG_DOORBELL_BYTES, RID, 1));
    run(r, 400000);
}

static void meets(enum tile_backend backend, uint32_t warps)
{
    struct rig *r = rig_create(backend, LIMIT);
    struct gpu_stats stats;
    meet(r, warps);
    assert_int_equal(r->gpu.grids, 1);
    assert_int_equal(r->gpu.events, 1);
    gpu_stats(r->gpu.gpu, &stats);
    assert_int_equal(stats.cores.flush_timeouts, warps);
    assert_int_equal(stats.events_by_path[EVENT_FREE], 0);
    const uint32_t *out = (const uint32_t *)(const void *)(memory(r)->base + r->out);
    for (uint32_t i = 0; i < warps * EVG_WARP_LANES; i++)
        assert_int_equal(out[i], VALUE + 1);
    rig_destroy(r);
}

static void test_the_event_goes_elsewhere(void **state)
{
    (void)state;
    meets(TILE_MODEL, 1);
    meets(TILE_LOCKSTEP, 1);
}

static void test_one_after_the_other(void **state)
{
    (void)state;
    meets(TILE_VERILATOR, 7);
}

static void test_without_a_limit_it_hangs(void **state)
{
    (void)state;
    struct rig *r = rig_create(TILE_MODEL, 0);
    struct gpu_stats stats;
    meet(r, 1);
    assert_int_equal(r->gpu.grids, 0);
    assert_int_equal(r->gpu.events, 0);
    gpu_stats(r->gpu.gpu, &stats);
    assert_int_equal(stats.cores.flush_timeouts, 0);
    rig_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_event_goes_elsewhere),
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_without_a_limit_it_hangs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
