// Columns that rotations make orthogonal, pair by pair (Hestenes, 1958): singular values, and the eigenvalues of
// a positive matrix.
#ifndef EVGPU_CUDA_SOLVER_JACOBI_CUH
#define EVGPU_CUDA_SOLVER_JACOBI_CUH

#include "sw/cuda/blas/factors.cuh"
#include "sw/cuda/library/device.h"
#include "sw/cuda/solver/shape.h"

/* w of m rows and n columns, one after the other, and v of n x n, or null, whose columns take the same turns. A pair
 * is orthogonal whose product is at most `tolerance` times its lengths, or rounding. The number of sweeps, of which
 * there are at most `sweeps`, goes to `swept`, or null. */
template <class T> struct orthogonal {
    T *w, *v;
    int m, n;
    double tolerance;
    int *swept;
    int sweeps;
};

template <class R> __device__ static R epsilon_of()
{
    return sizeof(R) == 4 ? R(0x1p-24) : R(0x1p-53);
}

/* x becomes c x - s y, y s x + c y, of a warp. */
template <class T>
__device__ static void turn(int n, T *x, T *y, T phase, typename number<T>::real c, typename number<T>::real s)
{
    for (int i = threadIdx.x % WARP; i < n; i += WARP) {
        T a = x[i], b = phase * y[i];
        x[i] = a * c - b * s;
        y[i] = a * s + b * c;
    }
}

/* A warp makes columns x and y orthogonal; false: they were. */
template <class T> __device__ static bool rotate(const orthogonal<T> &o, int x, int y)
{
    typedef typename number<T>::real R;
    T *a = o.w + (long long)x * o.m, *b = o.w + (long long)y * o.m, mixed = T(0);
    double aa = 0, bb = 0;
    for (int i = threadIdx.x % WARP; i < o.m; i += WARP) {
        aa += number<T>::square(a[i]);
        bb += number<T>::square(b[i]);
        mixed = mixed + number<T>::conjugate(a[i]) * b[i];
    }
    aa = warp_sum(aa);
    bb = warp_sum(bb);
    mixed = warp_sum(mixed);
    double size = sqrt(number<T>::square(mixed)), rounding = sqrt((double)o.m) * epsilon_of<R>();
    if (!(size > fmax(rounding, o.tolerance) * sqrt(aa) * sqrt(bb)))
        return false;
    double zeta = (bb - aa) / (2 * size), t = 1 / (fabs(zeta) + sqrt(1 + zeta * zeta));
    t = zeta < 0 ? -t : t;
    double c = 1 / sqrt(1 + t * t);
    T phase = number<T>::conjugate(mixed) * R(1 / size);
    turn(o.m, a, b, phase, R(c), R(c * t));
    if (o.v)
        turn(o.n, o.v + (long long)x * o.n, o.v + (long long)y * o.n, phase, R(c), R(c * t));
    return true;
}

/* Pair number `pair` of a round: in as many rounds as there are columns, less 1, each meets each other. */
template <class T> __device__ static bool meet(const orthogonal<T> &o, int round, int pair)
{
    int others = (o.n + 1) / 2 * 2 - 1; /* an odd number of columns has one that pauses */
    int x = pair ? (round + pair) % others : others, y = (round - pair + others) % others;
    if (x >= o.n || y >= o.n)
        return false;
    return x < y ? rotate(o, x, y) : rotate(o, y, x);
}

/* One round, of many blocks; `turned` becomes 1 where a pair was not orthogonal. */
template <class T> __device__ static void jacobi_round(orthogonal<T> o, int round, int *turned)
{
    int pair = blockIdx.x * (blockDim.x / WARP) + threadIdx.x / WARP;
    if (pair < (o.n + 1) / 2 && meet(o, round, pair) && threadIdx.x % WARP == 0)
        *turned = 1;
}

/* All of them, of one block: at the end `turned` is 1 where some pair is not orthogonal yet. */
template <class T> __device__ static void jacobi_alone(orthogonal<T> o, int *turned)
{
    int again = 1, rounds = (o.n + 1) / 2 * 2 - 1, sweep = 0;
    for (; sweep < o.sweeps && again; sweep++) {
        bool mine = false;
        for (int round = 0; round < rounds; round++) {
            for (int pair = threadIdx.x / WARP; pair < (o.n + 1) / 2; pair += JACOBI_THREADS / WARP)
                mine |= meet(o, round, pair);
            __syncthreads();
        }
        again = __syncthreads_or(mine);
    }
    if (threadIdx.x == 0) {
        *turned = again;
        if (o.swept)
            *o.swept = sweep;
    }
}

/* The lengths of columns, less `shift`. */
template <class T, class V> __device__ static void lengths(int m, int n, const T *w, const V *shift, V *out)
{
    int column = blockIdx.x * WARPS + threadIdx.x / WARP;
    if (column >= n)
        return;
    double sum = 0;
    for (int i = threadIdx.x % WARP; i < m; i += WARP)
        sum += number<T>::square(w[column * (long long)m + i]);
    sum = warp_sum(sum);
    if (threadIdx.x % WARP == 0)
        out[column] = V(sqrt(sum) - (shift ? *shift : 0));
}

/* Columns in the order of their keys, `up` (1) or down (0), or in that in which they are (-1); equal ones stay in
 * theirs. A warp carries one. */
template <class T, class V>
__device__ static void arrange(int m, int n, int up, const V *key, const T *from, V *sorted, T *to, int ld_to)
{
    int column = blockIdx.x * WARPS + threadIdx.x / WARP, before = 0;
    if (column >= n)
        return;
    V mine = key[column];
    for (int i = threadIdx.x % WARP; i < n && up >= 0; i += WARP)
        before += (up ? key[i] < mine : key[i] > mine) || (key[i] == mine && i < column);
    before = up < 0 ? column : warp_sum(before);
    if (sorted && threadIdx.x % WARP == 0)
        sorted[before] = mine;
    for (int i = threadIdx.x % WARP; to && i < m; i += WARP)
        to[i + (long long)before * ld_to] = from[i + (long long)column * m];
}

/* A number that no eigenvalue of a Hermitian matrix reaches, by half: the sum of the magnitudes in the row where
 * it is greatest, and again a half. One block. */
template <class T, class V> __device__ static void bound(int upper, int n, const T *a, int lda, V *out)
{
    __shared__ double most[LU_THREADS];
    double mine = 0;
    for (int i = threadIdx.x; i < n; i += LU_THREADS) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += sqrt(number<T>::square((i >= j) != (upper != 0) || i == j ? a[i + (long long)j * lda] : a[j + (long long)i * lda]));
        mine = sum > mine ? sum : mine;
    }
    most[threadIdx.x] = mine;
    __syncthreads();
    for (int i = 0; i < LU_THREADS; i++)
        mine = most[i] > mine ? most[i] : mine;
    if (threadIdx.x == 0)
        *out = V(1.5 * mine);
}

/* A Hermitian matrix, of which a triangle is stored, as a whole, with `shift` (null: 0) on its diagonal. */
template <class T, class V>
__device__ static void shifted(int upper, int n, const T *a, int lda, const V *shift, T *to)
{
    for (EACH(e, n * n)) {
        int i = e % n, j = e / n;
        if (i == j)
            to[e] = T(number<T>::real_part(a[i + (long long)j * lda]) + (shift ? *shift : V(0)));
        else if ((i > j) != (upper != 0))
            to[e] = a[i + (long long)j * lda];
        else
            to[e] = number<T>::conjugate(a[j + (long long)i * lda]);
    }
}

/* The adjoint of v, whose row j has the sign of diagonal element j of r: its column was turned around there. */
template <class T> __device__ static void adjoint(int n, const T *v, const T *r, T *to, int ld_to)
{
    for (EACH(e, n * n)) {
        int i = e % n, j = e / n;
        T x = number<T>::conjugate(v[j + (long long)i * n]);
        to[i + (long long)j * ld_to] = number<T>::real_part(r[i + (long long)i * n]) < 0 ? T(0) - x : x;
    }
}

#define JACOBI_KERNELS(T, V, R)                                                                    \
    KERNEL jacobi_round_##R(orthogonal<T> o, int round, int *turned)                               \
    {                                                                                              \
        jacobi_round(o, round, turned);                                                            \
    }                                                                                              \
    KERNEL jacobi_alone_##R(orthogonal<T> o, int *turned)                                          \
    {                                                                                              \
        jacobi_alone(o, turned);                                                                   \
    }                                                                                              \
    KERNEL lengths_##R(int m, int n, const T *w, const V *shift, V *out)                           \
    {                                                                                              \
        lengths(m, n, w, shift, out);                                                              \
    }                                                                                              \
    KERNEL arrange_##R(int m, int n, int up, const V *key, const T *from, V *sorted, T *to,        \
                       int ld_to)                                                                  \
    {                                                                                              \
        arrange(m, n, up, key, from, sorted, to, ld_to);                                           \
    }                                                                                              \
    KERNEL bound_##R(int upper, int n, const T *a, int lda, V *out)                                \
    {                                                                                              \
        bound(upper, n, a, lda, out);                                                              \
    }                                                                                              \
    KERNEL shifted_##R(int upper, int n, const T *a, int lda, const V *shift, T *to)               \
    {                                                                                              \
        shifted(upper, n, a, lda, shift, to);                                                      \
    }                                                                                              \
    KERNEL adjoint_##R(int n, const T *v, const T *r, T *to, int ld_to)                            \
    {                                                                                              \
        adjoint(n, v, r, to, ld_to);                                                               \
    }

#endif
