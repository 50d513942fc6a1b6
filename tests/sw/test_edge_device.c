/* The device loop of EDGE Figure 8 against a GPU that completes events at random. */
#include "base/rng.h"
#include "sw/edge/edge_device.h"
#include "tests/unit.h"

#define MAX_ENTRIES 64u

static void full_queue_refuses_and_keeps_order(void **state)
{
    (void)state;
    struct edge_device dev;
    uint32_t flags[3] = {7, 7, 7}, entry;
    edge_device_init(&dev, flags, 3);
    assert_int_equal(flags[0] | flags[1] | flags[2], EDGE_FREE);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(edge_device_try_launch(&dev, &entry));
        assert_int_equal(entry, i);
        assert_int_equal(flags[i], EDGE_BUSY);
    }
    assert_false(edge_device_try_launch(&dev, &entry));
    assert_false(edge_device_complete(&dev, &entry));

    /* A later event that is done first waits for its turn. */
    assert_true(edge_device_write(&dev, 1 * EDGE_FLAG_BYTES, EDGE_DONE));
    assert_false(edge_device_complete(&dev, &entry));
    assert_true(edge_device_write(&dev, 0, EDGE_DONE));
    assert_true(edge_device_complete(&dev, &entry));
    assert_int_equal(entry, 0);
    assert_true(edge_device_complete(&dev, &entry));
    assert_int_equal(entry, 1);
    assert_false(edge_device_complete(&dev, &entry));

    /* Completed but not released: its results are still being read. */
    assert_false(edge_device_try_launch(&dev, &entry));
    edge_device_release(&dev, 1);
    assert_false(edge_device_try_launch(&dev, &entry));
    edge_device_release(&dev, 0);
    assert_true(edge_device_try_launch(&dev, &entry));
    assert_int_equal(entry, 0);
    assert_int_equal(dev.in_flight, 2);
}

static void one_entry_is_not_completed_twice(void **state)
{
    (void)state;
    struct edge_device dev;
    uint32_t flags[1], entry;
    edge_device_init(&dev, flags, 1);
    assert_true(edge_device_try_launch(&dev, &entry));
    assert_true(edge_device_write(&dev, 0, EDGE_DONE));
    assert_true(edge_device_complete(&dev, &entry));
    assert_int_equal(flags[0], EDGE_DONE);
    assert_false(edge_device_complete(&dev, &entry));
    edge_device_release(&dev, 0);
    assert_true(edge_device_try_launch(&dev, &entry));
}

static void wrong_completions_change_nothing(void **state)
{
    (void)state;
    struct edge_device dev;
    uint32_t flags[2], entry;
    edge_device_init(&dev, flags, 2);
    assert_false(edge_device_write(&dev, 0, EDGE_DONE)); /* nobody launched it */
    assert_true(edge_device_try_launch(&dev, &entry));
    assert_false(edge_device_write(&dev, 2, EDGE_DONE));                   /* misaligned */
    assert_false(edge_device_write(&dev, 2 * EDGE_FLAG_BYTES, EDGE_DONE)); /* behind the queue */
    assert_false(edge_device_write(&dev, UINT64_C(1) << 34, EDGE_DONE));
    assert_false(edge_device_write(&dev, 0, EDGE_FREE));
    assert_int_equal(flags[0], EDGE_BUSY);
    assert_true(edge_device_write(&dev, 0, EDGE_DONE));
    assert_false(edge_device_write(&dev, 0, EDGE_DONE)); /* twice */
}

/* An event that the driver has ended completes in its turn, and is told from the others. */
static void aborted_ones_are_told(void **state)
{
    (void)state;
    struct edge_device dev;
    uint32_t flags[2], entry;
    edge_device_init(&dev, flags, 2);
    assert_true(edge_device_try_launch(&dev, &entry) && edge_device_try_launch(&dev, &entry));
    assert_true(edge_device_write(&dev, EDGE_FLAG_BYTES, EDGE_ABORTED));
    assert_false(edge_device_write(&dev, EDGE_FLAG_BYTES, EDGE_DONE)); /* it is over */
    assert_false(edge_device_complete(&dev, &entry));
    assert_true(edge_device_write(&dev, 0, EDGE_DONE));
    assert_true(edge_device_complete(&dev, &entry) && entry == 0);
    assert_false(edge_device_aborted(&dev, entry));
    assert_true(edge_device_complete(&dev, &entry) && entry == 1);
    assert_true(edge_device_aborted(&dev, entry));
    edge_device_release(&dev, entry);
    assert_false(edge_device_aborted(&dev, entry));
}

/* Every event launched is completed exactly once, in launch order, and never more than `entries`
 * are in flight; the GPU takes entries in order, as the doorbells come, and completes them in any
 * order. */
static void random_run(struct rng *rng, uint32_t entries, uint32_t events)
{
    struct edge_device dev;
    uint32_t flags[MAX_ENTRIES], running[MAX_ENTRIES], n_running = 0;
    uint32_t reading[MAX_ENTRIES], n_reading = 0;
    uint32_t event_of[MAX_ENTRIES];
    uint32_t launched = 0, completed = 0, refused = 0, gpu_head = 0;
    edge_device_init(&dev, flags, entries);
    while (completed < events || n_reading) {
        uint32_t entry, action = rng_below(rng, 4);
        if (action == 0 && launched < events) {
            if (edge_device_try_launch(&dev, &entry)) {
                assert_int_equal(entry, gpu_head);
                gpu_head = (gpu_head + 1) % entries;
                event_of[entry] = launched++;
                running[n_running++] = entry;
            } else {
                refused++;
                assert_int_equal(n_running + (launched - n_running - completed) + n_reading > 0, 1);
            }
        } else if (action == 1 && n_running) {
            uint32_t i = rng_below(rng, n_running);
            assert_true(edge_device_write(&dev, running[i] * EDGE_FLAG_BYTES, EDGE_DONE));
            running[i] = running[--n_running];
        } else if (action == 2 && edge_device_complete(&dev, &entry)) {
            assert_int_equal(event_of[entry], completed);
            completed++;
            reading[n_reading++] = entry;
        } else if (action == 3 && n_reading) {
            uint32_t i = rng_below(rng, n_reading);
            edge_device_release(&dev, reading[i]);
            reading[i] = reading[--n_reading];
        }
        assert_true(launched - completed == dev.in_flight);
        assert_true(dev.in_flight + n_reading <= entries);
    }
    assert_int_equal(launched, events);
    assert_true(refused > 0);
    for (uint32_t i = 0; i < entries; i++)
        assert_int_equal(flags[i], EDGE_FREE);
}

static void random_completer(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 8);
    for (uint32_t entries = 1; entries <= MAX_ENTRIES; entries += 1 + entries / 3)
        random_run(&rng, entries, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_queue_refuses_and_keeps_order),
        cmocka_unit_test(one_entry_is_not_completed_twice),
        cmocka_unit_test(aborted_ones_are_told),
        cmocka_unit_test(wrong_completions_change_nothing),
        cmocka_unit_test(random_completer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
