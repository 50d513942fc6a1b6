/* Receiving ESP in tunnel mode, one warp per packet: an event kernel of the service ipsec (EDGE V,
 * IPSec). */
#include "esp_open_device.h"

/* Warp i of the grid opens the packet in slot i, for i < count. results[2 i]: verdict and port,
 * results[2 i + 1]: bytes to send. `icv_bytes`: at the packet's end, not looked at. */
extern "C" __global__ void
esp_open(unsigned char *slots, unsigned slot_bytes, unsigned count, const esp_sa *__restrict__ sas,
         const unsigned *__restrict__ keys, const unsigned *__restrict__ ciphers, unsigned *windows,
         unsigned mask, unsigned icv_bytes, unsigned *__restrict__ results)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread & 31, i = thread >> 5;
    if (i >= count)
        return;
    const Tables t = {sas, keys, ciphers, windows, mask, icv_bytes};
    unsigned length = 0;
    unsigned result = open(slots + (size_t)i * slot_bytes, lane, t, length);
    if (lane == 0)
        ((uint2 *)results)[i] = make_uint2(result, length);
}
