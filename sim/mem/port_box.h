/* What a requester and the memory system tell each other when the requester runs at the same time
 * as others, for up to NET_AHEAD core cycles (memsys_fill_boxes, memsys.h). This file belongs to
 * the two: the functions below are the requester's. */
#ifndef EVGPU_MEM_PORT_BOX_H
#define EVGPU_MEM_PORT_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/alloc.h"
#include "sim/mem/net/net.h"

/* A request and where it goes. */
struct addressed {
    struct mem_request request;
    uint32_t output, flits;
};

/* A request, and the core cycle in which it was made. */
struct sent {
    struct addressed addressed;
    uint64_t cycle;
};

/* A port whose owner runs while others do the same, for up to NET_AHEAD cycles. The first line of
 * each way is enough for one cycle. */
struct port_box {
    _Alignas(CACHE_LINE) bool direct;   /* not used: what is asked happens at once */
    uint8_t replies;                    /* that come */
    uint8_t room[2];                    /* for so many requests; for those of events */
    struct coming reply[NET_AHEAD];     /* `after` is the core cycle */
    _Alignas(CACHE_LINE) uint8_t taken; /* of the replies */
    uint8_t requests;                   /* that were made */
    uint64_t refused;
    struct sent sent[NET_AHEAD];
};

_Static_assert(offsetof(struct port_box, reply[1]) <= CACHE_LINE &&
                   offsetof(struct port_box, sent[1]) <=
                       offsetof(struct port_box, taken) + CACHE_LINE,
               "a line each way");

/* The lines that a thread is about to read from another one's cache come to its own. */
static inline void box_expect(const struct port_box *b)
{
    __builtin_prefetch(&b->replies);
    __builtin_prefetch(&b->taken, 1);
}

static inline void box_expect_back(const struct port_box *b)
{
    __builtin_prefetch(&b->taken);
    __builtin_prefetch(&b->sent[1]);
}

/* Before the first cycle after the box has been filled. */
static inline void box_open(struct port_box *b)
{
    if (b->taken | b->requests)
        b->taken = b->requests = 0;
}

/* Cycle of the next reply; UINT64_MAX: none comes. */
static inline uint64_t box_next_reply(const struct port_box *b)
{
    return b->taken < b->replies ? b->reply[b->taken].after : UINT64_MAX;
}

/* No reply comes in this cycle. */
static inline bool box_no_reply(const struct port_box *b, uint64_t cycle)
{
    return !b->direct && box_next_reply(b) > cycle;
}

/* There is room for a request in every cycle up to the next request. */
static inline bool box_room(const struct port_box *b)
{
    return b->requests < b->room[0];
}

/* There is something in it. */
static inline bool box_used(const struct port_box *b)
{
    return b->taken | b->requests;
}

/* The first cycle of what is in it; UINT64_MAX: nothing is. */
static inline uint64_t box_first(const struct port_box *b)
{
    uint64_t reply = b->taken ? b->reply[0].after : UINT64_MAX;
    uint64_t request = b->requests ? b->sent[0].cycle : UINT64_MAX;
    return reply < request ? reply : request;
}

#endif
