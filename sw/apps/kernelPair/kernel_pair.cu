/* A pair of kernels, the second of which reads what the first writes, neighbours in other blocks
 * included.
 *
 * producer: value i is its seed after `rounds` steps of a linear congruence.
 * consumer: result i is made of values i - 1, i and i + 1 (beyond the ends: of the first and last)
 * by as many steps. Both: the grid's threads take the values in order, one after the other. */
static __device__ unsigned steps(unsigned value, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++)
        value = value * 1664525u + 1013904223u;
    return value;
}

extern "C" __global__ void producer(const unsigned *__restrict__ seeds, unsigned *values,
                                    unsigned count, unsigned rounds)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
        values[i] = steps(seeds[i], rounds);
}

extern "C" __global__ void consumer(const unsigned *values, unsigned *results, unsigned count,
                                    unsigned rounds)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        unsigned left = values[i ? i - 1 : 0], right = values[i + 1 < count ? i + 1 : i];
        results[i] = steps(values[i] ^ left ^ right, rounds);
    }
}
