/* The mix and the misses of a trace, against what its few instructions are. */
#include <unistd.h>

#include "base/file.h"
#include "sim/cpu/trace/trace_profile.h"
#include "tests/unit.h"

#define LINE 128u
#define WAY  0x100000u /* from one line of a set to the next, of all caches */
#define CODE 0x40000000u

/* Two lines in a set of each data cache. */
static const struct cpu_profile_caches caches = {.l1i_bytes = 32 * LINE,
                                                 .l1i_ways = 2,
                                                 .l1d_bytes = 2 * LINE,
                                                 .l1d_ways = 2,
                                                 .l2_bytes = 4 * LINE,
                                                 .l2_ways = 4};

static struct cpu_profile profile(const struct cpu_instruction *in, size_t n)
{
    char path[] = "/tmp/evgpu-profile-XXXXXX";
    struct error err = {0};
    struct cpu_profile p;
    close(mkstemp(path));
    assert_true(write_file(path, in, n * sizeof *in, &err));
    char spec[64];
    snprintf(spec, sizeof spec, "champsim:%s", path);
    struct cpu_trace *t = cpu_trace_open(spec, 0, 1, &err);
    if (!t)
        fail_msg("%s", err.text);
    assert_true(cpu_profile_trace(t, &caches, 0, n, &p, &err));
    cpu_trace_close(t);
    unlink(path);
    return p;
}

/* A load, a sum of it, a load by the sum, a load by something else; two stores at once. */
static void mix(void **state)
{
    (void)state;
    const struct cpu_instruction in[] = {
        {.ip = CODE, .load = {WAY}, .target = {1}},
        {.ip = CODE, .source = {1}, .target = {2}},
        {.ip = CODE, .source = {2}, .load = {WAY}, .target = {3}},
        {.ip = CODE, .source = {9}, .load = {WAY, WAY + 8}, .target = {4}},
        {.ip = CODE, .source = {9}, .target = {2}},
        {.ip = CODE, .source = {2}, .load = {WAY}},
        {.ip = CODE, .store = {WAY, WAY + 8}},
        {.ip = CODE, .branch = 1, .taken = 1},
        {.ip = CODE, .branch = 1},
    };
    struct cpu_profile p = profile(in, sizeof in / sizeof *in);
    assert_int_equal(p.instructions, 9);
    assert_int_equal(p.with_load, 4);
    assert_int_equal(p.loads, 5);
    assert_int_equal(p.with_store, 1);
    assert_int_equal(p.stores, 2);
    assert_int_equal(p.waiting_loads, 1);
    assert_int_equal(p.branches, 2);
    assert_int_equal(p.taken, 1);
    assert_int_equal(p.l1d_misses, 1);
    assert_int_equal(p.l2_misses, 2); /* with that of the code */
}

/* Line 1 is dirty and leaves L1D, then L2: one line goes to memory. */
static void a_dirty_line_goes_to_memory(void **state)
{
    (void)state;
    struct cpu_instruction in[8] = {{.ip = CODE, .store = {WAY}}};
    for (uint32_t i = 1; i < 8; i++)
        in[i] = (struct cpu_instruction){.ip = CODE, .load = {(1 + i) * WAY}};
    struct cpu_profile p = profile(in, 8);
    assert_int_equal(p.l1d_misses, 8);
    assert_int_equal(p.l2_misses, 9);
    assert_int_equal(p.l2_writebacks, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(mix),
                                       cmocka_unit_test(a_dirty_line_goes_to_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
