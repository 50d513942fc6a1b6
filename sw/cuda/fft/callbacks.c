/* Callbacks of a plan (callback.h): arrays between the program's own and the transform's. */
#include <stdio.h>

#include "sw/cuda/fft/plan.h"
#include "sw/cuda/include/cufftXt.h"

#define MOST_SHARED 16384u /* bytes, as NVIDIA's library has it */

static fft_callback_launcher launcher; /* set before main */

static struct fft_callback *side_of(struct fft_plan *plan, cufftXtCallbackType type)
{
    return &plan->callbacks[type >= CUFFT_CB_ST_COMPLEX];
}

/* The one type of the plan's input (0) or output (1). */
static cufftXtCallbackType type_of(const struct fft_plan *plan, int side)
{
    bool real = side ? fft_to_real(plan->type) : fft_from_real(plan->type);
    return (cufftXtCallbackType)(4 * side + 2 * real + fft_is_double(plan->type));
}

/* How the elements of a side lie, and how many columns of them there are. */
static unsigned int lie(const struct fft_plan *plan, int side, bool in_place,
                        struct fft_layout *layout)
{
    bool half = side ? fft_from_real(plan->type) : fft_to_real(plan->type);
    bool real = side ? fft_to_real(plan->type) : fft_from_real(plan->type);
    unsigned int columns = half ? fft_columns(plan) : plan->n[FFT_RANK - 1];
    *layout = side ? plan->out : plan->in;
    if (plan->packed)
        *layout = fft_packed(plan, real && in_place ? 2 * fft_columns(plan) : columns);
    return columns;
}

/* Elements from the first to behind the last. */
static size_t extent(const struct fft_plan *plan, int side, bool in_place)
{
    struct fft_layout l;
    long long columns = lie(plan, side, in_place, &l);
    long long row = ((long long)plan->n[0] - 1) * l.pitch[1] + plan->n[1] - 1;
    return (size_t)((plan->batch - 1) * l.dist + (row * l.pitch[2] + columns - 1) * l.stride + 1);
}

static void *stage(const struct fft_plan *plan, int side)
{
    size_t apart = extent(plan, side, false), in_place = extent(plan, side, true);
    void *made = NULL;
    if (cudaMalloc(&made, (apart > in_place ? apart : in_place) * fft_bytes(plan->type)))
        return NULL;
    return made;
}

static cufftResult no_launcher(void)
{
    fputs("evgpu: cufftXtSetCallback: callbacks are linked with the program's device code: nvcc "
          "-dc, and -lcufft_static when it links\n",
          stderr);
    return CUFFT_NOT_IMPLEMENTED;
}

cufftResult cufftXtSetCallback(cufftHandle handle, void **callback_routine,
                               cufftXtCallbackType type, void **caller_info)
{
    if ((int)type == FFT_CALLBACK_LAUNCHER && callback_routine) {
        launcher = (fft_callback_launcher)*callback_routine;
        return CUFFT_SUCCESS;
    }
    struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan && plan->made, CUFFT_INVALID_PLAN);
    FFT_CHECK(callback_routine && *callback_routine, CUFFT_INVALID_VALUE);
    int side = type >= CUFFT_CB_ST_COMPLEX;
    FFT_CHECK(type == type_of(plan, side), CUFFT_INVALID_TYPE);
    if (!launcher)
        return no_launcher();
    struct fft_callback *callback = side_of(plan, type);
    if (!callback->staged && !(callback->staged = stage(plan, side)))
        return CUFFT_ALLOC_FAILED;
    callback->routine = *callback_routine;
    callback->info = caller_info ? *caller_info : NULL;
    return CUFFT_SUCCESS;
}

cufftResult cufftXtClearCallback(cufftHandle handle, cufftXtCallbackType type)
{
    struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan && plan->made, CUFFT_INVALID_PLAN);
    FFT_CHECK(type == type_of(plan, type >= CUFFT_CB_ST_COMPLEX), CUFFT_INVALID_TYPE);
    side_of(plan, type)->routine = NULL;
    return CUFFT_SUCCESS;
}

cufftResult cufftXtSetCallbackSharedSize(cufftHandle handle, cufftXtCallbackType type,
                                         size_t sharedSize)
{
    struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan && plan->made, CUFFT_INVALID_PLAN);
    FFT_CHECK(type == type_of(plan, type >= CUFFT_CB_ST_COMPLEX), CUFFT_INVALID_TYPE);
    FFT_CHECK(sharedSize <= MOST_SHARED, CUFFT_INVALID_VALUE);
    side_of(plan, type)->shared = (unsigned int)sharedSize;
    return CUFFT_SUCCESS;
}

cufftResult fft_call_back(const struct fft_plan *plan, int side, void *data, bool in_place)
{
    const struct fft_callback *callback = &plan->callbacks[side];
    struct fft_callback_job job = {.type = (int)type_of(plan, side),
                                   .routine = callback->routine,
                                   .info = callback->info,
                                   .data = data,
                                   .staged = callback->staged,
                                   .n = {plan->n[0], plan->n[1]},
                                   .batch = plan->batch,
                                   .shared = callback->shared,
                                   .stream = plan->stream};
    job.n[2] = lie(plan, side, in_place, &job.layout);
    return launcher(&job) ? CUFFT_EXEC_FAILED : CUFFT_SUCCESS;
}

void fft_callbacks_end(struct fft_plan *plan)
{
    for (int side = 0; side < 2; side++)
        cudaFree(plan->callbacks[side].staged);
}
