/* Between the parts of mesh.h: routers, and the interfaces between them and the endpoints.
 *
 * A router has LANES buffers to a port: number port * LANES + vc, those behind its local output
 * port, the ejection's, from EJECTION * LANES on. Its channels are numbered by output port in the
 * same way; those of the node's inputs into the local port, its entrance, from ENTRANCE * LANES on.
 *
 * A flit is put into the buffer behind its link when it is sent, with the tick from which on it may
 * leave there: links and stages need no other state. */
#ifndef EVGPU_MEM_NET_MESH_INTERNAL_H
#define EVGPU_MEM_NET_MESH_INTERNAL_H

#include "sim/mem/net/mesh.h"

enum port { PORT_LOCAL, PORT_EAST, PORT_WEST, PORT_SOUTH, PORT_NORTH, PORTS };
_Static_assert(PORTS == MESH_LINKS, "mesh.h says how many");

#define LANES        MESH_MAX_VCS
#define LANE_BITS    3u
#define LANE_MASK    0xffull
#define EJECTION     5u /* of a buffer, as a port */
#define ENTRANCE     5u /* of a channel, as a port */
#define BUFFER_PORTS 6u
#define ROUTER_LANES (BUFFER_PORTS * LANES) /* buffers, or channels, of a router */
#define INPUT_MASK   ((1ull << PORTS * LANES) - 1)

#define NO_CHANNEL UINT32_MAX
#define NO_BUFFER  63 /* holds a channel of the entrance */

#define FLIT_HEAD    (1u << 30)
#define FLIT_TAIL    (1u << 31)
#define FLIT_PACKET  (FLIT_HEAD - 1)
#define CHANNEL_BITS 6u /* of a channel's number, below its node's */

struct flit {
    uint32_t packet; /* with FLIT_HEAD, FLIT_TAIL */
    uint32_t ready;  /* first tick in which it may leave, modulo 2^32 */
    uint16_t to;     /* its packet's node */
    uint8_t allowed; /* bit v: its packet may use channel v, of any router */
};

struct packet {
    struct mem_request message;
    uint16_t input, output, flits;
    uint16_t node;   /* of the output */
    uint8_t allowed; /* bit v: it may use channel v, of any router */
};

/* Holds `count` flits: `head`, and behind it those from place `first` of its ring on. */
struct buffer {
    struct flit head;
    uint8_t first, count;
    uint8_t channel; /* that its packet has, where the router's `routed` says so */
};

/* Where the channels of an output port lead: to the buffers from `lane` on of a router; a flit may
 * leave there `delay` ticks after it was sent. */
struct link {
    struct router *to;
    uint16_t node;
    uint8_t lane, delay;
};

/* Bits of the first five are buffers, those of the next three channels. */
struct router {
    uint64_t filled; /* holds a flit, which may still be on its way */
    uint64_t due; /* its first flit may leave, as of the last tick that the router had a flit in */
    uint64_t routed;  /* its packet has a channel */
    uint64_t blocked; /* the channel has no credit */
    uint64_t refused; /* its packet has found no channel, and none has become free since */
    uint64_t free;    /* nobody holds it */
    uint64_t credit;  /* there is room behind it */
    uint64_t full;    /* it has all its credits */
    uint8_t credits[ROUTER_LANES];
    uint8_t holder[ROUTER_LANES]; /* buffer that holds the channel, where it is not free */
    uint8_t turn_out[PORTS];      /* input port, or buffer, that an output looks at first */
    uint8_t turn_in[PORTS];       /* channel, or output, that an input port looks at first */
    uint8_t turn_vc;              /* buffer that asks for a channel first */
    uint8_t turn_eject;
    uint16_t turn_input; /* input that injects first */
    uint16_t waiting;    /* inputs that hold a packet */
    uint64_t
        *coming; /* by tick modulo due_slots: buffers whose first flit may leave from then on */
    struct buffer *buffer;   /* [ROUTER_LANES], its part of the mesh's, as the next two */
    struct flit *flits;      /* [vc_buffer][ROUTER_LANES] */
    const uint8_t *port;     /* [nodes] output on the way to each */
    struct link link[PORTS]; /* of each output */
    uint32_t
        back[BUFFER_PORTS]; /* of each port of buffers: its channel 0 that gets their credits */
    uint64_t sent[PORTS];   /* flits, by output */
};

/* Credits under way, a slot to a tick, channels as node << CHANNEL_BITS | channel. */
struct wheel {
    uint32_t *entry; /* [slots][room] */
    uint32_t *count; /* [slots] */
    uint32_t *next;  /* in the slot `at` */
    uint32_t slots, room, held;
    uint32_t at; /* slot that is emptied at the beginning of a tick, then filled anew */
};

struct injection {     /* of an input */
    uint32_t *packets; /* ring */
    uint32_t first;
    struct occupancy use;
    uint16_t node;
    uint16_t sent;   /* flits of the first packet */
    uint8_t channel; /* of the first packet once it has begun */
};

#define NODE_WORDS (MESH_MAX_NODES / 64)

struct mesh {
    struct net net;
    struct mesh_config config;
    uint16_t *input_node, *output_node; /* [inputs], [outputs] */
    uint32_t nodes;
    bool simple;              /* allocation by input, one round */
    uint64_t now;             /* the coming tick */
    uint64_t held, in_motion; /* messages; those not in an output queue */

    struct router *router;            /* [nodes] */
    struct buffer *buffer;            /* [nodes * ROUTER_LANES] */
    struct flit *flits;               /* [nodes][vc_buffer][ROUTER_LANES] */
    uint64_t *coming;                 /* [nodes][due_slots] */
    uint32_t due_slots;               /* a power of two, above the longest way of a flit */
    uint8_t *port;                    /* [nodes * nodes] on the way from one to the other */
    uint64_t entrance;                /* channels of any router's entrance */
    uint8_t allowed[REQUEST_CLASSES]; /* channels that a class may use */
    uint64_t active[NODE_WORDS];      /* nodes with a flit */
    uint64_t reached[NODE_WORDS];     /* those that get one in this tick */
    struct wheel credits;

    struct packet *packets;
    uint32_t *unused, n_unused;
    struct injection *injection;    /* [inputs] */
    uint16_t *node_inputs;          /* inputs by node, from node_first[node] on */
    uint32_t *node_first;           /* [nodes + 1] */
    uint64_t injecting[NODE_WORDS]; /* nodes of which an input holds a packet */
    struct request_queue *output;   /* [outputs] */
    uint16_t *reserved;   /* [outputs] places in its queue for messages whose first flit is out */
    uint16_t *pair_count; /* [inputs * outputs] packets under way, without any_vc */
    uint8_t *pair_vc;
    uint64_t messages, granted, stood;
    struct mesh_stats stats;
    struct net_classes classes;
};

static inline bool mesh_due(const struct flit *f, uint32_t now)
{
    return (int32_t)(now - f->ready) >= 0;
}

/* The buffers whose first flit may leave from this tick on, of the next due_slots. */
static inline uint64_t *mesh_coming(const struct mesh *m, const struct router *r, uint32_t tick)
{
    return &r->coming[tick & (m->due_slots - 1)];
}

/* A router in a tick. */
struct sight {
    struct mesh *m;
    struct router *r;
    struct buffer *buffer; /* the router's */
    struct flit *flits;    /* same */
    uint32_t node, now;
};

static inline struct sight mesh_sight(struct mesh *m, uint32_t node)
{
    struct router *r = &m->router[node];
    return (struct sight){.m = m,
                          .r = r,
                          .buffer = r->buffer,
                          .flits = r->flits,
                          .node = node,
                          .now = (uint32_t)m->now};
}

static inline const struct flit *mesh_head(const struct sight *s, uint32_t lane)
{
    return &s->buffer[lane].head;
}

/* The flit goes into a buffer of the router, which has room. */
static inline void mesh_enter(struct mesh *m, struct router *r, uint32_t node, uint32_t lane,
                              struct flit flit)
{
    struct buffer *b = &r->buffer[lane];
    uint32_t size = m->config.vc_buffer, at = (uint32_t)b->first + b->count - 1;
    if (b->count++) {
        r->flits[(at < size ? at : at - size) * ROUTER_LANES + lane] = flit;
    } else {
        b->head = flit;
        *mesh_coming(m, r, flit.ready) |= 1ull << lane;
    }
    r->filled |= 1ull << lane;
    m->reached[node / 64] |= 1ull << node % 64;
}

/* The first flit leaves its buffer; its credit goes back. */
static inline void mesh_leave(const struct sight *s, uint32_t lane)
{
    struct buffer *b = &s->buffer[lane];
    uint64_t bit = 1ull << lane;
    if (--b->count) {
        b->head = s->flits[b->first * ROUTER_LANES + lane];
        b->first = (uint8_t)(b->first + 1u < s->m->config.vc_buffer ? b->first + 1 : 0);
        if (!mesh_due(&b->head, s->now)) {
            s->r->due &= ~bit;
            *mesh_coming(s->m, s->r, b->head.ready) |= bit;
        }
    } else {
        s->r->filled &= ~bit;
        s->r->due &= ~bit;
    }
    *s->m->credits.next++ = s->r->back[lane >> LANE_BITS] + (lane & (LANES - 1));
}

/* One credit fewer for a channel. */
static inline void mesh_spend(struct router *r, uint32_t channel)
{
    uint64_t bit = 1ull << channel;
    r->full &= ~bit;
    if (!--r->credits[channel])
        r->credit &= ~bit;
}

/* The first of a set that is not empty, from `from` on, then from 0 on. */
static inline uint32_t mesh_first(uint64_t set, uint32_t from)
{
    uint64_t high = set & UINT64_MAX << from;
    return (uint32_t)__builtin_ctzll(high ? high : set);
}

/* The first flit of a buffer goes over its channel, which has a credit. */
static inline void mesh_send(const struct sight *s, uint32_t lane)
{
    struct mesh *m = s->m;
    struct router *r = s->r;
    uint32_t channel = s->buffer[lane].channel, vc = channel & (LANES - 1);
    const struct link *link = &r->link[channel >> LANE_BITS];
    struct flit flit = *mesh_head(s, lane);
    uint64_t tail = flit.packet >> 31;
    r->free |= tail << channel;
    r->refused &= tail - 1;
    r->routed &= ~(tail << lane);
    mesh_leave(s, lane);
    mesh_spend(r, channel);
    r->blocked |= (~tail & ~(r->credit >> channel) & 1) << lane;
    flit.ready = s->now + link->delay;
    mesh_enter(m, link->to, link->node, link->lane + vc, flit);
    r->sent[channel >> LANE_BITS]++;
    m->stats.hops++;
}

/* Of the channels of a port that are free and allowed, the one with the most credits, the lowest of
 * equals; NO_CHANNEL: none is free. */
static inline uint32_t mesh_free_channel(const struct router *r, uint32_t port, uint32_t allowed)
{
    uint64_t set = r->free & (uint64_t)allowed << port * LANES;
    uint32_t best = NO_CHANNEL;
    if (set & r->full)
        return (uint32_t)__builtin_ctzll(set & r->full);
    for (; set; set &= set - 1) {
        uint32_t channel = (uint32_t)__builtin_ctzll(set);
        if (best == NO_CHANNEL || r->credits[channel] > r->credits[best])
            best = channel;
    }
    return best;
}

/* One tick of the parts: inputs into routers; channels, switches and ejection of every node that
 * holds a flit. */
void mesh_inject(struct mesh *m);
void mesh_route(struct mesh *m);

/* Of the buffers in `set`, whose packets have channels with credits, one to an input and to an
 * output port sends a flit. */
void mesh_switch(const struct sight *s, uint64_t set);

/* A flit of the node's ejection goes into its message. */
void mesh_eject(const struct sight *s);

#endif
