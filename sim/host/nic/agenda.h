/* When the NIC has something to do, and whether it has been given up. Owner: nic.c. */
#ifndef EVGPU_HOST_NIC_AGENDA_H
#define EVGPU_HOST_NIC_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

struct agenda {
    uint64_t now;  /* cycle of the last tick */
    uint64_t next; /* of the next event; CYCLE_NEVER: none */
    bool closed;   /* nic_close */
};

static inline void agenda_wake(struct agenda *a, uint64_t cycle)
{
    if (cycle < a->next)
        a->next = cycle;
}

static inline bool agenda_closed(const struct agenda *a)
{
    return a->closed;
}

#endif
