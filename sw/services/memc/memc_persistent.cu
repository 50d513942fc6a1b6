/* memcached's GET over UDP by a persistent kernel, one packet per lane. */
#include "../common/persistent.h"
#include "memc_device.h"

extern "C" __global__ void
memc_persistent(unsigned *ready, const persistent_entry *__restrict__ entry, unsigned *flags,
                unsigned *arrived, unsigned *attention, unsigned entries, unsigned slot_bytes,
                const uint4 *__restrict__ tags, const unsigned char *__restrict__ items,
                unsigned bucket_mask, unsigned item_bytes, unsigned key_room, unsigned port,
                unsigned skip_checksums)
{
    const persistent_queue queue = {ready, entry, flags, arrived, attention, entries};
    const memc_shape shape = {bucket_mask, item_bytes, key_room, port, skip_checksums};
    persistent_serve(queue, [=] __device__(unsigned char *slots, unsigned *results, unsigned count,
                                           unsigned lane) {
        memc_batch(lane, count, slots, slots, slot_bytes, tags, items, shape, results);
    });
}
