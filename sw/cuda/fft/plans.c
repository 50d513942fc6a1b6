/* Plans: handles, sizes, work areas. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/fft/plan.h"

#define PLANS 4096 /* at a time */

static struct {
    pthread_mutex_t lock;
    struct fft_plan *at[PLANS];
} plans = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct fft_plan *fft_plan_of(cufftHandle handle)
{
    struct fft_plan *plan = NULL;
    pthread_mutex_lock(&plans.lock);
    if (handle > 0 && handle <= PLANS)
        plan = plans.at[handle - 1];
    pthread_mutex_unlock(&plans.lock);
    return plan;
}

static bool is_type(cufftType type)
{
    return fft_from_real(type) || fft_to_real(type) || type == CUFFT_C2C || type == CUFFT_Z2Z;
}

/* What a plan asks for; checks it. */
static cufftResult describe(struct fft_plan *plan, int rank, const int *n, cufftType type,
                            int batch)
{
    FFT_CHECK(rank >= 1 && rank <= FFT_RANK && n, CUFFT_INVALID_VALUE);
    FFT_CHECK(is_type(type), CUFFT_INVALID_VALUE);
    FFT_CHECK(batch >= 1, CUFFT_INVALID_SIZE);
    plan->type = type;
    plan->rank = rank;
    plan->batch = (unsigned int)batch;
    for (int i = 0; i < FFT_RANK; i++) {
        int from = i - (FFT_RANK - rank);
        FFT_CHECK(from < 0 || n[from] >= 1, CUFFT_INVALID_SIZE);
        plan->n[i] = from >= 0 ? (unsigned int)n[from] : 1;
    }
    plan->packed = true;
    plan->in = plan->out = fft_packed(plan, plan->n[FFT_RANK - 1]);
    if (fft_from_real(type))
        plan->out = fft_packed(plan, fft_columns(plan));
    if (fft_to_real(type))
        plan->in = fft_packed(plan, fft_columns(plan));
    return CUFFT_SUCCESS;
}

static void embed(const struct fft_plan *plan, struct fft_layout *layout, const int *sizes,
                  int stride, int dist)
{
    layout->dist = dist;
    layout->stride = stride;
    for (int i = 1; i < FFT_RANK; i++) {
        int from = i - (FFT_RANK - plan->rank);
        layout->pitch[i] = from > 0 ? sizes[from] : 1;
    }
}

static cufftResult make(cufftHandle handle, struct fft_plan *plan, size_t *size)
{
    struct fft_plan *kept = fft_plan_of(handle);
    FFT_CHECK(kept && !kept->made, CUFFT_INVALID_PLAN);
    plan->stream = kept->stream;
    plan->allocates = kept->allocates;
    *kept = *plan;
    cufftResult result = fft_steps(kept, true);
    if (!result && kept->allocates) {
        FFT_CHECK(!cudaMalloc(&kept->area, fft_area_bytes(kept)), CUFFT_ALLOC_FAILED);
        kept->owns_area = true;
    }
    kept->made = !result;
    if (size)
        *size = fft_area_bytes(kept);
    return result;
}

cufftResult cufftCreate(cufftHandle *handle)
{
    FFT_CHECK(handle, CUFFT_INVALID_VALUE);
    struct fft_plan *plan = calloc(1, sizeof *plan);
    int free_place = -1;
    if (!plan)
        return CUFFT_ALLOC_FAILED;
    plan->allocates = true;
    pthread_mutex_lock(&plans.lock);
    for (int i = 0; i < PLANS && free_place < 0; i++) {
        if (!plans.at[i])
            free_place = i;
    }
    if (free_place >= 0)
        plans.at[free_place] = plan;
    pthread_mutex_unlock(&plans.lock);
    if (free_place < 0)
        free(plan);
    *handle = free_place + 1;
    FFT_CHECK(free_place >= 0, CUFFT_ALLOC_FAILED);
    return CUFFT_SUCCESS;
}

cufftResult cufftDestroy(cufftHandle handle)
{
    struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan, CUFFT_INVALID_PLAN);
    for (size_t i = 0; i < plan->n_tables; i++)
        cudaFree(plan->tables[i].data); /* waits for the plan's kernels */
    if (plan->owns_area)
        cudaFree(plan->area);
    fft_callbacks_end(plan);
    library_close(&plan->library);
    pthread_mutex_lock(&plans.lock);
    plans.at[handle - 1] = NULL;
    pthread_mutex_unlock(&plans.lock);
    free(plan);
    return CUFFT_SUCCESS;
}

/* --- in two steps -------------------------------------------------------------------------------
 */

static cufftResult describe_many(struct fft_plan *plan, int rank, int *n, int *inembed, int istride,
                                 int idist, int *onembed, int ostride, int odist, cufftType type,
                                 int batch)
{
    cufftResult result = describe(plan, rank, n, type, batch);
    if (result || !inembed || !onembed)
        return result;
    FFT_CHECK(istride >= 1 && ostride >= 1 && (batch == 1 || (idist >= 1 && odist >= 1)),
              CUFFT_INVALID_VALUE);
    plan->packed = false;
    embed(plan, &plan->in, inembed, istride, idist);
    embed(plan, &plan->out, onembed, ostride, odist);
    return CUFFT_SUCCESS;
}

cufftResult cufftMakePlanMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                              int idist, int *onembed, int ostride, int odist, cufftType type,
                              int batch, size_t *size)
{
    struct fft_plan plan = {0};
    cufftResult result = describe_many(&plan, rank, n, inembed, istride, idist, onembed, ostride,
                                       odist, type, batch);
    return result ? result : make(handle, &plan, size);
}

cufftResult cufftMakePlan1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *size)
{
    return cufftMakePlanMany(handle, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch, size);
}

cufftResult cufftMakePlan2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *size)
{
    return cufftMakePlanMany(handle, 2, (int[]){nx, ny}, NULL, 1, 0, NULL, 1, 0, type, 1, size);
}

cufftResult cufftMakePlan3d(cufftHandle handle, int nx, int ny, int nz, cufftType type,
                            size_t *size)
{
    return cufftMakePlanMany(handle, 3, (int[]){nx, ny, nz}, NULL, 1, 0, NULL, 1, 0, type, 1, size);
}

/* --- in one --------------------------------------------------------------------------------------
 */

cufftResult cufftPlanMany(cufftHandle *handle, int rank, int *n, int *inembed, int istride,
                          int idist, int *onembed, int ostride, int odist, cufftType type,
                          int batch)
{
    cufftHandle made;
    FFT_CHECK(handle, CUFFT_INVALID_VALUE);
    cufftResult result = cufftCreate(&made);
    if (result)
        return result;
    result = cufftMakePlanMany(made, rank, n, inembed, istride, idist, onembed, ostride, odist,
                               type, batch, NULL);
    if (result)
        cufftDestroy(made);
    else
        *handle = made;
    return result;
}

cufftResult cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch)
{
    return cufftPlanMany(plan, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch);
}

cufftResult cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type)
{
    return cufftPlanMany(plan, 2, (int[]){nx, ny}, NULL, 1, 0, NULL, 1, 0, type, 1);
}

cufftResult cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type)
{
    return cufftPlanMany(plan, 3, (int[]){nx, ny, nz}, NULL, 1, 0, NULL, 1, 0, type, 1);
}

/* --- areas
 * ----------------------------------------------------------------------------------------- */

cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates)
{
    struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan && !plan->made, CUFFT_INVALID_PLAN);
    plan->allocates = allocates != 0;
    return CUFFT_SUCCESS;
}

cufftResult cufftSetWorkArea(cufftHandle handle, void *area)
{
    struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan && plan->made, CUFFT_INVALID_PLAN);
    if (plan->owns_area)
        cudaFree(plan->area);
    plan->owns_area = false;
    plan->area = area;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetSize(cufftHandle handle, size_t *size)
{
    const struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan && plan->made, CUFFT_INVALID_PLAN);
    FFT_CHECK(size, CUFFT_INVALID_VALUE);
    *size = fft_area_bytes(plan);
    return CUFFT_SUCCESS;
}

cufftResult cufftEstimateMany(int rank, int *n, int *inembed, int istride, int idist, int *onembed,
                              int ostride, int odist, cufftType type, int batch, size_t *size)
{
    struct fft_plan plan = {0};
    FFT_CHECK(size, CUFFT_INVALID_VALUE);
    cufftResult result = describe_many(&plan, rank, n, inembed, istride, idist, onembed, ostride,
                                       odist, type, batch);
    if (!result)
        result = fft_steps(&plan, false);
    if (!result)
        *size = fft_area_bytes(&plan);
    return result;
}

cufftResult cufftEstimate1d(int nx, cufftType type, int batch, size_t *size)
{
    return cufftEstimateMany(1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch, size);
}

cufftResult cufftEstimate2d(int nx, int ny, cufftType type, size_t *size)
{
    return cufftEstimateMany(2, (int[]){nx, ny}, NULL, 1, 0, NULL, 1, 0, type, 1, size);
}

cufftResult cufftEstimate3d(int nx, int ny, int nz, cufftType type, size_t *size)
{
    return cufftEstimateMany(3, (int[]){nx, ny, nz}, NULL, 1, 0, NULL, 1, 0, type, 1, size);
}

cufftResult cufftGetSizeMany(cufftHandle handle, int rank, int *n, int *inembed, int istride,
                             int idist, int *onembed, int ostride, int odist, cufftType type,
                             int batch, size_t *size)
{
    FFT_CHECK(fft_plan_of(handle), CUFFT_INVALID_PLAN);
    return cufftEstimateMany(rank, n, inembed, istride, idist, onembed, ostride, odist, type, batch,
                             size);
}

cufftResult cufftGetSize1d(cufftHandle handle, int nx, cufftType type, int batch, size_t *size)
{
    return cufftGetSizeMany(handle, 1, &nx, NULL, 1, 0, NULL, 1, 0, type, batch, size);
}

cufftResult cufftGetSize2d(cufftHandle handle, int nx, int ny, cufftType type, size_t *size)
{
    return cufftGetSizeMany(handle, 2, (int[]){nx, ny}, NULL, 1, 0, NULL, 1, 0, type, 1, size);
}

cufftResult cufftGetSize3d(cufftHandle handle, int nx, int ny, int nz, cufftType type, size_t *size)
{
    return cufftGetSizeMany(handle, 3, (int[]){nx, ny, nz}, NULL, 1, 0, NULL, 1, 0, type, 1, size);
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream)
{
    struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan, CUFFT_INVALID_PLAN);
    plan->stream = stream;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetVersion(int *version)
{
    FFT_CHECK(version, CUFFT_INVALID_VALUE);
    *version = CUFFT_VERSION;
    return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value)
{
    FFT_CHECK(value && (unsigned int)type <= PATCH_LEVEL, CUFFT_INVALID_VALUE);
    *value = type == MAJOR_VERSION   ? CUFFT_VER_MAJOR
             : type == MINOR_VERSION ? CUFFT_VER_MINOR
                                     : CUFFT_VER_PATCH;
    return CUFFT_SUCCESS;
}
