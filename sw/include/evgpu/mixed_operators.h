/* Operators of a half or bfloat16 with a number of another type, which would be ambiguous between
 * those of floats and those of halves: the half converts to float. */
#ifndef EVGPU_SW_MIXED_OPERATORS_H
#define EVGPU_SW_MIXED_OPERATORS_H

template <class T> struct evgpu_number {
};
#define EVGPU_NUMBER(T)                                                                            \
    template <> struct evgpu_number<T> {                                                           \
        typedef T type;                                                                            \
    };
EVGPU_NUMBER(float)
EVGPU_NUMBER(double)
EVGPU_NUMBER(long double)
EVGPU_NUMBER(bool)
EVGPU_NUMBER(char)
EVGPU_NUMBER(signed char)
EVGPU_NUMBER(unsigned char)
EVGPU_NUMBER(short)
EVGPU_NUMBER(unsigned short)
EVGPU_NUMBER(int)
EVGPU_NUMBER(unsigned int)
EVGPU_NUMBER(long)
EVGPU_NUMBER(unsigned long)
EVGPU_NUMBER(long long)
EVGPU_NUMBER(unsigned long long)
#undef EVGPU_NUMBER

#define EVGPU_MIXED_OPERATOR(T, sign)                                                              \
    template <class N>                                                                             \
    static inline __host__ __device__ auto operator sign(const T &a, const N &b)                   \
        ->decltype(0.0f sign typename evgpu_number<N>::type())                                     \
    {                                                                                              \
        return (float)a sign b;                                                                    \
    }                                                                                              \
    template <class N>                                                                             \
    static inline __host__ __device__ auto operator sign(const N &a, const T &b)                   \
        ->decltype(typename evgpu_number<N>::type() sign 0.0f)                                     \
    {                                                                                              \
        return a sign(float) b;                                                                    \
    }
#define EVGPU_MIXED_OPERATORS(T)                                                                   \
    EVGPU_MIXED_OPERATOR(T, +)                                                                     \
    EVGPU_MIXED_OPERATOR(T, -)                                                                     \
    EVGPU_MIXED_OPERATOR(T, *)                                                                     \
    EVGPU_MIXED_OPERATOR(T, /)                                                                     \
    EVGPU_MIXED_OPERATOR(T, ==)                                                                    \
    EVGPU_MIXED_OPERATOR(T, !=)                                                                    \
    EVGPU_MIXED_OPERATOR(T, <)                                                                     \
    EVGPU_MIXED_OPERATOR(T, <=)                                                                    \
    EVGPU_MIXED_OPERATOR(T, >)                                                                     \
    EVGPU_MIXED_OPERATOR(T, >=)

#endif
