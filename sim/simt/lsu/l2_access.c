/* Accesses that are performed later than they are issued: atomics and volatile loads of device
 * memory, when L2 performs them, and every access to the synchronised region, when its full/empty
 * scheduler lets it go to memory. So warps, cores, hosts and devices see each other's writes in
 * simulated order. Operands are captured at issue. */
#include "sim/simt/lsu/l2_access.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const uint32_t kind_size[L2_ACCESS_KINDS] = {L2_ACCESSES, REGION_READS, REGION_STORES};
static const uint32_t kind_first[L2_ACCESS_KINDS] = {0, L2_ACCESSES, L2_ACCESSES + REGION_READS};

void l2_accesses_create(struct l2_accesses *r, struct slots *slots, struct access_pool *pool)
{
    r->slots = slots;
    r->pool = pool;
    r->access = ALLOC_ARRAY(struct l2_access, ALL_L2_ACCESSES);
    for (uint32_t k = 0; k < L2_ACCESS_KINDS; k++)
        for (uint32_t i = 0; i < kind_size[k]; i++)
            r->free[k][r->n_free[k]++] = (uint16_t)(kind_first[k] + kind_size[k] - 1 - i);
    access_list_create(&r->list);
}

void l2_accesses_destroy(struct l2_accesses *r)
{
    free(r->access);
}

static enum l2_access_kind kind_of(const struct access *a)
{
    if (!a->region)
        return L2_OTHER;
    return a->inst->class == INST_STORE ? L2_REGION_STORE : L2_REGION_READ;
}

static struct l2_access *take_l2_access(struct l2_accesses *r, struct access *a,
                                        const struct lane_addresses *p)
{
    enum l2_access_kind kind = kind_of(a);
    a->l2_access = r->free[kind][--r->n_free[kind]];
    struct l2_access *later = &r->access[a->l2_access];
    memcpy(later->at, p->at, sizeof later->at);
    later->version = r->slots->env.image->version;
    later->owner = warp_of(&r->slots->warps, a->warp)->kernel->owner;
    return later;
}

static uint16_t region_lines(const struct access *a)
{
    uint16_t n = 0;
    for (uint32_t i = 0; i < a->n_tx; i++)
        n += a->tx[i].region;
    return n;
}

void l2_access_capture(struct l2_accesses *r, struct access *a, const struct lane_addresses *p)
{
    a->unperformed = a->n_tx;
    struct l2_access *later = take_l2_access(r, a, p);
    if (a->inst->class == INST_ATOMIC)
        isa_atomic_capture(a->inst, warp_ctx(&r->slots->warps, a->warp), p->global,
                           &later->operands);
    if (a->region)
        r->region_lines += region_lines(a);
}

static void list_append(struct l2_accesses *r, struct access *a)
{
    r->unperformed[a->warp]++;
    ready_unperformed(&r->slots->ready, a->warp, true);
    access_append(r->pool, &r->list, a);
    if (kind_of(a) == L2_REGION_READ && !r->region_reads[a->warp]++) {
        r->reading |= BIT(a->warp);
        ready_limit_stale(&r->slots->ready);
    }
}

void l2_access_accept(struct l2_accesses *r, struct access *a)
{
    r->in_flight[a->warp]++;
    list_append(r, a);
}

/* --- order within a warp ---------------------------------------------------------------------- */

static bool share_line(const struct access *a, const struct access *b)
{
    for (uint32_t i = 0; i < a->n_tx; i++) {
        for (uint32_t k = 0; k < b->n_tx; k++) {
            if (a->tx[i].line == b->tx[k].line)
                return true;
        }
    }
    return false;
}

/* Two accesses to a word of the region of which one is a store go through different queues. */
static bool may_overtake(const struct access *a, const struct access *b)
{
    if ((a->inst->class == INST_STORE) == (b->inst->class == INST_STORE))
        return false;
    for (uint32_t i = 0; i < a->n_tx; i++)
        for (uint32_t k = 0; a->tx[i].region && k < b->n_tx; k++)
            if (a->tx[i].line == b->tx[k].line && a->tx[i].words & b->tx[k].words)
                return true;
    return false;
}

/* A thread sees its own accesses to an address in program order: does the access touch a line of
 * an older one of its warp that has not been performed? Accesses that are performed at L2
 * themselves stay in order on the way there. */
bool l2_access_holds(struct l2_accesses *r, uint32_t w, const struct access *a)
{
    bool later = a->region || a->inst->class == INST_ATOMIC ||
                 (a->inst->class == INST_LOAD && a->inst->flags & INST_VOLATILE);
    if (later && !a->region)
        return false;
    for (uint16_t i = r->list.first[w]; i != NO_ACCESS;) {
        const struct access *old = access_at(r->pool, i);
        if (later ? may_overtake(a, old) : share_line(old, a)) {
            ready_hold(&r->slots->ready, WAIT_ACCESS, w);
            return true;
        }
        i = old->next;
    }
    return false;
}

/* --- performing ------------------------------------------------------------------------------- */

static void all_performed(struct l2_accesses *r, struct access *a)
{
    uint32_t w = a->warp;
    enum l2_access_kind kind = kind_of(a);
    r->free[kind][r->n_free[kind]++] = a->l2_access;
    if (kind == L2_REGION_READ && !--r->region_reads[w]) {
        r->reading &= ~BIT(w);
        ready_limit_stale(&r->slots->ready);
    }
    ready_unperformed(&r->slots->ready, w, --r->unperformed[w] != 0);
    access_unlink(r->pool, &r->list, a);
    ready_let_go(&r->slots->ready, WAIT_ACCESS, w);
    ready_refresh(r->slots, w);
}

static void store_lanes(const struct access *a, const struct l2_access *r, uint32_t lanes)
{
    size_t size = (size_t)a->inst->width * a->inst->vec;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        memcpy(r->at[lane], r->data[lane], size);
    }
}

/* The lanes whose memory is still theirs. Memory can be given back, and be another owner's, while
 * an access to it is on its way; then nothing happens. */
static uint32_t still_allowed(const struct l2_accesses *r, const struct access *a, uint32_t lanes)
{
    const struct l2_access *later = &r->access[a->l2_access];
    const struct image *image = r->slots->env.image;
    uint32_t allowed = 0;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint64_t low, high, address = (uint64_t)(later->at[lowest(m)] - image->base);
        if (image_span(image, later->owner, address, false, a->inst->class != INST_LOAD, &low,
                       &high))
            allowed |= m & -m;
    }
    return allowed;
}

void l2_access_perform(struct l2_accesses *r, const struct mem_request *request)
{
    uint32_t value = request->tag >> TAG_KIND_BITS;
    struct access *a = access_at(r->pool, value & ((1u << ACCESS_BITS) - 1));
    uint32_t lanes = a->tx[value >> ACCESS_BITS].lanes;
    struct lane_ctx *ctx = warp_ctx(&r->slots->warps, a->warp);
    const struct l2_access *later = &r->access[a->l2_access];
    if (later->version != r->slots->env.image->version)
        lanes = still_allowed(r, a, lanes);
    if (a->inst->class == INST_ATOMIC)
        isa_atomic_perform(a->inst, ctx, lanes, &later->operands, later->at);
    else if (a->inst->class == INST_STORE)
        store_lanes(a, later, lanes);
    else
        isa_load(a->inst, ctx, lanes, (const uint8_t *const *)later->at);
    if (!--a->unperformed)
        all_performed(r, a);
}

/* --- the synchronised region ------------------------------------------------------------------ */

uint32_t region_mark(const struct l2_accesses *r, struct access *a)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < a->n_tx; i++) {
        struct transaction *tx = &a->tx[i];
        tx->region =
            !tx->local && tx->line - r->slots->env.region_base < r->slots->env.region_bytes;
        lanes |= tx->region ? tx->lanes : 0;
    }
    a->region = lanes != 0;
    return lanes;
}

static bool has_room(const struct l2_accesses *r, const struct access *a)
{
    if (!r->n_free[kind_of(a)])
        return false;
    return a->inst->class == INST_STORE ||
           r->region_lines + region_lines(a) <= r->slots->env.region_lines;
}

bool region_admits(struct l2_accesses *r, uint32_t w, const struct access *a)
{
    if (has_room(r, a))
        return true;
    ready_hold(&r->slots->ready, WAIT_ACCESS, w);
    r->starved |= BIT(w);
    ready_limit_stale(&r->slots->ready);
    return false;
}

void region_capture_store(struct l2_accesses *r, struct access *a, uint32_t lanes,
                          const struct lane_addresses *p)
{
    struct l2_access *later = take_l2_access(r, a, p);
    uint8_t *to[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        to[i] = later->data[i];
    isa_store(a->inst, warp_ctx(&r->slots->warps, a->warp), lanes, to);
    a->unperformed = a->unanswered = region_lines(a);
    list_append(r, a);
}

void region_answered(struct l2_accesses *r, bool is_store)
{
    r->region_lines -= !is_store;
    uint64_t starved = r->starved;
    r->starved = 0;
    if (starved)
        ready_limit_stale(&r->slots->ready);
    for (uint64_t m = starved; m; m &= m - 1) {
        ready_let_go(&r->slots->ready, WAIT_ACCESS, lowest(m));
        ready_refresh(r->slots, lowest(m));
    }
}

const struct access *l2_access_of(const struct l2_accesses *r, const struct mem_request *request)
{
    return access_at(r->pool, request->tag >> TAG_KIND_BITS & ((1u << ACCESS_BITS) - 1));
}

uint32_t l2_access_lane(const struct l2_accesses *r, const struct mem_request *request,
                        uint64_t word)
{
    const struct access *a = l2_access_of(r, request);
    uint32_t size = (uint32_t)a->inst->width * a->inst->vec;
    uint32_t lanes = a->tx[request->tag >> TAG_KIND_BITS >> ACCESS_BITS].lanes;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t at = (uint64_t)(r->access[a->l2_access].at[lane] - r->slots->env.image->base);
        if (at < word + 4 && word < at + size)
            return lane;
    }
    return lowest(lanes);
}
