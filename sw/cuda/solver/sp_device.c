/* Bands on the device. A band lies column by column, so far apart that it is a matrix of its own,
 * of which panels and what is beside them are parts, as of a dense one. */
#include <stdlib.h>

#include "sw/cuda/solver/sparse.h"

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int panel_at(const struct sp_device *m, int k)
{
    return least(m->n - k, PANEL);
}

/* Of b from row i on, as a matrix of one column. */
static struct solver_matrix rows_of_b(const struct sp_device *m, int i)
{
    return solver_at(&m->d, (struct solver_matrix){m->b, m->n}, i, 0);
}

cusolverStatus_t sp_device_make(struct sp_device *m, const struct sp_rows *rows,
                                enum sp_method method, struct dense d)
{
    struct sp_band reach = sp_band_of(rows);
    bool half = method == SP_CHOLESKY;
    size_t number = blas_bytes(d.precision), n = (size_t)rows->n;
    int wide = reach.below > reach.above ? reach.below : reach.above;
    *m = (struct sp_device){.d = d,
                            .method = method,
                            .n = rows->n,
                            .below = half ? wide : reach.below,
                            .above = reach.below + reach.above};
    SOLVER_CHECK(reach.places, CUSOLVER_STATUS_ALLOC_FAILED);
    int up = half ? 0 : m->above + PANEL, width = m->below + PANEL + up + 1;
    m->bytes = n * (size_t)width * number;
    bool made = !cudaMalloc(&m->memory, m->bytes) && !cudaMalloc(&m->tau, n * number) &&
                !cudaMalloc(&m->b, n * number) &&
                !cudaMalloc((void **)&m->places, n * sizeof(int)) &&
                !cudaMalloc((void **)&m->info, sizeof(int));
    bool copied =
        made && !cudaMemcpy(m->places, reach.places, n * sizeof(int), cudaMemcpyHostToDevice);
    m->a = (struct solver_matrix){solver_behind(&m->d, m->memory, (size_t)up), width - 1};
    free(reach.places);
    return copied ? CUSOLVER_STATUS_SUCCESS
           : made ? CUSOLVER_STATUS_EXECUTION_FAILED
                  : CUSOLVER_STATUS_ALLOC_FAILED;
}

void sp_device_free(struct sp_device *m)
{
    void *const made[] = {m->memory, m->tau, m->b, m->places, m->info};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        cudaFree(made[i]);
}

static cusolverStatus_t fill(const struct sp_device *m, const struct sp_rows *rows)
{
    struct library_call call = solver_call(&m->d);
    int lower = m->method == SP_CHOLESKY;
    SOLVER_CHECK(!cudaMemsetAsync(m->memory, 0, m->bytes, m->d.handle->stream),
                 CUSOLVER_STATUS_EXECUTION_FAILED);
    library_add(&call, rows);
    library_add(&call, &lower);
    library_add(&call, &m->places);
    library_add(&call, &m->a.data);
    library_add(&call, &m->a.ld);
    return solver_launch(&call, "fill_band", library_blocks(m->n, WIDE_THREADS, ~0u), WIDE_THREADS);
}

/* --- L -------------------------------------------------------------------------------------- */

static cusolverStatus_t cholesky(const struct sp_device *m)
{
    return solver_factor_cholesky(&m->d, CUBLAS_FILL_MODE_LOWER, m->n, m->below, m->a, m->info);
}

/* b by a panel's triangle. */
static cusolverStatus_t triangle(const struct sp_device *m, int k, bool lower,
                                 cublasOperation_t trans)
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

static cusolverStatus_t by_lower(const struct sp_device *m)
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

/* The factor, or with `of_b` b becomes Q* b. */
static cusolverStatus_t qr(const struct sp_device *m, bool of_b)
{
    for (int k = 0; k < m->n; k += PANEL) {
        int size = panel_at(m, k), next = k + size, rows = least(m->n - k, size + m->below);
        void *tau = solver_behind(&m->d, m->tau, (size_t)k);
        struct solver_q q = {.adjoint = true,
                             .m = rows,
                             .n = of_b ? 1 : least(m->n - next, m->above),
                             .k = size,
                             .a = solver_at(&m->d, m->a, k, k),
                             .c = of_b ? rows_of_b(m, k) : solver_at(&m->d, m->a, k, next),
                             .tau = tau};
        if (!of_b)
            SOLVER_TRY(solver_panel_qr(&m->d, rows, size, q.a, tau));
        SOLVER_TRY(solver_apply_q(&m->d, &q));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t by_upper(const struct sp_device *m)
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

cusolverStatus_t sp_device_factor(struct sp_device *m, const struct sp_rows *rows)
{
    SOLVER_TRY(fill(m, rows));
    return m->method == SP_CHOLESKY ? cholesky(m) : qr(m, false);
}

cusolverStatus_t sp_device_pivot(const struct sp_device *m, double tolerance, int *position)
{
    struct library_call call = solver_call(&m->d);
    int found = m->n;
    cudaStream_t stream = m->d.handle->stream;
    if (cudaMemcpyAsync(m->info, &found, sizeof found, cudaMemcpyHostToDevice, stream))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    library_add(&call, &m->n);
    library_add(&call, &m->a.data);
    library_add(&call, &m->a.ld);
    library_add(&call, &tolerance);
    library_add(&call, &m->info);
    SOLVER_TRY(
        solver_launch(&call, "small_pivot", library_blocks(m->n, WIDE_THREADS, ~0u), WIDE_THREADS));
    if (cudaMemcpyAsync(&found, m->info, sizeof found, cudaMemcpyDeviceToHost, stream) ||
        cudaStreamSynchronize(stream))
        return CUSOLVER_STATUS_EXECUTION_FAILED;
    *position = found < m->n ? found : -1;
    return CUSOLVER_STATUS_SUCCESS;
}

static cusolverStatus_t move(const struct sp_device *m, const char *kernel, const void *from,
                             void *to)
{
    struct library_call call = solver_call(&m->d);
    library_add(&call, &m->n);
    library_add(&call, &m->places);
    library_add(&call, &from);
    library_add(&call, &to);
    return solver_launch(&call, kernel, library_blocks(m->n, WIDE_THREADS, ~0u), WIDE_THREADS);
}

cusolverStatus_t sp_device_solve(const struct sp_device *m, const void *b, void *x)
{
    SOLVER_TRY(move(m, "put_places", b, m->b));
    if (m->method == SP_QR)
        SOLVER_TRY(qr(m, true));
    SOLVER_TRY(m->method == SP_CHOLESKY ? by_lower(m) : by_upper(m));
    SOLVER_TRY(move(m, "take_places", m->b, x));
    return cudaStreamSynchronize(m->d.handle->stream) ? CUSOLVER_STATUS_EXECUTION_FAILED
                                                      : CUSOLVER_STATUS_SUCCESS;
}
