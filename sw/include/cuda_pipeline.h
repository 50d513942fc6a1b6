/* Asynchronous copies of device memory to shared memory: the C functions, and the first C++
 * interface of CUDA 11 over them. That of libcu++ is cuda/pipeline. */
#ifndef EVGPU_SW_CUDA_PIPELINE_H
#define EVGPU_SW_CUDA_PIPELINE_H
#define _CUDA_PIPELINE_H_

#include "cuda_pipeline_primitives.h"

#if defined(__CUDA__) && defined(__cplusplus)

namespace nvcuda
{
namespace experimental
{

class pipeline
{
    size_t committed;

  public:
    pipeline(const pipeline &) = delete;
    pipeline &operator=(const pipeline &) = delete;
    __device__ pipeline() : committed(0)
    {
    }
    /* The number of the group that it closes. */
    __device__ size_t commit()
    {
        __pipeline_commit();
        return committed++;
    }
    __device__ void commit_and_wait()
    {
        wait(commit());
    }
    __device__ void wait(size_t group)
    {
        __pipeline_wait_prior(committed - 1 - group);
    }
    template <unsigned N> __device__ void wait_prior()
    {
        __pipeline_wait_prior(N);
    }
};

template <class T> __device__ void memcpy_async(T &to, const T &from, pipeline &)
{
    const size_t each = sizeof(T) % 16 == 0 && alignof(T) >= 16 ? 16
                        : sizeof(T) % 8 == 0 && alignof(T) >= 8 ? 8
                                                                : 4;
    static_assert(sizeof(T) % 4 == 0 && alignof(T) >= 4, "words of four bytes");
    for (size_t i = 0; i < sizeof(T); i += each)
        __pipeline_memcpy_async((char *)&to + i, (const char *)&from + i, each);
}
template <class T>
__device__ void memcpy_async(T *to, const T *from, size_t size, size_t zfill, pipeline &)
{
    __pipeline_memcpy_async(to, from, size, zfill);
}

} // namespace experimental
} // namespace nvcuda

#endif
#endif
