/* Barriers, fences, votes and shuffles of CUDA C; included by evgpu_cuda.h. Where lanes of a warp
 * have lost each other (docs/design/architecture.md) they wait for each other at __syncwarp(). */
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

/* A named barrier; `count` threads, or the whole block. */
EVGPU_DEVICE void __barrier_sync(unsigned int id)
{
    __asm__ volatile("barrier.sync %0;" ::"r"(id) : "memory");
}
EVGPU_DEVICE void __barrier_sync_count(unsigned int id, unsigned int count)
{
    __asm__ volatile("barrier.sync %0, %1;" ::"r"(id), "r"(count) : "memory");
}
EVGPU_DEVICE void __syncwarp(unsigned int mask = 0xFFFFFFFFu)
{
    __asm__ volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
EVGPU_DEVICE void __nanosleep(unsigned int nanoseconds)
{
    __asm__ volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory");
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
    unsigned int lanes;
    __asm__ volatile("activemask.b32 %0;" : "=r"(lanes)::"memory");
    return lanes;
}
EVGPU_DEVICE int __any(int predicate)
{
    return __ballot(predicate) != 0;
}
EVGPU_DEVICE int __all(int predicate)
{
    return __ballot(!predicate) == 0;
}
#define EVGPU_VOTE(name, mode, T, result)                                                          \
    EVGPU_DEVICE T name(unsigned int mask, int predicate)                                          \
    {                                                                                              \
        T v;                                                                                       \
        __asm__ volatile("{\n\t"                                                                   \
                         ".reg .pred %%p, %%q;\n\t"                                                \
                         "setp.ne.u32 %%p, %1, 0;\n\t"                                             \
                         "vote.sync." mode "\n\t" result "}"                                       \
                         : "=r"(v)                                                                 \
                         : "r"(predicate), "r"(mask)                                               \
                         : "memory");                                                              \
        return v;                                                                                  \
    }
EVGPU_VOTE(__ballot_sync, "ballot.b32 %0, %%p, %2;", unsigned int, "")
EVGPU_VOTE(__any_sync, "any.pred %%q, %%p, %2;", int, "selp.u32 %0, 1, 0, %%q;\n\t")
EVGPU_VOTE(__all_sync, "all.pred %%q, %%p, %2;", int, "selp.u32 %0, 1, 0, %%q;\n\t")
EVGPU_VOTE(__uni_sync, "uni.pred %%q, %%p, %2;", int, "selp.u32 %0, 1, 0, %%q;\n\t")
#undef EVGPU_VOTE

/* Lanes of the mask with the same bits; _all: all of them or none, *same says which. */
#define EVGPU_MATCH(T, type, letter, R)                                                            \
    EVGPU_DEVICE unsigned int __match_any_sync(unsigned int mask, T value)                         \
    {                                                                                              \
        unsigned int lanes;                                                                        \
        __asm__ volatile("match.any.sync." type " %0, %1, %2;"                                     \
                         : "=r"(lanes)                                                             \
                         : letter(__builtin_bit_cast(R, value)), "r"(mask)                         \
                         : "memory");                                                              \
        return lanes;                                                                              \
    }                                                                                              \
    EVGPU_DEVICE unsigned int __match_all_sync(unsigned int mask, T value, int *same)              \
    {                                                                                              \
        unsigned int lanes;                                                                        \
        int all;                                                                                   \
        __asm__ volatile("{\n\t"                                                                   \
                         ".reg .pred %%p;\n\t"                                                     \
                         "match.all.sync." type " %0|%%p, %2, %3;\n\t"                             \
                         "selp.s32 %1, 1, 0, %%p;\n\t"                                             \
                         "}"                                                                       \
                         : "=r"(lanes), "=r"(all)                                                  \
                         : letter(__builtin_bit_cast(R, value)), "r"(mask)                         \
                         : "memory");                                                              \
        *same = all;                                                                               \
        return lanes;                                                                              \
    }
EVGPU_MATCH(int, "b32", "r", int)
EVGPU_MATCH(unsigned int, "b32", "r", int)
EVGPU_MATCH(float, "b32", "r", int)
EVGPU_MATCH(long, "b64", "l", long long)
EVGPU_MATCH(unsigned long, "b64", "l", long long)
EVGPU_MATCH(long long, "b64", "l", long long)
EVGPU_MATCH(unsigned long long, "b64", "l", long long)
EVGPU_MATCH(double, "b64", "l", long long)
#undef EVGPU_MATCH

#define EVGPU_REDUCE(name, T, operation)                                                           \
    EVGPU_DEVICE T __reduce_##name##_sync(unsigned int mask, T value)                              \
    {                                                                                              \
        T result;                                                                                  \
        __asm__ volatile("redux.sync." operation " %0, %1, %2;"                                    \
                         : "=r"(result)                                                            \
                         : "r"(value), "r"(mask)                                                   \
                         : "memory");                                                              \
        return result;                                                                             \
    }
EVGPU_REDUCE(add, int, "add.s32")
EVGPU_REDUCE(add, unsigned int, "add.u32")
EVGPU_REDUCE(min, int, "min.s32")
EVGPU_REDUCE(min, unsigned int, "min.u32")
EVGPU_REDUCE(max, int, "max.s32")
EVGPU_REDUCE(max, unsigned int, "max.u32")
EVGPU_REDUCE(and, unsigned int, "and.b32")
EVGPU_REDUCE(or, unsigned int, "or.b32")
EVGPU_REDUCE(xor, unsigned int, "xor.b32")
#undef EVGPU_REDUCE

/* Position of the set bit number `offset` of the mask, counted from `base` upwards (or downwards).
 */
EVGPU_DEVICE unsigned int __fns(unsigned int mask, unsigned int base, int offset)
{
    unsigned int at;
    __asm__("fns.b32 %0, %1, %2, %3;" : "=r"(at) : "r"(mask), "r"(base), "r"(offset));
    return at;
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
    }

EVGPU_SHFL(__shfl, idx, 0x1f, int)
EVGPU_SHFL(__shfl_up, up, 0, unsigned int)
EVGPU_SHFL(__shfl_down, down, 0x1f, unsigned int)
EVGPU_SHFL(__shfl_xor, bfly, 0x1f, int)
#undef EVGPU_SHFL

#define EVGPU_SHFL_SYNC(name, mode, clamp, offset_type)                                            \
    EVGPU_DEVICE int name##_sync(unsigned int mask, int v, offset_type offset, int width = 32)     \
    {                                                                                              \
        int result;                                                                                \
        __asm__ volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                              \
                         : "=r"(result)                                                            \
                         : "r"(v), "r"(offset), "r"(((32 - width) << 8) | clamp), "r"(mask)        \
                         : "memory");                                                              \
        return result;                                                                             \
    }                                                                                              \
    EVGPU_DEVICE unsigned int name##_sync(unsigned int mask, unsigned int v, offset_type offset,   \
                                          int width = 32)                                          \
    {                                                                                              \
        return (unsigned int)name##_sync(mask, (int)v, offset, width);                             \
    }                                                                                              \
    EVGPU_DEVICE float name##_sync(unsigned int mask, float v, offset_type offset, int width = 32) \
    {                                                                                              \
        return __builtin_bit_cast(float,                                                           \
                                  name##_sync(mask, __builtin_bit_cast(int, v), offset, width));   \
    }                                                                                              \
    EVGPU_DEVICE unsigned long long name##_sync(unsigned int mask, unsigned long long v,           \
                                                offset_type offset, int width = 32)                \
    {                                                                                              \
        unsigned int low = name##_sync(mask, (unsigned int)v, offset, width);                      \
        unsigned int high = name##_sync(mask, (unsigned int)(v >> 32), offset, width);             \
        return (unsigned long long)high << 32 | low;                                               \
    }                                                                                              \
    EVGPU_DEVICE long long name##_sync(unsigned int mask, long long v, offset_type offset,         \
                                       int width = 32)                                             \
    {                                                                                              \
        return (long long)name##_sync(mask, (unsigned long long)v, offset, width);                 \
    }                                                                                              \
    EVGPU_DEVICE unsigned long name##_sync(unsigned int mask, unsigned long v, offset_type offset, \
                                           int width = 32)                                         \
    {                                                                                              \
        return (unsigned long)name##_sync(mask, (unsigned long long)v, offset, width);             \
    }                                                                                              \
    EVGPU_DEVICE long name##_sync(unsigned int mask, long v, offset_type offset, int width = 32)   \
    {                                                                                              \
        return (long)name##_sync(mask, (unsigned long long)v, offset, width);                      \
    }                                                                                              \
    EVGPU_DEVICE double name##_sync(unsigned int mask, double v, offset_type offset,               \
                                    int width = 32)                                                \
    {                                                                                              \
        return __builtin_bit_cast(                                                                 \
            double, name##_sync(mask, __builtin_bit_cast(unsigned long long, v), offset, width));  \
    }
EVGPU_SHFL_SYNC(__shfl, "idx", 0x1f, int)
EVGPU_SHFL_SYNC(__shfl_up, "up", 0, unsigned int)
EVGPU_SHFL_SYNC(__shfl_down, "down", 0x1f, unsigned int)
EVGPU_SHFL_SYNC(__shfl_xor, "bfly", 0x1f, int)
#undef EVGPU_SHFL_SYNC

#endif
