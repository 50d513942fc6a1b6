/* What a program chooses for rotations (syevj, gesvdj), and hears of them. */
#include <stdlib.h>

#include "sw/cuda/solver/solver.h"

#define USUAL_SWEEPS 100

cusolverStatus_t solver_limits_of(struct solver_rotations *chosen, bool batch,
                                  struct solver_limits *limits)
{
    SOLVER_VALID(chosen);
    chosen->reported = !batch;
    if (!batch && !chosen->report && cudaMalloc((void **)&chosen->report, sizeof *chosen->report)) {
        chosen->report = NULL;
        return CUSOLVER_STATUS_ALLOC_FAILED;
    }
    *limits = (struct solver_limits){.tolerance = chosen->tolerance,
                                     .sweeps = chosen->sweeps,
                                     .unsorted = chosen->unsorted,
                                     .report = batch ? NULL : chosen->report};
    return CUSOLVER_STATUS_SUCCESS;
}

/* Waits for the call that it is of. */
static cusolverStatus_t read_report(cusolverDnHandle_t handle,
                                    const struct solver_rotations *chosen,
                                    struct solver_report *report)
{
    SOLVER_HANDLE(handle);
    SOLVER_CHECK(chosen->reported, CUSOLVER_STATUS_NOT_SUPPORTED);
    return cudaMemcpyAsync(report, chosen->report, sizeof *report, cudaMemcpyDeviceToHost,
                           handle->stream) ||
                   cudaStreamSynchronize(handle->stream)
               ? CUSOLVER_STATUS_EXECUTION_FAILED
               : CUSOLVER_STATUS_SUCCESS;
}

#define ROTATIONS(Name, name)                                                                      \
    cusolverStatus_t cusolverDnCreate##Name##Info(name##Info_t *info)                              \
    {                                                                                              \
        SOLVER_VALID(info);                                                                        \
        *info = calloc(1, sizeof **info);                                                          \
        SOLVER_CHECK(*info, CUSOLVER_STATUS_ALLOC_FAILED);                                         \
        (*info)->rotations.sweeps = USUAL_SWEEPS;                                                  \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnDestroy##Name##Info(name##Info_t info)                              \
    {                                                                                              \
        if (info)                                                                                  \
            cudaFree(info->rotations.report); /* waits for kernels */                              \
        free(info);                                                                                \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetTolerance(name##Info_t info, double tolerance)          \
    {                                                                                              \
        SOLVER_VALID(info &&tolerance >= 0);                                                       \
        info->rotations.tolerance = tolerance;                                                     \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetMaxSweeps(name##Info_t info, int sweeps)                \
    {                                                                                              \
        SOLVER_VALID(info &&sweeps > 0);                                                           \
        info->rotations.sweeps = sweeps;                                                           \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##SetSortEig(name##Info_t info, int sorted)                  \
    {                                                                                              \
        SOLVER_VALID(info);                                                                        \
        info->rotations.unsorted = !sorted;                                                        \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##GetResidual(cusolverDnHandle_t handle, name##Info_t info,  \
                                                    double *residual)                              \
    {                                                                                              \
        struct solver_report report = {0};                                                         \
        SOLVER_VALID(info &&residual);                                                             \
        SOLVER_TRY(read_report(handle, &info->rotations, &report));                                \
        *residual = report.residual;                                                               \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusolverStatus_t cusolverDnX##name##GetSweeps(cusolverDnHandle_t handle, name##Info_t info,    \
                                                  int *sweeps)                                     \
    {                                                                                              \
        struct solver_report report = {0};                                                         \
        SOLVER_VALID(info &&sweeps);                                                               \
        SOLVER_TRY(read_report(handle, &info->rotations, &report));                                \
        *sweeps = report.sweeps;                                                                   \
        return CUSOLVER_STATUS_SUCCESS;                                                            \
    }
ROTATIONS(Syevj, syevj)
ROTATIONS(Gesvdj, gesvdj)
