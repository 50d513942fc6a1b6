/* Columns made orthogonal by rotations (jacobi.cuh). */
#include "sw/cuda/solver/solver.h"

#define WARP 32

/* The kernels' struct orthogonal. */
struct orthogonal {
    void *w, *v;
    int m, n;
    double tolerance;
    int *swept;
    int sweeps;
};

static unsigned int blocks_of_warps(int warps)
{
    return library_blocks(warps, LU_THREADS / WARP, ~0u);
}

/* One sweep: a launch for each round, whose pairs have no column in common. */
static cusolverStatus_t sweep(const struct dense *d, struct orthogonal *o, int *turned)
{
    int pairs = (o->n + 1) / 2;
    for (int round = 0; round < 2 * pairs - 1; round++) {
        struct library_call call = solver_call(d);
        library_add(&call, o);
        library_add(&call, &round);
        library_add(&call, &turned);
        SOLVER_TRY(solver_launch(&call, "jacobi_round", blocks_of_warps(pairs), LU_THREADS));
    }
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_orthogonal(const struct dense *d, const struct solver_columns *c, int *info)
{
    static const struct solver_limits usual = {.sweeps = JACOBI_SWEEPS};
    const struct solver_limits *limits = c->limits ? c->limits : &usual;
    int *swept = limits->report ? &limits->report->sweeps : NULL;
    struct orthogonal o = {c->w, c->v, c->m, c->n, limits->tolerance, swept, limits->sweeps};
    cudaStream_t stream = d->handle->stream;
    if (o.n <= JACOBI_ALONE) {
        struct library_call call = solver_call(d);
        library_add(&call, &o);
        library_add(&call, &info);
        return solver_launch(&call, "jacobi_alone", 1, JACOBI_THREADS);
    }
    int again = 1, n = 0;
    for (; n < o.sweeps && again; n++) {
        SOLVER_TRY(solver_clear(d, info, 1));
        SOLVER_TRY(sweep(d, &o, info));
        SOLVER_CHECK(!cudaMemcpyAsync(&again, info, sizeof again, cudaMemcpyDeviceToHost, stream) &&
                         !cudaStreamSynchronize(stream),
                     CUSOLVER_STATUS_EXECUTION_FAILED);
    }
    SOLVER_CHECK(!swept || !cudaMemcpyAsync(swept, &n, sizeof n, cudaMemcpyHostToDevice, stream),
                 CUSOLVER_STATUS_EXECUTION_FAILED);
    return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t solver_lengths(const struct dense *d, const struct solver_columns *c,
                                const void *shift, void *lengths)
{
    struct library_call call = solver_call(d);
    library_add(&call, &c->m);
    library_add(&call, &c->n);
    library_add(&call, &c->w);
    library_add(&call, &shift);
    library_add(&call, &lengths);
    return solver_launch(&call, "lengths", blocks_of_warps(c->n), LU_THREADS);
}

cusolverStatus_t solver_arrange(const struct dense *d, const struct solver_order *o)
{
    struct library_call call = solver_call(d);
    library_add(&call, &o->m);
    library_add(&call, &o->n);
    library_add(&call, &o->up);
    library_add(&call, &o->key);
    library_add(&call, &o->from);
    library_add(&call, &o->sorted);
    library_add(&call, &o->to.data);
    library_add(&call, &o->to.ld);
    return solver_launch(&call, "arrange", blocks_of_warps(o->n), LU_THREADS);
}

cusolverStatus_t solver_residual(const struct dense *d, const struct solver_columns *c,
                                 void *scratch)
{
    if (!c->limits || !c->limits->report)
        return CUSOLVER_STATUS_SUCCESS;
    double *residual = &c->limits->report->residual;
    struct library_call call = solver_call(d);
    library_add(&call, &c->m);
    library_add(&call, &c->n);
    library_add(&call, &c->w);
    library_add(&call, &scratch);
    SOLVER_TRY(solver_launch(&call, "residuals", blocks_of_warps(c->n), LU_THREADS));
    call = solver_call(d);
    library_add(&call, &c->n);
    library_add(&call, &scratch);
    library_add(&call, &residual);
    return solver_launch(&call, "residual", 1, WARP);
}
