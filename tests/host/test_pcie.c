/* The PCIe link against closed forms. */
#include "sim/host/pcie.h"
#include "sim/host/rate.h"
#include "tests/unit.h"

#define MEMORY  65536u
#define MAX_LOG 4096u

enum { GPU, NIC, HOST };

struct arrival {
    uint64_t cycle, address;
    uint32_t bytes, tag;
    uint16_t rid;
    uint8_t from, bar;
    char kind; /* w, r, c */
};

struct node {
    struct pcie *link;
    uint8_t memory[MEMORY];
    uint8_t fetched[MEMORY]; /* by tag * 4096 */
    struct arrival log[MAX_LOG];
    uint32_t logged;
    uint64_t refuse_until;
    bool answer_later;
    struct pcie_read held[256];
    uint32_t n_held;
};

struct bench {
    struct pcie *link;
    struct node node[3];
    uint64_t cycle;
};

static void note(struct node *n, struct arrival a)
{
    assert_true(n->logged < MAX_LOG);
    n->log[n->logged++] = a;
}

static bool on_write(void *user, uint64_t cycle, const struct pcie_write *w)
{
    struct node *n = user;

    if (cycle < n->refuse_until)
        return false;
    if (w->data) /* else bulk */
        memcpy(n->memory + w->address, w->data, w->bytes);
    note(n, (struct arrival){cycle, w->address, w->bytes, w->tag, w->rid, w->from, w->bar, 'w'});
    return true;
}

static void on_read(void *user, uint64_t cycle, const struct pcie_read *r)
{
    struct node *n = user;

    note(n, (struct arrival){cycle, r->address, r->bytes, r->tag, r->rid, r->from, r->bar, 'r'});
    if (n->answer_later)
        n->held[n->n_held++] = *r;
    else
        pcie_complete(n->link, cycle, r->handle, n->memory + r->address);
}

static void on_completion(void *user, uint64_t cycle, const struct pcie_completion *c)
{
    struct node *n = user;

    memcpy(n->fetched + (c->tag % 16) * 4096 + c->offset, c->data, c->bytes);
    note(n, (struct arrival){cycle, c->offset, c->bytes, c->tag, 0, 0, c->last, 'c'});
}

/* 1 GHz: one cycle is one nanosecond. */
static const struct pcie_config plain = {.core_khz = 1000000,
                                         .bytes_per_second = {7000000000, 14000000000},
                                         .latency_ns = 350,
                                         .max_payload = 256,
                                         .header_bytes = 24,
                                         .send_queue = 64,
                                         .credits = 64,
                                         .read_tags = 8,
                                         .max_read = 1024};

static struct bench *setup(const struct pcie_config *config)
{
    static const char *const names[] = {"gpu", "nic", "host"};
    struct bench *b = calloc(1, sizeof *b);

    b->link = pcie_create(config, NULL);
    assert_non_null(b->link);
    for (int i = 0; i < 3; i++) {
        struct pcie_endpoint e = {.name = names[i],
                                  .side = i != GPU,
                                  .rid = (uint16_t)(0x100 + i),
                                  .user = &b->node[i],
                                  .deliver_write = on_write,
                                  .deliver_read = on_read,
                                  .deliver_completion = on_completion};
        b->node[i].link = b->link;
        assert_int_equal(pcie_attach(b->link, &e, NULL), i);
    }
    return b;
}

static void teardown(struct bench *b)
{
    pcie_destroy(b->link);
    free(b);
}

/* Ticks at events only, up to and including cycle `until`. */
static void run_until(struct bench *b, uint64_t until)
{
    while (pcie_next_event(b->link) <= until) {
        if (pcie_next_event(b->link) > b->cycle)
            b->cycle = pcie_next_event(b->link);
        pcie_tick(b->link, b->cycle);
        b->cycle++;
    }
    b->cycle = until + 1;
}

static void run_dry(struct bench *b)
{
    while (!pcie_idle(b->link))
        run_until(b, b->cycle);
}

static bool write_to(struct bench *b, uint8_t from, uint8_t to, uint64_t address, const void *data,
                     uint32_t bytes, uint32_t tag)
{
    struct pcie_write w = {.address = address,
                           .data = data,
                           .bytes = bytes,
                           .tag = tag,
                           .from = from,
                           .to = to,
                           .bar = PCIE_BAR_DOORBELL};

    return pcie_write(b->link, b->cycle, &w);
}

static bool read_from(struct bench *b, uint8_t from, uint8_t to, uint64_t address, uint32_t bytes,
                      uint32_t tag)
{
    struct pcie_read r = {.address = address, .bytes = bytes, .tag = tag, .from = from, .to = to};

    return pcie_read(b->link, b->cycle, &r);
}

static void latency_is_exact(void **state)
{
    struct bench *b = setup(&plain);
    uint32_t value = 0x12345678;
    const struct arrival *a = &b->node[GPU].log[0];

    (void)state;
    b->cycle = 10;
    assert_true(write_to(b, NIC, GPU, 64, &value, 4, 7));
    /* 28 bytes at 14 GB/s are 2 cycles. */
    run_until(b, 10 + 2 + 350 - 1);
    assert_int_equal(b->node[GPU].logged, 0);
    run_until(b, 10 + 2 + 350);
    assert_int_equal(b->node[GPU].logged, 1);
    assert_int_equal(a->cycle, 362);
    assert_int_equal(a->address, 64);
    assert_int_equal(a->tag, 7);
    assert_int_equal(a->rid, 0x101);
    assert_int_equal(a->from, NIC);
    assert_int_equal(a->bar, PCIE_BAR_DOORBELL);
    assert_memory_equal(b->node[GPU].memory + 64, &value, 4);
    assert_true(pcie_idle(b->link));
    assert_true(pcie_next_event(b->link) == CYCLE_NEVER);
    /* The other direction at its own bandwidth: 4 cycles. */
    b->cycle = 1000;
    assert_true(write_to(b, GPU, HOST, 0, &value, 4, 0));
    run_dry(b);
    assert_int_equal(b->node[HOST].log[0].cycle, 1000 + 4 + 350);
    teardown(b);
}

/* n full TLPs back to back take ceil(n * bytes * hz / bandwidth), with a fraction in every TLP. */
static void bandwidth_is_exact(void **state)
{
    struct pcie_config c = plain;
    uint8_t data[256] = {0};
    const uint32_t n = 1000;
    uint32_t sent = 0;

    (void)state;
    c.core_khz = 700000;
    c.bytes_per_second[1] = 15754000000;
    struct bench *b = setup(&c);
    while (!pcie_idle(b->link) || sent < n) {
        while (sent < n && write_to(b, NIC, GPU, 0, data, 256, sent))
            sent++;
        run_until(b, b->cycle);
    }
    for (uint32_t i = 0; i < n; i++) {
        uint64_t wire = ((uint64_t)(i + 1) * 280 * 700000000 + 15754000000 - 1) / 15754000000;
        assert_int_equal(b->node[GPU].log[i].tag, i);
        assert_int_equal(b->node[GPU].log[i].cycle, wire + 245);
    }
    struct pcie_direction_stats s;
    pcie_stats(b->link, 1, &s);
    assert_int_equal(s.tlps, n);
    assert_int_equal(s.bytes, n * 280);
    assert_int_equal(s.write_bytes, n * 256);
    teardown(b);
}

/* Sends `bytes` of the host's, as bulk or not; the cycle in which the last of them arrives. */
static uint64_t arrival_of(uint32_t bytes, bool bulk, struct pcie_direction_stats *stats)
{
    static const uint8_t data[4096];
    struct bench *b = setup(&plain);
    struct pcie_write w = {.bytes = bytes, .from = HOST, .to = GPU};

    assert_true(bulk ? pcie_bulk(b->link, b->cycle, &w)
                     : write_to(b, HOST, GPU, 0, data, bytes, 0));
    run_dry(b);
    pcie_stats(b->link, 1, stats);
    const struct arrival *a = &b->node[GPU].log[b->node[GPU].logged - 1];
    uint64_t cycle = a->cycle;
    if (bulk) {
        assert_int_equal(b->node[GPU].logged, 1);
        assert_int_equal(a->bytes, bytes);
    }
    teardown(b);
    return cycle;
}

/* A bulk write arrives when the last TLP of a write of that size would have, and counts like it. */
static void bulk_takes_as_long_as_a_write(void **state)
{
    static const uint32_t sizes[] = {1, 255, 256, 257, 4000, 4096};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pcie_direction_stats as_write, as_bulk;

        assert_int_equal(arrival_of(sizes[i], true, &as_bulk),
                         arrival_of(sizes[i], false, &as_write));
        assert_memory_equal(&as_write, &as_bulk, sizeof as_bulk);
        assert_int_equal(as_bulk.tlps, (sizes[i] + 255) / 256);
    }
}

/* What an endpoint sends and what it is sent count for it, with headers: here a write in two TLPs,
 * and a read whose answer takes two. */
static void bytes_count_at_both_ends(void **state)
{
    struct bench *b = setup(&plain);
    uint8_t data[300] = {0};
    const uint64_t write = 300 + 2 * 24, read = 24 + 400 + 2 * 24;

    (void)state;
    assert_true(write_to(b, NIC, GPU, 0, data, 300, 0));
    run_dry(b);
    assert_int_equal(pcie_bytes_of(b->link, NIC), write);
    assert_int_equal(pcie_bytes_of(b->link, GPU), write);
    struct pcie_read r = {.bytes = 400, .from = GPU, .to = HOST};
    assert_true(pcie_read(b->link, b->cycle, &r));
    run_dry(b);
    assert_int_equal(pcie_bytes_of(b->link, HOST), read);
    assert_int_equal(pcie_bytes_of(b->link, GPU), write + read);
    assert_int_equal(pcie_bytes_of(b->link, NIC), write);
    teardown(b);
}

static void bulk_waits_for_room(void **state)
{
    struct bench *b = setup(&plain);
    struct pcie_write w = {.bytes = 4096, .from = HOST, .to = GPU};
    uint32_t sent = 0;

    (void)state;
    while (pcie_bulk(b->link, b->cycle, &w))
        sent++;
    assert_int_equal(sent, plain.send_queue);
    run_dry(b);
    assert_int_equal(b->node[GPU].logged, sent);
    teardown(b);
}

static void writes_are_split(void **state)
{
    struct bench *b = setup(&plain);
    uint8_t data[1000];

    (void)state;
    for (uint32_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 7);
    assert_true(write_to(b, HOST, GPU, 100, data, sizeof data, 3));
    run_dry(b);
    assert_int_equal(b->node[GPU].logged, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(b->node[GPU].log[i].address, 100 + 256 * i);
        assert_int_equal(b->node[GPU].log[i].bytes, i < 3 ? 256 : 232);
    }
    assert_memory_equal(b->node[GPU].memory + 100, data, sizeof data);
    teardown(b);
}

/* The queue takes 64 TLPs; a write of more pieces than fit is refused whole. */
static void full_queue_refuses_all_of_a_write(void **state)
{
    struct bench *b = setup(&plain);
    uint8_t data[1024] = {0};

    (void)state;
    for (int i = 0; i < 15; i++)
        assert_true(write_to(b, NIC, GPU, 0, data, 1024, 0));
    assert_true(write_to(b, NIC, GPU, 0, data, 513, 0)); /* 3 TLPs */
    assert_false(write_to(b, NIC, GPU, 0, data, 257, 1));
    assert_true(write_to(b, HOST, GPU, 0, data, 1024, 2)); /* a queue of its own */
    assert_true(write_to(b, NIC, GPU, 0, data, 256, 3));
    assert_false(read_from(b, NIC, GPU, 0, 4, 0));
    run_dry(b);
    assert_int_equal(b->node[GPU].logged, 64 + 4);
    for (uint32_t i = 0; i < b->node[GPU].logged; i++)
        assert_int_not_equal(b->node[GPU].log[i].tag, 1);
    teardown(b);
}

static void read_round_trip(void **state)
{
    struct bench *b = setup(&plain);
    const struct arrival *log = b->node[NIC].log;

    (void)state;
    for (uint32_t i = 0; i < 1024; i++)
        b->node[GPU].memory[2000 + i] = (uint8_t)(i * 11);
    assert_true(read_from(b, NIC, GPU, 2000, 600, 5));
    run_dry(b);
    /* Request: 24 bytes at 14 GB/s, 2 cycles (rounded up); answers: 280, 280, 112 bytes at 7 GB/s.
     */
    assert_int_equal(b->node[GPU].log[0].cycle, 352);
    assert_int_equal(b->node[NIC].logged, 3);
    assert_int_equal(log[0].cycle, 352 + 40 + 350);
    assert_int_equal(log[1].cycle, 352 + 80 + 350);
    assert_int_equal(log[2].cycle, 352 + 96 + 350);
    assert_int_equal(log[2].address, 512);
    assert_int_equal(log[2].bytes, 88);
    assert_int_equal(log[1].bar, 0); /* `last` */
    assert_int_equal(log[2].bar, 1);
    assert_memory_equal(b->node[NIC].fetched + 5 * 4096, b->node[GPU].memory + 2000, 600);
    teardown(b);
}

static void reads_push_writes(void **state)
{
    struct bench *b = setup(&plain);
    uint32_t value = 42;

    (void)state;
    b->node[GPU].refuse_until = 5000;
    assert_true(write_to(b, NIC, GPU, 64, &value, 4, 0));
    assert_true(read_from(b, NIC, GPU, 64, 4, 0));
    run_until(b, 4999);
    assert_int_equal(b->node[GPU].logged, 0);
    run_dry(b);
    assert_int_equal(b->node[GPU].log[0].kind, 'w');
    assert_int_equal(b->node[GPU].log[0].cycle, 5000);
    assert_int_equal(b->node[GPU].log[1].kind, 'r');
    assert_memory_equal(b->node[NIC].fetched, &value, 4);
    teardown(b);
}

/* A flag that the GPU writes before it answers arrives before the answer. */
static void completions_push_writes(void **state)
{
    struct bench *b = setup(&plain);
    uint32_t flag = 2;

    (void)state;
    b->node[GPU].answer_later = true;
    assert_true(read_from(b, NIC, GPU, 0, 4, 1));
    run_until(b, 1000);
    assert_int_equal(b->node[GPU].n_held, 1);
    assert_true(write_to(b, GPU, NIC, 8, &flag, 4, 9));
    pcie_complete(b->link, b->cycle, b->node[GPU].held[0].handle, b->node[GPU].memory);
    run_dry(b);
    assert_int_equal(b->node[NIC].log[0].kind, 'w');
    assert_int_equal(b->node[NIC].log[1].kind, 'c');
    teardown(b);
}

/* The receiver refuses: the link holds what is in flight (its credits) and everything behind it. */
static void back_pressure_loses_nothing(void **state)
{
    struct pcie_config c = plain;
    struct pcie_direction_stats s;
    uint32_t sent = 0;

    (void)state;
    c.credits = 4;
    struct bench *b = setup(&c);
    b->node[GPU].refuse_until = 10000;
    while (b->cycle < 10000) {
        while (sent < 200 && write_to(b, NIC, GPU, 4 * sent, &sent, 4, sent))
            sent++;
        run_until(b, b->cycle);
    }
    assert_int_equal(sent, 4 + 64);
    pcie_stats(b->link, 1, &s);
    assert_int_equal(s.tlps, 4);
    assert_int_equal(s.refused_cycles, 10000 - 352);
    assert_int_equal(s.credit_stalls, 1);
    while (sent < 200 || !pcie_idle(b->link)) {
        while (sent < 200 && write_to(b, NIC, GPU, 4 * sent, &sent, 4, sent))
            sent++;
        run_until(b, b->cycle);
    }
    assert_int_equal(b->node[GPU].logged, 200);
    for (uint32_t i = 0; i < 200; i++) {
        assert_int_equal(b->node[GPU].log[i].tag, i);
        assert_memory_equal(b->node[GPU].memory + 4 * i, &i, 4);
    }
    /* The four that were in flight were taken at once; the fifth started when they were. */
    assert_int_equal(b->node[GPU].log[3].cycle, 10000);
    assert_int_equal(b->node[GPU].log[4].cycle, 10000 + 2 + 350);
    teardown(b);
}

/* Waiting costs nothing: no event between the start of a TLP and its arrival, with the wire free
 * and more to send. */
static void waiting_for_a_credit_is_quiet(void **state)
{
    struct pcie_config c = plain;
    uint32_t value = 0;

    (void)state;
    c.credits = 1;
    struct bench *b = setup(&c);
    assert_true(write_to(b, NIC, GPU, 0, &value, 4, 0));
    assert_true(write_to(b, NIC, GPU, 0, &value, 4, 1));
    run_until(b, 2);
    assert_int_equal(pcie_next_event(b->link), 352);
    run_until(b, 100);
    assert_true(write_to(b, HOST, GPU, 0, &value, 4, 2));
    assert_int_equal(pcie_next_event(b->link), 352);
    run_dry(b);
    assert_int_equal(b->node[GPU].logged, 3);
    assert_int_equal(b->node[GPU].log[2].cycle, 3 * 352);
    teardown(b);
}

static void tags_bound_the_reads(void **state)
{
    struct bench *b = setup(&plain);

    (void)state;
    b->node[GPU].answer_later = true;
    for (uint32_t i = 0; i < 8; i++)
        assert_true(read_from(b, NIC, GPU, i, 4, i));
    assert_false(read_from(b, NIC, GPU, 0, 4, 8));
    assert_true(read_from(b, HOST, GPU, 0, 4, 15)); /* tags of its own */
    run_until(b, 1000);
    assert_int_equal(b->node[GPU].n_held, 9);
    /* Answered in another order: each answer finds its read. */
    for (uint32_t i = 0; i < MEMORY; i++)
        b->node[GPU].memory[i] = (uint8_t)(i + 1);
    for (uint32_t i = 9; i-- > 0;) {
        const struct pcie_read *r = &b->node[GPU].held[i];
        pcie_complete(b->link, b->cycle, r->handle, b->node[GPU].memory + r->address);
    }
    run_dry(b);
    for (uint32_t i = 0; i < 8; i++)
        assert_int_equal(b->node[NIC].fetched[i * 4096], i + 1);
    assert_int_equal(b->node[NIC].log[0].tag, 7);
    assert_true(read_from(b, NIC, GPU, 0, 4, 8));
    teardown(b);
}

static void senders_take_turns(void **state)
{
    struct bench *b = setup(&plain);
    uint8_t data[256] = {0};

    (void)state;
    for (int i = 0; i < 20; i++) {
        assert_true(write_to(b, HOST, GPU, 0, data, 256, 0));
        assert_true(write_to(b, HOST, GPU, 0, data, 256, 0));
        assert_true(write_to(b, NIC, GPU, 0, data, 256, 0));
    }
    run_dry(b);
    for (uint32_t i = 0; i + 1 < 40; i++)
        assert_int_not_equal(b->node[GPU].log[i].from, b->node[GPU].log[i + 1].from);
    for (uint32_t i = 40; i < 60; i++)
        assert_int_equal(b->node[GPU].log[i].from, HOST);
    teardown(b);
}

static void bad_configurations_are_named(void **state)
{
    static const struct {
        size_t field, bytes;
        uint64_t value;
        const char *says;
    } cases[] = {
        {offsetof(struct pcie_config, core_khz), 4, 0, "core clock"},
        {offsetof(struct pcie_config, bytes_per_second), 8, 0, "bandwidth"},
        {offsetof(struct pcie_config, latency_ns), 4, 0, "latency"},
        {offsetof(struct pcie_config, max_payload), 4, 100, "payload"},
        {offsetof(struct pcie_config, max_payload), 4, 8192, "payload"},
        {offsetof(struct pcie_config, header_bytes), 4, 0, "header"},
        {offsetof(struct pcie_config, send_queue), 4, 15, "send queue"},
        {offsetof(struct pcie_config, credits), 4, 0, "credits"},
        {offsetof(struct pcie_config, read_tags), 4, 257, "read tags"},
        {offsetof(struct pcie_config, max_read), 4, 8192, "maximum read"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct pcie_config c = plain;
        struct error err = {0};

        memcpy((uint8_t *)&c + cases[i].field, &cases[i].value, cases[i].bytes);
        assert_null(pcie_create(&c, &err));
        assert_non_null(strstr(err.text, cases[i].says));
    }
    struct bench *b = setup(&plain);
    struct pcie_endpoint e = {.name = "odd", .side = 2};
    struct error err = {0};
    assert_int_equal(pcie_attach(b->link, &e, &err), -1);
    assert_non_null(strstr(err.text, "odd"));
    e.side = 0;
    for (int i = 3; i < (int)PCIE_MAX_ENDPOINTS; i++)
        assert_int_equal(pcie_attach(b->link, &e, NULL), i);
    assert_int_equal(pcie_attach(b->link, &e, NULL), -1);
    teardown(b);
}

static void nanoseconds_round_to_the_nearest_cycle(void **state)
{
    (void)state;
    assert_int_equal(rate_ns_to_cycles(350, 700000), 245);
    assert_int_equal(rate_ns_to_cycles(86400000000000000, 700000),
                     60480000000000000); /* 1000 days */
    assert_int_equal(rate_cycles_to_ns(60480000000000001, 700000), 86400000000000001);
    assert_int_equal(rate_ns_to_cycles(1, 700000), 1);
    assert_int_equal(rate_ns_to_cycles(1, 499999), 0);
    assert_int_equal(rate_ns_to_cycles(1, 500000), 1);
    assert_int_equal(rate_ns_to_cycles(3600000000001, 1000000), 3600000000001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_is_exact),
        cmocka_unit_test(bandwidth_is_exact),
        cmocka_unit_test(bulk_takes_as_long_as_a_write),
        cmocka_unit_test(bytes_count_at_both_ends),
        cmocka_unit_test(bulk_waits_for_room),
        cmocka_unit_test(writes_are_split),
        cmocka_unit_test(full_queue_refuses_all_of_a_write),
        cmocka_unit_test(read_round_trip),
        cmocka_unit_test(reads_push_writes),
        cmocka_unit_test(completions_push_writes),
        cmocka_unit_test(back_pressure_loses_nothing),
        cmocka_unit_test(waiting_for_a_credit_is_quiet),
        cmocka_unit_test(tags_bound_the_reads),
        cmocka_unit_test(senders_take_turns),
        cmocka_unit_test(bad_configurations_are_named),
        cmocka_unit_test(nanoseconds_round_to_the_nearest_cycle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
