#include "sim/simt/lsu/copy.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define MOST_BYTES 16u /* of a lane, and the usual number */

void copies_create(struct copies *c, struct slots *slots, struct access_pool *pool)
{
    c->slots = slots;
    c->pool = pool;
    c->copy = alloc_sparse(ACCESSES, sizeof *c->copy, &c->memory);
    access_list_create(&c->list);
}

void copies_destroy(struct copies *c)
{
    free(c->memory);
}

static struct copy_access *copy_of(const struct copies *c, const struct access *a)
{
    return &c->copy[access_index(c->pool, a)];
}

void copy_lane(uint8_t *to, const uint8_t *from, uint32_t bytes, uint32_t size)
{
    if (bytes == MOST_BYTES) {
        memcpy(to, from, MOST_BYTES);
        return;
    }
    if (bytes)
        memcpy(to, from, bytes);
    memset(to + bytes, 0, size - bytes);
}

void copies_capture(struct copies *c, struct access *a, const struct copy_addresses *p)
{
    struct copy_access *copy = copy_of(c, a);
    uint32_t size = (uint32_t)a->inst->width * a->inst->vec;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        copy->at[lane] = p->to.at[lane];
        copy_lane(copy->data[lane], p->from.at[lane], p->lanes.bytes[lane], size);
    }
    copy->group = c->group[a->warp];
    copy->bank_cycles = a->shared_cycles;
    copy->writes = !a->n_tx;
    a->shared_cycles = copy->writes ? a->shared_cycles : 0;
    a->remaining = copy->writes ? 1 : a->n_tx;
}

void copies_enter(struct copies *c, struct access *a)
{
    c->in_flight[a->warp]++;
    access_append(c->pool, &c->list, a);
}

struct access *copies_take_arrived(struct copies *c, uint32_t *cycles)
{
    struct access *a = access_at(c->pool, c->arrived[c->first_arrived]);
    c->first_arrived = (c->first_arrived + 1) % ACCESSES;
    c->n_arrived--;
    *cycles = copy_of(c, a)->bank_cycles;
    return a;
}

/* All groups that the warp waits for are done. */
static bool all_done(const struct copies *c, uint32_t w)
{
    if (!c->in_flight[w])
        return true;
    uint32_t oldest = copy_of(c, access_at(c->pool, c->list.first[w]))->group;
    return (int32_t)(oldest - c->awaited[w]) >= 0;
}

bool copies_part_done(struct copies *c, struct access *a)
{
    struct copy_access *copy = copy_of(c, a);
    uint32_t w = a->warp, size = (uint32_t)a->inst->width * a->inst->vec;
    if (!copy->writes) {
        copy->writes = true;
        a->remaining = 1;
        c->arrived[(c->first_arrived + c->n_arrived++) % ACCESSES] = access_index(c->pool, a);
        return false;
    }
    for (uint32_t m = a->mask; m; m &= m - 1)
        memcpy(copy->at[lowest(m)], copy->data[lowest(m)], size);
    access_unlink(c->pool, &c->list, a);
    c->in_flight[w]--;
    if (ready_held(&c->slots->ready, WAIT_COPY) >> w & 1 && all_done(c, w))
        ready_let_go(&c->slots->ready, WAIT_COPY, w);
    return true;
}

void copies_group(struct copies *c, uint32_t w, const struct inst *inst)
{
    if (inst->op.sub != COPY_WAIT)
        c->group[w]++;
    if (inst->op.sub == COPY_COMMIT)
        return;
    c->awaited[w] = c->group[w] - (uint32_t)inst->op.imm;
    if (!all_done(c, w))
        ready_hold(&c->slots->ready, WAIT_COPY, w);
}
