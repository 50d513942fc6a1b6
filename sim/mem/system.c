/* Wiring and clocks. Within one core cycle the stages are ticked from the last to the first (reply
 * network, DRAM, L2, request network), each as often as its clock has edges, so that whatever a
 * stage hands over is seen by the next one in its following cycle. */
#include "sim/mem/system.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/base/alloc.h"
#include "sim/mem/net.h"
#include "sim/mem/partition.h"

#define NEVER UINT64_MAX

struct clock {
    uint32_t khz;
    uint64_t phase; /* khz of this clock already passed of the core's, < core_khz */
    uint64_t now;   /* cycles so far */
};

struct memsys {
    struct memsys_config config;
    uint64_t cycle;  /* the coming core cycle */
    uint64_t synced; /* core cycles that the clocks below have seen */
    uint64_t wake;   /* nothing happens before this core cycle unless a request arrives */
    struct clock net_clock, l2_clock, dram_clock;
    struct net *requests, *replies;
    struct partition **partition;
    uint64_t busy;      /* partitions that are not idle */
    uint64_t requested; /* ports that handed over a request in this core cycle */
    uint64_t taken;     /* ports that took a reply in this core cycle */
    uint32_t interleave_shift;
    uint64_t kinds[4];
    uint64_t net_stalls;
};

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

/* --- addresses -------------------------------------------------------------------------------- */

static uint32_t partition_of(const struct memsys *m, uint64_t line)
{
    return (uint32_t)((line >> m->interleave_shift) % m->config.partitions);
}

static uint64_t local_address(void *memsys, uint64_t line)
{
    const struct memsys *m = memsys;
    uint64_t block = (line >> m->interleave_shift) / m->config.partitions;
    return block << m->interleave_shift | (line & (m->config.interleave_bytes - 1));
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
    return check_range("ports", c->ports, 1, 64, err) &&
           check_range("partitions", c->partitions, 1, 16, err) &&
           check_range("core_khz", c->core_khz, 1, UINT32_MAX, err) &&
           check_range("net_khz", c->net_khz, 1, UINT32_MAX, err) &&
           check_range("l2_khz", c->l2_khz, 1, UINT32_MAX, err) &&
           check_range("dram_khz", c->dram_khz, 1, UINT32_MAX, err) &&
           check_range("request_latency", c->request_latency, 1, most, err) &&
           check_range("reply_latency", c->reply_latency, 1, most, err) &&
           check_range("l2_latency", c->l2_latency, 1, most, err) &&
           check_range("flit_bytes", c->flit_bytes, 1, most, err) &&
           check_range("port_queue", c->port_queue, 1, most, err);
}

static bool create_partitions(struct memsys *m, struct error *err)
{
    const struct memsys_config *c = &m->config;
    m->partition = ALLOC_ARRAY(struct partition *, c->partitions);
    for (uint32_t i = 0; i < c->partitions; i++) {
        struct partition_config config = {.index = i,
                                          .l2_bytes = c->l2_bytes,
                                          .ways = c->l2_ways,
                                          .latency = c->l2_latency,
                                          .mshrs = c->l2_mshrs,
                                          .merges = c->l2_mshr_merges,
                                          .flit_bytes = c->flit_bytes,
                                          .dram = c->dram,
                                          .requests = m->requests,
                                          .replies = m->replies,
                                          .perform = c->perform,
                                          .user = c->user,
                                          .local = local_address,
                                          .memsys = m};
        m->partition[i] = partition_create(&config, err);
        if (!m->partition[i])
            return false;
    }
    return true;
}

struct memsys *memsys_create(const struct memsys_config *config, struct error *err)
{
    if (!check_config(config, err))
        return NULL;
    struct memsys *m = ALLOC(struct memsys);
    m->config = *config;
    m->net_clock.khz = config->net_khz;
    m->l2_clock.khz = config->l2_khz;
    m->dram_clock.khz = config->dram_khz;
    m->interleave_shift = (uint32_t)__builtin_ctz(config->interleave_bytes);
    m->requests = net_create(&(struct net_config){config->ports, config->partitions,
                                                  config->request_latency, config->port_queue});
    m->replies = net_create(&(struct net_config){config->partitions, config->ports,
                                                 config->reply_latency, config->port_queue});
    if (!create_partitions(m, err)) {
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
    net_destroy(m->requests);
    net_destroy(m->replies);
    free(m);
}

/* --- time ------------------------------------------------------------------------------------- */

/* Lets the clocks catch up with core cycles in which nothing happened. */
static void sync(struct memsys *m)
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
    if (!net || net_ready(m->requests))
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

static void tick_l2(struct memsys *m)
{
    for (uint64_t n = clock_advance(&m->l2_clock, m->config.core_khz, 1); n; n--) {
        m->busy |= net_ready(m->requests);
        for (uint64_t b = m->busy; b; b &= b - 1) {
            struct partition *p = m->partition[__builtin_ctzll(b)];
            partition_tick(p, m->l2_clock.now - n, m->dram_clock.now);
            if (partition_idle(p))
                m->busy &= ~(b & -b);
        }
    }
}

void memsys_tick(struct memsys *m)
{
    m->requested = m->taken = 0;
    if (m->cycle < m->wake) {
        m->cycle++;
        return;
    }
    sync(m);
    uint64_t net = clock_advance(&m->net_clock, m->config.core_khz, 1);
    for (uint64_t i = 0; i < net; i++)
        net_tick(m->replies);
    tick_dram(m);
    tick_l2(m);
    for (uint64_t i = 0; i < net; i++)
        net_tick(m->requests);
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
    if (net_ready(m->replies))
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
            m->requested = m->taken = 0;
        } else {
            memsys_tick(m);
        }
    }
}

/* --- ports ------------------------------------------------------------------------------------ */

bool memsys_can_request(const struct memsys *m, uint32_t port)
{
    return !(m->requested >> port & 1) && !net_full(m->requests, port);
}

bool memsys_request(struct memsys *m, const struct mem_request *request)
{
    uint32_t port = request->source;
    if (m->requested >> port & 1)
        return false;
    if (net_full(m->requests, port)) {
        m->net_stalls++;
        return false;
    }
    sync(m);
    net_push(m->requests, port, partition_of(m, request->line),
             request_flits(request, m->config.flit_bytes), request);
    m->requested |= 1ull << port;
    m->kinds[request->kind]++;
    m->wake = m->cycle;
    return true;
}

uint64_t memsys_reply_ports(const struct memsys *m)
{
    return net_ready(m->replies) & ~m->taken;
}

bool memsys_reply(struct memsys *m, uint32_t port, struct mem_request *reply)
{
    if (!(memsys_reply_ports(m) >> port & 1))
        return false;
    sync(m);
    *reply = *net_peek(m->replies, port);
    net_take(m->replies, port);
    m->wake = m->cycle;
    m->taken |= 1ull << port;
    return true;
}

void memsys_forget(struct memsys *m, uint64_t address, uint64_t bytes)
{
    uint64_t end = address + bytes;
    for (uint64_t line = address & ~(uint64_t)(LINE_BYTES - 1); line < end; line += LINE_BYTES)
        partition_forget(m->partition[partition_of(m, line)], local_address(m, line));
}

void memsys_stats(const struct memsys *m, struct memsys_stats *stats)
{
    *stats = (struct memsys_stats){.net_stalls = m->net_stalls};
    for (int k = 0; k < 4; k++)
        stats->requests[k] = m->kinds[k];
    struct clock dram = m->dram_clock;
    clock_advance(&dram, m->config.core_khz, m->cycle - m->synced);
    for (uint32_t i = 0; i < m->config.partitions; i++) {
        partition_dram_until(m->partition[i], dram.now);
        const struct partition_stats *l2 = partition_get_stats(m->partition[i]);
        const struct dram_stats *d = partition_dram_stats(m->partition[i]);
        stats->l2_hits += l2->hits;
        stats->l2_misses += l2->misses;
        stats->l2_writebacks += l2->writebacks;
        stats->dram.cycles += d->cycles;
        stats->dram.reads += d->reads;
        stats->dram.writes += d->writes;
        stats->dram.activates += d->activates;
        stats->dram.precharges += d->precharges;
        stats->dram.refreshes += d->refreshes;
        stats->dram.row_hits += d->row_hits;
        stats->dram.row_misses += d->row_misses;
        stats->dram.bus_busy += d->bus_busy;
    }
}
