/* The network as a crossbar: a bounded queue per input; an output serves the free input that it
 * has not served for longest; a delay line and a bounded queue per output. An input offers its
 * oldest message for every output (virtual output queues), so that one that has to wait for its
 * output holds up none for another; or its oldest message alone, which holds up all behind it.
 *
 * A message of n flits keeps its input and its output busy for n ticks. `latency` is the time from
 * the tick in which a message is first eligible in its input queue to the one in which its receiver
 * can take it, without contention and whatever its length: pushed before tick t, it is
 * visible at its output after tick t + latency - 1. The delay line of an output stands while its
 * queue is full: nothing more is granted to it, and the inputs fill up. */
#ifndef EVGPU_MEM_NET_CROSSBAR_H
#define EVGPU_MEM_NET_CROSSBAR_H

#include "sim/mem/net/net.h"

/* What an input offers: a message for every output, or one. Those of a second lane (SECOND_LANE)
 * have an order of their own wherever places are reserved for them. */
enum crossbar_order { CROSSBAR_VOQ, CROSSBAR_FIFO };

struct crossbar_config {
    uint32_t inputs, outputs; /* 1..MAX_ENDPOINTS each */
    uint32_t latency;         /* ticks, >= 1 */
    uint32_t input_queue;     /* messages, >= 1 */
    uint32_t output_queue;    /* messages, >= 1 */
    uint32_t reserved;        /* places of each input queue for classes with a lane (SECOND_LANE) */
    uint32_t order;           /* enum crossbar_order */
};

struct net *crossbar_create(const struct crossbar_config *config);

#endif
