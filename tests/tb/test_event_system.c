/* event_system, the example of docs/guide/integrate.md: two event kernels beside background blocks
 * on a small SIMT core. Every word of its memory at the end against what the kernels compute, for
 * each policy, several rates and seeds; so registers and lanes that a preemption did not give back
 * show in the results. */
#include "base/rng.h"
#include "event_system.h"
#include "evgpu_defs.h"
#include "tests/unit.h"

enum { FIRST = 0x400, END = 0x1000, WORDS = (END - FIRST) / 4, PATIENCE = 1000000 };

struct run {
    struct event_system_in in;
    uint32_t rings[2], pushes, fresh, spare, saves, exits, flags;
    uint64_t cycles;
    uint32_t memory[WORDS], n_words, sum;
};

/* --- what the memory holds at the end -----------------------------------------------------------
 */

static uint32_t block_result(uint32_t number, uint32_t lane)
{
    uint32_t x = number + lane;
    for (uint32_t n = 40; n; n--) {
        x += n;
        x ^= x << 5;
        x += x & 1 ? 77 : 0;
    }
    return x;
}

static uint32_t event_result(uint32_t x, uint32_t row, uint32_t lane)
{
    if (!row)
        return 2 * x ^ lane;
    return x & 1 ? 3 * x + 1 : x >> 1;
}

static uint32_t expected(const struct run *r, uint32_t at)
{
    if (at >= 0xc00)
        return block_result(at >> 5 & 31, at >> 2 & 7);
    uint32_t row = at >> 9 & 1, entry = at >> 6 & 7, word = at >> 2 & 15;
    if (at >= 0x800) {
        row = at >> 6 & 1;
        entry = at >> 2 & 7;
        bool flag = at < 0x880 && !(at & 0x20);
        return flag && r->rings[row] > entry ? EVG_COMPLETION_DONE : 0;
    }
    if (word < 2)
        return word ? 0 : 0x800 + 0x40 * row + 4 * entry;
    uint32_t x = (at & 0xff) << 24 | 0xa53u << 12 | at;
    if (word >= 4 && word < 12)
        for (uint32_t n = entry; n < r->rings[row]; n += 8)
            x = event_result(x, row, word - 4);
    return x;
}

/* --- a run --------------------------------------------------------------------------------------
 */

static void run(struct run *r, uint8_t policy, uint16_t events, uint16_t seed, uint8_t gap)
{
    struct event_system_out out;
    tile_randomise(seed, true);
    void *rtl = event_system_rtl_create("system");
    memset(r, 0, sizeof *r);
    r->in = (struct event_system_in){.policy = policy, .events = events, .seed = seed, .gap = gap};
    event_system_rtl_reset(rtl, &r->in, 2, &out);
    while (!out.end) {
        if (r->cycles++ == PATIENCE)
            fail_msg(
                "policy %u, seed %u, gap %u: no end in state %u, %u doorbells, %u exits, %u blocks",
                policy, seed, gap, out.state, r->rings[0] + r->rings[1], r->exits, out.blocks);
        assert_int_not_equal(out.state, DRIVER_STATE_STUCK);
        event_system_rtl_step(rtl, &r->in, &out);
        if (out.ring)
            r->rings[out.ring_row]++;
        r->pushes += out.push;
        r->fresh += out.push && out.push_fresh;
        r->spare += out.push && out.push_spare;
        r->saves += out.save;
        r->exits += out.exit;
        r->flags += out.flag;
        if (out.sum_valid) {
            assert_true(r->n_words < WORDS);
            r->memory[r->n_words++] = out.sum_data;
            r->sum = (r->sum << 1 | r->sum >> 31) + out.sum_data;
        }
    }
    assert_int_equal(out.sum, r->sum);
    event_system_rtl_destroy(rtl);
}

static void check(const struct run *r)
{
    uint32_t events = r->in.events;
    assert_int_equal(r->rings[0] + r->rings[1], events);
    assert_int_equal(r->pushes, events);
    assert_int_equal(r->exits, events);
    assert_int_equal(r->flags, events);
    assert_int_equal(r->fresh + r->spare + r->saves, events); /* a preemption saves once */
    assert_int_equal(r->n_words, WORDS);
    for (uint32_t i = 0; i < WORDS; i++)
        if (r->memory[i] != expected(r, FIRST + 4 * i)) {
            print_error("0x%x holds %08x instead of %08x\n", FIRST + 4 * i, r->memory[i],
                        expected(r, FIRST + 4 * i));
            fail();
        }
}

static void test_policies(void **state)
{
    (void)state;
    struct run r;
    struct rng rng;
    rng_seed(&rng, 28);
    uint32_t fresh = 0, saves = 0;
    for (uint8_t policy = 0; policy < 3; policy++)
        for (uint32_t n = 0; n < 4; n++) {
            static const uint8_t gaps[] = {0xff, 0x7f, 0x1f, 0x00};
            run(&r, policy, 150, (uint16_t)(rng_below(&rng, 65535) + 1), gaps[n]);
            check(&r);
            fresh += r.fresh;
            saves += r.saves;
        }
    assert_true(fresh > 0 && saves > 300);
}

/* Without events the blocks alone; with one, it preempts. */
static void test_few(void **state)
{
    (void)state;
    struct run r;
    for (uint16_t events = 0; events < 3; events++) {
        run(&r, VICTIM_POLICY_OLDEST, events, 7, 0x3f);
        check(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
