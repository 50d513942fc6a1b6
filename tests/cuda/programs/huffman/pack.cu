/* Variable-length codes into bits: prefix sums and atomicOr in dynamic shared memory. */
#include "pack.h"

extern __shared__ uint sm[];

static __global__ void pack_kernel(const uint *data, const uint *codes, const uint *lengths, uint *out,
                                   uint *bits)
{
    uint tid = threadIdx.x, n = blockDim.x;
    uint *starts = sm, *words = sm + n;
    uint word = data[blockIdx.x * n + tid];
    unsigned long long code = 0;
    uint length = 0;
    for (int b = 0; b < 4; b++) {
        uint symbol = (word >> (8 * b)) & 0xFF;
        code |= (unsigned long long)codes[symbol] << length;
        length += lengths[symbol];
    }
    starts[tid] = length;
    words[tid] = 0;
    words[tid + n] = 0;
    __syncthreads();
    for (uint d = 1; d < n; d *= 2) {
        uint add = tid >= d ? starts[tid - d] : 0;
        __syncthreads();
        starts[tid] += add;
        __syncthreads();
    }
    uint start = starts[tid] - length;
    for (uint done = 0; done < length;) {
        uint at = start + done, room = 32 - at % 32, take = min(room, length - done);
        uint piece = (uint)((code >> done) & (take == 32 ? 0xFFFFFFFFull : (1ull << take) - 1));
        atomicOr(&words[at / 32], piece << (at % 32));
        done += take;
    }
    __syncthreads();
    out[blockIdx.x * 2 * n + tid] = words[tid];
    out[blockIdx.x * 2 * n + n + tid] = words[tid + n];
    if (tid == n - 1)
        bits[blockIdx.x] = starts[tid];
}

void pack(const uint *d_data, const uint *d_codes, const uint *d_lengths, uint *d_out, uint *d_bits, int blocks)
{
    pack_kernel<<<blocks, 64, 3 * 64 * sizeof(uint)>>>(d_data, d_codes, d_lengths, d_out, d_bits);
}
