/* The CPU's side of a user-level queue, against a GPU that takes packets after a while: order,
 * wrap-around, a full ring, both places for the ring, and writes that are none. */
#include "sim/host/rate.h"
#include "sim/host/user_queue.h"
#include "tests/unit.h"

#define PACKETS  4u
#define WINDOW   0x2000000u
#define DOORBELL 0x5000u
#define DEVICE   0x800u
#define EVENTS   50u

enum { GPU, HOST };

struct rig {
    struct pcie *link;
    struct user_queue *queue;
    uint64_t cycle;
    uint8_t memory[4096]; /* the GPU's */
    uint64_t rung;        /* packets that have been announced */
    uint64_t taken, asked;
    uint8_t numbers[EVENTS]; /* first byte behind the header of each packet, in order */
    uint32_t signals[8];
};

static bool gpu_write(void *user, uint64_t cycle, const struct pcie_write *w)
{
    struct rig *r = user;
    (void)cycle;
    if (w->bar == PCIE_BAR_QUEUE) {
        assert_int_equal(w->address, DOORBELL);
        assert_int_equal(w->bytes, AQL_INDEX_BYTES);
        assert_int_equal(aql_get(w->data, 8), r->rung);
        r->rung++;
        return true;
    }
    assert_true(w->address + w->bytes <= sizeof r->memory);
    memcpy(r->memory + w->address, w->data, w->bytes);
    return true;
}

static void gpu_completion(void *user, uint64_t cycle, const struct pcie_completion *c)
{
    struct rig *r = user;
    (void)cycle;
    assert_int_equal(c->bytes, AQL_PACKET_BYTES);
    r->numbers[c->tag] = c->data[1];
    r->taken++;
}

static void on_signal(void *user, uint64_t cycle, uint32_t signal)
{
    struct rig *r = user;
    (void)cycle;
    r->signals[signal]++;
}

static struct rig *setup(uint64_t device_ring)
{
    static const struct pcie_config link = {.core_khz = 1000000,
                                            .bytes_per_second = {7000000000, 7000000000},
                                            .latency_ns = 350,
                                            .max_payload = 256,
                                            .header_bytes = 24,
                                            .send_queue = 16,
                                            .credits = 64,
                                            .read_tags = 32,
                                            .max_read = 512};
    struct rig *r = calloc(1, sizeof *r);
    struct pcie_endpoint gpu = {.name = "gpu",
                                .side = 0,
                                .user = r,
                                .deliver_write = gpu_write,
                                .deliver_completion = gpu_completion};
    struct pcie_endpoint host = {.name = "host", .side = 1};
    user_queue_endpoint(&host, &r->queue);
    r->link = pcie_create(&link, NULL);
    assert_int_equal(pcie_attach(r->link, &gpu, NULL), GPU);
    assert_int_equal(pcie_attach(r->link, &host, NULL), HOST);
    struct user_queue_config config = {.packets = PACKETS,
                                       .signals = 8,
                                       .link = r->link,
                                       .host = HOST,
                                       .gpu = GPU,
                                       .window = WINDOW,
                                       .device_ring = device_ring,
                                       .doorbell = DOORBELL,
                                       .signalled = on_signal,
                                       .user = r};
    r->queue = user_queue_create(&config, NULL);
    assert_non_null(r->queue);
    return r;
}

static void teardown(struct rig *r)
{
    user_queue_destroy(r->queue);
    pcie_destroy(r->link);
    free(r);
}

static void write_host(struct rig *r, uint64_t offset, uint64_t value, uint32_t bytes)
{
    uint8_t data[8];
    aql_put(data, value, 8);
    struct pcie_write w = {
        .address = WINDOW + offset, .data = data, .bytes = bytes, .from = GPU, .to = HOST};
    assert_true(pcie_write(r->link, r->cycle, &w));
}

/* The GPU takes announced packets, one in 300 cycles, and writes the read index. */
static void gpu_step(struct rig *r, bool in_device)
{
    if (r->cycle % 300 == 0 && r->asked < r->rung) {
        uint64_t at = r->asked % PACKETS * AQL_PACKET_BYTES;
        struct pcie_read read = {.address = WINDOW + USER_QUEUE_RING + at,
                                 .bytes = AQL_PACKET_BYTES,
                                 .tag = (uint32_t)r->asked,
                                 .from = GPU,
                                 .to = HOST};
        if (in_device)
            r->numbers[r->taken++] = r->memory[DEVICE + at + 1];
        else
            assert_true(pcie_read(r->link, r->cycle, &read));
        r->asked++;
    }
    if (r->cycle % 300 == 150)
        write_host(r, USER_QUEUE_READ_INDEX, r->taken, 8);
}

static void push_all(bool in_device)
{
    struct rig *r = setup(in_device ? DEVICE : 0);
    uint8_t packets[EVENTS][AQL_PACKET_BYTES] = {{0}};
    uint32_t pushed = 0;
    struct user_queue_stats stats;
    for (uint32_t i = 0; i < EVENTS; i++)
        packets[i][1] = (uint8_t)(i + 1);
    while (r->taken < EVENTS) {
        if (pcie_next_event(r->link) <= r->cycle)
            pcie_tick(r->link, r->cycle);
        gpu_step(r, in_device);
        if (pushed < EVENTS && user_queue_push(r->queue, r->cycle, packets[pushed]))
            pushed++;
        assert_true(pushed - r->taken <= PACKETS + 1);
        r->cycle++;
        assert_true(r->cycle < 1000000);
    }
    for (uint32_t i = 0; i < EVENTS; i++)
        assert_int_equal(r->numbers[i], i + 1);
    user_queue_get_stats(r->queue, &stats);
    assert_int_equal(stats.packets, EVENTS);
    assert_true(stats.full > 5);
    teardown(r);
}

static void in_host_memory(void **state)
{
    (void)state;
    push_all(false);
}

static void in_the_gpus_memory(void **state)
{
    (void)state;
    push_all(true);
}

static void run(struct rig *r, uint32_t cycles)
{
    for (uint32_t i = 0; i < cycles; i++) {
        if (pcie_next_event(r->link) <= r->cycle)
            pcie_tick(r->link, r->cycle);
        r->cycle++;
    }
}

/* When the GPU has taken all packets, all of the ring is free again; a full ring counts once,
 * however often the producer asks. */
static void a_ring_taken_to_the_end(void **state)
{
    (void)state;
    struct rig *r = setup(0);
    uint8_t packet[AQL_PACKET_BYTES] = {0};
    struct user_queue_stats stats;
    for (uint32_t round = 1; round <= 2; round++) {
        for (uint32_t i = 0; i < PACKETS; i++)
            assert_true(user_queue_push(r->queue, r->cycle, packet));
        for (uint32_t i = 0; i < 3; i++)
            assert_false(user_queue_push(r->queue, r->cycle, packet));
        user_queue_get_stats(r->queue, &stats);
        assert_int_equal(stats.full, round);
        write_host(r, USER_QUEUE_READ_INDEX, round * PACKETS, 8);
        run(r, 1000);
    }
    user_queue_get_stats(r->queue, &stats);
    assert_int_equal(stats.bad_writes, 0);
    teardown(r);
}

static void signals_and_others(void **state)
{
    (void)state;
    struct rig *r = setup(0);
    struct user_queue_stats stats;
    write_host(r, USER_QUEUE_SIGNALS, 0, 8);
    write_host(r, USER_QUEUE_SIGNALS + 7 * 8, ~(uint64_t)0, 8); /* refused */
    write_host(r, USER_QUEUE_SIGNALS + 8 * 8, 0, 8);            /* no such signal */
    write_host(r, USER_QUEUE_SIGNALS + 4, 0, 8);                /* misaligned */
    write_host(r, USER_QUEUE_SIGNALS + 8, 0, 4);                /* half of one */
    write_host(r, USER_QUEUE_READ_INDEX, 1, 8);                 /* nothing has been written */
    write_host(r, 0, 1, 8);                                     /* the ring */
    run(r, 1000);
    user_queue_get_stats(r->queue, &stats);
    assert_int_equal(r->signals[0], 1);
    assert_int_equal(r->signals[7], 1);
    assert_int_equal(r->signals[1], 0);
    assert_int_equal(stats.refused, 1);
    assert_int_equal(stats.bad_writes, 5);
    teardown(r);
}

static void what_cannot_be(void **state)
{
    (void)state;
    struct error err = {.set = false};
    struct user_queue_config c = {.packets = 3, .signals = 1};
    assert_null(user_queue_create(&c, &err));
    c.packets = 0;
    assert_null(user_queue_create(&c, &err));
    c.packets = 131072;
    assert_null(user_queue_create(&c, &err));
    c.packets = 4;
    c.signals = 100000;
    assert_null(user_queue_create(&c, &err));
    assert_true(err.set);
    c.packets = c.signals = 65536;
    struct user_queue *most = user_queue_create(&c, NULL);
    assert_non_null(most);
    user_queue_destroy(most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_host_memory),          cmocka_unit_test(in_the_gpus_memory),
        cmocka_unit_test(a_ring_taken_to_the_end), cmocka_unit_test(signals_and_others),
        cmocka_unit_test(what_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
