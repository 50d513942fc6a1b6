/* Atomic operations of CUDA C; included by evgpu_cuda.h. Each returns the old value. */
#ifndef EVGPU_SW_EVGPU_CUDA_ATOMIC_H
#define EVGPU_SW_EVGPU_CUDA_ATOMIC_H

/* Same operation on T, carried out on the builtin's type B, which has the same bits. */
#define EVGPU_ATOMIC(name, T, B, builtin)                                                          \
    EVGPU_DEVICE T name(T *address, T value)                                                       \
    {                                                                                              \
        return (T)__nvvm_atom_##builtin((B *)address, (B)value);                                   \
    }
#define EVGPU_ATOMIC_INTEGER(name, op)                                                             \
    EVGPU_ATOMIC(name, int, int, op##_gen_i)                                                       \
    EVGPU_ATOMIC(name, unsigned int, int, op##_gen_i)                                              \
    EVGPU_ATOMIC(name, long long, long long, op##_gen_ll)                                          \
    EVGPU_ATOMIC(name, unsigned long long, long long, op##_gen_ll)                                 \
    EVGPU_ATOMIC(name, long, long long, op##_gen_ll)                                               \
    EVGPU_ATOMIC(name, unsigned long, long long, op##_gen_ll)
#define EVGPU_ATOMIC_ORDERED(name, op)                                                             \
    EVGPU_ATOMIC(name, int, int, op##_gen_i)                                                       \
    EVGPU_ATOMIC(name, unsigned int, unsigned int, op##_gen_ui)                                    \
    EVGPU_ATOMIC(name, long long, long long, op##_gen_ll)                                          \
    EVGPU_ATOMIC(name, unsigned long long, unsigned long long, op##_gen_ull)                       \
    EVGPU_ATOMIC(name, long, long long, op##_gen_ll)                                               \
    EVGPU_ATOMIC(name, unsigned long, unsigned long long, op##_gen_ull)

EVGPU_ATOMIC_INTEGER(atomicAdd, add)
EVGPU_ATOMIC_INTEGER(atomicExch, xchg)
EVGPU_ATOMIC_INTEGER(atomicAnd, and)
EVGPU_ATOMIC_INTEGER(atomicOr, or)
EVGPU_ATOMIC_INTEGER(atomicXor, xor)
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
    }                                                                                              \
    EVGPU_DEVICE T atomicSub(T *address, T value)                                                  \
    {                                                                                              \
        return atomicAdd(address, (T)(0 - value));                                                 \
    }
EVGPU_ATOMIC_CAS(int, int, gen_i)
EVGPU_ATOMIC_CAS(unsigned int, int, gen_i)
EVGPU_ATOMIC_CAS(long long, long long, gen_ll)
EVGPU_ATOMIC_CAS(unsigned long long, long long, gen_ll)
EVGPU_ATOMIC_CAS(long, long long, gen_ll)
EVGPU_ATOMIC_CAS(unsigned long, long long, gen_ll)
#undef EVGPU_ATOMIC_CAS

EVGPU_DEVICE float atomicExch(float *address, float value)
{
    return __builtin_bit_cast(float, atomicExch((int *)address, __builtin_bit_cast(int, value)));
}

/* sm_35 has no atom.add.f64: a compare-and-swap loop on the bits, so that a NaN ends it too. */
EVGPU_DEVICE double atomicAdd(double *address, double value)
{
    unsigned long long *bits = (unsigned long long *)address;
    unsigned long long seen = *(volatile unsigned long long *)bits, assumed;
    do {
        assumed = seen;
        double sum = __builtin_bit_cast(double, assumed) + value;
        seen = atomicCAS(bits, assumed, __builtin_bit_cast(unsigned long long, sum));
    } while (seen != assumed);
    return __builtin_bit_cast(double, seen);
}

#endif
