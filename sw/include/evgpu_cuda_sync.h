/* Barriers, fences, votes, shuffles and clocks of CUDA C; included by evgpu_cuda.h.
 *
 * The machine runs the lanes of a warp in lockstep (sm_35), so that the _sync forms are the older
 * forms restricted to the lanes in their mask; where lanes have lost each other (docs/architecture.md)
 * they wait for each other at them. */
#ifndef EVGPU_SW_EVGPU_CUDA_SYNC_H
#define EVGPU_SW_EVGPU_CUDA_SYNC_H

/* For clang 14 its builtins for barriers do not write __shared__ variables whose addresses stay
 * within the kernel, so that it moves loads of them across; it moves none across an asm statement
 * that may write memory. */
EVGPU_DEVICE void evgpu_syncthreads()
{
    __asm__ volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() evgpu_syncthreads()

#define EVGPU_BARRIER_OF(name, builtin)                                                            \
    EVGPU_DEVICE int name(int predicate)                                                           \
    {                                                                                              \
        __asm__ volatile("" ::: "memory");                                                         \
        int result = __nvvm_bar0_##builtin(predicate);                                             \
        __asm__ volatile("" ::: "memory");                                                         \
        return result;                                                                             \
    }
EVGPU_BARRIER_OF(__syncthreads_count, popc)
EVGPU_BARRIER_OF(__syncthreads_and, and)
EVGPU_BARRIER_OF(__syncthreads_or, or)
#undef EVGPU_BARRIER_OF

EVGPU_DEVICE void __syncwarp(unsigned int mask = 0xFFFFFFFFu)
{
    __asm__ volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}

EVGPU_DEVICE void __threadfence_block()
{
    __nvvm_membar_cta();
}
EVGPU_DEVICE void __threadfence()
{
    __nvvm_membar_gl();
}
EVGPU_DEVICE void __threadfence_system()
{
    __nvvm_membar_sys();
}

EVGPU_DEVICE unsigned int __lane_id()
{
    return (unsigned int)__nvvm_read_ptx_sreg_laneid();
}
EVGPU_DEVICE unsigned int __lanemask_lt()
{
    return (unsigned int)__nvvm_read_ptx_sreg_lanemask_lt();
}

/* clang 14 selects no instruction for its vote builtins below PTX 6.0. */
EVGPU_DEVICE unsigned int __ballot(int predicate)
{
    unsigned int lanes;
    __asm__ volatile("{\n\t"
                     ".reg .pred %%vote;\n\t"
                     "setp.ne.u32 %%vote, %1, 0;\n\t"
                     "vote.ballot.b32 %0, %%vote;\n\t"
                     "}"
                     : "=r"(lanes)
                     : "r"(predicate));
    return lanes;
}
EVGPU_DEVICE unsigned int __activemask()
{
    return __ballot(1);
}
EVGPU_DEVICE int __any(int predicate)
{
    return __ballot(predicate) != 0;
}
EVGPU_DEVICE int __all(int predicate)
{
    return __ballot(!predicate) == 0;
}
EVGPU_DEVICE unsigned int __ballot_sync(unsigned int mask, int predicate)
{
    return __ballot(predicate) & mask;
}
EVGPU_DEVICE int __any_sync(unsigned int mask, int predicate)
{
    return __ballot_sync(mask, predicate) != 0;
}
EVGPU_DEVICE int __all_sync(unsigned int mask, int predicate)
{
    return __ballot_sync(mask, !predicate) == 0;
}

/* The third operand of shfl: lanes per segment in bits 12..8, as 32 - width, and the clamp in bits
 * 4..0 (PTX ISA, shfl). */
#define EVGPU_SHFL(name, builtin, clamp, offset_type)                                              \
    EVGPU_DEVICE int name(int v, offset_type offset, int width = 32)                               \
    {                                                                                              \
        return __nvvm_shfl_##builtin##_i32(v, (int)offset, ((32 - width) << 8) | clamp);           \
    }                                                                                              \
    EVGPU_DEVICE float name(float v, offset_type offset, int width = 32)                           \
    {                                                                                              \
        return __nvvm_shfl_##builtin##_f32(v, (int)offset, ((32 - width) << 8) | clamp);           \
    }                                                                                              \
    EVGPU_DEVICE unsigned int name(unsigned int v, offset_type offset, int width = 32)             \
    {                                                                                              \
        return (unsigned int)name((int)v, offset, width);                                          \
    }                                                                                              \
    EVGPU_DEVICE unsigned long long name(unsigned long long v, offset_type offset, int width = 32) \
    {                                                                                              \
        unsigned int low = name((unsigned int)v, offset, width);                                   \
        unsigned int high = name((unsigned int)(v >> 32), offset, width);                          \
        return (unsigned long long)high << 32 | low;                                               \
    }                                                                                              \
    EVGPU_DEVICE long long name(long long v, offset_type offset, int width = 32)                   \
    {                                                                                              \
        return (long long)name((unsigned long long)v, offset, width);                              \
    }                                                                                              \
    EVGPU_DEVICE unsigned long name(unsigned long v, offset_type offset, int width = 32)           \
    {                                                                                              \
        return (unsigned long)name((unsigned long long)v, offset, width);                          \
    }                                                                                              \
    EVGPU_DEVICE long name(long v, offset_type offset, int width = 32)                             \
    {                                                                                              \
        return (long)name((unsigned long long)v, offset, width);                                   \
    }                                                                                              \
    EVGPU_DEVICE double name(double v, offset_type offset, int width = 32)                         \
    {                                                                                              \
        return __builtin_bit_cast(double,                                                          \
                                  name(__builtin_bit_cast(unsigned long long, v), offset, width)); \
    }                                                                                              \
    template <class T>                                                                             \
    EVGPU_DEVICE T name##_sync(unsigned int mask, T v, offset_type offset, int width = 32)         \
    {                                                                                              \
        (void)mask;                                                                                \
        return name(v, offset, width);                                                             \
    }

EVGPU_SHFL(__shfl, idx, 0x1f, int)
EVGPU_SHFL(__shfl_up, up, 0, unsigned int)
EVGPU_SHFL(__shfl_down, down, 0x1f, unsigned int)
EVGPU_SHFL(__shfl_xor, bfly, 0x1f, int)
#undef EVGPU_SHFL

EVGPU_DEVICE int clock()
{
    return __nvvm_read_ptx_sreg_clock();
}
EVGPU_DEVICE long long clock64()
{
    return __nvvm_read_ptx_sreg_clock64();
}

#endif
