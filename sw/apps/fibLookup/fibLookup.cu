/* Next hops by longest prefix in a DIR-24-8 table, an address per thread: one load for prefixes up
 * to 24 bits, two for longer ones, at places that have nothing in common. The table's format is
 * that of sw/services/ipv4/ipv4_forward.h. */
#include "../../services/ipv4/ipv4_forward.h"

extern "C" __global__ void fib_lookup(const unsigned *__restrict__ addresses,
                                      const unsigned *__restrict__ level1,
                                      const unsigned *__restrict__ level2, unsigned count,
                                      unsigned *__restrict__ hops)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    unsigned address = addresses[i], entry = level1[address >> 8];
    if (entry & FWD_BLOCK_FLAG)
        entry = level2[(entry & ~FWD_BLOCK_FLAG) * FWD_BLOCK_ENTRIES + (address & 0xFF)];
    hops[i] = entry;
}
