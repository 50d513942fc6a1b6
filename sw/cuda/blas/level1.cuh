// Kernels of level 1. Numbers of type E lie in memory; T is what computes.
#ifndef EVGPU_CUDA_BLAS_LEVEL1_CUH
#define EVGPU_CUDA_BLAS_LEVEL1_CUH

#include "sw/cuda/blas/matrix.cuh"
#include "sw/cuda/library/device.h"

// --- element by element ------------------------------------------------------------------------------

template <class T, class E>
__device__ static void axpy(int n, const E *x, int incx, E *y, int incy, const factor<T> &factor)
{
    T alpha = factor.value();
    for (EACH(i, n)) {
        E &to = element(y, n, incy, i);
        to = E(alpha * T(element(x, n, incx, i)) + T(to));
    }
}

template <class T, class E>
__device__ static void scal(int n, E *x, int incx, const factor<T> &factor)
{
    T alpha = factor.value();
    for (EACH(i, n)) {
        E &at = element(x, n, incx, i);
        at = E(number<T>::times(alpha, T(at)));
    }
}

template <class T> __device__ static void copy(int n, const T *x, int incx, T *y, int incy)
{
    for (EACH(i, n))
        element(y, n, incy, i) = element(x, n, incx, i);
}

template <class T> __device__ static void swap(int n, T *x, int incx, T *y, int incy)
{
    for (EACH(i, n)) {
        T old = element(x, n, incx, i);
        element(x, n, incx, i) = element(y, n, incy, i);
        element(y, n, incy, i) = old;
    }
}

// --- rotations ---------------------------------------------------------------------------------------

/* The factors are of type E, too. */
template <class T, class E>
__device__ static void rot(int n, E *x, int incx, E *y, int incy, const factor<E> &factor_c,
                           const factor<E> &factor_s)
{
    typedef number<T> N;
    T c = T(factor_c.value()), s = T(factor_s.value());
    for (EACH(i, n)) {
        E &at_x = element(x, n, incx, i), &at_y = element(y, n, incy, i);
        T old_x = T(at_x), old_y = T(at_y);
        at_x = E(N::times(c, old_x) + N::times(s, old_y));
        at_y = E(N::times(c, old_y) - N::times(N::conjugate(s), old_x));
    }
}

/* A rotation without square roots: a flag, then h11, h21, h12, h22. */
template <class T> struct rotm_parameters {
    const T *device; /* where they are, or null: `host` */
    T host[ROTM_PARAMETERS];
};

template <class T>
__device__ static void rotm(int n, T *x, int incx, T *y, int incy, const rotm_parameters<T> &p)
{
    T h[ROTM_PARAMETERS];
    for (int i = 0; i < ROTM_PARAMETERS; i++)
        h[i] = p.device ? p.device[i] : p.host[i];
    T flag = h[0];
    if (flag == -2)
        return; /* the identity */
    T h11 = flag ? h[1] : T(1), h22 = flag ? h[4] : T(1), h21 = flag == 1 ? T(-1) : h[2], h12 = flag == 1 ? T(1) : h[3];
    for (EACH(i, n)) {
        T &at_x = element(x, n, incx, i), &at_y = element(y, n, incy, i);
        T old_x = at_x, old_y = at_y;
        at_x = h11 * old_x + h12 * old_y;
        at_y = h21 * old_x + h22 * old_y;
    }
}

/* The rotation that makes b zero: a becomes r, b what restores c and s from one number (Lawson et al.,
 * Basic Linear Algebra Subprograms for Fortran Usage, 1979). */
template <class T> __device__ static void make_rotation(T *a, T *b, T *c, T *s)
{
    T from_a = *a, from_b = *b, size_a = fabs(from_a), size_b = fabs(from_b), scale = size_a + size_b;
    if (scale == 0) {
        *c = 1;
        *s = *a = *b = 0;
        return;
    }
    T part_a = from_a / scale, part_b = from_b / scale;
    T r = copysign(scale * sqrt(part_a * part_a + part_b * part_b), size_a > size_b ? from_a : from_b);
    *c = from_a / r;
    *s = from_b / r;
    *a = r;
    *b = size_a > size_b ? *s : *c != 0 ? 1 / *c : T(1);
}

/* Of complex numbers c is real, and b stays. */
template <class R>
__device__ static void make_rotation(complex_number<R> *a, complex_number<R> *b, R *c, complex_number<R> *s)
{
    typedef complex_number<R> T;
    T from_a = *a, from_b = *b;
    R size_a = hypot(from_a.x, from_a.y);
    if (size_a == 0) {
        *c = 0;
        *s = T(1);
        *a = from_b;
        return;
    }
    R norm = hypot(size_a, (R)hypot(from_b.x, from_b.y));
    T direction = from_a * (1 / size_a);
    *c = size_a / norm;
    *s = direction * number<T>::conjugate(from_b) * (1 / norm);
    *a = direction * norm;
}

/* The parameters of rotm that make the second element of (sqrt(d1) x, sqrt(d2) y) zero; d1, d2 and x
 * change with them, and stay within 1 / 4096^2 and 4096^2 (Lawson et al., 1979). */
template <class T> struct modified {
    T d1, d2, x, flag, h11, h21, h12, h22;

    __device__ void whole() /* all four parameters count */
    {
        if (flag == 0)
            h11 = h22 = 1;
        else if (flag == 1)
            h21 = -1, h12 = 1;
        flag = -1;
    }
    __device__ void nothing()
    {
        flag = -1;
        d1 = d2 = x = h11 = h21 = h12 = h22 = 0;
    }
    __device__ void rotate(T y)
    {
        T p1 = d1 * x, p2 = d2 * y, q1 = p1 * x, q2 = p2 * y;
        if (fabs(q1) > fabs(q2)) {
            h21 = -y / x, h12 = p2 / p1;
            T u = 1 - h12 * h21;
            if (u <= 0)
                return nothing(); /* by rounding alone */
            flag = 0;
            d1 /= u, d2 /= u, x *= u;
        } else if (q2 < 0)
            nothing();
        else {
            flag = 1;
            h11 = p1 / p2, h22 = x / y;
            T u = 1 + h11 * h22, old = d1;
            d1 = d2 / u, d2 = old / u, x = y * u;
        }
    }
    /* d, whose row of the parameters is (to_x, to_y): brings it into the range. */
    __device__ T scale(T &d, T &to_x, T &to_y)
    {
        const T step = 4096;
        T by = 1;
        while (d != 0 && fabs(d) <= 1 / (step * step)) {
            whole();
            d *= step * step, to_x /= step, to_y /= step, by /= step;
        }
        while (fabs(d) >= step * step) {
            whole();
            d /= step * step, to_x *= step, to_y *= step, by *= step;
        }
        return by;
    }
};

template <class T>
__device__ static void make_modified(T *d1, T *d2, T *x, const T *y, T *parameters)
{
    modified<T> m = {*d1, *d2, *x, 0, 0, 0, 0, 0};
    if (m.d1 < 0)
        m.nothing();
    else if (m.d2 * *y == 0)
        m.flag = -2; /* the identity */
    else {
        m.rotate(*y);
        m.x *= m.scale(m.d1, m.h11, m.h12);
        m.scale(m.d2, m.h21, m.h22);
    }
    parameters[0] = m.flag;
    if (m.flag == -2)
        return;
    *d1 = m.d1;
    *d2 = m.d2;
    *x = m.x;
    if (m.flag != 0)
        parameters[1] = m.h11, parameters[4] = m.h22;
    if (m.flag != 1)
        parameters[2] = m.h21, parameters[3] = m.h12;
}

// --- reductions. Each block leaves a part; one block joins them, in an order that depends on n alone. ----

template <class T> struct sum_part {
    T sum;
    __device__ void clear() { sum = T(0); }
    __device__ void join(const sum_part &other) { sum += other.sum; }
    __device__ T result() const { return sum; }
};

/* Sums of squares in three ranges, none of which overflows or loses small squares for any n (Blue, A Portable
 * Fortran Program to Find the Euclidean Norm of a Vector, 1978). Between 1 / limit and limit the squares are those
 * of the numbers, beyond it of the numbers times or over `scale`. What is no number is in the middle. */
template <class T> struct norm_part {
    T small, middle, big;
    __device__ static constexpr T limit() { return sizeof(T) == 4 ? T(0x1p48) : T(0x1p480); }
    __device__ static constexpr T scale() { return sizeof(T) == 4 ? T(0x1p90) : T(0x1p600); }
    __device__ void clear() { small = 0, middle = 0, big = 0; }
    __device__ void add(T size)
    {
        if (size > limit())
            big += size / scale() * (size / scale());
        else if (size < 1 / limit())
            small += size * scale() * (size * scale());
        else
            middle += size * size;
    }
    __device__ void join(const norm_part &other)
    {
        small += other.small, middle += other.middle, big += other.big;
    }
    __device__ T result() const
    {
        if (big != 0)
            return sqrt(big + middle / scale() / scale()) * scale();
        if (middle != 0)
            return sqrt(middle + small / scale() / scale());
        return sqrt(small) / scale();
    }
};

/* The first position of the extreme, counted from 1; 0: none. */
template <class T, bool Most> struct extreme_part {
    T value;
    int at;
    __device__ void clear() { value = 0, at = 0; }
    __device__ void join(const extreme_part &other)
    {
        bool better = Most ? other.value > value : other.value < value;
        if (other.at && (!at || better || (other.value == value && other.at < at)))
            *this = other;
    }
    __device__ int result() const { return at; }
};

template <class P> __device__ static void join_block(P &mine, P *out)
{
    __shared__ __align__(16) unsigned char storage[REDUCE_THREADS * sizeof(P)];
    P *parts = reinterpret_cast<P *>(storage);
    parts[threadIdx.x] = mine;
    for (unsigned half = REDUCE_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            parts[threadIdx.x].join(parts[threadIdx.x + half]);
    }
    if (threadIdx.x == 0)
        *out = parts[0];
}

/* The thread's part: add(part, i) for each of its elements. It sums runs of elements, and then the runs, so that the
 * error of rounding grows with the length of a run and the number of runs, not with n. */
template <class P, class F> __device__ static P summed(int n, F add)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    P whole;
    whole.clear();
    for (long long first = blockIdx.x * blockDim.x + threadIdx.x; first < n; first += REDUCE_RUN * step) {
        P run;
        run.clear();
        const long long last = first + REDUCE_RUN * step;
        for (long long i = first; i < (last < n ? last : n); i += step)
            add(run, (int)i);
        whole.join(run);
    }
    return whole;
}

template <bool Conjugated, class T, class E>
__device__ static void dot(int n, const E *x, int incx, const E *y, int incy, sum_part<T> *parts)
{
    typedef sum_part<T> part;
    part mine = summed<part>(n, [=](part &to, int i) {
        T from_x = T(element(x, n, incx, i));
        to.sum += (Conjugated ? number<T>::conjugate(from_x) : from_x) * T(element(y, n, incy, i));
    });
    join_block(mine, parts + blockIdx.x);
}

template <class T, class E, class R>
__device__ static void asum(int n, const E *x, int incx, sum_part<R> *parts)
{
    typedef sum_part<R> part;
    part mine = summed<part>(n, [=](part &to, int i) { to.sum += number<T>::size(T(element(x, n, incx, i))); });
    join_block(mine, parts + blockIdx.x);
}

template <class T, class E, class R>
__device__ static void nrm2(int n, const E *x, int incx, norm_part<R> *parts)
{
    typedef norm_part<R> part;
    part mine = summed<part>(n, [=](part &to, int i) {
        T at = T(element(x, n, incx, i));
        to.add((R)fabs(number<T>::real_part(at)));
        if (number<T>::parts == 2)
            to.add((R)fabs(number<T>::imaginary(at)));
    });
    join_block(mine, parts + blockIdx.x);
}

template <class T, class E, class R, bool Most>
__device__ static void extreme(int n, const E *x, int incx, extreme_part<R, Most> *parts)
{
    extreme_part<R, Most> mine = {0, 0};
    for (EACH(i, n))
        mine.join({number<T>::size(T(element(x, n, incx, i))), i + 1});
    join_block(mine, parts + blockIdx.x);
}

template <class P, class R> __device__ static void finish(const P *parts, int count, R *result)
{
    __shared__ __align__(16) unsigned char storage[sizeof(P)];
    P *whole = reinterpret_cast<P *>(storage), mine;
    mine.clear();
    for (int i = threadIdx.x; i < count; i += REDUCE_THREADS)
        mine.join(parts[i]);
    join_block(mine, whole);
    if (threadIdx.x == 0)
        *result = R(whole->result());
}

#endif
