/* Concurrency management on a whole GPU: what the tiles are given, when limits take effect, kernels
 * that begin and end, and every policy against a reference that knows the paper only. */
#include "base/alloc.h"
#include "sim/gpu/concurrency/concurrency.h"
#include "sim/gpu/concurrency/dyncta.h"
#include "sim/gpu/gpu.h"
#include "sim/gpu/gpu_stats.h"
#include "sim/ptx/module.h"
#include "sim/system/config.h"
#include "sim/system/gpu_settings.h"
#include "tests/unit.h"

/* count: `spin` rounds of arithmetic. walk: `spin` loads, each from a line of its own, far apart.
 */
static const char ptx[] =
    ".version 3.2\n.target sm_35\n.address_size 64\n"
    ".visible .entry count(.param .u64 data, .param .u32 spin)\n"
    "{\n.reg .u64 %rd<3>;\n.reg .u32 %r<4>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [data];\nld.param.u32 %r1, [spin];\n"
    "LOOP:\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra DONE;\nsub.u32 %r1, %r1, 1;\nbra LOOP;\n"
    "DONE:\nred.global.add.u32 [%rd1], 1;\nret;\n}\n"
    ".visible .entry walk(.param .u64 data, .param .u32 spin)\n"
    "{\n.reg .u64 %rd<6>;\n.reg .u32 %r<9>;\n.reg .pred %p<2>;\n"
    "ld.param.u64 %rd1, [data];\nld.param.u32 %r1, [spin];\n"
    "mov.u32 %r2, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\n"
    "mad.lo.u32 %r5, %r3, %r4, %r2;\nmul.lo.u32 %r5, %r5, 4352;\n"
    "WALK:\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra OUT;\nsub.u32 %r1, %r1, 1;\n"
    "and.b32 %r6, %r5, 0xFFFFC0;\ncvt.u64.u32 %rd2, %r6;\nadd.u64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r7, [%rd3];\nadd.u32 %r5, %r5, %r7;\nadd.u32 %r5, %r5, 1234560;\nbra WALK;\n"
    "OUT:\nret;\n}\n";

struct rig {
    struct gpu *gpu;
    struct module *module;
    uint64_t data;
    uint64_t start[16], end[16]; /* of the grids, in the order of their ends */
    uint32_t n_grids;
};

static void on_grid(void *user, uint64_t cookie, const struct grid *grid)
{
    struct rig *r = user;
    (void)cookie;
    r->start[r->n_grids] = grid->start_cycle;
    r->end[r->n_grids++] = grid->end_cycle;
}

static struct gpu *make_gpu(struct rig *r, const char *policy, const char *const *overrides,
                            enum tile_backend backend, struct error *err)
{
    struct machine_config machine;
    if (!config_load(&machine, "config/edge.ini", err))
        return NULL;
    assert_true(config_override(&machine, "l2.partitions=4", err));
    for (; overrides && *overrides; overrides++)
        if (!config_override(&machine, *overrides, err))
            fail_msg("%s", err->text);
    struct gpu_config config = gpu_settings(&machine, backend, SCHED_MODE_PREEMPT);
    assert_true(concurrency_parse(policy, &config.concurrency.choice, err));
    struct gpu_callbacks calls = {.grid_done = on_grid, .user = r};
    return gpu_create(&config, &calls, err);
}

static struct rig *rig_create(const char *policy, const char *const *overrides,
                              enum tile_backend backend)
{
    struct rig *r = ALLOC(struct rig);
    struct error err = {0};
    r->gpu = make_gpu(r, policy, overrides, backend, &err);
    if (!r->gpu)
        fail_msg("%s", err.text);
    r->module = module_parse("test", ptx, strlen(ptx), &err);
    if (!r->module)
        fail_msg("%s", err.text);
    assert_true(gpu_load(r->gpu, r->module, &err));
    r->data = image_alloc(gpu_image(r->gpu), 32u << 20, 256);
    assert_true(r->data != 0);
    return r;
}

static void rig_destroy(struct rig *r)
{
    gpu_destroy(r->gpu);
    module_free(r->module);
    free(r);
}

static void launch(struct rig *r, const char *kernel, uint32_t blocks, uint32_t threads,
                   uint32_t spin)
{
    struct error err = {0};
    uint64_t params = image_alloc(gpu_image(r->gpu), 16, 16);
    memcpy(gpu_image(r->gpu)->base + params, &r->data, sizeof r->data);
    memcpy(gpu_image(r->gpu)->base + params + 8, &spin, sizeof spin);
    struct launch l = {.kernel = module_kernel(r->module, kernel),
                       .grid = {blocks, 1, 1},
                       .block = {threads, 1, 1},
                       .param = params};
    if (!gpu_launch(r->gpu, &l, &err))
        fail_msg("%s", err.text);
}

static void tick(struct rig *r)
{
    struct error err = {0};
    if (!gpu_tick(r->gpu, &err))
        fail_msg("%s", err.text);
}

/* As the machine does it; with `every`, no cycle is skipped. */
static void run_to(struct rig *r, uint64_t cycle, bool every)
{
    while (gpu_cycle(r->gpu) < cycle) {
        uint64_t next = every ? 0 : gpu_next_event(r->gpu);
        if (next > gpu_cycle(r->gpu))
            gpu_skip_to(r->gpu, next < cycle ? next : cycle);
        if (gpu_cycle(r->gpu) < cycle)
            tick(r);
    }
}

static void run_grids(struct rig *r, uint32_t grids)
{
    while (r->n_grids < grids) {
        assert_true(gpu_cycle(r->gpu) < 3000000);
        run_to(r, gpu_cycle(r->gpu) + 1, false);
    }
}

static struct concurrency_stats stats_of(struct rig *r)
{
    struct concurrency_stats stats;
    assert_true(gpu_concurrency(r->gpu, &stats));
    return stats;
}

static const char *const small[] = {"gpu.cores=4", "gpu.dispatch_latency=10", NULL};

/* --- names ------------------------------------------------------------------------------------ */

static void policies_have_names(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t policy, limit, k;
        bool tuned;
    } good[] = {{"off", CONCURRENCY_OFF, 0, 0, false},
                {"fixed:1", CONCURRENCY_FIXED, 1, 0, false},
                {"fixed:48", CONCURRENCY_FIXED, 48, 0, false},
                {"cm-cpu", CONCURRENCY_CM_CPU, 0, 0, false},
                {"cm-bal", CONCURRENCY_CM_BAL, 0, CONCURRENCY_INI_K, false},
                {"cm-bal1", CONCURRENCY_CM_BAL, 0, 32, false},
                {"cm-bal2", CONCURRENCY_CM_BAL, 0, 64, false},
                {"cm-bal3", CONCURRENCY_CM_BAL, 0, 96, false},
                {"cm-bal4", CONCURRENCY_CM_BAL, 0, 128, false},
                {"cm-bal:k=0", CONCURRENCY_CM_BAL, 0, 0, false},
                {"cm-bal:k=2047", CONCURRENCY_CM_BAL, 0, 2047, false},
                {"cm-next", CONCURRENCY_CM_NEXT, 0, EVG_CM_NEXT_K, false},
                {"cm-next:k=100", CONCURRENCY_CM_NEXT, 0, 100, false},
                {"dyncta", CONCURRENCY_DYNCTA, 0, 0, false},
                {"dyncta-tuned", CONCURRENCY_DYNCTA, 0, 0, true}};
    static const char *const bad[] = {
        "",          "on",         "fixed",   "fixed:",  "fixed:0",       "fixed:49",
        "fixed:4x",  "fixed:-1",   "cm-bal0", "cm-bal5", "cm-bal:k=2048", "cm-bal:k=",
        "cm-bal:32", "cm-balance", "dyncta2", "CM-CPU",  "cm-next1",      "cm-next:k=2048"};
    struct concurrency_choice choice;
    struct error err = {0};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(concurrency_parse(good[i].text, &choice, &err));
        assert_int_equal(choice.policy, good[i].policy);
        assert_int_equal(choice.limit, good[i].limit);
        bool has_k = choice.policy == CONCURRENCY_CM_BAL || choice.policy == CONCURRENCY_CM_NEXT;
        assert_true(!has_k || choice.k == good[i].k);
        assert_true(choice.tuned == good[i].tuned);
        assert_string_equal(choice.name, good[i].text);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        memset(&err, 0, sizeof err);
        assert_false(concurrency_parse(bad[i], &choice, &err));
        assert_non_null(strstr(err.text, bad[i]));
    }
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *override, *word;
    } bad[] = {{"core.schedulers=4", "core.schedulers"},
               {"core.warp_limit=8", "core.warp_limit"},
               {"concurrency.watched_core=8", "watched_core"},
               {"concurrency.interval=46", "concurrency.interval"},
               {"concurrency.t_high=10000", "t_high"},
               {"concurrency.t_low=101", "t_low"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *const overrides[] = {"gpu.cores=8", "l2.partitions=16", "l2.clock_khz=350000",
                                         bad[i].override, NULL};
        struct rig r = {.n_grids = 0};
        struct error err = {0};
        assert_null(make_gpu(&r, "cm-bal1", overrides, TILE_MODEL, &err));
        assert_non_null(strstr(err.text, bad[i].word));
        memset(&err, 0, sizeof err); /* and is none of the baseline's business */
        struct gpu *gpu = make_gpu(&r, "off", overrides, TILE_MODEL, &err);
        assert_non_null(gpu);
        gpu_destroy(gpu);
    }
}

/* --- DYNCTA's rules --------------------------------------------------------------------------- */

static void dyncta_decides_at_its_thresholds(void **state)
{
    (void)state;
    const struct dyncta_settings s = {
        .period = 2048, .idle = 16, .memory_low = 128, .memory_high = 384};
    static const struct {
        uint64_t idle, memory;
        int step;
    } rows[] = {{15, 127, 1},  {15, 128, 0}, {15, 383, 0}, {15, 384, -1}, {15, 2000, -1},
                {16, 2000, 1}, {16, 0, 1},   {0, 0, 1},    {0, 128, 0},   {0, 384, -1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct dyncta d = {0};
        dyncta_begin(&d, 6, 8);
        assert_int_equal(d.blocks, 3);
        d.idle = rows[i].idle;
        d.memory = rows[i].memory;
        dyncta_decide(&d, &s);
        assert_int_equal((int)d.blocks - 3, rows[i].step);
        assert_true(d.idle == 0 && d.memory == 0);
        assert_int_equal(dyncta_limit(&d), 8 * d.blocks > 48 ? 48 : 8 * d.blocks);
    }
    struct dyncta d = {0};
    dyncta_begin(&d, 1, 16);
    assert_int_equal(d.blocks, 1); /* never none, never more than fit */
    for (int i = 0; i < 3; i++) {
        d.memory = 384;
        dyncta_decide(&d, &s);
        assert_int_equal(d.blocks, 1);
        dyncta_decide(&d, &s);
        assert_int_equal(d.blocks, 1);
    }
    assert_int_equal(dyncta_limit(&d), 16);
    dyncta_begin(&d, 7, 8);
    assert_int_equal(d.blocks, 3);
    dyncta_begin(&d, 8, 8);
    for (int i = 0; i < 9; i++)
        dyncta_decide(&d, &s);
    assert_int_equal(d.blocks, 8);
    assert_int_equal(dyncta_limit(&d), 48); /* all warps of the core */
}

/* --- time ------------------------------------------------------------------------------------- */

/* Ticks: the first one after the interval, the reading of the partitions and the decision, the
 * others an interval apart, to the cycle. */
static void intervals_end_on_their_cycle(void **state)
{
    (void)state;
    static const struct {
        const char *l2, *interval;
        uint32_t cycles, reading;
    } rows[] = {{"l2.clock_khz=700000", "concurrency.interval=1024", 1024, 1},
                {"l2.clock_khz=350000", "concurrency.interval=1024", 1024, 2},
                {"l2.clock_khz=700000", "concurrency.interval=200", 200, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *const overrides[] = {"gpu.cores=4", rows[i].l2, rows[i].interval, NULL};
        struct rig *r = rig_create("cm-cpu", overrides, TILE_VERILATOR);
        launch(r, "walk", 8, 256, 40);
        uint32_t cycles = rows[i].cycles;
        run_to(r, cycles + 1000, false);
        struct concurrency_stats s = stats_of(r);
        uint64_t first = s.intervals[0].cycle, partitions = 4;
        /* One L2 cycle for each partition; the first may be under way. */
        uint64_t last = cycles + partitions * rows[i].reading + 3;
        assert_in_range(first, last + 1 - rows[i].reading, last);
        run_to(r, 20 * cycles, false);
        s = stats_of(r);
        assert_true(s.n_intervals >= 18);
        for (uint64_t n = 1; n < s.n_intervals; n++)
            assert_true(s.intervals[n].cycle == s.intervals[n - 1].cycle + cycles);
        /* The record is there in the cycle after the tick, not in that of the tick. */
        uint64_t next = s.intervals[s.n_intervals - 1].cycle + cycles;
        run_to(r, next, true);
        assert_true(stats_of(r).n_intervals == s.n_intervals);
        run_to(r, next + 2, true);
        assert_true(stats_of(r).n_intervals == s.n_intervals + 1);
        rig_destroy(r);
    }
}

/* --- signals ---------------------------------------------------------------------------------- */

static uint64_t stalls_of_cores(struct rig *r)
{
    struct gpu_stats s;
    gpu_stats(r->gpu, &s);
    return s.cores.stall_empty + s.cores.stall_barrier + s.cores.stall_scoreboard +
           s.cores.stall_unit;
}

/* Every cycle in which a scheduler has not issued is one stall, of the tiles as of the cores; every
 * cycle in which a controller or the reply network was full, one of the monitors. */
static void stalls_are_those_of_the_machine(void **state)
{
    (void)state;
    static const char *const regions[] = {"fe.region_kib=0", "fe.region_kib=64"};
    for (int i = 0; i < 2; i++) {
        /* Short intervals, that no counter is full; few places, that everything stalls. */
        const char *const overrides[] = {
            "gpu.cores=4",          "concurrency.interval=500", "dram.queue=2", "l2.miss_queue=4",
            "network.port_queue=1", "network.output_queue=1",   regions[i],     NULL};
        struct rig *r = rig_create("fixed:24", overrides, TILE_LOCKSTEP);
        launch(r, "walk", 16, 128, 10);
        launch(r, "count", 16, 128, 500);
        run_grids(r, 2);
        run_to(r, gpu_cycle(r->gpu) + 2000, false); /* what was stalled last has been read */
        struct concurrency_stats s = stats_of(r);
        struct gpu_stats g;
        gpu_stats(r->gpu, &g);
        assert_true(s.stall_mc == g.mem.memory_stalls && s.stall_mc > 1000);
        assert_true(s.stall_net == g.mem.reply_stalls && s.stall_net > 10);
        /* In the cycle in which a core's last warp leaves it, one scheduler may have stalled. */
        uint64_t cores = stalls_of_cores(r);
        assert_true(cores > 10000 && s.stall_gpu <= cores && cores - s.stall_gpu <= 8);
        rig_destroy(r);
    }
}

static void one_scheduler_has_half_the_stalls(void **state)
{
    (void)state;
    const char *const one[] = {"gpu.cores=4", "core.schedulers=1", "concurrency.interval=500",
                               NULL};
    struct rig *r = rig_create("fixed:8", one, TILE_LOCKSTEP);
    launch(r, "walk", 4, 64, 30);
    run_grids(r, 1);
    run_to(r, gpu_cycle(r->gpu) + 2000, false);
    struct concurrency_stats s = stats_of(r);
    for (uint64_t i = 0; i < s.n_intervals; i++)
        assert_true(s.intervals[i].stalls <= 4u * 500u);
    assert_true(stalls_of_cores(r) - s.stall_gpu <= 4);
    rig_destroy(r);
}

static void cores_without_work_do_not_stall(void **state)
{
    (void)state;
    struct rig *r = rig_create("cm-bal1", small, TILE_LOCKSTEP);
    launch(r, "walk", 2, 256, 100);
    run_grids(r, 1);
    struct concurrency_stats s = stats_of(r);
    assert_true(s.n_intervals > 5);
    for (uint64_t i = 1; i < s.n_intervals; i++) {
        assert_int_equal(s.intervals[i].active, 2);
        assert_true(s.intervals[i].stalls <= 2u * 2u * 1024u);
    }
    uint64_t counted = 0;
    for (uint32_t limit = 0; limit < CONCURRENCY_LIMITS; limit++)
        counted += s.at_limit[limit];
    assert_true(counted <= 2 * s.n_intervals && counted >= 2 * (s.n_intervals - 1));
    rig_destroy(r);
    /* And nobody at all: nothing happens but decisions. */
    r = rig_create("cm-bal1", small, TILE_LOCKSTEP);
    run_to(r, 10000, false);
    s = stats_of(r);
    assert_int_equal(s.n_intervals, 9);
    assert_true(s.stall_gpu == 0 && s.active_cycles == 0 && s.at_limit[48] == 0);
    assert_int_equal(s.decisions[CM_DECISION_UP], 9);
    rig_destroy(r);
}

/* --- limits ----------------------------------------------------------------------------------- */

static uint64_t end_of(const char *policy, const char *limit, const char *kernel)
{
    const char *const overrides[] = {"gpu.cores=4", limit, NULL};
    struct rig *r = rig_create(policy, overrides, TILE_MODEL);
    launch(r, kernel, 12, 256, kernel[0] == 'w' ? 10 : 100);
    run_grids(r, 1);
    uint64_t end = r->end[0];
    rig_destroy(r);
    return end;
}

/* The tiles' limit is that of the schedulers, cycle for cycle, from the first cycle on. */
static void a_fixed_limit_is_the_schedulers(void **state)
{
    (void)state;
    static const char *const kernels[] = {"walk", "count"};
    static const uint32_t limits[] = {1, 2, 7, 24};
    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
            char policy[16], key[32];
            snprintf(policy, sizeof policy, "fixed:%u", limits[i]);
            snprintf(key, sizeof key, "core.warp_limit=%u", limits[i]);
            assert_true(end_of(policy, "core.warp_limit=0", kernels[k]) ==
                        end_of("off", key, kernels[k]));
        }
        assert_true(end_of("fixed:48", "core.warp_limit=0", kernels[k]) ==
                    end_of("off", "core.warp_limit=0", kernels[k]));
    }
}

static void off_makes_nothing(void **state)
{
    (void)state;
    struct rig *r = rig_create("off", small, TILE_VERILATOR);
    struct concurrency_stats stats;
    assert_false(gpu_concurrency(r->gpu, &stats));
    tick(r);
    assert_true(gpu_next_event(r->gpu) == UINT64_MAX);
    rig_destroy(r);
}

/* --- policies against a reference ------------------------------------------------------------- */

enum { LEVELS = 9 };
static const int levels[LEVELS] = {1, 2, 3, 4, 6, 8, 16, 24, 48};

/* CM-BAL, sections 4.1 and 4.2, one core. */
struct reference {
    bool bal;
    int k, limit, same;
    int average[LEVELS]; /* -1: not valid */
};

static int level_of(int limit)
{
    for (int i = 0; i < LEVELS; i++)
        if (levels[i] == limit)
            return i;
    return -1;
}

static int neighbour(const struct reference *m, int direction)
{
    if (m->bal) {
        int level = level_of(m->limit) + direction;
        return level < 0 || level >= LEVELS ? m->limit : levels[level];
    }
    int from = direction < 0 ? m->limit - 1 : m->limit;
    int to = m->limit + direction * (from < 8 ? 1 : 2);
    return to < 1 || to > 48 ? m->limit : to;
}

static int reference_decision(uint32_t mc, uint32_t net, uint32_t high, uint32_t low)
{
    if (mc >= high || net >= high)
        return CM_DECISION_DOWN;
    return mc < low && net < low ? CM_DECISION_UP : CM_DECISION_HOLD;
}

static void reference_interval(struct reference *m, int stalls, int decision)
{
    int level = level_of(m->limit), next = m->limit;
    if (level >= 0) {
        int *average = &m->average[level];
        *average = *average < 0 ? stalls : (*average + 3 * stalls) / 4;
    }
    if (decision == CM_DECISION_DOWN)
        next = neighbour(m, -1);
    if (decision == CM_DECISION_UP)
        next = neighbour(m, 1);
    if (m->bal) {
        int own = m->average[level], lower = level ? m->average[level - 1] : -1;
        int upper = level + 1 < LEVELS ? m->average[level + 1] : -1;
        if (next < m->limit && lower >= 0 && lower - own > m->k)
            next = m->limit;
        if (upper >= 0 && own - upper > m->k)
            next = neighbour(m, 1);
        if (next == m->limit && ++m->same >= 4)
            next = m->limit < 6 ? neighbour(m, 1) : neighbour(m, -1);
        if (next != m->limit)
            m->same = 0;
    }
    m->limit = next;
}

/* Kernels that begin or end before the tick, since the last one. */
static bool forgets(const struct rig *r, uint64_t from, uint64_t to)
{
    bool any = false;
    for (uint32_t g = 0; g < r->n_grids; g++)
        any |= (r->start[g] >= from && r->start[g] < to) || (r->end[g] >= from && r->end[g] < to);
    return any;
}

static void follow(struct rig *r, bool bal, int k)
{
    struct concurrency_stats s = stats_of(r);
    struct reference m = {.bal = bal, .k = k, .limit = 48};
    memset(m.average, -1, sizeof m.average);
    const uint32_t high = 1024, low = 256;
    uint64_t from = 0;
    bool moved = false;
    for (uint64_t i = 0; i < s.n_intervals; i++) {
        const struct concurrency_interval *v = &s.intervals[i];
        if (forgets(r, from, v->cycle))
            memset(m.average, -1, sizeof m.average);
        assert_false(forgets(r, v->cycle, v->cycle + 10)); /* that is the tiles' tests' */
        from = v->cycle;
        assert_int_equal(v->decision, reference_decision(v->stall_mc, v->stall_net, high, low));
        assert_int_equal(v->limit, m.limit);
        int level = level_of(m.limit);
        int lower = level > 0 ? m.average[level - 1] : -1;
        int upper = level >= 0 && level + 1 < LEVELS ? m.average[level + 1] : -1;
        reference_interval(&m, v->stall, v->decision);
        moved |= m.limit != v->limit;
        if (level < 0)
            continue;
        assert_int_equal((int16_t)v->own, m.average[level]);
        assert_int_equal((int16_t)v->lower, lower);
        assert_int_equal((int16_t)v->upper, upper);
    }
    assert_true(moved && s.n_intervals > 30);
    assert_int_equal(s.kernels_begun, 3);
    assert_int_equal(s.kernels_ended, 3);
}

static void policies_follow_the_paper(void **state)
{
    (void)state;
    static const struct {
        const char *policy;
        int k;
        bool bal;
    } rows[] = {{"cm-cpu", 0, false},
                {"cm-bal1", 32, true},
                {"cm-bal4", 128, true},
                {"cm-bal:k=2047", 2047, true}};
    const char *const narrow[] = {"gpu.cores=4", "dram.queue=4", "network.port_queue=2", NULL};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct rig *r = rig_create(rows[i].policy, narrow, TILE_LOCKSTEP);
        launch(r, "walk", 24, 96, 20); /* this and the next overlap */
        launch(r, "count", 8, 128, 2000);
        run_grids(r, 2);
        launch(r, "walk", 12, 96, 10);
        run_grids(r, 3);
        follow(r, rows[i].bal, rows[i].k);
        rig_destroy(r);
    }
}

/* --- the same however it is run --------------------------------------------------------------- */

/* Lockstep gives the tiles every edge; the others give sums, several times fewer edges. */
static void same_series(struct rig *a, struct rig *b, bool b_lockstep)
{
    struct concurrency_stats x = stats_of(a), y = stats_of(b);
    assert_int_equal(x.n_intervals, y.n_intervals);
    for (uint64_t i = 0; i < x.n_intervals; i++) {
        const struct concurrency_interval *v = &x.intervals[i], *w = &y.intervals[i];
        assert_true(v->cycle == w->cycle && v->stall_mc == w->stall_mc &&
                    v->stall_net == w->stall_net && v->decision == w->decision &&
                    v->active == w->active && v->limits == w->limits && v->stalls == w->stalls &&
                    v->own == w->own && v->lower == w->lower && v->upper == w->upper);
    }
    assert_true(x.active_limit_cycles == y.active_limit_cycles);
    assert_true(x.limit_cycles == y.limit_cycles);
    assert_true(b_lockstep ? x.core_steps * 5 < y.core_steps : x.core_steps == y.core_steps);
    assert_true(b_lockstep ? x.unit_steps * 5 < y.unit_steps : x.unit_steps == y.unit_steps);
    assert_true(a->end[0] == b->end[0]);
}

static void equal_on_all_back_ends_and_without_skips(void **state)
{
    (void)state;
    static const char *const policies[] = {"cm-bal1", "cm-cpu", "dyncta"};
    for (int p = 0; p < 3; p++) {
        struct rig *base = NULL;
        for (int i = 0; i < 4; i++) {
            static const enum tile_backend backends[] = {TILE_MODEL, TILE_VERILATOR, TILE_LOCKSTEP,
                                                         TILE_MODEL};
            struct rig *r = rig_create(policies[p], small, backends[i]);
            launch(r, "walk", 12, 64, 8);
            run_to(r, 20000, i == 3);
            assert_int_equal(r->n_grids, 1);
            if (base)
                same_series(base, r, backends[i] == TILE_LOCKSTEP);
            else
                base = r;
            if (base != r)
                rig_destroy(r);
        }
        rig_destroy(base);
    }
}

/* DYNCTA's limit is whole blocks, half of what fits at the start of a kernel. */
static void dyncta_limits_blocks(void **state)
{
    (void)state;
    struct rig *r = rig_create("dyncta", small, TILE_LOCKSTEP);
    launch(r, "walk", 40, 192, 8); /* 6 warps; 10 blocks fit */
    run_grids(r, 1);
    struct concurrency_stats s = stats_of(r);
    assert_int_equal(s.intervals[0].limit, 5 * 6);
    bool moved = false;
    for (uint64_t i = 0; i < s.n_intervals; i++) {
        assert_int_equal(s.intervals[i].limit % 6, 0);
        moved |= s.intervals[i].limit != 5 * 6;
    }
    assert_true(moved);
    rig_destroy(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_have_names),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(dyncta_decides_at_its_thresholds),
        cmocka_unit_test(intervals_end_on_their_cycle),
        cmocka_unit_test(stalls_are_those_of_the_machine),
        cmocka_unit_test(one_scheduler_has_half_the_stalls),
        cmocka_unit_test(cores_without_work_do_not_stall),
        cmocka_unit_test(a_fixed_limit_is_the_schedulers),
        cmocka_unit_test(off_makes_nothing),
        cmocka_unit_test(policies_follow_the_paper),
        cmocka_unit_test(equal_on_all_back_ends_and_without_skips),
        cmocka_unit_test(dyncta_limits_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
