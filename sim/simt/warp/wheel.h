/* Timing wheel: what happens at a known cycle less than `size` ahead, one list per cycle. Owner:
 * wheel.c. */
#ifndef EVGPU_SIMT_WARP_WHEEL_H
#define EVGPU_SIMT_WARP_WHEEL_H

#include "sim/simt/warp/units.h"

#define NO_NODE 0xFFFFFFFFu

enum node_kind { NODE_PIPE, NODE_ACCESS };

/* Something that happens at a known cycle. */
struct node {
    uint32_t next; /* of the wheel's */
    uint8_t kind, warp;
    uint16_t access;
    uint32_t generation;
    const struct inst *inst;
};

struct wheel {
    uint32_t *bucket; /* size: a power of two above every latency */
    uint64_t *full;   /* bit per bucket */
    struct node *node;
    uint32_t size, free, count;
};

void wheel_create(struct wheel *wheel, uint32_t max_delay, uint32_t per_cycle);
void wheel_destroy(struct wheel *wheel);
/* First cycle after `now` with a node in it; UINT64_MAX: none. */
uint64_t wheel_next(const struct wheel *wheel, uint64_t now);
/* Calls `each` for every node, in the order of the wheel. */
void wheel_visit(const struct wheel *wheel, void (*each)(void *user, const struct node *node),
                 void *user);

/* The caller fills everything but `next`. */
static inline struct node *wheel_add(struct wheel *wheel, uint64_t cycle)
{
    uint32_t b = (uint32_t)cycle & (wheel->size - 1);
    uint32_t n = wheel->free;
    struct node *node = &wheel->node[n];
    wheel->free = node->next;
    node->next = wheel->bucket[b];
    wheel->bucket[b] = n;
    wheel->full[b / 64] |= BIT(b % 64);
    wheel->count++;
    return node;
}

/* The longest delay that a node may have. */
static inline uint32_t wheel_reach(const struct wheel *wheel)
{
    return wheel->size - 1;
}

/* Takes the list of the cycle off the wheel; NO_NODE: nothing happens. */
static inline uint32_t wheel_take(struct wheel *wheel, uint64_t cycle)
{
    uint32_t b = (uint32_t)cycle & (wheel->size - 1);
    uint32_t first = wheel->bucket[b];
    if (first != NO_NODE) {
        wheel->bucket[b] = NO_NODE;
        wheel->full[b / 64] &= ~BIT(b % 64);
    }
    return first;
}

static inline const struct node *wheel_node(const struct wheel *wheel, uint32_t i)
{
    return &wheel->node[i];
}

/* The first node of the cycle's list, which stays; NO_NODE: nothing happens. */
static inline uint32_t wheel_first(const struct wheel *wheel, uint64_t cycle)
{
    return wheel->bucket[cycle & (wheel->size - 1)];
}

/* Gives a node of a list that was taken back; the one after it. */
static inline uint32_t wheel_done(struct wheel *wheel, uint32_t i)
{
    struct node *node = &wheel->node[i];
    uint32_t next = node->next;
    node->next = wheel->free;
    wheel->free = i;
    wheel->count--;
    return next;
}

#endif
