/* Launches in kernels, and the functions of the runtime that kernels may call (CUDA C++ Programming
 * Guide, dynamic parallelism): of files that are compiled with -rdc=true. nvcc makes
 * "k<<<grid, block, shared, stream>>>(x)" in device code a call of evgpu::launch.
 *
 * The thread writes an AQL packet and the arguments behind it to memory of the device heap; the
 * machine checks the launch and hands the packet to its packet processor. */
#ifndef EVGPU_SW_EVGPU_CUDA_LAUNCH_H
#define EVGPU_SW_EVGPU_CUDA_LAUNCH_H

#ifndef __CUDACC_RDC__

/* Declared, since Thrust's templates name them; nvcc says that they are not there where a kernel
 * calls one. */
extern "C" {
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *func, void *parameterBuffer, dim3 gridDimension,
                                        dim3 blockDimension, unsigned int sharedMemSize,
                                        cudaStream_t stream);
}

#else

extern "C" {
/* The machine's (sim/ptx/program.h, SYSTEM_CALL_LAUNCH_BUFFER and the following). */
__device__ void *__evgpu_launch_buffer(unsigned long long bytes);
__device__ unsigned __evgpu_launch(void *buffer, unsigned long long stream);
__device__ unsigned long long __evgpu_launches(unsigned query);
}

namespace evgpu
{
enum { PACKET_BYTES = 64, LAUNCHES_LEFT = 0, LAUNCHES_ERROR, LAUNCHES_PEEK, LAUNCHES_STREAM };

/* The packet in front of the arguments, as sim/gpu/queue/aql.h lays it out. */
__device__ static inline cudaError_t send(void *arguments, const void *kernel, dim3 grid,
                                          dim3 block, size_t shared, cudaStream_t stream)
{
    char *packet = (char *)arguments - PACKET_BYTES;
    unsigned group[] = {block.x, block.y, block.z}, blocks[] = {grid.x, grid.y, grid.z};
#pragma unroll
    for (int i = 0; i < 3; i++) {
        bool fits = group[i] < 65536 && (unsigned long long)blocks[i] * group[i] >> 32 == 0;
        ((unsigned short *)(packet + 4))[i] = fits ? (unsigned short)group[i] : 0;
        ((unsigned *)(packet + 12))[i] = blocks[i] * group[i];
    }
    *(unsigned *)(packet + 28) = (unsigned)shared;
    *(const void **)(packet + 32) = kernel;
    return (cudaError_t)__evgpu_launch(packet, (unsigned long long)stream);
}

__device__ static inline void *buffer(size_t bytes)
{
    char *packet = (char *)__evgpu_launch_buffer(PACKET_BYTES + bytes);
    return packet ? packet + PACKET_BYTES : nullptr;
}

/* Arguments one behind the other, each at a multiple of its alignment. */
template <class... P> struct arguments {
    static constexpr size_t end(size_t from)
    {
        return from;
    }
    __device__ static void store(char *, size_t)
    {
    }
};
template <class F, class... P> struct arguments<F, P...> {
    static constexpr size_t place(size_t from)
    {
        return (from + alignof(F) - 1) / alignof(F) * alignof(F);
    }
    static constexpr size_t end(size_t from)
    {
        return arguments<P...>::end(place(from) + sizeof(F));
    }
    __device__ static void store(char *to, size_t from, const F &first, const P &...rest)
    {
        __builtin_memcpy(to + place(from), &first, sizeof first); /* as launches of the host do */
        arguments<P...>::store(to, place(from) + sizeof(F), rest...);
    }
};

template <class F, F K> struct launcher;
template <class... P, void (*K)(P...)> struct launcher<void (*)(P...), K> {
    /* clang lets no device function name a kernel. */
    static constexpr void (*kernel)(P...) = K;
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;

    __device__ void operator()(P... values) const
    {
        /* The kernel reads its parameters up to a multiple of 16. */
        char *to = (char *)buffer((arguments<P...>::end(0) + 15) / 16 * 16);
        if (!to) {
            __evgpu_launch(nullptr, 0); /* fails, and the block's last error says so */
            return;
        }
        arguments<P...>::store(to, 0, values...);
        send(to, (const void *)kernel, grid, block, shared, stream);
    }
};

template <class F, F K>
__host__ __device__ launcher<F, K> launch(dim3 grid, dim3 block, size_t shared = 0,
                                          cudaStream_t stream = 0)
{
    return {grid, block, shared, stream};
}

/* Copies and sets are kernels, which only modules that use them have: hence templates. */
template <class T> __global__ void copy(T *to, const T *from, size_t count)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += step)
        to[i] = from[i];
}
template <class T> __global__ void fill(T *to, T value, size_t count)
{
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += step)
        to[i] = value;
}
enum { COPY_THREADS = 128, COPY_BLOCKS = 64 };
__device__ static inline dim3 blocks_for(size_t count)
{
    size_t blocks = (count + COPY_THREADS - 1) / COPY_THREADS;
    return dim3(blocks < COPY_BLOCKS ? (unsigned)blocks : COPY_BLOCKS);
}
} // namespace evgpu

#define cudaStreamTailLaunch    ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)

extern "C" {

/* --- the device runtime's functions -------------------------------------------------------------
 */

/* Waits for all that the block has launched, but for cudaStreamTailLaunch. The block keeps its
 * place on the core. */
__device__ static inline cudaError_t cudaDeviceSynchronize(void)
{
    __threadfence();
    while (__evgpu_launches(evgpu::LAUNCHES_LEFT) != 0)
        ;
    return (cudaError_t)__evgpu_launches(evgpu::LAUNCHES_PEEK);
}

/* Of the thread's block, not of the thread. */
__device__ static inline cudaError_t cudaGetLastError(void)
{
    return (cudaError_t)__evgpu_launches(evgpu::LAUNCHES_ERROR);
}
__device__ static inline cudaError_t cudaPeekAtLastError(void)
{
    return (cudaError_t)__evgpu_launches(evgpu::LAUNCHES_PEEK);
}

/* Numbers; they need no end. */
__device__ static inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                               unsigned int flags)
{
    if (flags != cudaStreamNonBlocking)
        return cudaErrorInvalidValue;
    *stream = (cudaStream_t)__evgpu_launches(evgpu::LAUNCHES_STREAM);
    return cudaSuccess;
}
__device__ static inline cudaError_t cudaStreamDestroy(cudaStream_t)
{
    return cudaSuccess;
}

/* Within the device, in the order of the stream. */
__device__ static inline cudaError_t cudaMemcpyAsync(void *dst, const void *src, size_t count,
                                                     enum cudaMemcpyKind kind,
                                                     cudaStream_t stream = 0)
{
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
        return cudaErrorInvalidMemcpyDirection;
    bool words = ((size_t)dst | (size_t)src | count) % sizeof(unsigned) == 0;
    if (count && words)
        evgpu::launch<decltype(&evgpu::copy<unsigned>), &evgpu::copy<unsigned>>(
            evgpu::blocks_for(count / sizeof(unsigned)), evgpu::COPY_THREADS, 0,
            stream)((unsigned *)dst, (const unsigned *)src, count / sizeof(unsigned));
    else if (count)
        evgpu::launch<decltype(&evgpu::copy<char>), &evgpu::copy<char>>(
            evgpu::blocks_for(count), evgpu::COPY_THREADS, 0, stream)((char *)dst,
                                                                      (const char *)src, count);
    return (cudaError_t)__evgpu_launches(evgpu::LAUNCHES_PEEK);
}
__device__ static inline cudaError_t cudaMemsetAsync(void *pointer, int value, size_t count,
                                                     cudaStream_t stream = 0)
{
    if (count)
        evgpu::launch<decltype(&evgpu::fill<char>), &evgpu::fill<char>>(
            evgpu::blocks_for(count), evgpu::COPY_THREADS, 0, stream)((char *)pointer, (char)value,
                                                                      count);
    return (cudaError_t)__evgpu_launches(evgpu::LAUNCHES_PEEK);
}

__device__ static inline cudaError_t cudaMalloc(void **pointer, size_t size)
{
    *pointer = malloc(size);
    return *pointer || !size ? cudaSuccess : cudaErrorMemoryAllocation;
}
__device__ static inline cudaError_t cudaFree(void *pointer)
{
    free(pointer);
    return cudaSuccess;
}

__device__ static inline cudaError_t cudaGetDevice(int *device)
{
    *device = 0;
    return cudaSuccess;
}
__device__ static inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

/* As compilers call them. */
__device__ static inline void *cudaGetParameterBuffer(size_t, size_t size)
{
    return evgpu::buffer((size + 15) / 16 * 16);
}
__device__ static inline cudaError_t cudaLaunchDevice(void *func, void *parameterBuffer,
                                                      dim3 gridDimension, dim3 blockDimension,
                                                      unsigned int sharedMemSize,
                                                      cudaStream_t stream)
{
    return evgpu::send(parameterBuffer, func, gridDimension, blockDimension, sharedMemSize, stream);
}
}

#endif
#endif
