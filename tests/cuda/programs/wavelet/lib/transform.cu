/* A class template whose object lives in shared memory, with member templates and a functor. */
#include "check.h"
#include "lib/transform.h"

namespace dwt
{
template <class T, int SIZE, int BOUNDARY> class TransformBuffer
{
    T data[SIZE + 2 * BOUNDARY];

  public:
    __device__ TransformBuffer() {}
    __device__ T &operator[](int i) { return data[i + BOUNDARY]; }
    template <class FUNC, bool OPTIONAL> __device__ void forEach(int first, int count, const FUNC &func)
    {
        if (OPTIONAL && count <= 0)
            return;
        for (int i = first + 2 * threadIdx.x; i < first + count; i += 2 * blockDim.x)
            func((*this)[i - 1], (*this)[i], (*this)[i + 1]);
    }
};

template <class T> struct Predict {
    __device__ void operator()(const T p, T &c, const T n) const { c -= (p + n) / 2; }
};
template <class T> struct Update {
    T rounding;
    __device__ explicit Update(T r) : rounding(r) {}
    __device__ void operator()(const T p, T &c, const T n) const { c += (p + n + rounding) / 4; }
};

template <class T, int SIZE> __global__ __launch_bounds__(SIZE) void kernel(T *dst, const T *src, int n)
{
    __shared__ TransformBuffer<T, SIZE, 3> buffer;
    for (int i = (int)threadIdx.x - 3; i < SIZE + 3; i += blockDim.x) {
        int at = (int)blockIdx.x * SIZE + i;
        at = at < 0 ? -at : at >= n ? 2 * n - 2 - at : at;
        buffer[i] = src[at];
    }
    __syncthreads();
    buffer.template forEach<Predict<T>, false>(-1, SIZE + 2, Predict<T>());
    __syncthreads();
    buffer.template forEach<Update<T>, true>(0, SIZE, Update<T>(2));
    __syncthreads();
    for (int i = threadIdx.x; i < SIZE; i += blockDim.x) {
        int at = blockIdx.x * SIZE + i;
        dst[at / 2 + (at % 2 ? n / 2 : 0)] = buffer[i];
    }
}

template <class T> void transform(T *dst, const T *src, int n)
{
    CHECK(cudaFuncSetCacheConfig(kernel<T, 64>, cudaFuncCachePreferShared));
    kernel<T, 64><<<n / 64, 64>>>(dst, src, n);
    CHECK(cudaGetLastError());
}

template void transform<int>(int *dst, const int *src, int n);
} // namespace dwt
