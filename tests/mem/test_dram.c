/* The DRAM channel against closed forms. Cycle counts are taken from the commands on the bus. */
#include "base/rng.h"
#include "tests/mem/dram_fixture.h"

#define SEEN 4096u

/* Feeds `n` requests made by `make`, keeps the queue full, and notes when each command of one kind
 * was issued. */
struct run {
    const struct dram_config *config;
    struct dram_request (*make)(const struct dram_config *c, uint32_t i);
    enum dram_command note;
    uint64_t at[SEEN];
    uint32_t seen;
    uint64_t cycles;
    struct dram_stats stats;
};

static void run_stream(struct run *run, uint32_t n)
{
    struct dram *d = dram_for(run->config);
    struct checker k;
    checker_init(&k, run->config);
    uint32_t pushed = 0;
    uint32_t done = 0;
    while (done < n) {
        while (pushed < n && dram_room(d, CLASS_GPU)) {
            struct dram_request r = run->make(run->config, pushed);
            r.tag = pushed++;
            assert_true(dram_push(d, &r));
        }
        uint32_t bank;
        enum dram_command command = dram_tick(d, &bank);
        if (command == run->note && run->seen < SEEN)
            run->at[run->seen++] = k.now;
        checker_step(&k, command, bank);
        struct dram_request r;
        while (dram_pop(d, &r))
            done++;
        assert_true(k.now < 10000000);
    }
    assert_true(dram_idle(d));
    run->cycles = k.now;
    run->stats = *dram_get_stats(d);
    dram_destroy(d);
}

static struct dram_request same_bank(const struct dram_config *c, uint32_t i)
{
    return (struct dram_request){(uint64_t)i * c->row_bytes * c->banks, c->column_bytes, 0, false,
                                 CLASS_GPU};
}

static struct dram_request same_bank_write(const struct dram_config *c, uint32_t i)
{
    struct dram_request r = same_bank(c, i);
    r.write = true;
    return r;
}

static struct dram_request next_bank(const struct dram_config *c, uint32_t i)
{
    return (struct dram_request){(uint64_t)i * c->row_bytes, c->column_bytes, 0, false, CLASS_GPU};
}

static struct dram_request next_bank_write(const struct dram_config *c, uint32_t i)
{
    struct dram_request r = next_bank(c, i);
    r.write = true;
    return r;
}

static struct dram_request sequential(const struct dram_config *c, uint32_t i)
{
    return (struct dram_request){(uint64_t)i * c->column_bytes, c->column_bytes, 0, false,
                                 CLASS_GPU};
}

static struct dram_request sequential_write(const struct dram_config *c, uint32_t i)
{
    struct dram_request r = sequential(c, i);
    r.write = true;
    return r;
}

static struct dram_request sequential_lines(const struct dram_config *c, uint32_t i)
{
    (void)c;
    return (struct dram_request){(uint64_t)i * 128, 128, 0, false, CLASS_GPU};
}

/* Every ACT exactly `period` cycles after the one before. */
static void check_period(const struct run *run, uint32_t period, uint32_t n)
{
    assert_int_equal(run->seen, n);
    for (uint32_t i = 1; i < n; i++)
        assert_int_equal(run->at[i] - run->at[i - 1], period);
}

static void test_single_read(void **state)
{
    (void)state;
    struct dram_config c = table1();
    struct run run = {.config = &c, .make = same_bank, .note = DRAM_RD};
    run_stream(&run, 1);
    assert_int_equal(run.at[0], c.rcd);
    assert_int_equal(run.cycles, c.rcd + c.cl + c.burst);
    assert_int_equal(run.stats.row_misses, 1);
}

static void test_new_row_reads_cost_trc(void **state)
{
    (void)state;
    struct dram_config c = table1();
    for (uint32_t rc = 40; rc <= 60; rc += 7) {
        c.rc = rc;
        struct run run = {.config = &c, .make = same_bank, .note = DRAM_ACT};
        run_stream(&run, 200);
        check_period(&run, rc, 200);
        assert_int_equal(run.stats.row_misses, 200);
        assert_int_equal(run.stats.row_hits, 0);
    }
    /* where reading takes longer than tRAS, RCD + RTP + RP decides */
    c = table1();
    c.rcd = 30;
    struct run run = {.config = &c, .make = same_bank, .note = DRAM_ACT};
    run_stream(&run, 50);
    check_period(&run, c.rcd + c.rtp + c.rp, 50);
}

static void test_new_row_writes(void **state)
{
    (void)state;
    struct dram_config c = table1();
    for (uint32_t wl = 1; wl < 8; wl += 3) {
        c.wl = wl;
        struct run run = {.config = &c, .make = same_bank_write, .note = DRAM_ACT};
        run_stream(&run, 200);
        uint32_t period = c.rcd + c.wl + c.burst + c.wr + c.rp;
        check_period(&run, period > c.rc ? period : c.rc, 200);
    }
}

/* A new row in the next bank each time. The steady period is the largest of: tRRD between ACTs; one
 * bank's row cycle over the number of banks; and the command bus, with three commands (ACT, RD,
 * PRE) per row. */
static void test_rows_round_robin(void **state)
{
    (void)state;
    struct dram_config c = table1();
    struct run run = {.config = &c, .make = next_bank, .note = DRAM_ACT};
    run_stream(&run, 1000);
    check_period(&run, c.rrd, 1000);

    for (uint32_t rrd = 5; rrd <= 12; rrd++) {
        c.rrd = rrd;
        struct run r = {.config = &c, .make = next_bank, .note = DRAM_ACT};
        run_stream(&r, 1000);
        check_period(&r, rrd, 1000);
    }
    /* the same with writes, whose row cycle over eight banks is shorter than tRRD */
    c = table1();
    assert_true(c.rcd + c.wl + c.burst + c.wr + c.rp < 8 * c.rrd);
    struct run writes = {.config = &c, .make = next_bank_write, .note = DRAM_ACT};
    run_stream(&writes, 1000);
    check_period(&writes, c.rrd, 1000);
    /* command bus: rows short enough and tRRD 1, so that every cycle has a command */
    c.rrd = 1;
    c.rcd = c.rp = c.rtp = 2;
    c.ras = 4;
    c.rc = 6;
    struct run bound = {.config = &c, .make = next_bank, .note = DRAM_ACT};
    run_stream(&bound, 1000);
    uint64_t span = bound.at[990] - bound.at[90];
    assert_int_equal(span, 3 * 900);
}

/* Single columns of random rows: with rule 4 every ACT comes as soon as tRRD allows it; without, an
 * ACT gives way to a column command now and then, and the pace is a few per cent lower. */
static struct dram_request random_row(const struct dram_config *c, uint32_t i)
{
    struct rng rng;
    rng_seed(&rng, i);
    uint64_t row = rng_below(&rng, 1u << 20);
    return (struct dram_request){row * c->row_bytes, c->column_bytes, 0, false, CLASS_GPU};
}

static void test_act_first(void **state)
{
    (void)state;
    const uint32_t n = 20000;
    double pace[2];
    for (uint32_t first = 0; first < 2; first++) {
        struct dram_config c = table1();
        c.act_first = first;
        c.queue = 64;
        c.banks = 16;
        c.column_bytes = 64;
        struct run run = {.config = &c, .make = random_row, .note = DRAM_ACT};
        run_stream(&run, n);
        pace[first] = (double)run.stats.activates * c.rrd / (double)run.cycles;
    }
    if (pace[1] < 0.985 || pace[0] > pace[1] - 0.02 || pace[0] < 0.9)
        fail_msg("%.3f of the tRRD bound with rule 4, %.3f without", pace[1], pace[0]);
}

static void check_peak(struct dram_request (*make)(const struct dram_config *, uint32_t),
                       const struct dram_config *c, uint32_t n)
{
    struct run run = {.config = c, .make = make, .note = DRAM_NOP};
    run_stream(&run, n);
    uint64_t busy = run.stats.bus_busy * 1000 / run.cycles;
    if (busy < 995)
        fail_msg("data bus busy for %u of 1000 cycles", (unsigned)busy);
}

static void test_sequential_reaches_peak(void **state)
{
    (void)state;
    struct dram_config c = table1();
    check_peak(sequential, &c, 100000);
    check_peak(sequential_write, &c, 100000);
    check_peak(sequential_lines, &c, 25000);
    set_cap(&c, 4);
    check_peak(sequential, &c, 100000);
    c.row_bytes = 1024;
    check_peak(sequential, &c, 100000);
    c.column_bytes = 64;
    check_peak(sequential, &c, 50000);
    check_peak(sequential_write, &c, 50000);
    c.row_bytes = 8192;
    c.ccd = c.burst = 4;
    check_peak(sequential, &c, 50000);
    c.queue = 16;
    check_peak(sequential, &c, 50000);
    check_peak(sequential_write, &c, 50000);
}

/* Three requests: a hit row, a miss, then `n` hits. With hit_cap = k exactly k of the younger hits
 * go before the miss; without, all of them. */
static uint32_t served_before_miss(uint32_t cap)
{
    struct dram_config c = table1();
    set_cap(&c, cap);
    struct dram *d = dram_for(&c);
    struct dram_request r = {0, c.column_bytes, 0, false, CLASS_GPU};
    dram_push(d, &r);
    r.tag = 1;
    r.address = (uint64_t)c.row_bytes * c.banks;
    dram_push(d, &r);
    uint32_t sent = 0;
    uint32_t before = 0;
    for (uint32_t cycle = 0; cycle < 5000; cycle++) {
        r = (struct dram_request){sent % 64 * c.column_bytes, c.column_bytes, 2 + sent, false,
                                  CLASS_GPU};
        if (sent < 1000 && dram_push(d, &r))
            sent++;
        uint32_t bank;
        dram_tick(d, &bank);
        while (dram_pop(d, &r)) {
            if (r.tag == 1) {
                dram_destroy(d);
                return before;
            }
            before += r.tag >= 2;
        }
    }
    fail_msg("the miss was never served");
    return 0;
}

static void test_cap(void **state)
{
    (void)state;
    for (uint32_t cap = 1; cap <= 20; cap++)
        assert_int_equal(served_before_miss(cap), cap);
    assert_int_equal(served_before_miss(0), 1000);
}

/* An endless stream of younger requests that would win by policy; with a cap the old one is served
 * in bounded time. */
static uint32_t old_request_waits(struct dram_request old, bool stream_writes, uint32_t ccd)
{
    struct dram_config c = table1();
    set_cap(&c, 4);
    c.ccd = c.burst = ccd;
    struct dram *d = dram_for(&c);
    uint32_t sent = 0;
    bool old_sent = false;
    for (uint32_t cycle = 0; cycle < 20000; cycle++) {
        struct dram_request r;
        while (dram_room(d, CLASS_GPU)) {
            r = (struct dram_request){sent % 60 * c.column_bytes, c.column_bytes, 1, stream_writes,
                                      CLASS_GPU};
            bool now = cycle >= 100 && !old_sent;
            assert_true(dram_push(d, now ? &old : &r));
            old_sent = old_sent || now;
            sent += !now;
        }
        uint32_t bank;
        dram_tick(d, &bank);
        while (dram_pop(d, &r)) {
            if (r.tag == 0) {
                dram_destroy(d);
                return cycle;
            }
        }
    }
    fail_msg("starved");
    return 0;
}

static void test_no_starvation(void **state)
{
    (void)state;
    struct dram_config c = table1();
    uint64_t other_row = (uint64_t)c.row_bytes * c.banks;
    struct dram_request same_bank_miss = {other_row, c.column_bytes, 0, false, CLASS_GPU};
    struct dram_request other_bank_miss = {c.row_bytes, c.column_bytes, 0, false, CLASS_GPU};
    struct dram_request read_hit = {1984, c.column_bytes, 0, false, CLASS_GPU};
    assert_true(old_request_waits(same_bank_miss, false, 2) < 1000);
    assert_true(old_request_waits(other_bank_miss, false, 1) < 2000);
    assert_true(old_request_waits(read_hit, true, 2) < 2000);
    assert_true(old_request_waits(same_bank_miss, true, 2) < 1000);
}

static void test_refresh(void **state)
{
    (void)state;
    struct dram_config c = table1();
    c.refi = 1000;
    c.rfc = 100;
    struct dram *d = dram_for(&c);
    uint32_t bank;
    for (uint64_t cycle = 0; cycle < 100000; cycle++) {
        enum dram_command command = dram_tick(d, &bank);
        assert_int_equal(command, cycle && cycle % c.refi == 0 ? DRAM_REF : DRAM_NOP);
    }
    dram_destroy(d);
    /* under load every interval has exactly one */
    struct run run = {.config = &c, .make = sequential, .note = DRAM_REF};
    run_stream(&run, 100000);
    assert_int_equal(run.seen, run.cycles / c.refi);
    uint64_t most = c.refi + c.ras + c.wl + c.burst + c.wr + c.rp + c.banks;
    for (uint32_t i = 0; i < run.seen; i++)
        assert_in_range(run.at[i], (i + 1) * c.refi, i * c.refi + most);
}

/* A write, then a read of the same column, with the channel just turned to reads: the read is legal
 * first, and must wait all the same. Then the other way round. */
static void test_same_address_order(void **state)
{
    (void)state;
    struct dram_config c = table1();
    for (int first_writes = 0; first_writes < 2; first_writes++) {
        struct dram *d = dram_for(&c);
        struct dram_request warm = {0, 512, 9, !first_writes ? true : false, CLASS_GPU};
        struct dram_request a = {1024, 64, 0, first_writes == 1, CLASS_GPU};
        struct dram_request b = {1056, 32, 1, first_writes == 0, CLASS_GPU};
        dram_push(d, &warm);
        dram_push(d, &a);
        dram_push(d, &b);
        uint32_t next = 0;
        for (int i = 0; i < 500; i++) {
            uint32_t bank;
            dram_tick(d, &bank);
            struct dram_request r;
            while (dram_pop(d, &r))
                if (r.tag != 9)
                    assert_int_equal(r.tag, next++);
        }
        assert_int_equal(next, 2);
        dram_destroy(d);
    }
    /* without the overlap the younger one does go first: the test above can fail */
    struct dram *d = dram_for(&c);
    struct dram_request warm = {0, 512, 9, false, CLASS_GPU};
    struct dram_request a = {1024, 64, 0, true, CLASS_GPU};
    struct dram_request b = {1088, 32, 1, false, CLASS_GPU};
    dram_push(d, &warm);
    dram_push(d, &a);
    dram_push(d, &b);
    struct dram_request r = {.tag = 9};
    while (r.tag == 9) {
        uint32_t bank;
        dram_tick(d, &bank);
        dram_pop(d, &r);
    }
    assert_int_equal(r.tag, 1);
    dram_destroy(d);
}

/* One constraint at a time: all others are 0 or 1, this one is LONG. `requests` make the channel
 * issue `first`; from then on, `second` to `bank` must become legal exactly `after` cycles later.
 */
#define LONG 50u

struct constraint {
    const char *name;
    size_t field;
    struct dram_request requests[2];
    enum dram_command first, second;
    uint32_t bank, after;
};

#define FIELD(f) #f, offsetof(struct dram_config, f)

static const struct constraint constraints[] = {
    {FIELD(rcd), {{0, 32, 0, false, CLASS_GPU}}, DRAM_ACT, DRAM_RD, 0, LONG},
    {FIELD(rcd), {{0, 32, 0, true, CLASS_GPU}}, DRAM_ACT, DRAM_WR, 0, LONG},
    {FIELD(ras), {{0, 32, 0, false, CLASS_GPU}}, DRAM_ACT, DRAM_PRE, 0, LONG},
    {FIELD(rc),
     {{0, 32, 0, false, CLASS_GPU}, {16384, 32, 0, false, CLASS_GPU}},
     DRAM_ACT,
     DRAM_ACT,
     0,
     LONG},
    {FIELD(rp),
     {{0, 32, 0, false, CLASS_GPU}, {16384, 32, 0, false, CLASS_GPU}},
     DRAM_PRE,
     DRAM_ACT,
     0,
     LONG},
    {FIELD(rrd), {{0, 32, 0, false, CLASS_GPU}}, DRAM_ACT, DRAM_ACT, 1, LONG},
    {FIELD(ccd), {{0, 32, 0, false, CLASS_GPU}}, DRAM_RD, DRAM_RD, 0, LONG},
    {FIELD(ccd), {{0, 32, 0, true, CLASS_GPU}}, DRAM_WR, DRAM_WR, 0, LONG},
    {FIELD(cdlr), {{0, 32, 0, true, CLASS_GPU}}, DRAM_WR, DRAM_RD, 0, 1 + 1 + LONG},
    {FIELD(wl), {{0, 32, 0, true, CLASS_GPU}}, DRAM_WR, DRAM_RD, 0, LONG + 1},
    {FIELD(wl), {{0, 32, 0, true, CLASS_GPU}}, DRAM_WR, DRAM_PRE, 0, LONG + 1},
    {FIELD(wr), {{0, 32, 0, true, CLASS_GPU}}, DRAM_WR, DRAM_PRE, 0, 1 + 1 + LONG},
    {FIELD(rtw), {{0, 32, 0, false, CLASS_GPU}}, DRAM_RD, DRAM_WR, 0, LONG},
    {FIELD(rtp), {{0, 32, 0, false, CLASS_GPU}}, DRAM_RD, DRAM_PRE, 0, LONG},
    {FIELD(burst), {{0, 32, 0, false, CLASS_GPU}}, DRAM_RD, DRAM_RD, 0, LONG},
    {FIELD(burst), {{0, 32, 0, true, CLASS_GPU}}, DRAM_WR, DRAM_PRE, 0, 1 + LONG},
    {FIELD(cl), {{0, 32, 0, false, CLASS_GPU}}, DRAM_RD, DRAM_WR, 0, LONG}, /* data bus: 50 + 1 - WL
                                                                             */
    {FIELD(rfc), {{0, 0, 0, false, CLASS_GPU}}, DRAM_REF, DRAM_ACT, 3, LONG},
    {FIELD(rfc), {{0, 0, 0, false, CLASS_GPU}}, DRAM_REF, DRAM_REF, 0, LONG},
};

static void check_constraint(const struct constraint *t)
{
    struct dram_config c = table1();
    c.cl = c.wl = c.burst = 1;
    c.rp = c.rc = c.ras = c.ccd = c.rcd = c.rrd = c.cdlr = c.wr = c.rtw = c.rtp = c.rfc = 0;
    c.refi = 200;
    memcpy((char *)&c + t->field, &(uint32_t){LONG}, sizeof(uint32_t));
    struct dram *d = dram_for(&c);
    for (int i = 0; i < 2 && t->requests[i].bytes; i++)
        assert_true(dram_push(d, &t->requests[i]));
    uint64_t cycle = 0;
    uint32_t bank;
    while (dram_tick(d, &bank) != t->first)
        assert_true(++cycle < 1000);
    for (uint32_t after = 1; after < t->after; after++) {
        if (dram_legal(d, t->second, t->bank))
            fail_msg("%s: legal after %u cycles", t->name, after);
        dram_tick(d, &bank);
    }
    if (!dram_legal(d, t->second, t->bank))
        fail_msg("%s: not legal after %u cycles", t->name, t->after);
    dram_destroy(d);
}

static void test_each_constraint(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof constraints / sizeof constraints[0]; i++)
        check_constraint(&constraints[i]);
}

static void test_queue_bound(void **state)
{
    (void)state;
    struct dram_config c = table1();
    struct dram *d = dram_for(&c);
    struct dram_request r = {0, 32, 0, false, CLASS_GPU};
    for (uint32_t i = 0; i < c.queue; i++) {
        assert_false(!dram_room(d, CLASS_GPU));
        r.tag = i;
        r.address = i * (uint64_t)c.row_bytes * 3;
        assert_true(dram_push(d, &r));
    }
    assert_true(!dram_room(d, CLASS_GPU));
    assert_false(dram_push(d, &r));
    uint64_t seen = 0;
    uint32_t bank;
    while (!dram_idle(d)) {
        dram_tick(d, &bank);
        while (dram_pop(d, &r))
            seen ^= 1ull << r.tag;
    }
    assert_int_equal(seen, (1ull << c.queue) - 1);
    dram_destroy(d);
}

static void test_bad_config(void **state)
{
    (void)state;
    const struct {
        size_t field;
        uint32_t value;
        const char *name;
    } bad[] = {
        {offsetof(struct dram_config, banks), 0, "banks"},
        {offsetof(struct dram_config, banks), 12, "banks"},
        {offsetof(struct dram_config, banks), 128, "banks"},
        {offsetof(struct dram_config, row_bytes), 1000, "row_bytes"},
        {offsetof(struct dram_config, column_bytes), 0, "column_bytes"},
        {offsetof(struct dram_config, column_bytes), 4096, "column_bytes"},
        {offsetof(struct dram_config, burst), 0, "burst"},
        {offsetof(struct dram_config, queue), 0, "queue"},
        {offsetof(struct dram_config, rc), 1u << 31, "tRC"},
        {offsetof(struct dram_config, refi), 50, "tREFI"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct dram_config c = table1();
        memcpy((char *)&c + bad[i].field, &bad[i].value, sizeof bad[i].value);
        struct error err = {0};
        assert_null(dram_create(&c, &err));
        assert_non_null(strstr(err.text, bad[i].name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_read),
        cmocka_unit_test(test_new_row_reads_cost_trc),
        cmocka_unit_test(test_new_row_writes),
        cmocka_unit_test(test_act_first),
        cmocka_unit_test(test_rows_round_robin),
        cmocka_unit_test(test_sequential_reaches_peak),
        cmocka_unit_test(test_cap),
        cmocka_unit_test(test_no_starvation),
        cmocka_unit_test(test_refresh),
        cmocka_unit_test(test_same_address_order),
        cmocka_unit_test(test_each_constraint),
        cmocka_unit_test(test_queue_bound),
        cmocka_unit_test(test_bad_config),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
