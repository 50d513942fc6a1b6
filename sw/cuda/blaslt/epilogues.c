/* What a product does to its elements, and the sums beside it that are gradients of a bias. */
#include <stdio.h>

#include "sw/cuda/blaslt/lt.h"
#include "sw/cuda/blaslt/shape.h"

static const struct lt_after known[] = {
    {CUBLASLT_EPILOGUE_DEFAULT, ACTIVATE_NONE, false, false, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_RELU, ACTIVATE_RELU, false, false, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_RELU_AUX, ACTIVATE_RELU, false, true, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_BIAS, ACTIVATE_NONE, true, false, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_RELU_BIAS, ACTIVATE_RELU, true, false, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_RELU_AUX_BIAS, ACTIVATE_RELU, true, true, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_GELU, ACTIVATE_GELU, false, false, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_GELU_BIAS, ACTIVATE_GELU, true, false, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_GELU_AUX, ACTIVATE_GELU, false, true, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_GELU_AUX_BIAS, ACTIVATE_GELU, true, true, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_DRELU, ACTIVATE_RELU_SLOPE, false, true, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_DRELU_BGRAD, ACTIVATE_RELU_SLOPE, false, true, GRADIENT_D},
    {CUBLASLT_EPILOGUE_DGELU, ACTIVATE_GELU_SLOPE, false, true, GRADIENT_NONE},
    {CUBLASLT_EPILOGUE_DGELU_BGRAD, ACTIVATE_GELU_SLOPE, false, true, GRADIENT_D},
    {CUBLASLT_EPILOGUE_BGRADA, ACTIVATE_NONE, false, false, GRADIENT_A},
    {CUBLASLT_EPILOGUE_BGRADB, ACTIVATE_NONE, false, false, GRADIENT_B},
};
#define KNOWN (sizeof known / sizeof *known)

#define REFUSE(status, ...)                                                                        \
    do {                                                                                           \
        evc_explain(CUDA_ERROR_NOT_SUPPORTED, "cublasLtMatmul: " __VA_ARGS__);                     \
        return (status);                                                                           \
    } while (0)
#define UNSUPPORTED(...) REFUSE(CUBLAS_STATUS_NOT_SUPPORTED, __VA_ARGS__)
#define WRONG(...)       REFUSE(CUBLAS_STATUS_INVALID_VALUE, __VA_ARGS__)

/* The kernel that sums such a gradient, or NULL. */
static const char *sums_of(const struct lt_mix *mix, int gradient)
{
    return gradient == GRADIENT_D ? mix->sums_d : mix->sums_ab;
}

static bool is_there(const struct lt_mix *mix, const struct lt_after *after)
{
    return after->epilogue == CUBLASLT_EPILOGUE_DEFAULT ||
           (mix->flags & LT_EPILOGUES && (!after->gradient || sums_of(mix, after->gradient)));
}

uint32_t lt_epilogue_mask(const struct lt_mix *mix)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < KNOWN; i++)
        mask |= is_there(mix, &known[i]) ? known[i].epilogue : 0;
    return mask;
}

/* A bit for an element counts as one in distances. */
static cublasStatus_t auxiliary(const struct lt_operands *o, const struct lt_after *after,
                                struct lt_epilogue *to)
{
    const struct lt_product *p = o->product;
    bool bits = after->activation == ACTIVATE_RELU || after->activation == ACTIVATE_RELU_SLOPE;
    int lines = bits ? 128 : 8;
    if (o->d->order != CUBLASLT_ORDER_COL)
        UNSUPPORTED("epilogue %u wants D by columns", p->epilogue);
    if (!p->auxiliary)
        WRONG("epilogue %u without CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER", p->epilogue);
    if (p->auxiliary_ld < (int64_t)o->d->rows || p->auxiliary_ld % lines ||
        p->auxiliary_stride % lines)
        WRONG(
            "EPILOGUE_AUX_LD %lld, EPILOGUE_AUX_BATCH_STRIDE %lld: multiples of %d, and the first "
            "no less than D's rows",
            (long long)p->auxiliary_ld, (long long)p->auxiliary_stride, lines);
    to->auxiliary = p->auxiliary;
    to->ld = p->auxiliary_ld;
    to->apart = p->auxiliary_stride;
    return CUBLAS_STATUS_SUCCESS;
}

/* What is summed has a row for each element of the bias. */
static void gradient(const struct lt_operands *o, int of, struct lt_plan *plan)
{
    const struct lt_product *p = o->product;
    const struct lt_layout *from = of == GRADIENT_A ? o->a : of == GRADIENT_B ? o->b : o->d;
    cublasOperation_t trans = of == GRADIENT_A   ? (cublasOperation_t)p->transa
                              : of == GRADIENT_B ? (cublasOperation_t)p->transb
                                                 : CUBLAS_OP_N;
    bool turned = (trans != CUBLAS_OP_N) != (of == GRADIENT_B);
    plan->of = of;
    plan->from = lt_view(from, trans, of == GRADIENT_B, 0);
    plan->rows = (int)(turned ? from->columns : from->rows);
    plan->columns = (int)(turned ? from->rows : from->columns);
    plan->sums = (void *)(uintptr_t)p->bias;
    plan->sums_stride = p->bias_stride;
    snprintf(plan->gradient, sizeof plan->gradient, "sums_%s", sums_of(plan->mix, of));
}

cublasStatus_t lt_epilogue(const struct lt_operands *o, const struct lt_mix *mix,
                           struct lt_plan *plan)
{
    const struct lt_product *p = o->product;
    const struct lt_after *after = NULL;
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].epilogue == p->epilogue)
            after = &known[i];
    if (!after)
        UNSUPPORTED("epilogue %u is none of cublasLt.h", p->epilogue);
    if (!is_there(mix, after))
        UNSUPPORTED("epilogue %u on these types of A and D (%u, %u)", p->epilogue, o->a->type,
                    o->d->type);
    if ((after->bias || after->gradient) && !p->bias)
        WRONG("epilogue %u without CUBLASLT_MATMUL_DESC_BIAS_POINTER", p->epilogue);
    if ((after->bias || after->gradient) && p->bias_type != -1 &&
        p->bias_type != (int32_t)o->d->type)
        UNSUPPORTED("a bias of type %d; evgpu takes it in D's type, which is %u", p->bias_type,
                    o->d->type);
    plan->after.bias = after->bias ? p->bias : NULL;
    plan->after.stride = p->bias_stride;
    plan->after.activation = after->activation;
    if (after->gradient)
        gradient(o, (int)after->gradient, plan);
    return after->auxiliary ? auxiliary(o, after, &plan->after) : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_gradient(cublasLtHandle_t handle, const struct lt_plan *plan, cudaStream_t stream)
{
    if (!plan->of)
        return CUBLAS_STATUS_SUCCESS;
    struct lt_plan p = *plan;
    bool first = (p.of == GRADIENT_A) != p.exchanged;
    p.from.matrix.data = p.of == GRADIENT_D ? p.d.data : first ? p.a.matrix.data : p.b.matrix.data;
    void *const arguments[] = {&p.rows, &p.columns, &p.from, &p.sums, &p.sums_stride};
    return library_launch(
               &handle->library, p.gradient,
               (dim3){library_blocks(p.rows, SUMS_THREADS, ~0u), 1, (unsigned int)p.batch},
               (dim3){SUMS_THREADS, 1, 1}, stream, arguments)
               ? CUBLAS_STATUS_EXECUTION_FAILED
               : CUBLAS_STATUS_SUCCESS;
}
