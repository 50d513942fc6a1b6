/* For tests of networks. Included after cmocka.h. */
#ifndef EVGPU_TESTS_MEM_NET_FIXTURE_H
#define EVGPU_TESTS_MEM_NET_FIXTURE_H

#include "sim/mem/net/net.h"
#include "tests/unit.h"

/* Ticks until the output offers a message, which is taken. */
static inline uint32_t ticks_to_output(struct net *n, uint32_t output)
{
    for (uint32_t t = 1; t < 10000; t++) {
        net_tick(n);
        if (net_ready(n, output)) {
            net_take(n, output);
            return t;
        }
    }
    fail_msg("lost");
    return 0;
}

#endif
