// Systems of three and of five diagonals: elimination with exchanges of rows, a thread for each.
#ifndef EVGPU_CUDA_SPARSE_TRIDIAGONAL_CUH
#define EVGPU_CUDA_SPARSE_TRIDIAGONAL_CUH

/* What elimination leaves of three diagonals: the multiples, whether rows were exchanged, and U's diagonals.
 * Element i of system s is at i * count + s. */
template <class T> struct tri_factors {
    T *times, *u0, *u1, *u2;
    int *exchanged;
};

template <class T> __device__ static T size_of(T x)
{
    return x < 0 ? -x : x;
}

template <class T>
__device__ static void tri_factor(const sparse_systems &s, const T *lower, const T *main, const T *upper,
                                  const tri_factors<T> &f)
{
    for (EACH(n, s.count)) {
        const long long first = n * s.next;
        T d = main[first], u = upper[first];
        for (int i = 0; i + 1 < s.size; i++) {
            const long long at = (long long)i * s.count + n, below = first + (i + 1) * s.element;
            T l = lower[below], next = main[below], after = i + 2 < s.size ? upper[below] : 0;
            bool exchange = size_of(l) > size_of(d);
            T times = exchange ? d / l : l == 0 ? 0 : l / d;
            f.exchanged[at] = exchange;
            f.times[at] = times;
            f.u0[at] = exchange ? l : d;
            f.u1[at] = exchange ? next : u;
            f.u2[at] = exchange ? after : 0;
            d = exchange ? u - times * next : next - times * u;
            u = exchange ? -times * after : after;
        }
        f.u0[(long long)(s.size - 1) * s.count + n] = d;
    }
}

/* Right side c of system n; x becomes the solution. */
template <class T>
__device__ static void tri_solve(const sparse_systems &s, const tri_factors<T> &f, int n, T *x)
{
    for (int i = 0; i + 1 < s.size; i++) {
        const long long at = (long long)i * s.count + n;
        T mine = x[i * s.element], next = x[(i + 1) * s.element];
        bool exchange = f.exchanged[at];
        x[i * s.element] = exchange ? next : mine;
        x[(i + 1) * s.element] = exchange ? mine - f.times[at] * next : next - f.times[at] * mine;
    }
    T after = 0, behind = 0;
    for (int i = s.size - 1; i >= 0; i--) {
        const long long at = (long long)i * s.count + n;
        T rest = x[i * s.element];
        if (i + 1 < s.size)
            rest -= f.u1[at] * after;
        if (i + 2 < s.size)
            rest -= f.u2[at] * behind;
        behind = after;
        x[i * s.element] = after = rest / f.u0[at];
    }
}

/* A row of five diagonals while rows are eliminated: from the column that is next on. */
template <class T> struct penta_row {
    T at[5], x;
};

template <class T>
__device__ static penta_row<T> penta_take(const sparse_systems &s, const sparse_diagonals &d, int i, long long first,
                                          const T *x)
{
    const long long at = first + i * s.element;
    penta_row<T> row = {};
    for (int k = 0; k < 5; k++)
        if (i + k >= 2 && i + k - 2 < s.size)
            row.at[k] = ((const T *)d.of[k])[at];
    row.x = x[at];
    return row;
}

template <class T> __device__ static void eliminate(const penta_row<T> &by, penta_row<T> &row)
{
    T times = row.at[0] == 0 ? 0 : row.at[0] / by.at[0];
    for (int k = 0; k < 4; k++)
        row.at[k] = row.at[k + 1] - times * by.at[k + 1];
    row.at[4] = 0;
    row.x -= times * by.x;
}

template <class T> __device__ static void exchange(bool really, penta_row<T> &a, penta_row<T> &b)
{
    penta_row<T> old = a;
    if (really) {
        a = b;
        b = old;
    }
}

/* Three rows are on the way at a time; `u` has U's five diagonals, one after the other. */
template <class T>
__device__ static void penta(const sparse_systems &s, const sparse_diagonals &d, T *u, T *x)
{
    for (EACH(n, s.count)) {
        const long long first = n * s.next, all = (long long)s.size * s.count;
        penta_row<T> rows[3] = {};
        for (int i = 0; i < 3 && i < s.size; i++) {
            rows[i] = penta_take<T>(s, d, i, first, x);
            for (int before = i; before < 2; before++) { /* columns in front of the matrix */
                for (int k = 0; k < 4; k++)
                    rows[i].at[k] = rows[i].at[k + 1];
                rows[i].at[4] = 0;
            }
        }
        for (int i = 0; i < s.size; i++) {
            exchange(size_of(rows[1].at[0]) > size_of(rows[0].at[0]), rows[0], rows[1]);
            exchange(size_of(rows[2].at[0]) > size_of(rows[0].at[0]), rows[0], rows[2]);
            eliminate(rows[0], rows[1]);
            eliminate(rows[0], rows[2]);
            for (int k = 0; k < 5; k++)
                u[k * all + (long long)i * s.count + n] = rows[0].at[k];
            x[first + i * s.element] = rows[0].x;
            rows[0] = rows[1];
            rows[1] = rows[2];
            rows[2] = i + 3 < s.size ? penta_take<T>(s, d, i + 3, first, x) : penta_row<T>{};
        }
        for (int i = s.size - 1; i >= 0; i--) {
            T rest = x[first + i * s.element];
            for (int k = 1; k < 5 && i + k < s.size; k++)
                rest -= u[k * all + (long long)i * s.count + n] * x[first + (i + k) * s.element];
            x[first + i * s.element] = rest / u[(long long)i * s.count + n];
        }
    }
}

#define TRIDIAGONAL_KERNELS(T, R)                                                                  \
    KERNEL tri_factor_##R(sparse_systems s, const T *lower, const T *main, const T *upper,         \
                          tri_factors<T> f)                                                        \
    {                                                                                              \
        tri_factor(s, lower, main, upper, f);                                                      \
    }                                                                                              \
    /* Right sides are `apart` numbers apart. */                                                   \
    KERNEL tri_solve_##R(sparse_systems s, tri_factors<T> f, int sides, long long apart, T *x)     \
    {                                                                                              \
        for (EACH(e, s.count * sides))                                                             \
            tri_solve(s, f, e % s.count, x + (e / s.count) * apart + (e % s.count) * s.next);      \
    }                                                                                              \
    KERNEL penta_##R(sparse_systems s, sparse_diagonals d, T *u, T *x)                             \
    {                                                                                              \
        penta(s, d, u, x);                                                                         \
    }
TRIDIAGONAL_KERNELS(float, s)
TRIDIAGONAL_KERNELS(double, d)

#endif
