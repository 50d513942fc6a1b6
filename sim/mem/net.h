/* One direction of the on-chip network as a crossbar: bounded FIFO per input, round-robin
 * arbitration per output, a pipeline of fixed latency, bounded FIFO per output.
 *
 * A message of n flits keeps its input and its output busy for n cycles. `latency` is the time from
 * the cycle a message is first eligible at the head of its input queue to the cycle its receiver
 * can take it, without contention and whatever its length: pushed before tick t, it is visible at
 * its output after tick t + latency - 1. An output holds at most latency (pipeline registers) +
 * queue messages; when it is full nothing more is granted to it, and the inputs fill up. Messages
 * of one input to one output keep their order. Nothing is lost.
 *
 * Inputs and outputs: at most 64. */
#ifndef EVGPU_MEM_NET_H
#define EVGPU_MEM_NET_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/mem/request.h"

struct net_config {
    uint32_t inputs, outputs; /* 1..64 each */
    uint32_t latency;         /* cycles, >= 1 */
    uint32_t queue; /* entries of each input queue, and beyond the pipeline of an output */
};

struct net;

struct net *net_create(const struct net_config *config);
void net_destroy(struct net *n);

/* False when the input's queue is full. flits >= 1. */
bool net_push(struct net *n, uint32_t input, uint32_t output, uint32_t flits,
              const struct mem_request *message);
bool net_full(const struct net *n, uint32_t input);

/* Bit o: output o has a message to take. */
uint64_t net_ready(const struct net *n);

/* The message that an output offers; only when its bit in net_ready is set. */
const struct mem_request *net_peek(const struct net *n, uint32_t output);
void net_take(struct net *n, uint32_t output);

bool net_idle(const struct net *n); /* holds no message */

void net_tick(struct net *n);

/* Coming ticks that would neither grant a message nor make one visible, as long as nothing is
 * pushed; UINT64_MAX: for ever. */
uint64_t net_quiet(const struct net *n);

/* Lets that many quiet ticks pass. */
void net_skip(struct net *n, uint64_t ticks);

#endif
