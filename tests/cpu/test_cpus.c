/* CPU cores at the memory system: LLC and DRAM latency of a pointer chase, clocks, several cores,
 * running ahead. */
#include <stdio.h>
#include <unistd.h>

#include "sim/cpu/cpus.h"
#include "sim/mem/memsys.h"
#include "sim/mem/memsys_config.h"
#include "tests/cpu/core_fixture.h"
#include "tests/mem/memsys_fixture.h"

struct marks {
    struct cpus *cpus;
    uint64_t cycle[MAX_CPUS]; /* CPU cycles at each core's mark */
    struct cpu_core_stats stats[MAX_CPUS];
    uint32_t count;
};

static void on_mark(void *user, uint32_t core)
{
    struct marks *m = user;
    m->count++;
    m->cycle[core] = cpu_core_marked(cpus_core(m->cpus, core));
    cpu_core_stats(cpus_core(m->cpus, core), &m->stats[core]);
}

/* A circle of `n` dependent loads, `step` bytes apart, as a file of instructions. */
static struct cpu_trace *chase_file(uint64_t n, uint64_t step)
{
    char path[] = "/tmp/evgpu-chase-XXXXXX";
    struct error err = {0};
    FILE *to = fdopen(mkstemp(path), "wb");
    assert_non_null(to);
    for (uint64_t i = 0; i < n; i++) {
        struct cpu_instruction in = {.ip = CODE, .source = {40}, .target = {40}};
        in.load[0] = DATA + i * step;
        assert_int_equal(fwrite(&in, sizeof in, 1, to), 1);
    }
    fclose(to);
    struct cpu_trace *t = cpu_trace_open(path, 0, 1, &err);
    if (!t)
        fail_msg("%s", err.text);
    unlink(path);
    return t;
}

/* Caches of next to nothing: every new line goes to the LLC. */
static struct cpu_core_config small_core(void)
{
    struct cpu_core_config c = table1_core();
    c.l1d_bytes = 1024;
    c.l2_bytes = 2048;
    return c;
}

struct scene {
    struct memsys *memsys;
    struct cpus *cpus;
    struct marks marks;
    uint64_t cycle;
};

static struct scene *scene_create(const struct memsys_config *memory,
                                  const struct cpu_core_config *core, uint32_t cores, uint32_t khz,
                                  uint32_t ahead)
{
    struct error err = {0};
    struct scene *s = ALLOC(struct scene);
    struct memsys_config m = *memory;
    struct endpoint ports[MAX_CPUS];
    for (uint32_t i = 0; i < cores; i++)
        ports[i] = (struct endpoint){ENDPOINT_CPU, CLASS_CPU, (uint16_t)i};
    m.requesters = ports;
    m.ports = cores;
    s->memsys = memsys_for(&m);
    s->cpus = cpus_create(&(struct cpus_config){.count = cores,
                                                .khz = khz,
                                                .core_khz = m.core_khz,
                                                .ahead = ahead,
                                                .first_owner = GPU_OWNERS,
                                                .core = *core,
                                                .memsys = s->memsys,
                                                .marked = on_mark,
                                                .user = &s->marks},
                          &err);
    if (!s->cpus)
        fail_msg("%s", err.text);
    s->marks.cpus = s->cpus;
    return s;
}

static void scene_destroy(struct scene *s)
{
    cpus_destroy(s->cpus);
    memsys_destroy(s->memsys);
    free(s);
}

static void start(struct scene *s, uint32_t core, struct cpu_trace *trace)
{
    struct error err = {0};
    assert_true(cpus_start(s->cpus, core, trace, s->cycle, &err));
}

static void run_to_marks(struct scene *s, uint32_t count)
{
    for (s->marks.count = 0; s->marks.count < count; s->cycle++) {
        assert_true(s->cycle < 10000000);
        if (cpus_next_event(s->cpus, s->cycle) <= s->cycle)
            assert_true(cpus_tick(s->cpus, s->cycle));
        memsys_tick(s->memsys);
    }
}

/* CPU cycles of a round of the chase, when it has been gone twice. */
static uint64_t round_cycles(const struct memsys_config *memory, uint64_t lines, uint64_t step,
                             uint32_t khz)
{
    struct cpu_core_config core = small_core();
    struct scene *s = scene_create(memory, &core, 1, khz, 64);
    struct cpu_trace *trace = chase_file(lines, step);
    start(s, 0, trace);
    cpu_core_mark(cpus_core(s->cpus, 0), 2 * lines);
    run_to_marks(s, 1);
    uint64_t begin = s->marks.cycle[0];
    cpu_core_mark(cpus_core(s->cpus, 0), 3 * lines);
    run_to_marks(s, 1);
    uint64_t end = s->marks.cycle[0];
    scene_destroy(s);
    cpu_trace_close(trace);
    return end - begin;
}

static void chase_to_llc(void **state)
{
    (void)state;
    struct memsys_config m = base_config();
    uint64_t path = m.request_latency + m.l2_latency + m.reply_latency;
    assert_int_equal(round_cycles(&m, 64, LINE, m.core_khz), 64 * (2 + 8 + path));
    m.request_latency = 31;
    m.l2_latency = 60;
    assert_int_equal(round_cycles(&m, 64, LINE, m.core_khz), 64 * (2 + 8 + path + 24 + 55));
}

/* A line of another page each time: another row of its bank is open. */
static void chase_to_dram(void **state)
{
    (void)state;
    struct memsys_config m = base_config();
    uint64_t path = m.request_latency + m.l2_latency + m.reply_latency;
    uint64_t dram = m.dram.rp + m.dram.rcd + m.dram.cl + 3 * m.dram.ccd + m.dram.burst;
    m.memory_latency = 17;
    assert_int_equal(round_cycles(&m, 512, 4096, m.core_khz), 512 * (2 + 8 + path + 17 + dram));
}

/* CPU cores of another clock: a trip takes the memory's time, rounded to its cycle and back. */
static void clocks(void **state)
{
    (void)state;
    static const uint32_t khz[] = {350000, 1000000, 2000000, 700001};
    struct memsys_config m = base_config();
    uint64_t path = m.request_latency + m.l2_latency + m.reply_latency;
    for (uint32_t i = 0; i < sizeof khz / sizeof *khz; i++) {
        double trip = (double)path * khz[i] / m.core_khz;
        double mean = (double)round_cycles(&m, 64, LINE, khz[i]) / 64;
        double grain = 1 + (double)khz[i] / m.core_khz; /* a cycle of each clock */
        assert_true(mean >= 2 + 8 + trip - grain && mean <= 2 + 8 + trip + grain);
    }
}

/* --- several cores ------------------------------------------------------------------------------
 */

static const char *const applications[] = {"mcf", "gcc", "lbm", "povray"};
#define APPLICATIONS 4u

static void run_applications(uint32_t ahead, uint64_t quota, struct marks *marks, uint64_t *cycle)
{
    struct memsys_config m = gtx480_like();
    struct cpu_core_config core = table1_core();
    struct cpu_trace *trace[APPLICATIONS];
    struct error err = {0};
    struct scene *s = scene_create(&m, &core, APPLICATIONS + 1, 2000000, ahead);
    for (uint32_t i = 0; i < APPLICATIONS; i++) {
        trace[i] = cpu_trace_open(applications[i], i, 7, &err);
        if (!trace[i])
            fail_msg("%s", err.text);
        start(s, i, trace[i]);
    }
    assert_null(cpus_core(s->cpus, APPLICATIONS)); /* idle, without a program */
    for (uint32_t i = 0; i < APPLICATIONS; i++)
        cpu_core_mark(cpus_core(s->cpus, i), quota);
    run_to_marks(s, APPLICATIONS);
    for (uint32_t i = 0; i < APPLICATIONS; i++) {
        struct traffic llc = memsys_traffic(s->memsys, GPU_OWNERS + i);
        struct cpu_core_stats now;
        cpu_core_stats(cpus_core(s->cpus, i), &now);
        assert_in_range(llc.l2_hits + llc.l2_misses, 1, now.reads + now.writes);
        cpu_trace_close(trace[i]);
    }
    *marks = s->marks;
    *cycle = s->cycle;
    scene_destroy(s);
}

/* However far cores run ahead, and again: the same to the cycle. */
static void ahead_is_the_same(void **state)
{
    (void)state;
    struct marks first, other;
    uint64_t cycle, again;
    for (uint64_t quota = 150; quota < 3000; quota += 450) {
        run_applications(0, quota, &first, &cycle);
        for (uint32_t ahead = 0; ahead < 1000; ahead = 7 * ahead + 5) {
            run_applications(ahead, quota, &other, &again);
            assert_memory_equal(other.cycle, first.cycle, sizeof first.cycle);
            assert_memory_equal(other.stats, first.stats, sizeof first.stats);
            assert_int_equal(again, cycle);
        }
    }
}

static void impossible(void **state)
{
    (void)state;
    struct error err = {0};
    struct memsys_config m = base_config();
    struct memsys *memsys = memsys_for(&m);
    assert_null(cpus_create(&(struct cpus_config){.count = 0, .memsys = memsys}, &err));
    assert_non_null(strstr(err.text, "CPU cores"));
    err = (struct error){0};
    assert_null(cpus_create(&(struct cpus_config){.count = 3, .memsys = memsys}, &err));
    assert_non_null(strstr(err.text, "no port"));
    memsys_destroy(memsys);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chase_to_llc), cmocka_unit_test(chase_to_dram),
        cmocka_unit_test(clocks),       cmocka_unit_test(ahead_is_the_same),
        cmocka_unit_test(impossible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
