/* Two networks behind one interface: a message goes over the one of its class, so that classes
 * share no buffer and no link (CM-BAL, section 2.2: partitioned network). CPU cores have the second
 * one to themselves; everybody else, the host included, has the first.
 *
 * Inputs and outputs have the numbers that they have in both. Each input and output has a queue per
 * network. When both offer a message at an output, they are taken in turns. Messages of one input
 * and class to one output keep their order. */
#ifndef EVGPU_MEM_NET_NET_PARTS_H
#define EVGPU_MEM_NET_NET_PARTS_H

#include "sim/mem/net/net.h"

#define NET_PARTS 2u

static inline uint32_t net_part(uint8_t class)
{
    return class == CLASS_CPU;
}

/* Takes both over; they have the same number of inputs and of outputs. */
struct net *net_parts_create(struct net *gpu, struct net *cpu);

#endif
