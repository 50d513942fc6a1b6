/* The packet processor against a memory that answers after a fixed time and kernels that take one:
 * its steps in time, order, barriers, several queues, wrap-around, hostile packets and doorbells,
 * and words that are waited for. */
#include "base/rng.h"
#include "sim/gpu/queue/packet_processor.h"
#include "tests/unit.h"

#define MEMORY   65536u
#define LATENCY  100u /* of a read */
#define DECODE   10u
#define RUNTIME  500u
#define KERNEL   0x8000u
#define ARGUMENT 0x9000u
#define SIGNALS  0xA000u
#define RING     0x1000u
#define RID      7u
#define OWNER    5u      /* of the queues */
#define FOREIGN  0xF000u /* memory and a kernel of others */
#define READS    256u
#define FLIGHTS  256u

struct read {
    uint64_t due, address;
    uint32_t tag, bytes;
};

struct run {
    uint64_t end, cookie;
};

struct rig {
    struct packet_processor *p;
    uint8_t memory[MEMORY];
    struct read reads[READS];
    uint32_t n_reads;
    struct run runs[FLIGHTS];
    uint32_t n_runs, room; /* kernels at once */
    uint64_t cycle, started[4096], arguments[4096];
    uint32_t n_started, n_ended, most;
    uint64_t index[4096]; /* of packets whose kernels have ended */
    bool no_memory;       /* reads and writes are refused */
    uint64_t waited, written;
    uint64_t asked[16]; /* the first addresses that were read */
    uint32_t n_asked;
};

static bool on_read(void *user, uint64_t address, uint32_t bytes, uint32_t tag)
{
    struct rig *r = user;
    assert_true(address + bytes <= MEMORY && bytes <= PP_READ_BYTES);
    if (r->no_memory)
        return false;
    assert_true(r->n_reads < READS);
    if (r->n_asked < 16)
        r->asked[r->n_asked++] = address;
    r->reads[r->n_reads++] = (struct read){r->cycle + LATENCY, address, tag, bytes};
    return true;
}

static bool on_write(void *user, uint64_t address, const uint8_t *data, uint32_t bytes)
{
    struct rig *r = user;
    if (r->no_memory)
        return false;
    address &= ~AQL_BUS;
    assert_true(address + bytes <= MEMORY);
    memcpy(r->memory + address, data, bytes);
    return true;
}

static bool on_valid(void *user, uint32_t owner, uint64_t address, uint32_t bytes, bool read)
{
    (void)user, (void)read;
    if (address >= FOREIGN && owner == OWNER)
        return false;
    return address < MEMORY && bytes <= MEMORY - address;
}

static bool on_is_kernel(void *user, uint32_t owner, uint64_t object)
{
    (void)user;
    return object == KERNEL || (object == FOREIGN && owner != OWNER);
}

/* More than 1024 work-items in a group do not fit. */
static enum pp_launched on_launch(void *user, const struct pp_queue *queue,
                                  const struct aql_dispatch *d, uint64_t cookie)
{
    struct rig *r = user;
    assert_int_equal(queue->priority, 3);
    if (d->group[0] > 1024)
        return PP_IMPOSSIBLE;
    if (r->n_runs == r->room)
        return PP_NO_ROOM;
    r->runs[r->n_runs++] = (struct run){r->cycle + RUNTIME, cookie};
    r->most = r->n_runs > r->most ? r->n_runs : r->most;
    r->arguments[r->n_started] = d->kernarg;
    r->started[r->n_started++] = r->cycle;
    return PP_LAUNCHED;
}

static void on_ended(void *user, uint64_t index, uint64_t rung, const struct grid *grid)
{
    struct rig *r = user;
    (void)grid;
    assert_true(rung <= r->cycle);
    r->index[r->n_ended++] = index;
}

static struct rig *setup(void)
{
    struct rig *r = calloc(1, sizeof *r);
    struct pp_env env = {.decode = DECODE,
                         .poll = 50,
                         .poll_reads = 2,
                         .read = on_read,
                         .write = on_write,
                         .valid = on_valid,
                         .is_kernel = on_is_kernel,
                         .launch = on_launch,
                         .user = r};
    r->p = pp_create(&env);
    r->room = FLIGHTS;
    return r;
}

static void teardown(struct rig *r)
{
    pp_destroy(r->p);
    free(r);
}

static uint32_t add_queue(struct rig *r, uint64_t ring, uint32_t packets)
{
    struct pp_queue queue = {.ring = ring,
                             .packets = packets,
                             .owner = OWNER,
                             .requester = RID,
                             .priority = 3,
                             .ended = on_ended,
                             .user = r};
    uint32_t number = 99;
    assert_true(pp_add_queue(r->p, &queue, &number));
    return number;
}

static struct aql_dispatch plain(uint32_t number)
{
    return (struct aql_dispatch){.acquire = AQL_SCOPE_SYSTEM,
                                 .release = AQL_SCOPE_AGENT,
                                 .dimensions = 1,
                                 .group = {32, 1, 1},
                                 .grid = {64, 1, 1},
                                 .kernel = KERNEL,
                                 .kernarg = ARGUMENT + number,
                                 .signal = SIGNALS + 8 * (uint64_t)number};
}

static uint8_t *slot(struct rig *r, uint64_t ring, uint64_t index, uint32_t packets)
{
    return r->memory + ring + index % packets * AQL_PACKET_BYTES;
}

static void arm(struct rig *r, uint32_t signal)
{
    aql_put(r->memory + SIGNALS + 8 * signal, 1, 8);
}

static uint64_t signal_of(const struct rig *r, uint32_t signal)
{
    return aql_get(r->memory + SIGNALS + 8 * signal, 8);
}

static void ring(struct rig *r, uint32_t queue, uint64_t index)
{
    pp_doorbell(r->p, r->cycle, queue * AQL_DOORBELL_PAGE, AQL_INDEX_BYTES, RID, index);
}

static void one_cycle(struct rig *r)
{
    for (uint32_t i = 0; i < r->n_runs; i++) {
        if (r->runs[i].end > r->cycle)
            continue;
        struct run over = r->runs[i];
        r->runs[i--] = r->runs[--r->n_runs];
        pp_kernel_done(r->p, r->cycle, over.cookie, NULL);
    }
    for (uint32_t i = 0; i < r->n_reads; i++) {
        if (r->reads[i].due > r->cycle)
            continue;
        struct read over = r->reads[i];
        memmove(r->reads + i, r->reads + i + 1, (r->n_reads - i - 1) * sizeof *r->reads);
        r->n_reads--;
        i--;
        pp_data(r->p, r->cycle, over.tag, r->memory + over.address);
    }
    if (pp_next_event(r->p) <= r->cycle)
        pp_tick(r->p, r->cycle);
    r->cycle++;
}

static void run(struct rig *r, uint64_t cycles)
{
    for (uint64_t end = r->cycle + cycles; r->cycle < end;)
        one_cycle(r);
}

/* One packet: fetch, decode, kernel object, launch; the signal when it has ended. */
static void test_steps(void **state)
{
    (void)state;
    struct rig *r = setup();
    uint32_t q = add_queue(r, RING, 8);
    struct aql_dispatch d = plain(1);
    struct pp_stats stats;
    arm(r, 1);
    aql_write_dispatch(slot(r, RING, 0, 8), &d);
    r->cycle = 10;
    ring(r, q, 0);
    run(r, 3 * RUNTIME);
    assert_int_equal(r->n_started, 1);
    assert_int_equal(r->started[0], 10 + LATENCY + 1 + DECODE + LATENCY + 1);
    assert_int_equal(r->arguments[0], ARGUMENT + 1);
    assert_int_equal(signal_of(r, 1), 0);
    assert_int_equal(r->index[0], 0);
    assert_false(pp_busy(r->p));
    assert_true(pp_next_event(r->p) == UINT64_MAX);
    pp_get_stats(r->p, &stats);
    assert_int_equal(stats.fetches, 1);
    assert_int_equal(stats.kernels, 1);
    assert_int_equal(stats.decoding, DECODE);
    teardown(r);
}

/* Packets go round the ring many times; kernels start in order; the read index is written. */
static void test_wrap(void **state)
{
    (void)state;
    struct rig *r = setup();
    struct pp_queue queue = {.ring = RING,
                             .packets = 4,
                             .read_index = SIGNALS + 4096,
                             .requester = RID,
                             .priority = 3,
                             .ended = on_ended,
                             .user = r};
    uint32_t q, written = 0;
    struct rng rng;
    rng_seed(&rng, 5);
    assert_true(pp_add_queue(r->p, &queue, &q));
    r->room = 3;
    while (written < 200) {
        uint64_t read = aql_get(r->memory + SIGNALS + 4096, 8);
        assert_true(read <= written && written - read <= 4);
        uint32_t count = (uint32_t)rng_below(&rng, 5);
        count = count > 4 - (written - read) ? (uint32_t)(4 - (written - read)) : count;
        for (uint32_t i = 0; i < count; i++, written++) {
            struct aql_dispatch d = plain(written);
            d.signal = 0;
            aql_write_dispatch(slot(r, RING, written, 4), &d);
        }
        if (count)
            ring(r, q, written - 1);
        run(r, rng_below(&rng, 400));
        r->no_memory = rng_below(&rng, 4) == 0;
    }
    r->no_memory = false;
    run(r, 10 * RUNTIME);
    assert_int_equal(r->n_started, written);
    assert_int_equal(r->n_ended, written);
    assert_int_equal(r->most, 3);
    for (uint32_t i = 0; i < written; i++)
        assert_int_equal(r->arguments[i], ARGUMENT + i);
    assert_int_equal(aql_get(r->memory + SIGNALS + 4096, 8), written);
    teardown(r);
}

/* The barrier bit waits for the packets before it; a barrier packet for its signals. */
static void test_barriers(void **state)
{
    (void)state;
    struct rig *r = setup();
    uint32_t q = add_queue(r, RING, 8);
    struct aql_dispatch first = plain(0), second = plain(1), third = plain(2);
    second.barrier = true;
    aql_write_dispatch(slot(r, RING, 0, 8), &first);
    aql_write_dispatch(slot(r, RING, 1, 8), &second);
    uint8_t *barrier = slot(r, RING, 2, 8);
    memset(barrier, 0, AQL_PACKET_BYTES);
    barrier[AQL_HEADER] = AQL_BARRIER_AND;
    aql_put(barrier + AQL_DEPEND + 8, SIGNALS + 8 * 20, 8);
    aql_put(barrier + AQL_DEPEND + 32, SIGNALS + 8 * 21, 8);
    aql_put(barrier + AQL_SIGNAL, SIGNALS + 8 * 22, 8);
    aql_write_dispatch(slot(r, RING, 3, 8), &third);
    arm(r, 20);
    arm(r, 22);
    ring(r, q, 3);
    run(r, 4 * RUNTIME);
    assert_int_equal(r->n_started, 2);
    assert_true(r->started[1] > r->started[0] + RUNTIME);
    assert_int_equal(signal_of(r, 22), 1);
    aql_put(r->memory + SIGNALS + 8 * 20, 0, 8);
    run(r, 4 * RUNTIME);
    assert_int_equal(r->n_started, 3);
    assert_int_equal(signal_of(r, 22), 0);
    /* Both are 0 already: each costs a read, and nothing waits between them. */
    memcpy(slot(r, RING, 4, 8), barrier, AQL_PACKET_BYTES);
    arm(r, 22);
    uint64_t from = r->cycle;
    for (ring(r, q, 4); signal_of(r, 22);)
        one_cycle(r);
    assert_in_range(r->cycle - from, 3 * LATENCY + DECODE, 3 * LATENCY + DECODE + 5);
    teardown(r);
}

/* A queue whose packets are through at once, since they are refused, does not keep the decoder. */
static void test_decoder_in_turns(void **state)
{
    (void)state;
    struct rig *r = setup();
    uint32_t a = add_queue(r, RING, 8), b = add_queue(r, RING + 4096, 8);
    struct aql_dispatch d = plain(0);
    for (uint32_t i = 0; i < 7; i++)
        slot(r, RING, i, 8)[AQL_HEADER] = AQL_INVALID;
    aql_write_dispatch(slot(r, RING + 4096, 0, 8), &d);
    ring(r, a, 6);
    ring(r, b, 0);
    run(r, 2 * RUNTIME);
    assert_int_equal(r->n_started, 1);
    assert_int_equal(r->started[0], LATENCY + 1 + 2 * DECODE + LATENCY + 1);
    teardown(r);
}

/* Two queues share the decoder in turns, and one that waits does not hold the other. */
static void test_queues(void **state)
{
    (void)state;
    struct rig *r = setup();
    uint32_t a = add_queue(r, RING, 8), b = add_queue(r, RING + 4096, 8);
    for (uint32_t i = 0; i < 4; i++) {
        struct aql_dispatch d = plain(i);
        d.barrier = true;
        aql_write_dispatch(slot(r, RING, i, 8), &d);
        d = plain(100 + i);
        aql_write_dispatch(slot(r, RING + 4096, i, 8), &d);
    }
    ring(r, a, 3);
    ring(r, b, 3);
    run(r, 2 * RUNTIME);
    uint32_t of_b = 0;
    for (uint32_t i = 0; i < r->n_started; i++)
        of_b += r->arguments[i] >= ARGUMENT + 100;
    assert_int_equal(of_b, 4);
    assert_true(r->n_started < 8);
    run(r, 10 * RUNTIME);
    assert_int_equal(r->n_started, 8);
    teardown(r);
}

/* --- what is wrong --- */

/* `told`: the signal of the packet can be written. */
static void expect_defect(enum pp_defect defect, bool told, void (*spoil)(uint8_t *packet))
{
    struct rig *r = setup();
    uint32_t q = add_queue(r, RING, 8);
    struct pp_stats stats;
    for (uint32_t i = 0; i < 3; i++) {
        struct aql_dispatch d = plain(i);
        aql_write_dispatch(slot(r, RING, i, 8), &d);
        arm(r, i);
    }
    spoil(slot(r, RING, 1, 8));
    ring(r, q, 2);
    run(r, 4 * RUNTIME);
    pp_get_stats(r->p, &stats);
    for (uint32_t i = 0; i < PP_DEFECTS; i++)
        assert_int_equal(stats.defects[i], i == (uint32_t)defect);
    assert_int_equal(r->n_started, 2);
    assert_int_equal(pp_read_index(r->p, q), 3);
    assert_int_equal(signal_of(r, 0) | signal_of(r, 2), 0);
    assert_true(signal_of(r, 1) == (told ? PP_REFUSED : 1));
    assert_non_null(pp_defect_name(defect));
    teardown(r);
}

static void invalid(uint8_t *p)
{
    p[AQL_HEADER] = AQL_INVALID;
}
static void agent(uint8_t *p)
{
    p[AQL_HEADER] = AQL_AGENT;
}
static void unknown(uint8_t *p)
{
    p[AQL_HEADER] = 77;
}
static void fence(uint8_t *p)
{
    p[AQL_HEADER + 1] |= 3u << 1;
}
static void no_dimensions(uint8_t *p)
{
    p[AQL_SETUP] = 0;
}
static void no_group(uint8_t *p)
{
    aql_put(p + AQL_GROUP, 0, 2);
}
static void no_grid(uint8_t *p)
{
    aql_put(p + AQL_GRID, 0, 4);
}
static void part_group(uint8_t *p)
{
    aql_put(p + AQL_GRID, 33, 4);
}
static void second_dimension(uint8_t *p)
{
    aql_put(p + AQL_GRID + 4, 2, 4);
}
static void no_kernel(uint8_t *p)
{
    aql_put(p + AQL_KERNEL, KERNEL + 8, 8);
}
static void bad_argument(uint8_t *p)
{
    aql_put(p + AQL_KERNARG, MEMORY, 8);
}
static void bad_signal(uint8_t *p)
{
    aql_put(p + AQL_SIGNAL, SIGNALS + 8 + 4, 8);
}
static void signal_outside(uint8_t *p)
{
    aql_put(p + AQL_SIGNAL, ~(uint64_t)7, 8);
}
static void foreign_kernel(uint8_t *p)
{
    aql_put(p + AQL_KERNEL, FOREIGN, 8);
}
static void foreign_argument(uint8_t *p)
{
    aql_put(p + AQL_KERNARG, FOREIGN, 8);
}
static void foreign_signal(uint8_t *p)
{
    aql_put(p + AQL_SIGNAL, FOREIGN, 8);
}
static void too_large(uint8_t *p)
{
    aql_put(p + AQL_GROUP, 2048, 2);
    aql_put(p + AQL_GRID, 4096, 4);
}

static void test_defects(void **state)
{
    (void)state;
    expect_defect(PP_BAD_TYPE, false, invalid);
    expect_defect(PP_BAD_TYPE, false, agent);
    expect_defect(PP_BAD_TYPE, false, unknown);
    expect_defect(PP_BAD_FENCE, true, fence);
    expect_defect(PP_BAD_SIZE, true, no_dimensions);
    expect_defect(PP_BAD_SIZE, true, no_group);
    expect_defect(PP_BAD_SIZE, true, no_grid);
    expect_defect(PP_BAD_SIZE, true, part_group);
    expect_defect(PP_BAD_SIZE, true, second_dimension);
    expect_defect(PP_BAD_KERNEL, true, no_kernel);
    expect_defect(PP_BAD_ADDRESS, true, bad_argument);
    expect_defect(PP_BAD_ADDRESS, false, bad_signal);
    expect_defect(PP_BAD_ADDRESS, false, signal_outside);
    expect_defect(PP_BAD_KERNEL, true, foreign_kernel);
    expect_defect(PP_BAD_ADDRESS, true, foreign_argument);
    expect_defect(PP_BAD_ADDRESS, false, foreign_signal);
    expect_defect(PP_TOO_LARGE, true, too_large);
}

/* Whatever stands in the ring, the processor takes it and comes to rest. */
static void test_noise(void **state)
{
    (void)state;
    struct rig *r = setup();
    uint32_t q = add_queue(r, RING, 16);
    struct pp_stats stats;
    struct rng rng;
    rng_seed(&rng, 11);
    for (uint32_t n = 0; n < 400; n += 16) {
        for (uint32_t i = 0; i < 16 * AQL_PACKET_BYTES; i++)
            r->memory[RING + i] = (uint8_t)rng_below(&rng, 256);
        for (uint32_t i = 0; i < 16; i++)
            r->memory[RING + i * AQL_PACKET_BYTES] =
                (uint8_t)(rng_below(&rng, 2) ? AQL_DISPATCH : rng_below(&rng, 256));
        ring(r, q, n + 15);
        run(r, 10 * RUNTIME);
        assert_int_equal(pp_read_index(r->p, q), n + 16);
    }
    pp_get_stats(r->p, &stats);
    uint64_t defects = 0;
    for (uint32_t i = 0; i < PP_DEFECTS; i++)
        defects += stats.defects[i];
    assert_int_equal(stats.packets, 400);
    assert_int_equal(defects + stats.kernels, 400);
    teardown(r);
}

static void test_doorbells(void **state)
{
    (void)state;
    struct rig *r = setup();
    uint32_t q = add_queue(r, RING, 4);
    struct pp_stats stats;
    struct pp_queue wrong = {.ring = RING, .packets = 3};
    uint32_t number;
    pp_doorbell(r->p, 0, 8 * AQL_DOORBELL_PAGE, 8, RID, 0); /* no such queue */
    pp_doorbell(r->p, 0, 8, 8, RID, 0);                     /* not at its page's beginning */
    pp_doorbell(r->p, 0, 0, 4, RID, 0);                     /* size */
    pp_doorbell(r->p, 0, 0, 8, RID + 1, 0);                 /* somebody else */
    ring(r, q, 4);                                          /* more than the ring holds */
    pp_doorbell(r->p, 0, ~(uint64_t)0, 8, RID, ~(uint64_t)0);
    pp_get_stats(r->p, &stats);
    assert_int_equal(stats.doorbells, 6);
    assert_int_equal(stats.bad_doorbells, 6);
    assert_false(pp_busy(r->p));
    ring(r, q, 3);
    ring(r, q, 1); /* back */
    pp_get_stats(r->p, &stats);
    assert_int_equal(stats.bad_doorbells, 7);
    assert_false(pp_add_queue(r->p, &wrong, &number));
    wrong.packets = 4;
    wrong.ring = RING + 32;
    assert_false(pp_add_queue(r->p, &wrong, &number));
    wrong.ring = MEMORY - 128;
    assert_false(pp_add_queue(r->p, &wrong, &number));
    wrong.ring = RING;
    for (uint32_t i = 1; i < PP_QUEUES; i++)
        assert_true(pp_add_queue(r->p, &wrong, &number));
    assert_false(pp_add_queue(r->p, &wrong, &number));
    teardown(r);
}

/* --- words --- */

static void on_word(void *user, uint64_t cycle, uint64_t written)
{
    struct rig *r = user;
    r->waited = cycle;
    r->written = written;
    r->n_ended++;
}

static void test_words(void **state)
{
    (void)state;
    struct rig *r = setup();
    struct pp_stats stats;
    for (uint32_t i = 0; i < 5; i++) {
        aql_put(r->memory + 0x400 + 4 * i, 0xFFFFFFFEu, 4);
        assert_true(pp_wait(r->p, 0, 0x400 + 4 * i, 0xFFFFFFFFu, on_word, r));
    }
    run(r, 1000);
    assert_int_equal(r->n_ended, 0);
    pp_get_stats(r->p, &stats);
    assert_true(stats.polls >= 10 && stats.polls <= 2 * 1000 / LATENCY);
    aql_put(r->memory + 0x408, 3, 4); /* later, behind the counter's end */
    pp_written(r->p, 1000, 0x400, 16);
    run(r, 5 * LATENCY);
    assert_int_equal(r->n_ended, 1);
    assert_int_equal(r->written, 1000);
    assert_true(r->waited > 1000 && r->waited <= 1000 + 4 * LATENCY);
    assert_true(pp_busy(r->p));
    for (uint32_t i = 0; i < 5; i++)
        aql_put(r->memory + 0x400 + 4 * i, 0xFFFFFFFFu, 4);
    run(r, 5 * LATENCY);
    assert_int_equal(r->n_ended, 5);
    assert_false(pp_busy(r->p));
    pp_send(r->p, r->cycle, 0x500 | AQL_BUS, 42);
    r->no_memory = true;
    run(r, 5);
    assert_int_equal(r->memory[0x500], 0);
    r->no_memory = false;
    run(r, 5);
    assert_int_equal(r->memory[0x500], 42);
    for (uint32_t i = 0; i < PP_WAITS; i++)
        assert_true(pp_wait(r->p, 0, 0x600, 1, on_word, r));
    assert_false(pp_wait(r->p, 0, 0x600, 1, on_word, r));
    teardown(r);
}

/* More words than are read within their interval: all are read once before one is read again, also
 * behind the end of one. */
static void test_words_in_turns(void **state)
{
    (void)state;
    struct rig *r = setup();
    uint32_t seen = 0;
    for (uint32_t i = 0; i < 16; i++) {
        aql_put(r->memory + 0x400 + 4 * i, i == 9 ? 1 : 0, 4);
        assert_true(pp_wait(r->p, 0, 0x400 + 4 * i, 1, on_word, r));
    }
    while (r->n_asked < 16)
        run(r, 1);
    assert_int_equal(r->n_ended, 1);
    for (uint32_t i = 0; i < 16; i++)
        seen |= 1u << (r->asked[i] - 0x400) / 4;
    assert_int_equal(seen, 0xFFFF);
    teardown(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),          cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_barriers),       cmocka_unit_test(test_queues),
        cmocka_unit_test(test_defects),        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_doorbells),      cmocka_unit_test(test_words),
        cmocka_unit_test(test_words_in_turns), cmocka_unit_test(test_decoder_in_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
