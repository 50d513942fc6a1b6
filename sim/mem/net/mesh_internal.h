/* Between the parts of mesh.h: routers, and the interfaces between them and the endpoints.
 *
 * A router has LANES buffers to a port: number port * LANES + vc, those behind its local output
 * port, the ejection's, from EJECTION * LANES on. Its channels are numbered by output port in the
 * same way; those of the node's inputs into the local port, its entrance, from ENTRANCE * LANES on.
 * So a word has a bit for every buffer, or for every channel, of a router.
 *
 * Flits are counted and have no record of their own. A buffer has those that may leave it; those on
 * their way to it, and credits on their way back, are bits in the slot of the tick in which they
 * count. What packet a buffer's flits belong to says its list of packets, into which a packet goes
 * when it gets the channel before the buffer.
 *
 * The words of all routers lie side by side (struct words): what happens in every router of a tick
 * is done for several at once, and only routers in which something can move are looked at. */
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
#define LOWEST_BITS  (INPUT_MASK / LANE_MASK) /* of each port's buffers */
#define HIGHEST_BITS (LOWEST_BITS << (LANES - 1))

#define NO_BUFFER 63 /* holds a channel of the entrance */
#define NO_NODE   UINT16_MAX

#define PLANES 7u /* counts up to 64 flits, or credits */

#define NODE_WORDS (MESH_MAX_NODES / 64)
#define NODE_ROOM  (MESH_MAX_NODES + 8) /* so that words of a router are in different cache sets */

/* A word of every router. */
typedef uint64_t node_words[NODE_ROOM];

/* Small numbers for every bit of a word: plane i has bit i of each. */
typedef node_words planes[PLANES];

/* Bits of buffers, then of channels. */
struct words {
    node_words routed;         /* its packet has a channel */
    node_words blocked;        /* same, and the channel has no credit */
    node_words known;          /* its packet waits for a channel, in one of the router's `wants` */
    node_words due;            /* has a flit that may leave, as the tick begins */
    node_words chosen;         /* sends one */
    node_words towards[PORTS]; /* has a channel of the output */
    /* Allocation by input in one round: whom an input port, and whom an output, looks at first. */
    node_words turn_in, turn_out[PORTS];
    node_words moved;  /* a flit has left it in this tick */
    planes flits;      /* those that may leave */
    node_words wanted; /* all channels of a port whose `wants` is not empty */
    node_words free;   /* nobody holds it */
    node_words spent;  /* a flit has gone over it in this tick */
    planes credits;
};

/* A packet, as a buffer knows it. */
struct passage {
    uint32_t packet;
    uint16_t flits;
    uint8_t to;      /* node */
    uint8_t allowed; /* bit v: it may use channel v, of any router */
};

/* The buffers of a router. Of `count` packets that have the channel before the buffer, or had it
 * and have flits in it, `head` is the first; the others are in a ring from place `first` on. What
 * every flit needs lies together. */
struct buffers {
    uint8_t channel[ROUTER_LANES]; /* of the first packet, where `routed` says that it has one */
    uint16_t left[ROUTER_LANES];   /* flits of the first packet that have not left the buffer */
    uint8_t count[ROUTER_LANES];
    uint8_t first[ROUTER_LANES];
    struct passage head[ROUTER_LANES];
};

/* Where the channels of an output port, or credits of an input port, lead: to the bits from `lane`
 * on of a node. */
struct way {
    uint16_t node;
    uint8_t lane;
};

struct router {
    struct way ahead[PORTS];       /* of the channels of each output */
    struct way back[BUFFER_PORTS]; /* of the credits of each port's buffers */
    /* With another allocation, or several rounds. */
    uint8_t turn_out[PORTS]; /* input port, or buffer, that an output looks at first */
    uint8_t turn_in[PORTS];  /* channel, or output, that an input port looks at first */
    uint8_t turn_vc;         /* buffer that asks for a channel first */
    uint8_t turn_eject;
    uint16_t turn_input;          /* input that injects first */
    uint16_t waiting;             /* inputs that hold a packet */
    uint64_t wants[PORTS];        /* buffers whose packets wait for a channel of the output */
    uint8_t holder[ROUTER_LANES]; /* buffer that holds the channel, where it is not free */
    uint64_t sent[PORTS];         /* flits, by output */
};

struct packet {
    struct mem_request message;
    uint16_t input, output, flits;
    uint16_t node;   /* of the output */
    uint8_t allowed; /* bit v: it may use channel v, of any router */
};

struct injection {     /* of an input */
    uint32_t *packets; /* ring */
    uint32_t first;
    uint16_t node;
    uint16_t left;   /* flits of the first packet that have not left, once it has begun; else 0 */
    uint8_t channel; /* same */
    struct occupancy use;
};

/* What comes to the nodes in one tick. */
struct slot {
    node_words flits;   /* buffers that get one more flit that may leave */
    node_words credits; /* channels that get one more credit */
    /* Nodes that get flits, and credits. */
    uint64_t flowing[NODE_WORDS], credited[NODE_WORDS];
};

struct mesh {
    struct net net;
    struct mesh_config config;
    uint16_t *input_node, *output_node; /* [inputs], [outputs] */
    uint32_t nodes;
    uint32_t planes;          /* that numbers need */
    bool simple;              /* allocation by input, one round */
    uint64_t now;             /* the coming tick */
    uint64_t held, in_motion; /* messages; those not in an output queue */
    uint64_t credits_until;   /* before this tick the last credit arrives */

    struct words words;
    struct router *router;   /* [nodes] */
    struct buffers *buffers; /* [nodes] */
    struct passage *behind;  /* [nodes][ROUTER_LANES][vc_buffer] rings of the buffers */
    uint8_t *port;           /* [nodes][nodes] on the way from one to the other */
    struct slot *slot;       /* by tick modulo `slots` */
    uint32_t slots;          /* a power of two, above the longest way of a flit or credit */
    uint8_t allowed[REQUEST_CLASSES]; /* channels that a class may use */

    struct packet *packets;
    uint32_t *unused, n_unused;
    struct injection *injection;    /* [inputs] */
    uint16_t *node_inputs;          /* inputs by node, from node_first[node] on */
    uint32_t *node_first;           /* [nodes + 1] */
    uint64_t injecting[NODE_WORDS]; /* nodes of which an input holds a packet */
    uint64_t injected[NODE_WORDS];  /* nodes into which a flit has gone in this tick */
    uint64_t holding[NODE_WORDS];   /* nodes that had a flit that might leave, in the last tick */
    struct request_queue *output;   /* [outputs] */
    uint16_t *reserved;   /* [outputs] places in its queue for messages whose first flit is out */
    uint16_t *pair_count; /* [inputs * outputs] packets under way, without any_vc */
    uint8_t *pair_vc;
    uint64_t messages, granted, stood;
    struct net_classes classes;
};

static inline struct slot *mesh_slot(const struct mesh *m, uint64_t tick)
{
    return &m->slot[tick & (m->slots - 1)];
}

static inline uint32_t way_bit(const struct way *way, uint32_t lane)
{
    return way->lane + (lane & (LANES - 1));
}

/* The first of a set that is not empty, from `from` on, then from 0 on. */
static inline uint32_t mesh_first(uint64_t set, uint32_t from)
{
    uint64_t high = set & UINT64_MAX << from;
    return (uint32_t)__builtin_ctzll(high ? high : set);
}

/* Bits of a node whose number is not zero. */
static inline uint64_t mesh_some(const planes number, uint32_t used, uint32_t node)
{
    uint64_t set = 0;
    for (uint32_t i = 0; i < used; i++)
        set |= number[i][node];
    return set;
}

/* Of the channels in a set of a port's, the one with the most credits, the lowest of equals. */
static inline uint32_t mesh_best(const planes credits, uint32_t used, uint32_t node, uint64_t set)
{
    for (uint32_t i = used; i-- > 0;) {
        uint64_t more = set & credits[i][node];
        set = more ? more : set;
    }
    return (uint32_t)__builtin_ctzll(set);
}

/* Of a buffer: the packets behind the first. */
static inline struct passage *mesh_ring(const struct mesh *m, uint32_t node, uint32_t lane)
{
    return &m->behind[(size_t)(node * ROUTER_LANES + lane) * m->config.vc_buffer];
}

/* The packet goes into the list of a buffer of the node. */
static inline void mesh_append(const struct mesh *m, uint32_t node, uint32_t lane,
                               const struct passage *p)
{
    struct buffers *b = &m->buffers[node];
    if (!b->count[lane]++) {
        b->head[lane] = *p;
        b->left[lane] = p->flits;
        return;
    }
    uint32_t size = m->config.vc_buffer, at = b->first[lane] + b->count[lane] - 2u;
    mesh_ring(m, node, lane)[at < size ? at : at - size] = *p;
}

/* The first packet has left the buffer. */
static inline void mesh_drop(const struct mesh *m, uint32_t node, uint32_t lane)
{
    struct buffers *b = &m->buffers[node];
    if (!--b->count[lane])
        return;
    uint32_t first = b->first[lane];
    b->head[lane] = mesh_ring(m, node, lane)[first];
    b->left[lane] = b->head[lane].flits;
    b->first[lane] = (uint8_t)(first + 1 < m->config.vc_buffer ? first + 1 : 0);
}

/* The lowest bit of each port's. */
static inline uint64_t mesh_lowest(uint64_t set)
{
    return set & ~((set | HIGHEST_BITS) - LOWEST_BITS);
}

/* All bits of the ports of which one is set. */
static inline uint64_t mesh_whole_ports(uint64_t set)
{
    uint64_t high = (((set & ~HIGHEST_BITS) + (INPUT_MASK & ~HIGHEST_BITS)) | set) & HIGHEST_BITS;
    return (high << 1) - (high >> (LANES - 1));
}

/* Buffers that could send, as far as their channels are concerned. */
static inline uint64_t mesh_offers(const struct words *w, uint32_t node)
{
    return w->due[node] & w->routed[node] & ~w->blocked[node];
}

/* mesh_switch of one router, its offers into `chosen`, for allocation by input in one round.
 * Without branches, so that the compiler can do it for several routers at once. */
static inline void mesh_choose(struct words *restrict w, uint32_t n)
{
    uint64_t all = mesh_offers(w, n), turned = all & w->turn_in[n];
    uint64_t offers = mesh_lowest(turned | (all & ~mesh_whole_ports(turned))), chosen = 0;
    for (uint32_t out = 0; out < PORTS; out++) {
        uint64_t turn = w->turn_out[out][n], asks = offers & w->towards[out][n];
        uint64_t high = asks & turn, first = high ? high : asks;
        first &= -first;
        chosen |= first;
        uint64_t end = ((first << LANES) - first) & HIGHEST_BITS; /* of its input port */
        w->turn_out[out][n] = first ? -(end << 1) & INPUT_MASK : turn;
    }
    uint64_t ports = mesh_whole_ports(chosen), below = chosen - (ports & LOWEST_BITS);
    w->turn_in[n] = (w->turn_in[n] & ~ports) | (ports & ~(chosen | below));
    w->chosen[n] = chosen;
}

/* One tick of the parts: credits that arrive; inputs into routers; channels, switches and
 * ejections; what has moved is counted. */
void mesh_credit(struct mesh *m);
void mesh_inject(struct mesh *m);
void mesh_route(struct mesh *m);

/* Of the buffers in `set`, whose packets have channels with credits, those that send a flit: one of
 * an input port, and one to an output. */
uint64_t mesh_switch(const struct mesh *m, uint32_t node, uint64_t set);

/* The last flit of the packet has left the ejection. */
void mesh_deliver(struct mesh *m, uint32_t packet);

#endif
