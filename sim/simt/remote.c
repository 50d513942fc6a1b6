/* Atomics and volatile loads of device memory: operands are captured at issue, the access happens
 * when L2 performs it, so that warps, cores and devices see each other's writes in simulated
 * order. */
#include "sim/simt/remote.h"

#include <stdlib.h>
#include <string.h>

#include "sim/base/alloc.h"
#include "sim/simt/core_internal.h"

void remotes_create(struct core *c)
{
    struct remotes *r = &c->remotes;
    r->remote = ALLOC_ARRAY(struct remote, REMOTES);
    for (uint32_t i = 0; i < REMOTES; i++)
        r->free[r->n_free++] = (uint16_t)(REMOTES - 1 - i);
    for (uint32_t w = 0; w < SLOTS; w++)
        r->list.first[w] = r->list.last[w] = NO_ACCESS;
}

void remotes_destroy(struct core *c)
{
    free(c->remotes.remote);
}

void remote_capture(struct core *c, struct access *a, const struct places *p)
{
    a->remote = c->remotes.free[--c->remotes.n_free];
    a->unperformed = a->n_tx;
    struct remote *r = &c->remotes.remote[a->remote];
    memcpy(r->at, p->at, sizeof r->at);
    if (a->inst->class == INST_ATOMIC)
        isa_atomic_capture(a->inst, warp_ctx(&c->warps, a->warp), p->global, &r->operands);
}

void remote_accept(struct core *c, struct access *a)
{
    c->remotes.in_flight[a->warp]++;
    c->remotes.unperformed[a->warp]++;
    access_append(&c->lsu, &c->remotes.list, a);
}

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

/* A thread sees its own accesses to an address in program order: does the access touch a line of
 * an older one of its warp that has not been performed? Accesses that are performed at L2
 * themselves stay in order on the way there. */
bool remote_holds(struct core *c, uint32_t w, const struct access *a)
{
    bool remote = a->inst->class == INST_ATOMIC ||
                  (a->inst->class == INST_LOAD && a->inst->flags & INST_VOLATILE);
    if (remote)
        return false;
    for (uint16_t i = c->remotes.list.first[w]; i != NO_ACCESS;) {
        const struct access *old = lsu_access(&c->lsu, i);
        if (share_line(old, a)) {
            c->remotes.waiting |= BIT(w);
            return true;
        }
        i = old->next;
    }
    return false;
}

static void all_performed(struct core *c, struct access *a)
{
    uint32_t w = a->warp;
    c->remotes.free[c->remotes.n_free++] = a->remote;
    c->remotes.unperformed[w]--;
    access_unlink(&c->lsu, &c->remotes.list, a);
    c->remotes.waiting &= ~BIT(w);
    issue_refresh(c, w);
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
    else
        isa_load(a->inst, ctx, lanes, (const uint8_t *const *)r->at);
    if (!--a->unperformed)
        all_performed(c, a);
}
