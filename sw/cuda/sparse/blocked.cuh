// Matrices in blocks and slices. Each kernel asks where the stored elements of a row are.
#include <cuda_fp16.h>

struct stored_place {
    int column; /* negative: padding */
    long long at;
};

__device__ static int stored_in_row(const sparse_blocks &a, int i)
{
    if (a.form == SPARSE_ELL)
        return a.stored;
    int group = i / a.height, size = a.offsets[group + 1] - a.offsets[group];
    return a.form == SPARSE_SLICES ? size / a.height : size * a.width;
}

/* Element k of those that are stored of row i. */
__device__ static stored_place stored_at(const sparse_blocks &a, int i, int k)
{
    int group = i / a.height, in = i % a.height;
    if (a.form == SPARSE_SLICES) {
        int at = a.offsets[group] - a.base + k * a.height + in;
        return {a.columns[at] - a.base, at};
    }
    int block = k / a.width, j = k % a.width;
    if (a.form == SPARSE_ELL) {
        int column = a.columns[group * (a.stored / a.width) + block] - a.base;
        return {column < 0 ? -1 : column * a.width + j, (long long)i * a.stored + k};
    }
    block += a.offsets[group] - a.base;
    return {(a.columns[block] - a.base) * a.width + j,
            (long long)block * a.height * a.width + (a.by_columns ? j * a.height + in : in * a.width + j)};
}

/* S: the type of sums. */
template <class T, class S>
__device__ static void multiply_blocks(const sparse_blocks &a, const T *values, S alpha, const sparse_lines &x,
                                       S beta, const sparse_lines &y, int columns, const sharing &s)
{
    for (int c = blockIdx.y; c < columns; c += gridDim.y) {
        const T *from = column<T>(x, c);
        T *to = column<T>(y, c);
        for (int i = s.begin(); s.more(i, a.rows); i += s.groups) {
            int count = i < a.rows ? stored_in_row(a, i) : 0;
            S part = 0;
            for (int k = s.lane; k < count; k += s.lanes) {
                stored_place p = stored_at(a, i, k);
                if (p.column >= 0)
                    part += (S)values[p.at] * (S)from[p.column * x.element];
            }
            S sum = alpha * s.sum(part);
            if (i < a.rows && s.lane == 0) {
                T &at = to[i * y.element];
                at = beta == 0 ? sum : sum + beta * (S)at;
            }
        }
    }
}

/* Elements of blocks: alpha times a line of a times one of b, whose elements are `inner`. */
template <class T>
__device__ static void sample_blocks(const sparse_blocks &c, T *values, T alpha, const sparse_lines &a,
                                     const sparse_lines &b, T beta, int count, int inner, const sharing &s)
{
    int size = c.height * c.width;
    for (int k = s.begin(); s.more(k, count); k += s.groups) {
        int row = 0, column = 0;
        if (k < count) {
            int block = k / size, in = k % size;
            row = c.by_columns ? in % c.height : in / c.width;
            column = (c.columns[block] - c.base) * c.width + (c.by_columns ? in / c.height : in % c.width);
            row += part_of(c.offsets, c.rows / c.height, c.base, block) * c.height;
        }
        T part = 0;
        for (int i = s.lane; i < inner && k < count; i += s.lanes)
            part += at_line<T>(a, row, i) * at_line<T>(b, column, i);
        T sum = alpha * s.sum(part);
        if (k < count && s.lane == 0)
            values[k] = beta == 0 ? sum : sum + beta * values[k];
    }
}

KERNEL count_stored(sparse_blocks a, int *counts)
{
    for (EACH(i, a.rows)) {
        int count = 0;
        for (int k = 0; k < stored_in_row(a, i); k++)
            count += stored_at(a, i, k).column >= 0;
        counts[i] = count;
    }
}

KERNEL list_stored(sparse_blocks a, const int *offsets, int *columns, int *order)
{
    for (EACH(i, a.rows)) {
        int to = offsets[i];
        for (int k = 0; k < stored_in_row(a, i); k++) {
            stored_place p = stored_at(a, i, k);
            if (p.column < 0)
                continue;
            columns[to] = p.column;
            order[to++] = (int)p.at;
        }
    }
}

#define MULTIPLY_BLOCKS(T, S, R)                                                                    \
    KERNEL multiply_blocks_##R(sparse_blocks a, const T *values, const S *alpha_device, S alpha,   \
                               sparse_lines x, const S *beta_device, S beta, sparse_lines y,       \
                               int columns, int lanes)                                             \
    {                                                                                              \
        multiply_blocks(a, values, scalar(alpha_device, alpha), x, scalar(beta_device, beta), y,   \
                        columns, sharing(lanes));                                                  \
    }
MULTIPLY_BLOCKS(float, float, s)
MULTIPLY_BLOCKS(double, double, d)
MULTIPLY_BLOCKS(__half, float, h)

#define BLOCKS(T, R)                                                                                \
    KERNEL sample_blocks_##R(sparse_blocks c, T *values, const T *alpha_device, T alpha,           \
                             sparse_lines a, sparse_lines b, const T *beta_device, T beta,         \
                             int count, int inner, int lanes)                                      \
    {                                                                                              \
        sample_blocks(c, values, scalar(alpha_device, alpha), a, b, scalar(beta_device, beta),     \
                      count, inner, sharing(lanes));                                               \
    }                                                                                              \
    /* Of a dense matrix' rows what lies in the blocks. */                                         \
    KERNEL take_blocks_##R(int count, sparse_lines from, sparse_blocks a, T *values)               \
    {                                                                                              \
        for (EACH(k, count)) {                                                                     \
            int i = k / a.stored;                                                                  \
            stored_place p = stored_at(a, i, k % a.stored);                                        \
            values[p.at] = p.column < 0 ? 0 : at_line<T>(from, i, p.column);                       \
        }                                                                                          \
    }
BLOCKS(float, s)
BLOCKS(double, d)
