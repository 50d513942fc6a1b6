// The kernels of cuSPARSE. Names of those that compute end with the precision: _s or _d.
#include "sw/cuda/sparse/shape.h"
#include "sw/cuda/library/device.h"

#define WARP 32
#define ALL  0xffffffffu

// --- threads that share a row. `lanes` is a power of two up to a warp; a warp's threads stay together. -----

struct sharing {
    int lanes, lane, group, groups; /* groups of a grid's x */
    __device__ explicit sharing(int threads)
        : lanes(threads), lane(threadIdx.x % threads),
          group((blockIdx.x * blockDim.x + threadIdx.x) / threads),
          groups(gridDim.x * blockDim.x / threads)
    {
    }
    /* For all i of this warp and beyond, up to n: those from n on have no row. */
    __device__ int begin() const { return group; }
    __device__ bool more(int i, int n) const { return i - group % (WARP / lanes) < n; }
    /* The sum of the group's parts, for each of its threads. */
    template <class T> __device__ T sum(T part) const
    {
        for (int half = lanes / 2; half; half /= 2)
            part += __shfl_xor_sync(ALL, part, half);
        return part;
    }
};

template <class T>
__device__ static T value(const sparse_rows &a, const T *values, int entry)
{
    return values[a.order ? a.order[entry] : entry];
}

template <class T> __device__ static T *column(const sparse_lines &lines, int c)
{
    return (T *)lines.data + c * lines.next;
}

// --- products --------------------------------------------------------------------------------------------

template <class T>
__device__ static void multiply(const sparse_rows &a, const T *values, T alpha, const sparse_lines &x,
                                T beta, const sparse_lines &y, int columns, const sharing &s)
{
    for (int c = blockIdx.y; c < columns; c += gridDim.y) {
        const T *from = column<T>(x, c);
        T *to = column<T>(y, c);
        for (int i = s.begin(); s.more(i, a.count); i += s.groups) {
            int end = i < a.count ? a.offsets[i + 1] - a.base : 0;
            T part = 0;
            for (int k = i < a.count ? a.offsets[i] - a.base + s.lane : 0; k < end; k += s.lanes)
                part += value(a, values, k) * from[(a.columns[k] - a.base) * x.element];
            T sum = alpha * s.sum(part);
            if (i < a.count && s.lane == 0) {
                T &at = to[i * y.element];
                at = beta == 0 ? sum : sum + beta * at;
            }
        }
    }
}

// --- triangles, level by level ---------------------------------------------------------------------------

/* Row i of op(a) x = alpha b. The whole group runs it, with no row if i < 0. */
template <class T>
__device__ static void solve_row(int i, const sparse_rows &a, const T *values, bool lower, bool unit, T alpha,
                                 const T *b, long long b_element, T *x, long long x_element,
                                 const sharing &s, int *pivot)
{
    T part = 0, diagonal = 0;
    int end = i < 0 ? 0 : a.offsets[i + 1] - a.base;
    for (int k = i < 0 ? 0 : a.offsets[i] - a.base + s.lane; k < end; k += s.lanes) {
        int j = a.columns[k] - a.base;
        if (j == i)
            diagonal += unit ? 0 : value(a, values, k);
        else if ((j < i) == lower)
            part += value(a, values, k) * x[j * x_element];
    }
    T sum = s.sum(part), divisor = s.sum(diagonal);
    if (i >= 0 && s.lane == 0) {
        T rest = alpha * b[i * b_element] - sum;
        x[i * x_element] = unit ? rest : rest / divisor;
        if (pivot && !unit && divisor == 0)
            atomicMin(pivot, i);
    }
}

template <class T>
__device__ static void solve(const sparse_rows &a, const T *values, bool lower, bool unit, T alpha,
                             const sparse_lines &b, const sparse_lines &x, int columns,
                             const sparse_order &order, const sharing &s, int *pivot)
{
    for (int c = blockIdx.y; c < columns; c += gridDim.y)
        for (int l = order.first; l < order.last; l++) {
            int from = order.starts[l], n = order.starts[l + 1] - from;
            for (int at = s.begin(); s.more(at, n); at += s.groups)
                solve_row(at < n ? order.list[from + at] : -1, a, values, lower, unit, alpha, column<T>(b, c),
                          b.element, column<T>(x, c), x.element, s, pivot);
            __syncthreads();
        }
}

// --- L and U ---------------------------------------------------------------------------------------------

/* Takes times row `from` off the entries of row k to `end`, from the entry at k on, right of the diagonal.
 * Both rows' columns ascend. */
template <class T>
__device__ static void take_row(const sparse_rows &a, T *values, T times, int from, int k, int end)
{
    int other = a.offsets[from] - a.base, other_end = a.offsets[from + 1] - a.base;
    while (k < end && other < other_end) {
        int mine = a.columns[k], its = a.columns[other];
        if (mine == its)
            values[k] -= times * values[other];
        k += mine <= its;
        other += its <= mine;
    }
}

/* The entry of the diagonal; 0 if there is none. */
template <class T> __device__ static T diagonal(const sparse_rows &a, const T *values, int i)
{
    for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++)
        if (a.columns[k] - a.base == i)
            return values[k];
    return 0;
}

template <class T>
__device__ static void factor(const sparse_rows &a, T *values, const sparse_order &order, int *pivot)
{
    for (int l = order.first; l < order.last; l++) {
        int from = order.starts[l], n = order.starts[l + 1] - from;
        for (EACH(at, n)) {
            int i = order.list[from + at], end = a.offsets[i + 1] - a.base;
            for (int k = a.offsets[i] - a.base; k < end && a.columns[k] - a.base < i; k++) {
                int j = a.columns[k] - a.base;
                values[k] /= diagonal(a, values, j);
                take_row(a, values, values[k], j, k + 1, end);
            }
            if (diagonal(a, values, i) == 0)
                atomicMin(pivot, i);
        }
        __syncthreads();
    }
}

#define KERNEL extern "C" __global__ void
/* Of sparse vectors, by the type of their indices. */
#define PLACES(T, R, I, of)                                                                         \
    KERNEL gather##of##_##R(int nnz, const I *indices, int base, T *x, const T *y)                 \
    {                                                                                              \
        for (EACH(k, nnz))                                                                         \
            x[k] = y[indices[k] - base];                                                           \
    }                                                                                              \
    KERNEL scatter##of##_##R(int nnz, const I *indices, int base, const T *x, T *y)                \
    {                                                                                              \
        for (EACH(k, nnz))                                                                         \
            y[indices[k] - base] = x[k];                                                           \
    }                                                                                              \
    KERNEL add_at##of##_##R(int nnz, const I *indices, int base, const T *device, T alpha,         \
                            const T *x, T *y)                                                      \
    {                                                                                              \
        for (EACH(k, nnz))                                                                         \
            y[indices[k] - base] += scalar(device, alpha) * x[k];                                  \
    }                                                                                              \
    KERNEL rotate##of##_##R(int nnz, const I *indices, int base, const T *device_c, T c,           \
                            const T *device_s, T s, T *x, T *y)                                    \
    {                                                                                              \
        for (EACH(k, nnz)) {                                                                       \
            T *other = &y[indices[k] - base], a = x[k], b = *other;                                \
            x[k] = scalar(device_c, c) * a + scalar(device_s, s) * b;                              \
            *other = scalar(device_c, c) * b - scalar(device_s, s) * a;                            \
        }                                                                                          \
    }                                                                                              \
    /* One block: each thread sums some products, then all sum theirs. */                         \
    KERNEL dot##of##_##R(int nnz, const I *indices, int base, T *result, const T *x, const T *y)   \
    {                                                                                              \
        __shared__ T sums[SPARSE_THREADS];                                                         \
        T sum = 0;                                                                                 \
        for (int k = threadIdx.x; k < nnz; k += SPARSE_THREADS)                                    \
            sum += x[k] * y[indices[k] - base];                                                    \
        sums[threadIdx.x] = sum;                                                                   \
        for (unsigned half = SPARSE_THREADS / 2; half; half /= 2) {                                \
            __syncthreads();                                                                       \
            if (threadIdx.x < half)                                                                \
                sums[threadIdx.x] += sums[threadIdx.x + half];                                     \
        }                                                                                          \
        if (threadIdx.x == 0)                                                                      \
            *result = sums[0];                                                                     \
    }
#define KERNELS(T, R)                                                                               \
    PLACES(T, R, int, 32)                                                                          \
    PLACES(T, R, long long, 64)                                                                    \
    KERNEL scale_##R(int n, const T *device, T beta, T *y)                                         \
    {                                                                                              \
        T times = scalar(device, beta);                                                            \
        for (EACH(i, n))                                                                           \
            y[i] = times == 0 ? 0 : times * y[i];                                                  \
    }                                                                                              \
    KERNEL multiply_##R(sparse_rows a, const T *values, const T *alpha_device, T alpha,            \
                        sparse_lines x, const T *beta_device, T beta, sparse_lines y, int columns, \
                        int lanes)                                                                 \
    {                                                                                              \
        multiply(a, values, scalar(alpha_device, alpha), x, scalar(beta_device, beta), y, columns, \
                 sharing(lanes));                                                                  \
    }                                                                                              \
    KERNEL solve_##R(sparse_rows a, const T *values, int lower, int unit, const T *device,         \
                     T alpha, sparse_lines b, sparse_lines x, int columns, sparse_order order,     \
                     int lanes, int *pivot)                                                        \
    {                                                                                              \
        solve(a, values, lower, unit, scalar(device, alpha), b, x, columns, order,                 \
              sharing(lanes), pivot);                                                              \
    }                                                                                              \
    KERNEL factor_##R(sparse_rows a, T *values, sparse_order order, int *pivot)                    \
    {                                                                                              \
        factor(a, values, order, pivot);                                                           \
    }
KERNELS(float, s)
KERNELS(double, d)

// --- entries put into rows -------------------------------------------------------------------------------

KERNEL turn_count(int nnz, sparse_entries a, int *counts)
{
    for (EACH(k, nnz))
        atomicAdd(&counts[a.keys[k] - a.base], 1);
}

/* Of counts, where each ends; one past them has the end of all. One block. */
KERNEL turn_ends(int n, int *counts)
{
    __shared__ int sums[SPARSE_THREADS];
    int before = 0, t = threadIdx.x;
    for (int first = 0; first <= n; first += SPARSE_THREADS) {
        sums[t] = first + t < n ? counts[first + t] : 0;
        __syncthreads();
        for (int apart = 1; apart < SPARSE_THREADS; apart *= 2) {
            int more = t >= apart ? sums[t - apart] : 0;
            __syncthreads();
            sums[t] += more;
            __syncthreads();
        }
        if (first + t <= n)
            counts[first + t] = before + sums[t];
        before += sums[SPARSE_THREADS - 1];
        __syncthreads();
    }
}

KERNEL turn_place(int nnz, sparse_entries a, int *ends, int *order)
{
    for (EACH(k, nnz))
        order[atomicSub(&ends[a.keys[k] - a.base], 1) - 1] = k;
}

/* The part of an entry: the last that begins at or before it. */
__device__ static int part_of(const int *offsets, int count, int base, int entry)
{
    int low = 0, high = count;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (offsets[middle] - base <= entry)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__device__ static int column_of(const sparse_entries &a, int entry)
{
    return a.columns ? a.columns[entry] - a.base : part_of(a.offsets, a.count, a.base, entry);
}

/* Entries in the order of their numbers. */
struct by_number {
    __device__ bool before(int a, int b) const { return a < b; }
};

/* Entries in the order of their columns, those of one column of their numbers. */
struct by_column {
    const int *columns;
    __device__ bool before(int a, int b) const
    {
        return columns[a] < columns[b] || (columns[a] == columns[b] && a < b);
    }
};

/* Sinks the element at `i` of a heap of n. */
template <class O> __device__ static void sink(int *heap, int n, int i, const O &order)
{
    int x = heap[i];
    for (int child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && order.before(heap[child], heap[child + 1]);
        if (!order.before(x, heap[child]))
            break;
        heap[i] = heap[child];
    }
    heap[i] = x;
}

template <class O> __device__ static void sort(int *heap, int n, const O &order)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sink(heap, n, i, order);
    for (int last = n - 1; last > 0; last--) {
        int most = heap[0];
        heap[0] = heap[last];
        heap[last] = most;
        sink(heap, last, 0, order);
    }
}

/* Sorts each row's entries by their numbers, and finds their columns. */
KERNEL turn_sort(int rows, sparse_entries a, const int *offsets, int *order, int *columns)
{
    for (EACH(c, rows)) {
        int *heap = order + offsets[c], n = offsets[c + 1] - offsets[c];
        sort(heap, n, by_number());
        for (int k = 0; k < n; k++)
            columns[offsets[c] + k] = column_of(a, heap[k]);
    }
}

// --- from one format to another --------------------------------------------------------------------------

/* Where each row begins among the rows of entries, which ascend. */
KERNEL find_offsets(int nnz, const int *rows, int m, int base, int *offsets)
{
    for (EACH(i, m + 1)) {
        int low = 0, high = nnz;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (rows[middle] - base < i)
                low = middle + 1;
            else
                high = middle;
        }
        offsets[i] = low + base;
    }
}

#define FIND_ROWS(I, name)                                                                         \
    KERNEL name(int nnz, const int *offsets, int m, int base, I *rows)                             \
    {                                                                                              \
        for (EACH(k, nnz))                                                                         \
            rows[k] = part_of(offsets, m, base, k) + base;                                         \
    }
FIND_ROWS(int, find_rows)
FIND_ROWS(long long, find_rows_wide)

KERNEL narrow(int n, const long long *from, int *to)
{
    for (EACH(i, n))
        to[i] = (int)from[i];
}

KERNEL widen(int n, int base, const int *from, long long *to)
{
    for (EACH(i, n))
        to[i] = from[i] + base;
}

KERNEL rebase(int n, int base, int *indices)
{
    for (EACH(i, n))
        indices[i] += base;
}

#define REORDER(T, bytes)                                                                          \
    KERNEL reorder_##bytes(int n, const int *order, const T *from, T *to)                          \
    {                                                                                              \
        for (EACH(i, n))                                                                           \
            to[i] = from[order[i]];                                                                \
    }
REORDER(int, 4)
REORDER(long long, 8)
REORDER(int4, 16)

KERNEL identity(int n, int *order)
{
    for (EACH(i, n))
        order[i] = i;
}

/* Sorts each row's entries in `order`, which has the numbers of all. */
KERNEL sort_columns(int rows, const int *offsets, int base, const int *columns, int *order)
{
    by_column by = {columns};
    for (EACH(i, rows))
        sort(order + offsets[i] - base, offsets[i + 1] - offsets[i], by);
}

// --- dense matrices: lines are rows, or columns ------------------------------------------------------------

template <class T> __device__ static T &at_line(const sparse_lines &a, int line, int element)
{
    return ((T *)a.data)[line * a.next + element * a.element];
}

/* The sum of n numbers; one block. */
KERNEL total(int n, const int *counts, int *result)
{
    __shared__ int sums[SPARSE_THREADS];
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += SPARSE_THREADS)
        sum += counts[i];
    sums[threadIdx.x] = sum;
    for (unsigned half = SPARSE_THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            sums[threadIdx.x] += sums[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *result = sums[0];
}

/* What remains of a line's end is its begin, as in turn_place. */
#define TAKE(T, I, name)                                                                           \
    KERNEL name(sparse_lines a, int lines, int length, int base, int *ends, I *places, T *values)  \
    {                                                                                              \
        for (EACH(i, lines))                                                                       \
            for (int k = length; k-- > 0;)                                                         \
                if (at_line<T>(a, i, k) != 0) {                                                    \
                    places[--ends[i]] = k + base;                                                  \
                    values[ends[i]] = at_line<T>(a, i, k);                                         \
                }                                                                                  \
    }
#define DENSE(T, R)                                                                                \
    KERNEL count_##R(sparse_lines a, int lines, int length, int *counts)                           \
    {                                                                                              \
        for (EACH(i, lines)) {                                                                     \
            int count = 0;                                                                         \
            for (int k = 0; k < length; k++)                                                       \
                count += at_line<T>(a, i, k) != 0;                                                 \
            counts[i] = count;                                                                     \
        }                                                                                          \
    }                                                                                              \
    TAKE(T, int, take_##R)                                                                         \
    TAKE(T, long long, take_wide_##R)                                                              \
    KERNEL clear_##R(sparse_lines a, int lines, int length)                                        \
    {                                                                                              \
        for (int i = blockIdx.y; i < lines; i += gridDim.y)                                        \
            for (EACH(k, length))                                                                  \
                at_line<T>(a, i, k) = 0;                                                           \
    }                                                                                              \
    /* Lines are what `keys` name. */                                                              \
    KERNEL spread_##R(int nnz, sparse_entries from, const T *values, sparse_lines to)              \
    {                                                                                              \
        for (EACH(k, nnz))                                                                         \
            at_line<T>(to, from.keys[k] - from.base, column_of(from, k)) = values[k];              \
    }                                                                                              \
    KERNEL sample_##R(sparse_rows c, T *values, const T *alpha_device, T alpha, sparse_lines a,    \
                      sparse_lines b, const T *beta_device, T beta, int nnz, int inner, int lanes) \
    {                                                                                              \
        sample(c, values, scalar(alpha_device, alpha), a, b, scalar(beta_device, beta), nnz,       \
               inner, sharing(lanes));                                                             \
    }

/* Entries of c: alpha times a line of a times one of b, whose elements are `inner`. */
template <class T>
__device__ static void sample(const sparse_rows &c, T *values, T alpha, const sparse_lines &a,
                              const sparse_lines &b, T beta, int nnz, int inner, const sharing &s)
{
    for (int k = s.begin(); s.more(k, nnz); k += s.groups) {
        int row = k < nnz ? part_of(c.offsets, c.count, c.base, k) : 0;
        int column = k < nnz ? c.columns[k] - c.base : 0;
        T part = 0;
        for (int i = s.lane; i < inner && k < nnz; i += s.lanes)
            part += at_line<T>(a, row, i) * at_line<T>(b, column, i);
        T sum = alpha * s.sum(part);
        if (k < nnz && s.lane == 0)
            values[k] = beta == 0 ? sum : sum + beta * values[k];
    }
}
DENSE(float, s)
DENSE(double, d)

// --- products of sparse matrices: all products of elements of a row, which are sorted by their columns -------

__device__ static int begin_of(const int *ends, int row)
{
    return row ? ends[row - 1] : 0;
}

KERNEL pairs_count(sparse_rows a, sparse_rows b, int *counts)
{
    for (EACH(i, a.count)) {
        int count = 0;
        for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {
            int row = a.columns[k] - a.base;
            count += b.offsets[row + 1] - b.offsets[row];
        }
        counts[i] = count;
    }
}

/* The columns of a row's products become sorted in `order`; how many differ. */
KERNEL pairs_sort(int rows, const int *ends, const int *columns, int *order, int *counts)
{
    by_column by = {columns};
    for (EACH(i, rows)) {
        int first = begin_of(ends, i), count = 0;
        sort(order + first, ends[i] - first, by);
        for (int k = first; k < ends[i]; k++)
            count += k == first || columns[order[k]] != columns[order[k - 1]];
        counts[i] = count;
    }
}

/* Places of c's rows, from their ends. */
KERNEL pairs_offsets(int rows, const int *ends, int base, int *offsets)
{
    for (EACH(i, rows + 1))
        offsets[i] = begin_of(ends, i) + base;
}

#define PAIRS(T, R)                                                                                \
    KERNEL pairs_multiply_##R(sparse_rows a, const T *of_a, sparse_rows b, const T *of_b,          \
                              const int *ends, int *columns, int *order, T *products)              \
    {                                                                                              \
        for (EACH(i, a.count)) {                                                                   \
            int to = begin_of(ends, i);                                                            \
            for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {              \
                int row = a.columns[k] - a.base;                                                   \
                for (int j = b.offsets[row] - b.base; j < b.offsets[row + 1] - b.base; j++) {      \
                    columns[to] = b.columns[j] - b.base;                                           \
                    products[to] = of_a[k] * of_b[j];                                              \
                    order[to] = to;                                                                \
                    to++;                                                                          \
                }                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    /* Products of one column are added. */                                                        \
    KERNEL pairs_merge_##R(int rows, const int *ends, const int *columns, const int *order,        \
                           const T *products, const T *alpha_device, T alpha,                      \
                           const T *beta_device, T beta, const int *ends_of_c, int base,           \
                           int *columns_of_c, T *values)                                           \
    {                                                                                              \
        T times = scalar(alpha_device, alpha), kept = scalar(beta_device, beta);                   \
        for (EACH(i, rows)) {                                                                      \
            int to = begin_of(ends_of_c, i);                                                       \
            for (int k = begin_of(ends, i); k < ends[i]; to++) {                                   \
                int column = columns[order[k]];                                                    \
                T sum = 0;                                                                         \
                for (; k < ends[i] && columns[order[k]] == column; k++)                            \
                    sum += products[order[k]];                                                     \
                columns_of_c[to] = column + base;                                                  \
                values[to] = kept == 0 ? times * sum : times * sum + kept * values[to];            \
            }                                                                                      \
        }                                                                                          \
    }
PAIRS(float, s)
PAIRS(double, d)

#include "sw/cuda/sparse/blocked.cuh"
#include "sw/cuda/sparse/cholesky.cuh"
#include "sw/cuda/sparse/reuse.cuh"
#include "sw/cuda/sparse/tridiagonal.cuh"
