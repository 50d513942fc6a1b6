/* The two ways to allocate a switch of a mesh: in words, for several routers at once, and port by
 * port. They choose the same flits, and leave the same turns behind. */
#include "base/rng.h"
#include "sim/mem/net/mesh_internal.h"
#include "tests/unit.h"

#define NODES 12u /* more than a vector has room for */

static struct mesh *create(void)
{
    static const uint16_t node[1];
    struct error err = {0};
    struct mesh_config c = mesh_table_one();
    c.width = NODES;
    c.height = 1;
    c.inputs = c.outputs = 1;
    c.input_node = c.output_node = node;
    c.vcs = MESH_MAX_VCS;
    struct net *n = mesh_create(&c, &err);
    assert_non_null(n);
    return (struct mesh *)(void *)n;
}

/* Some buffers of the node have channels, and can send. */
static void offer_some(struct mesh *m, struct rng *rng, uint32_t node, uint32_t percent)
{
    struct words *w = &m->words;
    w->due[node] = 0;
    w->routed[node] = INPUT_MASK;
    for (uint32_t out = 0; out < PORTS; out++)
        w->towards[out][node] = 0;
    for (uint32_t lane = 0; lane < PORTS * LANES; lane++) {
        if (!rng_chance(rng, percent, 100))
            continue;
        uint32_t out = rng_below(rng, PORTS);
        m->buffers[node].channel[lane] = (uint8_t)(out * LANES + rng_below(rng, LANES));
        w->towards[out][node] |= 1ull << lane;
        w->due[node] |= 1ull << lane;
    }
}

static void assert_one_to_a_port(const struct words *w, uint32_t node)
{
    for (uint32_t port = 0; port < PORTS; port++) {
        assert_true(__builtin_popcountll(w->chosen[node] >> port * LANES & LANE_MASK) <= 1);
        assert_true(__builtin_popcountll(w->chosen[node] & w->towards[port][node]) <= 1);
    }
}

static void test_same_choice(void **state)
{
    (void)state;
    struct mesh *m = create();
    struct rng rng;
    uint64_t chosen = 0;
    rng_seed(&rng, 1);
    for (uint32_t round = 0; round < 5000; round++) {
        for (uint32_t node = 0; node < NODES; node++)
            offer_some(m, &rng, node, round % 3 ? 4 : 40);
        for (uint32_t node = 0; node < NODES; node++)
            mesh_choose(&m->words, node);
        for (uint32_t node = 0; node < NODES; node++) {
            assert_int_equal(m->words.chosen[node], mesh_switch(m, node, m->words.due[node]));
            assert_one_to_a_port(&m->words, node);
            chosen |= m->words.chosen[node];
        }
    }
    assert_int_equal(chosen, INPUT_MASK);
    net_destroy(&m->net);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_choice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
