/* Victim policies of the golden model: their table, and those that the Verilog does not have. */
#include "evgpu_defs.h"
#include "tb/model/victim/policy.h"
#include "tests/tb/event_bench.h"
#include "tests/unit.h"

static uint32_t number(const char *name)
{
    uint32_t index = 0;
    while (victim_policy_name(index) && strcmp(victim_policy_name(index), name) != 0)
        index++;
    assert_non_null(victim_policy_at(index));
    return index;
}

/* The victim that an event of `regs` units gets from a unit fresh out of reset. */
static uint8_t victim(struct event_bench *b, uint8_t regs)
{
    event_bench_reset(b);
    event_bench_offer(b, 1, regs);
    event_bench_edge(b);
    EVENT_BENCH_UNTIL(b, b->out.vic_valid);
    return b->out.vic_warp;
}

/* Names and port values of those in the Verilog are evgpu.def's; no other value fits the port. */
static void test_table(void **state)
{
    (void)state;
    assert_string_equal(victim_policy_name(VICTIM_POLICY_OLDEST), "oldest");
    assert_string_equal(victim_policy_name(VICTIM_POLICY_NEWEST), "newest");
    assert_string_equal(victim_policy_name(VICTIM_POLICY_CHEAPEST), "cheapest");
    const struct tile_port *port = sm_event_unit_kind.in_ports;
    while (strcmp(port->name, "cfg_policy") != 0)
        port++;
    for (uint32_t i = 0; victim_policy_at(i); i++) {
        bool fits = victim_policy_port(i) >> port->width == 0;
        assert_int_equal(fits, victim_policy_at(i)->in_rtl);
        assert_int_equal(victim_policy_at(i)->in_rtl, i <= VICTIM_POLICY_CHEAPEST);
        assert_ptr_equal(victim_policy_of(victim_policy_port(i)), victim_policy_at(i));
    }
    assert_ptr_equal(victim_policy_of(3), victim_policy_at(VICTIM_POLICY_OLDEST));
}

/* The fewest registers that suffice: 5 and more for an event of 5, 7 and more for one of 7. */
static void test_least_registers(void **state)
{
    struct event_bench *b = *state;
    static const uint8_t regs[EVG_SCAN_LANES] = {127, 9, 6, 4, 8, 6, 127, 0};
    for (uint32_t w = 0; w < EVG_SCAN_LANES; w++)
        b->warps[w].regs = regs[w];
    b->in.cfg_policy = victim_policy_port(number("least-registers"));
    assert_int_equal(victim(b, 5), 2);
    assert_int_equal(victim(b, 4), 3);
    assert_int_equal(victim(b, 7), 4);
    assert_int_equal(victim(b, 9), 1);
    assert_int_equal(victim(b, 10), 0);
    b->warps[2].ok = false;
    assert_int_equal(victim(b, 5), 5);
}

/* Of equal ones the oldest, also when the counter wrapped between their launches; of those as old,
 * the lowest number. Registers count for more than any age. */
static void test_least_registers_ties(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = victim_policy_port(number("least-registers"));
    b->in.core_now = 20;
    for (uint32_t w = 0; w < EVG_SCAN_LANES; w++) {
        b->warps[w].regs = 6;
        b->warps[w].stamp = 10;
    }
    assert_int_equal(victim(b, 5), 0);
    b->warps[3].stamp = 65530;
    assert_int_equal(victim(b, 5), 3);
    b->warps[6].stamp = 21; /* age 65535 */
    assert_int_equal(victim(b, 5), 6);
    b->warps[6].regs = 7;
    assert_int_equal(victim(b, 5), 3);
    b->warps[1].regs = 5;
    b->warps[1].stamp = 20; /* age 0 */
    assert_int_equal(victim(b, 5), 1);
}

/* In every group of warps. */
static void test_least_registers_groups(void **state)
{
    struct event_bench *b = *state;
    b->in.cfg_policy = victim_policy_port(number("least-registers"));
    b->in.cfg_warp_groups = EVG_MAX_WARPS / EVG_SCAN_LANES;
    for (uint8_t w = 0; w < EVG_MAX_WARPS; w += 7) {
        b->warps[w].regs = 9;
        assert_int_equal(victim(b, 5), w);
        b->warps[w].regs = 10;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test_setup_teardown(test_least_registers, event_bench_setup_model,
                                        event_bench_teardown),
        cmocka_unit_test_setup_teardown(test_least_registers_ties, event_bench_setup_model,
                                        event_bench_teardown),
        cmocka_unit_test_setup_teardown(test_least_registers_groups, event_bench_setup_model,
                                        event_bench_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
