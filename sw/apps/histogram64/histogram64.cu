/* Histogram of the upper six bits of every byte, in two kernels (CUDA SDK histogram64).
 *
 * histogram64: blocks of 64 threads. Every thread has a counter of one byte per bin in shared
 * memory, so that no two threads share one, and counts 16 bytes at a time; the grid must be large
 * enough that no thread counts more than 255 bytes. At the end thread b adds up the counters of bin
 * b: partial[block * 64 + b].
 *
 * merge64: one block of 256 threads per bin adds up the partial histograms. */
#define BINS    64u
#define THREADS 64u
#define MERGE   256u

/* Counters of a bin are a row of 64 bytes; the threads of half a warp lie in different words. */
static __device__ unsigned place(unsigned thread)
{
    return (thread & 15) * 4 + (thread >> 4);
}

static __device__ void count_word(unsigned char *mine, unsigned word)
{
    for (unsigned shift = 2; shift < 32; shift += 8)
        mine[(word >> shift & (BINS - 1)) * THREADS]++;
}

extern "C" __global__ void histogram64(const uint4 *__restrict__ data, unsigned count,
                                       unsigned *partial)
{
    __shared__ unsigned counters[BINS * THREADS / 4];
    unsigned thread = threadIdx.x;
    for (unsigned i = thread; i < BINS * THREADS / 4; i += THREADS)
        counters[i] = 0;
    __syncthreads();
    unsigned char *mine = (unsigned char *)counters + place(thread);
    for (unsigned i = blockIdx.x * THREADS + thread; i < count; i += gridDim.x * THREADS) {
        uint4 word = data[i];
        count_word(mine, word.x);
        count_word(mine, word.y);
        count_word(mine, word.z);
        count_word(mine, word.w);
    }
    __syncthreads();
    unsigned sum = 0;
    for (unsigned i = 0; i < THREADS / 4; i++) {
        /* Each thread starts at another word of its row: no two in the same bank. */
        unsigned four = counters[thread * (THREADS / 4) + ((i + thread) & (THREADS / 4 - 1))];
        sum += (four & 255) + (four >> 8 & 255) + (four >> 16 & 255) + (four >> 24);
    }
    partial[blockIdx.x * BINS + thread] = sum;
}

extern "C" __global__ void merge64(const unsigned *__restrict__ partial, unsigned count,
                                   unsigned *histogram)
{
    __shared__ unsigned sums[MERGE];
    unsigned thread = threadIdx.x, sum = 0;
    for (unsigned i = thread; i < count; i += MERGE)
        sum += partial[i * BINS + blockIdx.x];
    sums[thread] = sum;
    for (unsigned half = MERGE / 2; half; half /= 2) {
        __syncthreads();
        if (thread < half)
            sums[thread] += sums[thread + half];
    }
    if (thread == 0)
        histogram[blockIdx.x] = sums[0];
}
