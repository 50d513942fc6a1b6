/* One direction of the mesh: latency of every pair, credits, order, no loss, no deadlock. */
#include "base/rng.h"
#include "sim/mem/net/mesh.h"
#include "tests/mem/net_fixture.h"
#include "tests/unit.h"

#define NODES 36u

static uint16_t at_node[MAX_ENDPOINTS];

static int one_to_a_node(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < MAX_ENDPOINTS; i++)
        at_node[i] = (uint16_t)(i % NODES);
    return 0;
}

static struct mesh_config usual(void)
{
    struct mesh_config c = mesh_table_one();
    c.inputs = c.outputs = NODES;
    c.input_node = c.output_node = at_node;
    return c;
}

static struct net *create(const struct mesh_config *config)
{
    struct error err = {0};
    struct net *n = mesh_create(config, &err);
    if (!n)
        fail_msg("%s", err.text);
    return n;
}

static void assert_consistent(const struct net *n)
{
    struct error err = {0};
    if (!mesh_consistent(n, &err))
        fail_msg("%s", err.text);
}

static uint32_t hops(const struct mesh_config *c, uint32_t from, uint32_t to)
{
    uint32_t x = from % c->width, y = from / c->width;
    uint32_t u = to % c->width, v = to / c->width;
    return (x > u ? x - u : u - x) + (y > v ? y - v : v - y);
}

static void every_pair(const struct mesh_config *c, uint32_t flits)
{
    struct net *n = create(c);
    struct mem_request r = {.sectors = 1};
    for (uint32_t from = 0; from < c->inputs; from++) {
        for (uint32_t to = 0; to < c->outputs; to++) {
            net_push(n, from, to, flits, &r);
            uint32_t want = (hops(c, from, to) + 1) * (c->router_delay + c->link_delay) + flits;
            assert_int_equal(ticks_to_output(n, to), want);
            while (net_quiet(n) == 0)
                net_tick(n);
        }
    }
    assert_true(net_idle(n));
    assert_consistent(n);
    net_destroy(n);
}

/* A buffer that covers the way of a credit sends a flit per tick. */
static void test_latency(void **state)
{
    (void)state;
    for (uint32_t router = 0; router <= 3; router++) {
        for (uint32_t link = 1; link <= 3; link++) {
            struct mesh_config c = usual();
            c.router_delay = router;
            c.link_delay = link;
            c.any_vc = link & 1;
            c.vc_buffer = link + router + c.credit_delay;
            every_pair(&c, 1);
            every_pair(&c, 9);
        }
    }
}

/* A credit can be used in the tick in which it arrives, and not one before: a buffer of b flits,
 * less than the way of a credit and back takes, makes every b flits wait for what is missing. */
static void credit_way(const struct mesh_config *c, uint32_t flits)
{
    uint32_t stage = c->router_delay + c->link_delay, way = stage + c->credit_delay;
    uint32_t short_of = way > c->vc_buffer ? way - c->vc_buffer : 0;
    struct net *n = create(c);
    struct mem_request r = {.sectors = 1};
    net_push(n, 0, 5, flits, &r);
    uint32_t want = 6 * stage + flits + (flits - 1) / c->vc_buffer * short_of;
    assert_int_equal(ticks_to_output(n, 5), want);
    while (net_quiet(n) == 0)
        net_tick(n);
    assert_consistent(n);
    net_destroy(n);
}

static void test_credit_round_trip(void **state)
{
    (void)state;
    struct mesh_config c = usual();
    for (uint32_t i = 0; i < 4 * 3 * 3 * 8; i++) {
        c.credit_delay = 1 + i % 4;
        c.router_delay = i / 4 % 3;
        c.link_delay = 1 + i / 12 % 3;
        c.vc_buffer = 1 + i / 36;
        credit_way(&c, 61);
        credit_way(&c, 60);
    }
}

/* A message waits for its output's queue, and leaves in the very tick after a place is there. */
static void test_full_output(void **state)
{
    (void)state;
    struct mesh_config c = usual();
    c.output_queue = 1;
    struct net *n = create(&c);
    struct mem_request r = {.sectors = 1};
    r.tag = 1;
    net_push(n, 3, 3, 1, &r);
    assert_int_equal(ticks_to_output(n, 3), c.router_delay + c.link_delay + 1);
    net_push(n, 3, 3, 1, &r);
    r.tag = 2;
    net_push(n, 3, 3, 1, &r);
    for (uint32_t t = 0; t < 50; t++)
        net_tick(n);
    assert_int_equal(net_peek(n, 3)->tag, 1);
    net_take(n, 3);
    assert_false(net_ready(n, 3));
    net_tick(n);
    assert_true(net_ready(n, 3));
    assert_int_equal(net_peek(n, 3)->tag, 2);
    net_take(n, 3);
    net_destroy(n);
}

/* Inputs of one node share its port: a flit per tick for all of them, in turns. */
static void test_shared_node(void **state)
{
    (void)state;
    static const uint16_t together[] = {7, 7, 7, 7};
    struct mesh_config c = usual();
    c.inputs = c.outputs = 4;
    c.input_node = together;
    c.any_vc = true;
    struct net *n = create(&c);
    uint32_t got[4] = {0};
    for (uint32_t t = 0; t < 4000; t++) {
        for (uint32_t i = 0; i < 4; i++) {
            struct mem_request r = {.sectors = 1, .source = (uint16_t)i};
            if (net_room(n, i, CLASS_GPU))
                net_push(n, i, i, 1, &r);
        }
        net_tick(n);
        for (uint32_t o = 0; o < 4; o++) {
            if (net_ready(n, o)) {
                net_take(n, o);
                got[o]++;
            }
        }
    }
    for (uint32_t i = 0; i < 4; i++)
        assert_in_range(got[i], 980, 1000);
    net_destroy(n);
}

/* A class that has channels of its own is not held up by another one. */
static void test_class_channels(void **state)
{
    (void)state;
    struct mesh_config c = usual();
    c.class_vcs[CLASS_GPU] = 7;
    c.class_vcs[CLASS_CPU] = 8;
    struct net *n = create(&c);
    struct mem_request gpu = {.sectors = 1, .class = CLASS_GPU};
    struct mem_request cpu = {.sectors = 1, .class = CLASS_CPU};
    for (uint32_t t = 0; t < 200; t++) { /* nobody takes at 35 */
        for (uint32_t i = 0; i < 5; i++) {
            if (net_room(n, i, CLASS_GPU))
                net_push(n, i, 35, 5, &gpu);
        }
        net_tick(n);
    }
    net_push(n, 11, 29, 1, &cpu); /* crosses the column that is full */
    assert_int_equal(ticks_to_output(n, 29), (3 + 1) * (c.router_delay + c.link_delay) + 1);
    assert_int_equal(net_room(n, 4, CLASS_GPU), 0);
    net_destroy(n);
}

struct traffic {
    uint32_t percent, flits_most, pattern;
    bool stalls;
};

static uint32_t destination(const struct traffic *t, struct rng *rng, uint32_t from)
{
    if (t->pattern == 1)
        return from % 6 * 6 + from / 6; /* transpose */
    if (t->pattern == 2 && rng_chance(rng, 1, 2))
        return 14; /* hot spot */
    return rng_below(rng, NODES);
}

/* Random traffic up to far beyond saturation: everything arrives once, at its place, and with the
 * promised order; credits and buffers add up in every tick; all drains at the end. */
static void run_traffic(const struct mesh_config *c, const struct traffic *traffic, uint64_t seed)
{
    static uint32_t sent[NODES][NODES], got[NODES][NODES];
    static uint8_t seen[NODES][NODES][4096];
    struct net *n = create(c);
    struct rng rng;
    uint64_t in_flight = 0, still = 0;
    memset(sent, 0, sizeof sent);
    memset(got, 0, sizeof got);
    memset(seen, 0, sizeof seen);
    rng_seed(&rng, seed);
    for (uint32_t t = 0; t < 1500 || in_flight; t++) {
        for (uint32_t i = 0; i < NODES && t < 1500; i++) {
            uint32_t o = destination(traffic, &rng, i);
            struct mem_request r = {.sectors = 1,
                                    .source = (uint16_t)i,
                                    .tag = sent[i][o],
                                    .class = (uint8_t)rng_below(&rng, 2),
                                    .line = o};
            if (rng_chance(&rng, traffic->percent, 100) && net_room(n, i, CLASS_GPU)) {
                net_push(n, i, o, 1 + rng_below(&rng, traffic->flits_most), &r);
                sent[i][o]++;
                in_flight++;
            }
        }
        net_tick(n);
        if (t % 16 == 0)
            assert_consistent(n);
        still++;
        for (uint32_t o = 0; o < NODES; o++) {
            if (!net_ready(n, o) || (traffic->stalls && t < 1500 && rng_chance(&rng, 9, 10)))
                continue;
            const struct mem_request *r = net_peek(n, o);
            assert_int_equal(r->line, o);
            assert_true(r->tag < sent[r->source][o] && !seen[r->source][o][r->tag]++);
            if (!c->any_vc)
                assert_int_equal(r->tag, got[r->source][o]);
            got[r->source][o]++;
            net_take(n, o);
            in_flight--;
            still = 0;
        }
        assert_true(still < 500); /* no deadlock */
    }
    assert_memory_equal(sent, got, sizeof sent);
    assert_true(net_idle(n));
    while (net_quiet(n) == 0)
        net_tick(n);
    assert_consistent(n);
    net_destroy(n);
}

static void test_random(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 24; i++) {
        struct mesh_config c = usual();
        struct traffic t = {.percent = i % 3 == 0 ? 100 : 5 + 10 * (i % 4),
                            .flits_most = 1 + i % 6,
                            .pattern = i % 3,
                            .stalls = i % 5 == 0};
        c.any_vc = i & 1;
        c.vcs = 1 + i % 5;
        c.vc_buffer = 1 + i % 7;
        c.router_delay = i % 3;
        c.link_delay = 1 + i % 2;
        c.credit_delay = 1 + i % 4;
        c.output_queue = 1 + i % 3;
        c.allocation = i / 2 & 1;
        c.iterations = 1 + i % 4;
        if (i % 8 == 7 && c.vcs > 2) {
            c.class_vcs[CLASS_GPU] = 1;
            c.class_vcs[CLASS_CPU] = 6;
        }
        run_traffic(&c, &t, i + 1);
    }
}

/* Flits per node and tick that arrive when every node always wants to send: with channels enough,
 * a 6 x 6 mesh carries uniform traffic up to a good part of its bound of 4 / 6. */
static double saturated(const struct mesh_config *c)
{
    struct rng rng;
    uint32_t got = 0;
    struct net *n = create(c);
    rng_seed(&rng, 9);
    for (uint32_t t = 0; t < 6000; t++) {
        for (uint32_t i = 0; i < NODES; i++) {
            struct mem_request r = {.sectors = 1};
            if (net_room(n, i, CLASS_GPU))
                net_push(n, i, rng_below(&rng, NODES), 1, &r);
        }
        net_tick(n);
        for (uint32_t o = 0; o < NODES; o++) {
            if (net_ready(n, o)) {
                net_take(n, o);
                got += t >= 1000;
            }
        }
    }
    net_destroy(n);
    return got / 5000.0 / NODES;
}

static void test_saturation(void **state)
{
    (void)state;
    struct mesh_config c = usual();
    c.any_vc = true;
    c.vc_buffer = 8;
    double rate = saturated(&c);
    if (rate < 0.45 || rate > 4.0 / 6)
        fail_msg("%.3f flits per node and tick", rate);
}

/* Every allocation is fair enough to carry it; a second round finds matches that the first one has
 * missed. */
static void test_rounds(void **state)
{
    (void)state;
    for (uint32_t first = MESH_INPUT_FIRST; first <= MESH_OUTPUT_FIRST; first++) {
        double rate[2];
        for (uint32_t more = 0; more < 2; more++) {
            struct mesh_config c = usual();
            c.any_vc = true;
            c.allocation = first;
            c.iterations = 1 + more;
            rate[more] = saturated(&c);
        }
        if (rate[0] < 0.4 || rate[1] < rate[0] * 1.05)
            fail_msg("allocation %u: %.3f, with two rounds %.3f", first, rate[0], rate[1]);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const uint16_t far_away[] = {36};
    struct error err = {0};
    struct mesh_config c = usual();
    c.vcs = 9;
    assert_null(mesh_create(&c, &err));
    assert_non_null(strstr(err.text, "virtual channels is 9, must be 1 to 8"));
    c = usual();
    c.inputs = 1;
    c.input_node = far_away;
    err = (struct error){0};
    assert_null(mesh_create(&c, &err));
    assert_non_null(strstr(err.text, "input 0 is at node 36 of 36"));
    c = usual();
    c.class_vcs[CLASS_CPU] = 16;
    err = (struct error){0};
    assert_null(mesh_create(&c, &err));
    assert_non_null(strstr(err.text, "none of the 4 virtual channels"));
    c = usual();
    c.link_delay = 0;
    assert_null(mesh_create(&c, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),        cmocka_unit_test(test_credit_round_trip),
        cmocka_unit_test(test_full_output),    cmocka_unit_test(test_shared_node),
        cmocka_unit_test(test_class_channels), cmocka_unit_test(test_random),
        cmocka_unit_test(test_saturation),     cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, one_to_a_node, NULL);
}
