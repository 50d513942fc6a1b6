/* What conversions of halves and bfloat16 have in common. */
#ifndef EVGPU_SW_ROUNDING_H
#define EVGPU_SW_ROUNDING_H

/* The sum, rounded to odd where it is not exact, so that rounding it once more to few bits gives
 * what the exact sum would: for fused multiply-add. */
static __inline__ __host__ __device__ __attribute__((unused, always_inline)) double
evgpu_odd_sum(const double a, const double b)
{
    double sum = a + b;
    const double other = sum - a, rest = (a - (sum - other)) + (b - other);
    long long bits;
    __builtin_memcpy(&bits, &sum, sizeof bits);
    if (rest == rest && rest != 0 && sum - sum == 0 && !(bits & 1)) {
        bits += (rest > 0) == (sum > 0) ? 1 : -1;
        __builtin_memcpy(&sum, &bits, sizeof sum);
    }
    return sum;
}

/* A float cut to an integer as cvt.rzi does it: numbers beyond its range are its limits, NaN is 0.
 */
template <class T>
static __inline__ __host__ __device__ __attribute__((unused, always_inline)) T evgpu_cut(float f)
{
    const bool has_sign = (T)-1 < (T)0;
    const unsigned int bits = 8 * sizeof(T) - has_sign;
    const unsigned long long most = ~0ull >> (64 - bits);
    const float above = (float)(1ull << (bits - 1)) * 2.0f;
    if (f != f)
        return (T)0;
    if (f >= above)
        return (T)most;
    if (f < (has_sign ? -above : 0.0f))
        return has_sign ? (T)(-(long long)most - 1) : (T)0;
    return (T)f;
}

#endif
