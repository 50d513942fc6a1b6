/* Device code of the forwarding services: where a packet's rewritten headers go, which are the
 * first two 16-byte vectors of its slot. The second one, of the IP header, changes in word 1 or 2.
 */
#ifndef EVGPU_SW_REWRITE_DEVICE_H
#define EVGPU_SW_REWRITE_DEVICE_H

#include "hop.h"

static_assert(FWD_STORED_BYTES == 2 * sizeof(uint4), "Ethernet header and the first words of IP's");

/* Into the packet's own slot, ... */
struct InPlace {
    uint4 *slot;
    __device__ __forceinline__ void ip(const uint4 &words, unsigned changed) const
    {
        ((unsigned *)(slot + 1))[changed] = changed == 1 ? words.y : words.z;
    }
    __device__ __forceinline__ void ethernet(const uint4 &words) const
    {
        *slot = words;
    }
};

/* ... or into another one, every word of the two. */
struct Apart {
    uint4 *slot;
    __device__ __forceinline__ void ip(const uint4 &words, unsigned) const
    {
        slot[1] = words;
    }
    __device__ __forceinline__ void ethernet(const uint4 &words) const
    {
        *slot = words;
    }
};

#endif
