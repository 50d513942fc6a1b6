#include "sim/mem/partition.h"

#include <stdlib.h>

#include "sim/base/alloc.h"
#include "sim/mem/cache.h"

#define NEVER        UINT64_MAX
#define HEADER_BYTES 8u
#define TO_DRAM      16u /* entries of the queue to DRAM */
#define MAX_RUNS     4u  /* requests to DRAM of one miss: two runs fetched, two written back */

struct stage {
    struct mem_request request;
    uint64_t local; /* channel address of the line */
    uint64_t at;    /* cycle of the decision */
};

struct partition {
    struct partition_config config;
    struct partition_stats stats;
    struct cache cache;
    struct mshr_table mshr;
    struct dram *dram;
    uint32_t granule; /* sectors that DRAM transfers at least */
    uint64_t dram_now, dram_wake;

    struct stage *pipe; /* ring */
    uint32_t pipe_head, pipe_count;

    struct mem_request *waiting; /* requests in MSHRs, by waiter number */
    uint32_t *free_waiting, n_free_waiting;
    uint32_t *mshr_line; /* cache entry of each MSHR */
    uint32_t releasing;  /* MSHR whose data have arrived and whose requests are being answered */

    struct dram_request to_dram[TO_DRAM]; /* ring */
    uint32_t to_dram_head, to_dram_count;
};

/* --- messages --------------------------------------------------------------------------------- */

static uint32_t flits(uint32_t sectors, uint32_t flit_bytes)
{
    uint32_t bytes = HEADER_BYTES + SECTOR_BYTES * (uint32_t)__builtin_popcount(sectors);
    return (bytes + flit_bytes - 1) / flit_bytes;
}

uint32_t request_flits(const struct mem_request *request, uint32_t flit_bytes)
{
    bool data = request->kind == REQUEST_WRITE || request->kind == REQUEST_ATOMIC;
    return flits(data ? request->sectors : 0, flit_bytes);
}

uint32_t reply_flits(const struct mem_request *reply, uint32_t flit_bytes)
{
    return flits(reply->kind == REQUEST_WRITE ? 0 : reply->sectors, flit_bytes);
}

/* --- set-up ----------------------------------------------------------------------------------- */

struct partition *partition_create(const struct partition_config *config, struct error *err)
{
    struct partition *p = ALLOC(struct partition);
    p->config = *config;
    p->releasing = MSHR_NONE;
    if (!cache_create(&p->cache, config->l2_bytes, config->ways, err) ||
        !mshr_create(&p->mshr, config->mshrs, config->merges, err)) {
        error_prefix(err, "L2");
        goto fail;
    }
    p->dram = dram_create(&config->dram, err);
    if (!p->dram)
        goto fail;
    p->dram_wake = dram_quiet(p->dram);
    uint32_t column = config->dram.column_bytes;
    p->granule = column <= SECTOR_BYTES ? 1
                 : column >= LINE_BYTES ? LINE_SECTORS
                                        : column / SECTOR_BYTES;
    p->pipe = ALLOC_ARRAY(struct stage, config->latency);
    p->mshr_line = ALLOC_ARRAY(uint32_t, config->mshrs);
    uint32_t n = config->mshrs * config->merges;
    p->waiting = ALLOC_ARRAY(struct mem_request, n);
    p->free_waiting = ALLOC_ARRAY(uint32_t, n);
    while (p->n_free_waiting < n) {
        p->free_waiting[p->n_free_waiting] = n - 1 - p->n_free_waiting;
        p->n_free_waiting++;
    }
    return p;
fail:
    partition_destroy(p);
    return NULL;
}

void partition_destroy(struct partition *p)
{
    if (!p)
        return;
    cache_destroy(&p->cache);
    mshr_destroy(&p->mshr);
    dram_destroy(p->dram);
    free(p->pipe);
    free(p->mshr_line);
    free(p->waiting);
    free(p->free_waiting);
    free(p);
}

/* --- DRAM side -------------------------------------------------------------------------------- */

/* Widens a sector mask to what DRAM transfers at once. */
static uint8_t whole_columns(const struct partition *p, uint32_t sectors)
{
    if (p->granule == LINE_SECTORS)
        return sectors ? (1u << LINE_SECTORS) - 1 : 0;
    if (p->granule == 2) {
        uint32_t pairs = (sectors | sectors >> 1) & 5u;
        return (uint8_t)(pairs | pairs << 1);
    }
    return (uint8_t)sectors;
}

/* One request per run of adjacent sectors. The caller has checked that there is room. */
static void queue_dram(struct partition *p, uint64_t local, uint32_t sectors, bool write,
                       uint32_t ticket)
{
    uint32_t column = p->config.dram.column_bytes;
    while (sectors) {
        uint32_t first = (uint32_t)__builtin_ctz(sectors);
        uint32_t run = (uint32_t)__builtin_ctz(~(sectors >> first));
        uint32_t mask = ((1u << run) - 1) << first;
        uint64_t from = local + first * SECTOR_BYTES;
        uint64_t to = from + run * SECTOR_BYTES;
        from &= ~(uint64_t)(column - 1);
        to = (to + column - 1) & ~(uint64_t)(column - 1);
        uint32_t tail = (p->to_dram_head + p->to_dram_count++) % TO_DRAM;
        p->to_dram[tail] = (struct dram_request){from, (uint32_t)(to - from),
                                                 ticket | mask << MSHR_TICKET_BITS, write};
        sectors &= ~mask;
    }
}

static void feed_dram(struct partition *p, uint64_t dram_cycle)
{
    partition_dram_until(p, dram_cycle);
    bool any = false;
    while (p->to_dram_count && dram_push(p->dram, &p->to_dram[p->to_dram_head])) {
        p->to_dram_head = (p->to_dram_head + 1) % TO_DRAM;
        p->to_dram_count--;
        any = true;
    }
    if (any)
        p->dram_wake = p->dram_now;
}

void partition_dram_until(struct partition *p, uint64_t cycle)
{
    dram_skip(p->dram, cycle - p->dram_now);
    p->dram_now = cycle;
    uint64_t quiet = dram_quiet(p->dram);
    p->dram_wake = quiet == NEVER ? NEVER : cycle + quiet;
}

uint64_t partition_dram_wake(const struct partition *p)
{
    return partition_dram_idle(p) ? NEVER : p->dram_wake;
}

/* --- L2 --------------------------------------------------------------------------------------- */

static uint32_t touched_words(const struct mem_request *r)
{
    return r->words ? r->words : sector_words(r->sectors);
}

/* Words that must be valid before the request can be completed, given those that are. */
static uint32_t missing_words(const struct mem_request *r, uint32_t valid)
{
    if (r->kind != REQUEST_WRITE)
        return sector_words(r->sectors) & ~valid;
    return r->partial ? touched_words(r) & ~valid : 0;
}

static void reply(struct partition *p, const struct mem_request *r)
{
    net_push(p->config.replies, p->config.index, r->source, reply_flits(r, p->config.flit_bytes),
             r);
}

/* All its words are there. */
static void complete(struct partition *p, const struct mem_request *r, uint32_t line)
{
    if (r->kind == REQUEST_ATOMIC || r->kind == REQUEST_POLL)
        p->config.perform(p->config.user, r);
    if (r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC) {
        p->cache.valid[line] |= touched_words(r);
        p->cache.dirty[line] |= touched_words(r);
    }
}

/* Puts the data of the next completed fetch into L2; false when there is none. */
static bool take_fetched(struct partition *p)
{
    struct dram_request done;
    do {
        if (!dram_pop(p->dram, &done))
            return false;
    } while (done.write);
    uint32_t e = mshr_entry(&p->mshr, done.tag & ((1u << MSHR_TICKET_BITS) - 1));
    uint8_t sectors = (uint8_t)(done.tag >> MSHR_TICKET_BITS);
    p->cache.valid[p->mshr_line[e]] |= sector_words(sectors);
    mshr_arrived(&p->mshr, e, sectors);
    p->releasing = e;
    return true;
}

/* The next request whose data have arrived. */
static bool next_waiter(struct partition *p, uint32_t *id)
{
    while (p->releasing != MSHR_NONE || take_fetched(p)) {
        if (mshr_next(&p->mshr, p->releasing, id))
            return true;
        p->releasing = MSHR_NONE;
    }
    return false;
}

/* Answers at most one waiting request. True when hits may not be answered in this cycle: the reply
 * port is taken or blocked. */
static bool release_waiter(struct partition *p)
{
    uint32_t id;
    if (net_full(p->config.replies, p->config.index))
        return true;
    if (!next_waiter(p, &id))
        return false;
    uint32_t line = p->mshr_line[p->releasing];
    const struct mem_request *r = &p->waiting[id];
    complete(p, r, line);
    if (r->kind != REQUEST_WRITE)
        reply(p, r);
    p->free_waiting[p->n_free_waiting++] = id;
    if (!p->mshr.waiters[p->releasing]) {
        p->cache.pins[line]--;
        p->releasing = MSHR_NONE;
    }
    return true;
}

/* The line's entry, allocated if need be; a dirty victim goes to DRAM. */
static uint32_t allocate(struct partition *p, uint64_t local)
{
    uint32_t line = cache_victim(&p->cache, local);
    if (p->cache.dirty[line]) {
        uint8_t sectors = whole_columns(p, word_sectors(p->cache.dirty[line]));
        queue_dram(p, p->cache.line[line], sectors, true, 0);
        p->stats.writebacks++;
    }
    cache_allocate(&p->cache, line, local);
    return line;
}

/* Puts the request into the MSHR of its line and asks DRAM for what nobody has asked for. */
static void wait_for(struct partition *p, const struct stage *s, uint32_t line, uint8_t sectors)
{
    uint32_t id = p->free_waiting[--p->n_free_waiting];
    uint32_t entry;
    uint8_t fetch;
    p->waiting[id] = s->request;
    if (mshr_add(&p->mshr, s->local, sectors, id, &entry, &fetch) == MSHR_NEW) {
        p->mshr_line[entry] = line;
        p->cache.pins[line]++;
    }
    queue_dram(p, s->local, fetch, false, mshr_ticket(&p->mshr, entry));
}

/* Decides the request at the end of the pipeline; false when it has to stay. */
static bool decide(struct partition *p, const struct stage *s)
{
    const struct mem_request *r = &s->request;
    uint32_t line = cache_find(&p->cache, s->local);
    uint32_t valid = line == CACHE_NONE ? 0 : p->cache.valid[line];
    uint8_t wait = whole_columns(p, word_sectors(missing_words(r, valid)));
    if (line != CACHE_NONE && p->cache.pins[line] &&
        (r->kind == REQUEST_ATOMIC || r->kind == REQUEST_POLL))
        wait |= p->mshr.asked[mshr_find(&p->mshr, s->local)];
    if ((wait || line == CACHE_NONE) && TO_DRAM - p->to_dram_count < MAX_RUNS)
        return false;
    if (wait && mshr_check(&p->mshr, s->local) == MSHR_FULL)
        return false;
    if (line == CACHE_NONE && cache_victim(&p->cache, s->local) == CACHE_NONE)
        return false;

    if (line == CACHE_NONE || wait)
        p->stats.misses++;
    else
        p->stats.hits++;
    if (line == CACHE_NONE)
        line = allocate(p, s->local);
    else
        cache_touch(&p->cache, line);
    if (wait)
        wait_for(p, s, line, wait);
    else
        complete(p, r, line);
    if (!wait || r->kind == REQUEST_WRITE)
        reply(p, r);
    return true;
}

static void accept(struct partition *p, uint64_t l2_cycle)
{
    const struct partition_config *c = &p->config;
    if (p->pipe_count == c->latency || !(net_ready(c->requests) >> c->index & 1))
        return;
    uint32_t at = p->pipe_head + p->pipe_count++;
    struct stage *s = &p->pipe[at < c->latency ? at : at - c->latency];
    s->request = *net_peek(c->requests, c->index);
    s->local = c->local(c->memsys, s->request.line);
    s->at = l2_cycle + c->latency - 1;
    net_take(c->requests, c->index);
}

void partition_tick(struct partition *p, uint64_t l2_cycle, uint64_t dram_cycle)
{
    bool used = release_waiter(p);
    accept(p, l2_cycle);
    const struct stage *head = &p->pipe[p->pipe_head];
    if (!used && p->pipe_count && head->at <= l2_cycle && decide(p, head)) {
        p->pipe_head = p->pipe_head + 1 < p->config.latency ? p->pipe_head + 1 : 0;
        p->pipe_count--;
    }
    if (p->to_dram_count)
        feed_dram(p, dram_cycle);
}

bool partition_idle(const struct partition *p)
{
    return !p->pipe_count && !p->mshr.used && partition_dram_idle(p);
}

bool partition_dram_idle(const struct partition *p)
{
    return !p->to_dram_count && dram_idle(p->dram);
}

uint64_t partition_quiet(const struct partition *p, uint64_t l2_cycle)
{
    if (p->releasing != MSHR_NONE || p->to_dram_count || dram_done(p->dram))
        return 0;
    if (!p->pipe_count)
        return NEVER;
    uint64_t at = p->pipe[p->pipe_head].at;
    return at > l2_cycle ? at - l2_cycle : 0;
}

void partition_forget(struct partition *p, uint64_t local)
{
    uint32_t line = cache_find(&p->cache, local);
    if (line != CACHE_NONE && !p->cache.pins[line])
        cache_invalidate(&p->cache, local);
}

const struct dram_stats *partition_dram_stats(const struct partition *p)
{
    return dram_get_stats(p->dram);
}

const struct partition_stats *partition_get_stats(const struct partition *p)
{
    return &p->stats;
}
