/* Synthetic traffic on a mesh by itself: how many packets a measurement has, and how far they go.
 */
#include <math.h>

#include "sim/mem/net/mesh_traffic.h"
#include "tests/unit.h"

#define HOP 3u /* router and link */

static struct mesh_traffic_result run(uint32_t width, enum traffic_pattern pattern, double rate)
{
    const struct mesh_traffic_config config = {.mesh = {.width = width,
                                                        .height = width,
                                                        .vcs = 4,
                                                        .vc_buffer = 8,
                                                        .router_delay = 2,
                                                        .link_delay = 1,
                                                        .credit_delay = 1,
                                                        .iterations = 1,
                                                        .input_queue = 8,
                                                        .output_queue = 8,
                                                        .any_vc = true},
                                               .pattern = pattern,
                                               .flits = 1,
                                               .rate = rate,
                                               .warmup = 100,
                                               .ticks = 20000,
                                               .seed = 3};
    struct mesh_traffic_result result;
    struct error err = {0};
    if (!mesh_traffic_run(&config, &result, &err))
        fail_msg("%s", err.text);
    return result;
}

/* At the full rate each node makes a packet in each tick of the measurement. */
static void every_tick_is_measured_once(void **state)
{
    (void)state;
    struct mesh_traffic_result r = run(1, TRAFFIC_UNIFORM, 1);
    assert_int_equal(r.packets, 20000);
    assert_true(r.offered == 1 && r.carried == 1);
}

/* Row and column change places: 2 |x - y| hops, on average 1 of 2 x 2 nodes, 16 / 9 of 3 x 3. */
static void transposed_nodes_are_as_far_as_they_are(void **state)
{
    (void)state;
    double none = run(1, TRAFFIC_UNIFORM, 0.002).latency;
    double two = run(2, TRAFFIC_TRANSPOSE, 0.02).latency;
    double three = run(3, TRAFFIC_TRANSPOSE, 0.02).latency;
    assert_true(fabs(two - none - HOP) < 0.3);
    assert_true(fabs(three - none - HOP * 16 / 9.0) < 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_tick_is_measured_once),
                                       cmocka_unit_test(transposed_nodes_are_as_far_as_they_are)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
