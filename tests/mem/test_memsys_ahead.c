/* What a network and the memory system tell in advance, and requesters that run before them. */
#include "sim/mem/net/crossbar.h"
#include "sim/mem/net/net.h"
#include "sim/mem/port_box.h"
#include "tests/mem/memsys_fixture.h"

#define OUTPUTS 5u
#define INPUTS  7u

/* In each tick all outputs tell what they will offer, which has to come true in each of the ticks.
 */
static void foretell(uint32_t latency, uint32_t queue, uint32_t load)
{
    struct net *n = crossbar_create(
        &(struct crossbar_config){INPUTS, OUTPUTS, latency, 4, queue, 0, CROSSBAR_VOQ});
    struct rng rng;
    rng_seed(&rng, latency * 100 + load);
    uint32_t tag = 0, told[OUTPUTS][NET_AHEAD] = {{0}}, known[OUTPUTS] = {0}, delivered = 0;
    assert_int_equal(n->ahead, latency < NET_AHEAD ? latency : NET_AHEAD);
    for (uint32_t t = 0; t < 5000; t++) {
        for (uint32_t o = 0; o < OUTPUTS; o++) {
            struct coming list[NET_AHEAD];
            uint32_t now[NET_AHEAD] = {0};
            for (uint32_t i = net_coming(n, o, n->ahead, list); i--;) {
                assert_true(list[i].after < n->ahead);
                now[list[i].after] = list[i].message.tag;
            }
            assert_memory_equal(now, told[o], known[o] * sizeof *now);
            assert_int_equal(net_ready(n, o) ? net_peek(n, o)->tag : 0, now[0]);
            known[o] = n->ahead - 1;
            memcpy(told[o], now + 1, known[o] * sizeof *now);
            if (!net_ready(n, o))
                continue;
            net_take(n, o);
            delivered++;
        }
        for (uint32_t i = 0; i < INPUTS; i++) {
            struct mem_request r = {.sectors = 1, .tag = tag + 1};
            if (!rng_chance(&rng, load, 100) || !net_room(n, i, CLASS_GPU))
                continue;
            net_push(n, i, rng_below(&rng, OUTPUTS), 1 + rng_below(&rng, 4), &r);
            tag++;
        }
        net_tick(n);
    }
    assert_true(delivered > 1000);
    net_destroy(n);
}

static void test_coming(void **state)
{
    (void)state;
    const uint32_t latencies[] = {1, 2, 3, 8, 9, 30};
    for (uint32_t i = 0; i < sizeof latencies / sizeof *latencies; i++) {
        foretell(latencies[i], 1, 60);
        foretell(latencies[i], 4, 10);
        foretell(latencies[i], 4, 100);
    }
}

#define PORTS  4u
#define CYCLES 6000u

/* A requester that wants something in some cycles, and tries until it has got it. */
struct requester {
    struct rng rng;
    uint32_t wants; /* requests */
    uint32_t next;  /* cycle that it has not had yet */
    uint32_t tag;
};

/* The tags of requests that have gone and replies that have come, by port and cycle. */
struct seen {
    uint32_t went[PORTS][CYCLES], came[PORTS][CYCLES];
    struct memsys_stats stats;
};

static struct mem_request request_of(struct requester *q, uint32_t port)
{
    return (struct mem_request){.line = (uint64_t)(q->tag * 7919u % 512u) * LINE_BYTES,
                                .tag = ++q->tag,
                                .source = (uint16_t)port,
                                .kind = q->tag % 3 ? REQUEST_READ : REQUEST_WRITE,
                                .sectors = 1u << q->tag % 4};
}

static void begin_cycle(struct requester *q, uint32_t load)
{
    q->wants += rng_chance(&q->rng, load, 100);
}

static void one_cycle(struct memsys *m, struct requester *q, uint32_t port, uint32_t load,
                      struct seen *seen)
{
    uint32_t cycle = q->next++;
    struct mem_request reply;
    begin_cycle(q, load);
    if (memsys_box_reply(m, port, cycle, &reply))
        seen->came[port][cycle] = reply.tag;
    if (!q->wants)
        return;
    struct requester before = *q;
    struct mem_request r = request_of(q, port);
    if (memsys_box_request(m, &r, cycle)) {
        seen->went[port][cycle] = r.tag;
        q->wants--;
    } else {
        q->tag = before.tag;
    }
}

/* Each port runs as far as it can before the others, up to the next multiple of `ahead`. */
static uint64_t run(uint32_t ahead, uint32_t load, struct seen *seen)
{
    struct memsys_config c = base_config();
    struct memsys *m = memsys_for(&c);
    struct requester q[PORTS];
    uint64_t turns = 0;
    memset(seen, 0, sizeof *seen);
    assert_int_equal(memsys_ahead(m), 8);
    memsys_use_boxes(m, ahead > 0);
    for (uint32_t i = 0; i < PORTS; i++) {
        q[i] = (struct requester){0};
        rng_seed(&q[i].rng, i);
    }
    for (uint32_t cycle = 0; cycle < CYCLES; cycle++) {
        uint32_t end = ahead ? (cycle / ahead + 1) * ahead : cycle + 1;
        for (uint32_t i = 0; i < PORTS; i++) {
            if (q[i].next > cycle)
                continue;
            if (ahead) {
                memsys_fill_boxes(m, 1u << i, end - cycle);
                box_open(memsys_box(m, i));
            }
            turns++;
            do
                one_cycle(m, &q[i], i, load, seen);
            while (q[i].next < end && q[i].next < CYCLES && box_room(memsys_box(m, i)));
        }
        for (uint32_t i = 0; ahead && i < PORTS; i++) {
            uint64_t next = memsys_box_empty(m, i);
            assert_true(next > cycle && (next == UINT64_MAX || next < end));
        }
        memsys_tick(m);
    }
    memsys_stats(m, &seen->stats);
    memsys_destroy(m);
    return turns;
}

static void test_boxes(void **state)
{
    (void)state;
    static struct seen each, ahead;
    const uint32_t loads[] = {3, 20, 90};
    for (uint32_t i = 0; i < 3; i++) {
        uint64_t cycles = run(0, loads[i], &each);
        assert_int_equal(cycles, PORTS * CYCLES);
        for (uint32_t n = 1; n <= 8; n++) {
            uint64_t turns = run(n, loads[i], &ahead);
            assert_memory_equal(&each, &ahead, sizeof each);
            assert_true(n < 5 || loads[i] > 20 || turns < cycles / 3);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coming),
        cmocka_unit_test(test_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
