/* Weighted graphs of the applications, their file format, and the references of sssp and mst: what
 * is wrong is found. */
#include "base/alloc.h"
#include "base/error.h"
#include "sw/apps/mst/mst.h"
#include "sw/apps/sssp/sssp.h"
#include "tests/unit.h"

static struct graph make(enum graph_kind kind, uint32_t nodes, uint64_t seed, bool symmetric)
{
    struct graph g;
    struct error err = {0};
    struct graph_request r = {.kind = kind,
                              .nodes = nodes,
                              .degree = 3,
                              .max_weight = 20,
                              .seed = seed,
                              .symmetric = symmetric};
    assert_true(graph_generate(&r, &g, &err));
    return g;
}

static void generated_graphs_are_whole(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 60; i++) {
        struct graph g = make((enum graph_kind)(i % 3), 2 + i * 7, i, i & 1);
        assert_int_equal(g.rows[0], 0);
        assert_int_equal(g.rows[g.nodes], g.arcs);
        assert_true(g.nodes >= 2 + i * 7);
        for (uint32_t v = 0; v < g.nodes; v++)
            for (uint32_t a = g.rows[v]; a < g.rows[v + 1]; a++) {
                assert_true(g.columns[a] < g.nodes && g.columns[a] != v);
                assert_in_range(g.weights[a], 1, 20);
                bool back = !(i & 1);
                for (uint32_t b = g.rows[g.columns[a]]; !back && b < g.rows[g.columns[a] + 1]; b++)
                    back = g.columns[b] == v && g.weights[b] == g.weights[a];
                assert_true(back);
            }
        graph_free(&g);
    }
}

static void distances_are_shortest(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 30; i++) {
        struct graph g = make((enum graph_kind)(i % 3), 100, i, false);
        uint32_t *got = ALLOC_ARRAY(uint32_t, g.nodes), *want = ALLOC_ARRAY(uint32_t, g.nodes);
        sssp_reference(&g, i, got);
        for (uint32_t v = 0; v < g.nodes; v++)
            want[v] = v == i ? 0 : SSSP_FAR;
        for (uint32_t round = 0; round < g.nodes; round++)
            for (uint32_t v = 0; v < g.nodes; v++)
                for (uint32_t a = g.rows[v]; want[v] != SSSP_FAR && a < g.rows[v + 1]; a++)
                    if (want[v] + g.weights[a] < want[g.columns[a]])
                        want[g.columns[a]] = want[v] + g.weights[a];
        assert_memory_equal(got, want, g.nodes * sizeof *got);
        free(got);
        free(want);
        graph_free(&g);
    }
}

static void a_way_of_33_bits_is_none(void **state)
{
    (void)state;
    const char *text = "p sp 3 2\na 1 2 4294967294\na 2 3 1\n";
    struct graph g;
    struct error err = {0};
    uint32_t distance[3];
    assert_true(graph_parse("far.gr", text, false, &g, &err));
    sssp_reference(&g, 0, distance);
    assert_int_equal(distance[1], UINT32_MAX - 1);
    assert_int_equal(distance[2], SSSP_FAR);
    graph_free(&g);
}

/* A square with one diagonal; the forest is 1, 2, 3 and nothing else is. */
static void forests_are_checked(void **state)
{
    (void)state;
    const char *text = "c a square\np sp 4 5\na 1 2 1\na 2 3 2\na 3 4 3\r\na 4 1 4\na 1 3 5";
    struct graph g;
    struct error err = {0};
    assert_true(graph_parse("square.gr", text, true, &g, &err));
    assert_int_equal(g.arcs, 10);
    uint32_t arc_of[6] = {0};
    for (uint32_t a = 0; a < g.arcs; a++)
        arc_of[g.weights[a]] = a;
    struct mst mst = mst_reference(&g);
    assert_int_equal(mst.edges, 3);
    assert_int_equal(mst.weight, 6);
    assert_true(mst_check(&g, &mst, (uint32_t[]){arc_of[3], arc_of[1], arc_of[2]}, &err));

    struct mst few = {.weight = 3, .edges = 2}, heavy = {.weight = 7, .edges = 3};
    assert_false(mst_check(&g, &few, (uint32_t[]){arc_of[1], arc_of[2]}, &err));
    assert_string_equal(err.text, "2 edges, but the host has 3");
    err = (struct error){0};
    assert_false(mst_check(&g, &heavy, (uint32_t[]){arc_of[1], arc_of[2], arc_of[4]}, &err));
    assert_string_equal(err.text, "weight 7, but the host has 6");
    err = (struct error){0};
    assert_false(mst_check(&g, &mst, (uint32_t[]){arc_of[1], arc_of[2], arc_of[4]}, &err));
    assert_string_equal(err.text, "the edges weigh 7, but the reported sum is 6");
    err = (struct error){0};
    assert_false(mst_check(&g, &mst, (uint32_t[]){arc_of[1], arc_of[2], arc_of[5]}, &err));
    assert_non_null(strstr(err.text, "closes a cycle"));
    err = (struct error){0};
    assert_false(mst_check(&g, &mst, (uint32_t[]){arc_of[1], arc_of[2], 10}, &err));
    assert_string_equal(err.text, "edge 2 is arc 10 of 10");
    graph_free(&g);
}

static void bad_files_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"", "x: the line 'p sp NODES ARCS' is missing"},
        {"c\na 1 2 3\n", "x:2: an arc precedes the line 'p sp NODES ARCS'"},
        {"p sp 2 1\np sp 2 1\n", "x:2: a second 'p' line"},
        {"p max 2 1\n", "x:1: expected 'p sp NODES ARCS', up to 268435456 and 134217728"},
        {"p sp 0 1\n", "x:1: expected 'p sp NODES ARCS', up to 268435456 and 134217728"},
        {"p sp 2 1\na 1 3 1\n", "x:2: a node must be 1 to 2"},
        {"p sp 2 1\na 0 1 1\n", "x:2: a node must be 1 to 2"},
        {"p sp 2 1\na 1 2\n", "x:2: expected 'a FROM TO WEIGHT', numbers of 32 bits"},
        {"p sp 2 1\na 1 2 -1\n", "x:2: expected 'a FROM TO WEIGHT', numbers of 32 bits"},
        {"p sp 2 1\na 1 2 3 4\n", "x:2: expected 'a FROM TO WEIGHT', numbers of 32 bits"},
        {"p sp 2 1\na 1 2\n3\n", "x:2: expected 'a FROM TO WEIGHT', numbers of 32 bits"},
        {"p sp 2 1\na 1 2 4294967296\n", "x:2: expected 'a FROM TO WEIGHT', numbers of 32 bits"},
        {"p sp 2 1\ne 1 2 3\n", "x:2: a line begins with 'c', 'p' or 'a', not with 'e'"},
        {"p sp 2 2\na 1 2 1\n", "x: the file has 1 arcs, but its 'p' line says 2"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct graph g;
        struct error err = {0};
        assert_false(graph_parse("x", bad[i].text, i & 1, &g, &err));
        assert_string_equal(err.text, bad[i].message);
        graph_free(&g);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_graphs_are_whole), cmocka_unit_test(distances_are_shortest),
        cmocka_unit_test(a_way_of_33_bits_is_none),   cmocka_unit_test(forests_are_checked),
        cmocka_unit_test(bad_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
