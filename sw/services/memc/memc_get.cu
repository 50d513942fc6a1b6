/* memcached's GET over UDP, one packet per lane: the event kernel of the service memc (EDGE V,
 * MemC). */
#include "memc_device.h"

/* Lane i of the grid serves the packet in slot i, for i < count. An event of one warp has at
 * most 32. results[2 i]: verdict, results[2 i + 1]: bytes to send. */
extern "C" __global__ void memc_get(unsigned char *slots, unsigned slot_bytes, unsigned count,
                                    const uint4 *__restrict__ tags,
                                    const unsigned char *__restrict__ items, unsigned bucket_mask,
                                    unsigned item_bytes, unsigned key_room, unsigned port,
                                    unsigned skip_checksums, unsigned *__restrict__ results)
{
    const memc_shape shape = {bucket_mask, item_bytes, key_room, port, skip_checksums};
    memc_batch(blockIdx.x * blockDim.x + threadIdx.x, count, slots, slots, slot_bytes, tags, items,
               shape, results);
}
