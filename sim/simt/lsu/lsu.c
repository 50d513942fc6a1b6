/* One line transaction, or one cycle of shared memory, per core cycle, in issue order. A head that
 * cannot go on holds the rest up, and its cycles are counted by cause. Events may have a queue of
 * their own, whose head goes first; when it is held, the other queue's has the cycle. */
#include "sim/simt/lsu/lsu.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/memsys.h"
#include "sim/simt/core_internal.h"

#define ACCESS_MASK     ((1u << ACCESS_BITS) - 1)
#define GENERATION_MASK ((1u << (32 - TAG_KIND_BITS - ACCESS_BITS)) - 1)
#define SLOT_BITS       6

bool lsu_create(struct core *c, struct error *err)
{
    if (!l1_create(&c->l1, &c->config, err))
        return false;
    c->lsu.queue[0].use.stats.size = c->config.ldst_queue;
    c->lsu.queue[1].use.stats.size = c->config.event_queue;
    if (!cache_create(
            &c->lsu.constant,
            &(struct cache_shape){c->config.const_bytes, c->config.const_ways, INDEX_PLAIN, 0},
            err) ||
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
    l1_destroy(&c->l1);
    cache_destroy(&c->lsu.constant);
    mshr_destroy(&c->lsu.const_mshr);
    free(c->lsu.access);
    free(c->lsu.free_access);
}

static struct lsu_queue *queue_of(struct core *c, const struct access *a)
{
    return &c->lsu.queue[a->event];
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
    a->n_tx = a->next_tx = a->shared_cycles = a->unperformed = a->unanswered = 0;
    a->region = false;
    a->event = c->config.event_queue && event_on(&c->events, w);
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
    uint64_t done = clock_now(&c->clock) + queue_of(c, a)->use.count + config->operand_cycles +
                    config->shared_latency;
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
    a->ready = clock_now(&c->clock) + 1 + c->config.operand_cycles;
    struct lsu_queue *q = queue_of(c, a);
    q->entry[(q->head + q->use.count) % MAX_LDST_QUEUE] = lsu_index(&c->lsu, a);
    occupancy_enter(&q->use, clock_now(&c->clock));
}

/* Replies to what has been dropped no longer match. */
void lsu_drop_loads(struct core *c, uint32_t w)
{
    struct lsu *l = &c->lsu;
    for (uint16_t i = l->load.first[w]; i != NO_ACCESS;) {
        struct access *a = &l->access[i];
        if (a->route == ROUTE_L1)
            l1_drop(c, i, a->tx, a->next_tx);
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
    l->queue[0].blocked = l->queue[1].blocked = false;
}

/* --- transactions ----------------------------------------------------------------------------- */

bool lsu_can_send(const struct core *c, bool event)
{
    if (c->lsu.port_used)
        return false;
    return event ? memsys_can_request_event(c->env.memsys, c->env.port)
                 : memsys_can_request(c->env.memsys, c->env.port);
}

struct mem_request lsu_request(const struct core *c, uint8_t kind, const struct transaction *tx,
                               uint32_t tag)
{
    return (struct mem_request){.line = tx->line,
                                .tag = tag,
                                .source = (uint16_t)c->env.port,
                                .kind = kind,
                                .sectors = tx->sectors,
                                .words = tx->words,
                                .partial = tx->partial,
                                .collisions = tx->collisions,
                                .event = tx->event,
                                .owner = tx->owner};
}

/* Of the synchronised region: reads wait for full, writes fill, atomics wait for full and fill
 * (full/empty paper, section 4.1). */
static struct mem_request region_request(const struct core *c, const struct access *a)
{
    const struct transaction *tx = &a->tx[a->next_tx];
    uint32_t class = a->inst->class;
    uint32_t index = lsu_index(&c->lsu, a);
    uint32_t tag = ((uint32_t)a->next_tx << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_REMOTE;
    struct mem_request r = lsu_request(c,
                                       class == INST_ATOMIC  ? REQUEST_ATOMIC
                                       : class == INST_STORE ? REQUEST_WRITE
                                                             : REQUEST_READ,
                                       tx, tag);
    r.trigger = class == INST_STORE ? TRIGGER_NONE : TRIGGER_FULL;
    r.action = class == INST_LOAD ? ACTION_NONE : ACTION_FILL;
    return r;
}

bool lsu_forward(struct core *c, const struct mem_request *request)
{
    if (c->lsu.port_used || !memsys_request(c->env.memsys, request))
        return false;
    c->lsu.port_used = true;
    return true;
}

bool lsu_send(struct core *c, uint8_t kind, const struct transaction *tx, uint32_t tag)
{
    struct mem_request request = lsu_request(c, kind, tx, tag);
    return lsu_forward(c, &request);
}

/* The access at the head of its queue is held, or not any more. */
static bool hold(struct core *c, const struct access *a, enum lsu_hold why)
{
    struct lsu_queue *q = queue_of(c, a);
    if (why != q->held) {
        uint64_t now = clock_now(&c->clock);
        q->hold_cycles[q->held] += now - q->held_since;
        q->held_since = now;
        q->held = (uint8_t)why;
    }
    return why == LSU_FREE;
}

/* `latency` counts from issue and operands; the queue's cycle is part of it. */
static void part_done_after(struct core *c, const struct access *a, uint32_t latency)
{
    uint64_t done =
        clock_now(&c->clock) + (latency > 1 ? latency - 1 : 1) + c->config.writeback_cycles;
    struct node *n = wheel_add(&c->wheel, done);
    n->kind = NODE_ACCESS;
    n->warp = a->warp;
    n->access = lsu_index(&c->lsu, a);
    n->generation = a->generation;
    if (a->count == COUNT_PIPE)
        pipe_until(&c->scoreboard, a->warp, done);
}

static bool through_l1(struct core *c, struct access *a, const struct transaction *tx)
{
    static const enum lsu_hold holds[L1_RESULTS] = {LSU_FREE, LSU_FREE,      LSU_MSHR,   LSU_MERGE,
                                                    LSU_WAY,  LSU_WRITEBACK, LSU_NETWORK};
    enum l1_result result = l1_load(c, tx, lsu_index(&c->lsu, a));
    if (result == L1_HIT)
        part_done_after(c, a, c->config.l1_latency);
    /* Only a reply frees an MSHR or a way. */
    queue_of(c, a)->blocked =
        result == L1_HELD_MSHR || result == L1_HELD_MERGE || result == L1_HELD_WAY;
    return hold(c, a, holds[result]);
}

/* A miss of the constant cache; false when it must be tried again. */
static bool constant_miss(struct core *c, const struct access *a, uint64_t line)
{
    struct mshr_table *mshr = &c->lsu.const_mshr;
    enum mshr_result result = mshr_check(mshr, line);
    queue_of(c, a)->blocked = result == MSHR_FULL;
    if (result == MSHR_FULL)
        return hold(c, a, LSU_MSHR);
    if (result == MSHR_NEW && !lsu_can_send(c, a->event))
        return hold(c, a, LSU_NETWORK);
    uint32_t entry;
    uint8_t ask;
    mshr_add(mshr, line, ALL_SECTORS, lsu_index(&c->lsu, a), &entry, &ask);
    if (ask) {
        struct transaction tx = {.line = line,
                                 .words = sector_words(ask),
                                 .sectors = ask,
                                 .event = a->event,
                                 .owner = a->owner};
        lsu_send(c, REQUEST_READ, &tx, mshr_ticket(mshr, entry) << TAG_KIND_BITS | TAG_CONST);
    }
    return hold(c, a, LSU_FREE);
}

static bool through_constant(struct core *c, struct access *a, const struct transaction *tx)
{
    if (cache_hit(&c->lsu.constant, tx->line, tx->sectors)) {
        part_done_after(c, a, c->config.const_latency);
        return true;
    }
    if (!constant_miss(c, a, tx->line))
        return false;
    c->lsu.const_misses++;
    if (!a->missed)
        c->lsu.const_waits[a->warp]++;
    a->missed = true;
    return true;
}

static bool through_port(struct core *c, const struct access *a, uint8_t kind, uint32_t tag)
{
    return hold(c, a, lsu_send(c, kind, &a->tx[a->next_tx], tag) ? LSU_FREE : LSU_NETWORK);
}

static bool store(struct core *c, const struct access *a, const struct transaction *tx)
{
    uint32_t value = (uint32_t)a->account << SLOT_BITS | a->warp;
    if (!lsu_can_send(c, a->event))
        return hold(c, a, LSU_NETWORK);
    if (l1_store(c, tx)) {
        lsu_store_done(c, value);
        return hold(c, a, LSU_FREE);
    }
    return through_port(c, a, REQUEST_WRITE, value << TAG_KIND_BITS | TAG_STORE);
}

static bool to_bus(struct core *c, const struct access *a)
{
    uint32_t account = (uint32_t)a->account << SLOT_BITS | a->warp;
    if (!lsu_can_send(c, a->event) || !bus_send(c, a, account))
        return hold(c, a, LSU_NETWORK);
    c->lsu.port_used = true;
    return hold(c, a, LSU_FREE);
}

static bool transact(struct core *c, struct access *a)
{
    const struct transaction *tx = &a->tx[a->next_tx];
    uint32_t index = lsu_index(&c->lsu, a), tag;
    if (tx->region) {
        struct mem_request request = region_request(c, a);
        return hold(c, a, lsu_forward(c, &request) ? LSU_FREE : LSU_NETWORK);
    }
    switch ((enum access_route)a->route) {
    case ROUTE_L1:
        return through_l1(c, a, tx);
    case ROUTE_CONST:
        return through_constant(c, a, tx);
    case ROUTE_DIRECT:
        tag = (a->generation << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_DIRECT;
        return through_port(c, a, REQUEST_READ, tag);
    case ROUTE_STORE:
        return store(c, a, tx);
    case ROUTE_BUS:
        return to_bus(c, a);
    default:
        tag = ((uint32_t)a->next_tx << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_REMOTE;
        return through_port(c, a, a->inst->class == INST_ATOMIC ? REQUEST_ATOMIC : REQUEST_POLL,
                            tag);
    }
}

static void dequeue(struct core *c, struct access *a)
{
    struct lsu_queue *q = queue_of(c, a);
    a->queued = false;
    if (a->route == ROUTE_BUS)
        bus_release(c, a);
    q->head = (q->head + 1) % MAX_LDST_QUEUE;
    occupancy_leave(&q->use, clock_now(&c->clock));
    if (a->dropped)
        hold(c, a, LSU_FREE);
    if (a->dropped || (a->count == COUNT_STORE && !a->remaining && !a->unanswered))
        access_free(&c->lsu, a);
}

/* The first access in the queue that has not been dropped; NULL: there is none. */
static struct access *queue_first(struct core *c, const struct lsu_queue *q)
{
    while (q->use.count) {
        struct access *a = &c->lsu.access[q->entry[q->head]];
        if (!a->dropped)
            return a;
        dequeue(c, a);
    }
    return NULL;
}

/* The head of the queue goes on; false when it cannot. */
static bool serve(struct core *c, const struct lsu_queue *q, uint64_t now)
{
    if (q->blocked)
        return false;
    struct access *a = queue_first(c, q);
    if (!a || a->ready > now)
        return false;
    bool went = true;
    if (a->shared_cycles) {
        c->lsu.busy = now + a->shared_cycles;
        part_done_after(c, a, a->shared_cycles - 1u + c->config.shared_latency);
        a->shared_cycles = 0;
    } else if ((went = transact(c, a))) {
        a->next_tx++;
    }
    if (a->next_tx == a->n_tx)
        dequeue(c, a);
    return went;
}

void lsu_tick(struct core *c)
{
    uint64_t now = clock_now(&c->clock);
    if (l1_sends(&c->l1))
        l1_send(c);
    if (c->lsu.busy > now)
        return;
    if (!c->lsu.queue[1].use.count || !serve(c, &c->lsu.queue[1], now))
        serve(c, &c->lsu.queue[0], now);
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
    if (!a->queued && !a->unanswered)
        access_free(&c->lsu, a);
    issue_refresh(c, w);
    warp_settle(c, w);
}

/* A reply to what was performed later: the tag without its kind. */
static void remote_reply(struct core *c, uint32_t value)
{
    uint16_t index = value & ACCESS_MASK;
    struct access *a = &c->lsu.access[index];
    bool region = a->tx[value >> ACCESS_BITS].region, is_store = a->count == COUNT_STORE;
    if (region)
        region_answered(c, is_store);
    if (!is_store) {
        lsu_part_done(c, index);
        return;
    }
    uint32_t account = (uint32_t)a->account << SLOT_BITS | a->warp;
    if (!--a->unanswered && !a->queued && !a->remaining)
        access_free(&c->lsu, a);
    lsu_store_done(c, account);
}

static void constant_fill(struct core *c, uint32_t ticket, uint8_t sectors)
{
    struct mshr_table *mshr = &c->lsu.const_mshr;
    uint32_t entry = mshr_entry(mshr, ticket);
    cache_fill(&c->lsu.constant, mshr->line[entry], sectors);
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
    c->lsu.queue[0].blocked = c->lsu.queue[1].blocked = false;
    switch ((enum tag_kind)(reply->tag & ((1u << TAG_KIND_BITS) - 1))) {
    case TAG_L1:
        l1_fill(c, value, reply->sectors);
        break;
    case TAG_CONST:
        constant_fill(c, value, reply->sectors);
        break;
    case TAG_DIRECT:
        if (c->lsu.access[index].generation == value >> ACCESS_BITS)
            lsu_part_done(c, index);
        break;
    default:
        remote_reply(c, value);
        break;
    }
}

void lsu_store_done(struct core *c, uint32_t value)
{
    if (value == TAG_OF_WRITEBACK >> TAG_KIND_BITS)
        return;
    uint32_t w = value & ((1u << SLOT_BITS) - 1), account = value >> SLOT_BITS;
    if (!account && store_account(c, w)) {
        event_victim_stored(&c->events, warp_of(&c->warps, w)->entry);
        return;
    }
    c->lsu.stores[w]--;
    warp_settle(c, w);
}

/* --- questions -------------------------------------------------------------------------------- */

static bool defines(const struct access *a, const struct inst *user)
{
    uint64_t common = 0;
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        common |= a->inst->def_set[i] & user->use_set[i];
    return common != 0;
}

enum warp_state lsu_late(const struct access *a, const struct inst *next)
{
    if (!defines(a, next))
        return WARP_DEPENDENCE;
    if (a->route == ROUTE_CONST)
        return WARP_CONSTANT;
    return a->conflicts ? WARP_BANKS : WARP_SHARED;
}

const struct access *lsu_late_load(const struct lsu *l, uint32_t w, const struct inst *next)
{
    for (const struct access *a = lsu_oldest_load(l, w); a; a = lsu_next_load(l, a)) {
        if (defines(a, next))
            return a;
    }
    return NULL;
}

const struct access *lsu_queue_at(const struct lsu *l, uint32_t n)
{
    uint32_t first = l->queue[0].use.count;
    const struct lsu_queue *q = &l->queue[n >= first];
    n -= n >= first ? first : 0;
    return &l->access[q->entry[(q->head + n) % MAX_LDST_QUEUE]];
}

/* The unit works for longer than a cycle only where banks conflict. */
enum warp_state lsu_taken_by(const struct lsu *l, uint64_t now)
{
    const struct lsu_queue *q = &l->queue[0];
    if (l->busy > now)
        return WARP_BANKS;
    return q->held == LSU_FREE && !q->blocked ? WARP_LOAD_STORE : WARP_MEMORY;
}

void lsu_stats(const struct lsu *l, uint64_t now, struct core_stats *stats)
{
    struct queue_stats queue = {.size = 0};
    stats->const_misses = l->const_misses;
    for (uint32_t i = 0; i < 2; i++) {
        const struct lsu_queue *q = &l->queue[i];
        for (uint32_t h = 0; h < LSU_HOLDS; h++)
            stats->lsu_held[h] += q->hold_cycles[h] + (h == q->held ? now - q->held_since : 0);
        queue_stats_add(&queue, &q->use, now);
    }
    stats->lsu_held[LSU_FREE] = 0;
    stats->lsu_queue_cycles = queue.occupied;
    stats->lsu_queue_full = queue.full;
}
