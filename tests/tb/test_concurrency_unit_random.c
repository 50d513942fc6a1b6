/* Concurrency management under random load: controller and two cores in
 * lockstep with their golden models at every edge and every port; copies that
 * are not clocked while idle stay equal; and an independent reference, which
 * keeps whole histories instead of counters and averages, says what every
 * decision and every limit has to be. EVGPU_SEED repeats a run. */
#include "base/rng.h"
#include "tests/tb/concurrency_bench.h"
#include "tests/tb/pattern.h"
#include "tests/unit.h"

enum {
    EPOCHS = 120,
    EPOCH_CYCLES = 10000,
    HISTORY = EPOCH_CYCLES,
    LEVELS = EVG_CM_LEVELS,
    MOST_TO_PULSE = 200,
    LIMIT_LATENCY = 9, /* edges from the one that sees the tick to the new limit */
    DEFAULT_SEED = 20160611,
};

static const uint8_t ladder[LEVELS] = {1, 2, 3, 4, 6, 8, 16, 24, 48}; /* CM-BAL 4.2 */

/* What a core has gone through since its last kernel boundary, and what it has
 * to do next. */
struct history {
    uint32_t count;
    struct {
        uint8_t level;
        uint32_t stalls;
    } intervals[HISTORY];
    uint32_t stalls;   /* of the present interval */
    uint8_t recent[8]; /* the limits of the last intervals in this mode, latest
                          first */
    uint32_t n_recent;
    uint32_t due_in; /* edges until the limit changes, 0: nothing decided */
    enum cm_decision decision;
    int own, upper;  /* averages as they were read */
    bool costs_more; /* the lower level would cost more than k */
    bool gains;      /* the upper level would gain more than k */
    uint8_t limit;
};

struct world {
    struct cm_bench bench;
    struct tile *lazy_unit, *lazy_core[CM_BENCH_CORES];
    struct concurrency_unit_out lazy_unit_out;
    struct sm_concurrency_unit_out lazy_core_out[CM_BENCH_CORES];
    struct rng rng;
    /* Load of the epoch, chances of 256 */
    uint8_t miss[CM_BENCH_CORES], contention[CM_BENCH_CORES], mc[EVG_CM_PARTITIONS],
        net[EVG_CM_PARTITIONS], kernel, active;
    uint8_t was_active[CM_BENCH_CORES];
    struct pattern answers; /* of the monitors */
    bool disturb;           /* software writes everything; then only lockstep judges */
    struct history history[CM_BENCH_CORES];
    uint32_t mc_stalls[EVG_CM_PARTITIONS], net_stalls[EVG_CM_PARTITIONS]; /* since last read */
    uint32_t sum_mc, sum_net;
    uint64_t resets, skips, decisions[3], limits_checked, moves[3], forced, kept, raised;
};

/* --- Reference
 * --------------------------------------------------------------------------------
 */

static int number_of(uint32_t warps)
{
    for (int n = 0; n < LEVELS; n++)
        if (ladder[n] == warps)
            return n;
    return -1;
}

/* The average of a level from all that happened, or -1. */
static int average_of(const struct history *h, int level)
{
    int average = -1;
    for (uint32_t i = 0; i < h->count; i++) {
        if (h->intervals[i].level != level)
            continue;
        int stalls = (int)h->intervals[i].stalls;
        average = average < 0 ? stalls : (average * 25 + stalls * 75) / 100;
    }
    return average;
}

static bool above_by_more(int a, int b, int k)
{
    return a >= 0 && b >= 0 && a - b > k;
}

static uint8_t balanced(struct world *w, const struct history *h)
{
    const struct concurrency_unit_out *cfg = &w->bench.unit_out;
    int n = number_of(h->limit), target = n;
    if (h->decision == CM_DECISION_DOWN && n > 0)
        target = n - 1;
    if (h->decision == CM_DECISION_UP && n < LEVELS - 1)
        target = n + 1;
    if (target < n && h->costs_more) {
        target = n;
        w->kept++;
    }
    if (h->gains) {
        target = n + 1;
        w->raised++;
    }
    uint32_t same = 0;
    while (same < h->n_recent && h->recent[same] == h->limit)
        same++;
    if (target == n && cfg->cm_patience && same >= cfg->cm_patience) {
        w->forced++;
        target += h->limit < cfg->cm_pivot ? (n < LEVELS - 1) : -(n > 0);
    }
    return ladder[target];
}

static uint8_t cpu_centric(uint8_t limit, enum cm_decision decision)
{
    if (decision == CM_DECISION_DOWN)
        return (uint8_t)(limit > 8 ? limit - 2 : limit > 1 ? limit - 1 : 1);
    if (decision == CM_DECISION_UP)
        return (uint8_t)(limit >= 48 ? 48 : limit >= 8 ? limit + 2 : limit + 1);
    return limit;
}

/* The core's unit sees a tick at this edge. */
static void reference_tick(struct history *h, enum cm_decision decision)
{
    int n = number_of(h->limit);
    if (n >= 0) {
        h->intervals[h->count].level = (uint8_t)n;
        h->intervals[h->count].stalls = h->stalls < 2047 ? h->stalls : 2047;
        h->count++;
    }
    h->stalls = 0;
    memmove(h->recent + 1, h->recent, sizeof h->recent - 1);
    h->recent[0] = h->limit;
    h->n_recent += h->n_recent < sizeof h->recent;
    h->decision = decision;
    h->due_in = LIMIT_LATENCY;
}

static void reference_decide(struct world *w, struct history *h)
{
    enum cm_mode mode = (enum cm_mode)w->bench.unit_out.cm_mode;
    uint8_t limit = mode == CM_MODE_CPU   ? cpu_centric(h->limit, h->decision)
                    : mode == CM_MODE_BAL ? balanced(w, h)
                                          : h->limit;
    w->moves[(limit > h->limit) - (limit < h->limit) + 1]++;
    h->limit = limit;
}

static void reference_core(struct world *w, int c, const struct concurrency_unit_out *seen)
{
    struct history *h = &w->history[c];
    const struct sm_concurrency_unit_in *in = &w->bench.core_in[c];
    /* One average per edge, with what a kernel's boundary in between has left. */
    int n = number_of(h->limit), k = w->bench.unit_out.cm_k;
    switch (h->due_in ? LIMIT_LATENCY + 1 - h->due_in : 0) {
    case 3:
        h->own = average_of(h, n);
        break;
    case 4:
        h->costs_more = n > 0 && above_by_more(average_of(h, n - 1), h->own, k);
        break;
    case 5:
        h->upper = n >= 0 && n < LEVELS - 1 ? average_of(h, n + 1) : -1;
        break;
    case 6:
        h->gains = above_by_more(average_of(h, n), h->upper, k);
        break;
    default:
        break;
    }
    if (h->due_in && !--h->due_in)
        reference_decide(w, h);
    if (seen->cm_tick)
        reference_tick(h, (enum cm_decision)seen->cm_decision);
    if (in->core_active)
        for (int s = 0; s < 2; s++)
            h->stalls += !(in->sched_ready >> s & 1) || (in->sched_full >> s & 1);
    if (in->kernel_begin || in->kernel_end)
        h->count = 0;
}

static void check_core(struct world *w, int c)
{
    const struct history *h = &w->history[c];
    if (w->bench.core_out[c].limit != h->limit)
        fail_msg("edge %llu, core %d: limit %u instead of %u", (unsigned long long)w->bench.edges,
                 c, w->bench.core_out[c].limit, h->limit);
    w->limits_checked++;
}

/* Stalls as the partitions had them, summed up when they are read. */
static void reference_unit(struct world *w, const struct concurrency_unit_out *seen)
{
    if (seen->mon_read && !w->bench.silent) {
        if (!seen->mon_index)
            w->sum_mc = w->sum_net = 0;
        uint32_t p = seen->mon_index;
        w->sum_mc += w->mc_stalls[p] < CM_STALL_MAX ? w->mc_stalls[p] : CM_STALL_MAX;
        w->sum_net += w->net_stalls[p] < CM_STALL_MAX ? w->net_stalls[p] : CM_STALL_MAX;
        w->mc_stalls[p] = w->net_stalls[p] = 0;
    }
    for (int p = 0; p < EVG_CM_PARTITIONS; p++) {
        w->mc_stalls[p] += w->bench.monitors[p].mc_stall;
        w->net_stalls[p] += w->bench.monitors[p].net_stall;
    }
}

static void check_unit(struct world *w, uint32_t high, uint32_t low)
{
    const struct concurrency_unit_out *out = &w->bench.unit_out;
    if (!out->cm_tick)
        return;
    uint32_t most = w->sum_mc > w->sum_net ? w->sum_mc : w->sum_net;
    enum cm_decision expected = most >= high  ? CM_DECISION_DOWN
                                : most >= low ? CM_DECISION_HOLD
                                              : CM_DECISION_UP;
    if (out->cm_decision != expected)
        fail_msg("edge %llu: decision %u instead of %u for sums %u, %u",
                 (unsigned long long)w->bench.edges, out->cm_decision, expected, w->sum_mc,
                 w->sum_net);
    w->decisions[expected]++;
}

/* --- Load
 * ---------------------------------------------------------------------------------------
 */

/* Few warps miss latency tolerance, many contend: the curve of CM-BAL
 * Figure 12. */
static void random_stalls(struct world *w, int c)
{
    struct sm_concurrency_unit_in *in = &w->bench.core_in[c];
    uint32_t limit = w->bench.core_out[c].limit;
    uint32_t not_ready = w->miss[c] / limit + w->contention[c] * limit / 48;
    in->sched_ready = in->sched_full = 0;
    for (int s = 0; s < 2; s++) {
        bool ready = rng_below(&w->rng, 256) >= not_ready;
        in->sched_ready = (uint8_t)(in->sched_ready | ready << s);
        in->sched_full = (uint8_t)(in->sched_full | rng_chance(&w->rng, 1, 16) << s);
    }
    in->core_active = w->active == 255 || rng_below(&w->rng, 256) < w->active;
    in->kernel_begin = rng_chance(&w->rng, w->kernel, 65536);
    in->kernel_end = rng_chance(&w->rng, w->kernel, 65536);
}

static void random_congestion(struct world *w)
{
    uint32_t limit = w->bench.core_out[0].limit;
    for (int p = 0; p < EVG_CM_PARTITIONS; p++) {
        struct cm_monitor *m = &w->bench.monitors[p];
        m->mc_stall = rng_below(&w->rng, 256) < w->mc[p] * limit / 24;
        m->net_stall = rng_below(&w->rng, 256) < w->net[p] * limit / 24;
    }
}

static uint16_t random_value(struct rng *rng)
{
    uint32_t bits = rng_below(rng, 17);
    return (uint16_t)rng_below(rng, 1u << bits);
}

static void random_access(struct world *w)
{
    struct rng *rng = &w->rng;
    struct concurrency_unit_in *u = &w->bench.unit_in;
    uint32_t writes = w->disturb ? 2 : 0; /* undisturbed epochs only read */
    u->reg_valid = rng_chance(rng, 1, 64);
    u->reg_write = rng_below(rng, 4) < writes;
    u->reg_addr = (uint8_t)rng_below(rng, 16);
    u->reg_data = random_value(rng);
    if (u->reg_addr == CM_REG_INTERVAL && u->reg_data > 64)
        u->reg_data %= 100; /* keep decisions coming */
    for (int c = 0; c < CM_BENCH_CORES; c++) {
        struct sm_concurrency_unit_in *in = &w->bench.core_in[c];
        in->reg_valid = rng_chance(rng, 1, 16);
        in->reg_write = rng_below(rng, 4) < writes;
        in->reg_addr = (uint8_t)rng_below(rng, 16);
        in->reg_data = random_value(rng);
    }
    w->bench.silent = !pattern_next(&w->answers, rng, 256);
}

/* --- One edge
 * -----------------------------------------------------------------------------------
 */

/* The copies see the same inputs, but only when they have to. */
static void step_lazily(struct world *w)
{
    struct error err = {0};
    struct cm_bench *b = &w->bench;
    if (!w->lazy_unit_out.idle || b->unit_in.reg_valid)
        tile_step(w->lazy_unit, &b->unit_in, &w->lazy_unit_out, &err);
    else
        w->skips++;
    for (int c = 0; c < CM_BENCH_CORES; c++) {
        const struct sm_concurrency_unit_in *in = &b->core_in[c];
        bool change = in->core_active != w->was_active[c];
        w->was_active[c] = in->core_active;
        if (!w->lazy_core_out[c].idle || in->cm_tick || in->cm_set || in->kernel_begin ||
            in->kernel_end || in->reg_valid || change)
            tile_step(w->lazy_core[c], in, &w->lazy_core_out[c], &err);
        else
            w->skips++;
    }
}

static void cycle(struct world *w, uint32_t high, uint32_t low)
{
    struct cm_bench *b = &w->bench;
    struct concurrency_unit_out seen = b->unit_out;
    random_congestion(w);
    for (int c = 0; c < CM_BENCH_CORES; c++)
        random_stalls(w, c);
    random_access(w);
    cm_bench_wire(b);
    step_lazily(w);
    if (!w->disturb) {
        reference_unit(w, &seen);
        for (int c = 0; c < CM_BENCH_CORES; c++)
            reference_core(w, c, &seen);
    }
    cm_bench_edge(b);
    if (!w->disturb) {
        check_unit(w, high, low);
        for (int c = 0; c < CM_BENCH_CORES; c++)
            check_core(w, c);
    }
    bool equal = !memcmp(&b->unit_out, &w->lazy_unit_out, sizeof b->unit_out);
    for (int c = 0; c < CM_BENCH_CORES; c++)
        equal &= !memcmp(&b->core_out[c], &w->lazy_core_out[c], sizeof b->core_out[c]);
    if (!equal)
        fail_msg("edge %llu: an idle tile that was not clocked differs",
                 (unsigned long long)b->edges);
}

/* --- Epochs
 * ---------------------------------------------------------------------------------------
 */

static void must_write(struct world *w, enum cm_reg reg, uint32_t value)
{
    w->bench.unit_in.reg_valid = 1;
    w->bench.unit_in.reg_write = 1;
    w->bench.unit_in.reg_addr = (uint8_t)reg;
    w->bench.unit_in.reg_data = (uint16_t)value;
    cm_bench_wire(&w->bench);
    step_lazily(w);
    cm_bench_edge(&w->bench);
    if (w->bench.unit_out.reg_error)
        fail_msg("register %u does not take %u", reg, value);
}

static void quiet_edges(struct world *w, uint32_t n)
{
    while (n--) {
        cm_bench_wire(&w->bench);
        step_lazily(w);
        cm_bench_edge(&w->bench);
    }
}

/* A start from OFF with nothing counted and no average valid. */
static void begin(struct world *w, enum cm_mode mode)
{
    struct cm_bench *b = &w->bench;
    b->silent = false;
    for (int p = 0; p < EVG_CM_PARTITIONS; p++)
        b->monitors[p].mc_stall = b->monitors[p].net_stall = false;
    must_write(w, CM_REG_MODE, CM_MODE_OFF);
    for (int c = 0; c < CM_BENCH_CORES; c++) {
        b->core_in[c].core_active = 0;
        b->core_in[c].kernel_begin = 1;
        w->history[c] = (struct history){.limit = 48};
    }
    quiet_edges(w, 4);
    must_write(w, CM_REG_MODE, mode);
    /* Until the mode is in force: nothing stalls. */
    while (!b->unit_out.cm_set)
        quiet_edges(w, 1);
    memset(w->mc_stalls, 0, sizeof w->mc_stalls);
    memset(w->net_stalls, 0, sizeof w->net_stalls);
}

/* ... one of two together with a pulse to the cores, and every register is read after it. */
static void reset(struct world *w)
{
    struct cm_bench *b = &w->bench;
    bool pulse = rng_chance(&w->rng, 1, 2);
    for (int i = 0; i < MOST_TO_PULSE && pulse && !b->unit_out.cm_tick && !b->unit_out.cm_set; i++)
        quiet_edges(w, 1);
    uint32_t edges = 1 + rng_below(&w->rng, 3);
    cm_bench_reset(b, edges);
    tile_reset_among(w->lazy_unit, &b->unit_in, edges, &w->lazy_unit_out);
    for (int c = 0; c < CM_BENCH_CORES; c++)
        tile_reset_among(w->lazy_core[c], &b->core_in[c], edges, &w->lazy_core_out[c]);
    w->resets++;
    for (uint8_t reg = 0; reg < 16; reg++) {
        b->unit_in = (struct concurrency_unit_in){.reg_valid = 1, .reg_addr = reg};
        for (int c = 0; c < CM_BENCH_CORES; c++)
            b->core_in[c] = (struct sm_concurrency_unit_in){.reg_valid = 1, .reg_addr = reg};
        quiet_edges(w, 1);
    }
}

/* Cycles of one load, from a start on, until something is different. */
static void run_part(struct world *w, uint32_t epoch, uint32_t cycles)
{
    struct rng *rng = &w->rng;
    static const enum cm_mode modes[] = {CM_MODE_BAL, CM_MODE_CPU, CM_MODE_BAL, CM_MODE_FIXED};
    w->disturb = epoch % 5 == 4;
    uint32_t interval = epoch % 8 == 3 ? EVG_CM_INTERVAL : 32 + rng_below(rng, 100);
    uint32_t partitions = 1 + rng_below(rng, EVG_CM_PARTITIONS);
    uint32_t high = interval, low = interval / 4;
    must_write(w, CM_REG_INTERVAL, interval);
    must_write(w, CM_REG_PARTITIONS, partitions);
    must_write(w, CM_REG_T_HIGH, high);
    must_write(w, CM_REG_T_LOW, low);
    must_write(w, CM_REG_K, rng_below(rng, interval / 4));
    must_write(w, CM_REG_PATIENCE, epoch % 3 ? EVG_CM_PATIENCE : rng_below(rng, 8));
    must_write(w, CM_REG_PIVOT, epoch % 3 ? EVG_CM_PIVOT : rng_below(rng, 64));
    for (int c = 0; c < CM_BENCH_CORES; c++) {
        w->miss[c] = (uint8_t)rng_below(rng, 256);
        w->contention[c] = (uint8_t)rng_below(rng, 128);
    }
    for (int p = 0; p < EVG_CM_PARTITIONS; p++) {
        w->mc[p] = (uint8_t)(rng_below(rng, 512) / partitions % 256);
        w->net[p] = (uint8_t)(rng_below(rng, 256) / partitions);
    }
    w->kernel = (uint8_t)(epoch % 4 == 1 ? rng_below(rng, 40) : 0);
    w->active = (uint8_t)(epoch % 7 == 2 ? rng_below(rng, 256) : 255);
    /* With few partitions, late answers would bring two ticks too near to each other for a core. */
    w->answers = (struct pattern){.kind = PATTERN_ALWAYS};
    if (w->disturb || partitions >= 7)
        w->answers = pattern_random(rng);
    begin(w, modes[epoch / 2 % 4]);
    for (uint32_t i = 0; i < cycles; i++)
        cycle(w, high, low);
}

/* One epoch of two has resets in its middle, whatever is going on. */
static void run_epoch(struct world *w, uint32_t epoch)
{
    uint32_t left = EPOCH_CYCLES;
    while (rng_chance(&w->rng, 1, 2)) {
        uint32_t part = rng_below(&w->rng, left);
        run_part(w, epoch, part);
        left -= part;
        reset(w);
    }
    run_part(w, epoch, left);
}

static void expect_seen(const char *what, uint64_t count)
{
    printf("%10llu %s\n", (unsigned long long)count, what);
    if (!count)
        fail_msg("never happened: %s", what);
}

static void test_random(void **state)
{
    (void)state;
    const char *text = getenv("EVGPU_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 0) : DEFAULT_SEED;
    printf("seed %llu\n", (unsigned long long)seed);
    static struct world w;
    struct error err = {0};
    rng_seed(&w.rng, seed);
    tile_randomise((uint32_t)seed | 1, true);
    cm_bench_create(&w.bench);
    w.lazy_unit = tile_create(&concurrency_unit_kind, TILE_VERILATOR, "lazy", &err);
    tile_reset(w.lazy_unit, &w.lazy_unit_out);
    for (int c = 0; c < CM_BENCH_CORES; c++) {
        w.lazy_core[c] = tile_create(&sm_concurrency_unit_kind, TILE_VERILATOR, "lazy", &err);
        tile_reset(w.lazy_core[c], &w.lazy_core_out[c]);
    }
    for (uint32_t epoch = 0; epoch < EPOCHS; epoch++)
        run_epoch(&w, epoch);

    assert_true(w.bench.edges >= 1000000);
    printf("%llu cycles\n", (unsigned long long)w.bench.edges);
    expect_seen("resets", w.resets);
    expect_seen("edges not clocked when idle", w.skips);
    expect_seen("limits checked", w.limits_checked);
    expect_seen("decisions HOLD", w.decisions[CM_DECISION_HOLD]);
    expect_seen("decisions DOWN", w.decisions[CM_DECISION_DOWN]);
    expect_seen("decisions UP", w.decisions[CM_DECISION_UP]);
    expect_seen("limits lowered", w.moves[0]);
    expect_seen("limits kept", w.moves[1]);
    expect_seen("limits raised", w.moves[2]);
    expect_seen("not lowered because of k", w.kept);
    expect_seen("raised because of k", w.raised);
    expect_seen("moved after unchanged intervals", w.forced);
    cm_bench_destroy(&w.bench);
    tile_destroy(w.lazy_unit);
    for (int c = 0; c < CM_BENCH_CORES; c++)
        tile_destroy(w.lazy_core[c]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
