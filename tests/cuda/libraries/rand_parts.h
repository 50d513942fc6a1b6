// What the tests of cuRAND share: generators, device memory, and Poisson numbers' moments.
#ifndef RAND_PARTS_H
#define RAND_PARTS_H

#include <cuda_runtime.h>
#include <curand.h>

#include <cmath>
#include <vector>

#include "checks.h"

void rand_twisters();
void rand_scrambled();

#define OK(call)         expect((call) == CURAND_STATUS_SUCCESS, #call)
#define IS(status, call) expect((call) == CURAND_STATUS_##status, #call)

struct generator {
    curandGenerator_t handle = nullptr;
    explicit generator(curandRngType_t type, bool host = false)
    {
        OK(host ? curandCreateGeneratorHost(&handle, type) : curandCreateGenerator(&handle, type));
        if (type < CURAND_RNG_QUASI_DEFAULT)
            OK(curandSetPseudoRandomGeneratorSeed(handle, 1234));
    }
    ~generator()
    {
        OK(curandDestroyGenerator(handle));
    }
    operator curandGenerator_t() const
    {
        return handle;
    }
};

template <class T> struct device {
    T *data = nullptr;
    size_t n;
    explicit device(size_t size) : n(size)
    {
        if (cudaMalloc(&data, n * sizeof(T)) != cudaSuccess)
            expect(false, "memory");
    }
    ~device()
    {
        cudaFree(data);
    }
    std::vector<T> get() const
    {
        std::vector<T> all(n);
        if (cudaMemcpy(all.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost) != cudaSuccess)
            expect(false, "copy");
        return all;
    }
};

inline bool near(double got, double want, double error)
{
    return std::fabs(got - want) <= error;
}

// Means and variances within five standard errors.
inline void poisson(curandRngType_t type, double mean)
{
    const size_t n = 20000;
    generator g(type);
    device<unsigned> out(n);
    OK(curandGeneratePoisson(g, out.data, n, mean));
    double sum = 0, squares = 0;
    for (unsigned x : out.get()) {
        sum += x;
        squares += (x - mean) * (x - mean);
    }
    expect(near(sum / n, mean, 5 * std::sqrt(mean / n)), "mean of Poisson", type, (long)mean);
    double error = std::sqrt((mean + 2 * mean * mean) / n);
    expect(near(squares / n, mean, 5 * error), "variance of Poisson", type, (long)mean);
}

#endif
