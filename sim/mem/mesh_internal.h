/* Between the parts of mesh.h: routers, and the interfaces between them and the endpoints.
 *
 * Buffers are numbered node * size + port * vcs + vc, with size = PORTS * vcs; those behind the
 * local output port (the node's ejection) come after them, numbered node * vcs + vc. Channels of a
 * router are numbered port * vcs + vc by output port; those of the node's inputs into the local
 * port, its entrance, come after them, from `size` on.
 *
 * A flit is put into the buffer behind its link when it is sent, with the tick from which on it may
 * leave there: links and stages need no other state. */
#ifndef EVGPU_MEM_MESH_INTERNAL_H
#define EVGPU_MEM_MESH_INTERNAL_H

#include "sim/mem/mesh.h"

enum port { PORT_LOCAL, PORT_EAST, PORT_WEST, PORT_SOUTH, PORT_NORTH, PORTS };

#define NO_CHANNEL UINT8_MAX

#define FLIT_HEAD    (1u << 30)
#define FLIT_TAIL    (1u << 31)
#define FLIT_PACKET  (FLIT_HEAD - 1)
#define CHANNEL_BITS 6u /* a channel's number, below its node's */

struct flit {
    uint32_t packet; /* with FLIT_HEAD, FLIT_TAIL */
    uint32_t ready;  /* first tick in which it may leave, modulo 2^32 */
};

struct packet {
    struct mem_request message;
    uint16_t input, output, flits;
    uint16_t node;     /* of the output */
    uint8_t class, vc; /* vc: that it keeps all the way, without any_vc */
};

/* The first `count` flits from `first` on are in it. */
struct buffer {
    uint8_t first, count;
    uint8_t port;    /* that its packet needs */
    uint8_t channel; /* that its packet has, where the router's `routed` says so */
};

/* Bits of `filled` and `routed` are buffers, those of `free` and `credit` channels. */
struct router {
    uint64_t filled; /* holds a flit, which may still be on its way */
    uint64_t routed; /* its packet has a channel */
    uint64_t free;   /* nobody holds it */
    uint64_t credit; /* there is room behind it */
    uint8_t credits[(PORTS + 1) * MESH_MAX_VCS];
    uint8_t turn_out[PORTS]; /* input port that an output looks at first */
    uint8_t turn_in[PORTS];  /* channel that an input port looks at first */
    uint8_t turn_vc;         /* buffer that asks for a channel first */
    uint8_t turn_eject;
    uint8_t ejecting;    /* bit vc: the ejection's buffer holds a flit */
    uint16_t turn_input; /* input that injects first */
    uint16_t waiting;    /* inputs that hold a packet */
};

/* Where an output channel leads. */
struct link {
    uint32_t buffer;
    uint16_t node;
    uint8_t bit; /* of the buffer in its router, of the ejection's in `ejecting` */
    bool ejection;
};

/* Credits under way, a slot to a tick, channels as node << CHANNEL_BITS | channel. */
struct wheel {
    uint32_t *entry; /* [slots][room] */
    uint32_t *count; /* [slots] */
    uint32_t slots, room, held;
    uint32_t at; /* slot that is emptied at the beginning of a tick, then filled anew */
};

struct injection {     /* of an input */
    uint32_t *packets; /* ring */
    uint32_t first;
    struct occupancy use;
    uint16_t node;
    uint16_t sent; /* flits of the first packet */
    uint8_t vc;    /* of the first packet once it has begun */
};

struct mesh {
    struct net net;
    struct mesh_config config;
    uint16_t *input_node, *output_node; /* [inputs], [outputs] */
    uint32_t nodes, size, buffers;      /* size: buffers of a router; buffers: of all of them */
    uint64_t now;                       /* the coming tick */
    uint64_t held, in_motion;           /* messages; those not in an output queue */

    struct router *router;                /* [nodes] */
    struct flit *flits;                   /* [buffers + ejections][vc_buffer] */
    struct buffer *buffer;                /* [buffers + ejections] */
    struct link *link;                    /* [buffers] by output channel */
    uint32_t *back;                       /* [buffers + ejections] channel that gets its credits */
    uint8_t *port;                        /* [nodes * nodes] on the way from one to the other */
    uint64_t active[MESH_MAX_NODES / 64]; /* routers with a flit */
    struct wheel credits;

    struct packet *packets;
    uint32_t *unused, n_unused;
    struct injection *injection;             /* [inputs] */
    uint16_t *node_inputs;                   /* inputs by node, from node_first[node] on */
    uint32_t *node_first;                    /* [nodes + 1] */
    uint64_t injecting[MESH_MAX_NODES / 64]; /* nodes of which an input holds a packet */
    uint64_t ejecting[MESH_MAX_NODES / 64];  /* nodes with a flit behind the local port */
    struct request_queue *output;            /* [outputs] */
    uint16_t *reserved;   /* [outputs] places in its queue for messages whose first flit is out */
    uint16_t *pair_count; /* [inputs * outputs] packets under way, without any_vc */
    uint8_t *pair_vc;
    uint64_t messages, granted, stood;
    struct mesh_stats stats;
    struct net_classes classes;
};

static inline uint32_t mesh_ejection(const struct mesh *m, uint32_t node, uint32_t vc)
{
    return m->buffers + node * m->config.vcs + vc;
}

static inline struct flit *mesh_head(const struct mesh *m, uint32_t buffer)
{
    return &m->flits[buffer * m->config.vc_buffer + m->buffer[buffer].first];
}

static inline bool mesh_due(const struct flit *f, uint64_t now)
{
    return (int32_t)((uint32_t)now - f->ready) >= 0;
}

/* The flit goes into the buffer, which has room. */
static inline void mesh_enter(struct mesh *m, uint32_t buffer, struct flit flit)
{
    struct buffer *b = &m->buffer[buffer];
    uint32_t size = m->config.vc_buffer, at = (uint32_t)b->first + b->count;
    m->flits[buffer * size + (at < size ? at : at - size)] = flit;
    b->count++;
}

/* The first flit leaves the buffer; its credit goes back. */
static inline void mesh_leave(struct mesh *m, uint32_t buffer)
{
    struct buffer *b = &m->buffer[buffer];
    struct wheel *w = &m->credits;
    b->first = (uint8_t)(b->first + 1u < m->config.vc_buffer ? b->first + 1 : 0);
    b->count--;
    w->entry[w->at * w->room + w->count[w->at]++] = m->back[buffer];
    w->held++;
}

/* One credit fewer for a channel. */
static inline void mesh_spend(struct router *r, uint32_t channel)
{
    if (!--r->credits[channel])
        r->credit &= ~(1ull << channel);
}

/* The bits from `from` on, then those before it, of a set of `size`. */
static inline uint64_t mesh_rotate(uint64_t set, uint32_t from, uint32_t size)
{
    uint64_t all = size == 64 ? UINT64_MAX : (1ull << size) - 1;
    return from ? (set >> from | set << (size - from)) & all : set;
}

/* Of free channels first + vc, those of `allowed`, the one with the most credits, the lowest of
 * equals; NO_CHANNEL: none is free. */
static inline uint32_t mesh_free_channel(const struct router *r, uint32_t first, uint32_t allowed)
{
    uint32_t best = NO_CHANNEL;
    for (uint64_t set = r->free >> first & allowed; set; set &= set - 1) {
        uint32_t vc = (uint32_t)__builtin_ctzll(set);
        if (best == NO_CHANNEL || r->credits[first + vc] > r->credits[first + best])
            best = vc;
    }
    return best;
}

/* Channels and switches of every router that holds a flit. */
void mesh_route(struct mesh *m);

/* Injection and ejection of a tick. */
void mesh_inject(struct mesh *m);
void mesh_eject(struct mesh *m);

/* Channels that a packet may take. */
static inline uint32_t mesh_allowed(const struct mesh *m, const struct packet *p)
{
    uint32_t all = (1u << m->config.vcs) - 1;
    uint32_t class = m->config.class_vcs[p->class] & all;
    if (!m->config.any_vc && p->vc != NO_CHANNEL)
        return 1u << p->vc;
    return class ? class : all;
}

#endif
