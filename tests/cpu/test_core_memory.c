/* The CPU core and its caches: stores, write-backs, merging, and the same results however time goes
 * on. */
#include "tests/cpu/core_fixture.h"

#define MEMORY 200u

/* Every store another line. */
static void stores(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->store[0] = DATA + i * LINE;
}

/* Each line that was stored to goes to memory once, but for those that fit. */
static void writebacks_counted(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    const uint64_t fit = c.l2_bytes / LINE, n = 3 * fit;
    struct program p = {.n = n, .make = stores};
    struct rig *r = rig_create(&c, &p, MEMORY);
    rig_end(r);
    struct cpu_core_stats s = rig_stats(r);
    assert_int_equal(s.stores, n);
    assert_int_equal(s.l1d.misses, n);
    assert_int_equal(s.l1d.writebacks, n - c.l1d_bytes / LINE);
    /* The line with the instructions takes the place of one. */
    assert_int_equal(s.l2.misses, n + 1);
    assert_in_range(s.l2.writebacks, n - fit, n - fit + 1);
    assert_int_equal(s.writes, s.l2.writebacks);
    assert_int_equal(s.reads, n + 1);
    rig_destroy(r);
}

/* Stores do not keep the window: a buffer full of them, then as many as there are MSHRs. */
static void stores_retire(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    struct program p = {.n = c.l1_mshrs + c.store_buffer, .make = stores};
    assert_in_range(cycles_of(&c, &p, MEMORY), first_fetch(&c, MEMORY) + p.n,
                    first_fetch(&c, MEMORY) + p.n + 4);
    p = (struct program){.n = c.l1_mshrs * 20, .make = stores};
    uint64_t latency = first_fetch(&c, MEMORY);
    uint64_t full = p.n - c.store_buffer; /* the rest is in the buffer */
    assert_in_range(cycles_of(&c, &p, MEMORY), full / c.l1_mshrs * latency,
                    (full / c.l1_mshrs + 2) * latency + c.l1_mshrs);
}

/* Stores that compute a register each: a chain, whose links take a cycle. */
static void store_chain(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)i;
    (void)what;
    in->source[0] = in->target[0] = 40;
    in->store[0] = DATA;
}

static void stores_are_done_after_a_cycle(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    c.memory_width = 3;
    struct program p = {.n = 300, .make = store_chain};
    uint64_t begin = first_fetch(&c, MEMORY) + c.store_buffer;
    assert_in_range(cycles_of(&c, &p, MEMORY), begin + p.n - c.store_buffer,
                    begin + p.n + first_fetch(&c, MEMORY) + 4);
}

/* Eight loads of a line, `what` lines. */
static void line_by_line(struct cpu_instruction *in, uint64_t i, const void *what)
{
    in->load[0] = DATA + i / 8 % *(const uint64_t *)what * LINE + i % 8 * 16;
}

static void loads_merge(void **state)
{
    (void)state;
    uint64_t lines = 10;
    struct cpu_core_config c = table1_core();
    struct program p = {.n = 8 * lines, .make = line_by_line, .what = &lines};
    struct rig *r = rig_create(&c, &p, MEMORY);
    rig_end(r);
    struct cpu_core_stats s = rig_stats(r);
    assert_int_equal(s.loads, 8 * lines);
    assert_int_equal(s.l1d.accesses, 8 * lines);
    assert_int_equal(s.l1d.misses, lines);
    assert_int_equal(s.l1d.merged, 7 * lines);
    assert_int_equal(s.reads, lines + 1);
    /* All are there a memory latency after the last line was asked for. */
    assert_int_equal(s.read_cycles, s.reads * MEMORY);
    rig_destroy(r);
}

/* Twice as many lines as L1D has, again and again. */
static void too_many_lines(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    in->load[0] = DATA + i % 512 * LINE;
}

/* A load that L2 answers holds its MSHR until then, and no cycle longer. */
static void l2_hits_hold_an_mshr(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    c.l1_mshrs = 1;
    struct program once = {.n = 1024, .make = too_many_lines};
    struct program twice = {.n = 1536, .make = too_many_lines};
    uint64_t before = cycles_of(&c, &once, MEMORY);
    assert_int_equal(cycles_of(&c, &twice, MEMORY) - before, 512 * (c.l1_latency + c.l2_latency));
}

/* Loads and stores within one line: the store's data are there for the load. */
static void store_then_load(struct cpu_instruction *in, uint64_t i, const void *what)
{
    (void)what;
    if (i % 2)
        in->load[0] = DATA + i / 2 * LINE;
    else
        in->store[0] = DATA + i / 2 * LINE;
}

static void load_behind_store(void **state)
{
    (void)state;
    struct cpu_core_config c = table1_core();
    struct program p = {.n = 2000, .make = store_then_load};
    struct rig *r = rig_create(&c, &p, MEMORY);
    rig_end(r);
    struct cpu_core_stats s = rig_stats(r);
    assert_int_equal(s.l1d.misses, 1000);
    assert_int_equal(s.l1d.misses + s.l1d.merged, 2000);
    assert_int_equal(s.reads, 1001);
    rig_destroy(r);
}

/* --- lines of one set: L1D has 4 of them, L2 has 8 -----------------------------------------------
 */

#define SET   256u /* lines from one of a set to the next one, of either cache */
#define CHAIN 100u /* instructions that a dirty line needs to be in L1D */

struct step {
    uint64_t line; /* 0: none */
    bool store, beside;
};

/* Steps one after the other; one that is beside the step in front of it waits for what that waits
 * for. */
static void walk(struct cpu_instruction *in, uint64_t i, const void *what)
{
    const struct step *s = (const struct step *)what + i;
    uint64_t address = DATA + s->line * SET * LINE;
    in->source[0] = (uint8_t)(40 + (i - s->beside) % 2);
    in->target[0] = s->beside ? 0 : (uint8_t)(40 + (i + 1) % 2);
    if (!s->line)
        return;
    if (s->store)
        in->store[0] = address;
    else
        in->load[0] = address;
}

/* Line 1 is dirty in L1D while L2 gives it up clean: it goes back to L2 without anything going to
 * memory. A load has met the store's miss on the way, which stays a store. */
static void dirty_line_returns_to_l2(void **state)
{
    (void)state;
    struct step steps[CHAIN + 40] = {{.line = 1, .store = true}};
    uint32_t n = CHAIN;
    steps[n++] = (struct step){.line = 1};
    for (uint32_t k = 0; k < 9; k++) {
        steps[n++] = (struct step){.line = 2 + k};
        steps[n++] = (struct step){.line = 1};
    }
    for (uint32_t k = 0; k < 4; k++)
        steps[n++] = (struct step){.line = 20 + k};
    struct cpu_core_config c = table1_core();
    struct program p = {.n = n, .make = walk, .what = steps};
    struct rig *r = rig_create(&c, &p, MEMORY);
    rig_end(r);
    struct cpu_core_stats s = rig_stats(r);
    assert_int_equal(s.l1d.merged, 1);
    assert_int_equal(s.l1d.misses, 14);
    assert_int_equal(s.l1d.writebacks, 1);
    assert_int_equal(s.l2.writebacks, 0);
    assert_int_equal(s.writes, 0);
    rig_destroy(r);
}

/* A second load of a line that is on its way from L2 waits with the first one. */
static void loads_merge_behind_l2(void **state)
{
    (void)state;
    struct step steps[16] = {{.line = 1}};
    uint32_t n = 1;
    for (; n <= 4; n++)
        steps[n] = (struct step){.line = 1 + n};
    steps[n++] = (struct step){.line = 1};
    steps[n] = steps[n - 1];
    steps[n++].beside = true;
    struct cpu_core_config c = table1_core();
    struct program p = {.n = n, .make = walk, .what = steps};
    struct rig *r = rig_create(&c, &p, MEMORY);
    rig_end(r);
    struct cpu_core_stats s = rig_stats(r);
    assert_int_equal(s.l1d.accesses, 7);
    assert_int_equal(s.l1d.misses, 6);
    assert_int_equal(s.l1d.merged, 1);
    rig_destroy(r);
}

/* Line 1, which has left L1D for line 5, goes from L2 to memory for line 13. While as many
 * write-backs are under way as there may be, no miss of L1D goes on, not even one that L2 could
 * serve. */
static void write_backs_hold_misses(void **state)
{
    (void)state;
    struct step steps[CHAIN + 16] = {{.line = 1, .store = true}};
    uint64_t cycles[2];
    uint32_t n = CHAIN;
    for (uint32_t k = 2; k <= 13; k++)
        steps[n++] = (struct step){.line = k};
    steps[n++] = (struct step){.line = 7};
    for (uint32_t i = 0; i < 2; i++) {
        struct cpu_core_config c = table1_core();
        c.l2_writebacks = 1 + i;
        struct program p = {.n = n, .make = walk, .what = steps};
        cycles[i] = cycles_of(&c, &p, MEMORY);
    }
    assert_in_range(cycles[0] - cycles[1], MEMORY - 20, MEMORY);
}

/* --- anything
 * ------------------------------------------------------------------------------------- */

struct mixture {
    uint64_t seed, lines;
};

static void mixed(struct cpu_instruction *in, uint64_t i, const void *what)
{
    const struct mixture *m = what;
    struct rng rng;
    rng_seed(&rng, m->seed * 1000003 + i);
    uint32_t kind = rng_below(&rng, 10);
    in->ip = CODE + rng_below(&rng, 4096) * 64;
    for (uint32_t s = 0; s < CPU_SOURCES; s++)
        in->source[s] = (uint8_t)(rng_chance(&rng, 1, 2) ? 1 + rng_below(&rng, 40) : 0);
    for (uint32_t t = 0; t < CPU_TARGETS; t++)
        in->target[t] = (uint8_t)(rng_chance(&rng, 1, 2) ? 1 + rng_below(&rng, 40) : 0);
    for (uint32_t l = 0; kind < 4 && l <= rng_below(&rng, CPU_LOADS); l++)
        in->load[l] = DATA + rng_below(&rng, (uint32_t)m->lines) * LINE;
    for (uint32_t s = 0; (kind == 3 || kind == 4) && s <= rng_below(&rng, CPU_STORES); s++)
        in->store[s] = DATA + rng_below(&rng, (uint32_t)m->lines) * LINE;
    in->branch = kind > 8;
    in->taken = in->branch && rng_chance(&rng, 3, 4);
}

/* By cycles, by events and ahead of time, the same to the cycle; every instruction retires, every
 * access happens, every line that was asked for arrives. */
static void any_program(const struct cpu_core_config *c, const struct mixture *m, uint64_t latency)
{
    struct cpu_core_stats of[3];
    uint64_t marked[3];
    for (uint32_t way = 0; way < 3; way++) {
        struct program p = {.n = 4000, .make = mixed, .what = m};
        struct rig *r = rig_create(c, &p, latency);
        r->by_event = way > 0;
        r->ahead = way == 2 ? 1 + latency % 100 : 0;
        marked[way] = rig_until(r, 2000);
        rig_end(r);
        of[way] = rig_stats(r);
        of[way].cycles = 0;
        rig_destroy(r);
        assert_int_equal(marked[way], marked[0]);
        assert_memory_equal(&of[way], &of[0], sizeof of[0]);
    }
    assert_int_equal(of[0].instructions, 4000);
    assert_int_equal(of[0].l1d.accesses, of[0].loads + of[0].stores);
    assert_int_equal(of[0].reads, of[0].l2.misses);
    assert_int_equal(of[0].writes, of[0].l2.writebacks);
    assert_int_equal(of[0].read_cycles, of[0].reads * latency);
}

static void time_by_cycle_and_event(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 20140613);
    for (uint32_t i = 0; i < 60; i++) {
        struct cpu_core_config c = table1_core();
        c.width = 1 + rng_below(&rng, 8);
        c.memory_width = 1 + rng_below(&rng, c.width < 4 ? c.width : 4);
        c.window = 4 + rng_below(&rng, 200);
        c.alu_latency = 1 + rng_below(&rng, 4);
        c.store_buffer = 2 + rng_below(&rng, 8);
        c.l1_mshrs = 1 + rng_below(&rng, 8);
        c.l2_mshrs = 1 + rng_below(&rng, 8);
        c.l2_writebacks = 1 + rng_below(&rng, 3);
        c.l1d_bytes = 512u << rng_below(&rng, 4);
        c.l1i_bytes = 2048;
        c.l2_bytes = 4096u << rng_below(&rng, 4);
        c.branch_penalty = rng_below(&rng, 20);
        struct mixture m = {.seed = i, .lines = 16u << rng_below(&rng, 6)};
        any_program(&c, &m, 1 + rng_below(&rng, 300));
    }
}

/* Pages keep their lines together, and no two lines meet. */
static void places_one_to_one(void **state)
{
    (void)state;
    enum { PAGES = 1 << 14 };
    uint64_t *seen = ALLOC_ARRAY(uint64_t, PAGES);
    for (uint64_t i = 0; i < PAGES; i++) {
        uint64_t page = (i & 0xff) << 12 | (i >> 8) << 40;
        seen[i] = cpu_core_place(3, page);
        assert_int_equal(seen[i] >> 52, 4);
        assert_int_equal(seen[i] & 0xfff, 0);
        assert_int_equal(cpu_core_place(3, page + 0xf80), seen[i] + 0xf80);
        assert_true(cpu_core_place(2, page) != seen[i]);
    }
    for (uint32_t i = 0; i < PAGES; i++)
        for (uint32_t k = 0; k < i; k++)
            if (seen[i] == seen[k])
                fail_msg("pages %u and %u meet", i, k);
    free(seen);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writebacks_counted),
        cmocka_unit_test(stores_retire),
        cmocka_unit_test(stores_are_done_after_a_cycle),
        cmocka_unit_test(loads_merge),
        cmocka_unit_test(l2_hits_hold_an_mshr),
        cmocka_unit_test(load_behind_store),
        cmocka_unit_test(dirty_line_returns_to_l2),
        cmocka_unit_test(loads_merge_behind_l2),
        cmocka_unit_test(write_backs_hold_misses),
        cmocka_unit_test(places_one_to_one),
        cmocka_unit_test(time_by_cycle_and_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
