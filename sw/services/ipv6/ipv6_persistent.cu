/* IPv6 forwarding by a persistent kernel, one packet per lane; `mtu` 0: none. */
#include "../common/persistent.h"
#include "ipv6_device.h"

extern "C" __global__ void
ipv6_persistent(unsigned *ready, const persistent_entry *__restrict__ entry, unsigned *flags,
                unsigned *arrived, unsigned *attention, unsigned entries, unsigned slot_bytes,
                const unsigned *__restrict__ root, const unsigned *__restrict__ nodes,
                const uint4 *__restrict__ hops, unsigned mtu)
{
    const persistent_queue queue = {ready, entry, flags, arrived, attention, entries};
    persistent_serve(queue, [=] __device__(unsigned char *slots, unsigned *results, unsigned count,
                                           unsigned lane) {
        ipv6_batch(lane, count, slots, slot_bytes, root, nodes, hops, mtu, results);
    });
}
