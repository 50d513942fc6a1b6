#include <unistd.h>

#include "base/alloc.h"
#include "sim/mem/cache/policy.h"
#include "sim/mem/dram/scheduler.h"
#include "sim/system/config.h"
#include "tests/mem/policy_number.h"
#include "tests/unit.h"

static char path[] = "/tmp/evgpu-config-XXXXXX";

static void write_text(const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static char *edge_text(void)
{
    FILE *file = fopen("config/edge.ini", "r");
    assert_non_null(file);
    char *text = alloc_array(1 << 16, 1);
    size_t n = fread(text, 1, (1 << 16) - 1, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

/* edge.ini with one line replaced. */
static void write_edited(const char *line, const char *replacement)
{
    char *text = edge_text();
    char *at = strstr(text, line);
    assert_non_null(at);
    char *end = strchr(at, '\n');
    FILE *file = fopen(path, "w");
    fprintf(file, "%.*s%s%s", (int)(at - text), text, replacement, end);
    fclose(file);
    free(text);
}

static void expect_error(const char *part)
{
    struct machine_config config;
    struct error err = {0};
    bool ok = config_load(&config, path, &err) && config_check(&config, &err);
    assert_false(ok);
    if (!strstr(err.text, part))
        fail_msg("'%s' does not contain '%s'", err.text, part);
}

static void machines_of_the_project_load(void **state)
{
    (void)state;
    struct machine_config config;
    struct error err = {0};
    assert_true(config_load(&config, "config/edge.ini", &err));
    assert_true(config_check(&config, &err));
    assert_string_equal(config.name, "edge");
    /* EDGE Table II */
    assert_int_equal(config.cores, 16);
    assert_int_equal(config.core_khz, 700000);
    assert_int_equal(config.core.blocks, 16);
    assert_int_equal(config.core.threads, 2048);
    assert_int_equal(config.core.registers, 65536);
    assert_int_equal(config.core.l1_bytes, 64 * 1024);
    assert_int_equal(config.core.shared_bytes, 48 * 1024);
    assert_int_equal(config.mem.partitions * config.mem.l2_bytes, 1 << 20);
    assert_int_equal(config.mem.request_latency, 180);
    assert_int_equal(config.mem.reply_latency, 180);
    /* one channel of 12.8 GB/s */
    uint64_t rate =
        (uint64_t)config.dram_khz * 1000 * config.mem.dram.column_bytes / config.mem.dram.burst;
    assert_true(config.mem.partitions * rate == 12800000000u);

    assert_true(config_load(&config, "config/gtx480.ini", &err));
    assert_true(config_check(&config, &err));
    assert_int_equal(config.cores, 15);
    assert_int_equal(config.core_khz, 700000);
    assert_int_equal(config.core.warps, 48);
    assert_int_equal(config.core.registers, 32768);
    assert_int_equal(config.core.l1_bytes, 16 * 1024);
    assert_int_equal(config.mem.partitions * config.mem.l2_bytes, 768 * 1024);
    assert_int_equal(config.mem.partitions, 6);
    /* CM-BAL Table I */
    const struct dram_config *d = &config.mem.dram;
    assert_int_equal(d->cl, 12);
    assert_int_equal(d->rp, 12);
    assert_int_equal(d->rc, 40);
    assert_int_equal(d->ras, 28);
    assert_int_equal(d->ccd, 2);
    assert_int_equal(d->rcd, 12);
    assert_int_equal(d->rrd, 6);
    assert_int_equal(d->cdlr, 5);
    assert_int_equal(d->wr, 12);
}

/* CM-BAL Table I and sections 2.1, 6.4. */
static void heterogeneous_machines_load(void **state)
{
    (void)state;
    static struct machine_config large, small;
    struct error err = {0};
    assert_true(config_load(&large, "config/cm-bal.ini", &err) && config_check(&large, &err));
    assert_int_equal(large.cores, 28);
    assert_int_equal(large.core_khz, 1400000);
    assert_int_equal(large.net_khz, 1400000);
    assert_int_equal(large.l2_khz, 700000);
    assert_int_equal(large.dram_khz, 800000);
    const struct memsys_config *m = &large.mem;
    assert_int_equal(m->network, NETWORK_MESH);
    assert_int_equal(m->placement.width, 6);
    assert_int_equal(m->placement.height, 6);
    assert_int_equal(placement_room(&m->placement, ENDPOINT_CORE), 28);
    assert_int_equal(placement_room(&m->placement, ENDPOINT_CPU), 14);
    assert_int_equal(m->vcs, 4);
    assert_int_equal(m->vc_buffer, 4);
    assert_int_equal(m->flit_bytes, 32);
    assert_int_equal(m->partitions, 8);
    assert_int_equal(m->l2_bytes, 1 << 20);
    assert_int_equal(m->l2_ways, 16);
    assert_int_equal(m->interleave_bytes, 256);
    const struct dram_config *d = &m->dram;
    const uint32_t timing[] = {d->cl, d->rp, d->rc, d->ras, d->ccd, d->rcd, d->rrd, d->cdlr, d->wr};
    const uint32_t table[] = {12, 12, 40, 28, 2, 12, 6, 5, 12};
    assert_memory_equal(timing, table, sizeof table);
    assert_int_equal(d->banks, 8);
    assert_int_equal(d->act_first, 0);
    assert_true(config_load(&small, "config/cm-bal-4sm.ini", &err) && config_check(&small, &err));
    assert_int_equal(small.cores, 4);
    assert_int_equal(placement_room(&small.mem.placement, ENDPOINT_CORE), 4);
    assert_int_equal(placement_room(&small.mem.placement, ENDPOINT_CPU), 3);
    assert_int_equal(small.mem.partitions, 2);
    assert_int_equal(small.mem.placement.width * small.mem.placement.height, 9);
}

/* A map over several lines, with a comment; errors name the line of the row. */
static void maps_of_nodes(void **state)
{
    (void)state;
    static struct machine_config config;
    struct error err = {0};
    write_edited("placement = none", "placement = gGGG ; first\n  GGGG\n  .M..");
    assert_true(config_load(&config, path, &err));
    assert_int_equal(config.mem.placement.width, 4);
    assert_int_equal(config.mem.placement.height, 3);
    assert_true(config_override(&config, "network.kind=mesh", &err));
    assert_true(config_check(&config, &err));
    assert_true(config_override(&config, "network.placement=GGGG/GGGG/.m..", &err));
    assert_true(config_check(&config, &err));
    assert_int_equal(placement_node(&config.mem.placement, ENDPOINT_HOST, 0), 9);
    assert_true(config_override(&config, "network.placement=none", &err));
    assert_false(config_check(&config, &err));
    write_edited("placement = none", "placement = gGGG\n  GGGG\n  CMC");
    expect_error("network.placement: row 3 of the map has 3 nodes, the first one has 4");
    write_edited("placement = none", "placement = gGGG\n  GGxG");
    expect_error("row 2, column 3 of the map: 'x' is not one of");
    expect_error(path);
    write_edited("partitions = 1", "partitions = 0");
    expect_error("l2.partitions: 0 is out of range, must be 1 to 16");
}

static void errors_name_file_line_and_key(void **state)
{
    (void)state;
    write_edited("cores = 16", "cores = 0");
    expect_error(path);
    expect_error(":8: gpu.cores: 0 is out of range, must be 1 to 63");
    write_edited("cores = 16", "cores = many");
    expect_error("gpu.cores: 'many' is not a whole number");
    write_edited("cores = 16", "cores = -1");
    expect_error("gpu.cores");
    write_edited("cores = 16", "cores = 99999999999999999999");
    expect_error("gpu.cores");
    write_edited("cores = 16", "coers = 16");
    expect_error("[gpu] coers: no such key");
    write_edited("cores = 16", "");
    expect_error("[gpu] cores is missing");
    write_edited("cores = 16", "cores = 16\ncores = 8");
    expect_error("given twice");
    write_edited("cores = 16", "this is no pair");
    expect_error(":8");
    write_edited("policy = oldest", "policy = youngest");
    expect_error("event.policy: 'youngest' is not one of oldest|newest|cheapest|least-registers");
    write_edited("l1_replacement = lru", "l1_replacement = fifo");
    expect_error("core.l1_replacement: 'fifo' is not one of lru|srrip");
    write_edited("scheduler = fr-fcfs-cap", "scheduler = frfcfs");
    expect_error("dram.scheduler: 'frfcfs' is not one of fr-fcfs|fr-fcfs-cap|fcfs");
    write_text("");
    expect_error("is missing");
}

static void checks_between_keys(void **state)
{
    (void)state;
    write_edited("warps = 64", "warps = 32");
    expect_error("core.threads");
    write_edited("schedulers = 2", "schedulers = 3");
    expect_error("core.schedulers");
    write_edited("interleave_bytes = 256", "interleave_bytes = 384");
    expect_error("l2.interleave_bytes");
}

static void overrides(void **state)
{
    (void)state;
    struct machine_config config;
    struct error err = {0};
    assert_true(config_load(&config, "config/edge.ini", &err));
    assert_true(config_override(&config, "gpu.cores=4", &err));
    assert_int_equal(config.cores, 4);
    assert_true(config_override(&config, "event.policy=cheapest", &err));
    assert_int_equal(config.policy, 2);
    assert_true(config_override(&config, "l2.replacement=srrip", &err));
    assert_int_equal(config.mem.l2_replacement, policy_number(cache_policy_name, "srrip"));
    assert_int_equal(config.core.l1_replacement, policy_number(cache_policy_name, "lru"));
    assert_int_equal(config.mem.dram.scheduler, policy_number(dram_scheduler_name, "fr-fcfs-cap"));
    assert_false(config_override(&config, "l2.replacement=LRU", &err));
    assert_non_null(strstr(err.text, "l2.replacement: 'LRU' is not one of lru|srrip"));
    static const char *const bad[] = {"gpu.cores",    "cores=4", "gpu.core=4",
                                      "gpu.cores=64", "=",       "."};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        memset(&err, 0, sizeof err);
        assert_false(config_override(&config, bad[i], &err));
        assert_non_null(strstr(err.text, "--set"));
    }
    assert_int_equal(config.cores, 4);
}

static int make_file(void **state)
{
    (void)state;
    int file = mkstemp(path);
    return file < 0 || close(file);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(machines_of_the_project_load),
        cmocka_unit_test(heterogeneous_machines_load),
        cmocka_unit_test(maps_of_nodes),
        cmocka_unit_test(errors_name_file_line_and_key),
        cmocka_unit_test(checks_between_keys),
        cmocka_unit_test(overrides),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
