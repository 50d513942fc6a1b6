#include "sim/simt/lsu/l1.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/memsys.h"
#include "sim/mem/memsys_config.h"

bool l1_create(struct l1 *l, struct slots *slots, struct mem_port *port, struct error *err)
{
    const struct core_config *config = &slots->config;
    l->slots = slots;
    l->port = port;
    l->exists = config->l1_bytes != 0;
    if (!l->exists)
        return true;
    struct cache_shape shape = {config->l1_bytes, config->l1_ways, config->l1_index,
                                config->l1_replacement};
    if (!cache_create(&l->cache, &shape, err) ||
        !mshr_create(&l->mshr, config->l1_mshrs, config->l1_mshr_merges, err)) {
        error_prefix(err, "L1 cache");
        return false;
    }
    l->mshrs.stats.size = config->l1_mshrs;
    l->reserved = ALLOC_ARRAY(uint32_t, config->l1_mshrs);
    l->owner = ALLOC_ARRAY(uint16_t, config->l1_mshrs);
    if (config->l1_miss_latency)
        line_create(&l->out, config->l1_miss_latency + 1);
    return true;
}

void l1_destroy(struct l1 *l)
{
    if (!l->exists)
        return;
    cache_destroy(&l->cache);
    mshr_destroy(&l->mshr);
    line_destroy(&l->out);
    free(l->reserved);
    free(l->owner);
}

/* --- to L2 ------------------------------------------------------------------------------------ */

static bool can_send(const struct l1 *l, const struct transaction *tx)
{
    if (l->slots->config.l1_miss_latency)
        return line_room(&l->out, clock_now(&l->slots->clock)) &&
               !line_end(&l->out, clock_now(&l->slots->clock));
    return port_can_send(l->port, tx->event);
}

static void fetch(struct l1 *l, const struct transaction *tx, uint8_t sectors, uint32_t mshr)
{
    struct transaction ask = {.line = tx->line,
                              .words = sector_words(sectors),
                              .sectors = sectors,
                              .event = tx->event,
                              .owner = tx->owner};
    uint32_t tag = mshr_ticket(&l->mshr, mshr) << TAG_KIND_BITS | TAG_L1;
    if (!l->slots->config.l1_miss_latency) {
        port_send(l->port, REQUEST_READ, &ask, tag);
        return;
    }
    struct mem_request request = port_request(l->port, REQUEST_READ, &ask, tag);
    line_enter(&l->out, &request, clock_now(&l->slots->clock));
}

static void send_writeback(struct l1 *l)
{
    uint32_t i = l->writeback_head;
    struct transaction tx = {.line = l->writeback[i].line,
                             .words = l->writeback[i].words,
                             .sectors = word_sectors(l->writeback[i].words),
                             .owner = l->writeback[i].owner};
    if (!port_send(l->port, REQUEST_WRITE, &tx, TAG_OF_WRITEBACK))
        return;
    l->writeback_head = (i + 1) % L1_WRITEBACKS;
    l->writebacks--;
    l->written_back++;
}

void l1_send(struct l1 *l)
{
    const struct mem_request *end = line_end(&l->out, clock_now(&l->slots->clock));
    if (end && port_forward(l->port, end))
        line_leave(&l->out);
    else if (end)
        line_stand(&l->out);
    if (l->writebacks)
        send_writeback(l);
}

/* --- ways ------------------------------------------------------------------------------------- */

static bool can_evict(const struct l1 *l, uint32_t entry)
{
    return !l->cache.dirty[entry] || l->writebacks < L1_WRITEBACKS;
}

static void take_way(struct l1 *l, uint32_t entry, uint64_t line, uint16_t owner)
{
    if (l->cache.dirty[entry]) {
        uint32_t i = (l->writeback_head + l->writebacks++) % L1_WRITEBACKS;
        l->writeback[i].line = l->cache.line[entry];
        l->writeback[i].words = l->cache.dirty[entry];
        l->writeback[i].owner = owner;
    }
    cache_allocate(&l->cache, entry, line);
}

/* --- loads ------------------------------------------------------------------------------------ */

static uint8_t wanted_sectors(const struct l1 *l, const struct transaction *tx, uint32_t valid)
{
    uint32_t words = l->slots->config.l1_fetch == FETCH_LINE ? ~valid : tx->words & ~valid;
    return word_sectors(words);
}

/* The line's MSHR takes one more. */
static enum l1_result merge(struct l1 *l, const struct transaction *tx, uint32_t waiter,
                            uint32_t mshr, uint8_t sectors)
{
    if (l->mshr.waiters[mshr] == l->mshr.merges)
        return L1_HELD_MERGE;
    if (sectors & ~l->mshr.asked[mshr] && !can_send(l, tx))
        return L1_HELD_PORT;
    uint32_t entry;
    uint8_t ask;
    mshr_add(&l->mshr, tx->line, sectors, waiter, &entry, &ask);
    if (ask)
        fetch(l, tx, ask, entry);
    l->merged++;
    return L1_MISS;
}

static void count_miss(struct l1 *l, const struct transaction *tx)
{
    l->misses++;
    account_l1(&l->slots->accounts, tx->owner, false);
}

enum l1_result l1_load(struct l1 *l, const struct transaction *tx, uint32_t waiter)
{
    uint32_t entry = cache_find(&l->cache, tx->line);
    uint32_t valid = entry == CACHE_NONE ? 0 : l->cache.valid[entry];
    if (!(tx->words & ~valid)) {
        cache_touch(&l->cache, entry);
        l->hits++;
        account_l1(&l->slots->accounts, tx->owner, true);
        return L1_HIT;
    }
    uint8_t sectors = wanted_sectors(l, tx, valid);
    uint32_t mshr = mshr_find(&l->mshr, tx->line), ask;
    if (mshr != MSHR_NONE) {
        enum l1_result result = merge(l, tx, waiter, mshr, sectors);
        if (result == L1_MISS)
            count_miss(l, tx);
        return result;
    }
    if (l->mshr.used == l->mshr.entries)
        return L1_HELD_MSHR;
    bool take = l->slots->config.l1_allocate == ALLOCATE_ON_MISS;
    uint32_t way = entry == CACHE_NONE && take ? cache_victim(&l->cache, tx->line) : entry;
    if (take && way == CACHE_NONE)
        return L1_HELD_WAY;
    if (take && entry == CACHE_NONE && !can_evict(l, way))
        return L1_HELD_WRITEBACK;
    if (!can_send(l, tx))
        return L1_HELD_PORT;
    if (take && entry == CACHE_NONE)
        take_way(l, way, tx->line, tx->owner);
    uint8_t missing;
    mshr_add(&l->mshr, tx->line, sectors, waiter, &ask, &missing);
    occupancy_enter(&l->mshrs, clock_now(&l->slots->clock));
    l->reserved[ask] = take ? way : CACHE_NONE;
    l->owner[ask] = tx->owner;
    if (take)
        l->cache.pins[way]++;
    fetch(l, tx, missing, ask);
    count_miss(l, tx);
    return L1_MISS;
}

static void end_miss(struct l1 *l, uint32_t mshr)
{
    uint32_t way = l->reserved[mshr];
    if (way != CACHE_NONE)
        l->cache.pins[way]--;
    occupancy_leave(&l->mshrs, clock_now(&l->slots->clock));
}

/* Data of a line that has reserved no way: it takes one, unless its victim's data had nowhere to
 * go. To wait for room instead could keep the reply network from ever moving on. */
static void keep(struct l1 *l, uint32_t mshr, uint8_t sectors)
{
    uint64_t line = l->mshr.line[mshr];
    uint32_t entry = cache_find(&l->cache, line);
    if (entry == CACHE_NONE) {
        entry = cache_victim(&l->cache, line);
        if (entry == CACHE_NONE || !can_evict(l, entry))
            return;
        take_way(l, entry, line, l->owner[mshr]);
    } else {
        cache_touch(&l->cache, entry);
    }
    l->cache.valid[entry] |= sector_words(sectors);
}

struct l1_fill l1_fill(struct l1 *l, uint32_t ticket, uint8_t sectors)
{
    uint32_t mshr = mshr_entry(&l->mshr, ticket);
    if (mshr == MSHR_NONE) /* every load that waited for it was dropped */
        return (struct l1_fill){MSHR_NONE};
    uint32_t way = l->reserved[mshr];
    if (way == CACHE_NONE)
        keep(l, mshr, sectors);
    else
        l->cache.valid[way] |= sector_words(sectors);
    mshr_arrived(&l->mshr, mshr, sectors);
    return (struct l1_fill){mshr};
}

bool l1_served(struct l1 *l, struct l1_fill *fill, uint32_t *waiter)
{
    if (fill->mshr == MSHR_NONE || !mshr_next(&l->mshr, fill->mshr, waiter))
        return false;
    if (!l->mshr.waiters[fill->mshr]) {
        end_miss(l, fill->mshr);
        fill->mshr = MSHR_NONE;
    }
    return true;
}

void l1_drop(struct l1 *l, uint32_t waiter, const struct transaction *tx, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t mshr = mshr_find(&l->mshr, tx[i].line);
        if (mshr != MSHR_NONE && mshr_remove(&l->mshr, mshr, waiter) && !l->mshr.waiters[mshr])
            end_miss(l, mshr);
    }
}

/* --- stores ----------------------------------------------------------------------------------- */

bool l1_store(struct l1 *l, const struct transaction *tx)
{
    uint32_t policy =
        tx->local ? l->slots->config.l1_local_store : l->slots->config.l1_global_store;
    if (!l->exists || policy == L1_STORE_THROUGH)
        return false;
    uint32_t entry = cache_find(&l->cache, tx->line);
    if (entry == CACHE_NONE || l->cache.pins[entry])
        return false;
    if (policy == L1_STORE_EVICT) {
        cache_invalidate(&l->cache, tx->line);
        return false;
    }
    if (tx->partial && tx->words & ~l->cache.valid[entry])
        return false;
    l->cache.valid[entry] |= tx->words;
    l->cache.dirty[entry] |= tx->words;
    cache_touch(&l->cache, entry);
    return true;
}

/* --- without time ----------------------------------------------------------------------------- */

static bool warm_store(struct l1 *l, uint64_t line, uint32_t words)
{
    struct transaction tx = {.line = line, .words = words, .sectors = word_sectors(words)};
    return !l1_store(l, &tx);
}

bool l1_warm(struct l1 *l, uint64_t line, uint32_t *words, bool store)
{
    if (!l->exists)
        return true;
    if (store)
        return warm_store(l, line, *words);
    if (mshr_find(&l->mshr, line) != MSHR_NONE)
        return true;
    uint32_t entry = cache_find(&l->cache, line), valid = 0;
    if (entry == CACHE_NONE) {
        entry = cache_victim(&l->cache, line);
        /* What local memory has left there is the timed kernels' to write back. */
        if (entry == CACHE_NONE || l->cache.dirty[entry])
            return true;
        cache_allocate(&l->cache, entry, line);
    } else {
        valid = l->cache.valid[entry];
    }
    cache_touch(&l->cache, entry);
    if (!(*words & ~valid))
        return false;
    bool whole = l->slots->config.l1_fetch == FETCH_LINE;
    *words = whole ? ~valid : sector_words(word_sectors(*words & ~valid));
    l->cache.valid[entry] = valid | *words;
    return true;
}

void l1_stats(const struct l1 *l, uint64_t now, struct core_stats *stats)
{
    stats->l1_hits = l->hits;
    stats->l1_misses = l->misses;
    stats->l1_merged = l->merged;
    stats->l1_writebacks = l->written_back;
    struct queue_stats mshrs = {.size = 0};
    queue_stats_add(&mshrs, &l->mshrs, now);
    stats->l1_mshr_cycles = mshrs.occupied;
    stats->l1_mshr_full = mshrs.full;
}
