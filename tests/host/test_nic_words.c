/* An early return: the NIC takes the words of results and frames, whose order in the memory of this
 * GPU is that of a full/empty queue. */
#include "sw/edge/edge_device.h"
#include "tests/host/nic_bench.h"

#define MEMORY_WORDS (1u << 22)
#define MAX_TAKES    64u

/* Words with full/empty bits, and the reads that wait for them: only the oldest is looked at. */
struct words {
    struct bench *b;
    uint8_t full[MEMORY_WORDS];
    struct pcie_read waiting[MAX_TAKES];
    uint32_t head, count, most;
};

static void fill(void *user, uint64_t address, uint32_t bytes)
{
    struct words *w = user;

    for (uint64_t i = address / 4; i <= (address + bytes - 1) / 4; i++)
        w->full[i] = true;
}

static bool all_full(const struct words *w, const struct pcie_read *r)
{
    for (uint64_t i = r->address / 4; i < (r->address + r->bytes) / 4; i++) {
        if (!w->full[i])
            return false;
    }
    return true;
}

static void take(void *user, uint64_t cycle, const struct pcie_read *r)
{
    struct words *w = user;

    (void)cycle;
    assert_int_equal(r->address % 4, 0);
    assert_int_equal(r->bytes % 4, 0);
    assert_true(w->count < MAX_TAKES);
    w->waiting[(w->head + w->count++) % MAX_TAKES] = *r;
    w->most = w->count > w->most ? w->count : w->most;
}

static void step(struct words *w)
{
    bench_step(w->b);
    for (; w->count && all_full(w, &w->waiting[w->head]); w->count--) {
        const struct pcie_read *r = &w->waiting[w->head];
        pcie_complete(w->b->link, w->b->cycle, r->handle, w->b->memory + r->address);
        memset(w->full + r->address / 4, false, r->bytes / 4);
        w->head = (w->head + 1) % MAX_TAKES;
    }
}

static struct words *words_create(struct bench *b)
{
    struct words *w = calloc(1, sizeof *w);

    w->b = b;
    b->config.returns = NIC_RETURN_WORDS;
    b->take = take;
    b->filled = fill;
    b->user = w;
    return w;
}

static void words_destroy(struct words *w)
{
    bench_destroy(w->b);
    free(w);
}

static void start(struct words *w)
{
    const struct nic_config *c = &w->b->config;

    assert_true((uint64_t)c->entries * c->layout.batch * 2 * (c->layout.slot_stride + 64u) <
                4u * MEMORY_WORDS);
    bench_start(w->b, false);
}

static const struct nic_batch *batch_of(struct bench *b, uint32_t number)
{
    uint32_t n;
    const struct nic_batch *batches = nic_batches(b->nic, &n);

    assert_true(number < n);
    return &batches[number];
}

/* Everything is right, and every word of output and results is empty again. */
static void finish(struct words *w)
{
    struct bench *b = w->b;
    const struct nic_layout *l = &b->config.layout;

    while (!nic_finished(b->nic))
        step(w);
    bench_check(b);
    for (uint32_t i = 0; i < b->config.entries; i++) {
        const struct nic_entry *e = &b->entry[i];
        for (uint64_t k = e->output / 4; k < (e->output + l->batch * l->slot_stride) / 4; k++)
            assert_false(w->full[k]);
        for (uint64_t k = e->results / 4; k < (e->results + l->batch * l->result_stride) / 4; k++)
            assert_false(w->full[k]);
    }
}

/* One packet that forwards. The read of its result waits at the GPU when the kernel stores it: half
 * a round trip, then a whole one for the frame. No flag comes before all is over. */
static void no_completion_is_waited_for(void **state)
{
    struct words *w = words_create(bench_create(1, 100, 100, 0, 1));
    struct bench *b = w->b;

    (void)state;
    b->bytes[2] = 0;
    b->late = b->frozen = true;
    start(w);
    while (!b->doorbells || w->count == 0)
        step(w);
    assert_int_equal(w->waiting[0].address, b->entry[0].results);
    while (b->cycle < b->doorbell_at[0] + 5000)
        step(w);
    assert_int_equal(w->count, 1);
    uint64_t stored = b->cycle + 1;
    serve(b, 0, 1);
    while (nic_records(b->nic)->fate == NIC_WAITING)
        step(w);
    /* 28 bytes; 24, a cycle of this memory, and 128 with the slot's 102 in whole words. */
    assert_int_equal(batch_of(b, 0)->done, stored + (4 + 350));
    assert_int_equal(batch_of(b, 0)->freed, batch_of(b, 0)->done + (4 + 350) + 1 + (19 + 350));
    while (b->cycle < nic_records(b->nic)->departure + 1000)
        step(w);
    assert_false(nic_finished(b->nic)); /* its flag is counted */
    b->n_running = 0;
    assert_true(gpu_tell(b, FLAGS, DONE, 4));
    finish(w);
    words_destroy(w);
}

/* Frames of one batch, stored 3000 cycles after each other: each leaves when it is there. */
static void packets_leave_one_by_one(void **state)
{
    struct words *w = words_create(bench_create(8, 100, 100, 0, 1));
    struct bench *b = w->b;
    uint8_t bits[8 * 2048 / 4];
    uint64_t stored[8];

    (void)state;
    for (uint32_t i = 0; i < 8; i++)
        b->bytes[b->packets[i].offset + 2] = 0;
    b->config.layout.batch = 8;
    b->late = b->frozen = true;
    start(w);
    while (!b->doorbells)
        step(w);
    serve(b, 0, 8);
    /* The results are there, the frames are not yet. */
    uint8_t *output = w->full + b->entry[0].output / 4;
    memcpy(bits, output, sizeof bits);
    memset(output, false, sizeof bits);
    for (uint32_t i = 0; i < 8; i++) {
        uint64_t until = b->cycle + 3000;
        while (b->cycle < until)
            step(w);
        stored[i] = b->cycle;
        memcpy(output + i * 512, bits + i * 512, 512);
    }
    b->frozen = false;
    while (!nic_finished(b->nic))
        step(w);
    for (uint32_t i = 0; i < 8; i++)
        assert_in_range(nic_records(b->nic)[i].departure, stored[i] + 350, stored[i] + 600);
    words_destroy(w);
}

/* The signal has promised 32 results; those of empty slots are taken, too. */
static void promised_results_are_taken(void **state)
{
    for (uint32_t split = 0; split <= 32; split += 32) {
        struct words *w = words_create(bench_create(37, 60, 300, 100, 11));
        struct bench *b = w->b;

        (void)state;
        b->config.when = NIC_SIGNAL_FIRST;
        b->config.layout.output_bytes = split;
        b->late = true;
        b->service_min = b->service_max = 30000; /* longer than the NIC waits for packets */
        start(w);
        finish(w);
        assert_int_equal(b->counts[1], 32);
        assert_int_equal(batch_of(b, 1)->count, 5);
        words_destroy(w);
    }
}

static void random_traffic_comes_through(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct words *w = words_create(bench_create(700, 60, 400, 0, seed));
        struct bench *b = w->b;
        uint64_t at = 0;

        for (uint32_t i = 0; i < 700; i++) {
            at += rng_below(&b->rng, 8) ? rng_below(&b->rng, 300) : rng_below(&b->rng, 30000);
            b->packets[i].timestamp_ns = at;
        }
        b->config.entries = 1 + (uint32_t)seed;
        b->config.layout.output_bytes = seed % 2 ? 32 : 0;
        b->config.when = seed % 3 ? NIC_SIGNAL_BEHIND : NIC_SIGNAL_FIRST;
        b->late = b->config.when == NIC_SIGNAL_FIRST;
        b->service_min = b->late ? 30000 : 500;
        b->service_max = b->service_min + 5000;
        b->refuse_percent = 20;
        b->every_cycle = seed == 1;
        start(w);
        finish(w);
        words_destroy(w);
    }
}

/* The queue is given up while reads wait: their answers mean nothing. */
static void a_failed_queue_takes_no_answers(void **state)
{
    struct words *w = words_create(bench_create(64, 100, 100, 0, 3));
    struct bench *b = w->b;

    (void)state;
    b->late = b->frozen = true;
    start(w);
    while (b->doorbells < 2)
        step(w);
    while (w->count == 0)
        step(w);
    assert_true(gpu_tell(b, FLAGS, EDGE_FAILED, 4));
    while (!nic_finished(b->nic))
        step(w);
    memset(w->full, true, sizeof w->full);
    while (!pcie_idle(b->link))
        step(w);
    assert_int_equal(nic_records(b->nic)[0].fate, NIC_FAILED);
    words_destroy(w);
}

/* Flags that no event can make are counted as such. */
static void wrong_flags_are_counted(void **state)
{
    struct words *w = words_create(bench_create(1, 100, 100, 0, 1));
    struct bench *b = w->b;
    struct nic_stats stats;

    (void)state;
    start(w);
    assert_true(gpu_tell(b, FLAGS, DONE, 4)); /* before any signal */
    while (b->cycle < 1000)
        step(w);
    finish(w);
    nic_get_stats(b->nic, &stats);
    assert_int_equal(stats.bad_completions, 1);
    words_destroy(w);
}

static void refuse(struct words *w, const char *why)
{
    struct error err = {.set = false};

    assert_null(nic_create(&w->b->config, &w->b->capture, &err));
    assert_non_null(strstr(err.text, why));
}

static void what_cannot_be_taken_is_refused(void **state)
{
    struct words *w = words_create(bench_create(1, 100, 100, 0, 1));
    struct bench *b = w->b;
    struct nic_layout *l = &b->config.layout;

    (void)state;
    start(w);
    l->slot_stride = 2046;
    refuse(w, "whole words");
    l->slot_stride = 2048;
    l->output_bytes = 30;
    refuse(w, "whole words");
    l->output_bytes = 0;
    b->entry[2].output = b->entry[2].input;
    refuse(w, "entry 2");
    b->config.signal.kind = NIC_SIGNAL_ROUND;
    refuse(w, "with a doorbell");
    words_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_completion_is_waited_for),
        cmocka_unit_test(packets_leave_one_by_one),
        cmocka_unit_test(promised_results_are_taken),
        cmocka_unit_test(random_traffic_comes_through),
        cmocka_unit_test(a_failed_queue_takes_no_answers),
        cmocka_unit_test(wrong_flags_are_counted),
        cmocka_unit_test(what_cannot_be_taken_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
