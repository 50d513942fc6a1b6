/* Every choice of the memory system, drawn at random: queues stay within their sizes, nothing is
 * lost or answered twice, a port's atomics on a line keep their order, a standing memory system
 * refuses. Pairs of configurations that must agree run in lockstep. */
#include <stdio.h>

#include "sim/mem/cache/policy.h"
#include "sim/mem/net/crossbar.h"
#include "tests/mem/memsys_fixture.h"

#define MAX_REQUESTS 4000u
#define MAX_PORTS    12u
#define ORDER_LINES  16u

/* --- machines at random ----------------------------------------------------------------------- */

static uint32_t between(struct rng *rng, uint32_t low, uint32_t high)
{
    return low + rng_below(rng, high - low + 1);
}

struct choices {
    struct memsys_config config;
    struct endpoint requesters[MAX_PORTS];
};

static void choose_requesters(struct choices *c, struct rng *rng)
{
    uint16_t count[ENDPOINT_KINDS] = {0};
    c->config.ports = between(rng, 2, MAX_PORTS);
    for (uint32_t p = 0; p < c->config.ports; p++) {
        struct endpoint *e = &c->requesters[p];
        e->kind = (uint8_t)(p ? rng_below(rng, ENDPOINT_KINDS) : ENDPOINT_CORE);
        e->class = (uint8_t)(e->kind == ENDPOINT_CORE  ? CLASS_GPU
                             : e->kind == ENDPOINT_CPU ? CLASS_CPU
                                                       : between(rng, CLASS_HOST, CLASS_DEVICE));
        e->index = count[e->kind]++;
    }
    c->config.requesters = c->requesters;
}

static void choose_cache(struct memsys_config *m, struct rng *rng)
{
    m->l2_ways = 1u << rng_below(rng, 3);
    m->l2_index = rng_below(rng, 3);
    m->l2_replacement = policy_number(cache_policy_name, rng_below(rng, 2) ? "srrip" : "lru");
    uint32_t sets = m->l2_index == INDEX_FERMI ? 32 : between(rng, 1, 8);
    m->l2_bytes = sets * m->l2_ways * LINE_BYTES * m->banks;
    m->l2_mshrs = between(rng, 1, 12);
    m->l2_mshr_merges = between(rng, 1, 4);
    m->l2_allocate = rng_below(rng, 2);
    m->l2_fetch = rng_below(rng, 2);
    m->l2_write_miss = rng_below(rng, 3);
    m->class_queues = rng_below(rng, 2);
    m->reserved_mshrs = m->class_queues ? rng_below(rng, m->l2_mshrs) : 0;
}

static void choose(struct choices *c, struct rng *rng)
{
    struct memsys_config *m = &c->config;
    *m = base_config();
    choose_requesters(c, rng);
    m->partitions = between(rng, 1, 4);
    m->banks = between(rng, 1, 4);
    m->interleave_bytes = 128u << rng_below(rng, 3);
    m->map_hashed = rng_below(rng, 2);
    m->net_khz = between(rng, 300000, 1500000);
    m->l2_khz = between(rng, 300000, 1500000);
    m->dram_khz = between(rng, 300000, 1500000);
    m->request_latency = between(rng, 1, 30);
    m->reply_latency = between(rng, 1, 30);
    m->flit_bytes = between(rng, 8, 140);
    m->port_queue = between(rng, 1, 6);
    m->input_order = rng_chance(rng, 1, 4) ? CROSSBAR_FIFO : CROSSBAR_VOQ;
    m->output_queue = between(rng, 1, 6);
    m->l2_latency = between(rng, 1, 30);
    m->l2_queue = between(rng, 1, 6);
    m->l2_miss_queue = between(rng, 4, 12);
    m->l2_reply_queue = between(rng, 1, 6);
    m->memory_latency = rng_below(rng, 40);
    m->dram.queue = between(rng, 1, 20);
    m->dram.priority = rng_below(rng, 16);
    m->dram.reserved = rng_below(rng, m->dram.queue);
    m->dram.column_bytes = 32u << rng_below(rng, 3);
    set_cap(&m->dram, rng_below(rng, 17));
    if (rng_chance(rng, 1, 4))
        m->dram.scheduler = policy_number(dram_scheduler_name, "fcfs");
    choose_cache(m, rng);
}

/* --- traffic ---------------------------------------------------------------------------------- */

struct load {
    uint32_t lines;      /* distinct lines */
    uint32_t send, take; /* of 16: chance that a port sends, takes a reply, in a cycle */
    uint32_t requests;
};

static struct mem_request draw(struct rng *rng, const struct load *t, uint32_t port, uint32_t tag)
{
    struct mem_request r;
    memset(&r, 0, sizeof r);
    r.line = (uint64_t)rng_below(rng, t->lines) * LINE_BYTES;
    r.tag = tag;
    r.source = (uint16_t)port;
    r.kind = (uint8_t)rng_below(rng, REQUEST_KINDS);
    r.sectors = (uint8_t)between(rng, 1, 15);
    if (r.kind == REQUEST_ATOMIC)
        r.collisions = (uint8_t)rng_below(rng, 33);
    if (r.kind == REQUEST_WRITE) {
        r.partial = rng_chance(rng, 1, 4);
        for (uint32_t s = 0; s < LINE_SECTORS; s++)
            if (r.sectors >> s & 1)
                r.words |= between(rng, 1, 255) << 8 * s;
    }
    return r;
}

struct run {
    const struct memsys_config *config;
    struct mem_request sent[MAX_REQUESTS];
    uint8_t replied[MAX_REQUESTS], performed[MAX_REQUESTS];
    uint32_t count, replies;
    uint64_t refused;                      /* questions that a port answered with no */
    uint32_t last[MAX_PORTS][ORDER_LINES]; /* tag of the last atomic or poll performed, plus one */
};

static enum perform_result on_perform(void *user, const struct mem_request *request,
                                      uint32_t *words)
{
    struct run *run = user;
    assert_in_range(request->tag, 0, run->count - 1);
    assert_true(request->kind == REQUEST_ATOMIC || request->kind == REQUEST_POLL);
    assert_int_equal(run->performed[request->tag]++, 0);
    assert_int_equal(run->replied[request->tag], 0);
    if (request->line < ORDER_LINES * LINE_BYTES) {
        uint32_t *last = &run->last[request->source][request->line / LINE_BYTES];
        assert_true(request->tag + 1 > *last);
        *last = request->tag + 1;
    }
    *words = 0;
    return PERFORM_DONE;
}

static void take_reply(struct run *run, struct memsys *m, uint32_t port)
{
    struct mem_request r;
    if (!memsys_reply(m, port, &r))
        return;
    assert_in_range(r.tag, 0, run->count - 1);
    const struct mem_request *sent = &run->sent[r.tag];
    assert_int_equal(r.source, port);
    assert_int_equal(sent->source, port);
    assert_int_equal(r.line, sent->line);
    assert_int_equal(r.kind, sent->kind);
    assert_int_equal(r.sectors, sent->sectors);
    assert_int_equal(r.failed, 0);
    assert_int_equal(run->replied[r.tag]++, 0);
    bool performs = r.kind == REQUEST_ATOMIC || r.kind == REQUEST_POLL;
    assert_int_equal(run->performed[r.tag], performs);
    run->replies++;
}

static void check_queue(const char *name, const struct queue_stats *q, uint64_t size)
{
    if (q->most > size)
        fail_msg("%s: %llu entries of %llu", name, (unsigned long long)q->most,
                 (unsigned long long)size);
}

/* Places on the way: nothing holds more requests than these. */
static uint64_t places(const struct memsys_config *c)
{
    uint64_t lanes = c->class_queues ? 2 : 1, banks = (uint64_t)c->partitions * c->banks;
    uint64_t to_bank = c->request_latency + c->output_queue + c->l2_queue + c->l2_latency;
    uint64_t in_bank =
        (uint64_t)c->l2_mshrs * c->l2_mshr_merges + c->l2_reply_queue + c->port_queue;
    uint64_t to_port = c->reply_latency + c->output_queue;
    return c->ports * (c->port_queue + to_port) + banks * (lanes * to_bank + in_bank + 1);
}

static void check_bounds(const struct run *run, const struct memsys *m)
{
    const struct memsys_config *c = run->config;
    struct memsys_stats s = stats_of(m);
    check_queue("request network, inputs", &s.request_net.inputs, c->port_queue);
    check_queue("request network, outputs", &s.request_net.outputs, c->output_queue);
    check_queue("reply network, inputs", &s.reply_net.inputs, c->port_queue);
    check_queue("reply network, outputs", &s.reply_net.outputs, c->output_queue);
    check_queue("ingress", &s.l2.ingress, c->l2_queue);
    check_queue("MSHRs", &s.l2.mshrs, c->l2_mshrs);
    check_queue("accesses", &s.l2.accesses, c->l2_miss_queue);
    check_queue("replies", &s.l2.replies, c->l2_reply_queue);
    check_queue("DRAM", &s.dram_queue, c->dram.queue);
    assert_true(run->count - run->replies <= places(c));
    assert_int_equal(s.request_net.inputs.entered, run->count);
}

/* All has come to rest: what went in at one place went in at the next, and a request that is held
 * keeps its line standing. */
static void check_counts(const struct run *run, const struct memsys *m)
{
    struct memsys_stats s = stats_of(m);
    const struct queue_stats *all[] = {&s.request_net.inputs, &s.request_net.outputs,
                                       &s.l2.ingress,         &s.l2.replies,
                                       &s.reply_net.inputs,   &s.reply_net.outputs};
    for (uint32_t i = 0; i < sizeof all / sizeof *all; i++)
        assert_int_equal(all[i]->entered, run->count);
    assert_int_equal(s.l2.hits + s.l2.misses, run->count);
    assert_int_equal(s.reply_net.messages, run->count);
    assert_int_equal(s.dram_queue.entered, s.l2.accesses.entered);
    uint64_t held = 0;
    for (uint32_t h = 0; h < BANK_HOLDS; h++)
        held += h == HOLD_REPLY ? 0 : s.l2.held[h];
    /* With a latency of 1 a request may be held in the tick in which it entered its line, too. */
    assert_true(held <= s.l2.stood + (run->config->l2_latency == 1 ? run->count : 0));
    assert_int_equal(s.refused, run->refused);
}

static void run_traffic(struct run *run, const struct choices *choices, const struct load *t,
                        uint64_t seed)
{
    memset(run, 0, sizeof *run);
    struct memsys_config c = choices->config;
    c.perform = on_perform;
    c.user = run;
    run->config = &choices->config;
    struct memsys *m = memsys_for(&c);
    struct rng rng;
    rng_seed(&rng, seed);
    for (uint64_t cycle = 0;; cycle++) {
        bool more = run->count < t->requests;
        for (uint32_t p = 0; more && p < c.ports && run->count < t->requests; p++) {
            if (rng_below(&rng, 16) >= t->send)
                continue;
            if (!memsys_can_request(m, p)) {
                run->refused++;
                continue;
            }
            struct mem_request r = draw(&rng, t, p, run->count);
            run->sent[run->count++] = r;
            assert_true(memsys_request(m, &r));
        }
        for (uint32_t p = 0; p < c.ports; p++)
            if (rng_below(&rng, 16) < t->take)
                take_reply(run, m, p);
        memsys_tick(m);
        if (cycle % 64 == 0)
            check_bounds(run, m);
        if (!more && memsys_idle(m))
            break;
        assert_true(cycle < 5000000);
    }
    check_bounds(run, m);
    assert_int_equal(run->replies, run->count);
    check_counts(run, m);
    memsys_destroy(m);
}

static const struct load traffics[] = {
    {16, 16, 16, 1500}, {200, 16, 16, 1500}, {3000, 12, 16, 1500},
    {40, 16, 3, 1500},  {400, 2, 16, 700},
};

static void test_bounded_and_complete(void **state)
{
    (void)state;
    struct run *run = malloc(sizeof *run);
    assert_non_null(run);
    struct rng rng;
    rng_seed(&rng, 2026);
    for (uint32_t i = 0; i < 160; i++) {
        struct choices c;
        choose(&c, &rng);
        run_traffic(run, &c, &traffics[i % 5], i);
    }
    free(run);
}

/* --- back-pressure ---------------------------------------------------------------------------- */

/* Nobody takes replies: the way fills up, the ports are refused, and stay so; then all comes out.
 */
static void fill_up(struct run *run, const struct choices *choices, uint64_t seed)
{
    memset(run, 0, sizeof *run);
    struct memsys_config c = choices->config;
    c.perform = on_perform;
    c.user = run;
    run->config = &choices->config;
    struct memsys *m = memsys_for(&c);
    struct rng rng;
    rng_seed(&rng, seed);
    struct load t = {.lines = seed % 2 ? 8 : 500};
    uint32_t before = 0;
    for (uint32_t quiet = 0; quiet < 20000; quiet = run->count == before ? quiet + 1 : 0) {
        before = run->count;
        for (uint32_t p = 0; p < c.ports; p++) {
            if (!memsys_can_request(m, p))
                continue;
            assert_true(run->count < MAX_REQUESTS);
            struct mem_request r = draw(&rng, &t, p, run->count);
            run->sent[run->count++] = r;
            assert_true(memsys_request(m, &r));
        }
        memsys_tick(m);
    }
    check_bounds(run, m);
    for (uint32_t p = 0; p < c.ports; p++)
        assert_false(memsys_can_request(m, p));
    /* At least the ports' own queues and one reply each hold something. */
    assert_true(run->count >= c.ports * c.port_queue);
    for (uint32_t cycle = 0; !memsys_idle(m); cycle++) {
        for (uint32_t p = 0; p < c.ports; p++)
            take_reply(run, m, p);
        memsys_tick(m);
        assert_true(cycle < 1000000);
    }
    assert_int_equal(run->replies, run->count);
    memsys_destroy(m);
}

static void test_standing(void **state)
{
    (void)state;
    struct run *run = malloc(sizeof *run);
    assert_non_null(run);
    struct rng rng;
    rng_seed(&rng, 7);
    for (uint32_t i = 0; i < 24; i++) {
        struct choices c;
        choose(&c, &rng);
        fill_up(run, &c, i);
    }
    free(run);
}

/* --- pairs that agree ------------------------------------------------------------------------- */

/* `change` makes the second of a pair; `tame` keeps requests to those for which they agree. */
struct pair {
    const char *name;
    void (*prepare)(struct memsys_config *c); /* of both; may be NULL */
    void (*change)(struct memsys_config *c);
    void (*tame)(struct mem_request *r); /* may be NULL */
};

static void one_bank(struct memsys_config *c)
{
    c->l2_bytes = c->l2_bytes / c->banks;
    c->banks = c->partitions = 1;
}

static void other_map(struct memsys_config *c)
{
    c->map_hashed = !c->map_hashed;
}

static void one_set(struct memsys_config *c)
{
    c->l2_index = INDEX_PLAIN;
    c->l2_bytes = c->banks * c->l2_ways * LINE_BYTES;
}

static void hashed_index(struct memsys_config *c)
{
    c->l2_index = INDEX_HASHED;
}

static void whole_lines(struct mem_request *r)
{
    r->sectors = ALL_SECTORS;
    r->words = 0;
    r->partial = 0;
}

static void other_fetch(struct memsys_config *c)
{
    c->l2_fetch = c->l2_fetch == FETCH_LINE ? FETCH_SECTOR : FETCH_LINE;
}

static void write_lazy(struct memsys_config *c)
{
    c->l2_write_miss = WRITE_MISS_LAZY;
}

static void write_fetch(struct memsys_config *c)
{
    c->l2_write_miss = WRITE_MISS_FETCH;
}

static void no_writes(struct mem_request *r)
{
    if (r->kind == REQUEST_WRITE) {
        r->kind = REQUEST_READ;
        r->words = r->partial = 0;
    }
}

static void write_around(struct memsys_config *c)
{
    c->l2_write_miss = WRITE_MISS_AROUND;
}

static void one_class(struct memsys_config *c)
{
    c->requesters = NULL;
    c->class_queues = c->reserved_mshrs = c->dram.reserved = 0;
}

static void all_classes_first(struct memsys_config *c)
{
    c->dram.priority ^= 15;
}

static void wide_queues(struct memsys_config *c)
{
    c->port_queue = c->output_queue = 300;
    c->l2_queue = c->l2_miss_queue = c->l2_reply_queue = 300;
    c->l2_mshrs = 300;
    c->dram.queue = 300;
}

static void wider_queues(struct memsys_config *c)
{
    c->port_queue = c->output_queue = 333;
    c->l2_queue = c->l2_miss_queue = c->l2_reply_queue = 345;
    c->l2_mshrs = 321;
    c->dram.queue = 399;
}

static const struct pair pairs[] = {
    {"one bank: any map", one_bank, other_map, NULL},
    {"one set: any index", one_set, hashed_index, NULL},
    {"whole lines: any fetch", NULL, other_fetch, whole_lines},
    {"whole lines: write misses lazy or fetched", write_lazy, write_fetch, whole_lines},
    {"no writes: any write miss", write_lazy, write_around, no_writes},
    {"one class: any priority", one_class, all_classes_first, NULL},
    {"queues that never fill", wide_queues, wider_queues, NULL},
};

static void run_pair(const struct pair *pair, const struct choices *choices, const struct load *t,
                     uint64_t seed)
{
    struct memsys_config first = choices->config;
    if (pair->prepare)
        pair->prepare(&first);
    struct memsys_config second = first;
    pair->change(&second);
    struct memsys *a = memsys_for(&first), *b = memsys_for(&second);
    struct rng rng;
    rng_seed(&rng, seed);
    uint32_t sent = 0, replies = 0;
    for (uint32_t cycle = 0; sent < t->requests || !memsys_idle(a); cycle++) {
        for (uint32_t p = 0; p < first.ports && sent < t->requests; p++) {
            struct mem_request r = draw(&rng, t, p, sent);
            if (pair->tame)
                pair->tame(&r);
            if (rng_below(&rng, 16) >= t->send || sent - replies >= 128)
                continue;
            bool took = memsys_request(a, &r);
            assert_int_equal(memsys_request(b, &r), took);
            sent += took;
        }
        for (uint32_t p = 0; p < first.ports; p++) {
            struct mem_request x, y;
            bool got = rng_below(&rng, 16) < t->take && memsys_reply(a, p, &x);
            if (!got)
                continue;
            if (!memsys_reply(b, p, &y))
                fail_msg("%s: cycle %u, port %u: one has a reply", pair->name, cycle, p);
            assert_memory_equal(&x, &y, sizeof x);
            replies++;
        }
        assert_true(memsys_reply_ports(a, 0) == memsys_reply_ports(b, 0));
        assert_int_equal(memsys_idle(a), memsys_idle(b));
        memsys_tick(a);
        memsys_tick(b);
        assert_true(cycle < 1000000);
    }
    assert_int_equal(replies, t->requests);
    struct memsys_stats s = stats_of(a), u = stats_of(b);
    assert_int_equal(s.l2.hits, u.l2.hits);
    assert_int_equal(s.l2.writebacks, u.l2.writebacks);
    assert_memory_equal(&s.dram, &u.dram, sizeof s.dram);
    memsys_destroy(a);
    memsys_destroy(b);
}

static void test_pairs(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 11);
    for (uint32_t i = 0; i < 10; i++) {
        for (uint32_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
            struct choices c;
            choose(&c, &rng);
            run_pair(&pairs[p], &c, &traffics[(i + p) % 4], i);
        }
    }
}

/* --- one at a time ---------------------------------------------------------------------------- */

struct counts {
    uint64_t hits, misses, writebacks, reads, writes;
};

static struct counts count_alone(const struct memsys_config *c, uint64_t seed)
{
    struct memsys *m = memsys_for(c);
    struct rng rng;
    rng_seed(&rng, seed);
    struct load t = {.lines = 60};
    for (uint32_t i = 0; i < 600; i++) {
        uint32_t port = rng_below(&rng, 2);
        struct mem_request r = draw(&rng, &t, port, i);
        r.class = c->requesters[port].class;
        latency(m, &r);
    }
    struct memsys_stats s = stats_of(m);
    memsys_destroy(m);
    return (struct counts){s.l2.hits, s.l2.misses, s.l2.writebacks, s.dram.reads, s.dram.writes};
}

/* With one request under way at a time, when a line takes its way, how the time goes and how long
 * queues are changes no count. */
static void test_counts_agree(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 3);
    for (uint32_t i = 0; i < 12; i++) {
        struct choices c, d;
        choose(&c, &rng);
        choose(&d, &rng);
        d.config.ports = c.config.ports;
        d.config.requesters = c.config.requesters;
        d.config.partitions = c.config.partitions;
        d.config.banks = c.config.banks;
        d.config.interleave_bytes = c.config.interleave_bytes;
        d.config.map_hashed = c.config.map_hashed;
        d.config.l2_bytes = c.config.l2_bytes;
        d.config.l2_ways = c.config.l2_ways;
        d.config.l2_index = c.config.l2_index;
        d.config.l2_replacement = c.config.l2_replacement;
        d.config.l2_fetch = c.config.l2_fetch;
        d.config.l2_write_miss = c.config.l2_write_miss;
        d.config.dram.column_bytes = c.config.dram.column_bytes;
        d.config.l2_allocate = !c.config.l2_allocate;
        struct counts a = count_alone(&c.config, i), b = count_alone(&d.config, i);
        assert_int_equal(a.hits, b.hits);
        assert_int_equal(a.misses, b.misses);
        assert_int_equal(a.writebacks, b.writebacks);
        assert_int_equal(a.reads, b.reads);
        assert_int_equal(a.writes, b.writes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounded_and_complete),
        cmocka_unit_test(test_standing),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_counts_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
