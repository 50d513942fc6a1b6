/* A background that waits for an event which came behind one that no warp of the core can serve:
 * the one behind borrows a warp, the background ends, and what it leaves free is for the one in
 * front. */
#include "base/alloc.h"
#include "evgpu_defs.h"
#include "sim/guest/service/event_driver.h"
#include "sim/system/gpu_settings.h"
#include "tests/system/gpu_rig.h"
#include "tests/unit.h"

enum { RID = 0x200, BLOCKS = 8, THREADS = 256, WORDS = 64, TURN = 200000 };

/* `wait`: polls a flag. `raise`: sets it. */
static const char small_kernels[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry wait(.param .u64 flag)\n{\n.reg .u64 %rd<2>;\n.reg .u32 %r<2>;\n.reg .pred "
    "%p<2>;\n"
    "ld.param.u64 %rd1, [flag];\nPOLL:\nld.volatile.global.u32 %r1, [%rd1];\n"
    "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra POLL;\nret;\n}\n"
    ".visible .entry raise(.param .u64 flag)\n{\n.reg .u64 %rd<2>;\n.reg .u32 %r<2>;\n"
    "ld.param.u64 %rd1, [flag];\nmov.u32 %r1, 1;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

struct rig {
    struct gpu_rig gpu; /* first */
    struct module *module;
    uint64_t flag, words;
    struct edge_event *heavy, *light;
    struct edge_parameter *heavy_parameters, *light_parameters;
};

static struct image *memory(struct rig *r)
{
    return gpu_image(r->gpu.gpu);
}

/* `sum`: adds WORDS words, all of which it loads first, so that each has a register. */
static char *all_kernels(void)
{
    size_t room = sizeof small_kernels + WORDS * 128 + 1024;
    char *text = ALLOC_ARRAY(char, room);
    size_t n = (size_t)snprintf(text, room,
                                "%s.visible .entry sum(.param .u64 words)\n{\n.reg .u64 %%rd<2>;\n"
                                ".reg .u32 %%r<%d>;\nld.param.u64 %%rd1, [words];\n",
                                small_kernels, WORDS + 1);
    for (int i = 0; i < WORDS; i++)
        n += (size_t)snprintf(text + n, room - n, "ld.global.u32 %%r%d, [%%rd1+%d];\n", i, 4 * i);
    for (int i = 1; i < WORDS; i++)
        n += (size_t)snprintf(text + n, room - n, "add.u32 %%r0, %%r0, %%r%d;\n", i);
    snprintf(text + n, room - n, "st.global.u32 [%%rd1+%d], %%r0;\nret;\n}\n", 4 * WORDS);
    return text;
}

static struct edge_event *new_event(struct rig *r, const char *name,
                                    struct edge_parameter **parameters, uint64_t argument)
{
    struct edge_error why = {0};
    struct edge_kernel kernel = event_kernel(module_kernel(r->module, name), parameters);
    struct edge_request request = {EDGE_TYPES(EDGE_I64), .kernel = &kernel,
                                   .grid = {1, 1, 1},    .block = {EVG_WARP_LANES, 1, 1},
                                   .max_in_flight = 1,   .requester = RID,
                                   .completion = 0x1000};
    struct edge_event *event = edge_register_event(&r->gpu.driver, &request, &why);
    assert_non_null(event);
    assert_true(edge_set_u64(event, 0, 0, argument, &why));
    assert_true(edge_set_completion(event, 0, 0x1000, &why));
    return event;
}

/* One core, whose contexts the background takes all. */
static struct rig *rig_create(enum tile_backend backend, const char *policy, const char *drain)
{
    struct rig *r = ALLOC(struct rig);
    struct machine_config machine;
    struct error err = {0};
    char choice[64], place[64];
    snprintf(choice, sizeof choice, "event.policy=%s", policy);
    snprintf(place, sizeof place, "event.drain=%s", drain);
    gpu_rig_machine(&machine, (const char *const[]){"gpu.cores=1", "event.reserved_cores=0", choice,
                                                    place, NULL});
    struct gpu_config config = gpu_settings(&machine, backend, SCHED_MODE_PREEMPT);
    struct gpu_callbacks calls = {0};
    gpu_rig_create(&r->gpu, &config, &calls);
    char *text = all_kernels();
    r->module = module_parse("behind", text, strlen(text), &err);
    free(text);
    if (!r->module || !gpu_load(r->gpu.gpu, r->module, &err))
        fail_msg("%s", err.text);
    r->flag = image_alloc(memory(r), 256, 256);
    r->words = image_alloc(memory(r), 4 * (WORDS + 1), 256);
    uint32_t *words = (uint32_t *)(void *)(memory(r)->base + r->words);
    for (uint32_t i = 0; i < WORDS; i++)
        words[i] = i + 1;
    return r;
}

static void rig_destroy(struct rig *r)
{
    edge_abandon_event(r->heavy);
    edge_abandon_event(r->light);
    gpu_destroy(r->gpu.gpu);
    module_free(r->module);
    free(r->heavy_parameters);
    free(r->light_parameters);
    free(r);
}

static void run(struct rig *r, uint64_t cycles)
{
    uint64_t end = gpu_cycle(r->gpu.gpu) + cycles;
    while (gpu_cycle(r->gpu.gpu) < end && !(r->gpu.grids && r->gpu.events == 2))
        gpu_rig_tick(&r->gpu);
}

static void ring(struct rig *r, struct edge_event *event)
{
    assert_true(gpu_doorbell(r->gpu.gpu, edge_doorbell(event), EVG_DOORBELL_BYTES, RID, 1));
}

/* With `fallback` the one in front waits in kernel management, not before the other. */
static void all_end(enum tile_backend backend, const char *policy, const char *drain)
{
    struct rig *r = rig_create(backend, policy, drain);
    struct error err = {0};
    struct gpu_stats stats;
    uint64_t param = image_alloc(memory(r), 8, 128);
    memcpy(memory(r)->base + param, &r->flag, sizeof r->flag);
    struct launch launch = {.kernel = module_kernel(r->module, "wait"),
                            .grid = {BLOCKS, 1, 1},
                            .block = {THREADS, 1, 1},
                            .param = param};
    r->heavy = new_event(r, "sum", &r->heavy_parameters, r->words);
    r->light = new_event(r, "raise", &r->light_parameters, r->flag);
    if (!gpu_launch(r->gpu.gpu, &launch, &err))
        fail_msg("%s", err.text);
    run(r, 20000); /* all poll */
    ring(r, r->heavy);
    run(r, 5000);
    gpu_stats(r->gpu.gpu, &stats);
    assert_int_equal(stats.events, 0);
    ring(r, r->light);
    run(r, TURN);
    assert_int_equal(r->gpu.grids, 1);
    assert_int_equal(r->gpu.events, 2);
    gpu_stats(r->gpu.gpu, &stats);
    /* The light one, which with `core` may take no register that is free. */
    bool block = !strcmp(drain, "fallback");
    assert_int_equal(stats.events_by_path[block ? EVENT_SPARE : EVENT_SAVED], 1);
    assert_int_equal(stats.events_by_path[block ? EVENT_BLOCKS : EVENT_FREE], 1);
    const uint32_t *words = (const uint32_t *)(const void *)(memory(r)->base + r->words);
    assert_int_equal(words[WORDS], WORDS * (WORDS + 1) / 2);
    rig_destroy(r);
}

static void test_background_that_waits_for_it(void **state)
{
    (void)state;
    all_end(TILE_MODEL, "oldest", "core");
    all_end(TILE_LOCKSTEP, "oldest", "core");
    all_end(TILE_LOCKSTEP, "cheapest", "core");
    all_end(TILE_VERILATOR, "newest", "blocks");
}

static void test_block_in_front(void **state)
{
    (void)state;
    all_end(TILE_MODEL, "oldest", "fallback");
    all_end(TILE_LOCKSTEP, "cheapest", "fallback");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_background_that_waits_for_it),
        cmocka_unit_test(test_block_in_front),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
