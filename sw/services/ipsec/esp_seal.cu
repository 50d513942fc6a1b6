/* Sending ESP in tunnel mode, one warp per packet: an event kernel of the service ipsec. */
#include "esp_seal_device.h"

/* Warp i of the grid seals the packet in slot i, for i < count. results[2 i]: verdict and port,
 * results[2 i + 1]: bytes to send. */
extern "C" __global__ void esp_seal(unsigned char *slots, unsigned slot_bytes, unsigned count,
                                    const esp_sa *__restrict__ sas,
                                    const unsigned *__restrict__ keys,
                                    const unsigned *__restrict__ ciphers, unsigned *numbers,
                                    const esp_policy *__restrict__ policies, unsigned n_policies,
                                    unsigned *__restrict__ results)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread & 31, i = thread >> 5;
    if (i >= count)
        return;
    const Tables t = {sas, keys, ciphers, numbers, policies, n_policies};
    unsigned length = 0;
    unsigned result = seal(slots + (size_t)i * slot_bytes, lane, t, length);
    if (lane == 0)
        ((uint2 *)results)[i] = make_uint2(result, length);
}
