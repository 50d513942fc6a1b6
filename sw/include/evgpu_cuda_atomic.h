/* Atomic operations of CUDA C; included by evgpu_cuda.h. Each returns the old value. The names with
 * _block and _system are the same operation seen by the block or by the host as well. */
#ifndef EVGPU_SW_EVGPU_CUDA_ATOMIC_H
#define EVGPU_SW_EVGPU_CUDA_ATOMIC_H

/* --- the device sees it: by builtins, which address with offsets --------------------------------
 */

/* Same operation on T, carried out on the builtin's type B, which has the same bits. */
#define EVGPU_ATOMIC(name, T, B, builtin)                                                          \
    EVGPU_DEVICE T name(T *address, T value)                                                       \
    {                                                                                              \
        return (T)__nvvm_atom_##builtin((B *)address, (B)value);                                   \
    }
#define EVGPU_ATOMIC_INTEGER(name, op)                                                             \
    EVGPU_ATOMIC(name, int, int, op##_gen_i)                                                       \
    EVGPU_ATOMIC(name, unsigned int, int, op##_gen_i)                                              \
    EVGPU_ATOMIC(name, unsigned long long, long long, op##_gen_ll)
#define EVGPU_ATOMIC_ORDERED(name, op)                                                             \
    EVGPU_ATOMIC(name, int, int, op##_gen_i)                                                       \
    EVGPU_ATOMIC(name, unsigned int, unsigned int, op##_gen_ui)                                    \
    EVGPU_ATOMIC(name, long long, long long, op##_gen_ll)                                          \
    EVGPU_ATOMIC(name, unsigned long long, unsigned long long, op##_gen_ull)

EVGPU_ATOMIC_INTEGER(atomicAdd, add)
EVGPU_ATOMIC_INTEGER(atomicExch, xchg)
EVGPU_ATOMIC_INTEGER(atomicAnd, and)
EVGPU_ATOMIC_INTEGER(atomicOr, or)
EVGPU_ATOMIC_INTEGER(atomicXor, xor)
EVGPU_ATOMIC(atomicAnd, long long, long long, and_gen_ll)
EVGPU_ATOMIC(atomicOr, long long, long long, or_gen_ll)
EVGPU_ATOMIC(atomicXor, long long, long long, xor_gen_ll)
EVGPU_ATOMIC_ORDERED(atomicMin, min)
EVGPU_ATOMIC_ORDERED(atomicMax, max)
EVGPU_ATOMIC(atomicAdd, float, float, add_gen_f)
EVGPU_ATOMIC(atomicInc, unsigned int, unsigned int, inc_gen_ui)
EVGPU_ATOMIC(atomicDec, unsigned int, unsigned int, dec_gen_ui)
#undef EVGPU_ATOMIC_INTEGER
#undef EVGPU_ATOMIC_ORDERED
#undef EVGPU_ATOMIC

#define EVGPU_ATOMIC_CAS(T, B, builtin)                                                            \
    EVGPU_DEVICE T atomicCAS(T *address, T compare, T value)                                       \
    {                                                                                              \
        return (T)__nvvm_atom_cas_##builtin((B *)address, (B)compare, (B)value);                   \
    }
EVGPU_ATOMIC_CAS(int, int, gen_i)
EVGPU_ATOMIC_CAS(unsigned int, int, gen_i)
EVGPU_ATOMIC_CAS(unsigned long long, long long, gen_ll)
#undef EVGPU_ATOMIC_CAS

EVGPU_DEVICE int atomicSub(int *address, int value)
{
    return atomicAdd(address, 0 - value);
}
EVGPU_DEVICE unsigned int atomicSub(unsigned int *address, unsigned int value)
{
    return atomicAdd(address, 0 - value);
}

EVGPU_DEVICE float atomicExch(float *address, float value)
{
    return __builtin_bit_cast(float, atomicExch((int *)address, __builtin_bit_cast(int, value)));
}

/* Types that CUDA's own functions do not take: templates, so that a program's functions of the same
 * names fit better. Bits: the type whose function computes the same. */
template <class T> struct evgpu_atomic_long {
};
template <> struct evgpu_atomic_long<long> {
    typedef long Type;
    typedef long long Bits;
};
template <> struct evgpu_atomic_long<unsigned long> {
    typedef unsigned long Type;
    typedef unsigned long long Bits;
};
template <class T> struct evgpu_atomic_add : evgpu_atomic_long<T> {
};
template <> struct evgpu_atomic_add<long long> {
    typedef long long Type;
};
template <class T> struct evgpu_atomic_sub : evgpu_atomic_add<T> {
};
template <> struct evgpu_atomic_sub<unsigned long long> {
    typedef unsigned long long Type;
};
#define EVGPU_ATOMIC_MORE(name, kind, B)                                                           \
    template <class T>                                                                             \
    EVGPU_DEVICE typename evgpu_atomic_##kind<T>::Type name(                                       \
        T *address, typename evgpu_atomic_##kind<T>::Type value)                                   \
    {                                                                                              \
        return (T)name((B *)address, (B)value);                                                    \
    }
EVGPU_ATOMIC_MORE(atomicAnd, long, unsigned long long)
EVGPU_ATOMIC_MORE(atomicOr, long, unsigned long long)
EVGPU_ATOMIC_MORE(atomicXor, long, unsigned long long)
EVGPU_ATOMIC_MORE(atomicMin, long, typename evgpu_atomic_long<T>::Bits)
EVGPU_ATOMIC_MORE(atomicMax, long, typename evgpu_atomic_long<T>::Bits)
EVGPU_ATOMIC_MORE(atomicAdd, add, unsigned long long)
EVGPU_ATOMIC_MORE(atomicExch, add, unsigned long long)
#undef EVGPU_ATOMIC_MORE
template <class T>
EVGPU_DEVICE typename evgpu_atomic_add<T>::Type
atomicCAS(T *address, typename evgpu_atomic_add<T>::Type compare,
          typename evgpu_atomic_add<T>::Type value)
{
    return (T)atomicCAS((unsigned long long *)address, (unsigned long long)compare,
                        (unsigned long long)value);
}
template <class T>
EVGPU_DEVICE typename evgpu_atomic_sub<T>::Type atomicSub(T *address,
                                                          typename evgpu_atomic_sub<T>::Type value)
{
    return (T)atomicAdd((unsigned long long *)address, 0 - (unsigned long long)value);
}

/* --- another scope -----------------------------------------------------------------------------
 */

/* On T, whose bits are in a register of the type R of constraint `letter`; generic addresses. */
#define EVGPU_ATOMIC(name, T, scope, operation, letter, R)                                         \
    EVGPU_DEVICE T name(T *address, T value)                                                       \
    {                                                                                              \
        R old;                                                                                     \
        __asm__ volatile("atom" scope "." operation " %0, [%1], %2;"                               \
                         : "=" letter(old)                                                         \
                         : "l"(address), letter((R)value)                                          \
                         : "memory");                                                              \
        return (T)old;                                                                             \
    }
#define EVGPU_ATOMIC_CAS(name, T, scope, operation, letter, R)                                     \
    EVGPU_DEVICE T name(T *address, T compare, T value)                                            \
    {                                                                                              \
        R old;                                                                                     \
        __asm__ volatile("atom" scope "." operation " %0, [%1], %2, %3;"                           \
                         : "=" letter(old)                                                         \
                         : "l"(address), letter((R)compare), letter((R)value)                      \
                         : "memory");                                                              \
        return (T)old;                                                                             \
    }
#define EVGPU_ATOMIC_BITS(T, suffix, scope, size, letter, R)                                       \
    EVGPU_ATOMIC(atomicExch##suffix, T, scope, "exch.b" size, letter, R)                           \
    EVGPU_ATOMIC(atomicAnd##suffix, T, scope, "and.b" size, letter, R)                             \
    EVGPU_ATOMIC(atomicOr##suffix, T, scope, "or.b" size, letter, R)                               \
    EVGPU_ATOMIC(atomicXor##suffix, T, scope, "xor.b" size, letter, R)                             \
    EVGPU_ATOMIC_CAS(atomicCAS##suffix, T, scope, "cas.b" size, letter, R)                         \
    EVGPU_ATOMIC(atomicAdd##suffix, T, scope, "add.u" size, letter, R)                             \
    EVGPU_DEVICE T atomicSub##suffix(T *address, T value)                                          \
    {                                                                                              \
        return atomicAdd##suffix(address, (T)(0 - value));                                         \
    }
#define EVGPU_ATOMIC_INTEGER(T, suffix, scope, sign, size, letter, R)                              \
    EVGPU_ATOMIC_BITS(T, suffix, scope, size, letter, R)                                           \
    EVGPU_ATOMIC(atomicMin##suffix, T, scope, "min." sign size, letter, R)                         \
    EVGPU_ATOMIC(atomicMax##suffix, T, scope, "max." sign size, letter, R)
#define EVGPU_ATOMICS(suffix, scope)                                                               \
    EVGPU_ATOMIC_INTEGER(int, suffix, scope, "s", "32", "r", int)                                  \
    EVGPU_ATOMIC_INTEGER(unsigned int, suffix, scope, "u", "32", "r", unsigned int)                \
    EVGPU_ATOMIC_INTEGER(long, suffix, scope, "s", "64", "l", long long)                           \
    EVGPU_ATOMIC_INTEGER(unsigned long, suffix, scope, "u", "64", "l", unsigned long long)         \
    EVGPU_ATOMIC_INTEGER(long long, suffix, scope, "s", "64", "l", long long)                      \
    EVGPU_ATOMIC_INTEGER(unsigned long long, suffix, scope, "u", "64", "l", unsigned long long)    \
    EVGPU_ATOMIC(atomicInc##suffix, unsigned int, scope, "inc.u32", "r", unsigned int)             \
    EVGPU_ATOMIC(atomicDec##suffix, unsigned int, scope, "dec.u32", "r", unsigned int)             \
    EVGPU_ATOMIC(atomicAdd##suffix, float, scope, "add.f32", "f", float)                           \
    EVGPU_ATOMIC_CAS(atomicCAS##suffix, unsigned short, scope, "cas.b16", "h", unsigned short)     \
    EVGPU_DEVICE float atomicExch##suffix(float *address, float value)                             \
    {                                                                                              \
        return __builtin_bit_cast(                                                                 \
            float, atomicExch##suffix((int *)address, __builtin_bit_cast(int, value)));            \
    }
EVGPU_ATOMIC_CAS(atomicCAS, unsigned short, "", "cas.b16", "h", unsigned short)
EVGPU_ATOMICS(_block, ".cta")
EVGPU_ATOMICS(_system, ".sys")
/* Programs for GPUs before sm_60 define the sum of doubles themselves, which must then be theirs:
 * there ours is a template, and theirs fits better. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
EVGPU_ATOMIC(atomicAdd, double, "", "add.f64", "d", double)
EVGPU_ATOMIC(atomicAdd_block, double, ".cta", "add.f64", "d", double)
EVGPU_ATOMIC(atomicAdd_system, double, ".sys", "add.f64", "d", double)
#else
template <class T> struct evgpu_if_double;
template <> struct evgpu_if_double<double> {
    typedef double Type;
};
template <class T>
EVGPU_DEVICE typename evgpu_if_double<T>::Type atomicAdd(T *address,
                                                         typename evgpu_if_double<T>::Type value)
{
    double old;
    __asm__ volatile("atom.add.f64 %0, [%1], %2;"
                     : "=d"(old)
                     : "l"(address), "d"(value)
                     : "memory");
    return old;
}
#endif
#undef EVGPU_ATOMICS
#undef EVGPU_ATOMIC_INTEGER
#undef EVGPU_ATOMIC_BITS
#undef EVGPU_ATOMIC_CAS
#undef EVGPU_ATOMIC

#endif
