#include "sim/simt/functional/kept_stores.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/lsu/lsu.h"

#define ALIGN 16u /* of a record, and of its data */

struct record {
    uint8_t *to;
    uint64_t bytes;
};

_Static_assert(sizeof(struct record) % ALIGN == 0, "the data follow it");

static size_t room_of(size_t bytes)
{
    return sizeof(struct record) + (bytes + ALIGN - 1) / ALIGN * ALIGN;
}

void kept_stores_destroy(struct kept_stores *k)
{
    free(k->bytes);
    *k = (struct kept_stores){.bytes = NULL};
}

static void make_room(struct kept_stores *k, size_t bytes)
{
    if (k->used + bytes <= k->capacity)
        return;
    k->capacity = 2 * k->capacity + bytes;
    k->bytes = alloc_resize(k->bytes, k->capacity, 1);
}

/* A record for so many bytes, for which there is room; where its data are to be written. */
static uint8_t *add(struct kept_stores *k, uint8_t *to, size_t bytes)
{
    struct record *r = (void *)(k->bytes + k->used);
    *r = (struct record){to, bytes};
    k->used += room_of(bytes);
    return (uint8_t *)(r + 1);
}

void kept_stores_add(struct kept_stores *k, const struct inst *inst, const struct lane_ctx *ctx,
                     uint32_t mask, struct lane_addresses *p)
{
    uint32_t size = (uint32_t)inst->width * inst->vec;
    if (p->regular && p->pattern.step == size && p->pattern.half == WARP_SIZE / 2 * size) {
        make_room(k, room_of((size_t)WARP_SIZE * size));
        isa_store_pattern(inst, ctx, add(k, p->first, (size_t)WARP_SIZE * size), &p->pattern);
        return;
    }
    if (p->regular)
        lane_addresses_list(p);
    make_room(k, WARP_SIZE * room_of(size));
    uint8_t *at[WARP_SIZE];
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m);
        at[lane] = p->global >> lane & 1 ? add(k, p->at[lane], size) : p->at[lane];
    }
    isa_store(inst, ctx, mask, at);
}

void kept_stores_perform(struct kept_stores *k)
{
    for (size_t at = 0; at < k->used;) {
        const struct record *r = (const void *)(k->bytes + at);
        memcpy(r->to, r + 1, r->bytes);
        at += room_of(r->bytes);
    }
    k->used = 0;
}
