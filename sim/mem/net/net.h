/* One direction of the on-chip network, as its users see it; which network it is, its creator
 * decides (crossbar.h).
 *
 * A user pushes messages of a stated number of flits into numbered inputs, as long as there is
 * room, and takes them from numbered outputs. Messages of one input to one output keep their order
 * (those of a class, where classes have networks of their own). Nothing is lost. */
#ifndef EVGPU_MEM_NET_NET_H
#define EVGPU_MEM_NET_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/mem/net/endpoint.h"
#include "sim/mem/queue.h"

#define NET_WORDS (MAX_ENDPOINTS / 64)

struct net;

struct net_stats {
    struct queue_stats inputs, outputs; /* summed over all queues */
    uint64_t messages, flits;           /* delivered to outputs; granted */
    uint64_t stood;                     /* ticks that a path stood because its output was full */
    /* By enum request_class: messages and flits pushed; ticks from the push to where the message is
     * taken, summed over messages (those under way: until now). */
    struct class_stats {
        uint64_t messages, flits, ticks;
    } of[REQUEST_CLASSES];
};

void net_stats_add(struct net_stats *sum, const struct net_stats *one);

/* How long messages are in a network, without a time in every message: the ticks in which they
 * leave less those in which they came. */
struct net_classes {
    struct class_stats of[REQUEST_CLASSES];
    uint32_t held[REQUEST_CLASSES];
};

static inline void net_classes_enter(struct net_classes *c, uint8_t class, uint32_t flits,
                                     uint64_t now)
{
    c->of[class].messages++;
    c->of[class].flits += flits;
    c->of[class].ticks -= now;
    c->held[class]++;
}

static inline void net_classes_leave(struct net_classes *c, uint8_t class, uint64_t now)
{
    c->of[class].ticks += now;
    c->held[class]--;
}

void net_classes_stats(const struct net_classes *c, uint64_t now, struct net_stats *stats);

#define NET_AHEAD 8u /* ticks that are told in advance, at most */

/* A message that an output offers after so many more ticks. */
struct coming {
    struct mem_request message;
    uint64_t after;
};

struct net_ops {
    /* Only when there is room. flits >= 1. */
    void (*push)(struct net *n, uint32_t input, uint32_t output, uint32_t flits,
                 const struct mem_request *message);
    /* Messages of this class that may be pushed, as far as the network can tell: at least one when
     * there is room. */
    uint32_t (*room)(const struct net *n, uint32_t input, uint8_t class);
    /* The message that an output offers; only when its bit in `ready` is set. */
    const struct mem_request *(*peek)(const struct net *n, uint32_t output);
    void (*take)(struct net *n, uint32_t output);
    /* What an output offers before each of the next `ticks` ticks, at most `ahead`, if whatever is
     * offered is taken; how many messages that are. NULL: the network cannot tell. */
    uint32_t (*coming)(const struct net *n, uint32_t output, uint32_t ticks, struct coming *list);
    void (*tick)(struct net *n);
    /* Coming ticks in which nothing becomes ready and no message moves on in a way that a later
     * push or take could see, as long as nothing is pushed; UINT64_MAX: for ever. */
    uint64_t (*quiet)(const struct net *n);
    void (*skip_ticks)(struct net *n, uint64_t ticks); /* at most `quiet` */
    bool (*idle)(const struct net *n);                 /* holds no message */
    void (*stats)(const struct net *n, struct net_stats *stats);
    /* How many links there are; into `flits`, unless it is NULL, those that each has carried. */
    uint32_t (*links)(const struct net *n, uint64_t *flits);
    void (*destroy)(struct net *n);
};

/* The head of every network. */
struct net {
    const struct net_ops *ops;
    uint32_t inputs, outputs;
    uint32_t ahead; /* ticks for which `coming` knows, 1 to NET_AHEAD; 1: what is offered now */
    uint64_t ready[NET_WORDS];     /* bit o: output o offers a message */
    uint64_t under_way[NET_WORDS]; /* the same: `coming` may know of one that is not offered yet */
};

static inline uint32_t net_room(const struct net *n, uint32_t input, uint8_t class)
{
    return n->ops->room(n, input, class);
}

static inline void net_push(struct net *n, uint32_t input, uint32_t output, uint32_t flits,
                            const struct mem_request *message)
{
    n->ops->push(n, input, output, flits, message);
}

static inline bool net_ready(const struct net *n, uint32_t output)
{
    return n->ready[output / 64] >> output % 64 & 1;
}

static inline bool net_any_ready(const struct net *n)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < NET_WORDS; i++)
        any |= n->ready[i];
    return any != 0;
}

static inline const struct mem_request *net_peek(const struct net *n, uint32_t output)
{
    return n->ops->peek(n, output);
}

static inline void net_take(struct net *n, uint32_t output)
{
    n->ops->take(n, output);
}

static inline uint32_t net_coming(const struct net *n, uint32_t output, uint32_t ticks,
                                  struct coming *list)
{
    if (n->ahead > 1)
        return n->ops->coming(n, output, ticks, list);
    if (!net_ready(n, output))
        return 0;
    *list = (struct coming){.message = *net_peek(n, output)};
    return 1;
}

static inline void net_tick(struct net *n)
{
    n->ops->tick(n);
}

static inline uint64_t net_quiet(const struct net *n)
{
    return n->ops->quiet(n);
}

static inline void net_skip(struct net *n, uint64_t ticks)
{
    n->ops->skip_ticks(n, ticks);
}

static inline bool net_idle(const struct net *n)
{
    return n->ops->idle(n);
}

static inline void net_stats(const struct net *n, struct net_stats *stats)
{
    n->ops->stats(n, stats);
}

/* The links of a crossbar are its outputs; those of a mesh its routers' outputs, MESH_LINKS of each
 * (mesh.h); those of two parts (net_parts.h) the first's, then the second's. */
static inline uint32_t net_links(const struct net *n, uint64_t *flits)
{
    return n->ops->links(n, flits);
}

static inline void net_destroy(struct net *n)
{
    if (n)
        n->ops->destroy(n);
}

#endif
