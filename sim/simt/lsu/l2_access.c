/* Accesses that are performed later than they are issued: atomics and volatile loads of device
 * memory, when L2 performs them, and every access to the synchronised region, when its full/empty
 * scheduler lets it go to memory. So warps, cores, hosts and devices see each other's writes in
 * simulated order. Operands are captured at issue. */
#include "sim/simt/lsu/l2_access.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/core_internal.h"

static const uint32_t kind_size[REMOTE_KINDS] = {REMOTES, REGION_READS, REGION_STORES};
static const uint32_t kind_first[REMOTE_KINDS] = {0, REMOTES, REMOTES + REGION_READS};

void remotes_create(struct core *c)
{
    struct remotes *r = &c->remotes;
    r->remote = ALLOC_ARRAY(struct remote, ALL_REMOTES);
    for (uint32_t k = 0; k < REMOTE_KINDS; k++)
        for (uint32_t i = 0; i < kind_size[k]; i++)
            r->free[k][r->n_free[k]++] = (uint16_t)(kind_first[k] + kind_size[k] - 1 - i);
    for (uint32_t w = 0; w < SLOTS; w++)
        r->list.first[w] = r->list.last[w] = NO_ACCESS;
}

void remotes_destroy(struct core *c)
{
    free(c->remotes.remote);
}

static enum remote_kind kind_of(const struct access *a)
{
    if (!a->region)
        return REMOTE_OTHER;
    return a->inst->class == INST_STORE ? REMOTE_STORE : REMOTE_READ;
}

static struct remote *take_remote(struct core *c, struct access *a, const struct places *p)
{
    enum remote_kind kind = kind_of(a);
    a->remote = c->remotes.free[kind][--c->remotes.n_free[kind]];
    struct remote *r = &c->remotes.remote[a->remote];
    memcpy(r->at, p->at, sizeof r->at);
    return r;
}

static uint16_t region_lines(const struct access *a)
{
    uint16_t n = 0;
    for (uint32_t i = 0; i < a->n_tx; i++)
        n += a->tx[i].region;
    return n;
}

void remote_capture(struct core *c, struct access *a, const struct places *p)
{
    a->unperformed = a->n_tx;
    struct remote *r = take_remote(c, a, p);
    if (a->inst->class == INST_ATOMIC)
        isa_atomic_capture(a->inst, warp_ctx(&c->warps, a->warp), p->global, &r->operands);
    if (a->region)
        c->remotes.places += region_lines(a);
}

static void list_append(struct core *c, struct access *a)
{
    c->remotes.unperformed[a->warp]++;
    access_append(&c->lsu, &c->remotes.list, a);
}

void remote_accept(struct core *c, struct access *a)
{
    c->remotes.in_flight[a->warp]++;
    list_append(c, a);
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
bool remote_holds(struct core *c, uint32_t w, const struct access *a)
{
    bool remote = a->region || a->inst->class == INST_ATOMIC ||
                  (a->inst->class == INST_LOAD && a->inst->flags & INST_VOLATILE);
    if (remote && !a->region)
        return false;
    for (uint16_t i = c->remotes.list.first[w]; i != NO_ACCESS;) {
        const struct access *old = lsu_access(&c->lsu, i);
        if (remote ? may_overtake(a, old) : share_line(old, a)) {
            c->remotes.waiting |= BIT(w);
            return true;
        }
        i = old->next;
    }
    return false;
}

/* --- performing ------------------------------------------------------------------------------- */

static void all_performed(struct core *c, struct access *a)
{
    uint32_t w = a->warp;
    enum remote_kind kind = kind_of(a);
    c->remotes.free[kind][c->remotes.n_free[kind]++] = a->remote;
    c->remotes.unperformed[w]--;
    access_unlink(&c->lsu, &c->remotes.list, a);
    c->remotes.waiting &= ~BIT(w);
    issue_refresh(c, w);
}

static void store_lanes(const struct access *a, const struct remote *r, uint32_t lanes)
{
    size_t size = (size_t)a->inst->width * a->inst->vec;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        memcpy(r->at[lane], r->data[lane], size);
    }
}

void core_perform(struct core *c, const struct mem_request *request)
{
    uint32_t value = request->tag >> TAG_KIND_BITS;
    struct access *a = lsu_access(&c->lsu, value & ((1u << ACCESS_BITS) - 1));
    uint32_t lanes = a->tx[value >> ACCESS_BITS].lanes;
    struct lane_ctx *ctx = warp_ctx(&c->warps, a->warp);
    const struct remote *r = &c->remotes.remote[a->remote];
    if (a->inst->class == INST_ATOMIC)
        isa_atomic_perform(a->inst, ctx, lanes, &r->operands, r->at);
    else if (a->inst->class == INST_STORE)
        store_lanes(a, r, lanes);
    else
        isa_load(a->inst, ctx, lanes, (const uint8_t *const *)r->at);
    if (!--a->unperformed)
        all_performed(c, a);
}

/* --- the synchronised region ------------------------------------------------------------------ */

uint32_t region_mark(const struct core *c, struct access *a)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < a->n_tx; i++) {
        struct transaction *tx = &a->tx[i];
        tx->region = !tx->local && tx->line - c->env.region_base < c->env.region_bytes;
        lanes |= tx->region ? tx->lanes : 0;
    }
    a->region = lanes != 0;
    return lanes;
}

static bool has_places(const struct core *c, const struct access *a)
{
    const struct remotes *r = &c->remotes;
    if (!r->n_free[kind_of(a)])
        return false;
    return a->inst->class == INST_STORE || r->places + region_lines(a) <= c->env.region_places;
}

bool region_admits(struct core *c, uint32_t w, const struct access *a)
{
    if (has_places(c, a))
        return true;
    c->remotes.waiting |= BIT(w);
    c->remotes.starved |= BIT(w);
    return false;
}

void region_capture_store(struct core *c, struct access *a, uint32_t lanes, const struct places *p)
{
    struct remote *r = take_remote(c, a, p);
    uint8_t *to[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        to[i] = r->data[i];
    isa_store(a->inst, warp_ctx(&c->warps, a->warp), lanes, to);
    a->unperformed = a->unanswered = region_lines(a);
    list_append(c, a);
}

void region_answered(struct core *c, bool is_store)
{
    struct remotes *r = &c->remotes;
    r->places -= !is_store;
    uint64_t starved = r->starved;
    r->starved = 0;
    r->waiting &= ~starved;
    for (uint64_t m = starved; m; m &= m - 1)
        issue_refresh(c, lowest(m));
}

const struct access *remote_access(const struct core *c, const struct mem_request *request)
{
    return lsu_access(&c->lsu, request->tag >> TAG_KIND_BITS & ((1u << ACCESS_BITS) - 1));
}

uint32_t remote_lane(const struct core *c, const struct mem_request *request, uint64_t word)
{
    const struct access *a = remote_access(c, request);
    uint32_t size = (uint32_t)a->inst->width * a->inst->vec;
    uint32_t lanes = a->tx[request->tag >> TAG_KIND_BITS >> ACCESS_BITS].lanes;
    for (uint32_t m = lanes; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        uint64_t at = (uint64_t)(c->remotes.remote[a->remote].at[lane] - c->env.image->base);
        if (at < word + 4 && word < at + size)
            return lane;
    }
    return lowest(lanes);
}

bool region_unperformed(const struct core *c, uint32_t w)
{
    for (uint16_t i = c->remotes.list.first[w]; i != NO_ACCESS; i = lsu_access(&c->lsu, i)->next)
        if (lsu_access(&c->lsu, i)->region)
            return true;
    return false;
}
