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

/* Sinks the element at `i` of a heap of n. */
__device__ static void sink(int *heap, int n, int i)
{
    int x = heap[i];
    for (int child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && heap[child + 1] > heap[child];
        if (heap[child] <= x)
            break;
        heap[i] = heap[child];
    }
    heap[i] = x;
}

/* Sorts each row's entries by their numbers, and finds their columns. */
KERNEL turn_sort(int rows, sparse_entries a, const int *offsets, int *order, int *columns)
{
    for (EACH(c, rows)) {
        int *heap = order + offsets[c], n = offsets[c + 1] - offsets[c];
        for (int i = n / 2 - 1; i >= 0; i--)
            sink(heap, n, i);
        for (int last = n - 1; last > 0; last--) {
            int most = heap[0];
            heap[0] = heap[last];
            heap[last] = most;
            sink(heap, last, 0);
        }
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

KERNEL find_rows(int nnz, const int *offsets, int m, int base, int *rows)
{
    for (EACH(k, nnz))
        rows[k] = part_of(offsets, m, base, k) + base;
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
