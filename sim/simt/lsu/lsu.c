/* One line transaction, or one cycle of shared memory, per core cycle, in issue order. A head that
 * cannot go on holds the rest up, and its cycles are counted by cause. Events may have a queue of
 * their own, whose head goes first; when it is held, the other queue's has the cycle. */
#include "sim/simt/lsu/lsu.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/memsys.h"

#define ACCESS_MASK ((1u << ACCESS_BITS) - 1)
#define SLOT_BITS   6

bool lsu_create(struct lsu *l, struct slots *slots, struct error *err)
{
    const struct core_config *config = &slots->config;
    l->slots = slots;
    port_create(&l->port, slots);
    accesses_create(&l->pool, slots);
    l2_accesses_create(&l->l2_accesses, slots, &l->pool);
    copies_create(&l->copies, slots, &l->pool);
    bus_create(&l->bus, slots);
    replay_create(&l->replay, slots);
    access_list_create(&l->load);
    l->queue[0].use.stats.size = config->ldst_queue;
    l->queue[1].use.stats.size = config->event_queue;
    if (!l1_create(&l->l1, slots, &l->port, err))
        return false;
    struct cache_shape constant = {config->const_bytes, config->const_ways, INDEX_PLAIN, 0};
    if (!cache_create(&l->constant, &constant, err) ||
        !mshr_create(&l->const_mshr, CONST_MSHRS, SLOTS, err)) {
        error_prefix(err, "constant cache");
        return false;
    }
    return true;
}

void lsu_destroy(struct lsu *l)
{
    l1_destroy(&l->l1);
    cache_destroy(&l->constant);
    mshr_destroy(&l->const_mshr);
    replay_destroy(&l->replay);
    bus_destroy(&l->bus);
    copies_destroy(&l->copies);
    l2_accesses_destroy(&l->l2_accesses);
    accesses_destroy(&l->pool);
}

static struct lsu_queue *queue_of(struct lsu *l, const struct access *a)
{
    return &l->queue[a->event];
}

/* --- from issue ------------------------------------------------------------------------------- */

static void count_in_flight(struct lsu *l, struct access *a)
{
    const struct core_config *config = &l->slots->config;
    uint32_t w = a->warp;
    uint64_t done = clock_now(&l->slots->clock) + queue_of(l, a)->use.count +
                    config->operand_cycles + config->shared_latency;
    switch ((enum access_count)a->count) {
    case COUNT_LOAD:
        l->loads[w]++;
        access_append(&l->pool, &l->load, a);
        return;
    case COUNT_L2:
        l2_access_accept(&l->l2_accesses, a);
        return;
    case COUNT_COPY:
        copies_enter(&l->copies, a);
        return;
    case COUNT_STORE:
        l->stores[w] += a->n_tx;
        if (!a->shared_cycles)
            return;
        break;
    default:
        if (a->route == ROUTE_CONST)
            done += config->const_latency;
        break;
    }
    pipe_enter(&l->slots->scoreboard, w, done);
}

void lsu_accept(struct lsu *l, struct access *a)
{
    count_in_flight(l, a);
    a->account = l->account[a->warp];
    a->queued = true;
    a->ready = clock_now(&l->slots->clock) + 1 + l->slots->config.operand_cycles;
    struct lsu_queue *q = queue_of(l, a);
    q->entry[(q->head + q->use.count) % MAX_LDST_QUEUE] = access_index(&l->pool, a);
    occupancy_enter(&q->use, clock_now(&l->slots->clock));
}

/* Replies to what has been dropped no longer match. */
void lsu_forget_loads(struct lsu *l, uint32_t w)
{
    for (uint16_t i = l->load.first[w]; i != NO_ACCESS;) {
        struct access *a = access_at(&l->pool, i);
        if (a->route == ROUTE_L1)
            l1_drop(&l->l1, i, a->tx, a->next_tx);
        i = a->next;
        if (a->queued) {
            a->dropped = true;
            a->generation++;
        } else {
            access_free(&l->pool, a);
        }
    }
    l->load.first[w] = l->load.last[w] = NO_ACCESS;
    l->loads[w] = 0;
    l->queue[0].blocked = l->queue[1].blocked = false;
}

/* --- transactions ----------------------------------------------------------------------------- */

/* Of the synchronised region: reads wait for full, writes fill, atomics wait for full and fill
 * (full/empty paper, section 4.1). */
static struct mem_request region_request(const struct lsu *l, const struct access *a)
{
    const struct transaction *tx = &a->tx[a->next_tx];
    uint32_t class = a->inst->class;
    uint32_t index = access_index(&l->pool, a);
    uint32_t tag = ((uint32_t)a->next_tx << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_L2;
    struct mem_request r = port_request(&l->port,
                                        class == INST_ATOMIC  ? REQUEST_ATOMIC
                                        : class == INST_STORE ? REQUEST_WRITE
                                                              : REQUEST_READ,
                                        tx, tag);
    r.trigger = class == INST_STORE ? TRIGGER_NONE : TRIGGER_FULL;
    r.action = class == INST_LOAD ? ACTION_NONE : ACTION_FILL;
    return r;
}

/* The access at the head of its queue is held, or not any more. */
static bool hold(struct lsu *l, const struct access *a, enum lsu_hold why)
{
    struct lsu_queue *q = queue_of(l, a);
    if (why != q->held) {
        uint64_t now = clock_now(&l->slots->clock);
        q->hold_cycles[q->held] += now - q->held_since;
        q->held_since = now;
        q->held = (uint8_t)why;
    }
    return why == LSU_FREE;
}

/* `latency` counts from issue and operands; the queue's cycle is part of it. */
static void part_done_after(struct lsu *l, const struct access *a, uint32_t latency)
{
    uint64_t done = clock_now(&l->slots->clock) + (latency > 1 ? latency - 1 : 1) +
                    l->slots->config.writeback_cycles;
    struct node *n = wheel_add(&l->slots->wheel, done);
    n->kind = NODE_ACCESS;
    n->warp = a->warp;
    n->access = access_index(&l->pool, a);
    n->generation = a->generation;
    if (a->count == COUNT_PIPE)
        pipe_until(&l->slots->scoreboard, a->warp, done);
}

static bool through_l1(struct lsu *l, struct access *a, const struct transaction *tx)
{
    static const enum lsu_hold holds[L1_RESULTS] = {LSU_FREE, LSU_FREE,      LSU_MSHR,   LSU_MERGE,
                                                    LSU_WAY,  LSU_WRITEBACK, LSU_NETWORK};
    enum l1_result result = l1_load(&l->l1, tx, access_index(&l->pool, a));
    if (result == L1_HIT)
        part_done_after(l, a, l->slots->config.l1_latency);
    /* Only a reply frees an MSHR or a way. */
    queue_of(l, a)->blocked =
        result == L1_HELD_MSHR || result == L1_HELD_MERGE || result == L1_HELD_WAY;
    return hold(l, a, holds[result]);
}

/* What a miss of the constant cache asks for: the line, or the half of it that is read. */
static uint8_t constant_sectors(const struct lsu *l, const struct transaction *tx)
{
    const uint32_t low = ALL_SECTORS >> LINE_SECTORS / 2, high = ALL_SECTORS & ~low;
    if (l->slots->config.const_fetch == CONST_FETCH_LINE)
        return ALL_SECTORS;
    return (uint8_t)((tx->sectors & low ? low : 0) | (tx->sectors & high ? high : 0));
}

/* A miss of the constant cache; false when it must be tried again. */
static bool constant_miss(struct lsu *l, const struct access *a, const struct transaction *of)
{
    struct mshr_table *mshr = &l->const_mshr;
    uint8_t sectors = constant_sectors(l, of);
    enum mshr_result result = mshr_check(mshr, of->line);
    uint32_t entry = mshr_find(mshr, of->line);
    bool asks = entry == MSHR_NONE || sectors & ~mshr->asked[entry];
    queue_of(l, a)->blocked = result == MSHR_FULL;
    if (result == MSHR_FULL)
        return hold(l, a, LSU_MSHR);
    if (asks && !port_can_send(&l->port, a->event))
        return hold(l, a, LSU_NETWORK);
    uint8_t ask;
    mshr_add(mshr, of->line, sectors, access_index(&l->pool, a), &entry, &ask);
    if (ask) {
        struct transaction tx = {.line = of->line,
                                 .words = sector_words(ask),
                                 .sectors = ask,
                                 .event = a->event,
                                 .owner = a->owner};
        port_send(&l->port, REQUEST_READ, &tx,
                  mshr_ticket(mshr, entry) << TAG_KIND_BITS | TAG_CONST);
    }
    return hold(l, a, LSU_FREE);
}

static bool through_constant(struct lsu *l, struct access *a, const struct transaction *tx)
{
    if (cache_hit(&l->constant, tx->line, tx->sectors)) {
        part_done_after(l, a, l->slots->config.const_latency);
        return true;
    }
    if (!constant_miss(l, a, tx))
        return false;
    l->const_misses++;
    if (!a->missed)
        l->const_waits[a->warp]++;
    a->missed = true;
    return true;
}

static bool through_port(struct lsu *l, const struct access *a, uint8_t kind, uint32_t tag)
{
    return hold(l, a, port_send(&l->port, kind, &a->tx[a->next_tx], tag) ? LSU_FREE : LSU_NETWORK);
}

static bool store(struct lsu *l, const struct access *a, const struct transaction *tx)
{
    uint32_t value = (uint32_t)a->account << SLOT_BITS | a->warp;
    if (!port_can_send(&l->port, a->event))
        return hold(l, a, LSU_NETWORK);
    if (l1_store(&l->l1, tx)) {
        lsu_store_done(l, value);
        return hold(l, a, LSU_FREE);
    }
    return through_port(l, a, REQUEST_WRITE, value << TAG_KIND_BITS | TAG_STORE);
}

static bool to_bus(struct lsu *l, const struct access *a)
{
    uint32_t account = (uint32_t)a->account << SLOT_BITS | a->warp;
    if (!port_can_send(&l->port, a->event) || !bus_send(&l->bus, a, account))
        return hold(l, a, LSU_NETWORK);
    port_take(&l->port);
    return hold(l, a, LSU_FREE);
}

static bool transact(struct lsu *l, struct access *a)
{
    const struct transaction *tx = &a->tx[a->next_tx];
    uint32_t index = access_index(&l->pool, a), tag;
    if (tx->region) {
        struct mem_request request = region_request(l, a);
        return hold(l, a, port_forward(&l->port, &request) ? LSU_FREE : LSU_NETWORK);
    }
    switch ((enum access_route)a->route) {
    case ROUTE_L1:
        return through_l1(l, a, tx);
    case ROUTE_CONST:
        return through_constant(l, a, tx);
    case ROUTE_DIRECT:
        tag = (a->generation << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_DIRECT;
        return through_port(l, a, REQUEST_READ, tag);
    case ROUTE_STORE:
        return store(l, a, tx);
    case ROUTE_BUS:
        return to_bus(l, a);
    default:
        tag = ((uint32_t)a->next_tx << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_L2;
        return through_port(l, a, a->inst->class == INST_ATOMIC ? REQUEST_ATOMIC : REQUEST_POLL,
                            tag);
    }
}

static void dequeue(struct lsu *l, struct access *a)
{
    struct lsu_queue *q = queue_of(l, a);
    a->queued = false;
    if (a->route == ROUTE_BUS)
        bus_release(&l->bus, a);
    q->head = (q->head + 1) % MAX_LDST_QUEUE;
    occupancy_leave(&q->use, clock_now(&l->slots->clock));
    if (a->dropped)
        hold(l, a, LSU_FREE);
    if (a->dropped || (a->count == COUNT_STORE && !a->remaining && !a->unanswered))
        access_free(&l->pool, a);
}

/* The first access in the queue that has not been dropped; NULL: there is none. */
static struct access *queue_first(struct lsu *l, const struct lsu_queue *q)
{
    while (q->use.count) {
        struct access *a = access_at(&l->pool, q->entry[q->head]);
        if (!a->dropped)
            return a;
        dequeue(l, a);
    }
    return NULL;
}

/* The head of the queue goes on; false when it cannot. */
static bool serve(struct lsu *l, const struct lsu_queue *q, uint64_t now)
{
    if (q->blocked)
        return false;
    struct access *a = queue_first(l, q);
    if (!a || a->ready > now)
        return false;
    bool went = true;
    if (a->shared_cycles) {
        l->busy = now + a->shared_cycles;
        part_done_after(l, a, a->shared_cycles - 1u + l->slots->config.shared_latency);
        a->shared_cycles = 0;
    } else if ((went = transact(l, a))) {
        a->next_tx++;
    }
    if (a->next_tx == a->n_tx)
        dequeue(l, a);
    return went;
}

/* Data that have come for a copy go to shared memory. */
static void write_copy(struct lsu *l, uint64_t now)
{
    uint32_t cycles;
    const struct access *a = copies_take_arrived(&l->copies, &cycles);
    l->busy = now + cycles;
    part_done_after(l, a, cycles - 1 + l->slots->config.shared_latency);
}

void lsu_tick(struct lsu *l)
{
    uint64_t now = clock_now(&l->slots->clock);
    if (l1_sends(&l->l1))
        l1_send(&l->l1);
    if (l->busy > now)
        return;
    if (copies_arrived(&l->copies))
        write_copy(l, now);
    else if (!l->queue[1].use.count || !serve(l, &l->queue[1], now))
        serve(l, &l->queue[0], now);
}

/* --- completion ------------------------------------------------------------------------------- */

static void load_done(struct lsu *l, struct access *a)
{
    uint32_t w = a->warp;
    access_unlink(&l->pool, &l->load, a);
    if (!--l->loads[w])
        replay_clear(&l->replay, w);
    else if (a->seq > lsu_oldest_load(l, w)->seq)
        issue_pass(&l->slots->scoreboard, w, a->seq);
}

void lsu_part_done(struct lsu *l, uint16_t index)
{
    struct access *a = access_at(&l->pool, index);
    uint32_t w = a->warp;
    if (--a->remaining)
        return;
    switch ((enum access_count)a->count) {
    case COUNT_LOAD:
        load_done(l, a);
        break;
    case COUNT_L2:
        l2_accesses_done(&l->l2_accesses, w);
        break;
    case COUNT_COPY:
        if (!copies_part_done(&l->copies, a))
            return;
        break;
    default:
        pipe_leave(&l->slots->scoreboard, w);
        l->const_waits[w] -= a->missed;
        break;
    }
    if (a->count != COUNT_STORE)
        pending_clear(&l->slots->scoreboard, w, a->inst);
    if (!a->queued && !a->unanswered)
        access_free(&l->pool, a);
    ready_gain(l->slots, w);
    warp_settle(l->slots, w);
}

/* A reply to what was performed later: the tag without its kind. */
static void l2_access_reply(struct lsu *l, uint32_t value)
{
    uint16_t index = value & ACCESS_MASK;
    struct access *a = access_at(&l->pool, index);
    bool region = a->tx[value >> ACCESS_BITS].region, is_store = a->count == COUNT_STORE;
    if (region)
        region_answered(&l->l2_accesses, is_store);
    if (!is_store) {
        lsu_part_done(l, index);
        return;
    }
    uint32_t account = (uint32_t)a->account << SLOT_BITS | a->warp;
    if (!--a->unanswered && !a->queued && !a->remaining)
        access_free(&l->pool, a);
    lsu_store_done(l, account);
}

static void loads_fill(struct lsu *l, uint32_t ticket, uint8_t sectors)
{
    struct l1_fill fill = l1_fill(&l->l1, ticket, sectors);
    uint32_t waiter;
    while (l1_served(&l->l1, &fill, &waiter))
        lsu_part_done(l, (uint16_t)waiter);
}

static void constant_fill(struct lsu *l, uint32_t ticket, uint8_t sectors)
{
    struct mshr_table *mshr = &l->const_mshr;
    uint32_t entry = mshr_entry(mshr, ticket);
    cache_fill(&l->constant, mshr->line[entry], sectors);
    mshr_arrived(mshr, entry, sectors);
    uint32_t waiter;
    while (mshr_next(mshr, entry, &waiter))
        lsu_part_done(l, (uint16_t)waiter);
}

/* `value`: the tag without its kind; the sectors that came are in its owner's MSHR. */
void lsu_reply(struct lsu *l, const struct mem_request *reply)
{
    uint32_t value = reply->tag >> TAG_KIND_BITS;
    uint16_t index = value & ACCESS_MASK;
    l->queue[0].blocked = l->queue[1].blocked = false;
    switch ((enum tag_kind)(reply->tag & ((1u << TAG_KIND_BITS) - 1))) {
    case TAG_L1:
        loads_fill(l, value, reply->sectors);
        break;
    case TAG_CONST:
        constant_fill(l, value, reply->sectors);
        break;
    case TAG_DIRECT:
        if (access_at(&l->pool, index)->generation == value >> ACCESS_BITS)
            lsu_part_done(l, index);
        break;
    default:
        l2_access_reply(l, value);
        break;
    }
}

void lsu_store_done(struct lsu *l, uint32_t value)
{
    if (value == TAG_OF_WRITEBACK >> TAG_KIND_BITS)
        return;
    uint32_t w = value & ((1u << SLOT_BITS) - 1), account = value >> SLOT_BITS;
    if (!account && l->account[w]) {
        l->victim_stores[w]--;
        return;
    }
    l->stores[w]--;
    warp_settle(l->slots, w);
}

void lsu_take_bus_answers(struct lsu *l)
{
    uint32_t account;
    while (bus_take_answer(&l->bus, &account))
        lsu_store_done(l, account);
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
    return access_at(&l->pool, q->entry[(q->head + n) % MAX_LDST_QUEUE]);
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
