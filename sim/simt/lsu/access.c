#include "sim/simt/lsu/access.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define GENERATION_MASK ((1u << (32 - TAG_KIND_BITS - ACCESS_BITS)) - 1)

void accesses_create(struct access_pool *p, struct slots *slots)
{
    p->slots = slots;
    p->access = alloc_sparse(ACCESSES, sizeof *p->access, &p->memory);
    p->free = ALLOC_ARRAY(uint16_t, ACCESSES);
    for (uint32_t i = 0; i < ACCESSES; i++)
        p->free[p->n_free++] = (uint16_t)(ACCESSES - 1 - i);
}

void accesses_destroy(struct access_pool *p)
{
    free(p->memory);
    free(p->free);
}

struct access *access_take(struct access_pool *p, uint32_t w, const struct inst *inst,
                           uint32_t mask)
{
    struct access *a = &p->access[p->free[--p->n_free]];
    uint32_t generation = (a->generation + 1) & GENERATION_MASK;
    memset(a, 0, offsetof(struct access, point));
    a->inst = inst;
    a->seq = issue_number(&p->slots->scoreboard, w);
    a->generation = generation;
    a->mask = mask;
    a->point = stack_point(&p->slots->stacks, w);
    a->warp = (uint8_t)w;
    a->event = p->slots->config.event_queue && event_on(&p->slots->events, w);
    return a;
}

void access_free(struct access_pool *p, struct access *a)
{
    a->generation = (a->generation + 1) & GENERATION_MASK;
    p->free[p->n_free++] = access_index(p, a);
}

void access_append(struct access_pool *p, struct access_list *list, struct access *a)
{
    uint32_t w = a->warp;
    uint16_t i = access_index(p, a);
    a->next = NO_ACCESS;
    a->prev = list->last[w];
    if (a->prev == NO_ACCESS)
        list->first[w] = i;
    else
        p->access[a->prev].next = i;
    list->last[w] = i;
}

void access_unlink(struct access_pool *p, struct access_list *list, struct access *a)
{
    uint32_t w = a->warp;
    if (a->prev == NO_ACCESS)
        list->first[w] = a->next;
    else
        p->access[a->prev].next = a->next;
    if (a->next == NO_ACCESS)
        list->last[w] = a->prev;
    else
        p->access[a->next].prev = a->prev;
}

void access_list_create(struct access_list *list)
{
    for (uint32_t w = 0; w < SLOTS; w++)
        list->first[w] = list->last[w] = NO_ACCESS;
}
