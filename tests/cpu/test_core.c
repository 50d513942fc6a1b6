/* The CPU core's pipeline, each bound against its closed form (cpu_core.h). */
#include "tests/cpu/core_fixture.h"

#define MEMORY 200u

static void independent(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->target[0] = (uint8_t)(30 + i % 64);
}

/* Fetched three at a time, done two cycles later. */
static void width_bound(void **state)
{
    (void)state;
    for (uint32_t width = 1; width <= 8; width++) {
        struct cpu_core_config c = table1_core();
        c.width = width;
        struct program p = {.n = 10001, .make = independent};
        assert_int_equal(cycles_of(&c, &p, MEMORY),
                         first_fetch(&c, MEMORY) + (p.n - 1) / width + 2 + 1);
    }
}

static void chain(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)i;
    (void)what;
    in->source[0] = in->target[0] = 40;
}

static void dependence_bound(void **state)
{
    (void)state;
    for (uint32_t latency = 1; latency <= 16; latency++) {
        struct cpu_core_config c = table1_core();
        c.alu_latency = latency;
        struct program p = {.n = 3000, .make = chain};
        assert_int_equal(cycles_of(&c, &p, MEMORY),
                         first_fetch(&c, MEMORY) + 1 + p.n * latency + 1);
    }
}

/* Two chains, each of every other instruction. */
static void two_chains(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->source[1] = in->target[1] = (uint8_t)(40 + i % 2);
}

static void dependence_bound_twice(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    struct program p = {.n = 3000, .make = two_chains};
    assert_int_equal(cycles_of(&c, &p, MEMORY), first_fetch(&c, MEMORY) + 1 + p.n / 2 + 1);
}

/* Every access another line. */
static void loads(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->load[0] = DATA + i * LINE;
    in->target[0] = 40;
}

/* A load enters when the one a window before it retires, in the cycle of its data. */
static void window_bound(void **state)
{
    (void)state;
    for (uint32_t window = 4; window <= 128; window *= 2) {
        struct cpu_core_config c = table1_core();
        c.window = window;
        c.l1_mshrs = c.l2_mshrs = 256;
        struct program p = {.n = 1000, .make = loads};
        uint64_t latency = first_fetch(&c, MEMORY), last = p.n - 1;
        assert_int_equal(cycles_of(&c, &p, MEMORY),
                         latency + 1 + last % window + last / window * (latency + 1) + latency + 1);
    }
}

/* A load takes the MSHR in the cycle in which the line before it arrives. */
static void mshr_bound(void **state)
{
    (void)state;
    for (uint32_t mshrs = 1; mshrs <= 32; mshrs++) {
        for (uint32_t second = 0; second < 2; second++) {
            struct cpu_core_config c = table1_core();
            c.l1_mshrs = second ? 64 : mshrs;
            c.l2_mshrs = second ? mshrs : 64;
            struct program p = {.n = 1000, .make = loads};
            uint64_t latency = first_fetch(&c, MEMORY), last = p.n - 1;
            assert_int_equal(cycles_of(&c, &p, MEMORY),
                             latency + 1 + last % mshrs + last / mshrs * latency + latency + 1);
        }
    }
}

/* One memory instruction a cycle, or as many as the configuration says. */
static void same_line(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->load[0] = DATA + i % 4 * 8;
}

static void memory_bound(void **state)
{
    (void)state;
    for (uint32_t width = 1; width <= 3; width++) {
        struct cpu_core_config c = table1_core();
        c.memory_width = width;
        struct program p = {.n = 9000, .make = same_line};
        struct rig *r = rig_create(&c, &p, MEMORY);
        uint64_t warm = rig_until(r, 3000);
        assert_int_equal(rig_until(r, 9000) - warm, 6000 / width);
        rig_destroy(r);
    }
}

/* --- a pointer chase through `what` lines -------------------------------------------------------
 */

static void chase(struct cpu_instruction *in, uint64_t i, const void *what)
{
    in->load[0] = DATA + i % *(const uint64_t *)what * LINE;
    in->source[0] = in->target[0] = 40;
}

static uint64_t chase_period(uint64_t lines, uint64_t memory, struct cpu_core_stats *of)
{
    struct cpu_core_config c = table1_core();
    struct program p = {.n = 5 * lines, .make = chase, .what = &lines};
    struct rig *r = rig_create(&c, &p, memory);
    uint64_t begin = rig_until(r, 2 * lines);
    struct cpu_core_stats before = rig_stats(r);
    uint64_t cycles = rig_until(r, 4 * lines) - begin;
    *of = rig_stats(r);
    of->l1d.misses -= before.l1d.misses;
    of->l2.misses -= before.l2.misses;
    rig_destroy(r);
    assert_int_equal(cycles % (2 * lines), 0);
    return cycles / (2 * lines);
}

static void chase_latencies(void **state)
{
    (void)state;
    struct cpu_core_stats s;
    assert_int_equal(chase_period(1, MEMORY, &s), 2);
    assert_int_equal(chase_period(32768 / LINE, MEMORY, &s), 2);
    assert_int_equal(s.l1d.misses, 0);
    /* Round a circle that is longer than the cache, LRU never hits. */
    assert_int_equal(chase_period(2 * 32768 / LINE, MEMORY, &s), 2 + 8);
    assert_int_equal(s.l1d.misses, 4 * 32768 / LINE);
    assert_int_equal(s.l2.misses, 0);
    assert_int_equal(chase_period(262144 / LINE, MEMORY, &s), 2 + 8);
    assert_int_equal(chase_period(2 * 262144 / LINE, MEMORY, &s), 2 + 8 + MEMORY);
    assert_int_equal(s.l2.misses, 4 * 262144 / LINE);
    assert_int_equal(chase_period(2 * 262144 / LINE, 1, &s), 2 + 8 + 1);
}

/* --- branches -----------------------------------------------------------------------------------
 */

/* Taken and not in turn: without history the second one is always predicted wrong. */
static void in_turn(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->branch = 1;
    in->taken = i % 2 == 0;
    in->source[0] = CPU_REG_IP;
    in->source[1] = CPU_REG_FLAGS;
    in->target[0] = CPU_REG_IP;
}

static void branch_penalty(void **state)
{
    (void)state;
    for (uint32_t penalty = 0; penalty < 40; penalty += 13) {
        struct cpu_core_config c = table1_core();
        c.history_bits = 0;
        c.branch_penalty = penalty;
        struct program p = {.n = 2000, .make = in_turn};
        struct rig *r = rig_create(&c, &p, MEMORY);
        assert_int_equal(rig_until(r, p.n),
                         first_fetch(&c, MEMORY) + (p.n / 2 - 1) * (2 + penalty) + 2 + 1);
        assert_int_equal(rig_stats(r).mispredicted, p.n / 2);
        rig_destroy(r);
    }
}

/* With history the pattern is learnt. */
static void history_learns(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    struct program p = {.n = 2000, .make = in_turn};
    struct rig *r = rig_create(&c, &p, MEMORY);
    rig_until(r, p.n);
    assert_in_range(rig_stats(r).mispredicted, 1, 20);
    assert_int_equal(rig_stats(r).branches, p.n);
    rig_destroy(r);
}

/* A load that misses, and a wrong branch that reads what it brings. */
static void late(struct cpu_instruction *in, uint64_t i, const void *what)
{
    if (i % 2) {
        in_turn(in, i / 2, what);
        in->source[1] = 40;
        return;
    }
    in->load[0] = DATA + i * LINE;
    in->target[0] = 40;
}

/* The front end waits for the load: two loads for every wrong branch. */
static void branch_waits_for_load(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    c.history_bits = 0;
    struct program p = {.n = 4000, .make = late};
    struct rig *r = rig_create(&c, &p, MEMORY);
    uint64_t begin = rig_until(r, 2000), end = rig_until(r, 4000), load = 2 + 8 + MEMORY;
    /* The second load is fetched with the first one and issues a cycle later; the branch takes one.
     */
    assert_int_equal(end - begin, 500 * (1 + 1 + load + 1 + c.branch_penalty));
    rig_destroy(r);
}

/* An indirect jump to one place, then to two in turn. */
static void jumps(struct cpu_instruction *in, uint64_t i, const void *what)
{
    bool two = *(const bool *)what;
    in->ip = i % 2 ? CODE + 64 + (two ? i / 2 % 2 * 16 : 0) : CODE;
    if (i % 2)
        return;
    in->branch = in->taken = 1;
    in->source[0] = 41;
    in->target[0] = CPU_REG_IP;
}

static void indirect_targets(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    for (uint32_t two = 0; two < 2; two++) {
        bool flag = two;
        struct program p = {.n = 2000, .make = jumps, .what = &flag};
        struct rig *r = rig_create(&c, &p, MEMORY);
        rig_until(r, p.n);
        assert_int_equal(rig_stats(r).mispredicted, two ? p.n / 2 : 1);
        rig_destroy(r);
    }
}

/* Calls and returns are always right, and the stack pointer is no chain of dependences. */
static void calls(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->branch = in->taken = 1;
    in->source[0] = in->target[0] = CPU_REG_STACK;
    in->target[1] = CPU_REG_IP;
    if (i % 2 == 0) {
        in->source[1] = CPU_REG_IP;
        in->store[0] = DATA;
        return;
    }
    in->load[0] = DATA;
}

static void stack_engine(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    c.memory_width = 3;
    struct program p = {.n = 9000, .make = calls};
    struct rig *r = rig_create(&c, &p, MEMORY);
    uint64_t begin = rig_until(r, 3000);
    assert_in_range(rig_until(r, 9000) - begin, 6000 / 3, 6000 / 3 + 1002);
    assert_int_equal(rig_stats(r).mispredicted, 0);
    rig_destroy(r);
}

/* A register that becomes the stack pointer, which then is an operand: a chain. */
static void frames(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->source[0] = i % 2 ? CPU_REG_STACK : 40;
    in->target[0] = i % 2 ? 40 : CPU_REG_STACK;
}

static void stack_pointer_from_register(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    struct program p = {.n = 3000, .make = frames};
    assert_int_equal(cycles_of(&c, &p, MEMORY), first_fetch(&c, MEMORY) + 1 + p.n + 1);
}

/* --- instruction fetch
 * ---------------------------------------------------------------------------- */

static void straight(struct cpu_instruction *in, uint64_t i, const void *what)
{
    in->ip = CODE + i % *(const uint64_t *)what * 4;
}

static void instruction_lines(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    uint64_t per_line = LINE / 4, l1 = 32768 / 4, l2 = 262144 / 4, n = 4 * l1;
    /* In L1 only the width counts; the first round takes a line from memory at a time. */
    struct program p = {.n = 3 * l1, .make = straight, .what = &l1};
    struct rig *r = rig_create(&c, &p, MEMORY);
    uint64_t begin = rig_until(r, l1);
    assert_in_range(begin, l1 / per_line * (first_fetch(&c, MEMORY) + 10),
                    l1 / per_line * (first_fetch(&c, MEMORY) + 11) + 3);
    assert_in_range(rig_until(r, 2 * l1) - begin, l1 / 3, l1 / 3 + 1);
    assert_int_equal(rig_stats(r).l1i.misses, l1 / per_line);
    rig_destroy(r);
    /* Out of L2: fetch stops for both lookups, then for ten groups; the 11th asks for the next. */
    p = (struct program){.n = n + l2, .make = straight, .what = &l2};
    r = rig_create(&c, &p, MEMORY);
    begin = rig_until(r, l2);
    assert_int_equal((rig_until(r, l2 + n) - begin + per_line / 2) / (n / per_line), 2 + 8 + 10);
    rig_destroy(r);
}

static void refuses(const char *what, struct cpu_core_config c)
{
    struct error err = {0};
    struct program p = {.n = 0};
    assert_null(cpu_core_create(&c, read_program, &p, &err));
    assert_non_null(strstr(err.text, what));
}

static void wrong_values(void **state)
{
    (void)state;
    struct cpu_core_config good = table1_core(), c = good;
    c.memory_width = 4;
    refuses("memory_width", c);
    c = good;
    c.l1d_ways = 5;
    refuses("L1 data cache", c);
    c = good;
    c.l2_bytes = 3 << 16;
    refuses("L2 cache", c);
    c = good;
    c.history_bits = 15;
    refuses("history_bits", c);
    c.history_bits = 14; /* as the predictor */
    assert_true(cpu_core_check(&c, &(struct error){0}));
    c = good;
    c.window = 3;
    refuses("window", c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(width_bound),
        cmocka_unit_test(dependence_bound),
        cmocka_unit_test(dependence_bound_twice),
        cmocka_unit_test(window_bound),
        cmocka_unit_test(mshr_bound),
        cmocka_unit_test(memory_bound),
        cmocka_unit_test(chase_latencies),
        cmocka_unit_test(branch_penalty),
        cmocka_unit_test(history_learns),
        cmocka_unit_test(branch_waits_for_load),
        cmocka_unit_test(indirect_targets),
        cmocka_unit_test(stack_engine),
        cmocka_unit_test(stack_pointer_from_register),
        cmocka_unit_test(instruction_lines),
        cmocka_unit_test(wrong_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
