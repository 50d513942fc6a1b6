/* Blocks that lock, print and allocate, end in a fault, and race: no result of theirs may depend on
 * the order in which the simulator runs its cores (tests/e2e/machine/{threads,lookahead}.sh,
 * tests/threads/tsan.sh). */
#include <stdio.h>
extern "C" __global__ void lock(unsigned *words, unsigned rounds)
{
    for (unsigned i = 0; threadIdx.x == 0 && i < rounds; i++) {
        while (atomicCAS(words, 0, 1))
            ;
        words[1] = words[1] * 1664525 + blockIdx.x;
        __threadfence();
        atomicExch(words, 0);
    }
}
extern "C" __global__ void calls(unsigned *words, unsigned rounds)
{
    unsigned *own = (unsigned *)malloc(64);
    *own = blockIdx.x;
    if (threadIdx.x == 0 && blockIdx.x % 4 == 0)
        printf("block %u\n", *own);
    words[blockIdx.x % 64] = *own + rounds + (unsigned)clock();
    free(own);
}
extern "C" __global__ void fault(unsigned *words, unsigned rounds)
{
    words[blockIdx.x == 20 ? 1u << 30 : threadIdx.x % 64] = rounds;
}
extern "C" __global__ void race(unsigned *words, unsigned rounds)
{
    unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < rounds; i++) {
        x = x * 1664525 + 1013904223;
        x += words[x >> 26];
        words[x >> 26] = x;
    }
}
