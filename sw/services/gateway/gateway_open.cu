/* The first kernel of the service gateway: opens ESP packets, one warp for each, and hands them on.
 */
#include "../common/pipeline.h"
#include "../ipsec/esp_open_device.h"
#include "gateway.h"

/* A lane's word of the record. */
static __device__ __forceinline__ unsigned record_word(const unsigned *slot, unsigned lane,
                                                       unsigned result, unsigned length)
{
    const unsigned *header = slot + 4;
    switch (lane) {
    case 0:
        return result;
    case 1:
        return length;
    case 2:
        return __ldcg(header + 4);
    case 7:
        return 0;
    default:
        return __ldcg(header + lane - 3);
    }
}

/* Warp i of the grid opens the packet in slot i, for i < count, and writes its record by one store,
 * behind the packet. Other records are 0: ESP_NONE. */
extern "C" __global__ void gateway_open(unsigned char *slots, unsigned slot_bytes, unsigned count,
                                        const esp_sa *__restrict__ sas,
                                        const unsigned *__restrict__ keys,
                                        const unsigned *__restrict__ ciphers, unsigned *windows,
                                        unsigned mask, unsigned icv_bytes, unsigned *records,
                                        pipeline_queue *queue, unsigned entry)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread & 31, i = thread >> 5;
    const Tables t = {sas, keys, ciphers, windows, mask, icv_bytes};
    unsigned *slot = (unsigned *)(slots + (size_t)i * slot_bytes);
    unsigned length = 0, word = 0;
    if (i < count) {
        unsigned result = open((unsigned char *)slot, lane, t, length);
        __threadfence();
        if (lane < GATEWAY_RECORD_WORDS)
            word = record_word(slot, lane, result, length);
    }
    if (lane < GATEWAY_RECORD_WORDS)
        records[i * GATEWAY_RECORD_WORDS + lane] = word;
    __syncwarp();
    if (lane == 0)
        pipeline_hand_on(queue, entry, gridDim.x * blockDim.x / 32);
}
