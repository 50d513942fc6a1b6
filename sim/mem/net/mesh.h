/* The network as a two-dimensional mesh of routers with virtual channels and credits (CM-BAL,
 * section 2.1 and Table I; Dally and Towles, Principles and Practices of Interconnection Networks,
 * chapters 13, 16 to 19). Node (x, y) is y * width + x. Inputs and outputs are attached to nodes,
 * any number to one; those of a node share its local port, one flit per tick in each direction.
 *
 * Routing: first along x, then along y, so that no cycle of waiting packets is possible whatever
 * the virtual channels.
 *
 * A router has five ports, each with `vcs` buffers of `vc_buffer` flits at its input. Per tick, in
 * this order:
 *   arrivals    flits and credits that have been on their links for link_delay, credit_delay ticks
 *   injection   one flit per node from its inputs' queues into a buffer of the local port; a
 *               packet keeps its virtual channel to its end, packets of several inputs of a node
 *               may take turns, round robin
 *   VC          every packet whose first flit is at the head of its buffer asks for a free virtual
 *               channel of the output that it needs. Requests are served round robin over the
 *               router's buffers, from the one behind the last that was served on; a request
 *               takes the free channel with the most credits, the lowest of equals
 *   switch      a buffer with a channel, a flit and a credit asks for its output; per tick an input
 *               port and an output send one flit each. Allocation `input`: an input port offers one
 *               of its buffers, round robin; an output takes one of the offers, round robin over
 *               input ports. Allocation `output`: an output grants one of the buffers that ask for
 *               it, round robin over the router's; an input port accepts one of its grants, round
 *               robin over outputs. In each of `iterations` rounds the ports that are left take
 *               part; pointers move on only behind what became a match, in the first round
 *   ejection    one flit per node from the buffers behind its local port into messages, round
 *               robin over virtual channels, the first flit of a message only when its output's
 *               queue has room for the message
 * A flit can leave a router at the earliest router_delay ticks after it arrived, and its packet
 * gets a channel one tick before (in the same tick with router_delay 0). A channel is free again
 * when the last flit of its packet has left; a credit goes back when a flit leaves a buffer. So
 * router_delay counts a router's pipeline stages before the link, as the literature does: two
 * stages (allocation, switch) and a link of one cycle are three ticks a hop. Smaller by one, the
 * switch and the link share a tick.
 *
 * Latency without contention, as the crossbar's (pushed before tick t, visible after tick
 * t + latency - 1): (hops + 1) * (router_delay + link_delay) + flits. A buffer keeps a channel
 * busy without gaps when vc_buffer >= link_delay + router_delay + credit_delay.
 *
 * Order: with `any_vc` a packet takes any channel of its class at every router, and packets of one
 * input to one output may overtake each other on different channels. Without, a packet keeps one
 * channel all the way, and packets of a pair that are under way at the same time have the same
 * one: as net.h promises, they keep their order. */
#ifndef EVGPU_MEM_NET_MESH_H
#define EVGPU_MEM_NET_MESH_H

#include "base/error.h"
#include "sim/mem/net/net.h"

#define MESH_MAX_NODES 256u
#define MESH_LINKS     5u /* outputs of a router: local (its ejection), east, west, south, north */
#define MESH_MAX_VCS   8u

enum { MESH_MAX_BUFFER = 64, MESH_MAX_DELAY = 16, MESH_MAX_ITERATIONS = 8 };

enum mesh_allocation { MESH_INPUT_FIRST, MESH_OUTPUT_FIRST };

struct mesh_config {
    uint32_t width, height;      /* width * height 1..MESH_MAX_NODES */
    uint32_t inputs, outputs;    /* 1..MAX_ENDPOINTS each */
    const uint16_t *input_node;  /* [inputs], copied */
    const uint16_t *output_node; /* [outputs], copied */
    uint32_t vcs, vc_buffer;     /* 1..MESH_MAX_VCS; flits, 1..MESH_MAX_BUFFER */
    uint32_t router_delay, link_delay, credit_delay; /* ticks, to MESH_MAX_DELAY from 0, 1, 1 */
    uint32_t input_queue, output_queue;              /* messages, >= 1 */
    uint32_t
        class_vcs[REQUEST_CLASSES]; /* bit v: messages of the class may use channel v; 0: all */
    bool any_vc;
    uint32_t allocation; /* enum mesh_allocation */
    uint32_t iterations; /* 1..MESH_MAX_ITERATIONS; 0: 1 */
};

/* The network of CM-BAL's Table I, without endpoints: 6 x 6, 4 channels of 4 flits; stages, links
 * and queues, which the paper does not give, as stated here: routers of 2 stages, links and credits
 * of 1, queues of 4 messages. */
struct mesh_config mesh_table_one(void);

/* NULL with `err` for values out of range. */
struct net *mesh_create(const struct mesh_config *config, struct error *err);

/* False with a message when credits and buffers do not add up; for tests. */
bool mesh_consistent(const struct net *n, struct error *err);

#endif
