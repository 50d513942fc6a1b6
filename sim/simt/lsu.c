/* One line transaction, or one cycle of shared memory, per core cycle, in issue
 * order. L1 is write-through without allocation on writes; misses wait in MSHRs. */
#include "sim/simt/lsu.h"

#include <stdlib.h>

#include "sim/base/alloc.h"
#include "sim/mem/system.h"
#include "sim/simt/core_internal.h"

#define ACCESS_MASK     ((1u << ACCESS_BITS) - 1)
#define GENERATION_MASK ((1u << (32 - TAG_KIND_BITS - ACCESS_BITS)) - 1)
#define SLOT_BITS       6

static bool create_l1(struct core *c, struct error *err)
{
    const struct core_config *config = &c->config;
    c->lsu.has_l1 = config->l1_bytes != 0;
    if (!c->lsu.has_l1)
        return true;
    if (cache_create(&c->lsu.l1,
                     &(struct cache_shape){config->l1_bytes, config->l1_ways, config->l1_index},
                     err) &&
        mshr_create(&c->lsu.l1_mshr, config->l1_mshrs, config->l1_mshr_merges, err))
        return true;
    error_prefix(err, "L1 cache");
    return false;
}

bool lsu_create(struct core *c, struct error *err)
{
    if (!create_l1(c, err))
        return false;
    if (!cache_create(
            &c->lsu.constant,
            &(struct cache_shape){c->config.const_bytes, c->config.const_ways, INDEX_PLAIN}, err) ||
        !mshr_create(&c->lsu.const_mshr, CONST_MSHRS, SLOTS, err)) {
        error_prefix(err, "constant cache");
        return false;
    }
    c->lsu.access = ALLOC_ARRAY(struct access, ACCESSES);
    c->lsu.free_access = ALLOC_ARRAY(uint16_t, ACCESSES);
    for (uint32_t i = 0; i < ACCESSES; i++)
        c->lsu.free_access[c->lsu.n_free++] = (uint16_t)(ACCESSES - 1 - i);
    for (uint32_t w = 0; w < SLOTS; w++)
        c->lsu.load.first[w] = c->lsu.load.last[w] = NO_ACCESS;
    return true;
}

void lsu_destroy(struct core *c)
{
    if (c->lsu.has_l1) {
        cache_destroy(&c->lsu.l1);
        mshr_destroy(&c->lsu.l1_mshr);
    }
    cache_destroy(&c->lsu.constant);
    mshr_destroy(&c->lsu.const_mshr);
    free(c->lsu.access);
    free(c->lsu.free_access);
}

/* --- records ---------------------------------------------------------------------------------- */

struct access *access_take(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct access *a = &c->lsu.access[c->lsu.free_access[--c->lsu.n_free]];
    a->inst = inst;
    a->seq = issue_number(&c->issue, w);
    a->generation = (a->generation + 1) & GENERATION_MASK;
    a->mask = mask;
    a->point = stack_point(&c->stacks, w);
    a->warp = (uint8_t)w;
    a->account = store_account(c, w);
    a->route = ROUTE_NONE;
    a->queued = a->dropped = a->missed = false;
    a->n_tx = a->next_tx = a->shared_cycles = a->unperformed = 0;
    return a;
}

void access_free(struct lsu *l, struct access *a)
{
    a->generation = (a->generation + 1) & GENERATION_MASK;
    l->free_access[l->n_free++] = lsu_index(l, a);
}

void access_append(struct lsu *l, struct access_list *list, struct access *a)
{
    uint32_t w = a->warp;
    uint16_t i = lsu_index(l, a);
    a->next = NO_ACCESS;
    a->prev = list->last[w];
    if (a->prev == NO_ACCESS)
        list->first[w] = i;
    else
        l->access[a->prev].next = i;
    list->last[w] = i;
}

void access_unlink(struct lsu *l, struct access_list *list, struct access *a)
{
    uint32_t w = a->warp;
    if (a->prev == NO_ACCESS)
        list->first[w] = a->next;
    else
        l->access[a->prev].next = a->next;
    if (a->next == NO_ACCESS)
        list->last[w] = a->prev;
    else
        l->access[a->next].prev = a->prev;
}

static void count_in_flight(struct core *c, struct access *a)
{
    const struct core_config *config = &c->config;
    uint32_t w = a->warp;
    uint64_t done = clock_now(&c->clock) + c->lsu.count + config->shared_latency;
    switch ((enum access_count)a->count) {
    case COUNT_LOAD:
        c->lsu.loads[w]++;
        access_append(&c->lsu, &c->lsu.load, a);
        return;
    case COUNT_REMOTE:
        remote_accept(c, a);
        return;
    case COUNT_STORE:
        c->lsu.stores[w] += a->n_tx;
        if (!a->shared_cycles)
            return;
        break;
    default:
        if (a->route == ROUTE_CONST)
            done += config->const_latency;
        break;
    }
    pipe_enter(&c->scoreboard, w, done);
}

void lsu_accept(struct core *c, struct access *a)
{
    count_in_flight(c, a);
    a->queued = true;
    c->lsu.queue[(c->lsu.head + c->lsu.count++) % MAX_LDST_QUEUE] = lsu_index(&c->lsu, a);
}

/* Replies to what has been dropped no longer match. */
void lsu_drop_loads(struct lsu *l, uint32_t w)
{
    for (uint16_t i = l->load.first[w]; i != NO_ACCESS;) {
        struct access *a = &l->access[i];
        if (a->route == ROUTE_L1)
            mshr_drop(&l->l1_mshr, i);
        i = a->next;
        if (a->queued) {
            a->dropped = true;
            a->generation++;
        } else {
            access_free(l, a);
        }
    }
    l->load.first[w] = l->load.last[w] = NO_ACCESS;
    l->loads[w] = 0;
    l->blocked = false;
}

/* --- transactions ----------------------------------------------------------------------------- */

bool lsu_send(struct core *c, uint8_t kind, const struct transaction *tx, uint32_t tag)
{
    struct mem_request request = {.line = tx->line,
                                  .tag = tag,
                                  .source = (uint16_t)c->env.port,
                                  .kind = kind,
                                  .sectors = tx->sectors,
                                  .words = tx->words,
                                  .partial = tx->partial};
    if (c->lsu.port_used || !memsys_request(c->env.memsys, &request))
        return false;
    c->lsu.port_used = true;
    return true;
}

/* `latency` counts from issue; the queue's cycle is part of it. */
static void part_done_after(struct core *c, const struct access *a, uint32_t latency)
{
    uint64_t done = clock_now(&c->clock) + (latency > 1 ? latency - 1 : 1);
    struct node *n = wheel_add(&c->wheel, done);
    n->kind = NODE_ACCESS;
    n->warp = a->warp;
    n->access = lsu_index(&c->lsu, a);
    n->generation = a->generation;
    if (a->count == COUNT_PIPE)
        pipe_until(&c->scoreboard, a->warp, done);
}

/* A miss: false when it must be tried again. */
static bool miss(struct core *c, struct access *a, struct mshr_table *mshr, uint32_t tag,
                 const struct transaction *tx)
{
    uint32_t entry = mshr_find(mshr, tx->line);
    uint8_t need = entry == MSHR_NONE ? tx->sectors : (uint8_t)(tx->sectors & ~mshr->asked[entry]);
    if (mshr_check(mshr, tx->line) == MSHR_FULL) {
        c->lsu.blocked = true;
        return false;
    }
    if (need && (c->lsu.port_used || !memsys_can_request(c->env.memsys, c->env.port)))
        return false;
    uint8_t fetch;
    mshr_add(mshr, tx->line, tx->sectors, lsu_index(&c->lsu, a), &entry, &fetch);
    if (fetch) {
        struct transaction ask = *tx;
        ask.sectors = fetch;
        ask.words = sector_words(fetch);
        ask.partial = 0;
        lsu_send(c, REQUEST_READ, &ask, mshr_ticket(mshr, entry) << TAG_KIND_BITS | tag);
    }
    return true;
}

static bool through_l1(struct core *c, struct access *a, const struct transaction *tx)
{
    if (cache_hit(&c->lsu.l1, tx->line, tx->sectors)) {
        c->lsu.l1_hits++;
        part_done_after(c, a, c->config.l1_latency);
        return true;
    }
    if (!miss(c, a, &c->lsu.l1_mshr, TAG_L1, tx))
        return false;
    c->lsu.l1_misses++;
    return true;
}

static bool through_constant(struct core *c, struct access *a, const struct transaction *tx)
{
    if (cache_hit(&c->lsu.constant, tx->line, tx->sectors)) {
        part_done_after(c, a, c->config.const_latency);
        return true;
    }
    struct transaction line = *tx;
    line.sectors = 0xF;
    if (!miss(c, a, &c->lsu.const_mshr, TAG_CONST, &line))
        return false;
    c->lsu.const_misses++;
    if (!a->missed)
        c->lsu.const_waits[a->warp]++;
    a->missed = true;
    return true;
}

static bool transact(struct core *c, struct access *a)
{
    const struct transaction *tx = &a->tx[a->next_tx];
    uint32_t index = lsu_index(&c->lsu, a), tag;
    switch ((enum access_route)a->route) {
    case ROUTE_L1:
        return through_l1(c, a, tx);
    case ROUTE_CONST:
        return through_constant(c, a, tx);
    case ROUTE_DIRECT:
        tag = (a->generation << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_DIRECT;
        return lsu_send(c, REQUEST_READ, tx, tag);
    case ROUTE_STORE:
        tag = ((uint32_t)a->account << SLOT_BITS | a->warp) << TAG_KIND_BITS | TAG_STORE;
        return lsu_send(c, REQUEST_WRITE, tx, tag);
    default:
        tag = ((uint32_t)a->next_tx << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_REMOTE;
        return lsu_send(c, a->inst->class == INST_ATOMIC ? REQUEST_ATOMIC : REQUEST_POLL, tx, tag);
    }
}

static void dequeue(struct core *c, struct access *a)
{
    a->queued = false;
    c->lsu.head = (c->lsu.head + 1) % MAX_LDST_QUEUE;
    c->lsu.count--;
    if (a->dropped || (a->count == COUNT_STORE && !a->remaining))
        access_free(&c->lsu, a);
}

void lsu_tick(struct core *c)
{
    if (c->lsu.busy > clock_now(&c->clock) || c->lsu.blocked)
        return;
    struct access *a = &c->lsu.access[c->lsu.queue[c->lsu.head]];
    while (a->dropped) {
        dequeue(c, a);
        if (!c->lsu.count)
            return;
        a = &c->lsu.access[c->lsu.queue[c->lsu.head]];
    }
    if (a->shared_cycles) {
        c->lsu.busy = clock_now(&c->clock) + a->shared_cycles;
        part_done_after(c, a, a->shared_cycles - 1u + c->config.shared_latency);
        a->shared_cycles = 0;
    } else if (transact(c, a)) {
        a->next_tx++;
    }
    if (a->next_tx == a->n_tx)
        dequeue(c, a);
}

/* --- completion ------------------------------------------------------------------------------- */

static void load_done(struct core *c, struct access *a)
{
    uint32_t w = a->warp;
    access_unlink(&c->lsu, &c->lsu.load, a);
    if (!--c->lsu.loads[w])
        replay_clear(&c->replay, w);
    else if (a->seq > lsu_oldest_load(&c->lsu, w)->seq)
        replay_pass(&c->replay, w, a->seq);
}

void lsu_part_done(struct core *c, uint16_t index)
{
    struct access *a = &c->lsu.access[index];
    uint32_t w = a->warp;
    if (--a->remaining)
        return;
    switch ((enum access_count)a->count) {
    case COUNT_LOAD:
        load_done(c, a);
        break;
    case COUNT_REMOTE:
        remotes_done(&c->remotes, w);
        break;
    default:
        pipe_leave(&c->scoreboard, w);
        c->lsu.const_waits[w] -= a->missed;
        break;
    }
    if (a->count != COUNT_STORE)
        pending_clear(&c->scoreboard, w, a->inst);
    if (!a->queued)
        access_free(&c->lsu, a);
    issue_refresh(c, w);
    warp_settle(c, w);
}

static void fill(struct core *c, struct cache *cache, struct mshr_table *mshr, uint32_t ticket,
                 uint8_t sectors)
{
    uint32_t entry = mshr_entry(mshr, ticket);
    if (entry == MSHR_NONE) /* every load that waited for it was dropped */
        return;
    cache_fill(cache, mshr->line[entry], sectors);
    mshr_arrived(mshr, entry, sectors);
    uint32_t waiter;
    while (mshr_next(mshr, entry, &waiter))
        lsu_part_done(c, (uint16_t)waiter);
}

/* `value`: the tag without its kind; the sectors that came are in its owner's MSHR. */
void lsu_reply(struct core *c, const struct mem_request *reply)
{
    uint32_t value = reply->tag >> TAG_KIND_BITS;
    uint16_t index = value & ACCESS_MASK;
    c->lsu.blocked = false;
    switch ((enum tag_kind)(reply->tag & ((1u << TAG_KIND_BITS) - 1))) {
    case TAG_L1:
        fill(c, &c->lsu.l1, &c->lsu.l1_mshr, value, reply->sectors);
        break;
    case TAG_CONST:
        fill(c, &c->lsu.constant, &c->lsu.const_mshr, value, reply->sectors);
        break;
    case TAG_DIRECT:
        if (c->lsu.access[index].generation == value >> ACCESS_BITS)
            lsu_part_done(c, index);
        break;
    default:
        lsu_part_done(c, index);
        break;
    }
}

void lsu_store_done(struct core *c, uint32_t value)
{
    uint32_t w = value & ((1u << SLOT_BITS) - 1), account = value >> SLOT_BITS;
    if (!account && store_account(c, w)) {
        event_victim_stored(&c->events, warp_of(&c->warps, w)->entry);
        return;
    }
    c->lsu.stores[w]--;
    warp_settle(c, w);
}

void lsu_stats(const struct lsu *l, struct core_stats *stats)
{
    stats->l1_hits = l->l1_hits;
    stats->l1_misses = l->l1_misses;
    stats->const_misses = l->const_misses;
}
