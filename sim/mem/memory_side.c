#include "sim/mem/memory_side.h"

#include <stdlib.h>

#include "base/alloc.h"

#define NEVER UINT64_MAX

/* What a request in DRAM is for; its number is the request's tag. */
struct transaction {
    struct fetched fetched;
    uint32_t bank;
    uint32_t next; /* free ones */
};

/* Data on their way back to a bank, in order. */
struct arrival {
    struct fetched fetched;
    uint64_t at; /* L2 cycle from which on the bank may take them */
};

struct returns {
    struct arrival *entry; /* ring of config.fetches: there are no more in flight */
    uint32_t head, count;
};

struct mem_side {
    struct mem_side_config config;
    struct dram *dram;
    uint64_t dram_now, dram_wake;
    struct transaction *transaction;
    uint32_t free, transactions;
    struct returns *returns; /* per bank */
    uint32_t returning;      /* in all of them */
    uint32_t turn;           /* queue that is looked at first */
    uint64_t stalled_cycles;
};

void access_queue_create(struct access_queue *q, uint32_t size)
{
    *q = (struct access_queue){.entry = ALLOC_ARRAY(struct dram_access, size)};
    q->use.stats.size = size;
}

void access_queue_destroy(struct access_queue *q)
{
    free(q->entry);
    q->entry = NULL;
}

/* --- set-up ----------------------------------------------------------------------------------- */

struct mem_side *mem_side_create(const struct mem_side_config *config, struct error *err)
{
    struct mem_side *s = ALLOC(struct mem_side);
    s->config = *config;
    s->dram = dram_create(&config->dram, err);
    if (!s->dram) {
        mem_side_destroy(s);
        return NULL;
    }
    uint64_t quiet = dram_quiet(s->dram);
    s->dram_wake = quiet;
    s->returns = ALLOC_ARRAY(struct returns, config->banks);
    for (uint32_t b = 0; b < config->banks; b++)
        s->returns[b].entry = ALLOC_ARRAY(struct arrival, config->fetches);
    s->transactions = dram_capacity(s->dram);
    s->transaction = ALLOC_ARRAY(struct transaction, s->transactions);
    for (uint32_t i = 0; i < s->transactions; i++)
        s->transaction[i].next = i + 1;
    return s;
}

void mem_side_destroy(struct mem_side *s)
{
    if (!s)
        return;
    for (uint32_t b = 0; s->returns && b < s->config.banks; b++)
        free(s->returns[b].entry);
    free(s->returns);
    free(s->transaction);
    dram_destroy(s->dram);
    free(s);
}

/* --- from DRAM -------------------------------------------------------------------------------- */

void mem_side_dram_until(struct mem_side *s, uint64_t cycle)
{
    dram_skip(s->dram, cycle - s->dram_now);
    s->dram_now = cycle;
    uint64_t quiet = dram_quiet(s->dram);
    s->dram_wake = quiet == NEVER ? NEVER : cycle + quiet;
}

uint64_t mem_side_dram_wake(const struct mem_side *s)
{
    return dram_idle(s->dram) ? NEVER : s->dram_wake;
}

void mem_side_receive(struct mem_side *s, uint64_t l2_cycle)
{
    struct dram_request done;
    while (dram_pop(s->dram, &done)) {
        struct transaction *t = &s->transaction[done.tag];
        t->next = s->free;
        s->free = done.tag;
        if (done.write)
            continue;
        struct returns *r = &s->returns[t->bank];
        uint32_t at = (r->head + r->count++) % s->config.fetches;
        r->entry[at] = (struct arrival){t->fetched, l2_cycle + s->config.latency};
        s->returning++;
    }
}

const struct fetched *mem_side_fetched(const struct mem_side *s, uint32_t bank, uint64_t l2_cycle)
{
    const struct returns *r = &s->returns[bank];
    const struct arrival *first = &r->entry[r->head];
    return r->count && first->at <= l2_cycle ? &first->fetched : NULL;
}

void mem_side_take(struct mem_side *s, uint32_t bank)
{
    struct returns *r = &s->returns[bank];
    r->head = (r->head + 1) % s->config.fetches;
    r->count--;
    s->returning--;
}

/* --- to DRAM ---------------------------------------------------------------------------------- */

static const struct dram_access *head_of(const struct access_queue *q)
{
    return q->use.count ? &q->entry[q->head] : NULL;
}

/* A fetch must not overtake an older write-back of the same columns in the other lane. */
static bool overtakes(const struct mem_side *s, uint32_t queue)
{
    if (s->config.lanes == 1)
        return false;
    const struct dram_access *a = head_of(&s->config.queues[queue]);
    const struct access_queue *other = &s->config.queues[queue ^ 1];
    uint32_t size = (uint32_t)other->use.stats.size;
    for (uint32_t i = 0; i < other->use.count && !a->write; i++) {
        const struct dram_access *w = &other->entry[(other->head + i) % size];
        if (w->write && w->since < a->since && w->address < a->address + a->bytes &&
            a->address < w->address + w->bytes)
            return true;
    }
    return false;
}

static void send(struct mem_side *s, uint32_t queue, uint64_t l2_cycle)
{
    struct access_queue *q = &s->config.queues[queue];
    const struct dram_access *a = head_of(q);
    uint32_t id = s->free;
    s->free = s->transaction[id].next;
    s->transaction[id] = (struct transaction){.fetched = {.mshr = a->mshr, .sectors = a->sectors},
                                              .bank = queue / s->config.lanes};
    dram_push(s->dram, &(struct dram_request){.address = a->address,
                                              .bytes = a->bytes,
                                              .tag = id,
                                              .write = a->write,
                                              .class = a->class});
    s->dram_wake = s->dram_now;
    q->head = q->head + 1 < q->use.stats.size ? q->head + 1 : 0;
    occupancy_leave(&q->use, l2_cycle);
}

/* One access, of the first queue in turn whose head may go. True when a full controller held one.
 */
static bool feed(struct mem_side *s, uint64_t l2_cycle)
{
    uint32_t n = s->config.banks * s->config.lanes;
    bool stalled = false;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t queue = s->turn + i < n ? s->turn + i : s->turn + i - n;
        const struct dram_access *a = head_of(&s->config.queues[queue]);
        if (!a)
            continue;
        if (!dram_room(s->dram, a->class)) {
            stalled = true;
        } else if (s->free < s->transactions && !overtakes(s, queue)) {
            send(s, queue, l2_cycle);
            s->turn = queue + 1 < n ? queue + 1 : 0;
            break;
        }
    }
    return stalled;
}

bool mem_side_send(struct mem_side *s, uint64_t l2_cycle, uint64_t dram_cycle)
{
    bool any = false;
    for (uint32_t i = 0; i < s->config.banks * s->config.lanes; i++)
        any |= s->config.queues[i].use.count != 0;
    if (!any)
        return false;
    mem_side_dram_until(s, dram_cycle);
    bool stalled = feed(s, l2_cycle);
    s->stalled_cycles += stalled;
    return stalled;
}

/* --- questions -------------------------------------------------------------------------------- */

bool mem_side_idle(const struct mem_side *s)
{
    return !s->returning && dram_idle(s->dram);
}

uint64_t mem_side_quiet(const struct mem_side *s, uint64_t l2_cycle)
{
    if (dram_done(s->dram))
        return 0;
    uint64_t first = NEVER;
    for (uint32_t b = 0; s->returning && b < s->config.banks; b++) {
        const struct returns *r = &s->returns[b];
        if (r->count && r->entry[r->head].at < first)
            first = r->entry[r->head].at;
    }
    if (first == NEVER)
        return NEVER;
    return first > l2_cycle ? first - l2_cycle : 0;
}

void mem_side_stats(const struct mem_side *s, struct mem_side_stats *stats)
{
    *stats = (struct mem_side_stats){.stalled = s->stalled_cycles};
    dram_queue_stats(s->dram, &stats->controller);
}

const struct dram_stats *mem_side_dram_stats(const struct mem_side *s)
{
    return dram_get_stats(s->dram);
}
