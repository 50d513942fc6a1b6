/* Device variables of namespaces without a name: those that the host alone names, that kernels only
 * write, that they only read; with initial values, in a namespace within another, beside functions
 * and classes. Host code names constants by their values, too. */
#include "check.h"

struct Pair {
    int a, b;
};

namespace
{
__device__ int only_host[2]; // { in a comment
__device__ int written = 5, also_written;
__constant__ float factors[4];
__device__ const struct Pair pair = {3, 4};
__device__ __align__(16) int aligned[2] = {1, 2};
const __device__ int limit{6};
__constant__ const float ratio = 2.5f;
__device__ __constant__ const unsigned sides = 3;
__device__ Pair *pointer;
__device__ int twice(int x)
{
    return 2 * x;
}
struct Inner {
    int value;
    __device__ Inner(int x) : value(x)
    {
    }
    __device__ bool operator==(const Inner &other) const
    {
        return value == other.value;
    }
};
template <int N = 3> __device__ int more(int x)
{
    return x + N;
}
namespace within
{
__device__ unsigned counter_1, counter_2;
}
__global__ void run(int *out)
{
    written = twice(static_cast<int>(factors[1])) + more(limit);
    also_written = Inner(pair.a) == Inner(pair.b - 1) ? aligned[1] : 0;
    within::counter_2 = 9;
    atomicAdd(out, 5);
}
} // namespace

namespace other
{
namespace
{
__device__ int written = 70;
}
} // namespace other

extern "C" {
namespace
{
__device__ double last;
}
}

template <class T> static T value_of(const T &symbol)
{
    T got = 0;
    CHECK(cudaMemcpyFromSymbol(&got, symbol, sizeof got));
    return got;
}

int main()
{
    const float factors_of_host[4] = {0, 10, 0, 0};
    const double half = 0.5;
    int *out, both[2] = {100, 200};
    void *address;
    CHECK(cudaMemcpyToSymbol(only_host, both, sizeof both));
    CHECK(cudaMemcpyToSymbol(factors, factors_of_host, sizeof factors_of_host));
    CHECK(cudaMemcpyToSymbol(last, &half, sizeof half));
    CHECK(cudaGetSymbolAddress(&address, pointer));
    CHECK(cudaGetSymbolAddress((void **)&out, only_host));
    run<<<1, 1>>>(out + 1);
    CHECK(cudaMemcpyFromSymbol(both, only_host, sizeof both));
    int of_sides[sides];
    bool ok = limit == 6 && ratio == 2.5f && sizeof of_sides == sides * sizeof(int);
    ok = ok && value_of(ratio) == 2.5f && value_of(sides) == 3;
    ok = ok && both[0] == 100 && both[1] == 205 && value_of(written) == 29 &&
         value_of(also_written) == 2;
    ok = ok && value_of(within::counter_1) == 0 && value_of(within::counter_2) == 9;
    ok = ok && value_of(other::written) == 70 && value_of(last) == 0.5;
    printf("%d %d, %d %d, %u, %d\n", both[0], both[1], value_of(written), value_of(also_written),
           value_of(within::counter_2), value_of(other::written));
    return verdict("unnamed", ok);
}
