/* IPv4 forwarding by a persistent kernel, one packet per lane. */
#include "../common/persistent.h"
#include "ipv4_device.h"

extern "C" __global__ void
ipv4_persistent(unsigned *ready, const persistent_entry *__restrict__ entry, unsigned *flags,
                unsigned *arrived, unsigned *attention, unsigned entries, unsigned slot_bytes,
                const unsigned *__restrict__ level1, const unsigned *__restrict__ level2,
                const uint4 *__restrict__ hops)
{
    const persistent_queue queue = {ready, entry, flags, arrived, attention, entries};
    persistent_serve(queue, [=] __device__(unsigned char *slots, unsigned *results, unsigned count,
                                           unsigned lane) {
        ipv4_batch(lane, count, slots, slot_bytes, level1, level2, hops, results);
    });
}
