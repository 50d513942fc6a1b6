/* Steps between the parts of a call. */
#include "sw/cuda/solver/solver.h"

cusolverStatus_t solver_settle(const struct dense *d, int n, const int *factor, int failed,
                               int *info)
{
    struct library_call call = solver_call(d);
    call.precision = LIBRARY_I;
    library_add(&call, &n);
    library_add(&call, &factor);
    library_add(&call, &failed);
    library_add(&call, &info);
    return solver_launch(&call, "settle", 1, 1);
}

cusolverStatus_t solver_adjoint(const struct dense *d, int m, int n, struct solver_matrix from,
                                struct solver_matrix to)
{
    struct library_call call = solver_call(d);
    library_add(&call, &m);
    library_add(&call, &n);
    library_add(&call, &from.data);
    library_add(&call, &from.ld);
    library_add(&call, &to.data);
    library_add(&call, &to.ld);
    return solver_launch(&call, "adjoint_of", library_blocks((long long)m * n, WIDE_THREADS, ~0u),
                         WIDE_THREADS);
}
