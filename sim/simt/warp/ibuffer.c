#include "sim/simt/warp/ibuffer.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/simt/warp/slots.h"

void ibuffers_create(struct ibuffers *b, uint32_t size)
{
    uint32_t ring = 1;
    while (ring < size)
        ring *= 2;
    b->mask = ring - 1;
    b->hit = ALLOC_ARRAY(struct fetch_hit, ring);
}

void ibuffers_destroy(struct ibuffers *b)
{
    free(b->hit);
}

void ibuffer_fill(struct slots *slots, uint32_t w, uint32_t count)
{
    struct ibuffers *b = &slots->ibuffers;
    uint64_t bit = BIT(w);
    b->entries[w] = (uint8_t)(b->entries[w] + count);
    b->some |= bit;
    if (b->entries[w] == IBUF_ENTRIES)
        b->room &= ~bit;
    ready_gain(slots, w);
}

void ibuffers_take_arrivals(struct slots *slots)
{
    struct ibuffers *b = &slots->ibuffers;
    while (b->count) {
        const struct fetch_hit *f = &b->hit[b->head];
        if (f->cycle > clock_now(&slots->clock))
            return;
        if (!f->dead) {
            b->busy &= ~BIT(f->warp);
            ibuffer_fill(slots, f->warp, f->count);
        }
        b->head = (b->head + 1) & b->mask;
        b->count--;
    }
}

/* Forgets fetches that hit and have not arrived. */
static void kill_hits(struct ibuffers *b, uint32_t w)
{
    for (uint32_t i = 0; i < b->count; i++) {
        struct fetch_hit *hit = &b->hit[(b->head + i) & b->mask];
        if (hit->warp == w && !hit->dead) {
            hit->dead = true;
            b->busy &= ~BIT(w);
        }
    }
}

void ibuffer_flush(struct ibuffers *b, uint32_t w)
{
    uint64_t bit = BIT(w);
    b->entries[w] = 0;
    b->some &= ~bit;
    b->room |= bit;
    if (b->busy & bit)
        kill_hits(b, w);
}

void ibuffer_stop(struct ibuffers *b, uint32_t w)
{
    ibuffer_flush(b, w);
    b->room &= ~BIT(w);
}

bool ibuffer_forget(struct ibuffers *b, uint32_t w)
{
    kill_hits(b, w);
    bool missed = b->busy >> w & 1;
    b->busy &= ~BIT(w);
    return missed;
}
