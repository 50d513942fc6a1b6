/* Loads and stores with a cache operator, address spaces; included by evgpu_cuda.h. */
#ifndef EVGPU_SW_EVGPU_CUDA_MEMORY_H
#define EVGPU_SW_EVGPU_CUDA_MEMORY_H

/* __ldg reads through the read-only path; __ldcg at L2, past L1, for data that another agent has
 * written since L1 may have read it; __ldca, __ldcs, __ldlu as the hardware caches by default;
 * __ldcv reads memory again. `letter` and `R`: the register that carries an element. */
#define EVGPU_LOAD(name, instruction, T, type, letter, R)                                          \
    EVGPU_DEVICE T name(const T *p)                                                                \
    {                                                                                              \
        R v;                                                                                       \
        __asm__ volatile(instruction "." type " %0, [%1];" : "=" letter(v) : "l"(p) : "memory");   \
        return (T)v;                                                                               \
    }
#define EVGPU_LOAD_2(name, instruction, T, B, type, letter, R)                                     \
    EVGPU_DEVICE T name(const T *p)                                                                \
    {                                                                                              \
        R x, y;                                                                                    \
        __asm__ volatile(instruction ".v2." type " {%0, %1}, [%2];"                                \
                         : "=" letter(x), "=" letter(y)                                            \
                         : "l"(p)                                                                  \
                         : "memory");                                                              \
        T v;                                                                                       \
        v.x = (B)x;                                                                                \
        v.y = (B)y;                                                                                \
        return v;                                                                                  \
    }
#define EVGPU_LOAD_4(name, instruction, T, B, type, letter, R)                                     \
    EVGPU_DEVICE T name(const T *p)                                                                \
    {                                                                                              \
        R x, y, z, w;                                                                              \
        __asm__ volatile(instruction ".v4." type " {%0, %1, %2, %3}, [%4];"                        \
                         : "=" letter(x), "=" letter(y), "=" letter(z), "=" letter(w)              \
                         : "l"(p)                                                                  \
                         : "memory");                                                              \
        T v;                                                                                       \
        v.x = (B)x;                                                                                \
        v.y = (B)y;                                                                                \
        v.z = (B)z;                                                                                \
        v.w = (B)w;                                                                                \
        return v;                                                                                  \
    }
#define EVGPU_LOADS(name, ins)                                                                     \
    EVGPU_LOAD(name, ins, char, "s8", "h", short)                                                  \
    EVGPU_LOAD(name, ins, signed char, "s8", "h", short)                                           \
    EVGPU_LOAD(name, ins, unsigned char, "u8", "h", unsigned short)                                \
    EVGPU_LOAD(name, ins, short, "s16", "h", short)                                                \
    EVGPU_LOAD(name, ins, unsigned short, "u16", "h", unsigned short)                              \
    EVGPU_LOAD(name, ins, int, "s32", "r", int)                                                    \
    EVGPU_LOAD(name, ins, unsigned int, "u32", "r", unsigned int)                                  \
    EVGPU_LOAD(name, ins, long, "s64", "l", long long)                                             \
    EVGPU_LOAD(name, ins, unsigned long, "u64", "l", unsigned long long)                           \
    EVGPU_LOAD(name, ins, long long, "s64", "l", long long)                                        \
    EVGPU_LOAD(name, ins, unsigned long long, "u64", "l", unsigned long long)                      \
    EVGPU_LOAD(name, ins, float, "f32", "f", float)                                                \
    EVGPU_LOAD(name, ins, double, "f64", "d", double)                                              \
    EVGPU_LOAD_2(name, ins, char2, signed char, "s8", "h", short)                                  \
    EVGPU_LOAD_2(name, ins, uchar2, unsigned char, "u8", "h", unsigned short)                      \
    EVGPU_LOAD_2(name, ins, short2, short, "s16", "h", short)                                      \
    EVGPU_LOAD_2(name, ins, ushort2, unsigned short, "u16", "h", unsigned short)                   \
    EVGPU_LOAD_2(name, ins, int2, int, "s32", "r", int)                                            \
    EVGPU_LOAD_2(name, ins, uint2, unsigned int, "u32", "r", unsigned int)                         \
    EVGPU_LOAD_2(name, ins, longlong2, long long, "s64", "l", long long)                           \
    EVGPU_LOAD_2(name, ins, ulonglong2, unsigned long long, "u64", "l", unsigned long long)        \
    EVGPU_LOAD_2(name, ins, float2, float, "f32", "f", float)                                      \
    EVGPU_LOAD_2(name, ins, double2, double, "f64", "d", double)                                   \
    EVGPU_LOAD_4(name, ins, char4, signed char, "s8", "h", short)                                  \
    EVGPU_LOAD_4(name, ins, uchar4, unsigned char, "u8", "h", unsigned short)                      \
    EVGPU_LOAD_4(name, ins, short4, short, "s16", "h", short)                                      \
    EVGPU_LOAD_4(name, ins, ushort4, unsigned short, "u16", "h", unsigned short)                   \
    EVGPU_LOAD_4(name, ins, int4, int, "s32", "r", int)                                            \
    EVGPU_LOAD_4(name, ins, uint4, unsigned int, "u32", "r", unsigned int)                         \
    EVGPU_LOAD_4(name, ins, float4, float, "f32", "f", float)
EVGPU_LOADS(__ldg, "ld.global.nc")
EVGPU_LOADS(__ldcg, "ld.global.cg")
EVGPU_LOADS(__ldca, "ld.global.ca")
EVGPU_LOADS(__ldcs, "ld.global.cs")
EVGPU_LOADS(__ldlu, "ld.global.lu")
EVGPU_LOADS(__ldcv, "ld.global.cv")
#undef EVGPU_LOADS
#undef EVGPU_LOAD
#undef EVGPU_LOAD_2
#undef EVGPU_LOAD_4

/* Stores: __stwb, __stcg, __stcs, __stwt. */
#define EVGPU_STORE(name, instruction, T, type, letter, R)                                         \
    EVGPU_DEVICE void name(T *p, T v)                                                              \
    {                                                                                              \
        __asm__ volatile(instruction "." type " [%0], %1;" ::"l"(p), letter((R)v) : "memory");     \
    }
#define EVGPU_STORE_2(name, instruction, T, type, letter, R)                                       \
    EVGPU_DEVICE void name(T *p, T v)                                                              \
    {                                                                                              \
        __asm__ volatile(instruction ".v2." type " [%0], {%1, %2};" ::"l"(p), letter((R)v.x),      \
                         letter((R)v.y)                                                            \
                         : "memory");                                                              \
    }
#define EVGPU_STORE_4(name, instruction, T, type, letter, R)                                       \
    EVGPU_DEVICE void name(T *p, T v)                                                              \
    {                                                                                              \
        __asm__ volatile(instruction ".v4." type " [%0], {%1, %2, %3, %4};" ::"l"(p),              \
                         letter((R)v.x), letter((R)v.y), letter((R)v.z), letter((R)v.w)            \
                         : "memory");                                                              \
    }
#define EVGPU_STORES(name, ins)                                                                    \
    EVGPU_STORE(name, ins, char, "s8", "h", short)                                                 \
    EVGPU_STORE(name, ins, signed char, "s8", "h", short)                                          \
    EVGPU_STORE(name, ins, unsigned char, "u8", "h", unsigned short)                               \
    EVGPU_STORE(name, ins, short, "s16", "h", short)                                               \
    EVGPU_STORE(name, ins, unsigned short, "u16", "h", unsigned short)                             \
    EVGPU_STORE(name, ins, int, "s32", "r", int)                                                   \
    EVGPU_STORE(name, ins, unsigned int, "u32", "r", unsigned int)                                 \
    EVGPU_STORE(name, ins, long, "s64", "l", long long)                                            \
    EVGPU_STORE(name, ins, unsigned long, "u64", "l", unsigned long long)                          \
    EVGPU_STORE(name, ins, long long, "s64", "l", long long)                                       \
    EVGPU_STORE(name, ins, unsigned long long, "u64", "l", unsigned long long)                     \
    EVGPU_STORE(name, ins, float, "f32", "f", float)                                               \
    EVGPU_STORE(name, ins, double, "f64", "d", double)                                             \
    EVGPU_STORE_2(name, ins, char2, "s8", "h", short)                                              \
    EVGPU_STORE_2(name, ins, uchar2, "u8", "h", unsigned short)                                    \
    EVGPU_STORE_2(name, ins, short2, "s16", "h", short)                                            \
    EVGPU_STORE_2(name, ins, ushort2, "u16", "h", unsigned short)                                  \
    EVGPU_STORE_2(name, ins, int2, "s32", "r", int)                                                \
    EVGPU_STORE_2(name, ins, uint2, "u32", "r", unsigned int)                                      \
    EVGPU_STORE_2(name, ins, longlong2, "s64", "l", long long)                                     \
    EVGPU_STORE_2(name, ins, ulonglong2, "u64", "l", unsigned long long)                           \
    EVGPU_STORE_2(name, ins, float2, "f32", "f", float)                                            \
    EVGPU_STORE_2(name, ins, double2, "f64", "d", double)                                          \
    EVGPU_STORE_4(name, ins, char4, "s8", "h", short)                                              \
    EVGPU_STORE_4(name, ins, uchar4, "u8", "h", unsigned short)                                    \
    EVGPU_STORE_4(name, ins, short4, "s16", "h", short)                                            \
    EVGPU_STORE_4(name, ins, ushort4, "u16", "h", unsigned short)                                  \
    EVGPU_STORE_4(name, ins, int4, "s32", "r", int)                                                \
    EVGPU_STORE_4(name, ins, uint4, "u32", "r", unsigned int)                                      \
    EVGPU_STORE_4(name, ins, float4, "f32", "f", float)
EVGPU_STORES(__stwb, "st.global.wb")
EVGPU_STORES(__stcg, "st.global.cg")
EVGPU_STORES(__stcs, "st.global.cs")
EVGPU_STORES(__stwt, "st.global.wt")
#undef EVGPU_STORES
#undef EVGPU_STORE
#undef EVGPU_STORE_2
#undef EVGPU_STORE_4

#define EVGPU_SPACE(Name, name)                                                                    \
    EVGPU_DEVICE unsigned int __is##Name(const void *p)                                            \
    {                                                                                              \
        return __nvvm_isspacep_##name(p);                                                          \
    }
EVGPU_SPACE(Global, global)
EVGPU_SPACE(Shared, shared)
EVGPU_SPACE(Constant, const)
EVGPU_SPACE(Local, local)
#undef EVGPU_SPACE
#define EVGPU_CVTA(name)                                                                           \
    EVGPU_DEVICE size_t __cvta_generic_to_##name(const void *p)                                    \
    {                                                                                              \
        size_t at;                                                                                 \
        __asm__("cvta.to." #name ".u64 %0, %1;" : "=l"(at) : "l"(p));                              \
        return at;                                                                                 \
    }                                                                                              \
    EVGPU_DEVICE void *__cvta_##name##_to_generic(size_t at)                                       \
    {                                                                                              \
        void *p;                                                                                   \
        __asm__("cvta." #name ".u64 %0, %1;" : "=l"(p) : "l"(at));                                 \
        return p;                                                                                  \
    }
EVGPU_CVTA(global)
EVGPU_CVTA(shared)
EVGPU_CVTA(local)
#undef EVGPU_CVTA

#endif
