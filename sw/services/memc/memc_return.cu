/* memcached's GET over UDP with an early return: replies go to slots of their own, which lie with
 * the results in memory with full/empty bits. */
#include "memc_device.h"

/* As memc_get, but the reply to slot i goes to slot i of `replies`. */
extern "C" __global__ void memc_return(const unsigned char *slots, unsigned slot_bytes,
                                       unsigned count, const uint4 *__restrict__ tags,
                                       const unsigned char *__restrict__ items,
                                       unsigned bucket_mask, unsigned item_bytes, unsigned key_room,
                                       unsigned port, unsigned skip_checksums,
                                       unsigned *__restrict__ results, unsigned char *replies)
{
    const memc_shape shape = {bucket_mask, item_bytes, key_room, port, skip_checksums};
    memc_batch(blockIdx.x * blockDim.x + threadIdx.x, count, slots, replies, slot_bytes, tags,
               items, shape, results);
}
