/* Echo over UDP by a persistent kernel, one packet per lane. */
#include "../common/persistent.h"
#include "echo_device.h"

extern "C" __global__ void echo_persistent(unsigned *ready,
                                           const persistent_entry *__restrict__ entry,
                                           unsigned *flags, unsigned *arrived, unsigned *attention,
                                           unsigned entries, unsigned slot_bytes, unsigned port)
{
    const persistent_queue queue = {ready, entry, flags, arrived, attention, entries};
    persistent_serve(queue, [=] __device__(unsigned char *slots, unsigned *results, unsigned count,
                                           unsigned lane) {
        echo_batch(lane, count, slots, slot_bytes, port, results);
    });
}
