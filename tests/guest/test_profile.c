/* The table of where the time went: names, rates, the main reason, its width. */
#include "sim/guest/profile.h"
#include "tests/unit.h"

static struct machine_config machine(void)
{
    struct machine_config config = {.name = "test", .cores = 4, .core_khz = 500000};
    config.mem.dram_khz = 1000000;
    config.core.warps = 32;
    config.mem.partitions = 2;
    config.mem.dram.column_bytes = 64;
    config.mem.dram.burst = 4;
    return config;
}

/* 1000 cycles on all four cores, 8 warps each. */
static struct grid_counters busy(void)
{
    struct grid_counters n = {.core = {.warp_instructions = 2000,
                                       .core_cycles = 4000,
                                       .warp_cycles = 32000,
                                       .l1_hits = 30,
                                       .l1_misses = 10,
                                       .schedulers = 8000},
                              .memory = {.l2_hits = 5, .l2_misses = 5, .dram_read = 16000}};
    n.core.state[WARP_ISSUED] = 2000;
    n.core.state[WARP_MEMORY] = 24000;
    n.core.state[WARP_BARRIER] = 6000;
    return n;
}

static struct profile_figures of(const struct grid_counters *counts)
{
    static struct machine_config config;
    config = machine();
    struct profile_kernel kernel = {.name = "k", .calls = 1, .cycles = 1000, .counts = counts};
    return profile_figures(&config, &kernel);
}

static void expect_close(double value, double wanted)
{
    assert_true(value > wanted - 1e-9 && value < wanted + 1e-9);
}

static void test_rates(void **state)
{
    (void)state;
    struct grid_counters counts = busy();
    struct profile_figures f = of(&counts);
    expect_close(f.occupancy, 0.25);
    expect_close(f.ipc, 0.5);
    expect_close(f.l1, 0.75);
    expect_close(f.l2, 0.5);
    expect_close(f.dram, 0.25); /* 2 channels x 64 bytes in 4 of 2000 cycles: 64000 */
    expect_close(f.no_warps, 0);
    expect_close(f.state[WARP_MEMORY], 0.75);
}

static void expect_stall(const struct grid_counters *counts, const char *wanted)
{
    char text[64];
    struct profile_figures f = of(counts);
    profile_main_stall(&f, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void test_main_stall(void **state)
{
    (void)state;
    struct grid_counters counts = busy();
    expect_stall(&counts, "memory 75%");
    counts.core.state[WARP_BARRIER] = 24001;
    expect_stall(&counts, "barrier 48%");
    counts.core.schedulers_empty = 2000; /* a quarter of the schedulers without a warp */
    expect_stall(&counts, "barrier 48%");
    counts.core.core_cycles = 1000; /* and three of the four cores */
    expect_stall(&counts, "no warps 81% (barrier)");
    counts = (struct grid_counters){.core = {0}};
    struct profile_figures f = of(&counts);
    assert_true(f.l1 < 0 && f.l2 < 0 && f.ipc < 0 && f.occupancy < 0);
}

static void expect_name(const char *name, const char *wanted)
{
    char text[200];
    profile_short_name(name, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void test_names(void **state)
{
    (void)state;
    expect_name("plain", "plain");
    expect_name("_Z3addPfS_i", "add");
    expect_name("_ZN5outer5innerEv", "outer::inner");
    expect_name("_Z6reduceIfEvPT_", "reduce<float>");
    expect_name("_Z4manyILi45EEvPi", "many<45>");
    expect_name("_ZL4statPi", "stat");
    expect_name("_ZN12_GLOBAL__N_13runEPi", "(anonymous namespace)::run");
    expect_name("_ZN1a12_GLOBAL__N_13runIiEEvPT_", "a::(anonymous namespace)::run<int>");
    expect_name("_Z3runIN12_GLOBAL__N_11TEEvPT_", "run<(anonymous namespace)::T>");
    expect_name("_Z99short", "_Z99short");
    expect_name("_Zx", "_Zx");
}

static void test_table(void **state)
{
    (void)state;
    struct machine_config config = machine();
    struct grid_counters counts = busy();
    counts.core.core_cycles = 400;
    counts.core.state[WARP_LOAD_STORE] = 1000000;
    struct profile_kernel kernels[30];
    char names[30][60];
    for (uint32_t i = 0; i < 30; i++) {
        snprintf(names[i], sizeof names[i], "a_kernel_with_a_rather_long_name_%u", i);
        kernels[i] = (struct profile_kernel){names[i], 100000, 1000 + i, &counts, false, 0};
    }
    struct profile_copies copies[COPY_KINDS] = {[COPY_OUT] = {3, 6000000, 2500}};
    struct profile p = {.config = &config,
                        .name = "program",
                        .cycles = 100000,
                        .kernels = kernels,
                        .n_kernels = 30,
                        .copies = copies};
    char *text = NULL;
    size_t bytes = 0;
    FILE *to = open_memstream(&text, &bytes);
    profile_print(&p, to);
    fclose(to);
    uint32_t lines = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1, lines++)
        assert_true(strcspn(line, "\n") <= 100);
    assert_int_equal(lines, 1 + 2 + 20 + 1 + 1); /* empty, heads, kernels, the rest, copies */
    assert_non_null(strstr(text, "10 more kernels"));
    assert_non_null(strstr(text, "\na_kernel_w..ng_name_29 "));
    assert_non_null(strstr(text, "copies to host"));
    assert_non_null(strstr(text, "6.000 MB, 1200.00 GB/s"));
    assert_null(strstr(text, "copies to device"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_main_stall),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
