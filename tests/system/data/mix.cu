/* Loads, stores, atomics, shared and local memory over words that all blocks touch, with results that
 * no order of their accesses changes: for test_choices.c. `words` is a multiple of the grid. */
extern "C" __global__ void mix(const unsigned *in, unsigned *out, unsigned words)
{
    __shared__ unsigned heap[96];
    unsigned t = threadIdx.x, all = gridDim.x * blockDim.x;
    unsigned own[12]; /* indexed by data: lies in local memory */
    for (unsigned i = 0; i < 12; i++)
        own[i] = i * t;
    for (unsigned i = blockIdx.x * blockDim.x + t; i < words; i += all) {
        unsigned x = in[i] ^ in[i * 97 % words];
        own[x % 12] += x;
        own[x / 12 % 12] ^= own[(x >> 9) % 12];
        heap[t] = own[i % 12];
        __syncthreads();
        atomicAdd(&out[x % 64], heap[(t + 1) % blockDim.x] & 255);
        atomicMax(&out[64 + x % 32], x);
        __syncthreads();
        out[128 + i] = x * 3;
        if (((volatile unsigned *)out)[128 + i] != x * 3)
            atomicAdd(&out[127], 1);
    }
    unsigned sum = 0;
    for (unsigned i = 0; i < 12; i++)
        sum += own[i];
    atomicXor(&out[96 + t % 30], sum);
}
