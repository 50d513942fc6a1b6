/* The host references themselves, against the plainest way to say the same. */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/apps/bfs/bfs.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/matrixMul/matmul.h"
#include "tests/unit.h"

static void matmul_is_a_chain_of_fma(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 40; n += 3) {
        size_t count = (size_t)n * n;
        float *a = ALLOC_ARRAY(float, count), *b = ALLOC_ARRAY(float, count),
              *c = ALLOC_ARRAY(float, count);
        input_floats(n, a, count);
        input_floats(n + 1, b, count);
        matmul_reference(a, b, c, n);
        uint32_t padded = (n + MATMUL_TILE - 1) / MATMUL_TILE * MATMUL_TILE;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++) {
                float sum = 0.0f;
                for (uint32_t k = 0; k < padded; k++)
                    sum = k < n ? fmaf(a[i * n + k], b[k * n + j], sum) : fmaf(0.0f, 0.0f, sum);
                assert_memory_equal(&sum, &c[i * n + j], sizeof sum);
            }
        free(a);
        free(b);
        free(c);
    }
}

/* A negative product that underflows leaves -0, which the tile's zero padding turns into +0. */
static void padding_ends_negative_zero(void **state)
{
    (void)state;
    float a = -0x1p-100f, b = 0x1p-100f, c = 1.0f;
    matmul_reference(&a, &b, &c, 1);
    assert_true(c == 0.0f && !signbit(c));
    float wide_a[256] = {0}, wide_b[256] = {0}, wide_c[256];
    wide_a[15] = a; /* the last step of the chain, and no padding at n = 16 */
    wide_b[15 * 16] = b;
    matmul_reference(wide_a, wide_b, wide_c, 16);
    assert_true(wide_c[0] == 0.0f && signbit(wide_c[0]));
}

static void bfs_distances_are_shortest(void **state)
{
    (void)state;
    for (uint32_t seed = 0; seed < 20; seed++) {
        struct bfs_graph g;
        struct error err = {0};
        assert_true(bfs_generate(seed, 200, 1 + seed % 4, &g, &err));
        assert_int_equal(g.rows[0], 0);
        assert_int_equal(g.rows[g.nodes], g.edges);
        uint32_t distance[200], relaxed[200], deepest = 0;
        uint32_t launches = bfs_reference(&g, seed, distance);
        memset(relaxed, 0xFF, sizeof relaxed);
        relaxed[seed] = 0;
        for (uint32_t round = 0; round < g.nodes; round++)
            for (uint32_t v = 0; v < g.nodes; v++)
                for (uint32_t e = g.rows[v]; e < g.rows[v + 1]; e++)
                    if (relaxed[v] != BFS_UNREACHED && relaxed[v] + 1 < relaxed[g.columns[e]])
                        relaxed[g.columns[e]] = relaxed[v] + 1;
        assert_memory_equal(distance, relaxed, sizeof relaxed);
        for (uint32_t v = 0; v < g.nodes; v++)
            if (distance[v] != BFS_UNREACHED && distance[v] > deepest)
                deepest = distance[v];
        assert_int_equal(launches, deepest + 1);
        bfs_free(&g);
    }
}

static void inputs_are_seeded_and_bounded(void **state)
{
    (void)state;
    static float a[10000], b[10000];
    float low = 0, high = 0;
    input_floats(5, a, 10000);
    input_floats(5, b, 10000);
    assert_memory_equal(a, b, sizeof a);
    input_floats(6, b, 10000);
    assert_memory_not_equal(a, b, sizeof a);
    for (int i = 0; i < 10000; i++) {
        assert_true(a[i] >= -1.0f && a[i] < 1.0f);
        low = fminf(low, a[i]);
        high = fmaxf(high, a[i]);
    }
    assert_true(low < -0.99f && high > 0.99f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matmul_is_a_chain_of_fma),
        cmocka_unit_test(padding_ends_negative_zero),
        cmocka_unit_test(bfs_distances_are_shortest),
        cmocka_unit_test(inputs_are_seeded_and_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
