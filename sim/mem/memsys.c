/* Wiring and clocks. Within one core cycle the stages are ticked from the last to the first (reply
 * network, DRAM, L2, request network), each as often as its clock has edges, so that whatever a
 * stage hands over is seen by the next one in its following cycle. */
#include "sim/mem/memsys.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/memsys_internal.h"
#include "sim/mem/memsys_stats.h"
#include "sim/mem/net/flits.h"
#include "sim/mem/region/fe.h"

#define NEVER UINT64_MAX

/* --- clocks ----------------------------------------------------------------------------------- */

/* Lets core cycles pass; returns the edges of this clock within them. Exact: after n core cycles
 * there have been floor(n * khz / core_khz). */
static uint64_t clock_advance(struct clock *c, uint32_t core_khz, uint64_t core_cycles)
{
    uint64_t phase = c->phase + core_cycles % core_khz * c->khz;
    uint64_t edges = core_cycles / core_khz * c->khz + phase / core_khz;
    c->phase = phase % core_khz;
    c->now += edges;
    return edges;
}

/* Core cycles that have at most `edges` edges of this clock in them. */
static uint64_t clock_cycles(const struct clock *c, uint32_t core_khz, uint64_t edges)
{
    if (edges > UINT32_MAX)
        return NEVER;
    return ((edges + 1) * core_khz - c->phase - 1) / c->khz;
}

/* --- set-up ----------------------------------------------------------------------------------- */

static bool check_range(const char *name, uint32_t value, uint32_t low, uint32_t high,
                        struct error *err)
{
    if (value >= low && value <= high)
        return true;
    return error_set(err, "%s = %" PRIu32 ": must be %" PRIu32 "..%" PRIu32, name, value, low,
                     high);
}

static bool check_region(const struct memsys_config *c, struct error *err)
{
    uint64_t unit = (uint64_t)c->partitions * c->interleave_bytes;
    if (c->fe.bytes && c->gpu_partitions)
        return error_set(err,
                         "gpu_partitions = %" PRIu32
                         ": must be 0 with a region, which all partitions share",
                         c->gpu_partitions);
    if (!c->fe.bytes || (c->fe.base % unit == 0 && c->fe.bytes % unit == 0))
        return true;
    return error_set(err, "fe: base and bytes of the region must be multiples of %" PRIu64, unit);
}

static bool check_config(const struct memsys_config *c, struct error *err)
{
    const uint32_t most = 1000000;
    if (c->interleave_bytes < LINE_BYTES || c->interleave_bytes & (c->interleave_bytes - 1))
        return error_set(err, "interleave_bytes = %" PRIu32 ": must be a power of two >= %u",
                         c->interleave_bytes, LINE_BYTES);
    if (c->dram.row_bytes < LINE_BYTES)
        return error_set(err, "dram row_bytes = %" PRIu32 ": must be at least a line, %u bytes",
                         c->dram.row_bytes, LINE_BYTES);
    if (!c->perform)
        return error_set(err, "memory system without a perform callback");
    return check_range("ports", c->ports, 1, MAX_ENDPOINTS, err) &&
           check_range("partitions", c->partitions, 1, 16, err) &&
           check_range("gpu_partitions", c->gpu_partitions, 0, c->partitions - 1, err) &&
           check_range("parts", c->parts, 0, c->network == NETWORK_MESH ? PARTS_3G1C : 0, err) &&
           check_range("input_order", c->input_order, 0, c->network == NETWORK_MESH ? 0 : 1, err) &&
           check_range("banks", c->banks, 1, 8, err) &&
           check_range("core_khz", c->core_khz, 1, UINT32_MAX, err) &&
           check_range("net_khz", c->net_khz, 1, UINT32_MAX, err) &&
           check_range("l2_khz", c->l2_khz, 1, UINT32_MAX, err) &&
           check_range("dram_khz", c->dram_khz, 1, UINT32_MAX, err) &&
           check_range("request_latency", c->request_latency, 1, most, err) &&
           check_range("reply_latency", c->reply_latency, 1, most, err) &&
           check_range("l2_latency", c->l2_latency, 1, most, err) &&
           check_range("memory_latency", c->memory_latency, 0, most, err) &&
           check_range("flit_bytes", c->flit_bytes, 1, most, err) &&
           check_range("port_queue", c->port_queue, 1, most, err) &&
           check_range("output_queue", c->output_queue, 1, most, err) &&
           check_range("l2_queue", c->l2_queue, 1, most, err) &&
           check_range("l2_miss_queue", c->l2_miss_queue, MIN_ACCESSES, most, err) &&
           check_range("l2_reply_queue", c->l2_reply_queue, 1, most, err) &&
           check_range("parked", c->parked, 0, 65535, err) && check_region(c, err);
}

static bool create_networks(struct memsys *m, struct error *err)
{
    const struct memsys_config *c = &m->config;
    uint32_t banks = c->partitions * c->banks;
    for (uint32_t i = 0; i < banks * m->lanes; i++)
        m->target[i] =
            (struct endpoint){.kind = ENDPOINT_PARTITION,
                              .class = c->class_queues && i % m->lanes ? CLASS_CPU : CLASS_GPU,
                              .index = (uint16_t)(i / m->lanes / c->banks)};
    if (!networks_create(&m->net, c, m->requester, m->lanes, err))
        return false;
    m->requests = m->net.requests;
    m->replies = m->net.replies;
    return true;
}

static void create_maps(struct memsys *m)
{
    const struct memsys_config *c = &m->config;
    struct address_map all = {.channels = c->partitions,
                              .banks = c->banks,
                              .shift = (uint32_t)__builtin_ctz(c->interleave_bytes),
                              .hashed = c->map_hashed};
    m->map[0] = m->map[1] = all;
    if (!c->gpu_partitions)
        return;
    m->map[0].channels = c->gpu_partitions;
    m->map[1].channels = c->partitions - c->gpu_partitions;
    m->map[1].first = c->gpu_partitions;
}

/* Of a bank's or a DRAM queue's places, those for events: their lane's, at most half. */
static uint32_t events_share(const struct memsys_config *c, uint32_t places)
{
    return c->event_lane < places / 2 ? c->event_lane : places / 2;
}

static bool create_partitions(struct memsys *m, struct error *err)
{
    const struct memsys_config *c = &m->config;
    struct bank_config bank = {.shape = {.bytes = c->l2_bytes / c->banks,
                                         .ways = c->l2_ways,
                                         .index = c->l2_index,
                                         .policy = c->l2_replacement},
                               .latency = c->l2_latency,
                               .ingress = c->l2_queue,
                               .replies = c->l2_reply_queue,
                               .accesses = c->l2_miss_queue,
                               .mshrs = c->l2_mshrs,
                               .merges = c->l2_mshr_merges,
                               .reserved_mshrs = m->lanes > 1 ? c->reserved_mshrs : 0,
                               .event_mshrs = events_share(c, c->l2_mshrs),
                               .lanes = m->lanes,
                               .second_lane = m->second_lane,
                               .write_miss = c->l2_write_miss,
                               .allocate_on_miss = c->l2_allocate == ALLOCATE_ON_MISS,
                               .fetch_line = c->l2_fetch == FETCH_LINE,
                               .parked = c->parked,
                               .park_timeout = c->park_timeout,
                               .flit_bytes = m->net.flit_bytes,
                               .requests = m->requests,
                               .reply_net = m->replies,
                               .perform = c->perform,
                               .user = c->user};
    m->partition = ALLOC_ARRAY(struct partition *, c->partitions);
    for (uint32_t i = 0; i < c->partitions; i++) {
        bank.map = &m->map[c->gpu_partitions && i >= c->gpu_partitions];
        struct partition_config config = {.banks = c->banks,
                                          .bank = bank,
                                          .memory_latency = c->memory_latency,
                                          .dram = c->dram,
                                          .ports = i * c->banks * m->lanes,
                                          .port = i * c->banks,
                                          .index = i,
                                          .fe = c->fe};
        m->partition[i] = partition_create(&config, err);
        if (!m->partition[i])
            return false;
    }
    return true;
}

/* Requests of events go first in DRAM, and others leave them entries there and among the MSHRs. */
static void keep_for_events(struct memsys_config *c)
{
    uint32_t entries = events_share(c, c->dram.queue), mshrs = events_share(c, c->l2_mshrs);
    c->dram.priority |= 1u << CLASS_EVENT;
    if (c->dram.reserved < c->event_lane)
        c->dram.reserved = entries;
    if (c->reserved_mshrs < c->event_lane)
        c->reserved_mshrs = mshrs;
}

/* Values that a small configuration need not state. */
static void fill_defaults(struct memsys_config *c)
{
    c->banks = c->banks ? c->banks : 1;
    c->output_queue = c->output_queue ? c->output_queue : c->port_queue;
    c->l2_queue = c->l2_queue ? c->l2_queue : 8;
    c->l2_miss_queue = c->l2_miss_queue ? c->l2_miss_queue : 8;
    c->l2_reply_queue = c->l2_reply_queue ? c->l2_reply_queue : 8;
    if (c->event_lane)
        keep_for_events(c);
}

static void take_requesters(struct memsys *m, const struct endpoint *requesters)
{
    for (uint32_t i = 0; i < m->config.ports; i++) {
        m->requester[i] = (struct endpoint){.kind = ENDPOINT_CORE, .index = (uint16_t)i};
        if (requesters)
            m->requester[i] = requesters[i];
    }
    m->config.requesters = NULL;
}

struct memsys *memsys_create(const struct memsys_config *config, struct error *err)
{
    struct memsys_config c = *config;
    fill_defaults(&c);
    if (!check_config(&c, err))
        return NULL;
    struct memsys *m = alloc_lines(1, sizeof *m);
    m->config = c;
    take_requesters(m, config->requesters);
    m->net_clock.khz = config->net_khz;
    m->l2_clock.khz = config->l2_khz;
    m->dram_clock.khz = config->dram_khz;
    m->lanes = c.class_queues || c.host_lane || c.event_lane ? 2 : 1;
    m->second_lane = SECOND_LANE | (c.host_lane ? 1u << CLASS_HOST | 1u << CLASS_DEVICE : 0);
    m->box = alloc_lines(c.ports, sizeof *m->box);
    memsys_use_boxes(m, false);
    create_maps(m);
    if (!create_networks(m, err) || !create_partitions(m, err)) {
        memsys_destroy(m);
        return NULL;
    }
    m->wake = NEVER;
    return m;
}

void memsys_destroy(struct memsys *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; m->partition && i < m->config.partitions; i++)
        partition_destroy(m->partition[i]);
    free(m->partition);
    free(m->box);
    networks_destroy(&m->net);
    free(m);
}

/* --- time ------------------------------------------------------------------------------------- */

void memsys_sync(struct memsys *m)
{
    uint64_t n = m->cycle - m->synced;
    if (!n)
        return;
    uint32_t khz = m->config.core_khz;
    uint64_t net = clock_advance(&m->net_clock, khz, n);
    clock_advance(&m->l2_clock, khz, n);
    clock_advance(&m->dram_clock, khz, n);
    net_skip(m->requests, net);
    net_skip(m->replies, net);
    m->synced = m->cycle;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Coming core cycles in which nothing happens; only when the clocks are in step. */
static uint64_t quiet_cycles(const struct memsys *m)
{
    uint64_t net = least(net_quiet(m->requests), net_quiet(m->replies));
    if (!net || net_any_ready(m->requests))
        return 0;
    uint64_t l2 = NEVER;
    uint64_t dram_wake = NEVER;
    for (uint64_t b = m->busy; b; b &= b - 1) {
        const struct partition *p = m->partition[__builtin_ctzll(b)];
        l2 = least(l2, partition_quiet(p, m->l2_clock.now));
        dram_wake = least(dram_wake, partition_dram_wake(p));
    }
    uint64_t dram = dram_wake == NEVER              ? NEVER
                    : dram_wake > m->dram_clock.now ? dram_wake - m->dram_clock.now
                                                    : 0;
    uint32_t khz = m->config.core_khz;
    return least(
        clock_cycles(&m->net_clock, khz, net),
        least(clock_cycles(&m->l2_clock, khz, l2), clock_cycles(&m->dram_clock, khz, dram)));
}

static void tick_dram(struct memsys *m)
{
    clock_advance(&m->dram_clock, m->config.core_khz, 1);
    for (uint64_t b = m->busy; b; b &= b - 1) {
        struct partition *p = m->partition[__builtin_ctzll(b)];
        if (partition_dram_wake(p) < m->dram_clock.now)
            partition_dram_until(p, m->dram_clock.now);
    }
}

/* Partitions that the request network has something for. */
static void wake_partitions(struct memsys *m)
{
    for (uint32_t word = 0; word * 64 < m->requests->outputs; word++)
        for (uint64_t r = m->requests->ready[word]; r; r &= r - 1)
            m->busy |= 1ull << m->target[word * 64 + (uint32_t)__builtin_ctzll(r)].index;
}

static void tick_l2(struct memsys *m)
{
    for (uint64_t n = clock_advance(&m->l2_clock, m->config.core_khz, 1); n; n--) {
        wake_partitions(m);
        for (uint64_t b = m->busy; b; b &= b - 1) {
            struct partition *p = m->partition[__builtin_ctzll(b)];
            if (!partition_tick(p, m->l2_clock.now - n, m->dram_clock.now, &m->error))
                return;
            if (partition_idle(p))
                m->busy &= ~(b & -b);
        }
    }
}

static void start_cycle(struct memsys *m)
{
    for (uint32_t i = 0; i < NET_WORDS; i++)
        m->requested[i] = m->taken[i] = 0;
}

void memsys_tick(struct memsys *m)
{
    start_cycle(m);
    if (m->cycle < m->wake) {
        m->cycle++;
        return;
    }
    memsys_sync(m);
    uint64_t net = clock_advance(&m->net_clock, m->config.core_khz, 1);
    for (uint64_t i = 0; i < net; i++)
        net_tick(m->replies);
    tick_dram(m);
    tick_l2(m);
    for (uint64_t i = 0; i < net; i++)
        net_tick(m->requests);
    if (m->waiting)
        memsys_find_room(m);
    m->synced = ++m->cycle;
    uint64_t quiet = quiet_cycles(m);
    m->wake = quiet == NEVER ? NEVER : m->cycle + quiet;
}

bool memsys_idle(const struct memsys *m)
{
    return !m->busy && net_idle(m->requests) && net_idle(m->replies);
}

uint64_t memsys_quiet_cycles(const struct memsys *m)
{
    if (net_any_ready(m->replies))
        return 1;
    if (m->wake == NEVER)
        return NEVER;
    return m->wake > m->cycle ? m->wake - m->cycle : 1;
}

void memsys_skip(struct memsys *m, uint64_t cycles)
{
    uint64_t end = m->cycle + cycles;
    while (m->cycle < end) {
        if (m->cycle < m->wake) {
            m->cycle = least(m->wake, end);
            start_cycle(m);
        } else {
            memsys_tick(m);
        }
    }
}

/* --- questions ---------------------------------------------------------------------------------
 */

/* A bank's lookup alone; the networks come on top. */
uint64_t memsys_least_latency(const struct memsys *m)
{
    return (uint64_t)(m->config.l2_latency - 1) * m->config.core_khz / m->config.l2_khz;
}

uint32_t memsys_port(const struct memsys *m, enum endpoint_kind kind, uint32_t index)
{
    for (uint32_t i = 0; i < m->config.ports; i++)
        if (m->requester[i].kind == kind && m->requester[i].index == index)
            return i;
    return MAX_ENDPOINTS;
}

const struct endpoint *memsys_requester(const struct memsys *m, uint32_t port)
{
    return &m->requester[port];
}

void memsys_forget(struct memsys *m, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    for (uint64_t line = address & ~(uint64_t)(LINE_BYTES - 1); line < end; line += LINE_BYTES) {
        struct place place = map_place(&m->map[0], line);
        partition_forget(m->partition[place.channel], place.bank, place.bank_line);
    }
}

void memsys_warm(struct memsys *m, uint64_t line, uint32_t words, bool write)
{
    struct place place = map_place(&m->map[0], line);
    partition_warm(m->partition[place.channel], &place, words, write);
}

void memsys_wake(struct memsys *m, uint64_t line)
{
    struct place place = map_place(&m->map[0], line);
    partition_wake(m->partition[place.channel], place.bank, place.bank_line);
    m->wake = m->cycle;
}

const struct error *memsys_error(const struct memsys *m)
{
    return &m->error;
}

/* --- statistics ------------------------------------------------------------------------------- */

struct partition_stalls memsys_stalls(const struct memsys *m, uint32_t partition)
{
    return partition_stalls(m->partition[partition]);
}

/* --- stall monitors --------------------------------------------------------------------------- */

bool memsys_monitors_start(struct memsys *m, enum tile_backend backend,
                           const struct tile_place *place, struct error *err)
{
    for (uint32_t i = 0; i < m->config.partitions; i++)
        if (!partition_monitor_start(m->partition[i], backend, place, err))
            return false;
    return true;
}

void memsys_monitor_ask(struct memsys *m, uint32_t partition)
{
    memsys_sync(m);
    stall_monitor_ask(partition_monitor(m->partition[partition]));
    m->busy |= 1ull << partition;
    m->wake = m->cycle;
}

bool memsys_monitor_answer(struct memsys *m, uint32_t partition, uint16_t *mc, uint16_t *net)
{
    return stall_monitor_answer(partition_monitor(m->partition[partition]), mc, net);
}

struct stall_monitor *memsys_monitor(const struct memsys *m, uint32_t partition)
{
    return partition_monitor(m->partition[partition]);
}

static void add_dram(struct dram_stats *sum, const struct dram_stats *one)
{
    sum->cycles += one->cycles;
    sum->reads += one->reads;
    sum->writes += one->writes;
    sum->activates += one->activates;
    sum->precharges += one->precharges;
    sum->refreshes += one->refreshes;
    sum->row_hits += one->row_hits;
    sum->row_misses += one->row_misses;
    sum->bus_busy += one->bus_busy;
}

struct traffic memsys_traffic(const struct memsys *m, uint32_t owner)
{
    struct traffic sum = {0};
    for (uint32_t i = 0; i < m->config.partitions; i++)
        partition_add_traffic(m->partition[i], owner, &sum);
    return sum;
}

void memsys_clear_traffic(struct memsys *m, uint32_t owner)
{
    for (uint32_t i = 0; i < m->config.partitions; i++)
        partition_clear_traffic(m->partition[i], owner);
}

struct dram_stats memsys_channel(const struct memsys *m, uint32_t partition)
{
    struct clock dram = m->dram_clock;
    clock_advance(&dram, m->config.core_khz, m->cycle - m->synced);
    partition_dram_until(m->partition[partition], dram.now);
    return *partition_dram_stats(m->partition[partition]);
}

uint32_t memsys_links(const struct memsys *m, bool replies, uint64_t *flits)
{
    return net_links(replies ? m->replies : m->requests, flits);
}

void memsys_stats(const struct memsys *m, struct memsys_stats *stats)
{
    *stats = (struct memsys_stats){.refused = memsys_refused(m)};
    for (uint32_t k = 0; k < REQUEST_KINDS; k++)
        stats->requests[k] = m->kinds[k];
    uint32_t khz = m->config.core_khz;
    uint64_t behind = m->cycle - m->synced;
    struct clock dram = m->dram_clock, l2 = m->l2_clock;
    clock_advance(&dram, khz, behind);
    clock_advance(&l2, khz, behind);
    for (uint32_t i = 0; i < m->config.partitions; i++) {
        partition_dram_until(m->partition[i], dram.now);
        struct partition_stats one;
        partition_get_stats(m->partition[i], l2.now, &one);
        bank_stats_add(&stats->l2, &one.bank);
        queue_stats_sum(&stats->dram_queue, &one.memory.controller);
        fe_sum(&stats->fe, &one.fe);
        stats->memory_stalls += one.memory.stalled;
        stats->reply_stalls += one.stalled_network;
        add_dram(&stats->dram, partition_dram_stats(m->partition[i]));
    }
    net_stats(m->requests, &stats->request_net);
    net_stats(m->replies, &stats->reply_net);
}
