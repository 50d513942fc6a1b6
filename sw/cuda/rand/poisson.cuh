// Poisson numbers, one from each word: the inverse of the distribution function.
#ifndef EVGPU_CUDA_RAND_POISSON_CUH
#define EVGPU_CUDA_RAND_POISSON_CUH

#include "sw/cuda/rand/shape.h"

/* The distribution function of 0 to count - 1; one block. */
extern "C" __global__ void poisson_table(double mean, unsigned int count, double *table)
{
    double logarithm = log(mean);
    for (unsigned int k = threadIdx.x; k < count; k += POISSON_THREADS)
        table[k] = exp(k * logarithm - mean - lgamma(k + 1.0));
    __syncthreads();
    double sum = 0;
    for (unsigned int k = 0; k < count && threadIdx.x == 0; k++)
        table[k] = sum += table[k];
}

/* The first number whose function is at least u, the middle of what x stands for; without a table, a rounded normal
 * number. */
template <class Word>
static __device__ unsigned int poisson_of(Word x, const double *table, unsigned int count, double mean)
{
    if (!table) {
        double number = floor(mean + sqrt(mean) * evgpu_sobol_normal_double(x) + 0.5);
        return number > 0 ? (unsigned int)number : 0;
    }
    double u = evgpu_sobol_double(x);
    unsigned int low = 0, high = count - 1;
    while (low < high) {
        unsigned int middle = (low + high) / 2;
        if (table[middle] < u)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

extern "C" __global__ void words_poisson(const unsigned int *words, unsigned long long n, unsigned int *out,
                                         const double *table, unsigned int count, double mean)
{
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += step)
        out[k] = poisson_of(words[k], table, count, mean);
}

extern "C" __global__ void wide_poisson(const unsigned long long *words, unsigned long long n, unsigned int *out,
                                        const double *table, unsigned int count, double mean)
{
    unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long k = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; k < n; k += step)
        out[k] = poisson_of(words[k], table, count, mean);
}

#endif
