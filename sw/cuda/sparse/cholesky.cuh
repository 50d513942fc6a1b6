// Cholesky's factor in the pattern of a matrix (csric02): its lower triangle becomes L.
#ifndef EVGPU_CUDA_SPARSE_CHOLESKY_CUH
#define EVGPU_CUDA_SPARSE_CHOLESKY_CUH

/* The sum of the products of rows i and j, left of column `end`. Both rows' columns ascend. */
template <class T>
__device__ static T common(const sparse_rows &a, const T *values, int i, int j, int end)
{
    int k = a.offsets[i] - a.base, other = a.offsets[j] - a.base;
    int k_end = a.offsets[i + 1] - a.base, other_end = a.offsets[j + 1] - a.base;
    T sum = 0;
    while (k < k_end && other < other_end) {
        int mine = a.columns[k] - a.base, its = a.columns[other] - a.base;
        if (mine >= end || its >= end)
            break;
        if (mine == its)
            sum += values[k] * values[other];
        k += mine <= its;
        other += its <= mine;
    }
    return sum;
}

template <class T>
__device__ static void cholesky(const sparse_rows &a, T *values, const sparse_order &order, int *pivot)
{
    for (int l = order.first; l < order.last; l++) {
        int from = order.starts[l], n = order.starts[l + 1] - from;
        for (EACH(at, n)) {
            int i = order.list[from + at], end = a.offsets[i + 1] - a.base;
            T square = 0;
            for (int k = a.offsets[i] - a.base; k < end && a.columns[k] - a.base <= i; k++) {
                int j = a.columns[k] - a.base;
                T rest = values[k] - common(a, values, i, j, j);
                if (j == i)
                    square = rest;
                values[k] = j == i ? sqrt(rest) : rest / diagonal(a, values, j);
            }
            if (!(square > 0))
                atomicMin(pivot, i);
        }
        __syncthreads();
    }
}

#define CHOLESKY_KERNEL(T, R)                                                                      \
    KERNEL cholesky_##R(sparse_rows a, T *values, sparse_order order, int *pivot)                  \
    {                                                                                              \
        cholesky(a, values, order, pivot);                                                         \
    }
CHOLESKY_KERNEL(float, s)
CHOLESKY_KERNEL(double, d)

#endif
