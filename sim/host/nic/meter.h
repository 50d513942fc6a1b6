/* The rate that a device has declared: a token bucket of `burst` packets that fills at `rate`.
 * Owner: meter.c. */
#ifndef EVGPU_HOST_NIC_METER_H
#define EVGPU_HOST_NIC_METER_H

#include <stdbool.h>
#include <stdint.h>

struct nic;

struct meter {
    int64_t level;     /* of the bucket at `cycle` */
    uint64_t cycle;    /* of the last arrival */
    uint64_t *release; /* [capture.count]: may go on from this cycle; NULL: no rate */
};

void meter_init(struct nic *n);
void meter_free(struct nic *n);

/* True if the packet comes in; the cycle from which it may go on is noted. */
bool meter_arrival(struct nic *n, uint32_t packet, uint64_t cycle);
uint64_t meter_release(const struct nic *n, uint32_t packet);

#endif
