#include <limits.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/mem/cache/policy.h"
#include "sim/mem/dram/scheduler.h"
#include "sim/system/config.h"
#include "sim/system/config_include.h"
#include "tests/mem/policy_number.h"
#include "tests/unit.h"

/* A folder with a machine that is changed and a file for it to include. */
static char folder[] = "/tmp/evgpu-config-XXXXXX";
static char path[64], other[64];

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void write_text(const char *text)
{
    write_file(path, text);
}

struct text {
    char section[32], at[1 << 14];
    size_t used;
};

/* "section.key=value" as a line of a file, which begins its section where that is a new one. */
static void add_line(void *user, const char *line)
{
    struct text *t = user;
    int section = (int)strcspn(line, "."), name = (int)strcspn(line + section + 1, "=");
    size_t room = sizeof t->at - t->used;
    if (strncmp(t->section, line, (size_t)section) != 0 || t->section[section])
        t->used += (size_t)snprintf(t->at + t->used, room, "[%.*s]\n", section, line);
    snprintf(t->section, sizeof t->section, "%.*s", section, line);
    const char *key = line + section + 1;
    room = sizeof t->at - t->used;
    t->used += (size_t)snprintf(t->at + t->used, room, "%.*s = %s\n", name, key, key + name + 1);
    assert_true(t->used < sizeof t->at);
}

/* A machine whole, without an include; NULL: it does not load. */
static char *machine_text(const char *file)
{
    static struct machine_config config;
    struct error err = {0};
    if (!config_load(&config, file, &err))
        return NULL;
    struct text *t = ALLOC(struct text);
    config_print(&config, add_line, t);
    char *text = alloc_string_n(t->at, t->used);
    free(t);
    return text;
}

/* edge.ini, whole, with one line replaced. */
static void write_edited(const char *line, const char *replacement)
{
    char *text = machine_text("config/edge.ini");
    assert_non_null(text);
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
        (uint64_t)config.mem.dram_khz * 1000 * config.mem.dram.column_bytes / config.mem.dram.burst;
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
    static struct machine_config large, small, hot;
    struct error err = {0};
    assert_true(config_load(&large, "config/cm-bal.ini", &err) && config_check(&large, &err));
    assert_int_equal(large.cores, 28);
    assert_int_equal(large.core_khz, 700000);
    assert_int_equal(large.mem.net_khz, 1400000);
    assert_int_equal(large.mem.l2_khz, 700000);
    assert_int_equal(large.mem.dram_khz, 800000);
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
    assert_int_equal(m->router_delay + m->link_delay, 3);
    assert_true(config_load(&hot, "config/cm-bal-hotclock.ini", &err) && config_check(&hot, &err));
    assert_int_equal(hot.core_khz, 2 * large.core_khz);
    assert_int_equal(hot.mem.router_delay + hot.mem.link_delay, 2);
    assert_memory_equal(&hot.mem.dram, d, sizeof *d);
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
    expect_error("row 2, column 3 of the map: 'x' is none of");
    expect_error(path);
    write_edited("partitions = 1", "partitions = 0");
    expect_error("l2.partitions: 0 is out of range, must be 1 to 16");
}

static void errors_name_file_line_and_key(void **state)
{
    (void)state;
    write_edited("cores = 16", "cores = 0");
    expect_error(path);
    expect_error(":2: gpu.cores: 0 is out of range, must be 1 to 63");
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
    expect_error(":2: neither `key = value` nor `[section]`");
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
    assert_int_equal(config.events.policy, 2);
    assert_true(config_override(&config, "l2.replacement=srrip", &err));
    assert_int_equal(config.mem.l2_replacement, policy_number(cache_policy_name, "srrip"));
    assert_int_equal(config.core.l1_replacement, policy_number(cache_policy_name, "lru"));
    assert_int_equal(config.mem.dram.scheduler, policy_number(dram_scheduler_name, "fr-fcfs-cap"));
    assert_true(config_override(&config, "event.options=3", &err));
    assert_int_equal(config.events.options, 3);
    assert_true(config_override(&config, "event.options=drop-unsafe", &err));
    assert_int_equal(config.events.options, EVENT_DROP_UNSAFE);
    assert_false(config_override(&config, "event.options=16", &err));
    assert_non_null(strstr(err.text, "event.options: 16 is out of range, must be 0 to 15"));
    memset(&err, 0, sizeof err);
    assert_false(config_override(&config, "event.options=drop", &err));
    assert_non_null(strstr(err.text, "'drop' is neither a number of 0 to 15 nor drop-unsafe"));
    memset(&err, 0, sizeof err);
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

/* edge.ini with `tail` behind the include line. */
static void write_including(const char *tail)
{
    char top[PATH_MAX], text[PATH_MAX + 512];
    assert_non_null(realpath("config/edge.ini", top));
    snprintf(text, sizeof text, "include = %s\n%s", top, tail);
    write_text(text);
}

static void the_including_file_wins(void **state)
{
    (void)state;
    static struct machine_config config;
    struct error err = {0};
    write_including("[gpu]\ncores = 3\n[network]\nplacement = GG\n  MH\n");
    assert_true(config_load(&config, path, &err));
    assert_int_equal(config.cores, 3);
    assert_int_equal(config.core.warps, 64);
    assert_int_equal(config.mem.placement.height, 2);
    /* By a name from the including file's folder, and over two files. */
    assert_int_equal(rename(path, other), 0);
    write_text("include = other.ini\n[gpu]\nmemory_mib = 77\n[network]\nplacement = GMH\n");
    assert_true(config_load(&config, path, &err));
    assert_int_equal(config.cores, 3);
    assert_int_equal(config.memory_mib, 77);
    assert_int_equal(config.mem.placement.height, 1);
    assert_string_equal(config.name, "machine");
    assert_true(config_override(&config, "network.kind=mesh", &err));
    assert_false(config_check(&config, &err));
    assert_non_null(strstr(err.text, "network.placement, line 5: "));
}

/* The whole message, but for the folder. */
static void expect_load_error(const char *message)
{
    static struct machine_config config;
    struct error err = {0};
    assert_false(config_load(&config, path, &err));
    assert_memory_equal(err.text, folder, strlen(folder));
    assert_string_equal(err.text + strlen(folder) + 1, message);
}

static void includes_that_cannot_be(void **state)
{
    (void)state;
    static struct machine_config config;
    struct error err = {0};
    write_text("; none\ninclude = none.ini\n");
    expect_load_error("machine.ini:2: include = none.ini: No such file or directory; "
                      "the path starts in the folder of this file");
    write_text("include = machine.ini\n");
    expect_load_error("machine.ini:1: include = machine.ini: the file includes itself");
    write_text("include = other.ini\n");
    write_file(other, "\ninclude = machine.ini\n");
    expect_load_error("other.ini:2: include = machine.ini: the file includes itself");
    write_file(other, "[gpu]\ncores = 4\n");
    write_text("include = other.ini\ninclude = other.ini\n");
    expect_load_error("machine.ini:2: include: given twice");
    write_text("[gpu]\ninclude = other.ini\n");
    expect_load_error("machine.ini:2: include: must stand before the first section");
    write_text("include = other.ini\n[gpu]\ncores = 0\n");
    expect_load_error("machine.ini:3: gpu.cores: 0 is out of range, must be 1 to 63");
    write_text("include = other.ini\n[gpu]\ncores = 5\ncores = 5\n");
    expect_load_error("machine.ini:4: gpu.cores: given twice");
    write_file(other, "[gpu]\ncores = 4\ncoers = 4\n");
    write_text("include = other.ini\n[gpu]\ncores = 0\n");
    expect_load_error("other.ini:3: [gpu] coers: no such key; `evgpu config` lists the keys; did "
                      "you mean `gpu.cores`?");
    write_file(other, "[gpu]\ncores = 4\n");
    write_text("include = other.ini\n");
    expect_load_error("machine.ini: [gpu] core_clock_khz is missing (SIMT core clock, kHz); "
                      "give it, or begin with include = a file that does");
    /* The map's own line is named where it is in the included file. */
    char *edge = machine_text("config/edge.ini");
    write_file(other, edge);
    free(edge);
    write_text("include = other.ini\n[network]\nkind = mesh\n");
    assert_true(config_load(&config, path, &err));
    assert_false(config_check(&config, &err));
    assert_non_null(strstr(err.text, "other.ini, line "));
}

static void files_of_a_machine_are_limited(void **state)
{
    (void)state;
    char name[128], text[64];
    for (uint32_t i = 1; i <= INCLUDE_DEPTH; i++) {
        snprintf(name, sizeof name, "%s/%u.ini", folder, i);
        snprintf(text, sizeof text, "include = %u.ini\n", i + 1);
        write_file(name, text);
    }
    write_text("include = 1.ini\n");
    snprintf(text, sizeof text, "%u.ini:1: include = %u.ini: the chain has more than %u files",
             INCLUDE_DEPTH - 1, INCLUDE_DEPTH, INCLUDE_DEPTH);
    expect_load_error(text);
    for (uint32_t i = 1; i <= INCLUDE_DEPTH; i++) {
        snprintf(name, sizeof name, "%s/%u.ini", folder, i);
        assert_int_equal(unlink(name), 0);
    }
}

static const char *const machines[] = {"edge", "gtx480", "gtx580", "llano", "cm-bal", "cm-bal-4sm"};

static bool states_a_key(const char *machine, uint32_t n)
{
    char name[PATH_MAX], line[512] = "";
    snprintf(name, sizeof name, "config/%s.ini", machine);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    for (uint32_t i = 0; i <= n; i++)
        assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    return strchr(line, '=') && line[0] != ';' && strncmp(line, "include", 7) != 0;
}

/* The machine without its line `n`; false: it has fewer. */
static bool write_without(const char *machine, uint32_t n)
{
    char name[PATH_MAX], root[PATH_MAX], line[512];
    assert_non_null(realpath("config", root));
    snprintf(name, sizeof name, "config/%s.ini", machine);
    FILE *from = fopen(name, "r"), *to = fopen(path, "w");
    assert_true(from && to);
    uint32_t lines = 0;
    while (fgets(line, sizeof line, from)) {
        if (!strncmp(line, "include = ", 10))
            fprintf(to, "include = %s/%s", root, line + 10);
        else if (lines != n)
            fputs(line, to);
        lines++;
    }
    fclose(from);
    fclose(to);
    return n < lines;
}

/* Without any of its lines it is another machine, or none. */
static void machines_state_only_what_differs(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof machines / sizeof *machines; m++) {
        write_without(machines[m], UINT32_MAX);
        char *whole = machine_text(path);
        assert_non_null(whole);
        for (uint32_t n = 0; write_without(machines[m], n); n++) {
            char *without = machine_text(path);
            if (without && !strcmp(whole, without) && states_a_key(machines[m], n))
                fail_msg("config/%s.ini:%u: the included file says the same", machines[m], n + 1);
            free(without);
        }
        free(whole);
    }
}

static int make_folder_of_files(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/machine.ini", folder);
    snprintf(other, sizeof other, "%s/other.ini", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    unlink(other);
    return rmdir(folder);
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
        cmocka_unit_test(the_including_file_wins),
        cmocka_unit_test(includes_that_cannot_be),
        cmocka_unit_test(files_of_a_machine_are_limited),
        cmocka_unit_test(machines_state_only_what_differs),
    };
    return cmocka_run_group_tests(tests, make_folder_of_files, remove_folder);
}
