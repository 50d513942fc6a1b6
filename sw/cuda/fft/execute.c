/* Executions: the plan's steps, from array to array. */
#include <stdint.h>
#include <stdio.h>

#include "sw/cuda/fft/plan.h"

struct run {
    struct fft_plan *plan;
    const void *at; /* where the data are */
    void *out;
    int inverse;
};

static const char *kernel_name(const struct fft_step *step)
{
    switch (step->kind) {
    case FFT_PASS:
        switch (step->factor.radix) {
        case 2:
            return "pass2";
        case 3:
            return "pass3";
        case 4:
            return "pass4";
        case 5:
            return "pass5";
        case 7:
            return "pass7";
        case 8:
            return "pass8";
        default:
            return "pass";
        }
    case FFT_CHIRP_IN:
        return "chirp_in";
    case FFT_CHIRP_MUL:
        return "chirp_times";
    case FFT_CHIRP_OUT:
        return "chirp_out";
    case FFT_MOVE:
        return "move";
    case FFT_FROM_REAL:
        return "from_real";
    case FFT_TO_REAL:
        return "to_real";
    case FFT_MIRROR:
        return "mirror";
    }
    return "";
}

/* Threads that the step's kernel needs. */
static unsigned int threads_of(const struct fft_step *step)
{
    unsigned int radix = step->factor.radix;
    switch (step->kind) {
    case FFT_PASS:
        return radix <= 8 ? step->lines.count / radix : step->lines.count;
    case FFT_CHIRP_IN:
        return step->lines.count / step->lines.n * step->room;
    case FFT_CHIRP_MUL:
    case FFT_CHIRP_OUT:
        return step->lines.count;
    default:
        return step->sizes.n[0] * step->sizes.n[1] * step->sizes.n[2] * step->sizes.batch;
    }
}

static cufftResult launch(const struct run *run, const struct fft_step *step, void *to)
{
    char name[24];
    int inverse = run->inverse && !step->forward;
    const void *from = run->at;
    unsigned int room = step->room, count = step->lines.count;
    struct fft_step copy = *step; /* the arguments' values */
    void *pass[] = {&to, &from, &copy.table, &copy.lines, &copy.factor, &inverse};
    void *chirp[] = {&to, &from, &copy.table, &copy.lines, &room, &inverse};
    void *times[] = {&to, &copy.table, &count, &room};
    void *move[] = {&to, &from, &copy.sizes, &copy.from, &copy.to};
    void **arguments = step->kind == FFT_PASS        ? pass
                       : step->kind == FFT_CHIRP_MUL ? times
                       : step->kind < FFT_MOVE       ? chirp
                                                     : move;
    snprintf(name, sizeof name, "%s_%c", kernel_name(step),
             fft_is_double(run->plan->type) ? 'd' : 's');
    unsigned int blocks = (threads_of(step) + FFT_THREADS - 1) / FFT_THREADS;
    return library_launch(&run->plan->library, name, (dim3){blocks, 1, 1},
                          (dim3){FFT_THREADS, 1, 1}, run->plan->stream, arguments)
               ? CUFFT_EXEC_FAILED
               : CUFFT_SUCCESS;
}

/* Another array of the step's kind than the one where the data are. */
static void *other_array(const struct run *run, const struct fft_step *step)
{
    const struct fft_plan *plan = run->plan;
    char *first = plan->area, *second = first + plan->array_bytes;
    if (step->rows) {
        first += 2 * plan->array_bytes;
        second = first + plan->rows_bytes;
        if (step->kind == FFT_CHIRP_MUL)
            return run->at == first ? first : second;
    }
    return run->at == first ? second : first;
}

static cufftResult run_steps(struct run *run)
{
    const struct fft_plan *plan = run->plan;
    const void *in = run->at;
    cufftResult result = CUFFT_SUCCESS;
    for (size_t i = 0; i < plan->n_steps && !result; i++) {
        const struct fft_step *step = &plan->steps[i];
        bool last = i + 1 == plan->n_steps;
        /* A single step in place would overwrite what it still reads. */
        void *to =
            last && !(plan->n_steps == 1 && in == run->out) ? run->out : other_array(run, step);
        result = launch(run, step, to);
        run->at = to;
    }
    if (!result && run->at != run->out &&
        cudaMemcpyAsync(run->out, run->at, plan->array_bytes, cudaMemcpyDeviceToDevice,
                        plan->stream))
        result = CUFFT_EXEC_FAILED;
    return result;
}

/* In place, rows of the real side have room for the complex side's. */
static void pad(struct fft_plan *plan, bool in_place)
{
    struct fft_layout real =
        fft_packed(plan, in_place ? 2 * fft_columns(plan) : plan->n[FFT_RANK - 1]);
    if (!plan->packed)
        return;
    if (fft_from_real(plan->type))
        plan->steps[0].from = real;
    if (fft_to_real(plan->type))
        plan->steps[plan->n_steps - 1].to = real;
}

static cufftResult execute(cufftHandle handle, cufftType type, const void *in, void *out,
                           int inverse)
{
    struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan && plan->made && plan->type == type, CUFFT_INVALID_PLAN);
    FFT_CHECK(in && out, CUFFT_INVALID_VALUE);
    FFT_CHECK(plan->area, CUFFT_NO_WORKSPACE);
    const struct fft_callback *load = &plan->callbacks[0], *store = &plan->callbacks[1];
    const bool in_place = in == out;
    struct run run = {.plan = plan,
                      .at = load->routine ? load->staged : in,
                      .out = store->routine ? store->staged : out,
                      .inverse = inverse};
    cufftResult result = CUFFT_SUCCESS;
    pad(plan, in_place);
    if (load->routine)
        result = fft_call_back(plan, 0, (void *)(uintptr_t)in, in_place);
    if (!result)
        result = run_steps(&run);
    if (!result && store->routine)
        result = fft_call_back(plan, 1, out, in_place);
    return result;
}

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction)
{
    FFT_CHECK(direction == CUFFT_FORWARD || direction == CUFFT_INVERSE, CUFFT_INVALID_VALUE);
    return execute(plan, CUFFT_C2C, in, out, direction == CUFFT_INVERSE);
}

cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out,
                         int direction)
{
    FFT_CHECK(direction == CUFFT_FORWARD || direction == CUFFT_INVERSE, CUFFT_INVALID_VALUE);
    return execute(plan, CUFFT_Z2Z, in, out, direction == CUFFT_INVERSE);
}

cufftResult cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out)
{
    return execute(plan, CUFFT_R2C, in, out, false);
}

cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out)
{
    return execute(plan, CUFFT_C2R, in, out, true);
}

cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out)
{
    return execute(plan, CUFFT_D2Z, in, out, false);
}

cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out)
{
    return execute(plan, CUFFT_Z2D, in, out, true);
}
