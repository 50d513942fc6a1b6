#include <math.h>

#include "sim/cpu/trace/applications.h"
#include "sim/cpu/trace/trace_profile.h"
#include "tests/unit.h"

/* CM-BAL, Table I. */
static const struct cpu_profile_caches table1 = {32768, 4, 32768, 4, 262144, 8};

static struct cpu_profile profile(const char *name, uint32_t core, uint64_t seed, uint64_t skip,
                                  uint64_t n)
{
    struct error err = {0};
    struct cpu_profile p;
    struct cpu_trace *t = cpu_trace_open(name, core, seed, &err);
    if (!t || !cpu_profile_trace(t, &table1, skip, n, &p, &err))
        fail_msg("%s", err.text);
    assert_int_equal(p.instructions, n);
    cpu_trace_close(t);
    return p;
}

/* Table III, written down a second time. */
static const double table3[CPU_APPLICATIONS] = {
    0.2, 0.2, 0.2, 0.3, 0.3, 0.3, 0.4,  0.7, 0.7,  0.8,  1,  1.3,  1.5,  1.6, 1.6,  3.1,  4,
    4.8, 5.2, 7,   7.1, 7.5, 10,  10.6, 12,  12.5, 13.6, 14, 14.2, 14.6, 25,  25.8, 49.8, 103.2};

static void misses_of_all_34_are_those_of_table_3(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < CPU_APPLICATIONS; i++) {
        const struct cpu_application *a = &cpu_applications[i];
        struct cpu_profile p = profile(a->name, i % CPU_MIX_CORES, 1 + i / 5, 300000, 1000000);
        double mpki = (double)p.l2_misses / 1000, off = mpki / table3[i] - 1;
        printf("%-10s %6.1f %7.2f %+5.1f %%\n", a->name, table3[i], mpki, 100 * off);
        wrong += fabs(off) > 0.05;
    }
    assert_int_equal(wrong, 0);
}

/* A short run sees the same: a miss more or less, for the edges of the window, and half a period's
 * uneven share. */
static void misses_come_evenly_from_the_beginning(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CPU_APPLICATIONS; i++) {
        const struct cpu_application *a = &cpu_applications[i];
        double period = 1000.0 * a->phase_kilo, uneven = a->phase / 100.0 * period / 4;
        double allowed = 0.05 * 40 * a->mpki + uneven * a->mpki / 1000 + 1 + a->burst;
        struct cpu_profile p = profile(a->name, 3, 9, 20000, 40000);
        if (fabs((double)p.l2_misses - 40 * a->mpki) > allowed)
            fail_msg("%s: %llu misses instead of %.0f, +-%.0f", a->name,
                     (unsigned long long)p.l2_misses, 40 * a->mpki, allowed);
    }
}

static void mix_is_the_table_s(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CPU_APPLICATIONS; i++) {
        const struct cpu_application *a = &cpu_applications[i];
        assert_true(a->loads + a->stores + a->branches + a->chain <= 100);
        struct cpu_profile p = profile(a->name, 0, 1, 10000, 300000);
        double of = (double)p.instructions / 100;
        const double got[3] = {(double)p.with_load / of, (double)p.with_store / of,
                               (double)p.branches / of};
        const uint8_t want[3] = {a->loads, a->stores, a->branches};
        for (int k = 0; k < 3; k++) {
            if (fabs(got[k] - want[k]) > 1.5)
                fail_msg("%s: %.1f %% instead of %u", a->name, got[k], want[k]);
        }
    }
}

static void same_stream_for_the_same_core_and_seed(void **state)
{
    (void)state;
    static const struct {
        uint32_t core;
        uint64_t seed;
        bool same;
    } cases[] = {{2, 5, true}, {3, 5, false}, {2, 6, false}};
    enum { N = 50000 };
    static struct cpu_instruction want[N], got[N];
    struct cpu_trace *t = cpu_trace_open("gcc", 2, 5, NULL);
    assert_int_equal(cpu_trace_read(t, want, N), N);
    cpu_trace_close(t);
    for (int k = 0; k < 3; k++) {
        t = cpu_trace_open("gcc", cases[k].core, cases[k].seed, NULL);
        for (uint32_t at = 0; at < N; at += 125)
            assert_int_equal(cpu_trace_read(t, got + at, 125), 125);
        assert_int_equal(memcmp(got, want, sizeof got) == 0, cases[k].same);
        assert_int_equal(cpu_trace_rounds(t), 0);
        assert_string_equal(cpu_trace_name(t), "gcc");
        cpu_trace_close(t);
    }
}

/* Where no branch is taken the next instruction lies behind; a branch that is taken leads
 * elsewhere, and a direct one always to the same place. */
static void branches_lead_where_they_say(void **state)
{
    (void)state;
    static struct cpu_instruction x[100000];
    static uint64_t target[1 << 16];
    for (uint32_t i = 0; i < CPU_APPLICATIONS; i++) {
        struct cpu_trace *t = cpu_trace_open(cpu_applications[i].name, 0, 1, NULL);
        cpu_trace_read(t, x, 5000); /* the first walk */
        assert_int_equal(cpu_trace_read(t, x, 100000), 100000);
        memset(target, 0, sizeof target);
        for (uint32_t k = 0; k + 1 < 100000; k++) {
            assert_true(x[k].branch || !x[k].taken);
            uint64_t *seen = &target[(x[k].ip >> 2) & 0xFFFF], next = x[k + 1].ip;
            if (!x[k].taken) {
                assert_int_equal(next, x[k].ip + 4);
            } else {
                assert_true(!*seen || *seen == next);
                *seen = next;
            }
        }
        cpu_trace_close(t);
    }
}

static void mixes_are_those_of_table_4(void **state)
{
    (void)state;
    static const double low[] = {0, 0, 3, 3, 20, 20}, high[] = {2, 2, 15, 15, 200, 200};
    for (uint32_t m = 0; m < CPU_MIXES; m++) {
        assert_ptr_equal(cpu_mix_find(cpu_mixes[m].name), &cpu_mixes[m]);
        for (uint32_t c = 0; c < CPU_MIX_CORES; c++) {
            const struct cpu_application *a = cpu_application_find(cpu_mixes[m].application[c]);
            assert_non_null(a);
            assert_true(a->mpki >= low[m] && a->mpki <= high[m]);
        }
    }
    assert_null(cpu_mix_find("L3"));
    assert_null(cpu_application_find("doom"));
    assert_ptr_equal(cpu_application_find("cactus"), cpu_application_find("cactusADM"));
    struct error err = {0};
    assert_null(cpu_trace_open("doom", 0, 1, &err));
    assert_non_null(strstr(err.text, "'doom' is neither a file nor an application"));
}

/* A stream goes on in its line three times, from its fourth word on, the heap once. */
static void lines_of_streams_are_used_up(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CPU_APPLICATIONS; i++) {
        const struct cpu_application *a = &cpu_applications[i];
        struct error err = {0};
        struct cpu_trace *t = cpu_trace_open(a->name, 0, 1, &err);
        struct cpu_instruction in[256];
        uint64_t last = 1, of_streams = 0, of_heap = 0;
        for (uint32_t n = 0; a->mpki > 10 && n < 4000; n++) {
            assert_int_equal(cpu_trace_read(t, in, 256), 256);
            for (uint32_t k = 0; k < 256; k++) {
                if (!in[k].load[0])
                    continue;
                of_streams += last % 128 == 0 && in[k].load[0] == last + 24;
                of_heap += last % 128 == 0 && in[k].load[0] == last + 8;
                last = in[k].load[0];
            }
        }
        cpu_trace_close(t);
        double all = (double)(of_streams + of_heap), share = 100 * (double)of_streams / all;
        if (a->mpki > 10 && (all < 1000 || fabs(share - a->stream) > 4))
            fail_msg("%s: %.1f %% of %.0f are of streams, not %u", a->name, share, all, a->stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_of_all_34_are_those_of_table_3),
        cmocka_unit_test(misses_come_evenly_from_the_beginning),
        cmocka_unit_test(mix_is_the_table_s),
        cmocka_unit_test(lines_of_streams_are_used_up),
        cmocka_unit_test(same_stream_for_the_same_core_and_seed),
        cmocka_unit_test(branches_lead_where_they_say),
        cmocka_unit_test(mixes_are_those_of_table_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
