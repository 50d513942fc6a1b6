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

/* The type of the kernel that a launch means, of several of one name: of the one whose parameters
 * have the arguments' types, or else of the only one with so many. For decltype. */
template <class... A> struct types {
};
template <class T> struct itself {
    typedef T type;
};
template <class T> __host__ __device__ T value_of(T);
template <class... A>
__host__ __device__ auto types_of(const A &...arguments) -> types<decltype(value_of(arguments))...>;

struct last_choice {
};
struct first_choice : last_choice {
};
template <class... A>
__host__ __device__ auto overload(typename itself<void (*)(A...)>::type, types<A...>, first_choice)
    -> void (*)(A...);
/* A list of parameters is deduced from a set of kernels only where its length is written down. */
#define EVGPU_OVERLOAD(classes, parameters, arguments)                                             \
    template <EVGPU_LIST classes>                                                                  \
    __host__ __device__ auto overload(void(*) parameters, types<EVGPU_LIST arguments>,             \
                                      last_choice)                                                 \
        ->typename itself<void(*) parameters>::type;
#define EVGPU_LIST(...) __VA_ARGS__
EVGPU_OVERLOAD((class P0, class A0), (P0), (A0))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1), (P0, P1), (A0, A1))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2), (P0, P1, P2),
               (A0, A1, A2))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3),
               (P0, P1, P2, P3), (A0, A1, A2, A3))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4),
               (P0, P1, P2, P3, P4), (A0, A1, A2, A3, A4))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5),
               (P0, P1, P2, P3, P4, P5), (A0, A1, A2, A3, A4, A5))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6),
               (P0, P1, P2, P3, P4, P5, P6), (A0, A1, A2, A3, A4, A5, A6))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7),
               (P0, P1, P2, P3, P4, P5, P6, P7), (A0, A1, A2, A3, A4, A5, A6, A7))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7,
                class P8, class A8),
               (P0, P1, P2, P3, P4, P5, P6, P7, P8), (A0, A1, A2, A3, A4, A5, A6, A7, A8))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7,
                class P8, class A8, class P9, class A9),
               (P0, P1, P2, P3, P4, P5, P6, P7, P8, P9), (A0, A1, A2, A3, A4, A5, A6, A7, A8, A9))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7,
                class P8, class A8, class P9, class A9, class P10, class A10),
               (P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10),
               (A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7,
                class P8, class A8, class P9, class A9, class P10, class A10, class P11, class A11),
               (P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11),
               (A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7,
                class P8, class A8, class P9, class A9, class P10, class A10, class P11, class A11,
                class P12, class A12),
               (P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12),
               (A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7,
                class P8, class A8, class P9, class A9, class P10, class A10, class P11, class A11,
                class P12, class A12, class P13, class A13),
               (P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13),
               (A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7,
                class P8, class A8, class P9, class A9, class P10, class A10, class P11, class A11,
                class P12, class A12, class P13, class A13, class P14, class A14),
               (P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14),
               (A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14))
EVGPU_OVERLOAD((class P0, class A0, class P1, class A1, class P2, class A2, class P3, class A3,
                class P4, class A4, class P5, class A5, class P6, class A6, class P7, class A7,
                class P8, class A8, class P9, class A9, class P10, class A10, class P11, class A11,
                class P12, class A12, class P13, class A13, class P14, class A14, class P15,
                class A15),
               (P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15),
               (A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A13, A14, A15))
#undef EVGPU_OVERLOAD
#undef EVGPU_LIST

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

/* By a type that holds the launcher's. */
template <class S>
__host__ __device__ typename S::launcher launch_as(dim3 grid, dim3 block, size_t shared = 0,
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
