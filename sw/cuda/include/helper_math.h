/* Arithmetic of sample programs with vectors of 2 to 4 numbers, in host and device code. An
 * operator or function works on each element; a number in the place of a vector is for all
 * elements. Our own; a program's copy comes first. */
#ifndef EVGPU_CUDA_HELPER_MATH_H
#define EVGPU_CUDA_HELPER_MATH_H

#include <math.h>

#include <cuda_runtime.h>

#define EVGPU_BOTH(type) inline __host__ __device__ type

/* What CUDA's compiler gives host code, and others do not. */
#ifndef __CUDACC__
#define EVGPU_EXTREMES(T)                                                                          \
    inline T min(T a, T b)                                                                         \
    {                                                                                              \
        return a < b ? a : b;                                                                      \
    }                                                                                              \
    inline T max(T a, T b)                                                                         \
    {                                                                                              \
        return a > b ? a : b;                                                                      \
    }
EVGPU_EXTREMES(int)
EVGPU_EXTREMES(unsigned int)
#undef EVGPU_EXTREMES
inline float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}
#endif

/* --- numbers
 * -------------------------------------------------------------------------------------- */
EVGPU_BOTH(float) lerp(float a, float b, float t)
{
    return a + t * (b - a);
}
EVGPU_BOTH(float) fracf(float x)
{
    return x - floorf(x);
}
EVGPU_BOTH(float) clamp(float x, float low, float high)
{
    return fmaxf(low, fminf(x, high));
}
EVGPU_BOTH(int) clamp(int x, int low, int high)
{
    return max(low, min(x, high));
}
EVGPU_BOTH(unsigned int) clamp(unsigned int x, unsigned int low, unsigned int high)
{
    return max(low, min(x, high));
}
EVGPU_BOTH(float) smoothstep(float a, float b, float x)
{
    float t = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/* --- vectors from others: of one number, of another size, of other numbers
 * ---------------------------- */
#define EVGPU_FROM(T, S, U)                                                                        \
    EVGPU_BOTH(T##2) make_##T##2(U##2 a)                                                           \
    {                                                                                              \
        return make_##T##2((S)a.x, (S)a.y);                                                        \
    }                                                                                              \
    EVGPU_BOTH(T##3) make_##T##3(U##3 a)                                                           \
    {                                                                                              \
        return make_##T##3((S)a.x, (S)a.y, (S)a.z);                                                \
    }                                                                                              \
    EVGPU_BOTH(T##4) make_##T##4(U##4 a)                                                           \
    {                                                                                              \
        return make_##T##4((S)a.x, (S)a.y, (S)a.z, (S)a.w);                                        \
    }
#define EVGPU_SIZES(T, S)                                                                          \
    EVGPU_BOTH(T##2) make_##T##2(S s)                                                              \
    {                                                                                              \
        return make_##T##2(s, s);                                                                  \
    }                                                                                              \
    EVGPU_BOTH(T##2) make_##T##2(T##3 a)                                                           \
    {                                                                                              \
        return make_##T##2(a.x, a.y);                                                              \
    }                                                                                              \
    EVGPU_BOTH(T##3) make_##T##3(S s)                                                              \
    {                                                                                              \
        return make_##T##3(s, s, s);                                                               \
    }                                                                                              \
    EVGPU_BOTH(T##3) make_##T##3(T##2 a)                                                           \
    {                                                                                              \
        return make_##T##3(a.x, a.y, 0);                                                           \
    }                                                                                              \
    EVGPU_BOTH(T##3) make_##T##3(T##2 a, S z)                                                      \
    {                                                                                              \
        return make_##T##3(a.x, a.y, z);                                                           \
    }                                                                                              \
    EVGPU_BOTH(T##3) make_##T##3(T##4 a)                                                           \
    {                                                                                              \
        return make_##T##3(a.x, a.y, a.z);                                                         \
    }                                                                                              \
    EVGPU_BOTH(T##4) make_##T##4(S s)                                                              \
    {                                                                                              \
        return make_##T##4(s, s, s, s);                                                            \
    }                                                                                              \
    EVGPU_BOTH(T##4) make_##T##4(T##3 a)                                                           \
    {                                                                                              \
        return make_##T##4(a.x, a.y, a.z, 0);                                                      \
    }                                                                                              \
    EVGPU_BOTH(T##4) make_##T##4(T##3 a, S w)                                                      \
    {                                                                                              \
        return make_##T##4(a.x, a.y, a.z, w);                                                      \
    }
EVGPU_SIZES(float, float)
EVGPU_SIZES(int, int)
EVGPU_SIZES(uint, unsigned int)
EVGPU_FROM(float, float, int)
EVGPU_FROM(float, float, uint)
EVGPU_FROM(int, int, float)
EVGPU_FROM(int, int, uint)
EVGPU_FROM(uint, unsigned int, int)
#undef EVGPU_SIZES
#undef EVGPU_FROM

/* --- operators and functions of each element
 * ---------------------------------------------------------- */
/* The vector of what EACH says for an element and HOW. */
#define EVGPU_ALL2(T, EACH, HOW) make_##T##2(EACH(x, HOW), EACH(y, HOW))
#define EVGPU_ALL3(T, EACH, HOW) make_##T##3(EACH(x, HOW), EACH(y, HOW), EACH(z, HOW))
#define EVGPU_ALL4(T, EACH, HOW) make_##T##4(EACH(x, HOW), EACH(y, HOW), EACH(z, HOW), EACH(w, HOW))
#define EVGPU_VECTORS(e, op)     a.e op b.e
#define EVGPU_RIGHT(e, op)       a.e op b
#define EVGPU_LEFT(e, op)        a op b.e
#define EVGPU_SIGN(e, op)        op a.e
#define EVGPU_ONE(e, f)          f(a.e)
#define EVGPU_TWO(e, f)          f(a.e, b.e)
#define EVGPU_THREE(e, f)        f(a.e, b.e, c.e)
#define EVGPU_LAST(e, f)         f(a.e, b.e, c)
#define EVGPU_FIRST(e, f)        f(a.e, b, c)

#define EVGPU_OPERATOR(T, S, n, op)                                                                \
    EVGPU_BOTH(T##n) operator op(T##n a, T##n b)                                                   \
    {                                                                                              \
        return EVGPU_ALL##n(T, EVGPU_VECTORS, op);                                                 \
    }                                                                                              \
    EVGPU_BOTH(T##n) operator op(T##n a, S b)                                                      \
    {                                                                                              \
        return EVGPU_ALL##n(T, EVGPU_RIGHT, op);                                                   \
    }                                                                                              \
    EVGPU_BOTH(T##n) operator op(S a, T##n b)                                                      \
    {                                                                                              \
        return EVGPU_ALL##n(T, EVGPU_LEFT, op);                                                    \
    }                                                                                              \
    EVGPU_BOTH(T##n &) operator op##=(T##n &a, T##n b)                                             \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    EVGPU_BOTH(T##n &) operator op##=(T##n &a, S b)                                                \
    {                                                                                              \
        return a = a op b;                                                                         \
    }
#define EVGPU_NEGATIVE(T, n)                                                                       \
    EVGPU_BOTH(T##n) operator-(T##n a)                                                             \
    {                                                                                              \
        return EVGPU_ALL##n(T, EVGPU_SIGN, -);                                                     \
    }
/* `name` of one or two vectors calls `f` of each element. */
#define EVGPU_OF_ONE(T, n, name, f)                                                                \
    EVGPU_BOTH(T##n) name(T##n a)                                                                  \
    {                                                                                              \
        return EVGPU_ALL##n(T, EVGPU_ONE, f);                                                      \
    }
#define EVGPU_OF_TWO(T, n, name, f)                                                                \
    EVGPU_BOTH(T##n) name(T##n a, T##n b)                                                          \
    {                                                                                              \
        return EVGPU_ALL##n(T, EVGPU_TWO, f);                                                      \
    }
/* What all kinds of numbers have. */
#define EVGPU_ARITHMETIC(T, S, n)                                                                  \
    EVGPU_OPERATOR(T, S, n, +)                                                                     \
    EVGPU_OPERATOR(T, S, n, -)                                                                     \
    EVGPU_OPERATOR(T, S, n, *)                                                                     \
    EVGPU_BOTH(T##n) clamp(T##n a, T##n b, T##n c)                                                 \
    {                                                                                              \
        return EVGPU_ALL##n(T, EVGPU_THREE, clamp);                                                \
    }                                                                                              \
    EVGPU_BOTH(T##n) clamp(T##n a, S b, S c)                                                       \
    {                                                                                              \
        return EVGPU_ALL##n(T, EVGPU_FIRST, clamp);                                                \
    }
#define EVGPU_FLOATS(n)                                                                            \
    EVGPU_ARITHMETIC(float, float, n)                                                              \
    EVGPU_OPERATOR(float, float, n, /)                                                             \
    EVGPU_NEGATIVE(float, n)                                                                       \
    EVGPU_OF_TWO(float, n, fminf, fminf)                                                           \
    EVGPU_OF_TWO(float, n, fmaxf, fmaxf)                                                           \
    EVGPU_OF_TWO(float, n, fmodf, fmodf)                                                           \
    EVGPU_OF_ONE(float, n, floorf, floorf)                                                         \
    EVGPU_OF_ONE(float, n, fracf, fracf)                                                           \
    EVGPU_OF_ONE(float, n, fabs, fabsf)                                                            \
    EVGPU_BOTH(float##n) lerp(float##n a, float##n b, float c)                                     \
    {                                                                                              \
        return EVGPU_ALL##n(float, EVGPU_LAST, lerp);                                              \
    }                                                                                              \
    EVGPU_BOTH(float##n) smoothstep(float##n a, float##n b, float##n c)                            \
    {                                                                                              \
        return EVGPU_ALL##n(float, EVGPU_THREE, smoothstep);                                       \
    }
#define EVGPU_INTEGERS(T, S, n)                                                                    \
    EVGPU_ARITHMETIC(T, S, n)                                                                      \
    EVGPU_OF_TWO(T, n, min, min)                                                                   \
    EVGPU_OF_TWO(T, n, max, max)
#define EVGPU_SIGNED(n)                                                                            \
    EVGPU_INTEGERS(int, int, n)                                                                    \
    EVGPU_NEGATIVE(int, n)                                                                         \
    EVGPU_OF_ONE(int, n, abs, abs)
EVGPU_FLOATS(2)
EVGPU_FLOATS(3)
EVGPU_FLOATS(4)
EVGPU_SIGNED(2)
EVGPU_SIGNED(3)
EVGPU_SIGNED(4)
EVGPU_INTEGERS(uint, unsigned int, 2)
EVGPU_INTEGERS(uint, unsigned int, 3)
EVGPU_INTEGERS(uint, unsigned int, 4)

/* --- geometry
 * ----------------------------------------------------------------------------------------- */
#define EVGPU_DOT(T, S)                                                                            \
    EVGPU_BOTH(S) dot(T##2 a, T##2 b)                                                              \
    {                                                                                              \
        return a.x * b.x + a.y * b.y;                                                              \
    }                                                                                              \
    EVGPU_BOTH(S) dot(T##3 a, T##3 b)                                                              \
    {                                                                                              \
        return a.x * b.x + a.y * b.y + a.z * b.z;                                                  \
    }                                                                                              \
    EVGPU_BOTH(S) dot(T##4 a, T##4 b)                                                              \
    {                                                                                              \
        return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;                                      \
    }
EVGPU_DOT(float, float)
EVGPU_DOT(int, int)
EVGPU_DOT(uint, unsigned int)

#define EVGPU_LENGTH(n)                                                                            \
    EVGPU_BOTH(float) length(float##n v)                                                           \
    {                                                                                              \
        return sqrtf(dot(v, v));                                                                   \
    }                                                                                              \
    EVGPU_BOTH(float##n) normalize(float##n v)                                                     \
    {                                                                                              \
        return v * rsqrtf(dot(v, v));                                                              \
    }
EVGPU_LENGTH(2)
EVGPU_LENGTH(3)
EVGPU_LENGTH(4)

/* `n` has the length 1. */
EVGPU_BOTH(float3) reflect(float3 v, float3 n)
{
    return v - 2.0f * n * dot(n, v);
}
EVGPU_BOTH(float3) cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#undef EVGPU_LENGTH
#undef EVGPU_DOT
#undef EVGPU_SIGNED
#undef EVGPU_INTEGERS
#undef EVGPU_FLOATS
#undef EVGPU_ARITHMETIC
#undef EVGPU_OF_TWO
#undef EVGPU_OF_ONE
#undef EVGPU_NEGATIVE
#undef EVGPU_OPERATOR
#undef EVGPU_FIRST
#undef EVGPU_LAST
#undef EVGPU_THREE
#undef EVGPU_TWO
#undef EVGPU_ONE
#undef EVGPU_SIGN
#undef EVGPU_LEFT
#undef EVGPU_RIGHT
#undef EVGPU_VECTORS
#undef EVGPU_ALL4
#undef EVGPU_ALL3
#undef EVGPU_ALL2
#undef EVGPU_BOTH

#endif
