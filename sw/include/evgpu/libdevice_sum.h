/* Sums and products kept in two words; included by libdevice.h. Additions and
 * products are asm, which the compiler neither merges into fma nor reorders. */
#ifndef EVGPU_SW_LIBDEVICE_SUM_H
#define EVGPU_SW_LIBDEVICE_SUM_H

#define EVGPU_LD_OPAQUE(T, name, instruction, letter)                                              \
    EVGPU_LD_SMALL T name(T a, T b)                                                                \
    {                                                                                              \
        T result;                                                                                  \
        __asm__(instruction " %0, %1, %2;" : "=" letter(result) : letter(a), letter(b));           \
        return result;                                                                             \
    }
EVGPU_LD_OPAQUE(float, evgpu_ld_add, "add.rn.f32", "f")
EVGPU_LD_OPAQUE(float, evgpu_ld_mul, "mul.rn.f32", "f")
EVGPU_LD_OPAQUE(double, evgpu_ld_add, "add.rn.f64", "d")
EVGPU_LD_OPAQUE(double, evgpu_ld_mul, "mul.rn.f64", "d")
#undef EVGPU_LD_OPAQUE
EVGPU_LD_SMALL float evgpu_ld_div(float a, float b)
{
    return __nvvm_div_rn_f(a, b);
}
EVGPU_LD_SMALL double evgpu_ld_div(double a, double b)
{
    return __nvvm_div_rn_d(a, b);
}

template <typename T>
struct evgpu_ld_pair { /* hi + lo, lo at most half a unit in hi's last place */
    T hi, lo;
};
typedef evgpu_ld_pair<double> evgpu_dd;

/* a + b for |a| >= |b|. */
template <typename T> EVGPU_LD_SMALL evgpu_ld_pair<T> evgpu_ld_sum_ordered(T a, T b)
{
    T hi = evgpu_ld_add(a, b);
    return {hi, evgpu_ld_add(b, -evgpu_ld_add(hi, -a))};
}
template <typename T> EVGPU_LD_SMALL evgpu_ld_pair<T> evgpu_ld_sum(T a, T b)
{
    T hi = evgpu_ld_add(a, b), part = evgpu_ld_add(hi, -a);
    T rest = evgpu_ld_add(a, -evgpu_ld_add(hi, -part));
    return {hi, evgpu_ld_add(rest, evgpu_ld_add(b, -part))};
}
template <typename T> EVGPU_LD_SMALL evgpu_ld_pair<T> evgpu_ld_product(T a, T b)
{
    T hi = evgpu_ld_mul(a, b);
    return {hi, evgpu_ld_fma(a, b, -hi)};
}
template <typename T>
EVGPU_LD_SMALL evgpu_ld_pair<T> evgpu_ld_product(evgpu_ld_pair<T> a, evgpu_ld_pair<T> b)
{
    evgpu_ld_pair<T> p = evgpu_ld_product(a.hi, b.hi);
    return evgpu_ld_sum_ordered(p.hi, evgpu_ld_fma(a.hi, b.lo, evgpu_ld_fma(a.lo, b.hi, p.lo)));
}
template <typename T>
EVGPU_LD_SMALL evgpu_ld_pair<T> evgpu_ld_sum(evgpu_ld_pair<T> a, evgpu_ld_pair<T> b)
{
    evgpu_ld_pair<T> s = evgpu_ld_sum(a.hi, b.hi);
    return evgpu_ld_sum_ordered(s.hi, evgpu_ld_add(s.lo, evgpu_ld_add(a.lo, b.lo)));
}
/* a / b for numbers whose product is exact enough. */
template <typename T>
EVGPU_LD_SMALL evgpu_ld_pair<T> evgpu_ld_ratio(evgpu_ld_pair<T> a, evgpu_ld_pair<T> b)
{
    T q = evgpu_ld_div(a.hi, b.hi);
    T rest = evgpu_ld_fma(-q, b.lo, evgpu_ld_add(evgpu_ld_fma(-q, b.hi, a.hi), a.lo));
    return evgpu_ld_sum_ordered(q, evgpu_ld_div(rest, b.hi));
}

/* x + x z p, which keeps the sign of zero. */
template <typename T> EVGPU_LD_SMALL T evgpu_ld_odd(T x, T z, T p)
{
    return x == 0 ? x : evgpu_ld_fma(x * z, p, x);
}

#endif
