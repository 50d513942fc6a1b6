/* The memory system on a mesh: latency of every pair, parts of the network, controllers of a class,
 * no deadlock, statistics by class, what the stall monitors see. */
#include "sim/mem/net/flits.h"
#include "sim/mem/partition.h"
#include "tests/mem/memsys_fixture.h"

#define PORTS  12u /* 6 SIMT cores, host, 5 CPU cores */
#define HOST   6u
#define ROUTER 2u
#define LINK   1u
#define STAGE  (ROUTER + LINK) /* ticks a hop */

static const char rows[] = "GMCC/mGCM/MCGC";

static struct endpoint requester[PORTS];

static int make_requesters(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < PORTS; i++) {
        requester[i] = (struct endpoint){ENDPOINT_CORE, CLASS_GPU, (uint16_t)i};
        if (i == HOST)
            requester[i] = (struct endpoint){ENDPOINT_HOST, CLASS_HOST, 0};
        if (i > HOST)
            requester[i] = (struct endpoint){ENDPOINT_CPU, CLASS_CPU, (uint16_t)(i - HOST - 1)};
    }
    return 0;
}

static struct memsys_config mesh_config(void)
{
    struct memsys_config c = base_config();
    c.network = NETWORK_MESH;
    c.requesters = requester;
    c.ports = PORTS;
    c.partitions = 4;
    c.flit_bytes = 32;
    c.vcs = c.vc_buffer = 4;
    c.router_delay = ROUTER;
    c.link_delay = c.credit_delay = LINK;
    c.placement = (struct placement){.cores_per_node = 2};
    if (!placement_add(&c.placement, rows, NULL))
        fail();
    return c;
}

static uint32_t distance(const struct placement *p, uint32_t a, uint32_t b)
{
    uint32_t x = a % p->width, y = a / p->width, u = b % p->width, v = b / p->width;
    return (x > u ? x - u : u - x) + (y > v ? y - v : v - y);
}

/* Channel width of a class, and the partition of a block for it. */
static uint32_t width_of(const struct memsys_config *c, uint8_t class)
{
    uint32_t quarters = !c->parts ? 4 : class == CLASS_CPU ? 4 - c->parts : c->parts;
    return c->flit_bytes * quarters / 4;
}

static uint32_t partition_of(const struct memsys_config *c, uint8_t class, uint32_t block)
{
    if (!c->gpu_partitions)
        return block % c->partitions;
    return class == CLASS_CPU ? c->gpu_partitions + block % (c->partitions - c->gpu_partitions)
                              : block % c->gpu_partitions;
}

/* A line that is there takes the way, the bank's latency and the way back, of its class's network
 * and to its class's partition. */
static void every_pair(const struct memsys_config *c)
{
    for (uint32_t port = 0; port < PORTS; port++) {
        for (uint32_t block = 0; block < 4; block++) {
            struct memsys *m = memsys_for(c);
            uint8_t class = requester[port].class;
            struct mem_request r = {.line = block * c->interleave_bytes,
                                    .source = (uint16_t)port,
                                    .class = class,
                                    .sectors = ALL_SECTORS};
            uint32_t from =
                placement_node(&c->placement, requester[port].kind, requester[port].index);
            uint32_t to =
                placement_node(&c->placement, ENDPOINT_PARTITION, partition_of(c, class, block));
            uint32_t hops = distance(&c->placement, from, to) + 1, width = width_of(c, class);
            latency(m, &r);
            uint32_t way = hops * STAGE + request_flits(&r, width),
                     back = hops * STAGE + reply_flits(&r, width);
            assert_int_equal(latency(m, &r), way + c->l2_latency + back);
            memsys_destroy(m);
        }
    }
}

static void test_latency(void **state)
{
    (void)state;
    for (uint32_t parts = 0; parts < 4; parts++) {
        for (uint32_t mine = 0; mine < 4; mine++) {
            struct memsys_config c = mesh_config();
            c.parts = parts;
            c.gpu_partitions = mine;
            every_pair(&c);
        }
    }
}

struct load {
    uint32_t sent[PORTS], answered[PORTS], most;
    uint64_t cycles;
};

static struct mem_request draw(struct rng *rng, uint32_t port, uint32_t tag)
{
    static const uint8_t kinds[] = {REQUEST_READ, REQUEST_READ, REQUEST_WRITE, REQUEST_ATOMIC};
    uint8_t kind = kinds[rng_below(rng, requester[port].class == CLASS_CPU ? 3 : 4)];
    return (struct mem_request){.line = (uint64_t)rng_below(rng, 4096) * LINE_BYTES,
                                .tag = tag,
                                .source = (uint16_t)port,
                                .kind = kind,
                                .sectors = (uint8_t)(1 + rng_below(rng, 15))};
}

/* Every port asks as often as it may: all requests are answered, once. Replies are taken one time
 * in `lazy`. */
static struct load run_load(struct memsys *m, uint64_t seed, uint32_t each, uint32_t lazy)
{
    struct load l = {.most = each};
    struct rng rng;
    static uint8_t seen[PORTS][4096];
    memset(seen, 0, sizeof seen);
    rng_seed(&rng, seed);
    uint32_t left = PORTS * each;
    while (left) {
        for (uint32_t p = 0; p < PORTS; p++) {
            struct mem_request r;
            if (l.sent[p] < each && memsys_can_request(m, p)) {
                r = draw(&rng, p, l.sent[p]++);
                assert_true(memsys_request(m, &r));
            }
            if (rng_below(&rng, lazy) || !memsys_reply(m, p, &r))
                continue;
            assert_true(r.source == p && r.tag < each && !seen[p][r.tag]++);
            l.answered[p]++;
            left--;
        }
        memsys_tick(m);
        assert_true(++l.cycles < 2000000); /* a deadlock */
    }
    while (!memsys_idle(m))
        memsys_tick(m);
    return l;
}

static void check_classes(const struct memsys *m, const struct load *l)
{
    struct memsys_stats s = stats_of(m);
    uint64_t sent[REQUEST_CLASSES] = {0}, hits = 0, read = 0, flits = 0;
    for (uint32_t p = 0; p < PORTS; p++)
        sent[requester[p].class] += l->sent[p];
    for (uint32_t i = 0; i < REQUEST_CLASSES; i++) {
        const struct bank_class *b = &s.l2.of[i];
        assert_int_equal(b->requests, sent[i]);
        assert_int_equal(b->hits + b->misses, sent[i]);
        assert_int_equal(s.request_net.of[i].messages, sent[i]);
        assert_int_equal(s.reply_net.of[i].messages, sent[i]);
        assert_true(!sent[i] || b->cycles / sent[i] >= 5);
        assert_true(b->cycles <= sent[i] * l->cycles);
        assert_true(s.reply_net.of[i].ticks <= sent[i] * l->cycles);
        hits += b->hits;
        read += b->dram_read;
        flits += s.request_net.of[i].flits;
    }
    assert_int_equal(hits, s.l2.hits);
    assert_int_equal(read, s.dram.reads * 32);
    assert_int_equal(flits, s.request_net.flits);
}

static void test_load(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        struct memsys_config c = mesh_config();
        c.parts = i % 4;
        c.gpu_partitions = i / 4 % 4;
        c.class_queues = i / 2 & 1;
        c.reserved_mshrs = c.class_queues ? 4 : 0;
        c.l2_reply_queue = c.l2_queue = 1 + i % 3;
        c.dram.queue = 4 + i;
        c.dram.column_bytes = 32;
        struct memsys *m = memsys_for(&c);
        struct load l = run_load(m, i, 600, 1 + i % 5);
        check_classes(m, &l);
        memsys_destroy(m);
    }
}

/* The same load again gives the same, cycle by cycle. */
static void test_again(void **state)
{
    (void)state;
    struct memsys_config c = mesh_config();
    c.parts = PARTS_3G1C;
    uint64_t cycles[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct memsys *m = memsys_for(&c);
        cycles[i] = run_load(m, 5, 300, 2).cycles;
        memsys_destroy(m);
    }
    assert_int_equal(cycles[0], cycles[1]);
}

/* Requests of one kind of requester to partition 0, nobody takes a reply for `cycles`; in how many
 * of them the monitor of partition 0 saw each stall. */
struct seen {
    uint32_t memory, network, others;
};

static struct seen press(struct memsys *m, const struct memsys_config *c, bool misses, bool take,
                         uint32_t cycles)
{
    struct seen seen = {0};
    uint64_t block = 0;
    for (uint32_t t = 0; t < cycles; t++) {
        for (uint32_t p = 0; p < HOST; p++) {
            struct mem_request r = {.sectors = ALL_SECTORS, .source = (uint16_t)p};
            r.line = misses ? block * c->partitions * c->interleave_bytes : 0;
            block += memsys_can_request(m, p) && memsys_request(m, &r);
            if (take)
                memsys_reply(m, p, &r);
        }
        memsys_tick(m);
        for (uint32_t i = 0; i < c->partitions; i++) {
            struct partition_stalls s = memsys_stalls(m, i);
            seen.memory += !i && s.memory;
            seen.network += !i && s.network;
            seen.others += i && (s.memory || s.network);
        }
    }
    return seen;
}

/* stall_MC: misses faster than DRAM serves them, in the partition that they go to. stall_net:
 * replies that nobody takes, and only then; hits whose replies are taken stall nothing. */
static void test_stalls(void **state)
{
    (void)state;
    struct memsys_config c = mesh_config();
    c.dram.queue = 4;
    struct memsys *m = memsys_for(&c);
    struct seen s = press(m, &c, true, true, 2000);
    assert_true(s.memory > 1000 && s.network == 0 && s.others == 0);
    memsys_destroy(m);
    m = memsys_for(&c);
    s = press(m, &c, false, false, 2000);
    assert_true(s.network > 1000 && s.memory == 0 && s.others == 0);
    memsys_destroy(m);
    m = memsys_for(&c);
    c.flit_bytes = 256;
    s = press(m, &c, false, true, 2000);
    assert_true(s.memory == 0 && s.others == 0);
    struct memsys_stats stats = stats_of(m);
    assert_int_equal(stats.reply_stalls, s.network);
    memsys_destroy(m);
}

/* A part of its own: replies of the GPU that nobody takes leave the CPU's alone, as far as they do
 * not share a bank's queues. */
static void test_parts_do_not_touch(void **state)
{
    (void)state;
    struct memsys_config c = mesh_config();
    c.parts = PARTS_2G2C;
    c.gpu_partitions = 2;
    struct memsys *m = memsys_for(&c);
    press(m, &c, false, false, 2000);
    struct mem_request r = {.sectors = ALL_SECTORS, .source = HOST + 1, .class = CLASS_CPU}, reply;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t ticks = 0;
        assert_true(memsys_request(m, &r));
        do {
            memsys_tick(m);
            assert_true(++ticks < 200);
        } while (!memsys_reply(m, r.source, &reply));
        uint32_t from = placement_node(&c.placement, ENDPOINT_CPU, 0);
        uint32_t hops =
            distance(&c.placement, from, placement_node(&c.placement, ENDPOINT_PARTITION, 2)) + 1;
        if (i)
            assert_int_equal(ticks, 2 * STAGE * hops + 1 + c.l2_latency + reply_flits(&r, 16));
    }
    memsys_destroy(m);
}

static void test_errors(void **state)
{
    (void)state;
    struct error err = {0};
    struct memsys_config c = mesh_config();
    c.partitions = 5;
    assert_null(memsys_create(&c, &err));
    assert_non_null(strstr(err.text, "no node for memory partition 4"));
    c = mesh_config();
    c.gpu_partitions = 4;
    assert_null(memsys_create(&c, NULL));
    c = mesh_config();
    c.network = NETWORK_CROSSBAR;
    c.parts = PARTS_1G3C;
    assert_null(memsys_create(&c, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_stalls),
        cmocka_unit_test(test_parts_do_not_touch),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, make_requesters, NULL);
}
