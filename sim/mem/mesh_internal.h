/* Between the parts of mesh.h: routers, and the interfaces between them and the endpoints.
 *
 * Buffers are numbered (node * PORTS + port) * vcs + vc; those behind the local output port (the
 * node's ejection) come after them, numbered node * vcs + vc. A link leads from an output channel,
 * numbered like the buffers, to a buffer: `far`. */
#ifndef EVGPU_MEM_MESH_INTERNAL_H
#define EVGPU_MEM_MESH_INTERNAL_H

#include "sim/mem/mesh.h"

enum port { PORT_LOCAL, PORT_EAST, PORT_WEST, PORT_SOUTH, PORT_NORTH, PORTS };

#define NO_CHANNEL UINT8_MAX
#define NONE       UINT32_MAX

struct flit {
    uint32_t packet;
    uint32_t ready; /* first tick in which it may leave, modulo 2^32 */
    bool head, tail;
};

struct packet {
    struct mem_request message;
    uint16_t input, output, flits;
    uint8_t class, vc; /* vc: that it keeps all the way, without any_vc */
};

/* The first `count` flits from `first` on are in it. */
struct buffer {
    uint8_t first, count;
    uint8_t port, vc; /* of its packet in this router; vc NO_CHANNEL: none yet */
};

/* Of an output: who holds it, and what room is left behind it. */
struct channel {
    uint32_t held_by; /* buffer, NONE: free */
    uint8_t credits;
};

struct arrival {
    uint32_t buffer; /* of a flit; of a credit: the channel */
    struct flit flit;
};

/* What is under way for a fixed number of ticks: slot t % (delay + 1). */
struct wheel {
    struct arrival *entry; /* [delay + 1][room] */
    uint32_t *count;       /* [delay + 1] */
    uint32_t slots, room, held;
};

struct injection {     /* of an input */
    uint32_t *packets; /* ring */
    uint32_t first;
    struct occupancy use;
    uint16_t sent; /* flits of the first packet */
    uint8_t vc;    /* of the first packet once it has begun */
};

struct mesh {
    struct net net;
    struct mesh_config config;
    uint16_t *input_node, *output_node;
    uint32_t nodes, buffers;  /* buffers of routers; as many channels */
    uint64_t now;             /* the coming tick */
    uint64_t held, in_motion; /* messages; those not in an output queue */

    struct flit *flits;       /* [buffers + ejections][vc_buffer] */
    struct buffer *buffer;    /* [buffers + ejections] */
    struct channel *channel;  /* [buffers]; and of the local input ports, for injection */
    struct channel *entrance; /* [nodes * vcs] */
    uint32_t *far;            /* [buffers] of an output channel: the buffer behind it */
    uint32_t *back;           /* [buffers] of a buffer: the channel whose credit it returns */
    uint64_t *filled;         /* [nodes] bit port * vcs + vc: the buffer holds a flit */
    uint64_t active[MESH_MAX_NODES / 64];
    uint8_t (*turn_out)[PORTS]; /* [nodes] input port that an output looks at first */
    uint8_t (*turn_in)[PORTS];  /* [nodes] channel that an input port looks at first */
    uint8_t *turn_vc;           /* [nodes] buffer that asks for a channel first */
    struct wheel links, credits;

    struct packet *packets;
    uint32_t *unused, n_unused;
    struct injection *injection;             /* [inputs] */
    uint16_t *node_inputs;                   /* inputs by node, from node_first[node] on */
    uint32_t *node_first;                    /* [nodes + 1] */
    uint64_t injecting[MESH_MAX_NODES / 64]; /* nodes of which an input holds a packet */
    uint16_t *node_waiting;                  /* [nodes] how many */
    uint16_t *turn_input;                    /* [nodes] */
    uint64_t ejecting[MESH_MAX_NODES / 64];  /* nodes with a flit behind the local port */
    uint8_t *turn_eject;                     /* [nodes] */
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

static inline void wheel_add(struct wheel *w, uint64_t due, uint32_t buffer,
                             const struct flit *flit)
{
    uint32_t slot = (uint32_t)(due % w->slots);
    struct arrival *a = &w->entry[slot * w->room + w->count[slot]++];
    a->buffer = buffer;
    if (flit)
        a->flit = *flit;
    w->held++;
}

/* The flit enters the buffer, which has room, in this tick. */
void mesh_enter(struct mesh *m, uint32_t buffer, const struct flit *flit);
/* The first flit leaves the buffer; its credit goes back. */
struct flit mesh_leave(struct mesh *m, uint32_t buffer);

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
