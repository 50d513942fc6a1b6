/* Atomics and volatile loads of device memory: operands are captured at issue, the access happens
 * when L2 performs it, so that warps, cores and devices see each other's writes in simulated
 * order. */
#include "sim/simt/core_internal.h"

#include <string.h>

void remote_capture(struct core *c, struct access *a, const struct places *p)
{
    a->remote = c->free_remote[--c->n_free_remote];
    a->unperformed = a->n_tx;
    struct remote *r = &c->remote[a->remote];
    memcpy(r->at, p->at, sizeof r->at);
    if (a->inst->class == INST_ATOMIC)
        isa_atomic_capture(a->inst, c->ctx[a->warp], p->global, &r->operands);
    c->stats.atomics += a->inst->class == INST_ATOMIC;
}

/* A thread sees its own accesses to an address in program order: does the access touch a line of
 * an older one of its warp that has not been performed? Accesses that are performed at L2
 * themselves stay in order on the way there. */
bool remote_conflict(const struct core *c, uint32_t w, const struct access *a)
{
    bool remote = a->inst->class == INST_ATOMIC ||
                  (a->inst->class == INST_LOAD && a->inst->flags & INST_VOLATILE);
    if (remote || !a->n_tx)
        return false;
    for (uint16_t i = c->first_remote[w]; i != NO_ACCESS; i = c->access[i].next) {
        const struct access *old = &c->access[i];
        for (uint32_t t = 0; t < old->n_tx; t++) {
            for (uint32_t u = 0; u < a->n_tx; u++) {
                if (old->tx[t].line == a->tx[u].line)
                    return true;
            }
        }
    }
    return false;
}

static void all_performed(struct core *c, struct access *a)
{
    uint32_t w = a->warp;
    c->free_remote[c->n_free_remote++] = a->remote;
    c->unperformed[w]--;
    access_unlink(c, c->first_remote, c->last_remote, a);
    c->wait_remote &= ~BIT(w);
    warp_refresh(c, w);
}

void core_perform(struct core *c, const struct mem_request *request)
{
    uint32_t value = request->tag >> TAG_KIND_BITS;
    struct access *a = &c->access[value & ((1u << ACCESS_BITS) - 1)];
    uint32_t lanes = a->tx[value >> ACCESS_BITS].lanes;
    struct lane_ctx *ctx = c->ctx[a->warp];
    const struct remote *r = &c->remote[a->remote];
    if (a->inst->class == INST_ATOMIC)
        isa_atomic_perform(a->inst, ctx, lanes, &r->operands, r->at);
    else
        isa_load(a->inst, ctx, lanes, (const uint8_t *const *)r->at);
    if (!--a->unperformed)
        all_performed(c, a);
}
