/* Solutions on the device. A band lies column by column, so far apart that it is a matrix of its
 * own, of which panels and what is beside them are parts, as of a dense one. */
#include <stdlib.h>

#include "sw/cuda/solver/sparse.h"

struct band {
    struct dense d;
    int n, below, above;    /* entries; above: of R */
    struct solver_matrix a; /* as if it were dense */
    void *memory, *tau, *b; /* b in the order of the band */
    int *places, *info;
    size_t bytes;
};

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int panel_at(const struct band *m, int k)
{
    return least(m->n - k, PANEL);
}

/* Of b from row i on, as a matrix of one column. */
static struct solver_matrix rows_of_b(const struct band *m, int i)
{
    return solver_at(&m->d, (struct solver_matrix){m->b, m->n}, i, 0);
}

static cusolverStatus_t make(struct band *m, const struct sp_system *s, const int *places,
                             bool half)
{
    size_t number = blas_bytes(m->d.precision), n = (size_t)m->n;
    int up = half ? 0 : m->above + PANEL, width = m->below + PANEL + up + 1;
    m->bytes = n * (size_t)width * number;
    SOLVER_CHECK(!cudaMalloc(&m->memory, m->bytes) && !cudaMalloc(&m->tau, n * number) &&
                     !cudaMalloc(&m->b, n * number) &&
                     !cudaMalloc((void **)&m->places, n * sizeof(int)) &&
                     !cudaMalloc((void **)&m->info, sizeof(int)),
                 CUSOLVER_STATUS_ALLOC_FAILED);
    m->a = (struct solver_matrix){solver_behind(&m->d, m->memory, (size_t)up), width - 1};
    cudaStream_t stream = m->d.handle->stream;
    SOLVER_CHECK(
        !cudaMemsetAsync(m->memory, 0, m->bytes, stream) &&
            !cudaMemcpyAsync(m->places, places, n * sizeof(int), cudaMemcpyHostToDevice, stream),
        CUSOLVER_STATUS_EXECUTION_FAILED);
    struct library_call call = solver_call(&m->d);
    int lower = half;
    library_add(&call, &s->rows);
    library_add(&call, &lower);
    library_add(&call, &m->places);
    library_add(&call, &m->a.data);
    library_add(&call, &m->a.ld);
    library_add(&call, &s->b);
    library_add(&call, &m->b);
    return solver_launch(&call, "fill_band", library_blocks(m->n, WIDE_THREADS, ~0u), WIDE_THREADS);
}

/* --- L -------------------------------------------------------------------------------------- */

static cusolverStatus_t cholesky(const struct band *m)
{
    return solver_factor_cholesky(&m->d, CUBLAS_FILL_MODE_LOWER, m->n, m->below, m->a, m->info);
}

/* b by a panel's triangle. */
static cusolverStatus_t triangle(const struct band *m, int k, bool lower, cublasOperation_t trans)
{
    struct solver_triangle t = {.side = CUBLAS_SIDE_LEFT,
                                .uplo = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER,
                                .trans = trans,
                                .diag = CUBLAS_DIAG_NON_UNIT,
                                .m = panel_at(m, k),
                                .n = 1,
                                .a = solver_at(&m->d, m->a, k, k),
                                .b = rows_of_b(m, k)};
    return solver_triangle(&m->d, &t);
}

static cusolverStatus_t by_lower(const struct band *m)
{
    int first = (m->n - 1) / PANEL * PANEL;
    for (int pass = 0; pass < 2; pass++)
        for (int k = pass ? first : 0; k >= 0 && k < m->n; k += pass ? -PANEL : PANEL) {
            int size = panel_at(m, k), next = k + size, rest = least(m->n - next, m->below);
            struct solver_product p = {.m = pass ? size : rest,
                                       .n = 1,
                                       .k = pass ? rest : size,
                                       .adjoint = pass,
                                       .a = solver_at(&m->d, m->a, next, k),
                                       .b = rows_of_b(m, pass ? next : k),
                                       .c = rows_of_b(m, pass ? k : next)};
            if (!pass)
                SOLVER_TRY(triangle(m, k, true, CUBLAS_OP_N));
            if (rest)
                SOLVER_TRY(solver_product(&m->d, &p));
            if (pass)
                SOLVER_TRY(triangle(m, k, true, CUBLAS_OP_T));
        }
    return CUSOLVER_STATUS_SUCCESS;
}

/* --- Q and R -------------------------------------------------------------------------------- */

/* b becomes Q* b. */
static cusolverStatus_t qr(const struct band *m)
{
    for (int k = 0; k < m->n; k += PANEL) {
        int size = panel_at(m, k), next = k + size, rows = least(m->n - k, size + m->below);
        void *tau = solver_behind(&m->d, m->tau, (size_t)k);
        struct solver_q q = {.adjoint = true,
                             .m = rows,
                             .n = least(m->n - next, m->above),
                             .k = size,
                             .a = solver_at(&m->d, m->a, k, k),
                             .c = solver_at(&m->d, m->a, k, next),
                             .tau = tau};
        SOLVER_TRY(solver_panel_qr(&m->d, rows, size, q.a, tau));
        SOLVER_TRY(solver_apply_q(&m->d, &q));
        q.n = 1;
        q.c = rows_of_b(m, k);
        SOLVER_TRY(solver_apply_q(&m->d, &q));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t by_upper(const struct band *m)
{
    for (int k = (m->n - 1) / PANEL * PANEL; k >= 0; k -= PANEL) {
        int size = panel_at(m, k), first = k > m->above ? k - m->above : 0;
        SOLVER_TRY(triangle(m, k, false, CUBLAS_OP_N));
        struct solver_product p = {.m = k - first,
                                   .n = 1,
                                   .k = size,
                                   .a = solver_at(&m->d, m->a, first, k),
                                   .b = rows_of_b(m, k),
                                   .c = rows_of_b(m, first)};
        if (p.m > 0)
            SOLVER_TRY(solver_product(&m->d, &p));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

/* --- together ------------------------------------------------------------------------------- */

/* The first pivot that is not larger than the tolerance, into *singularity. */
static cusolverStatus_t look(const struct band *m, const struct sp_system *s)
{
    struct library_call call = solver_call(&m->d);
    int found = m->n;
    cudaStream_t stream = m->d.handle->stream;
    if (cudaMemcpyAsync(m->info, &found, sizeof found, cudaMemcpyHostToDevice, stream))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    library_add(&call, &m->n);
    library_add(&call, &m->a.data);
    library_add(&call, &m->a.ld);
    library_add(&call, &s->tolerance);
    library_add(&call, &m->info);
    SOLVER_TRY(
        solver_launch(&call, "small_pivot", library_blocks(m->n, WIDE_THREADS, ~0u), WIDE_THREADS));
    if (cudaMemcpyAsync(&found, m->info, sizeof found, cudaMemcpyDeviceToHost, stream) ||
        cudaStreamSynchronize(stream))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    *s->singularity = found < m->n ? found : -1;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t put(const struct band *m, const struct sp_system *s)
{
    struct library_call call = solver_call(&m->d);
    library_add(&call, &m->n);
    library_add(&call, &m->places);
    library_add(&call, &m->b);
    library_add(&call, &s->x);
    SOLVER_TRY(
        solver_launch(&call, "take_places", library_blocks(m->n, WIDE_THREADS, ~0u), WIDE_THREADS));
    return cudaStreamSynchronize(m->d.handle->stream) ? CUSOLVER_STATUS_EXECUTION_FAILED
                                                      : CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t solve(struct band *m, const struct sp_system *s, const int *places,
                              bool half)
{
    SOLVER_TRY(make(m, s, places, half));
    SOLVER_TRY(half ? cholesky(m) : qr(m));
    SOLVER_TRY(look(m, s));
    if (*s->singularity >= 0)
        return CUSOLVER_STATUS_SUCCESS;
    SOLVER_TRY(half ? by_lower(m) : by_upper(m));
    return put(m, s);
}

/* The pattern, from the device; values stay there. */
static cusolverStatus_t fetch(struct sp_rows *rows, int *pattern, cudaStream_t stream)
{
    size_t offsets = (size_t)rows->n + 1;
    if (cudaMemcpyAsync(pattern, rows->offsets, offsets * sizeof(int), cudaMemcpyDeviceToHost,
                        stream) ||
        cudaMemcpyAsync(pattern + offsets, rows->columns, (size_t)rows->nnz * sizeof(int),
                        cudaMemcpyDeviceToHost, stream) ||
        cudaStreamSynchronize(stream))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    rows->offsets = pattern;
    rows->columns = pattern + offsets;
    return sp_valid(rows) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

cusolverStatus_t sp_solve_device(cusolverSpHandle_t handle, const struct sp_system *s,
                                 enum sp_method method)
{
    struct sp_rows rows = s->rows;
    bool half = method == SP_CHOLESKY;
    int *pattern = calloc((size_t)rows.n + (size_t)rows.nnz + 1, sizeof *pattern);
    SOLVER_CHECK(pattern, CUSOLVER_STATUS_ALLOC_FAILED);
    cusolverStatus_t status = fetch(&rows, pattern, handle->dense->stream);
    struct sp_band reach = {.places = NULL};
    if (!status && !(reach = sp_band_of(&rows)).places)
        status = CUSOLVER_STATUS_ALLOC_FAILED;
    int wide = reach.below > reach.above ? reach.below : reach.above;
    struct band m = {.d = {handle->dense, s->single ? LIBRARY_S : LIBRARY_D},
                     .n = rows.n,
                     .below = half ? wide : reach.below,
                     .above = reach.below + reach.above};
    if (!status)
        status = solve(&m, s, reach.places, half);
    void *const made[] = {m.memory, m.tau, m.b, m.places, m.info};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        cudaFree(made[i]);
    free(reach.places);
    free(pattern);
    return status;
}
