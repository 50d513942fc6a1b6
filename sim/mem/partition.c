#include "sim/mem/partition.h"

#include <stdlib.h>

#include "sim/base/alloc.h"

#define NEVER UINT64_MAX

struct partition {
    struct partition_config config;
    struct bank **bank;
    struct mem_side *side;
    struct access_queue *queues; /* [bank * lanes + lane] */
    struct partition_stalls stalls;
    uint64_t stalled_network;
};

static bool create_stages(struct partition *p, struct error *err)
{
    const struct partition_config *c = &p->config;
    uint32_t lanes = c->bank.lanes;
    p->queues = ALLOC_ARRAY(struct access_queue, c->banks * lanes);
    for (uint32_t i = 0; i < c->banks * lanes; i++)
        access_queue_create(&p->queues[i], c->bank.accesses);
    p->bank = ALLOC_ARRAY(struct bank *, c->banks);
    for (uint32_t i = 0; i < c->banks; i++) {
        struct bank_config config = c->bank;
        config.index = i;
        config.ports = c->ports + i * lanes;
        config.port = c->port + i;
        config.column_bytes = c->dram.column_bytes;
        p->bank[i] = bank_create(&config, &p->queues[i * lanes], err);
        if (!p->bank[i])
            return false;
    }
    /* An MSHR has a line's sectors in flight, in at most two runs. */
    struct mem_side_config side = {.banks = c->banks,
                                   .lanes = lanes,
                                   .queues = p->queues,
                                   .fetches = c->bank.mshrs * LINE_SECTORS,
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
    for (uint32_t i = 0; p->queues && i < p->config.banks * p->config.bank.lanes; i++)
        access_queue_destroy(&p->queues[i]);
    mem_side_destroy(p->side);
    free(p->bank);
    free(p->queues);
    free(p);
}

void partition_tick(struct partition *p, uint64_t l2_cycle, uint64_t dram_cycle)
{
    p->stalls.network = false;
    mem_side_receive(p->side, l2_cycle);
    for (uint32_t i = 0; i < p->config.banks; i++) {
        bank_tick(p->bank[i], p->side, l2_cycle);
        p->stalls.network |= bank_stalled_reply(p->bank[i]);
    }
    p->stalls.memory = mem_side_send(p->side, l2_cycle, dram_cycle);
    p->stalled_network += p->stalls.network;
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
    return mem_side_idle(p->side);
}

uint64_t partition_quiet(const struct partition *p, uint64_t l2_cycle)
{
    uint64_t quiet = mem_side_quiet(p->side, l2_cycle);
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

void partition_wake(struct partition *p, uint32_t bank, uint64_t bank_line)
{
    bank_wake(p->bank[bank], bank_line);
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
}

const struct dram_stats *partition_dram_stats(const struct partition *p)
{
    return mem_side_dram_stats(p->side);
}
