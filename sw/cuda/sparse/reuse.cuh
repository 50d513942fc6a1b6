// Products of sparse matrices whose patterns stay (spgemm_reuse.c).
#ifndef EVGPU_CUDA_SPARSE_REUSE_CUH
#define EVGPU_CUDA_SPARSE_REUSE_CUH

/* Of each product its column and its number, or the entries of a and b that it is of; the others are null. */
KERNEL pairs_find(sparse_rows a, sparse_rows b, const int *ends, int *columns, int *order, int *left, int *right)
{
    for (EACH(i, a.count)) {
        int to = begin_of(ends, i);
        for (int k = a.offsets[i] - a.base; k < a.offsets[i + 1] - a.base; k++) {
            int row = a.columns[k] - a.base;
            for (int j = b.offsets[row] - b.base; j < b.offsets[row + 1] - b.base; j++, to++) {
                if (columns) {
                    columns[to] = b.columns[j] - b.base;
                    order[to] = to;
                } else {
                    left[to] = k;
                    right[to] = j;
                }
            }
        }
    }
}

KERNEL pairs_columns(int rows, const int *ends, const int *columns, const int *order, const int *ends_of_c, int base,
                     int *columns_of_c)
{
    for (EACH(i, rows)) {
        int to = begin_of(ends_of_c, i), first = begin_of(ends, i);
        for (int k = first; k < ends[i]; k++)
            if (k == first || columns[order[k]] != columns[order[k - 1]])
                columns_of_c[to++] = columns[order[k]] + base;
    }
}

#define PAIRS_AGAIN(T, R)                                                                          \
    KERNEL pairs_again_##R(int rows, const int *ends, const int *columns, const int *order,        \
                           const int *left, const int *right, const T *of_a, const T *of_b,        \
                           const T *alpha_device, T alpha, const T *beta_device, T beta,           \
                           const int *ends_of_c, T *values)                                        \
    {                                                                                              \
        T times = scalar(alpha_device, alpha), kept = scalar(beta_device, beta);                   \
        for (EACH(i, rows)) {                                                                      \
            int to = begin_of(ends_of_c, i);                                                       \
            for (int k = begin_of(ends, i); k < ends[i]; to++) {                                   \
                int column = columns[order[k]];                                                    \
                T sum = 0;                                                                         \
                for (; k < ends[i] && columns[order[k]] == column; k++)                            \
                    sum += of_a[left[order[k]]] * of_b[right[order[k]]];                           \
                values[to] = kept == 0 ? times * sum : times * sum + kept * values[to];            \
            }                                                                                      \
        }                                                                                          \
    }
PAIRS_AGAIN(float, s)
PAIRS_AGAIN(double, d)

#endif
