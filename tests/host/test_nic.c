/* The NIC against a GPU with known and with random behaviour. */
#include "sw/edge/edge_device.h"
#include "tests/host/nic_bench.h"

static struct nic_stats stats_of(struct bench *b)
{
    struct nic_stats s;

    nic_get_stats(b->nic, &s);
    return s;
}

/* (length + 24) bytes at 10 Gb/s and 1 GHz: 0.8 cycles each. */
static uint64_t wire_cycles(uint64_t bytes)
{
    return (bytes * 8 + 9) / 10;
}

static void a_full_batch_is_launched_at_once(void **state)
{
    struct bench *b = bench_create(32, 60, 60, 0, 1);
    const struct nic_batch *batch;
    uint32_t n;

    (void)state;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    batch = nic_batches(b->nic, &n);
    assert_int_equal(n, 1);
    assert_int_equal(batch->count, 32);
    /* The last packet's last byte arrives, and the signal follows in the same cycle. */
    assert_int_equal(batch->signalled, wire_cycles(32 * 84));
    /* Data of the last packet (86 bytes with header), count and doorbell (28 each) at 7 GB/s. */
    assert_int_equal(b->doorbell_at[0], batch->signalled + (86 + 28 + 28 + 6) / 7 + 350);
    assert_int_equal(batch->done, b->doorbell_at[0] + 1000 + 4 + 350);
    bench_destroy(b);
}

/* Results, then frames: two round trips over PCIe, and the wire. */
static void the_way_back_takes_two_round_trips(void **state)
{
    struct bench *b = bench_create(1, 100, 100, 0, 1);
    const struct nic_batch *batch;
    uint32_t n;

    (void)state;
    b->bytes[2] = 0; /* forwards */
    bench_start(b, false);
    bench_finish(b);
    bench_check(b);
    batch = nic_batches(b->nic, &n);
    assert_int_equal(batch->first_arrival, wire_cycles(124));
    assert_int_equal(batch->signalled, batch->first_arrival + 20000);
    /* 24 bytes, 28 bytes; 24 bytes, 124 bytes, each rounded up to a cycle. */
    assert_int_equal(batch->freed, batch->done + (4 + 350) + (4 + 350) + (4 + 350) + (18 + 350));
    assert_int_equal(nic_records(b->nic)->departure, batch->freed + wire_cycles(124));
    assert_int_equal(stats_of(b).partial_batches, 1);
    bench_destroy(b);
}

static void a_partial_batch_waits_for_the_time_out(void **state)
{
    struct bench *b = bench_create(40, 60, 60, 0, 1);
    const struct nic_batch *batch;
    uint32_t n;

    (void)state;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    batch = nic_batches(b->nic, &n);
    assert_int_equal(n, 2);
    assert_int_equal(batch[1].count, 8);
    assert_int_equal(batch[1].first_arrival, wire_cycles(33 * 84));
    assert_int_equal(batch[1].signalled, batch[1].first_arrival + 20000);
    assert_int_equal(stats_of(b).partial_batches, 1);
    bench_destroy(b);

    /* A packet that comes before the time-out fills the batch and no new one is begun. */
    b = bench_create(33, 60, 60, 0, 1);
    b->packets[31].timestamp_ns = b->packets[32].timestamp_ns = 5000 + 19000;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    batch = nic_batches(b->nic, &n);
    assert_int_equal(batch[0].count, 32);
    assert_int_equal(batch[0].signalled, 19000 + wire_cycles(84));
    assert_int_equal(batch[1].count, 1);
    bench_destroy(b);
}

/* The time-out counts from the packet's arrival, also when it had to wait for an entry. */
static void a_late_batch_does_not_wait_again(void **state)
{
    struct bench *b = bench_create(33, 60, 60, 0, 1);
    const struct nic_batch *batch;
    uint32_t n;

    (void)state;
    b->config.entries = 1;
    b->service_min = b->service_max = 100000;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    batch = nic_batches(b->nic, &n);
    assert_true(batch[0].freed > batch[1].first_arrival + 20000);
    assert_int_equal(batch[1].signalled, batch[0].freed);
    bench_destroy(b);
}

static void time_stamps_pace_the_wire(void **state)
{
    struct bench *b = bench_create(5, 60, 60, 1000, 1);
    const struct nic_record *r;

    (void)state;
    b->packets[2].timestamp_ns = b->packets[1].timestamp_ns; /* back to back on the wire */
    b->packets[4].timestamp_ns = 10;                         /* back in time: at once */
    b->cycle = 500;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    r = nic_records(b->nic);
    assert_int_equal(r[0].arrival, 500 + 68); /* 67.2 */
    assert_int_equal(r[1].arrival, 1500 + 68);
    assert_int_equal(r[2].arrival, 1500 + 135); /* 134.4 */
    assert_int_equal(r[3].arrival, 3500 + 68);
    assert_int_equal(r[4].arrival, 3500 + 135);
    bench_destroy(b);
}

static void a_rate_paces_the_wire(void **state)
{
    struct bench *b = bench_create(200, 60, 60, 0, 1);

    (void)state;
    b->config.pace = NIC_PACE_PACKETS;
    b->config.rate = 3000000; /* one in 333.3 cycles */
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    for (uint64_t i = 0; i < 200; i++)
        assert_int_equal(nic_records(b->nic)[i].arrival, (i * 1000 + 2) / 3 + 68);
    bench_destroy(b);

    b = bench_create(200, 60, 60, 0, 1);
    b->config.pace = NIC_PACE_BITS;
    b->config.rate = 1000000000; /* 84 bytes: 672 cycles */
    bench_start(b, true);
    bench_finish(b);
    for (uint64_t i = 0; i < 200; i++)
        assert_int_equal(nic_records(b->nic)[i].arrival, i * 672 + 68);
    bench_destroy(b);

    /* More than the wire carries: the wire's own rate. */
    b = bench_create(200, 60, 60, 0, 1);
    b->config.pace = NIC_PACE_BITS;
    b->config.rate = 40000000000;
    bench_start(b, true);
    bench_finish(b);
    for (uint64_t i = 0; i < 200; i++)
        assert_int_equal(nic_records(b->nic)[i].arrival, wire_cycles((i + 1) * 84));
    bench_destroy(b);
}

/* The GPU completes nothing for a while: the queue fills, then the receive buffer, then the wire is
 * held; nothing is lost, and everything is right afterwards. */
static void a_full_queue_makes_the_nic_wait(void **state)
{
    struct bench *b = bench_create(500, 60, 200, 0, 2);
    struct nic_stats s;

    (void)state;
    b->config.rx_buffer_bytes = 8000;
    b->frozen = true;
    bench_start(b, true);
    while (b->cycle < 300000)
        bench_step(b);
    s = stats_of(b);
    assert_int_equal(s.batches, 4);
    assert_int_equal(s.entry_waits, 1);
    assert_int_equal(s.pauses, 1);
    assert_in_range(s.packets_in, 4 * 32 + 8000 / 200, 4 * 32 + 8000 / 60);
    b->frozen = false;
    bench_finish(b);
    bench_check(b);
    s = stats_of(b);
    assert_int_equal(s.packets_lost, 0);
    assert_true(s.pause_cycles > 270000);
    assert_true(s.entry_wait_cycles > 270000);
    bench_destroy(b);
}

static void a_full_buffer_drops_when_told_to(void **state)
{
    struct bench *b = bench_create(500, 60, 200, 0, 2);
    struct nic_stats s;

    (void)state;
    b->config.rx_buffer_bytes = 8000;
    b->config.drop = true;
    b->frozen = true;
    bench_start(b, true);
    while (b->cycle < 300000)
        bench_step(b);
    s = stats_of(b);
    assert_int_equal(s.packets_in, 500);
    assert_in_range(s.packets_lost, 500 - 4 * 32 - 8000 / 60, 500 - 4 * 32 - 8000 / 200);
    assert_int_equal(s.pauses, 0);
    b->frozen = false;
    bench_finish(b);
    bench_check(b);
    /* The wire was never held. */
    assert_int_equal(nic_records(b->nic)[499].arrival, wire_cycles(b->capture.size + 500 * 24));
    bench_destroy(b);
}

/* Completions in any order: frames leave in the order in which they came. */
static void order_is_kept(void **state)
{
    struct bench *b = bench_create(1024, 60, 60, 0, 3);
    const struct nic_batch *batch;
    uint32_t n, swapped = 0;

    (void)state;
    b->config.entries = 16;
    b->service_min = 1;
    b->service_max = 20000;
    bench_start(b, true);
    bench_finish(b);
    bench_check(b);
    batch = nic_batches(b->nic, &n);
    for (uint32_t i = 1; i < n; i++) {
        swapped += batch[i].done < batch[i - 1].done;
        assert_true(batch[i].freed >= batch[i - 1].freed);
    }
    assert_true(swapped > 3);
    bench_destroy(b);
}

static void bad_completions_change_nothing(void **state)
{
    struct bench *b = bench_create(40, 60, 60, 0, 4);

    (void)state;
    bench_start(b, true);
    b->frozen = true;
    while (!b->doorbells)
        bench_step(b);
    /* Entry 0 runs, entry 1 is being filled, entries 2 and 3 are free. */
    assert_true(gpu_tell(b, FLAGS + 4, DONE, 4));
    assert_true(gpu_tell(b, FLAGS + 8, DONE, 4));
    assert_true(gpu_tell(b, FLAGS + 16, DONE, 4));
    assert_true(gpu_tell(b, FLAGS - 4, DONE, 4));
    assert_true(gpu_tell(b, FLAGS + 1, DONE, 4));
    assert_true(gpu_tell(b, FLAGS, DONE, 2));
    assert_true(gpu_tell(b, FLAGS, DONE, 8));
    assert_true(gpu_tell(b, FLAGS, 1, 4));
    for (int i = 0; i < 2000; i++)
        bench_step(b);
    assert_int_equal(stats_of(b).bad_completions, 8);
    assert_int_equal(stats_of(b).forwarded, 0);
    b->frozen = false;
    bench_finish(b);
    bench_check(b);
    /* Once freed, a second "done" is not valid either. */
    assert_true(gpu_tell(b, FLAGS, DONE, 4));
    for (int i = 0; i < 1000; i++)
        bench_step(b);
    assert_int_equal(stats_of(b).bad_completions, 9);
    assert_true(nic_finished(b->nic));
    bench_destroy(b);
}

/* A completion that says so, or its driver, closes the queue in the middle of everything: each
 * packet has one fate, frames that were sent stay sent, and nothing comes any more. */
static void a_failed_queue_is_closed(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct bench *b = bench_create(300, 60, 300, 150, seed);
        uint64_t fates[NIC_FAILED + 1] = {0};
        bool told = seed % 2;
        bench_start(b, true);
        while (b->cycle < 800 * seed || (told && !b->n_running))
            bench_step(b);
        if (told)
            assert_true(gpu_tell(b, FLAGS + 4 * b->running[0].entry, EDGE_FAILED, 4));
        else
            nic_close(b->nic, b->cycle);
        bench_finish(b);
        for (int i = 0; i < 3000; i++)
            bench_step(b);
        struct nic_stats s = stats_of(b);
        for (uint32_t i = 0; i < 300; i++) {
            fates[nic_records(b->nic)[i].fate]++;
            assert_true(!nic_output(b->nic, i) == (nic_records(b->nic)[i].fate != NIC_FORWARDED));
        }
        assert_int_equal(fates[NIC_WAITING], 0);
        assert_true(fates[NIC_FAILED] > 0 && fates[NIC_FAILED] == s.packets_failed);
        assert_int_equal(fates[NIC_FORWARDED], s.forwarded);
        assert_int_equal(fates[NIC_FORWARDED] + fates[NIC_DROPPED] + fates[NIC_FAILED], 300);
        assert_int_equal(s.bad_completions, 0);
        assert_true(nic_finished(b->nic));
        bench_destroy(b);
    }
}

/* --launch=cpu: the signal is a word per entry in the memory behind another link. */
struct mailbox {
    const struct bench *bench;
    uint64_t addresses[16];
    uint32_t values[16], count;
};

static bool mailbox_write(void *user, uint64_t cycle, const struct pcie_write *w)
{
    struct mailbox *m = user;

    (void)cycle;
    assert_int_equal(w->bytes, 4);
    assert_int_equal(w->bar, PCIE_BAR_MEMORY);
    /* Whatever its link is: never before the data, of which the count is the last. */
    uint64_t count = m->bench->entry[(w->address - 0x500) / 4].count;
    assert_int_equal(little(m->bench->memory + count, 4), little(w->data, 4));
    m->addresses[m->count] = w->address;
    m->values[m->count++] = little(w->data, 4);
    return true;
}

static void the_signal_may_go_to_a_cpu(void **state)
{
    static const struct pcie_config config = {.core_khz = 1000000,
                                              .bytes_per_second = {70000000000, 70000000000},
                                              .latency_ns = 1, /* the GPU's has 350 */
                                              .max_payload = 256,
                                              .header_bytes = 24,
                                              .send_queue = 16,
                                              .credits = 16,
                                              .read_tags = 1,
                                              .max_read = 64};
    struct bench *b = bench_create(100, 60, 60, 0, 5);
    struct pcie *link = pcie_create(&config, NULL);
    struct mailbox m = {.bench = b};
    struct pcie_endpoint host = {.name = "host", .user = &m, .deliver_write = mailbox_write};
    struct pcie_endpoint nic = {.name = "nic", .side = 1};

    (void)state;
    nic_endpoint(&nic, &b->nic);
    assert_int_equal(pcie_attach(link, &host, NULL), 0);
    assert_int_equal(pcie_attach(link, &nic, NULL), 1);
    b->config.signal = (struct nic_signal){
        .link = link, .from = 1, .to = 0, .bar = PCIE_BAR_MEMORY, .address = 0x500, .stride = 4};
    bench_start(b, true);
    while (b->cycle < 60000) {
        pcie_tick(link, b->cycle);
        bench_step(b);
    }
    assert_int_equal(m.count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(m.addresses[i], 0x500 + 4 * i);
        assert_int_equal(m.values[i], i < 3 ? 32 : 4);
        assert_int_equal(little(b->memory + b->entry[i].count, 4), m.values[i]);
    }
    assert_int_equal(b->doorbells, 0);
    /* The CPU tells the NIC over the same link. */
    for (uint32_t i = 0; i < 4; i++) {
        serve(b, i, m.values[i]);
        uint8_t done[4] = {DONE};
        struct pcie_write w = {
            .address = FLAGS + 4 * i, .data = done, .bytes = 4, .from = 0, .to = 1};
        assert_true(pcie_write(link, b->cycle, &w));
    }
    while (!nic_finished(b->nic)) {
        pcie_tick(link, b->cycle);
        bench_step(b);
    }
    bench_check(b);
    bench_destroy(b);
    pcie_destroy(link);
}

/* Random layouts, rates, sizes and GPUs; ticking in every cycle gives the same records as ticking
 * at events only. */
static void random_run(uint64_t seed, bool every_cycle, struct nic_record *records, uint32_t *count)
{
    struct rng rng;
    struct bench *b;
    static const uint32_t field[] = {1, 2, 4};

    rng_seed(&rng, seed);
    bool jumbo = rng_chance(&rng, 1, 4);
    *count = 200 + rng_below(&rng, 500);
    b = bench_create(*count, 14, jumbo ? 9000 : 300, rng_below(&rng, 400), seed);
    struct nic_config *c = &b->config;
    struct nic_layout *l = &c->layout;
    c->entries = 1 + rng_below(&rng, 12);
    c->wire_bps = 1000000000ull * (1 + rng_below(&rng, 40));
    c->pace = (enum nic_pace)rng_below(&rng, 3);
    c->rate = c->pace == NIC_PACE_PACKETS ? 1000000 + rng_below(&rng, 9000000)
                                          : 1000000000ull * (1 + rng_below(&rng, 30));
    c->flush_ns = rng_below(&rng, 5000);
    c->drop = rng_chance(&rng, 1, 2);
    c->rx_buffer_bytes = 9000 + rng_below(&rng, 20000);
    l->batch = 1 + rng_below(&rng, 40);
    l->length_bytes = field[rng_below(&rng, 3)];
    l->length_bytes = l->length_bytes == 1 ? 0 : l->length_bytes;
    l->length_offset = rng_below(&rng, 5);
    l->frame_offset = l->length_offset + l->length_bytes + rng_below(&rng, 3);
    l->slot_stride = (jumbo ? 9000 : 300) + 16;
    l->verdict_bytes = field[rng_below(&rng, 3)];
    l->hop_bytes = field[rng_below(&rng, 3)];
    l->verdict_offset = rng_below(&rng, 3);
    l->hop_offset = l->verdict_offset + l->verdict_bytes + rng_below(&rng, 3);
    l->result_stride = l->hop_offset + l->hop_bytes + rng_below(&rng, 4);
    b->every_cycle = every_cycle;
    b->service_min = rng_below(&rng, 500);
    b->service_max = b->service_min + rng_below(&rng, 20000);
    b->refuse_percent = rng_chance(&rng, 1, 3) ? 90 : 0;
    bench_start(b, rng_chance(&rng, 1, 2));
    bench_finish(b);
    bench_check(b);
    memcpy(records, nic_records(b->nic), *count * sizeof *records);
    bench_destroy(b);
}

static void random_runs(void **state)
{
    static struct nic_record a[MAX_PACKETS], b[MAX_PACKETS];
    uint32_t n, m;

    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        print_message("seed %d\n", (int)seed);
        random_run(seed, false, a, &n);
        random_run(seed, true, b, &m);
        assert_int_equal(n, m);
        for (uint32_t i = 0; i < n; i++) {
            assert_int_equal(a[i].arrival, b[i].arrival);
            assert_int_equal(a[i].departure, b[i].departure);
            assert_int_equal(a[i].fate, b[i].fate);
        }
    }
}

/* The length of what is sent is the kernel's to say, within the growth. */
static void frames_may_change_their_length(void **state)
{
    const uint32_t growth = 40;
    struct bench *b = bench_create(200, 60, 300, 500, 23);
    uint64_t bytes_out = 0, bad = 0, forwarded = 0;
    struct nic_stats s;

    (void)state;
    b->config.layout.result_stride = 8;
    b->config.layout.sent_offset = 4;
    b->config.layout.sent_bytes = 4;
    b->config.layout.growth = growth;
    bench_start(b, true);
    bench_finish(b);
    const struct nic_record *r = nic_records(b->nic);
    for (uint32_t i = 0; i < 200; i++) {
        const struct nic_packet *p = &b->packets[i];
        const uint8_t *sent = nic_output(b->nic, i);
        uint8_t expect[512];
        uint32_t length = sent_of(p);
        bool possible = length && length <= p->length + growth;

        if (!forwards(b->bytes + p->offset) || !possible) {
            bad += forwards(b->bytes + p->offset);
            assert_int_equal(r[i].fate, NIC_DROPPED);
            assert_null(sent);
            continue;
        }
        assert_int_equal(r[i].fate, NIC_FORWARDED);
        assert_int_equal(r[i].sent, length);
        memset(expect, 0xA5, sizeof expect);
        rewrite(expect, b->bytes + p->offset, p->length);
        assert_memory_equal(sent, expect, length);
        bytes_out += length;
        forwarded++;
    }
    nic_get_stats(b->nic, &s);
    assert_int_equal(s.bytes_out, bytes_out);
    assert_int_equal(s.forwarded, forwarded);
    assert_int_equal(s.bad_lengths, bad);
    assert_true(bad > 5 && forwarded > 50);
    bench_destroy(b);
}

static void bad_configurations_are_named(void **state)
{
    static const struct {
        size_t field, bytes;
        uint64_t value;
        const char *says;
    } cases[] = {
        {offsetof(struct nic_config, core_khz), 4, 0, "core clock"},
        {offsetof(struct nic_config, wire_bps), 8, 0, "wire"},
        {offsetof(struct nic_config, entries), 4, 0, "queue"},
        {offsetof(struct nic_config, entries), 4, 65537, "queue"},
        {offsetof(struct nic_config, rx_buffer_bytes), 4, 59, "receive buffer"},
        {offsetof(struct nic_config, layout.batch), 4, 0, "packets per event"},
        {offsetof(struct nic_config, layout.batch), 4, NIC_MAX_BATCH + 1, "packets per event"},
        {offsetof(struct nic_config, layout.slot_stride), 4, 61, "packet 0"},
        {offsetof(struct nic_config, layout.slot_stride), 4, 0, "slot"},
        {offsetof(struct nic_config, layout.frame_offset), 4, 1, "length"},
        {offsetof(struct nic_config, layout.length_bytes), 4, 1, "length"},
        {offsetof(struct nic_config, layout.result_stride), 4, 65, "result record"},
        {offsetof(struct nic_config, layout.verdict_bytes), 4, 3, "verdict"},
        {offsetof(struct nic_config, layout.verdict_offset), 4, 4, "verdict"},
        {offsetof(struct nic_config, layout.hop_offset), 4, 3, "next hop"},
        {offsetof(struct nic_config, layout.sent_bytes), 4, 3, "sent length"},
        {offsetof(struct nic_config, layout.growth), 4, 2000, "may grow by 2000"},
    };
    struct bench *b = bench_create(3, 60, 60, 0, 1);

    (void)state;
    b->config.entry = b->entry;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct nic_config c = b->config;
        struct error err = {0};

        memcpy((uint8_t *)&c + cases[i].field, &cases[i].value, cases[i].bytes);
        assert_null(nic_create(&c, &b->capture, &err));
        assert_non_null(strstr(err.text, cases[i].says));
    }
    struct error err = {0};
    struct nic_capture empty = {0};
    assert_null(nic_create(&b->config, &empty, &err));
    assert_non_null(strstr(err.text, "no packet"));
    b->packets[2].length = 61;
    err.set = false;
    assert_null(nic_create(&b->config, &b->capture, &err));
    assert_non_null(strstr(err.text, "packet 2"));
    b->config.pace = NIC_PACE_BITS;
    err.set = false;
    assert_null(nic_create(&b->config, &b->capture, &err));
    assert_non_null(strstr(err.text, "rate"));
    bench_destroy(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_batch_is_launched_at_once),
        cmocka_unit_test(the_way_back_takes_two_round_trips),
        cmocka_unit_test(a_partial_batch_waits_for_the_time_out),
        cmocka_unit_test(a_late_batch_does_not_wait_again),
        cmocka_unit_test(time_stamps_pace_the_wire),
        cmocka_unit_test(a_rate_paces_the_wire),
        cmocka_unit_test(a_full_queue_makes_the_nic_wait),
        cmocka_unit_test(a_full_buffer_drops_when_told_to),
        cmocka_unit_test(order_is_kept),
        cmocka_unit_test(bad_completions_change_nothing),
        cmocka_unit_test(a_failed_queue_is_closed),
        cmocka_unit_test(the_signal_may_go_to_a_cpu),
        cmocka_unit_test(random_runs),
        cmocka_unit_test(frames_may_change_their_length),
        cmocka_unit_test(bad_configurations_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
