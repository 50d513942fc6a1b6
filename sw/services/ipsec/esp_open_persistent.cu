/* Receiving ESP in tunnel mode by a persistent kernel: a batch is one packet of a warp. */
#include "../common/persistent.h"
#include "esp_open_device.h"

extern "C" __global__ void
esp_open_persistent(unsigned *ready, const persistent_entry *__restrict__ entry, unsigned *flags,
                    unsigned *arrived, unsigned *attention, unsigned entries, unsigned,
                    const esp_sa *__restrict__ sas, const unsigned *__restrict__ keys,
                    const unsigned *__restrict__ ciphers, unsigned *windows, unsigned mask,
                    unsigned icv_bytes)
{
    const persistent_queue queue = {ready, entry, flags, arrived, attention, entries};
    const Tables t = {sas, keys, ciphers, windows, mask, icv_bytes};
    persistent_serve(
        queue, [=] __device__(unsigned char *slots, unsigned *results, unsigned, unsigned lane) {
            unsigned length = 0;
            unsigned result = open(slots, lane, t, length);
            if (lane == 0)
                *(uint2 *)results = make_uint2(result, length);
        });
}
