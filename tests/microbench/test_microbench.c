/* Every microbenchmark equals its closed form, on the machines of config/ and on others made from
 * them: a form that fits one machine by chance fits no other. Run from the project's root. */
#include "tests/microbench/micro.h"
#include "tests/unit.h"

#define MAX_OVERRIDES 16 /* the last is NULL */

struct machine {
    const char *path;
    const char *overrides[MAX_OVERRIDES];
};

static const struct machine machines[] = {
    {"config/gtx480.ini", {NULL}},
    {"config/edge.ini", {NULL}},
    {"config/gtx480.ini",
     {"core.shared_banks=16", "core.shared_latency=31", "core.schedulers=1", "core.sp_units=1",
      "core.int_latency=7", "core.fp_interval=3", "core.l1_latency=29", "core.operand_cycles=2",
      "core.l1_index=plain", "network.request_latency=21", "network.reply_latency=13",
      "l2.latency=77"}},
    {"config/gtx480.ini",
     {"core.l1_index=fermi", "core.l1_fetch=sector", "l2.map=hashed", "l2.fetch=line",
      "network.clock_khz=1400000", "l2.memory_latency=31", "dram.row_bytes=2048", "l2.banks=1"}},
    {"config/edge.ini",
     {"gpu.cores=9", "network.request_latency=9", "network.reply_latency=14", "l2.partitions=3",
      "network.flit_bytes=64", "core.dp_units=2", "dram.tCL=17", "dram.tRCD=15",
      "core.l1_index=hashed", "core.l1_fetch=line", "core.l1_allocate=miss"}},
};

static void check_row(void *user, const struct micro_row *row)
{
    uint32_t *wrong = user;
    if (micro_right(row))
        return;
    ++*wrong;
    print_error("%s: %s: measured %g, form %g %s, allowed %g .. %g\n", row->group, row->name,
                row->measured, row->form, row->unit, row->low, row->high);
}

static void check(const struct machine *m,
                  void (*suite)(const struct machine_config *config, const struct micro_sink *sink))
{
    struct machine_config config;
    struct error err = {0};
    uint32_t wrong = 0;
    struct micro_sink sink = {check_row, &wrong};
    bool loaded = config_load(&config, m->path, &err);
    for (uint32_t i = 0; loaded && m->overrides[i]; i++)
        loaded = config_override(&config, m->overrides[i], &err);
    if (!loaded)
        fail_msg("%s", err.text);
    suite(&config, &sink);
    if (wrong)
        fail_msg("%u figures of %s are not as their closed forms", wrong, m->path);
}

#define SUITE(name)                                                                                \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        for (uint32_t i = 0; i < sizeof machines / sizeof *machines; i++)                          \
            check(&machines[i], micro_##name);                                                     \
    }

/* Limiting warps must pay where rows are a power of two apart: all but a line's first access hits
 * with one and two warps, next to none with eight. */
static void note_limit(void *user, const struct micro_row *row)
{
    double *hits = user;
    uint32_t warps;
    if (sscanf(row->name, "rows of 4096 bytes, %u warps", &warps) == 1 && warps <= 48)
        hits[warps] = row->measured;
}

static void test_limits_pay(void **state)
{
    (void)state;
    struct machine_config config;
    struct error err = {0};
    double hits[49] = {0};
    struct micro_sink sink = {note_limit, hits};
    assert_true(config_load(&config, "config/gtx480.ini", &err));
    micro_rows(&config, &sink);
    assert_true(hits[1] > 0.96 && hits[2] > 0.96);
    assert_true(hits[4] > 0.3);
    assert_true(hits[8] < 0.05);
    assert_true(hits[16] < 0.15 && hits[48] < 0.15);
}

SUITE(arithmetic)
SUITE(shared)
SUITE(chases)
SUITE(rows)
SUITE(atomics)

/* Long runs, and on machines with enough banks for random traffic to be even: config/ as it is. */
static void test_fairness(void **state)
{
    (void)state;
    check(&machines[0], micro_fairness);
    check(&machines[1], micro_fairness);
}

static void test_streams(void **state)
{
    (void)state;
    check(&machines[0], micro_streams);
    check(&machines[1], micro_streams);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic), cmocka_unit_test(test_shared),
        cmocka_unit_test(test_chases),     cmocka_unit_test(test_rows),
        cmocka_unit_test(test_limits_pay), cmocka_unit_test(test_atomics),
        cmocka_unit_test(test_fairness),   cmocka_unit_test(test_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
