#include "sim/mem/partition.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/region/fe.h"
#include "sim/mem/traffic.h"

#define NEVER UINT64_MAX

struct partition {
    struct partition_config config;
    struct bank **bank;
    struct mem_side *side;
    struct fe *fe;                 /* NULL: no region */
    struct access_queue *queues;   /* [bank * lanes + lane] */
    struct stall_monitor *monitor; /* NULL: nobody asks */
    struct partition_stalls stalls;
    uint64_t stalled_network;
};

/* On the memory side, the full/empty scheduler is one more bank. */
static uint32_t side_banks(const struct partition_config *c)
{
    return c->banks + (c->fe.bytes != 0);
}

/* Every request that the scheduler may have in memory, in two runs of sectors each. */
#define FE_FETCHES (FE_QUEUES * EVG_FE_REPLY_DEPTH * 2)

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void perform_region(void *user, const struct mem_request *r)
{
    const struct partition *p = user;
    uint32_t words = r->words;
    p->config.bank.perform(p->config.bank.user, r, &words);
}

static bool create_fe(struct partition *p, struct error *err)
{
    const struct partition_config *c = &p->config;
    struct fe_config fe = {.settings = c->fe,
                           .partition = c->index,
                           .banks = c->banks,
                           .bank = p->bank,
                           .accesses = &p->queues[c->banks * c->bank.lanes],
                           .side_bank = c->banks,
                           .column_bytes = c->dram.column_bytes,
                           .map = c->bank.map,
                           .perform = perform_region,
                           .user = p};
    p->fe = fe_create(&fe, err);
    return p->fe != NULL;
}

static bool create_stages(struct partition *p, struct error *err)
{
    const struct partition_config *c = &p->config;
    uint32_t lanes = c->bank.lanes;
    p->queues = ALLOC_ARRAY(struct access_queue, side_banks(c) * lanes);
    for (uint32_t i = 0; i < side_banks(c) * lanes; i++)
        access_queue_create(&p->queues[i], c->bank.accesses);
    p->bank = ALLOC_ARRAY(struct bank *, c->banks);
    if (c->fe.bytes && !create_fe(p, err))
        return false;
    for (uint32_t i = 0; i < c->banks; i++) {
        struct bank_config config = c->bank;
        config.index = i;
        config.ports = c->ports + i * lanes;
        config.port = c->port + i;
        config.column_bytes = c->dram.column_bytes;
        config.fe = p->fe;
        p->bank[i] = bank_create(&config, &p->queues[i * lanes], err);
        if (!p->bank[i])
            return false;
    }
    /* An MSHR has a line's sectors in flight, in at most two runs. */
    struct mem_side_config side = {
        .banks = side_banks(c),
        .lanes = lanes,
        .queues = p->queues,
        .fetches = most(c->bank.mshrs * LINE_SECTORS, c->fe.bytes ? FE_FETCHES : 0),
        .latency = c->memory_latency,
        .dram = c->dram};
    p->side = mem_side_create(&side, err);
    return p->side != NULL;
}

struct partition *partition_create(const struct partition_config *config, struct error *err)
{
    struct partition *p = ALLOC(struct partition);
    p->config = *config;
    if (create_stages(p, err))
        return p;
    partition_destroy(p);
    return NULL;
}

void partition_destroy(struct partition *p)
{
    if (!p)
        return;
    for (uint32_t i = 0; p->bank && i < p->config.banks; i++)
        bank_destroy(p->bank[i]);
    stall_monitor_destroy(p->monitor);
    fe_destroy(p->fe);
    for (uint32_t i = 0; p->queues && i < side_banks(&p->config) * p->config.bank.lanes; i++)
        access_queue_destroy(&p->queues[i]);
    mem_side_destroy(p->side);
    free(p->bank);
    free(p->queues);
    free(p);
}

struct fe *partition_fe(struct partition *p)
{
    return p->fe;
}

bool partition_monitor_start(struct partition *p, enum tile_backend backend,
                             const struct tile_place *place, struct error *err)
{
    struct stall_monitor_config config = {
        .partition = p->config.index, .backend = backend, .place = place, .fe = p->fe};
    if (p->fe && !fe_start(p->fe, place, err))
        return false;
    p->monitor = stall_monitor_create(&config, err);
    return p->monitor != NULL;
}

struct stall_monitor *partition_monitor(struct partition *p)
{
    return p->monitor;
}

static bool monitor_waits(const struct partition *p)
{
    return p->monitor && stall_monitor_asked(p->monitor);
}

bool partition_tick(struct partition *p, uint64_t l2_cycle, uint64_t dram_cycle, struct error *err)
{
    p->stalls.network = false;
    mem_side_receive(p->side, l2_cycle);
    if (p->fe && !fe_tick(p->fe, p->side, l2_cycle, err))
        return false;
    for (uint32_t i = 0; i < p->config.banks; i++) {
        bank_tick(p->bank[i], p->side, l2_cycle);
        p->stalls.network |= bank_stalled_reply(p->bank[i]);
    }
    p->stalls.memory = mem_side_send(p->side, l2_cycle, dram_cycle);
    p->stalled_network += p->stalls.network;
    return !p->monitor ||
           stall_monitor_tick(p->monitor, l2_cycle, p->stalls.memory, p->stalls.network, err);
}

void partition_dram_until(struct partition *p, uint64_t cycle)
{
    mem_side_dram_until(p->side, cycle);
}

uint64_t partition_dram_wake(const struct partition *p)
{
    return mem_side_dram_wake(p->side);
}

bool partition_idle(const struct partition *p)
{
    for (uint32_t i = 0; i < p->config.banks; i++)
        if (!bank_idle(p->bank[i]))
            return false;
    return !monitor_waits(p) && mem_side_idle(p->side) && (!p->fe || fe_idle(p->fe));
}

uint64_t partition_quiet(const struct partition *p, uint64_t l2_cycle)
{
    uint64_t quiet = monitor_waits(p) ? 0 : mem_side_quiet(p->side, l2_cycle);
    if (quiet && p->fe) {
        uint64_t fe = fe_quiet(p->fe, l2_cycle);
        quiet = fe < quiet ? fe : quiet;
    }
    for (uint32_t i = 0; quiet && i < p->config.banks; i++) {
        uint64_t bank = bank_quiet(p->bank[i], l2_cycle);
        quiet = bank < quiet ? bank : quiet;
    }
    return quiet;
}

struct partition_stalls partition_stalls(const struct partition *p)
{
    return p->stalls;
}

void partition_forget(struct partition *p, uint32_t bank, uint64_t bank_line)
{
    bank_forget(p->bank[bank], bank_line);
}

void partition_warm(struct partition *p, const struct place *place, uint32_t words, bool write)
{
    bank_warm(p->bank[place->bank], place->bank_line, words, write);
}

void partition_wake(struct partition *p, uint32_t bank, uint64_t bank_line)
{
    bank_wake(p->bank[bank], bank_line);
}

void partition_add_traffic(const struct partition *p, uint32_t owner, struct traffic *sum)
{
    for (uint32_t i = 0; i < p->config.banks; i++)
        traffic_add(sum, bank_traffic(p->bank[i], owner));
    if (p->fe)
        traffic_add(sum, fe_traffic(p->fe, owner));
}

void partition_clear_traffic(struct partition *p, uint32_t owner)
{
    for (uint32_t i = 0; i < p->config.banks; i++)
        bank_clear_traffic(p->bank[i], owner);
    if (p->fe)
        fe_clear_traffic(p->fe, owner);
}

void partition_get_stats(const struct partition *p, uint64_t l2_cycle,
                         struct partition_stats *stats)
{
    *stats = (struct partition_stats){.stalled_network = p->stalled_network};
    for (uint32_t i = 0; i < p->config.banks; i++) {
        struct bank_stats one;
        bank_stats(p->bank[i], l2_cycle, &one);
        bank_stats_add(&stats->bank, &one);
    }
    mem_side_stats(p->side, &stats->memory);
    if (p->fe)
        fe_add_stats(p->fe, &stats->fe);
}

const struct dram_stats *partition_dram_stats(const struct partition *p)
{
    return mem_side_dram_stats(p->side);
}
