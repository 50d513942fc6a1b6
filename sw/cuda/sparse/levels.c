/* Levels of a triangle's rows, found on the host: a row's level is one more than the greatest of
 * those that it waits for. A launch is one wide level, or a run of narrow ones in one block. */
#include <stdlib.h>

#include "sw/cuda/sparse/sparse.h"

/* A level of so many threads or fewer is narrow: a block takes it in a few turns, which is less
 * than what a launch takes. */
#define NARROW_THREADS (4 * SPARSE_THREADS)

/* The pattern on the host. */
struct pattern {
    int *offsets, *columns;
    int rows, base;
    bool lower;
};

size_t sparse_levels_bytes(int64_t rows)
{
    return (size_t)(2 * rows + 1) * sizeof(int);
}

void sparse_levels_free(struct sparse_levels *levels)
{
    free(levels->steps);
    *levels = (struct sparse_levels){.no_diagonal = SPARSE_NO_ROW};
}

static int threads_of(int rows, int lanes)
{
    return rows > NARROW_THREADS / lanes ? NARROW_THREADS + 1 : rows * lanes;
}

dim3 sparse_step_grid(const struct sparse_step *step, int lanes)
{
    if (threads_of(step->rows, lanes) <= NARROW_THREADS)
        return (dim3){1, 1, 1};
    return sparse_over((long long)step->rows * lanes);
}

/* Is it a pattern? Also tells what the diagonal lacks and whether columns ascend. */
static bool sound(const struct pattern *p, int64_t nnz, struct sparse_levels *levels)
{
    if (p->offsets[0] != p->base || p->offsets[p->rows] - p->base != nnz)
        return false;
    for (int i = 0; i < p->rows; i++) {
        int last = -1;
        bool diagonal = false;
        if (p->offsets[i] > p->offsets[i + 1] || p->offsets[i + 1] - p->base > nnz)
            return false;
        for (int k = p->offsets[i] - p->base; k < p->offsets[i + 1] - p->base; k++) {
            int j = p->columns[k] - p->base;
            if (j < 0 || j >= p->rows)
                return false;
            levels->ascending &= j > last;
            diagonal |= j == i;
            last = j;
        }
        if (!diagonal && levels->no_diagonal == SPARSE_NO_ROW)
            levels->no_diagonal = i;
    }
    return true;
}

/* The level of each row; how many there are. */
static int find_levels(const struct pattern *p, int *level)
{
    int most = 0;
    for (int t = 0; t < p->rows; t++) {
        int i = p->lower ? t : p->rows - 1 - t, of = 0;
        for (int k = p->offsets[i] - p->base; k < p->offsets[i + 1] - p->base; k++) {
            int j = p->columns[k] - p->base;
            if (j != i && (j < i) == p->lower && level[j] >= of)
                of = level[j] + 1;
        }
        level[i] = of;
        if (of >= most)
            most = of + 1;
    }
    return most;
}

/* Sorts rows by level, in either in their own order. `starts` has a place more than levels. */
static void sort_rows(int rows, const int *level, int count, int *list, int *starts)
{
    for (int l = 0; l <= count; l++)
        starts[l] = 0;
    for (int i = 0; i < rows; i++)
        starts[level[i]]++;
    for (int l = 0, sum = 0; l <= count; l++) {
        int here = starts[l];
        starts[l] = sum;
        sum += here;
    }
    for (int i = 0; i < rows; i++)
        list[starts[level[i]]++] = i;
    for (int l = count; l > 0; l--)
        starts[l] = starts[l - 1];
    starts[0] = 0;
}

static bool find_steps(const int *starts, int count, int lanes, struct sparse_levels *levels)
{
    levels->steps = malloc(((size_t)count + 1) * sizeof *levels->steps);
    if (!levels->steps)
        return false;
    bool open = false; /* the last step takes further narrow levels */
    for (int l = 0; l < count; l++) {
        int rows = starts[l + 1] - starts[l];
        bool narrow = threads_of(rows, lanes) <= NARROW_THREADS;
        if (!(open && narrow))
            levels->steps[levels->n_steps++] = (struct sparse_step){.first = l};
        struct sparse_step *step = &levels->steps[levels->n_steps - 1];
        step->last = l + 1;
        step->rows = rows > step->rows ? rows : step->rows;
        open = narrow;
    }
    return true;
}

/* `room` is for levels_bytes and then the levels. */
static cusparseStatus_t order(cusparseHandle_t handle, const struct pattern *p, int64_t nnz,
                              int lanes, int *room, void *buffer, struct sparse_levels *levels)
{
    int *list = room, *starts = list + p->rows, *level = starts + p->rows + 1;
    SPARSE_VALID(sound(p, nnz, levels));
    int count = find_levels(p, level);
    sort_rows(p->rows, level, count, list, starts);
    SPARSE_CHECK(find_steps(starts, count, lanes, levels), CUSPARSE_STATUS_ALLOC_FAILED);
    levels->list = buffer;
    levels->starts = levels->list + p->rows;
    cudaError_t error = cudaMemcpyAsync(buffer, room, sparse_levels_bytes(p->rows),
                                        cudaMemcpyHostToDevice, handle->stream);
    SPARSE_CHECK(!error && !cudaStreamSynchronize(handle->stream),
                 CUSPARSE_STATUS_EXECUTION_FAILED);
    return CUSPARSE_STATUS_SUCCESS;
}

static bool fetch(cusparseHandle_t handle, const struct sparse_rows *rows, int64_t nnz,
                  struct pattern *p)
{
    return !cudaMemcpyAsync(p->offsets, rows->offsets, ((size_t)rows->count + 1) * sizeof(int),
                            cudaMemcpyDeviceToHost, handle->stream) &&
           (!nnz || !cudaMemcpyAsync(p->columns, rows->columns, (size_t)nnz * sizeof(int),
                                     cudaMemcpyDeviceToHost, handle->stream)) &&
           !cudaStreamSynchronize(handle->stream);
}

cusparseStatus_t sparse_levels_find(cusparseHandle_t handle, const struct sparse_rows *rows,
                                    int64_t nnz, bool lower, int lanes, void *buffer,
                                    struct sparse_levels *levels)
{
    size_t count = (size_t)rows->count;
    struct pattern p = {.offsets = malloc((count + 1) * sizeof(int)),
                        .columns = malloc(((size_t)nnz + 1) * sizeof(int)),
                        .rows = rows->count,
                        .base = rows->base,
                        .lower = lower};
    int *room = calloc(3 * count + 1, sizeof *room);
    cusparseStatus_t status = CUSPARSE_STATUS_ALLOC_FAILED;
    sparse_levels_free(levels);
    levels->ascending = true;
    if (p.offsets && p.columns && room)
        status = fetch(handle, rows, nnz, &p) ? order(handle, &p, nnz, lanes, room, buffer, levels)
                                              : CUSPARSE_STATUS_EXECUTION_FAILED;
    free(p.offsets);
    free(p.columns);
    free(room);
    return status;
}
