/* Coalescing and bank conflicts against plain references, lane by lane and byte by byte, for random
 * and for regular address patterns. */
#include "rig.h"

#include "base/rng.h"
#include "sim/simt/core_internal.h"

#define LINES 64

struct expected {
    uint32_t lines; /* in the order of first touch */
    uint64_t line[LINES];
    bool byte[LINES][LINE_BYTES];
    uint32_t lanes[LINES];
};

static void reference(struct expected *e, const struct lane_addresses *p, uint32_t size)
{
    memset(e, 0, sizeof *e);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        if (!(p->global >> lane & 1))
            continue;
        uint64_t line = p->address[lane] / LINE_BYTES * LINE_BYTES;
        uint32_t i = 0;
        while (i < e->lines && e->line[i] != line)
            i++;
        e->line[i] = line;
        if (i == e->lines)
            e->lines++;
        e->lanes[i] |= 1u << lane;
        for (uint32_t b = 0; b < size; b++)
            e->byte[i][p->address[lane] - line + b] = true;
    }
}

static void check(const struct access *a, const struct expected *e)
{
    assert_int_equal(a->n_tx, e->lines);
    for (uint32_t i = 0; i < e->lines; i++) {
        const struct transaction *tx = &a->tx[i];
        uint32_t words = 0, sectors = 0;
        bool partial = false;
        for (uint32_t w = 0; w < LINE_BYTES / 4; w++) {
            uint32_t bytes = 0;
            for (uint32_t b = 0; b < 4; b++)
                bytes += e->byte[i][4 * w + b];
            if (!bytes)
                continue;
            words |= 1u << w;
            sectors |= 1u << w / 8;
            partial |= bytes < 4;
        }
        assert_int_equal(tx->line, e->line[i]);
        assert_int_equal(tx->words, words);
        assert_int_equal(tx->sectors, sectors);
        assert_int_equal(tx->partial, partial);
        assert_int_equal(tx->lanes, e->lanes[i]);
    }
}

static uint32_t random_size(struct rng *rng)
{
    return 1u << rng_below(rng, 5);
}

/* Strides of 0, one element, random; from a random start; the same for each row of 16; or anything
 * in a few lines. */
static void random_lanes(struct rng *rng, struct lane_addresses *p, uint32_t size)
{
    uint64_t base = (uint64_t)size * rng_below(rng, 300);
    uint32_t kind = rng_below(rng, 8);
    uint32_t stride = kind % 3 == 0 ? 0 : kind % 3 == 1 ? size : size * rng_below(rng, 40);
    uint32_t half = kind < 3 ? 16 * stride : size * rng_below(rng, 100);
    *p = (struct lane_addresses){.global =
                                     rng_chance(rng, 1, 2) ? FULL_MASK : (uint32_t)rng_u64(rng)};
    p->pattern = (struct lane_pattern){base, stride, half};
    p->regular = p->global == FULL_MASK && kind < 7;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        p->address[lane] = kind == 7 ? (uint64_t)size * rng_below(rng, 1000 / size)
                                     : base + lane % 16 * stride + lane / 16 * half;
}

static void test_global(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 7);
    struct access *a = calloc(1, sizeof *a);
    assert_non_null(a);
    for (uint32_t n = 0; n < 100000; n++) {
        struct lane_addresses p;
        struct expected e;
        uint32_t size = random_size(&rng);
        random_lanes(&rng, &p, size);
        if (!p.global)
            continue;
        reference(&e, &p, size);
        a->n_tx = 0;
        coalesce_global(a, &p, size);
        check(a, &e);
    }
    free(a);
}

/* Every lane's every word of local memory has a place of its own in the memory system. */
static void test_local(void **state)
{
    (void)state;
    struct access *a = calloc(1, sizeof *a);
    assert_non_null(a);
    struct lane_addresses p = {.local = FULL_MASK};
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        p.address[lane] = 16;
    coalesce_local(a, &p, 4, 4096);
    assert_int_equal(a->n_tx, 1);
    assert_int_equal(a->tx[0].line, 4096 + 4 * LINE_BYTES);
    assert_int_equal(a->tx[0].words, FULL_MASK);
    assert_int_equal(a->tx[0].partial, 0);
    a->n_tx = 0;
    coalesce_local(a, &p, 8, 4096);
    assert_int_equal(a->n_tx, 2);
    assert_int_equal(a->tx[1].line, 4096 + 5 * LINE_BYTES);
    a->n_tx = 0;
    for (uint32_t size = 1; size <= 2; size++) {
        coalesce_local(a, &p, size, 4096);
        assert_int_equal(a->n_tx, 1);
        assert_int_equal(a->tx[0].partial, 1);
        a->n_tx = 0;
    }
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        p.address[lane] = 16 * lane;
    coalesce_local(a, &p, 16, 4096);
    assert_int_equal(a->n_tx, 128);
    for (uint32_t i = 0; i < 128; i++)
        assert_int_equal(a->tx[i].words, 1u << i / 4);
    free(a);
}

/* Cycles: in each group of lanes, the most words that one bank has to deliver. */
static uint32_t bank_cycles(const uint64_t *address, uint32_t mask, uint32_t size, bool atomic,
                            uint32_t banks)
{
    uint32_t words = size < 4 ? 1 : size / 4, group = WARP_SIZE / words, total = 0;
    for (uint32_t first = 0; first < WARP_SIZE; first += group) {
        uint32_t worst = 0;
        for (uint32_t bank = 0; bank < banks; bank++) {
            uint64_t seen[WARP_SIZE];
            uint32_t n = 0;
            for (uint32_t i = 0; i < group * words; i++) {
                uint32_t lane = first + i / words;
                uint64_t word = address[lane] / 4 + i % words;
                bool again = false;
                for (uint32_t k = 0; k < n && !atomic; k++)
                    again |= seen[k] == word;
                if ((mask >> lane & 1) && word % banks == bank && !again)
                    seen[n++] = word;
            }
            worst = n > worst ? n : worst;
        }
        total += worst;
    }
    return total;
}

static void test_banks(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 9);
    static const uint32_t banks[] = {32, 16, 24, 1};
    uint64_t conflicts = 0;
    for (uint32_t b = 0; b < sizeof banks / sizeof *banks; b++) {
        for (uint32_t n = 0; n < 2000; n++) {
            struct lane_addresses p;
            uint32_t size = random_size(&rng);
            bool atomic = (size == 4 || size == 8) && rng_chance(&rng, 1, 3);
            random_lanes(&rng, &p, size);
            if (p.global)
                assert_int_equal(
                    shared_cycles(banks[b], p.address, p.global, size, atomic, &conflicts),
                    bank_cycles(p.address, p.global, size, atomic, banks[b]));
        }
    }
}

/* What a pattern alone tells is true, and told of what most programs do: rows of words, or one
 * word, both rows together in one row of banks. */
static void test_pattern_banks(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 10);
    static const uint32_t banks[] = {32, 16, 24, 1};
    uint32_t found = 0;
    for (uint32_t n = 0; n < 20000; n++) {
        struct lane_addresses p;
        uint32_t size = random_size(&rng), b = banks[n % 4];
        random_lanes(&rng, &p, size);
        if (!p.regular || !shared_pattern_free(b, &p.pattern, size))
            continue;
        assert_int_equal(bank_cycles(p.address, FULL_MASK, size, false, b), 1);
        found++;
    }
    assert_true(found > 100);
    const struct lane_pattern usual[] = {{256, 4, 64}, {260, 4, 64}, {4, 4, 0},  {8, 0, 0},
                                         {8, 0, 64},   {64, 0, 132}, {0, 4, 192}};
    for (uint32_t i = 0; i < sizeof usual / sizeof *usual; i++)
        assert_true(shared_pattern_free(32, &usual[i], 4));
    const struct lane_pattern conflicts[] = {{0, 0, 128}, {0, 4, 128}, {0, 4, 68}, {0, 8, 64}};
    for (uint32_t i = 0; i < sizeof conflicts / sizeof *conflicts; i++)
        assert_false(shared_pattern_free(i == 2 ? 16 : 32, &conflicts[i], 4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_global),
        cmocka_unit_test(test_local),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_pattern_banks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
