/* Full/empty bits in the runtime API: early launches and early copies (Lustig and Martonosi,
 * "Reducing GPU Offload Latency via Fine-Grained CPU-GPU Synchronization", sections 4.4 and 4.5;
 * names as there). Included by cuda_runtime_api.h.
 *
 * Memory of cudaMallocFullEmpty has a full/empty bit per word of 4 bytes, full at first. A kernel's
 * load of such words waits until all that its warp asks for are full; its store fills; its atomic
 * waits for full and fills. A copy waits for what its trigger says and then does its action, line
 * by line of 128 bytes. What waits holds its own stream. Each part of memory lets copies with a
 * trigger pass in the order in which they come, and so loads: one that waits holds those behind it,
 * of other streams too (section 4.3). A copy without a trigger always passes; it should be the one
 * that fills what others wait for.
 *
 * Errors: cudaErrorInvalidValue for memory that is not of cudaMallocFullEmpty, a range that leaves
 * its allocation, an address on the device or a size that is no multiple of 4, or a trigger or
 * action that does not exist; cudaErrorInvalidMemcpyDirection for a trigger or an action of a
 * copy that is not between host and device; cudaErrorNotSupported where the machine has no such
 * memory; cudaErrorMemoryAllocation when it is all taken. */
#ifndef EVGPU_CUDA_RUNTIME_FULL_EMPTY_H
#define EVGPU_CUDA_RUNTIME_FULL_EMPTY_H

#include "driver_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cudaMemcpyTrigger {
    cudaMemcpyTriggerNone = 0,
    cudaMemcpyTriggerFilled = 1, /* words are copied when all of their line are full */
    cudaMemcpyTriggerEmptied = 2
};

enum cudaMemcpyAction {
    cudaMemcpyActionNone = 0,
    cudaMemcpyActionFill = 1, /* a word is full once it has been copied */
    cudaMemcpyActionEmpty = 2
};

/* Given back by cudaFree. */
cudaError_t cudaMallocFullEmpty(void **devPtr, size_t size);
/* Bytes of such memory. */
cudaError_t cudaMemGetInfoFullEmpty(size_t *free, size_t *total);

/* cudaMemcpyAsync with a trigger and an action, for C. In C++ these are further arguments of
 * cudaMemcpyAsync itself. From host to device and back only; with neither, any copy. */
cudaError_t cudaMemcpyAsyncFullEmpty(void *dst, const void *src, size_t count,
                                     enum cudaMemcpyKind kind, cudaStream_t stream,
                                     enum cudaMemcpyTrigger trigger, enum cudaMemcpyAction action);

/* Marks words full or empty when the turn in the stream has come; the data stay. What waits for
 * them goes on. */
cudaError_t cudaMarkFullAsync(void *devPtr, size_t count, cudaStream_t stream);
cudaError_t cudaMarkEmptyAsync(void *devPtr, size_t count, cudaStream_t stream);

/* The same at once, in no stream; returns when it is done. */
cudaError_t cudaOverrideFullEmpty(void *devPtr, size_t count, enum cudaMemcpyAction action);

/* Lets everything that waits for words now go on as if they were as it wants them.
 * cudaErrorNotPermitted: another guest of the machine has memory with full/empty bits, and its
 * requests are not this program's. */
cudaError_t cudaReleaseFullEmpty(void);

/* How long a copy or a kernel may wait for words, from now on; 0: for ever. Then the program's work
 * ends with a message that says who waits for what, and calls return cudaErrorLaunchTimeout.
 * cudaErrorNotPermitted: as above; when another guest allocates such memory, the machine's own
 * limit holds again. */
cudaError_t cudaSetFullEmptyTimeout(unsigned long long nanoseconds);

#ifdef __cplusplus
}

static inline __attribute__((unused)) cudaError_t
cudaMemcpyAsync(void *dst, const void *src, size_t count, enum cudaMemcpyKind kind,
                cudaStream_t stream, enum cudaMemcpyTrigger trigger,
                enum cudaMemcpyAction action = cudaMemcpyActionNone)
{
    return cudaMemcpyAsyncFullEmpty(dst, src, count, kind, stream, trigger, action);
}
template <class T>
static inline __attribute__((unused)) cudaError_t cudaMallocFullEmpty(T **devPtr, size_t size)
{
    return ::cudaMallocFullEmpty((void **)(void *)devPtr, size);
}
#endif

#endif
