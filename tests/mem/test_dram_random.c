/* Long random streams under every scheduler: every command against one written again from the text
 * of dram_schedule.c, fr_fcfs_cap.c and fcfs.c, without any incremental state, on top of the trace
 * checker; every constraint asked of dram_legal in every cycle; every request completed once, in
 * data order. */
#include <stdio.h>

#include "base/rng.h"
#include "tests/mem/dram_fixture.h"

#define MAX_QUEUE 64u

struct entry {
    struct dram_request r;
    uint64_t age;
    uint32_t issued; /* column commands */
};

/* The queue as the policy text sees it, oldest first. */
struct reference {
    struct checker k;
    struct entry queue[MAX_QUEUE];
    uint32_t count;
    uint64_t next_age, refreshes;
    uint64_t row[64];
    uint32_t passed[64], passed_oldest;
};

static uint64_t row_number(const struct reference *f, const struct entry *e)
{
    return e->r.address / f->k.c.row_bytes;
}

static uint32_t bank_of(const struct reference *f, const struct entry *e)
{
    return (uint32_t)(row_number(f, e) % f->k.c.banks);
}

static bool hits(const struct reference *f, const struct entry *e)
{
    uint32_t b = bank_of(f, e);
    return f->k.open[b] && f->row[b] == row_number(f, e) / f->k.c.banks;
}

static bool older_miss(const struct reference *f, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (bank_of(f, &f->queue[j]) == bank_of(f, &f->queue[i]) &&
            row_number(f, &f->queue[j]) != row_number(f, &f->queue[i]))
            return true;
    return false;
}

static bool ordered_behind(const struct reference *f, uint32_t i)
{
    const struct dram_request *b = &f->queue[i].r;
    for (uint32_t j = 0; j < i; j++) {
        const struct dram_request *a = &f->queue[j].r;
        if ((a->write || b->write) && a->address < b->address + b->bytes &&
            b->address < a->address + a->bytes)
            return true;
    }
    return false;
}

static bool in_order(const struct reference *f)
{
    return f->k.c.scheduler == policy_number(dram_scheduler_name, "fcfs");
}

static bool first_of_bank(const struct reference *f, uint32_t i)
{
    uint32_t j = 0;
    while (bank_of(f, &f->queue[j]) != bank_of(f, &f->queue[i]))
        j++;
    return j == i;
}

static bool urgent(const struct reference *f)
{
    return f->k.c.hit_cap && !in_order(f) && f->passed_oldest >= 4 * f->k.c.hit_cap * f->k.c.banks;
}

/* May entry i use the open row of its bank at some time before that is closed? */
static bool may_use(const struct reference *f, uint32_t i)
{
    const struct entry *e = &f->queue[i];
    if (!hits(f, e))
        return false;
    if (e->issued)
        return true;
    if (in_order(f))
        return first_of_bank(f, i);
    uint32_t cap = f->k.c.hit_cap;
    if (cap && older_miss(f, i) && f->passed[bank_of(f, e)] >= cap)
        return false;
    return !urgent(f) || bank_of(f, &f->queue[0]) != bank_of(f, e) ||
           row_number(f, &f->queue[0]) == row_number(f, e);
}

static bool row_wanted(const struct reference *f, uint32_t b)
{
    for (uint32_t i = 0; i < f->count; i++)
        if (bank_of(f, &f->queue[i]) == b && may_use(f, i))
            return true;
    return false;
}

static enum dram_command column_command(const struct entry *e)
{
    return e->r.write ? DRAM_WR : DRAM_RD;
}

static uint32_t oldest_column(const struct reference *f)
{
    for (uint32_t i = 0; i < f->count; i++) {
        const struct entry *e = &f->queue[i];
        if (may_use(f, i) && !ordered_behind(f, i) &&
            (!(urgent(f) || in_order(f)) || e->issued || i == 0) &&
            checker_legal(&f->k, column_command(e), bank_of(f, e)))
            return i;
    }
    return f->count;
}

static uint32_t oldest_row(const struct reference *f, enum dram_command *command)
{
    uint64_t seen = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t b = bank_of(f, &f->queue[i]);
        if (seen >> b & 1)
            continue;
        seen |= 1ull << b;
        *command = f->k.open[b] ? DRAM_PRE : DRAM_ACT;
        if (f->k.open[b] && row_wanted(f, b))
            continue;
        if (checker_legal(&f->k, *command, b))
            return i;
    }
    return f->count;
}

/* Rule 4: this is the first cycle that tRRD allows the ACT, and the column command was already
 * possible for the channel one cycle ago. */
static bool act_first(const struct reference *f, uint32_t act, uint32_t column)
{
    const struct checker *k = &f->k;
    uint64_t last = 0;
    uint32_t last_bank = 0;
    if (!k->c.act_first)
        return false;
    for (uint32_t b = 0; b < k->c.banks; b++) {
        if (k->act[b] > last) {
            last = k->act[b];
            last_bank = b;
        }
    }
    if (!last || last_bank == bank_of(f, &f->queue[act]) || k->now != last - 1 + k->c.rrd)
        return false;
    struct checker before = *k;
    before.now--;
    uint32_t b = bank_of(f, &f->queue[column]);
    before.act[b] = 0;
    before.open[b] = true;
    return checker_legal(&before, column_command(&f->queue[column]), b);
}

static void note_column(struct reference *f, uint32_t i)
{
    struct entry *e = &f->queue[i];
    if (!e->issued++) {
        f->passed[bank_of(f, e)] += older_miss(f, i);
        f->passed_oldest += i != 0;
    }
    if (e->issued < e->r.bytes / f->k.c.column_bytes)
        return;
    if (i == 0)
        f->passed_oldest = 0;
    f->count--;
    memmove(e, e + 1, (f->count - i) * sizeof *e);
}

static enum dram_command reference_refresh(struct reference *f, uint32_t *bank)
{
    bool open = false;
    for (uint32_t b = 0; b < f->k.c.banks; b++) {
        open = open || f->k.open[b];
        if (checker_legal(&f->k, DRAM_PRE, b)) {
            f->passed[b] = 0;
            *bank = b;
            return DRAM_PRE;
        }
    }
    if (open || !checker_legal(&f->k, DRAM_REF, 0))
        return DRAM_NOP;
    f->refreshes++;
    return DRAM_REF;
}

/* The command of this cycle by the policy text. */
static enum dram_command reference_tick(struct reference *f, uint32_t *bank)
{
    *bank = 0;
    if (f->k.c.refi && f->k.now >= (f->refreshes + 1) * f->k.c.refi)
        return reference_refresh(f, bank);
    enum dram_command row_command;
    uint32_t column = oldest_column(f);
    uint32_t row = oldest_row(f, &row_command);
    if (row < f->count &&
        (column == f->count || (row_command == DRAM_ACT && act_first(f, row, column)))) {
        *bank = bank_of(f, &f->queue[row]);
        if (row_command == DRAM_ACT)
            f->row[*bank] = row_number(f, &f->queue[row]) / f->k.c.banks;
        else
            f->passed[*bank] = 0;
        return row_command;
    }
    if (column == f->count)
        return DRAM_NOP;
    *bank = bank_of(f, &f->queue[column]);
    enum dram_command command = column_command(&f->queue[column]);
    note_column(f, column);
    return command;
}

struct traffic {
    uint32_t rows;       /* rows touched per bank */
    uint32_t write_part; /* of 8 */
    uint32_t pressure;   /* pushes per 16 cycles */
    uint32_t max_columns;
    uint32_t columns; /* distinct places within a row; few: many overlaps */
};

static struct dram_request random_request(struct rng *rng, const struct dram_config *c,
                                          const struct traffic *t, uint32_t tag)
{
    uint32_t columns = 1 + rng_below(rng, t->max_columns);
    uint64_t row = rng_below(rng, t->rows * c->banks);
    uint32_t places = c->row_bytes / c->column_bytes;
    places = t->columns < places ? t->columns : places;
    columns = columns < places ? columns : places;
    uint64_t first = rng_below(rng, places - columns + 1);
    return (struct dram_request){row * c->row_bytes + first * c->column_bytes,
                                 columns * c->column_bytes, tag, rng_below(rng, 8) < t->write_part,
                                 CLASS_GPU};
}

static void check_legal(const struct dram *d, const struct checker *k)
{
    for (uint32_t b = 0; b < k->c.banks; b++)
        for (int command = DRAM_ACT; command <= DRAM_REF; command++)
            if (dram_legal(d, (enum dram_command)command, b) !=
                checker_legal(k, (enum dram_command)command, b))
                fail_msg("command %d bank %u cycle %llu: dram_legal disagrees", command, b,
                         (unsigned long long)k->now);
}

/* `pending[tag]`: data end expected, 0 when not pushed or done. Completions must be in the order of
 * the data on the bus and at the cycle after it. */
static void run_random(const struct dram_config *c, const struct traffic *t, uint64_t seed,
                       uint64_t cycles)
{
    static struct reference f;
    struct rng rng;
    rng_seed(&rng, seed);
    memset(&f, 0, sizeof f);
    checker_init(&f.k, c);
    struct dram *d = dram_for(c);
    uint32_t pushed = 0;
    uint32_t done = 0;
    uint64_t columns = 0;
    for (uint64_t cycle = 0; cycle < cycles || !dram_idle(d); cycle++) {
        if (cycle < cycles && f.count < c->queue && rng_below(&rng, 16) < t->pressure) {
            struct dram_request r = random_request(&rng, c, t, pushed++);
            assert_true(dram_push(d, &r));
            f.queue[f.count++] = (struct entry){r, f.next_age++, 0};
            columns += r.bytes / c->column_bytes;
        }
        assert_int_equal(!dram_room(d, CLASS_GPU), f.count == c->queue);
        if (cycle % 16 == 0 || cycle < 5000)
            check_legal(d, &f.k);
        uint32_t want_bank, bank;
        enum dram_command want = reference_tick(&f, &want_bank);
        enum dram_command got = dram_tick(d, &bank);
        if (got != want || bank != want_bank)
            fail_msg("seed %llu cycle %llu: command %d bank %u, policy says %d bank %u",
                     (unsigned long long)seed, (unsigned long long)cycle, (int)got, bank, (int)want,
                     want_bank);
        checker_step(&f.k, got, bank);
        struct dram_request r;
        while (dram_pop(d, &r))
            done++;
        assert_true(cycle < cycles + 1000000);
    }
    assert_int_equal(done, pushed);
    const struct dram_stats *s = dram_get_stats(d);
    assert_int_equal(s->reads + s->writes, columns);
    assert_int_equal(s->row_hits + s->row_misses, pushed);
    assert_int_equal(s->bus_busy, columns * c->burst);
    dram_destroy(d);
}

static const struct traffic traffics[] = {
    {1, 2, 16, 4, 64}, {2, 4, 16, 4, 64}, {8, 1, 8, 1, 64},
    {3, 4, 12, 4, 6},  {2, 7, 3, 2, 3},   {64, 3, 16, 2, 64},
};

static struct dram_config variant(uint32_t v)
{
    struct dram_config c = table1();
    set_cap(&c, v % 4);
    if (v & 32)
        c.scheduler = policy_number(dram_scheduler_name, "fcfs");
    if (v & 4) {
        c.refi = 700;
        c.rfc = 60;
    }
    if (v & 8) {
        c.banks = 4;
        c.ccd = 1;
        c.burst = 1;
        c.rrd = 3;
    }
    if (v & 16) {
        c.burst = 4; /* the data bus, not tCCD, decides */
        c.rtw = 2;
        c.wl = 9;
        c.queue = 8;
    }
    return c;
}

static void test_random(void **state)
{
    (void)state;
    uint64_t seed = 20240601;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint32_t v = 0; v < 64; v += v < 32 ? 1 : 4) {
        struct dram_config c = variant(v);
        for (uint32_t t = 0; t < sizeof traffics / sizeof traffics[0]; t++)
            run_random(&c, &traffics[t], seed + v * 16 + t, 5000);
    }
}

/* Timings at random, so that every constraint is at some time the one that decides. */
static void test_random_timings(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 7);
    for (int i = 0; i < 100; i++) {
        struct dram_config c = table1();
        uint32_t *const field[] = {&c.cl,   &c.rp, &c.rc, &c.ras, &c.ccd, &c.rcd,  &c.rrd,
                                   &c.cdlr, &c.wr, &c.wl, &c.rtw, &c.rtp, &c.burst};
        for (size_t j = 0; j < sizeof field / sizeof field[0]; j++)
            *field[j] = rng_below(&rng, 30);
        c.burst = 1 + rng_below(&rng, 8);
        set_cap(&c, rng_below(&rng, 6));
        if (i % 5 == 4)
            c.scheduler = policy_number(dram_scheduler_name, "fcfs");
        c.queue = 1 + rng_below(&rng, MAX_QUEUE);
        c.banks = 1u << rng_below(&rng, 5);
        c.refi = rng_chance(&rng, 1, 2) ? 600 + rng_below(&rng, 500) : 0;
        c.rfc = rng_below(&rng, 200);
        c.act_first = i & 1;
        run_random(&c, &traffics[rng_below(&rng, 6)], 100 + (uint64_t)i, 3000);
    }
}

/* Idle stretches and stretches under load skipped in random steps: the same statistics and the same
 * completions at the same time. */
static void test_skip_is_tick(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 40; v += v < 8 ? 1 : 4) {
        struct dram_config c = variant(v);
        struct dram *a = dram_for(&c);
        struct dram *b = dram_for(&c);
        struct rng rng;
        rng_seed(&rng, v);
        uint32_t bank;
        for (uint32_t i = 0; i < 2000; i++) {
            struct dram_request r = random_request(&rng, &c, &traffics[1], i);
            assert_int_equal(dram_push(a, &r), dram_push(b, &r));
            uint64_t quiet = dram_quiet(b);
            uint64_t n = rng_chance(&rng, 1, 20) ? rng_below(&rng, 3000) : rng_below(&rng, 40);
            uint64_t events = 0;
            for (uint64_t t = 0; t < n; t++) {
                events += dram_tick(a, &bank) != DRAM_NOP;
                if (t < quiet)
                    assert_int_equal(events, 0);
            }
            dram_skip(b, n);
            struct dram_request x, y;
            bool more = true;
            while (more) {
                more = dram_pop(a, &x);
                assert_int_equal(more, dram_pop(b, &y));
                if (more)
                    assert_int_equal(x.tag, y.tag);
            }
            assert_memory_equal(dram_get_stats(a), dram_get_stats(b), sizeof(struct dram_stats));
        }
        dram_destroy(a);
        dram_destroy(b);
    }
}

/* Results left alone: the channel stalls, nothing is lost. */
static void test_results_left(void **state)
{
    (void)state;
    struct dram_config c = table1();
    struct dram *d = dram_for(&c);
    uint32_t pushed = 0;
    uint32_t bank;
    for (uint32_t i = 0; i < 20000; i++) {
        struct dram_request r = {(uint64_t)pushed % 4096 * 32, 32, pushed, false, CLASS_GPU};
        pushed += dram_push(d, &r);
        dram_tick(d, &bank);
    }
    assert_true(pushed < 200);
    uint32_t done = 0;
    while (!dram_idle(d)) {
        struct dram_request r;
        while (dram_pop(d, &r))
            assert_int_equal(r.tag, done++);
        dram_tick(d, &bank);
    }
    assert_int_equal(done, pushed);
    dram_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_random_timings),
        cmocka_unit_test(test_skip_is_tick),
        cmocka_unit_test(test_results_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
