/* Thrust and CUB by Debian's headers, against the C++ library on the host. */
#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>
#include <vector>

#define N 3000

struct square {
    __host__ __device__ long operator()(int x) const
    {
        return (long)x * x;
    }
};
struct is_odd {
    __host__ __device__ bool operator()(int x) const
    {
        return x & 1;
    }
};

static int wrong;
template <class A, class B> static void same(const char *what, const A &got, const B &want)
{
    bool right = got.size() == want.size();
    for (size_t i = 0; right && i < want.size(); i++)
        right = got[i] == want[i];
    if (!right)
        printf("%s is wrong\n", what);
    wrong += !right;
}
template <class A, class B> static void equal(const char *what, A got, B want)
{
    same(what, std::vector<B>(1, (B)got), std::vector<B>(1, want));
}

/* Blocks of 128 threads; each adds up its part by cub::BlockReduce. */
__global__ void block_sums(const int *in, long *out)
{
    typedef cub::BlockReduce<long, 128> reduce;
    __shared__ typename reduce::TempStorage storage;
    int i = blockIdx.x * 128 + threadIdx.x;
    long sum = reduce(storage).Sum(i < N ? in[i] : 0);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

static void with_cub(const thrust::device_vector<int> &in, const std::vector<int> &host)
{
    thrust::device_vector<long> sums((N + 127) / 128);
    block_sums<<<(N + 127) / 128, 128>>>(thrust::raw_pointer_cast(in.data()),
                                         thrust::raw_pointer_cast(sums.data()));
    thrust::host_vector<long> parts = sums;
    equal("cub::BlockReduce", std::accumulate(parts.begin(), parts.end(), 0L),
          std::accumulate(host.begin(), host.end(), 0L));

    thrust::device_vector<int> sorted(N);
    size_t bytes = 0;
    const int *from = thrust::raw_pointer_cast(in.data());
    int *to = thrust::raw_pointer_cast(sorted.data());
    cub::DeviceRadixSort::SortKeysDescending(nullptr, bytes, from, to, N);
    thrust::device_vector<char> room(bytes);
    cub::DeviceRadixSort::SortKeysDescending(thrust::raw_pointer_cast(room.data()), bytes, from, to,
                                             N);
    std::vector<int> want = host;
    std::sort(want.rbegin(), want.rend());
    thrust::host_vector<int> got = sorted;
    same("cub::DeviceRadixSort", got, want);
}

int main()
{
    std::vector<int> host(N);
    unsigned int seed = 7;
    for (int &x : host) {
        seed = seed * 1664525u + 1013904223u;
        x = (int)(seed >> 9) % 2000 - 1000;
    }
    thrust::device_vector<int> data(host.begin(), host.end());

    equal("reduce", thrust::reduce(data.begin(), data.end(), 0L),
          std::accumulate(host.begin(), host.end(), 0L));
    long squares = 0;
    for (int x : host)
        squares += (long)x * x;
    equal("transform_reduce",
          thrust::transform_reduce(data.begin(), data.end(), square(), 0L, thrust::plus<long>()),
          squares);

    thrust::device_vector<int> sums(N);
    thrust::inclusive_scan(data.begin(), data.end(), sums.begin());
    std::vector<int> want(N);
    std::partial_sum(host.begin(), host.end(), want.begin());
    thrust::host_vector<int> got = sums;
    same("inclusive_scan", got, want);

    thrust::device_vector<int> odd(N);
    odd.resize(thrust::copy_if(data.begin(), data.end(), odd.begin(), is_odd()) - odd.begin());
    want.clear();
    std::copy_if(host.begin(), host.end(), std::back_inserter(want), is_odd());
    got = odd;
    same("copy_if", got, want);

    thrust::device_vector<int> keys = data, values(N);
    thrust::copy_n(thrust::make_counting_iterator(0), N, values.begin());
    thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
    want.resize(N);
    std::iota(want.begin(), want.end(), 0);
    std::stable_sort(want.begin(), want.end(), [&](int a, int b) { return host[a] < host[b]; });
    got = values;
    same("stable_sort_by_key", got, want);

    keys.resize(thrust::unique(keys.begin(), keys.end()) - keys.begin());
    want = host;
    std::sort(want.begin(), want.end());
    want.resize(std::unique(want.begin(), want.end()) - want.begin());
    got = keys;
    same("sort and unique", got, want);

    with_cub(data, host);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
