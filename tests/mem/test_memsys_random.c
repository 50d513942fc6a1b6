/* Random traffic through the whole memory system: nothing lost or duplicated, atomics in order, L2
 * against a plain reference, skipping against ticking, the same result twice. */
#include <stdio.h>

#include "tests/mem/memsys_fixture.h"

#define MAX_REQUESTS 200000u
#define PORTS        64u

/* --- nothing lost ----------------------------------------------------------------------------- */

struct bench {
    struct mem_request sent[MAX_REQUESTS];
    uint8_t replied[MAX_REQUESTS], performed[MAX_REQUESTS];
    uint32_t count, replies;
    uint64_t digest;                /* of replies and their cycles */
    uint32_t order_line[PORTS][16]; /* last atomic performed, by port and line of the hot set */
};

static enum perform_result check_perform(void *user, const struct mem_request *request,
                                         uint32_t *words)
{
    struct bench *b = user;
    uint32_t tag = request->tag;
    assert_in_range(tag, 0, b->count - 1);
    assert_memory_equal(request, &b->sent[tag], sizeof *request);
    assert_true(request->kind == REQUEST_ATOMIC || request->kind == REQUEST_POLL);
    assert_int_equal(b->performed[tag]++, 0);
    assert_int_equal(b->replied[tag], 0);
    /* a port's atomics and polls of one line are performed in the order they were sent */
    uint32_t *last = &b->order_line[request->source][request->line / LINE_BYTES % 16];
    if (request->line / LINE_BYTES < 16) {
        assert_true(tag >= *last);
        *last = tag;
    }
    *words = 0;
    return PERFORM_DONE;
}

struct load {
    uint32_t lines;    /* distinct lines */
    uint32_t pressure; /* of 16: chance that a port sends in a cycle */
    uint32_t drain;    /* of 16: chance that a port takes a reply in a cycle */
    uint32_t requests;
};

static struct mem_request random_request(struct rng *rng, const struct load *load, uint32_t port,
                                         uint32_t tag)
{
    struct mem_request r;
    memset(&r, 0, sizeof r);
    r.line = (uint64_t)rng_below(rng, load->lines) * LINE_BYTES;
    r.tag = tag;
    r.source = (uint16_t)port;
    r.kind = (uint8_t)rng_below(rng, 4);
    r.sectors = (uint8_t)(1 + rng_below(rng, 15));
    if (r.kind == REQUEST_WRITE) {
        r.partial = rng_chance(rng, 1, 4);
        for (uint32_t s = 0; s < 4; s++)
            if (r.sectors >> s & 1)
                r.words |= (1u + rng_below(rng, 255)) << 8 * s;
    }
    return r;
}

static void take_replies(struct bench *b, struct memsys *m, struct rng *rng,
                         const struct load *load, uint64_t cycle)
{
    for (uint64_t ready = memsys_reply_ports(m, 0); ready; ready &= ready - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(ready);
        if (rng_below(rng, 16) >= load->drain)
            continue;
        struct mem_request r;
        assert_true(memsys_reply(m, port, &r));
        assert_in_range(r.tag, 0, b->count - 1);
        assert_memory_equal(&r, &b->sent[r.tag], sizeof r);
        assert_int_equal(r.source, port);
        assert_int_equal(b->replied[r.tag]++, 0);
        if (r.kind == REQUEST_ATOMIC || r.kind == REQUEST_POLL)
            assert_int_equal(b->performed[r.tag], 1);
        b->replies++;
        b->digest = (b->digest ^ r.tag ^ cycle << 20) * 0x9e3779b97f4a7c15u;
    }
}

/* `skipping`: lets time pass by random skips and by whatever memsys_quiet_cycles allows. */
static void run_load(struct bench *b, const struct memsys_config *config, const struct load *load,
                     uint64_t seed, bool skipping)
{
    memset(b, 0, sizeof *b);
    struct memsys_config c = *config;
    c.perform = check_perform;
    c.user = b;
    struct memsys *m = memsys_for(&c);
    struct rng rng;
    rng_seed(&rng, seed);
    uint64_t cycle = 0;
    for (;; cycle++) {
        bool more = b->count < load->requests;
        for (uint32_t p = 0; more && p < c.ports; p++) {
            struct mem_request r = random_request(&rng, load, p, b->count);
            if (rng_below(&rng, 16) >= load->pressure || !memsys_can_request(m, p))
                continue;
            b->sent[b->count++] = r;
            assert_true(memsys_request(m, &r));
        }
        take_replies(b, m, &rng, load, cycle);
        uint64_t quiet = memsys_quiet_cycles(m);
        if (skipping) {
            memsys_skip(m, 1);
        } else {
            uint64_t before = memsys_reply_ports(m, 0);
            memsys_tick(m);
            if (quiet > 1) /* promised: nothing appears */
                assert_int_equal(memsys_reply_ports(m, 0), before);
        }
        if (!more && memsys_idle(m))
            break;
        assert_true(cycle < 20000000);
    }
    assert_true(b->count >= load->requests);
    assert_int_equal(b->replies, b->count);
    struct memsys_stats s = stats_of(m);
    assert_int_equal(s.requests[0] + s.requests[1] + s.requests[2] + s.requests[3], b->count);
    assert_int_equal(s.l2.hits + s.l2.misses, b->count);
    b->digest ^= cycle ^ s.dram.activates << 32 ^ s.dram.cycles;
    memsys_destroy(m);
}

static struct memsys_config tight(void)
{
    struct memsys_config c = base_config();
    c.port_queue = 1;
    c.l2_bytes = 1024;
    c.l2_ways = 2;
    c.l2_mshrs = 2;
    c.l2_mshr_merges = 1;
    c.dram.queue = 1;
    c.l2_latency = 1;
    c.request_latency = 1;
    c.reply_latency = 1;
    return c;
}

static const struct load loads[] = {
    {16, 16, 16, 3000}, {40, 12, 6, 3000}, {2000, 16, 16, 3000},
    {64, 2, 16, 2000},  {4, 16, 3, 2000},
};

static struct memsys_config variant(uint32_t v)
{
    struct memsys_config c = v & 1 ? tight() : base_config();
    if (v & 2) {
        c.partitions = 3;
        c.ports = 7;
        c.interleave_bytes = 128;
    }
    if (v & 4) {
        c.net_khz = 1400000;
        c.dram_khz = 924000;
        c.l2_khz = 600000;
        c.dram.refi = 1000;
        c.dram.rfc = 50;
    }
    if (v & 8)
        c.dram.column_bytes = 64;
    return c;
}

static void test_nothing_lost(void **state)
{
    (void)state;
    uint64_t seed = 99;
    print_message("seed %llu\n", (unsigned long long)seed);
    struct bench *b = malloc(sizeof *b);
    assert_non_null(b);
    for (uint32_t v = 0; v < 16; v++) {
        struct memsys_config c = variant(v);
        for (uint32_t l = 0; l < sizeof loads / sizeof loads[0]; l++)
            run_load(b, &c, &loads[l], seed + 16 * v + l, false);
    }
    struct memsys_config c = gtx480_like();
    c.ports = 64;
    c.partitions = 16;
    struct load load = {3000, 8, 14, 100000};
    run_load(b, &c, &load, 5, false);
    free(b);
}

static void test_same_twice_and_by_skipping(void **state)
{
    (void)state;
    struct bench *b = malloc(sizeof *b);
    assert_non_null(b);
    for (uint32_t v = 0; v < 16; v++) {
        struct memsys_config c = variant(v);
        run_load(b, &c, &loads[v % 5], v, false);
        uint64_t digest = b->digest;
        run_load(b, &c, &loads[v % 5], v, false);
        assert_true(b->digest == digest);
        run_load(b, &c, &loads[v % 5], v, true);
        assert_true(b->digest == digest);
        run_load(b, &c, &loads[v % 5], v + 1, false);
        assert_true(b->digest != digest);
    }
    free(b);
}

/* Two systems, the same requests; one ticks, the other skips as far as it may or in random steps.
 */
static void test_skip_is_tick(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 16; v++) {
        struct memsys_config c = variant(v);
        struct memsys *a = memsys_for(&c);
        struct memsys *b = memsys_for(&c);
        struct rng rng;
        rng_seed(&rng, v);
        uint64_t skipped = 0;
        for (uint32_t i = 0; i < 3000; i++) {
            struct mem_request r = random_request(&rng, &loads[2], rng_below(&rng, c.ports), i);
            if (rng_chance(&rng, 1, 8))
                assert_int_equal(memsys_request(a, &r), memsys_request(b, &r));
            uint64_t n = memsys_quiet_cycles(b);
            assert_int_equal(n, memsys_quiet_cycles(a));
            assert_true(n >= 1);
            skipped += n - 1 < 1000 ? n - 1 : 0;
            if (n > 1000 || rng_chance(&rng, 1, 2))
                n = 1 + rng_below(&rng, 100);
            for (uint64_t t = 0; t < n; t++)
                memsys_tick(a);
            memsys_skip(b, n);
            assert_int_equal(memsys_idle(a), memsys_idle(b));
            assert_true(memsys_reply_ports(a, 0) == memsys_reply_ports(b, 0));
            for (uint32_t p = 0; p < c.ports; p++) {
                struct mem_request x, y;
                if (memsys_reply(a, p, &x)) {
                    assert_true(memsys_reply(b, p, &y));
                    assert_memory_equal(&x, &y, sizeof x);
                }
            }
            struct memsys_stats s = stats_of(a);
            struct memsys_stats t = stats_of(b);
            assert_memory_equal(&s, &t, sizeof s);
        }
        assert_true(skipped > 100);
        memsys_destroy(a);
        memsys_destroy(b);
    }
}

/* Two systems, the same requests to partition 0 from ports 0 to 2; in one of them port 3 keeps
 * partition 1 busy as well, so that it can never sleep. Ports 0 to 2 must not see a difference. */
static void check_sleep(const struct memsys_config *c, uint64_t seed)
{
    struct memsys *a = memsys_for(c);
    struct memsys *b = memsys_for(c);
    struct rng rng;
    rng_seed(&rng, seed);
    uint32_t rest = rng_below(&rng, 200);
    for (uint32_t i = 0; i < 4000; i++) {
        struct mem_request r = random_request(&rng, &loads[1], rng_below(&rng, 3), i);
        r.line *= 2; /* even blocks */
        if (rng_below(&rng, 200) >= rest)
            assert_int_equal(memsys_request(a, &r), memsys_request(b, &r));
        struct mem_request other = random_request(&rng, &loads[1], 3, i);
        other.line = other.line * 2 + c->interleave_bytes;
        memsys_request(b, &other);
        memsys_tick(a);
        memsys_tick(b);
        struct mem_request x, y;
        memsys_reply(b, 3, &y);
        for (uint32_t p = 0; p < 3; p++) {
            bool got = memsys_reply(a, p, &x);
            assert_int_equal(got, memsys_reply(b, p, &y));
            if (got)
                assert_memory_equal(&x, &y, sizeof x);
        }
    }
    memsys_destroy(a);
    memsys_destroy(b);
}

static void test_sleep_changes_nothing(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 1);
    for (uint32_t i = 0; i < 100; i++) {
        struct memsys_config c = variant(i % 16 & ~2u);
        c.interleave_bytes = 128;
        c.net_khz = 300000 + rng_below(&rng, 1000000);
        c.l2_khz = 300000 + rng_below(&rng, 1000000);
        c.dram_khz = 300000 + rng_below(&rng, 1000000);
        check_sleep(&c, i);
    }
}

/* --- L2 against a reference ------------------------------------------------------------------- */

/* Lists in order of use, words as bits; one line of a set after the other. */
struct ref_line {
    uint64_t line;
    uint32_t valid, dirty;
};

struct ref_cache {
    uint32_t sets, ways;
    struct ref_line line[16][32]; /* [set][age], most recently used first */
    uint32_t count[16];
    uint64_t hits, misses, writebacks, reads, writes;
};

static uint32_t whole(uint32_t words)
{
    uint32_t w = 0;
    for (uint32_t s = 0; s < 4; s++)
        if (words & 0xffu << 8 * s)
            w |= 0xffu << 8 * s;
    return w;
}

static void ref_access(struct ref_cache *f, uint64_t local, const struct mem_request *r)
{
    uint32_t set = (uint32_t)(local / LINE_BYTES % f->sets);
    struct ref_line *l = f->line[set];
    uint32_t i = 0;
    while (i < f->count[set] && l[i].line != local)
        i++;
    bool present = i < f->count[set];
    struct ref_line x = {local, 0, 0};
    if (present) {
        x = l[i];
    } else if (i == f->ways) {
        i--;
        f->writebacks += l[i].dirty != 0;
        f->writes += (uint32_t)__builtin_popcount(whole(l[i].dirty)) / 8;
    } else {
        f->count[set]++;
    }
    uint32_t sectors = 0;
    for (uint32_t s = 0; s < 4; s++)
        if (r->sectors >> s & 1)
            sectors |= 0xffu << 8 * s;
    uint32_t touched = r->words ? r->words : sectors;
    uint32_t need = r->kind != REQUEST_WRITE ? sectors : r->partial ? touched : 0;
    uint32_t fetch = whole(need & ~x.valid);
    if (present && !fetch)
        f->hits++;
    else
        f->misses++;
    f->reads += (uint32_t)__builtin_popcount(fetch) / 8;
    x.valid |= fetch;
    if (r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC) {
        x.valid |= touched;
        x.dirty |= touched;
    }
    memmove(&l[1], &l[0], i * sizeof *l);
    l[0] = x;
}

static void test_l2_reference(void **state)
{
    (void)state;
    for (uint32_t v = 0; v < 4; v++) {
        struct memsys_config c = base_config();
        c.partitions = 1 + v; /* a third channel makes the interleave a real modulo */
        c.l2_ways = 1u << v;
        c.l2_bytes = 6 * LINE_BYTES * c.l2_ways; /* sets: not a power of two */
        c.interleave_bytes = 128u << v;
        static struct ref_cache f[4];
        memset(f, 0, sizeof f);
        for (uint32_t p = 0; p < 4; p++) {
            f[p].sets = 6;
            f[p].ways = c.l2_ways;
        }
        struct memsys *m = memsys_for(&c);
        struct rng rng;
        rng_seed(&rng, 3 + v);
        struct load load = {.lines = 10 * c.l2_ways * c.partitions};
        for (uint32_t i = 0; i < 3000; i++) {
            struct mem_request r = random_request(&rng, &load, rng_below(&rng, c.ports), i);
            latency(m, &r);
            uint64_t block = r.line / c.interleave_bytes;
            ref_access(&f[block % c.partitions],
                       block / c.partitions * c.interleave_bytes + r.line % c.interleave_bytes, &r);
            struct memsys_stats s = stats_of(m);
            uint64_t sum[5] = {0};
            for (uint32_t p = 0; p < 4; p++) {
                sum[0] += f[p].hits;
                sum[1] += f[p].misses;
                sum[2] += f[p].writebacks;
                sum[3] += f[p].reads;
                sum[4] += f[p].writes;
            }
            assert_int_equal(s.l2.hits, sum[0]);
            assert_int_equal(s.l2.misses, sum[1]);
            assert_int_equal(s.l2.writebacks, sum[2]);
            assert_int_equal(s.dram.reads, sum[3]);
            assert_int_equal(s.dram.writes, sum[4]);
        }
        memsys_destroy(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_lost), cmocka_unit_test(test_same_twice_and_by_skipping),
        cmocka_unit_test(test_skip_is_tick), cmocka_unit_test(test_sleep_changes_nothing),
        cmocka_unit_test(test_l2_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
