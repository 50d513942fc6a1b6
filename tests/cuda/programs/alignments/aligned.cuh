#ifndef ALIGNED_CUH
#define ALIGNED_CUH

#define LINE __shared__ alignas(128)

template <int N> __device__ size_t in_header(float *out)
{
    __shared__ alignas(
        alignof(double2)) float a[N];
    a[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = a[N - 1 - threadIdx.x];
    return (size_t)a % alignof(double2);
}

#endif
