/* Load-store unit: one line transaction, or one cycle of shared memory, per core cycle, in issue
 * order. L1 is write-through without allocation on writes; misses wait in MSHRs. */
#include <stdlib.h>

#include "sim/base/alloc.h"
#include "sim/simt/core_internal.h"

#define ACCESS_MASK     ((1u << ACCESS_BITS) - 1)
#define GENERATION_MASK ((1u << (32 - TAG_KIND_BITS - ACCESS_BITS)) - 1)
#define SLOT_BITS       6

static bool create_l1(struct core *c, struct error *err)
{
    const struct core_config *config = &c->config;
    c->has_l1 = config->l1_bytes != 0;
    if (!c->has_l1)
        return true;
    if (cache_create(&c->l1, config->l1_bytes, config->l1_ways, err) &&
        mshr_create(&c->l1_mshr, config->l1_mshrs, config->l1_mshr_merges, err))
        return true;
    error_prefix(err, "L1 cache");
    return false;
}

bool lsu_create(struct core *c, struct error *err)
{
    if (!create_l1(c, err))
        return false;
    if (!cache_create(&c->constant, c->config.const_bytes, c->config.const_ways, err) ||
        !mshr_create(&c->const_mshr, CONST_MSHRS, SLOTS, err)) {
        error_prefix(err, "constant cache");
        return false;
    }
    c->access = ALLOC_ARRAY(struct access, ACCESSES);
    c->free_access = ALLOC_ARRAY(uint16_t, ACCESSES);
    c->remote = ALLOC_ARRAY(struct remote, REMOTES);
    for (uint32_t i = 0; i < ACCESSES; i++)
        c->free_access[c->n_free_access++] = (uint16_t)(ACCESSES - 1 - i);
    for (uint32_t i = 0; i < REMOTES; i++)
        c->free_remote[c->n_free_remote++] = (uint16_t)(REMOTES - 1 - i);
    return true;
}

void lsu_destroy(struct core *c)
{
    if (c->has_l1) {
        cache_destroy(&c->l1);
        mshr_destroy(&c->l1_mshr);
    }
    cache_destroy(&c->constant);
    mshr_destroy(&c->const_mshr);
    free(c->access);
    free(c->free_access);
    free(c->remote);
}

/* --- records ---------------------------------------------------------------------------------- */

static uint16_t index_of(const struct core *c, const struct access *a)
{
    return (uint16_t)(a - c->access);
}

struct access *access_take(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct access *a = &c->access[c->free_access[--c->n_free_access]];
    a->inst = inst;
    a->seq = c->issued[w];
    a->generation = (a->generation + 1) & GENERATION_MASK;
    a->mask = mask;
    a->pc = c->pc[w];
    a->active = c->active[w];
    a->rpc = c->rpc[w];
    a->depth = c->depth[w];
    a->warp = (uint8_t)w;
    a->account = store_account(c, w);
    a->route = ROUTE_NONE;
    a->queued = a->dropped = a->missed = false;
    a->n_tx = a->next_tx = a->shared_cycles = a->unperformed = 0;
    return a;
}

void access_free(struct core *c, struct access *a)
{
    a->generation = (a->generation + 1) & GENERATION_MASK;
    c->free_access[c->n_free_access++] = index_of(c, a);
}

void access_enqueue(struct core *c, struct access *a)
{
    a->queued = true;
    c->queue[(c->queue_head + c->queue_count++) % MAX_LDST_QUEUE] = index_of(c, a);
}

void access_append(struct core *c, uint16_t first[], uint16_t last[], struct access *a)
{
    uint32_t w = a->warp;
    uint16_t i = index_of(c, a);
    a->next = NO_ACCESS;
    a->prev = last[w];
    if (a->prev == NO_ACCESS)
        first[w] = i;
    else
        c->access[a->prev].next = i;
    last[w] = i;
}

void access_unlink(struct core *c, uint16_t first[], uint16_t last[], struct access *a)
{
    uint32_t w = a->warp;
    if (a->prev == NO_ACCESS)
        first[w] = a->next;
    else
        c->access[a->prev].next = a->next;
    if (a->next == NO_ACCESS)
        last[w] = a->prev;
    else
        c->access[a->next].prev = a->prev;
}

/* --- transactions ----------------------------------------------------------------------------- */

bool send_request(struct core *c, uint8_t kind, const struct transaction *tx, uint32_t tag)
{
    struct mem_request request = {.line = tx->line,
                                  .tag = tag,
                                  .source = (uint16_t)c->env.port,
                                  .kind = kind,
                                  .sectors = tx->sectors,
                                  .words = tx->words,
                                  .partial = tx->partial};
    if (c->port_used || !memsys_request(c->env.memsys, &request))
        return false;
    c->port_used = true;
    return true;
}

/* `latency` counts from issue; the queue's cycle is part of it. */
static void part_done_after(struct core *c, const struct access *a, uint32_t latency)
{
    uint64_t done = c->cycle + (latency > 1 ? latency - 1 : 1);
    struct node *n = wheel_add(&c->wheel, done);
    n->kind = NODE_ACCESS;
    n->warp = a->warp;
    n->access = index_of(c, a);
    n->generation = a->generation;
    if (a->count == COUNT_PIPE && done > c->pipe_until[a->warp])
        c->pipe_until[a->warp] = done;
}

/* A miss: false when it must be tried again. */
static bool miss(struct core *c, struct access *a, struct mshr_table *mshr, uint32_t tag,
                 const struct transaction *tx)
{
    uint32_t entry = mshr_find(mshr, tx->line);
    uint8_t need = entry == MSHR_NONE ? tx->sectors : (uint8_t)(tx->sectors & ~mshr->asked[entry]);
    if (mshr_check(mshr, tx->line) == MSHR_FULL) {
        c->lsu_blocked = true;
        return false;
    }
    if (need && (c->port_used || !memsys_can_request(c->env.memsys, c->env.port)))
        return false;
    uint8_t fetch;
    mshr_add(mshr, tx->line, tx->sectors, index_of(c, a), &entry, &fetch);
    if (fetch) {
        struct transaction ask = *tx;
        ask.sectors = fetch;
        ask.words = sector_words(fetch);
        ask.partial = 0;
        send_request(c, REQUEST_READ, &ask, mshr_ticket(mshr, entry) << TAG_KIND_BITS | tag);
    }
    return true;
}

static bool through_l1(struct core *c, struct access *a, const struct transaction *tx)
{
    if (cache_hit(&c->l1, tx->line, tx->sectors)) {
        c->stats.l1_hits++;
        part_done_after(c, a, c->config.l1_latency);
        return true;
    }
    if (!miss(c, a, &c->l1_mshr, TAG_L1, tx))
        return false;
    c->stats.l1_misses++;
    return true;
}

static bool through_constant(struct core *c, struct access *a, const struct transaction *tx)
{
    if (cache_hit(&c->constant, tx->line, tx->sectors)) {
        part_done_after(c, a, c->config.const_latency);
        return true;
    }
    struct transaction line = *tx;
    line.sectors = 0xF;
    if (!miss(c, a, &c->const_mshr, TAG_CONST, &line))
        return false;
    c->stats.const_misses++;
    if (!a->missed)
        c->const_misses[a->warp]++;
    a->missed = true;
    return true;
}

static bool transact(struct core *c, struct access *a)
{
    const struct transaction *tx = &a->tx[a->next_tx];
    uint32_t index = index_of(c, a), tag;
    switch ((enum access_route)a->route) {
    case ROUTE_L1:
        return through_l1(c, a, tx);
    case ROUTE_CONST:
        return through_constant(c, a, tx);
    case ROUTE_DIRECT:
        tag = (a->generation << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_DIRECT;
        return send_request(c, REQUEST_READ, tx, tag);
    case ROUTE_STORE:
        tag = ((uint32_t)a->account << SLOT_BITS | a->warp) << TAG_KIND_BITS | TAG_STORE;
        return send_request(c, REQUEST_WRITE, tx, tag);
    default:
        tag = ((uint32_t)a->next_tx << ACCESS_BITS | index) << TAG_KIND_BITS | TAG_REMOTE;
        return send_request(c, a->inst->class == INST_ATOMIC ? REQUEST_ATOMIC : REQUEST_POLL, tx,
                            tag);
    }
}

static void dequeue(struct core *c, struct access *a)
{
    a->queued = false;
    c->queue_head = (c->queue_head + 1) % MAX_LDST_QUEUE;
    c->queue_count--;
    if (a->dropped || (a->count == COUNT_STORE && !a->remaining))
        access_free(c, a);
}

void lsu_tick(struct core *c)
{
    if (c->lsu_busy > c->cycle || c->lsu_blocked)
        return;
    struct access *a = &c->access[c->queue[c->queue_head]];
    while (a->dropped) {
        dequeue(c, a);
        if (!c->queue_count)
            return;
        a = &c->access[c->queue[c->queue_head]];
    }
    if (a->shared_cycles) {
        c->lsu_busy = c->cycle + a->shared_cycles;
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
    access_unlink(c, c->first_load, c->last_load, a);
    if (--c->loads[w]) {
        if (a->seq > c->access[c->first_load[w]].seq && a->seq > c->other_seq[w])
            c->other_seq[w] = a->seq;
        return;
    }
    c->undo_count[w] = 0;
    for (uint32_t i = 0; i < REG_SET_WORDS; i++)
        c->load_uses[w][i] = 0;
}

void lsu_part_done(struct core *c, uint16_t index)
{
    struct access *a = &c->access[index];
    uint32_t w = a->warp;
    if (--a->remaining)
        return;
    switch ((enum access_count)a->count) {
    case COUNT_LOAD:
        load_done(c, a);
        break;
    case COUNT_REMOTE:
        c->remotes[w]--;
        break;
    default:
        c->pipe[w]--;
        c->const_misses[w] -= a->missed;
        break;
    }
    if (a->count != COUNT_STORE)
        pending_clear(c, w, a->inst);
    if (!a->queued)
        access_free(c, a);
    warp_refresh(c, w);
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
    c->lsu_blocked = false;
    switch ((enum tag_kind)(reply->tag & ((1u << TAG_KIND_BITS) - 1))) {
    case TAG_L1:
        fill(c, &c->l1, &c->l1_mshr, value, reply->sectors);
        break;
    case TAG_CONST:
        fill(c, &c->constant, &c->const_mshr, value, reply->sectors);
        break;
    case TAG_DIRECT:
        if (c->access[index].generation == value >> ACCESS_BITS)
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
        c->event[c->warp[w].entry].victim_stores--;
        return;
    }
    c->stores[w]--;
    warp_settle(c, w);
}
