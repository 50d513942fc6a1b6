/* One direction of the crossbar. */
#include "base/rng.h"
#include "sim/mem/net/crossbar.h"
#include "tests/mem/net_fixture.h"
#include "tests/unit.h"

static const struct mem_request nothing = {.sectors = 1};

static struct net *crossbar(uint32_t inputs, uint32_t outputs, uint32_t latency, uint32_t queue)
{
    return crossbar_create(&(struct crossbar_config){inputs, outputs, latency, queue, queue, 0});
}

static bool try_push(struct net *n, uint32_t input, uint32_t output, uint32_t flits,
                     const struct mem_request *message)
{
    if (!net_room(n, input, CLASS_GPU))
        return false;
    net_push(n, input, output, flits, message);
    return true;
}

static void test_latency(void **state)
{
    (void)state;
    for (uint32_t latency = 1; latency < 50; latency += 7) {
        struct net *n = crossbar(3, 5, latency, 2);
        for (uint32_t flits = 1; flits < 9; flits += 3) {
            assert_true(try_push(n, 2, 4, flits, &nothing));
            assert_int_equal(ticks_to_output(n, 4), latency);
            assert_true(net_idle(n));
            for (int i = 0; i < 10; i++)
                net_tick(n);
        }
        net_destroy(n);
    }
}

/* A long message holds its input and its output, and nobody else's. */
static void test_serialisation(void **state)
{
    (void)state;
    struct net *n = crossbar(3, 3, 4, 4);
    net_push(n, 0, 0, 5, &nothing); /* goes at once */
    net_push(n, 0, 1, 1, &nothing); /* same input */
    net_push(n, 1, 0, 1, &nothing); /* same output */
    net_push(n, 2, 2, 1, &nothing); /* neither */
    uint32_t seen[3] = {0};
    uint32_t at[3][2];
    for (uint32_t t = 1; t <= 20; t++) {
        net_tick(n);
        for (uint32_t o = 0; o < 3; o++) {
            if (net_ready(n, o)) {
                net_take(n, o);
                at[o][seen[o]++] = t;
            }
        }
    }
    assert_int_equal(at[0][0], 4);
    assert_int_equal(at[0][1], 9);
    assert_int_equal(at[1][0], 9);
    assert_int_equal(at[2][0], 4);
    net_destroy(n);
}

/* All inputs always want one output: each gets exactly its turn. */
static void test_round_robin(void **state)
{
    (void)state;
    struct net *n = crossbar(7, 2, 3, 2);
    uint32_t next = 0;
    for (uint32_t t = 0; t < 700; t++) {
        for (uint32_t i = 0; i < 7; i++) {
            struct mem_request r = nothing;
            r.source = (uint16_t)i;
            try_push(n, i, 1, 1, &r);
        }
        net_tick(n);
        if (net_ready(n, 1)) {
            assert_int_equal(net_peek(n, 1)->source, next);
            next = (next + 1) % 7;
            net_take(n, 1);
        }
    }
    net_destroy(n);
}

/* Nobody takes: the delay line and the queue fill, then the input; then all come. */
static void test_backpressure(void **state)
{
    (void)state;
    const uint32_t latency = 6;
    const uint32_t queue = 3;
    struct net *n = crossbar(2, 2, latency, queue);
    uint32_t sent = 0;
    for (uint32_t t = 0; t < 100; t++) {
        struct mem_request r = nothing;
        r.tag = sent;
        sent += try_push(n, 0, 0, 1, &r);
        net_tick(n);
    }
    assert_int_equal(sent, latency - 1 + queue + queue); /* one leaves in the tick it arrives */
    assert_true(!net_room(n, 0, CLASS_GPU));
    assert_true(net_room(n, 1, CLASS_GPU));
    for (uint32_t i = 0; i < sent; i++) {
        while (!(net_ready(n, 0)))
            net_tick(n);
        assert_int_equal(net_peek(n, 0)->tag, i);
        net_take(n, 0);
    }
    assert_true(net_idle(n));
    net_destroy(n);
}

/* Order between any input and output, nothing lost, and quiet ticks really are. */
static void test_random(void **state)
{
    (void)state;
    struct net *n = crossbar(64, 64, 9, 2);
    struct rng rng;
    rng_seed(&rng, 4);
    static uint32_t sent[64][64], got[64][64];
    uint64_t in_flight = 0;
    for (uint32_t t = 0; t < 20000 || in_flight; t++) {
        for (uint32_t i = 0; i < 64 && t < 20000 && t / 1000 % 2; i++) {
            uint32_t o = rng_below(&rng, 64);
            struct mem_request r = nothing;
            r.source = (uint16_t)i;
            r.tag = sent[i][o];
            if (rng_chance(&rng, 1, 3) && try_push(n, i, o, 1 + rng_below(&rng, 5), &r)) {
                sent[i][o]++;
                in_flight++;
            }
        }
        uint64_t quiet = net_quiet(n);
        uint64_t before = n->ready[0];
        net_tick(n);
        if (quiet)
            assert_true(n->ready[0] == before);
        for (uint64_t b = n->ready[0]; b; b &= b - 1) {
            uint32_t o = (uint32_t)__builtin_ctzll(b);
            if (rng_chance(&rng, 1, 4))
                continue;
            uint32_t i = net_peek(n, o)->source;
            assert_int_equal(net_peek(n, o)->tag, got[i][o]++);
            net_take(n, o);
            in_flight--;
        }
        assert_int_equal(net_idle(n), in_flight == 0);
    }
    assert_memory_equal(sent, got, sizeof sent);
    net_destroy(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),     cmocka_unit_test(test_serialisation),
        cmocka_unit_test(test_round_robin), cmocka_unit_test(test_backpressure),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
