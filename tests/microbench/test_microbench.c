/* Every microbenchmark equals its closed form, on the machines of config/ and on others made from
 * them: a form that fits one machine by chance fits no other. Run from the project's root. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/microbench/micro.h"

#define MAX_OVERRIDES 12

struct machine {
    const char *path;
    const char *overrides[MAX_OVERRIDES];
};

static const struct machine machines[] = {
    {"config/gtx480.ini", {NULL}},
    {"config/edge.ini", {NULL}},
    {"config/gtx480.ini",
     {"core.shared_banks=16", "core.shared_latency=31", "core.schedulers=1", "core.sp_units=1",
      "core.int_latency=7", "core.fp_interval=3", "core.l1_latency=29",
      "network.request_latency=21", "network.reply_latency=13", "l2.latency=77"}},
    {"config/edge.ini",
     {"gpu.cores=9", "network.request_latency=9", "network.reply_latency=14", "l2.partitions=3",
      "network.flit_bytes=64", "core.dp_units=2", "dram.tCL=17", "dram.tRCD=15"}},
};

static void check_row(void *user, const struct micro_row *row)
{
    uint32_t *wrong = user;
    if (micro_right(row))
        return;
    ++*wrong;
    print_error("%s: %s: measured %g, form %g %s, allowed %g .. %g of it\n", row->group, row->name,
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

SUITE(arithmetic)
SUITE(shared)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
