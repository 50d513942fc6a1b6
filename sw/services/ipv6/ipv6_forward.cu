/* IPv6 forwarding, one packet per lane: the event kernel of the service ipv6 (EDGE V). */
#include "ipv6_device.h"

/* Lane i of the grid forwards the packet in slot i, for i < count. An event of one warp has at most
 * 32; `mtu` 0: none. */
extern "C" __global__ void ipv6_forward(unsigned char *slots, unsigned slot_bytes, unsigned count,
                                        const unsigned *__restrict__ root,
                                        const unsigned *__restrict__ nodes,
                                        const uint4 *__restrict__ hops, unsigned mtu,
                                        unsigned *__restrict__ results)
{
    ipv6_batch(blockIdx.x * blockDim.x + threadIdx.x, count, slots, slot_bytes, root, nodes, hops,
               mtu, results);
}
