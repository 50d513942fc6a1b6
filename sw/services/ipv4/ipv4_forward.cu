/* IPv4 forwarding, one packet per lane: the event kernel of the service ipv4 (EDGE V, IPv4). */
#include "ipv4_device.h"

/* One warp: lane i forwards the packet in slot i, for i < count <= 32. */
extern "C" __global__ void ipv4_forward(unsigned char *slots, unsigned slot_bytes, unsigned count,
                                        const unsigned *__restrict__ level1,
                                        const unsigned *__restrict__ level2,
                                        const uint4 *__restrict__ hops,
                                        unsigned *__restrict__ results)
{
    ipv4_batch(threadIdx.x, count, slots, slot_bytes, level1, level2, hops, results);
}

/* Any grid and block of one dimension with at least `count` threads. Each block counts its verdicts
 * in shared memory, then adds them to totals[FWD_VERDICTS]. */
extern "C" __global__ void ipv4_forward_big(unsigned char *slots, unsigned slot_bytes,
                                            unsigned count, const unsigned *__restrict__ level1,
                                            const unsigned *__restrict__ level2,
                                            const uint4 *__restrict__ hops,
                                            unsigned *__restrict__ results, unsigned *totals)
{
    __shared__ unsigned verdicts[FWD_VERDICTS];
    if (threadIdx.x == 0)
        for (unsigned v = 0; v < FWD_VERDICTS; v++)
            verdicts[v] = 0;
    __syncthreads();

    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        unsigned result = forward(slots + (size_t)i * slot_bytes, level1, level2, hops);
        results[i] = result;
        atomicAdd(&verdicts[result & 0xFF], 1u);
    }
    __syncthreads();

    if (threadIdx.x == 0)
        for (unsigned v = 0; v < FWD_VERDICTS; v++)
            if (verdicts[v])
                atomicAdd(&totals[v], verdicts[v]);
}
