/* Single precision; included by libdevice.h. */
#ifndef EVGPU_SW_LIBDEVICE_FLOAT_H
#define EVGPU_SW_LIBDEVICE_FLOAT_H

/* --- exponentials and logarithms: like the hardware's, over ex2 and lg2 with care at the edges ---
 */

/* 2^(whole + rest), whole cut towards zero so that its power stays finite. */
EVGPU_LD float evgpu_ld_two_to(float whole, float rest)
{
    return __nvvm_ex2_approx_f(rest) * __nvvm_ex2_approx_f(whole);
}
EVGPU_LD float evgpu_ld_limit(float x, float limit) /* keeps NaN and the sign */
{
    return x > limit ? limit : x < -limit ? -limit : x;
}
EVGPU_NV float __nv_expf(float x)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_expf(x);
#else
    x = evgpu_ld_limit(x, 105.0f);
    float n = __builtin_truncf(x * 0x1.715476p+0f);
    n = n > 127.0f ? 127.0f : n;
    float r = evgpu_ld_fma(n, 0x1.05c610p-29f, evgpu_ld_fma(n, -0x1.62e430p-1f, x));
    return evgpu_ld_two_to(n, r * 0x1.715476p+0f);
#endif
}
EVGPU_NV float __nv_exp2f(float x)
{
    return __nvvm_ex2_approx_f(x);
}
EVGPU_NV float __nv_exp10f(float x)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_exp10f(x);
#else
    x = evgpu_ld_limit(x, 46.0f);
    float n = __builtin_truncf(x * 0x1.a934f0p+1f);
    n = n > 127.0f ? 127.0f : n;
    float r = evgpu_ld_fma(n, -0x1.344136p-2f, x); /* log10(2) in two parts */
    r = evgpu_ld_fma(n, 0x1.ec10c0p-27f, r);
    return evgpu_ld_two_to(n, evgpu_ld_fma(r, 0x1.a934f0p+1f, r * 0x1.2f346ep-24f));
#endif
}
EVGPU_NV float __nv_expm1f(float x)
{
    return (float)__nv_expm1((double)x);
}

/* ln(1 + f) = pair, for x = 2^*e * (1 + f), |f| <= 1/3. */
EVGPU_LD evgpu_ld_pair<float> evgpu_ld_ln_pair(float x, float *e)
{
    int shift = 0;
    if (x < 0x1p-126f) {
        x *= 0x1p23f;
        shift = -23;
    }
    int bits = __builtin_bit_cast(int, x), field = (bits - 0x3F2AAAAB) & (int)0xFF800000u;
    float f = __builtin_bit_cast(float, bits - field) - 1.0f, half = -0.5f * f;
    *e = (float)((field >> 23) + shift);
    evgpu_ld_pair<float> square = evgpu_ld_product(half, f);
    evgpu_ld_pair<float> s = evgpu_ld_sum_ordered(f, square.hi);
    s.lo += evgpu_ld_fma(f * f * f, evgpu_ld_lnf(f), square.lo);
    return s;
}
EVGPU_NV float __nv_logf(float x)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_logf(x);
#else
    float special, e;
    if (evgpu_ld_log_special(x, &special))
        return special;
    evgpu_ld_pair<float> ln = evgpu_ld_ln_pair(x, &e);
    evgpu_ld_pair<float> s = evgpu_ld_sum(e * 0x1.62e4p-1f, ln.hi); /* 15 bits of ln 2: exact */
    return s.hi + (s.lo + evgpu_ld_fma(e, 0x1.7f7d1cp-20f, ln.lo));
#endif
}
/* ln(1 + f) times c, plus e * k. */
EVGPU_LD float evgpu_ld_other_base(float x, evgpu_ld_pair<float> c, evgpu_ld_pair<float> k)
{
    float e;
    evgpu_ld_pair<float> ln = evgpu_ld_ln_pair(x, &e);
    evgpu_ld_pair<float> p = evgpu_ld_product(ln, c);
    evgpu_ld_pair<float> base = evgpu_ld_product(e, k.hi);
    evgpu_ld_pair<float> s = evgpu_ld_sum(base.hi, p.hi);
    return s.hi + (s.lo + (p.lo + evgpu_ld_fma(e, k.lo, base.lo)));
}
EVGPU_NV float __nv_log2f(float x)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_log2f(x);
#else
    float special;
    if (evgpu_ld_log_special(x, &special))
        return special;
    return evgpu_ld_other_base(x, {0x1.715476p+0f, 0x1.4ae0cp-26f}, {1.0f, 0.0f});
#endif
}
EVGPU_NV float __nv_log10f(float x)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_log10f(x);
#else
    float special;
    if (evgpu_ld_log_special(x, &special))
        return special;
    return evgpu_ld_other_base(x, {0x1.bcb7b2p-2f, -0x1.5b235ep-27f},
                               {0x1.344136p-2f, -0x1.ec10c0p-27f});
#endif
}
EVGPU_NV float __nv_log1pf(float x)
{
    return (float)__nv_log1p((double)x);
}

/* --- trigonometric ---------------------------------------------------------------------------- */

/* x = n * pi / 2 + result; *quadrant is n modulo 4. */
EVGPU_LD float evgpu_ld_reducef(float x, int *quadrant)
{
    if (__builtin_fabsf(x) > 48039.0f) {
        evgpu_ld_pair<double> r = evgpu_ld_reduce((double)x, quadrant);
        return (float)r.hi;
    }
    float n = __builtin_rintf(x * 0x1.45f306p-1f);
    float r = evgpu_ld_fma(n, -0x1.921fb6p+0f, x);
    r = evgpu_ld_fma(n, 0x1.777a5cp-25f, r);
    r = evgpu_ld_fma(n, 0x1.ee59dap-50f, r);
    *quadrant = (int)n;
    return r;
}
EVGPU_LD float evgpu_ld_quarterf(float r, int quadrant)
{
    float z = r * r;
    float v = quadrant & 1 ? evgpu_ld_fma(z * z, evgpu_ld_cosf(z), evgpu_ld_fma(z, -0.5f, 1.0f))
                           : evgpu_ld_fma(r * z, evgpu_ld_sinf(z), r);
    return quadrant & 2 ? -v : v;
}
EVGPU_NV float __nv_sinf(float x)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_sinf(x);
#else
    int n;
    if (evgpu_ld_special<evgpu_ld_float>(x))
        return evgpu_ld_nan<evgpu_ld_float>();
    float r = evgpu_ld_reducef(x, &n);
    return x == 0 ? x : evgpu_ld_quarterf(r, n);
#endif
}
EVGPU_NV float __nv_cosf(float x)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_cosf(x);
#else
    int n;
    if (evgpu_ld_special<evgpu_ld_float>(x))
        return evgpu_ld_nan<evgpu_ld_float>();
    float r = evgpu_ld_reducef(x, &n);
    return evgpu_ld_quarterf(r, n + 1);
#endif
}
EVGPU_NV void __nv_sincosf(float x, float *s, float *c)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    __nv_fast_sincosf(x, s, c);
#else
    int n = 0;
    float r = evgpu_ld_special<evgpu_ld_float>(x) ? evgpu_ld_nan<evgpu_ld_float>()
                                                  : evgpu_ld_reducef(x, &n);
    *s = x == 0 ? x : evgpu_ld_quarterf(r, n);
    *c = evgpu_ld_quarterf(r, n + 1);
#endif
}
EVGPU_NV float __nv_tanf(float x)
{
#ifdef __CLANG_CUDA_APPROX_TRANSCENDENTALS__
    return __nv_fast_tanf(x);
#else
    int n;
    if (evgpu_ld_special<evgpu_ld_float>(x))
        return evgpu_ld_nan<evgpu_ld_float>();
    float r = evgpu_ld_reducef(x, &n), s = evgpu_ld_quarterf(r, 0), c = evgpu_ld_quarterf(r, 1);
    return x == 0 ? x : n & 1 ? evgpu_ld_div(-c, s) : evgpu_ld_div(s, c);
#endif
}
EVGPU_NV void __nv_sincospif(float x, float *s, float *c)
{
    float turn = x - 2.0f * __builtin_rintf(0.5f * x), n = __builtin_rintf(2.0f * turn);
    float t = turn - 0.5f * n, r = evgpu_ld_fma(t, 0x1.921fb6p+1f, t * -0x1.777a5cp-24f);
    *s = x == __builtin_truncf(x) ? __builtin_copysignf(x - x, x) : evgpu_ld_quarterf(r, (int)n);
    *c = evgpu_ld_quarterf(r, (int)n + 1) + 0.0f;
}
EVGPU_NV float __nv_sinpif(float x)
{
    float s, c;
    __nv_sincospif(x, &s, &c);
    return s;
}
EVGPU_NV float __nv_cospif(float x)
{
    float s, c;
    __nv_sincospif(x, &s, &c);
    return c;
}
/* atan of a ratio between 0 and 1. */
EVGPU_LD float evgpu_ld_arcf(float t)
{
    float z = t * t;
    return evgpu_ld_fma(t * z, evgpu_ld_atanf(z), t);
}
EVGPU_NV float __nv_atanf(float x)
{
    float a = __builtin_fabsf(x);
    float v = a > 1.0f ? 0x1.921fb6p+0f - (evgpu_ld_arcf(evgpu_ld_div(1.0f, a)) + 0x1.777a5cp-25f)
                       : evgpu_ld_arcf(a);
    return __builtin_copysignf(v, x);
}
EVGPU_NV float __nv_atan2f(float y, float x)
{
    float ax = __builtin_fabsf(x), ay = __builtin_fabsf(y);
    if (x != x || y != y)
        return evgpu_ld_nan<evgpu_ld_float>();
    float high = ax > ay ? ax : ay, low = ax > ay ? ay : ax;
    float t = low == high ? (low == 0 ? 0.0f : 1.0f) : evgpu_ld_div(low, high);
    float v = evgpu_ld_arcf(t);
    if (ay > ax)
        v = 0x1.921fb6p+0f - (v + 0x1.777a5cp-25f);
    if (__builtin_signbit(x))
        v = 0x1.921fb6p+1f - (v + 0x1.777a5cp-24f);
    return __builtin_copysignf(v, y);
}
EVGPU_NV float __nv_asinf(float x)
{
    float a = __builtin_fabsf(x);
    if (!(a <= 1.0f))
        return evgpu_ld_nan<evgpu_ld_float>();
    float z = a < 0.5f ? a * a : 0.5f * (1.0f - a), t = a < 0.5f ? a : __nvvm_sqrt_rn_f(z);
    float v = evgpu_ld_fma(t * z, evgpu_ld_asinf(z), t);
    v = a < 0.5f ? v : evgpu_ld_fma(-2.0f, v, 0x1.921fb6p+0f - 0x1.777a5cp-25f);
    return __builtin_copysignf(v, x);
}
EVGPU_NV float __nv_acosf(float x)
{
    float a = __builtin_fabsf(x);
    if (!(a <= 1.0f))
        return evgpu_ld_nan<evgpu_ld_float>();
    float z = a < 0.5f ? a * a : 0.5f * (1.0f - a), t = a < 0.5f ? a : __nvvm_sqrt_rn_f(z);
    float v = evgpu_ld_fma(t * z, evgpu_ld_asinf(z), t);
    if (a < 0.5f)
        return 0x1.921fb6p+0f - (__builtin_copysignf(v, x) + 0x1.777a5cp-25f);
    v = 2.0f * v;
    return x > 0 ? v : 0x1.921fb6p+1f - (v + 0x1.777a5cp-24f);
}

/* --- hyperbolic, roots -------------------------------------------------------------------------
 */
EVGPU_NV float __nv_tanhf(float x)
{
    float a = __builtin_fabsf(x), z = x * x;
    if (a < 0.55f)
        return evgpu_ld_odd(x, z, evgpu_ld_tanhf(z));
    float e = __nvvm_ex2_approx_f(a * 0x1.715476p+1f);
    float v = evgpu_ld_fma(-2.0f, __nvvm_rcp_rn_f(e + 1.0f), 1.0f);
    return x != x ? x : __builtin_copysignf(v, x);
}
EVGPU_NV float __nv_cbrtf(float x)
{
    float a = __builtin_fabsf(x);
    if (!(a > 0 && a < __builtin_inff()))
        return x;
    bool small = a < 0x1p-100f; /* the residue must not underflow */
    a = small ? a * 0x1p72f : a;
    float t = __nvvm_ex2_approx_f(__nvvm_lg2_approx_f(a) * (1.0f / 3));
    evgpu_ld_pair<float> square = evgpu_ld_product(t, t);
    float rest = evgpu_ld_fma(-square.lo, t, evgpu_ld_fma(-square.hi, t, a));
    t = evgpu_ld_fma(rest, __nvvm_rcp_rn_f(3.0f * square.hi), t);
    return __builtin_copysignf(small ? t * 0x1p-24f : t, x);
}
/* Through double: not for inner loops. */
#define EVGPU_LD_WIDE(name)                                                                        \
    EVGPU_NV float __nv_##name##f(float x)                                                         \
    {                                                                                              \
        return (float)__nv_##name((double)x);                                                      \
    }
EVGPU_LD_WIDE(sinh)
EVGPU_LD_WIDE(cosh)
EVGPU_LD_WIDE(asinh)
EVGPU_LD_WIDE(acosh)
EVGPU_LD_WIDE(atanh)
EVGPU_LD_WIDE(rcbrt)

/* Squares of floats are exact in double and cannot overflow there. */
EVGPU_LD float evgpu_ld_normf(double sum, bool inverse, bool infinite)
{
    if (infinite)
        return inverse ? 0.0f : __builtin_inff();
    return (float)(inverse ? 1.0 / __nvvm_sqrt_rn_d(sum) : __nvvm_sqrt_rn_d(sum));
}
EVGPU_LD bool evgpu_ld_infinite(float a)
{
    return __builtin_fabsf(a) == __builtin_inff();
}
#define EVGPU_LD_NORMS(prefix, inverse)                                                            \
    EVGPU_NV float __nv_##prefix##hypotf(float a, float b)                                         \
    {                                                                                              \
        return evgpu_ld_normf((double)a * a + (double)b * b, inverse,                              \
                              evgpu_ld_infinite(a) || evgpu_ld_infinite(b));                       \
    }                                                                                              \
    EVGPU_NV float __nv_##prefix##norm3df(float a, float b, float c)                               \
    {                                                                                              \
        return evgpu_ld_normf((double)a * a + (double)b * b + (double)c * c, inverse,              \
                              evgpu_ld_infinite(a) || evgpu_ld_infinite(b) ||                      \
                                  evgpu_ld_infinite(c));                                           \
    }                                                                                              \
    EVGPU_NV float __nv_##prefix##norm4df(float a, float b, float c, float d)                      \
    {                                                                                              \
        return evgpu_ld_normf((double)a * a + (double)b * b + (double)c * c + (double)d * d,       \
                              inverse,                                                             \
                              evgpu_ld_infinite(a) || evgpu_ld_infinite(b) ||                      \
                                  evgpu_ld_infinite(c) || evgpu_ld_infinite(d));                   \
    }                                                                                              \
    EVGPU_NV float __nv_##prefix##normf(int n, const float *v)                                     \
    {                                                                                              \
        double sum = 0;                                                                            \
        bool infinite = false;                                                                     \
        for (int i = 0; i < n; i++) {                                                              \
            sum += (double)v[i] * v[i];                                                            \
            infinite |= evgpu_ld_infinite(v[i]);                                                   \
        }                                                                                          \
        return evgpu_ld_normf(sum, inverse, infinite);                                             \
    }
EVGPU_LD_NORMS(, false)
EVGPU_LD_NORMS(r, true)
#undef EVGPU_LD_NORMS

#endif
