/* Owners that end at any moment, while their kernels and events, and those of others, are on the
 * GPU: the others' results are right, every grid and every doorbell is reported, nothing stays
 * behind. */
#include "base/alloc.h"
#include "base/rng.h"
#include "evgpu_defs.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/guest/service/event_driver.h"
#include "sim/system/config.h"
#include "sim/system/gpu_settings.h"
#include "sw/edge/edge.h"
#include "tests/system/gpu_rig.h"
#include "tests/unit.h"

#define RID      0x200
#define OWNERS   4 /* 1 and 2 have grids, 3 and 4 events */
#define GRIDS    3
#define BLOCKS   40u
#define THREADS  128u
#define ROUNDS   6
#define FOR_EVER 0x7FFFFFFFu /* rounds of an owner that will end */
#define ENTRIES  32

/* `work`: sums that go from thread to thread through shared memory, between two barriers, one of
 * which counts threads; `count`: an event that reads, spins and counts its lanes. */
static const char ptx[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry work(.param .u64 in, .param .u64 out, .param .u64 total,\n"
    ".param .u32 rounds)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<14>;\n.reg .b64 %rd<8>;\n.shared "
    ".align 4 .b8 part[512];\n"
    "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nld.param.u64 %rd3, [total];\n"
    "ld.param.u32 %r13, [rounds];\n"
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 128, %r1;\n"
    "mul.wide.u32 %rd4, %r3, 4;\nadd.u64 %rd5, %rd1, %rd4;\nadd.u64 %rd6, %rd2, %rd4;\n"
    "mov.u32 %r4, 0;\nmov.u32 %r5, 0;\nshl.b32 %r8, %r1, 2;\nmov.u32 %r12, part;\n"
    "add.u32 %r7, %r12, %r8;\nxor.b32 %r9, %r8, 4;\nadd.u32 %r10, %r12, %r9;\n"
    "LOOP:\nld.global.u32 %r6, [%rd5];\nadd.u32 %r5, %r5, %r6;\nst.shared.u32 [%r7], %r5;\n"
    "bar.sync 0;\nld.shared.u32 %r11, [%r10];\nbar.sync 1, 128;\nadd.u32 %r5, %r5, %r11;\n"
    "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, %r13;\n@%p1 bra LOOP;\n"
    "st.global.u32 [%rd6], %r5;\nmembar.gl;\nred.global.add.u32 [%rd3], 1;\nret;\n}\n"
    ".visible .entry count(.param .u64 total, .param .u32 spin)\n"
    "{\n.reg .u64 %rd<3>;\n.reg .u32 %r<4>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [total];\nld.param.u32 %r1, [spin];\nld.global.u32 %r2, [%rd1];\n"
    "LOOP:\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nsub.u32 %r1, %r1, 1;\nbra LOOP;\n"
    "DONE:\nand.b32 %r2, %r2, 0;\nadd.u32 %r2, %r2, 1;\nred.global.add.u32 [%rd1], %r2;\nret;\n}\n";

struct owner {
    struct module *module;
    struct edge_kernel count;
    struct edge_parameter *parameters;
    struct edge_event *event;
    uint64_t in, out[GRIDS], total;
    uint32_t grids, rung;
    bool over;
};

struct rig {
    struct gpu_rig host;
    struct owner owner[OWNERS + 1];
    uint32_t flags;
};

static bool on_flag(void *user, uint32_t row, uint64_t address, uint32_t data)
{
    struct rig *r = user;
    (void)row, (void)address, (void)data;
    r->flags++;
    return true;
}

static void on_grid(void *user, uint64_t cookie, const struct grid *grid)
{
    struct rig *r = user;
    assert_true(grid->blocks_done == grid->total_blocks);
    assert_true(r->owner[cookie].over || grid->blocks_done == BLOCKS);
    r->owner[cookie].grids++;
}

static void on_event(void *user, const struct event_times *times)
{
    (void)user, (void)times;
}

static uint8_t *memory(const struct rig *r, uint64_t address)
{
    return gpu_image(r->host.gpu)->base + address;
}

static void make_owner(struct rig *r, uint32_t number)
{
    struct owner *o = &r->owner[number];
    struct error err = {0};
    o->module = module_parse("test", ptx, strlen(ptx), &err);
    if (!o->module || !gpu_load(r->host.gpu, o->module, &err))
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < module_kernel_count(o->module); i++)
        module_kernel_at(o->module, i)->owner = number;
    o->count = event_kernel(module_kernel(o->module, "count"), &o->parameters);
    o->total = gpu_rig_alloc(r, 256, 256);
}

static void launch_grids(struct rig *r, uint32_t number, uint32_t rounds)
{
    struct owner *o = &r->owner[number];
    struct error err = {0};
    o->in = gpu_rig_alloc(r, 4 * BLOCKS * THREADS, 256);
    for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
        ((uint32_t *)(void *)memory(r, o->in))[i] = i * 2654435761u;
    for (uint32_t g = 0; g < GRIDS; g++) {
        o->out[g] = gpu_rig_alloc(r, 4 * BLOCKS * THREADS, 256);
        uint64_t param = gpu_rig_alloc(r, 32, 16);
        const uint64_t values[] = {o->in, o->out[g], o->total, rounds};
        memcpy(memory(r, param), values, sizeof values);
        struct launch l = {.kernel = module_kernel(o->module, "work"),
                           .grid = {BLOCKS, 1, 1},
                           .block = {THREADS, 1, 1},
                           .param = param,
                           .cookie = number};
        assert_true(gpu_launch(r->host.gpu, &l, &err));
    }
}

/* `threads` of 256: thread blocks, which wait in kernel management. */
static void register_event(struct rig *r, uint32_t number, uint32_t threads, uint32_t spin)
{
    struct owner *o = &r->owner[number];
    struct edge_error err = {0};
    struct edge_request request = {EDGE_TYPES(EDGE_I64, EDGE_I32),
                                   .kernel = &o->count,
                                   .grid = {1, 1, 1},
                                   .block = {threads, 1, 1},
                                   .max_in_flight = ENTRIES,
                                   .requester = RID,
                                   .completion = 0x1000};
    o->event = edge_register_event(&r->host.driver, &request, &err);
    assert_non_null(o->event);
    for (uint32_t i = 0; i < ENTRIES; i++) {
        edge_set_u64(o->event, i, 0, o->total, &err);
        edge_set_u32(o->event, i, 1, spin ? spin : 5 + i, &err);
        edge_set_completion(o->event, i, 0x1000 + 4 * (uint64_t)i, &err);
    }
}

static struct rig *rig_create(const char *const *overrides, enum tile_backend backend,
                              uint32_t mode)
{
    struct rig *r = ALLOC(struct rig);
    struct machine_config machine;
    gpu_rig_machine(&machine, overrides);
    struct gpu_config config = gpu_settings(&machine, backend, mode);
    struct gpu_callbacks calls = {
        .flag_write = on_flag, .grid_done = on_grid, .event_done = on_event};
    gpu_rig_create(&r->host, &config, &calls);
    for (uint32_t i = 1; i <= OWNERS; i++)
        make_owner(r, i);
    return r;
}

static void rig_destroy(struct rig *r)
{
    for (uint32_t i = 1; i <= OWNERS; i++)
        edge_abandon_event(r->owner[i].event);
    gpu_destroy(r->host.gpu);
    for (uint32_t i = 1; i <= OWNERS; i++) {
        module_free(r->owner[i].module);
        free(r->owner[i].parameters);
    }
    free(r);
}

static void check_grids(const struct rig *r, uint32_t number)
{
    const struct owner *o = &r->owner[number];
    uint32_t total = 0, n = BLOCKS * THREADS;
    uint32_t *sum = ALLOC_ARRAY(uint32_t, n), *own = ALLOC_ARRAY(uint32_t, n);
    const uint32_t *in = (const uint32_t *)(const void *)memory(r, o->in);
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < n; i++)
            own[i] = sum[i] + in[i];
        for (uint32_t i = 0; i < n; i++)
            sum[i] = own[i] + own[i ^ 1];
    }
    for (uint32_t g = 0; g < GRIDS; g++)
        assert_memory_equal(sum, memory(r, o->out[g]), n * sizeof *sum);
    memcpy(&total, memory(r, o->total), sizeof total);
    assert_int_equal(total, GRIDS * n);
    free(sum);
    free(own);
}

static void check_events(const struct rig *r, uint32_t number, uint32_t threads)
{
    uint32_t total = 0;
    memcpy(&total, memory(r, r->owner[number].total), sizeof total);
    if (r->owner[number].over)
        assert_true(total <= r->owner[number].rung * threads);
    else
        assert_int_equal(total, r->owner[number].rung * threads);
}

struct trial {
    uint64_t at;   /* cycle, from the first doorbell on */
    uint32_t over; /* owners that end then, bit per owner */
    uint32_t mode;
    uint32_t threads; /* of an event of owner 4 */
    enum tile_backend backend;
    const char *const *overrides;
};

static void ring(struct rig *r, struct rng *rng)
{
    struct owner *o = &r->owner[3 + rng_below(rng, 2)];
    if (r->owner[3].rung + r->owner[4].rung - r->flags < ENTRIES &&
        gpu_doorbell(r->host.gpu, edge_doorbell(o->event), EVG_DOORBELL_BYTES, RID, 1))
        o->rung++;
}

/* Preemptions. */
static uint64_t try(const struct trial *t, uint64_t seed)
{
    struct rig *r = rig_create(t->overrides, t->backend, t->mode);
    struct rng rng;
    rng_seed(&rng, seed);
    register_event(r, 3, 32, t->over >> 3 & 1 ? FOR_EVER : 0);
    register_event(r, 4, t->threads, t->over >> 4 & 1 ? FOR_EVER : 0);
    launch_grids(r, 1, t->over >> 1 & 1 ? FOR_EVER : ROUNDS);
    launch_grids(r, 2, t->over >> 2 & 1 ? FOR_EVER : ROUNDS);
    for (int i = 0; i < 1200; i++)
        gpu_rig_tick(&r->host);
    for (uint64_t i = 0; i < t->at + 400; i++) {
        for (uint32_t o = 1; i == t->at && o <= OWNERS; o++) {
            if (t->over >> o & 1) {
                r->owner[o].over = true;
                gpu_end_owner(r->host.gpu, o);
            }
        }
        if (rng_below(&rng, 25) == 0)
            ring(r, &rng);
        gpu_rig_tick(&r->host);
    }
    gpu_rig_run_until_idle(&r->host, 2000000);
    assert_int_equal(r->flags, r->owner[3].rung + r->owner[4].rung);
    for (uint32_t o = 1; o <= 2; o++) {
        assert_int_equal(r->owner[o].grids, GRIDS);
        if (!r->owner[o].over)
            check_grids(r, o);
    }
    check_events(r, 3, 32);
    check_events(r, 4, t->threads);
    struct gpu_stats stats;
    gpu_stats(r->host.gpu, &stats);
    rig_destroy(r);
    return stats.events_by_path[EVENT_SPARE] + stats.events_by_path[EVENT_SAVED];
}

static const char *const small[] = {"gpu.cores=2", "gpu.memory_mib=64", NULL};
static const char *const no_flush[] = {"gpu.cores=2", "gpu.memory_mib=64", "event.options=0",
                                       "event.policy=newest", NULL};
static const char *const tight[] = {"gpu.cores=2", "gpu.memory_mib=64", "core.registers=24576",
                                    "event.policy=oldest", NULL};

static void sweep(enum tile_backend backend, uint64_t from, uint64_t to, uint64_t step)
{
    static const char *const *const machines[] = {small, no_flush, tight};
    static const uint32_t over[] = {1u << 1, 1u << 3, 1u << 4, 1u << 1 | 1u << 3, 0x1E};
    uint64_t preemptions = 0;
    uint32_t n = 0;
    for (uint64_t at = from; at < to; at += step, n++) {
        struct trial t = {.at = at,
                          .over = over[n % 5],
                          .mode = n % 7 == 6 ? SCHED_MODE_DRAIN : SCHED_MODE_PREEMPT,
                          .threads = n % 4 == 3 ? 256 : 32,
                          .backend = backend,
                          .overrides = machines[n / 5 % 3]};
        preemptions += try(&t, 100 + n);
    }
    assert_true(preemptions > 10 * n);
}

static void owners_end_at_any_cycle(void **state)
{
    (void)state;
    sweep(TILE_MODEL, 0, 9000, 97);
}

static void the_same_with_both_back_ends(void **state)
{
    (void)state;
    sweep(TILE_LOCKSTEP, 11, 9000, 401);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_end_at_any_cycle),
        cmocka_unit_test(the_same_with_both_back_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
