/* Sums by templates over the block size, by shuffles and by cooperative groups; a scan; a transpose with
 * and without bank conflicts; a bitonic sort. */
#include <cooperative_groups.h>
#include <algorithm>
#include <numeric>
#include <vector>

#include "check.h"

namespace cg = cooperative_groups;

template <class T> struct SharedMemory {
    __device__ inline operator T *()
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const
    {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};
template <> struct SharedMemory<double> {
    __device__ inline operator double *()
    {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce(T *g_idata, T *g_odata, unsigned int n)
{
    cg::thread_block cta = cg::this_thread_block();
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    cg::sync(cta);
    if ((blockSize >= 256) && (tid < 128))
        sdata[tid] = mySum = mySum + sdata[tid + 128];
    cg::sync(cta);
    if ((blockSize >= 128) && (tid < 64))
        sdata[tid] = mySum = mySum + sdata[tid + 64];
    cg::sync(cta);
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    if (cta.thread_rank() < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int offset = tile32.size() / 2; offset > 0; offset /= 2)
            mySum += tile32.shfl_down(mySum, offset);
    }
    if (cta.thread_rank() == 0)
        g_odata[blockIdx.x] = mySum;
}

template <class T> T sum_on_gpu(T *data, T *sums, int n, int threads, int blocks)
{
    int bytes = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    switch (threads) {
    case 256:
        reduce<T, 256, false><<<blocks, threads, bytes>>>(data, sums, n);
        break;
    case 128:
        reduce<T, 128, false><<<blocks, threads, bytes>>>(data, sums, n);
        break;
    case 64:
        reduce<T, 64, false><<<blocks, threads, bytes>>>(data, sums, n);
        break;
    }
    CHECK(cudaGetLastError());
    std::vector<T> part(blocks);
    CHECK(cudaMemcpy(part.data(), sums, blocks * sizeof(T), cudaMemcpyDeviceToHost));
    return std::accumulate(part.begin(), part.end(), T(0));
}

template <class T> bool test(int n)
{
    std::vector<T> data(n);
    unsigned seed = 2;
    for (T &v : data)
        v = (T)(next_random(&seed) & 0xFF);
    T *d, *sums, want = std::accumulate(data.begin(), data.end(), T(0));
    CHECK(cudaMalloc(&d, n * sizeof(T)));
    CHECK(cudaMalloc(&sums, 8 * sizeof(T)));
    CHECK(cudaMemcpy(d, data.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    bool ok = true;
    for (int threads = 64; threads <= 256; threads *= 2)
        ok = ok && near((double)sum_on_gpu(d, sums, n, threads, 4), (double)want, 1e-6);
    CHECK(cudaFree(d));
    return ok;
}

__global__ void shfl_scan(int *data, int width, int *partial)
{
    extern __shared__ int sums[];
    int id = blockIdx.x * blockDim.x + threadIdx.x, lane_id = id % warpSize, warp_id = threadIdx.x / warpSize;
    int value = data[id];
    for (int i = 1; i <= width; i *= 2) {
        unsigned int mask = 0xffffffff;
        int n = __shfl_up_sync(mask, value, i, width);
        if (lane_id >= i)
            value += n;
    }
    if (threadIdx.x % warpSize == warpSize - 1)
        sums[warp_id] = value;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp_id; w++)
        before += sums[w];
    data[id] = value + before;
    if (partial && threadIdx.x == blockDim.x - 1)
        partial[blockIdx.x] = value + before;
}

#define TILE_DIM 32
#define BLOCK_ROWS 8
__global__ void transpose(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[(y + i) * width + x];
    __syncthreads();
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[(y + i) * height + x] = tile[threadIdx.x][threadIdx.y + i];
}

__device__ inline void compare(unsigned int &a, unsigned int &b, bool up)
{
    if ((a > b) == up) {
        unsigned int t = a;
        a = b;
        b = t;
    }
}
__global__ void bitonic(unsigned int *data)
{
    extern __shared__ unsigned int s_key[];
    s_key[threadIdx.x] = data[threadIdx.x];
    s_key[threadIdx.x + blockDim.x] = data[threadIdx.x + blockDim.x];
    unsigned int length = 2 * blockDim.x;
    for (unsigned int size = 2; size <= length; size <<= 1) {
        bool up = (threadIdx.x & (size / 2)) == 0;
        for (unsigned int stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned int pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            compare(s_key[pos], s_key[pos + stride], up);
        }
    }
    __syncthreads();
    data[threadIdx.x] = s_key[threadIdx.x];
    data[threadIdx.x + blockDim.x] = s_key[threadIdx.x + blockDim.x];
}

int main()
{
    bool ok = test<int>(5000) && test<float>(3000) && test<double>(3000);
    printf("reduce %d\n", ok);

    std::vector<int> v(256), got(256);
    for (int i = 0; i < 256; i++)
        v[i] = i % 5 + 1;
    int *d;
    CHECK(cudaMalloc(&d, 256 * sizeof(int)));
    CHECK(cudaMemcpy(d, v.data(), 256 * sizeof(int), cudaMemcpyHostToDevice));
    shfl_scan<<<1, 256, 8 * sizeof(int)>>>(d, 32, NULL);
    CHECK(cudaMemcpy(got.data(), d, 256 * sizeof(int), cudaMemcpyDeviceToHost));
    std::partial_sum(v.begin(), v.end(), v.begin());
    ok = ok && v == got;
    printf("scan %d\n", ok);

    const int w = 64, h = 96;
    std::vector<float> a(w * h), b(w * h);
    for (int i = 0; i < w * h; i++)
        a[i] = (float)i;
    float *da, *db;
    CHECK(cudaMalloc(&da, w * h * sizeof(float)));
    CHECK(cudaMalloc(&db, w * h * sizeof(float)));
    CHECK(cudaMemcpy(da, a.data(), w * h * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeFourByte));
    transpose<<<dim3(w / TILE_DIM, h / TILE_DIM), dim3(TILE_DIM, BLOCK_ROWS)>>>(db, da, w, h);
    CHECK(cudaMemcpy(b.data(), db, w * h * sizeof(float), cudaMemcpyDeviceToHost));
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            ok = ok && b[x * h + y] == a[y * w + x];
    printf("transpose %d\n", ok);

    std::vector<unsigned int> keys(256), sorted(256);
    unsigned seed = 77;
    for (unsigned int &k : keys)
        k = next_random(&seed);
    CHECK(cudaMemcpy(d, keys.data(), 256 * 4, cudaMemcpyHostToDevice));
    bitonic<<<1, 128, 256 * 4>>>((unsigned int *)d);
    CHECK(cudaMemcpy(sorted.data(), d, 256 * 4, cudaMemcpyDeviceToHost));
    std::sort(keys.begin(), keys.end());
    return verdict("reduction", ok && keys == sorted);
}
