/* One direction of the crossbar. */
#include <string.h>

#include "base/rng.h"
#include "sim/mem/net/crossbar.h"
#include "tests/mem/net_fixture.h"
#include "tests/unit.h"

static const struct mem_request nothing = {.sectors = 1};

static struct net *crossbar(uint32_t inputs, uint32_t outputs, uint32_t latency, uint32_t queue)
{
    return crossbar_create(
        &(struct crossbar_config){inputs, outputs, latency, queue, queue, 0, CROSSBAR_VOQ});
}

static struct net *fifo_crossbar(uint32_t ports, uint32_t queue, uint32_t reserved)
{
    return crossbar_create(
        &(struct crossbar_config){ports, ports, 4, queue, queue, reserved, CROSSBAR_FIFO});
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

/* Ticks from `now` on until the output has this message, which is taken. */
static void expect_at(struct net *n, uint32_t *now, uint32_t tick, uint32_t output, uint32_t tag)
{
    for (; *now < tick; ++*now) {
        assert_false(net_ready(n, output));
        net_tick(n);
    }
    assert_true(net_ready(n, output));
    assert_int_equal(net_peek(n, output)->tag, tag);
    net_take(n, output);
}

/* A message whose output is busy holds up those behind it, but for those of the other lane. */
static void test_head_of_line(void **state)
{
    (void)state;
    struct mem_request gpu = nothing, event = nothing;
    event.class = CLASS_EVENT;
    event.tag = 1;
    for (uint32_t reserved = 0; reserved < 3; reserved += 2) {
        struct net *n = fifo_crossbar(3, 4, reserved);
        uint32_t now = 1;
        net_push(n, 1, 0, 20, &gpu); /* goes at once: output 0 is busy until tick 20 */
        net_tick(n);
        net_push(n, 0, 0, 1, &gpu);
        net_push(n, 0, 1, 1, &gpu);
        net_push(n, 0, 1, 1, &event);
        net_push(n, 0, 2, 1, &event);
        if (reserved) {
            expect_at(n, &now, 5, 1, 1);
            expect_at(n, &now, 6, 2, 1);
            expect_at(n, &now, 25, 1, 0);
        } else {
            expect_at(n, &now, 25, 1, 0);
            expect_at(n, &now, 26, 1, 1);
            expect_at(n, &now, 27, 2, 1);
        }
        net_destroy(n);
    }
}

#define PORTS 32u

/* Messages per output and tick, with every input full of messages for any output. */
static double saturation(struct net *n)
{
    struct rng rng;
    uint32_t taken = 0;
    rng_seed(&rng, 5);
    for (uint32_t t = 0; t < 4000; t++) {
        for (uint32_t i = 0; i < PORTS; i++)
            while (try_push(n, i, rng_below(&rng, PORTS), 1, &nothing))
                ;
        net_tick(n);
        for (uint32_t o = 0; o < PORTS; o++) {
            if (net_ready(n, o)) {
                net_take(n, o);
                taken++;
            }
        }
    }
    net_destroy(n);
    return (double)taken / 4000 / PORTS;
}

/* With one queue an input, 2 - sqrt(2) = 0.586 of the outputs' rate gets through (Karol, Hluchyj,
 * Morgan 1987, for many ports); with one for each output, nearly all. */
static void test_saturation(void **state)
{
    (void)state;
    double fifo = saturation(fifo_crossbar(PORTS, 16, 0));
    double voq = saturation(crossbar(PORTS, PORTS, 4, 16));
    assert_true(fifo > 0.576 && fifo < 0.606);
    assert_true(voq > 0.9 && voq <= 1);
}

/* Order between any input and output, nothing lost, and quiet ticks really are. */
static void random_traffic(struct net *n)
{
    struct rng rng;
    rng_seed(&rng, 4);
    static uint32_t sent[64][64], got[64][64];
    memset(sent, 0, sizeof sent);
    memset(got, 0, sizeof got);
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

static void test_random(void **state)
{
    (void)state;
    random_traffic(crossbar(64, 64, 9, 2));
    random_traffic(fifo_crossbar(64, 2, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),     cmocka_unit_test(test_serialisation),
        cmocka_unit_test(test_round_robin), cmocka_unit_test(test_backpressure),
        cmocka_unit_test(test_random),      cmocka_unit_test(test_head_of_line),
        cmocka_unit_test(test_saturation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
