/* IPv6 forwarding with an early return: a rewritten packet's first FWD_STORED_BYTES go to its slot
 * of `output`, every word of them; the others are sent as they came. Results and output lie in
 * memory with full/empty bits. */
#include "ipv6_device.h"

/* One warp: lane i forwards the packet in slot i, for i < count <= 32; `mtu` 0: none. */
extern "C" __global__ void ipv6_return(const unsigned char *slots, unsigned slot_bytes,
                                       unsigned count, const unsigned *__restrict__ root,
                                       const unsigned *__restrict__ nodes,
                                       const uint4 *__restrict__ hops, unsigned mtu,
                                       unsigned *__restrict__ results, unsigned char *output)
{
    unsigned i = threadIdx.x;
    if (i >= count)
        return;
    size_t at = (size_t)i * slot_bytes;
    results[i] = forward(slots + at, root, nodes, hops, mtu, Apart{(uint4 *)(output + at)});
}
