/* Random requests, commands and time-outs against the bench's reference, RTL and golden model in
 * lockstep. A second, gated copy of the RTL is clocked only while the tile is not idle, which shows
 * that an idle tile stands still. The seed is printed; EVGPU_SEED=N repeats a run.
 * EVGPU_TILES=verilator or model leaves the other out, so that the reference judges alone. */
#include "tests/tb/mem_frontend_traffic.h"
#include "tests/unit.h"

enum { CYCLES = 3000000 };

static enum tile_backend backend_from(const char *name)
{
    if (name && !strcmp(name, "verilator"))
        return TILE_VERILATOR;
    return name && !strcmp(name, "model") ? TILE_MODEL : TILE_LOCKSTEP;
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = fe_traffic_seed();
    printf("seed %llu\n", (unsigned long long)seed);
    struct fe_bench *b = fe_bench_create(backend_from(getenv("EVGPU_TILES")), seed);
    fe_bench_add_gated(b);
    fe_traffic(b, CYCLES);
    printf("%llu cycles, %llu of them idle; %llu requests: %llu non-triggered, %llu CPU, %llu GPU, "
           "%llu errors, %llu released; %llu ranges, %llu reports; passed by up to %u, %u, %u; "
           "%llu resets\n",
           (unsigned long long)b->cycle, (unsigned long long)(b->cycle - b->gated_steps),
           (unsigned long long)b->taken, (unsigned long long)b->left_queue[0],
           (unsigned long long)b->left_queue[1], (unsigned long long)b->left_queue[2],
           (unsigned long long)b->errors, (unsigned long long)b->released,
           (unsigned long long)b->ranges, (unsigned long long)b->reports, b->longest_passed[0],
           b->longest_passed[1], b->longest_passed[2], (unsigned long long)b->resets);
    /* Nothing was lost, and the traffic reached everything. */
    assert_true(b->taken == b->replied + b->dropped);
    for (int q = 0; q < FE_BENCH_QUEUES; q++)
        assert_true(b->left_queue[q] > 5000);
    assert_true(b->errors > 500 && b->released > 1000 && b->ranges > 500 && b->reports > 500);
    assert_true(b->longest_passed[FE_QUEUE_GPU] >= EVG_FE_TURN_LIMIT + 1);
    assert_true(b->cycle - b->gated_steps > 10000 && b->resets > 50);
    fe_bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
