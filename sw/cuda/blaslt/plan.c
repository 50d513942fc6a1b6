/* From a description of a product to its kernel and that kernel's matrices. */
#include <limits.h>
#include <stdio.h>

#include "sw/cuda/blaslt/lt.h"
#include "sw/cuda/blaslt/shape.h"

/* The types of a and b, of c and d, of sums and of factors; how kernels' names end; whether an
 * epilogue is there. */
struct mix {
    cudaDataType of_ab, of_cd;
    cublasComputeType_t compute;
    cudaDataType factor;
    const char *kernel;
    bool epilogues;
};

static const struct mix mixes[] = {
    {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "s_s", true},
    {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, "d_d", true},
    {CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F, CUDA_C_32F, "c_c", false},
    {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F, CUDA_C_64F, "z_z", false},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, CUDA_R_16F, "h_h_h", true},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "h_h", true},
    {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "h_s", true},
    {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, "b_b", true},
    {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "b_s", true},
    {CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "q_s", true},
    {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I, "q_i", false},
    {CUDA_R_8I, CUDA_R_8I, CUBLAS_COMPUTE_32I, CUDA_R_32F, "q_q", true},
};

#define CALL "cublasLtMatmul"

/* Returns the status, which the line on stderr explains. */
#define REFUSE(status, ...)                                                                        \
    do {                                                                                           \
        evc_explain(CUDA_ERROR_NOT_SUPPORTED, CALL ": " __VA_ARGS__);                              \
        return (status);                                                                           \
    } while (0)
#define UNSUPPORTED(...) REFUSE(CUBLAS_STATUS_NOT_SUPPORTED, __VA_ARGS__)
#define WRONG(...)       REFUSE(CUBLAS_STATUS_INVALID_VALUE, __VA_ARGS__)

static cublasStatus_t choose(const struct lt_operands *o, const struct mix **mix)
{
    const struct lt_product *p = o->product;
    if (o->a->type != o->b->type || o->c->type != o->d->type)
        UNSUPPORTED(
            "A and B are of types %u and %u, C and D of %u and %u; evgpu wants two equal pairs",
            o->a->type, o->b->type, o->c->type, o->d->type);
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        *mix = &mixes[i];
        if (mixes[i].of_ab == (cudaDataType)o->a->type &&
            mixes[i].of_cd == (cudaDataType)o->d->type &&
            mixes[i].compute == blas_exact((cublasComputeType_t)p->compute) &&
            mixes[i].factor == (cudaDataType)p->scale)
            return CUBLAS_STATUS_SUCCESS;
    }
    UNSUPPORTED("no kernel for A and B of type %u, D of type %u, compute type %d, scale type %d "
                "(library_types.h, cublas_api.h)",
                o->a->type, o->d->type, p->compute, p->scale);
}

static cublasStatus_t modes(const struct lt_product *p)
{
    const struct {
        const void *pointer;
        const char *name;
    } absent[] = {{p->auxiliary, "EPILOGUE_AUX_POINTER"}, {p->scale_a, "A_SCALE_POINTER"},
                  {p->scale_b, "B_SCALE_POINTER"},        {p->scale_c, "C_SCALE_POINTER"},
                  {p->scale_d, "D_SCALE_POINTER"},        {p->greatest_d, "AMAX_D_POINTER"}};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++)
        if (absent[i].pointer)
            UNSUPPORTED("evgpu has no CUBLASLT_MATMUL_DESC_%s", absent[i].name);
    if (p->pointers != CUBLASLT_POINTER_MODE_HOST && p->pointers != CUBLASLT_POINTER_MODE_DEVICE)
        UNSUPPORTED("pointer mode %d; evgpu has the host's and the device's, without vectors",
                    p->pointers);
    if (p->transc != CUBLAS_OP_N || p->fill != CUBLAS_FILL_MODE_FULL)
        UNSUPPORTED("evgpu has no transposed C and no part of D (TRANSC %d, FILL_MODE %d)",
                    p->transc, p->fill);
    if (!blas_is_trans((cublasOperation_t)p->transa) ||
        !blas_is_trans((cublasOperation_t)p->transb))
        WRONG("TRANSA %d, TRANSB %d: not CUBLAS_OP_N, T or C", p->transa, p->transb);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t epilogue(const struct lt_operands *o, const struct mix *mix,
                               struct lt_epilogue *after)
{
    const struct lt_product *p = o->product;
    const uint32_t known = CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_GELU | CUBLASLT_EPILOGUE_BIAS;
    if (p->epilogue == CUBLASLT_EPILOGUE_DEFAULT)
        return CUBLAS_STATUS_SUCCESS;
    bool relu = p->epilogue & CUBLASLT_EPILOGUE_RELU, gelu = p->epilogue & CUBLASLT_EPILOGUE_GELU,
         bias = p->epilogue & CUBLASLT_EPILOGUE_BIAS;
    if (!p->epilogue || p->epilogue & ~known || (relu && gelu))
        UNSUPPORTED("epilogue %u; evgpu has bias, ReLU and GELU, without AUX and gradients",
                    p->epilogue);
    if (!mix->epilogues)
        UNSUPPORTED("epilogue %u on complex numbers or 32-bit integers", p->epilogue);
    if (bias && !p->bias)
        WRONG("epilogue %u without CUBLASLT_MATMUL_DESC_BIAS_POINTER", p->epilogue);
    if (bias && p->bias_type != -1 && p->bias_type != (int32_t)o->d->type)
        UNSUPPORTED("a bias of type %d; evgpu takes it in D's type, which is %u", p->bias_type,
                    o->d->type);
    after->bias = bias ? p->bias : NULL;
    after->stride = p->bias_stride;
    after->activation = relu ? ACTIVATE_RELU : gelu ? ACTIVATE_GELU : ACTIVATE_NONE;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_shape(const char *call, const struct lt_layout *l, const char *name)
{
    bool by_rows = l->order == CUBLASLT_ORDER_ROW;
    uint64_t line = by_rows ? l->columns : l->rows;
    const CUresult why = CUDA_ERROR_NOT_SUPPORTED;
    if (l->order != CUBLASLT_ORDER_COL && !by_rows) {
        evc_explain(why, "%s: order %d of %s; evgpu has CUBLASLT_ORDER_COL and CUBLASLT_ORDER_ROW",
                    call, l->order, name);
    } else if (l->plane) {
        evc_explain(why, "%s: %s has a plane offset; evgpu wants complex numbers of two neighbours",
                    call, name);
    } else if (l->rows > INT_MAX || l->columns > INT_MAX || l->ld > INT_MAX) {
        evc_explain(why, "%s: %s has %llu x %llu elements; evgpu has sizes below 2^31", call, name,
                    (unsigned long long)l->rows, (unsigned long long)l->columns);
    } else if (l->ld < (int64_t)line || l->ld < 1) {
        evc_explain(why, "%s: %s has leading dimension %lld and lines of %llu", call, name,
                    (long long)l->ld, (unsigned long long)line);
        return CUBLAS_STATUS_INVALID_VALUE;
    } else {
        return CUBLAS_STATUS_SUCCESS;
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

struct blas_matrix lt_view(const struct lt_layout *l, cublasOperation_t trans, bool turned)
{
    bool by_rows = (l->order == CUBLASLT_ORDER_ROW) ^ (trans != CUBLAS_OP_N) ^ turned;
    return (struct blas_matrix){.row = by_rows ? l->ld : 1,
                                .column = by_rows ? 1 : l->ld,
                                .stride = l->stride,
                                .conjugated = trans == CUBLAS_OP_C};
}

static cublasStatus_t sizes(const struct lt_operands *o, struct lt_plan *plan)
{
    bool turned_a = o->product->transa != CUBLAS_OP_N, turned_b = o->product->transb != CUBLAS_OP_N;
    uint64_t m = turned_a ? o->a->columns : o->a->rows, k = turned_a ? o->a->rows : o->a->columns,
             other = turned_b ? o->b->columns : o->b->rows,
             n = turned_b ? o->b->rows : o->b->columns;
    if (k != other || o->d->rows != m || o->d->columns != n || o->c->rows != m ||
        o->c->columns != n)
        WRONG("op(A) is %llu x %llu, op(B) %llu x %llu, C %llu x %llu, D %llu x %llu",
              (unsigned long long)m, (unsigned long long)k, (unsigned long long)other,
              (unsigned long long)n, (unsigned long long)o->c->rows,
              (unsigned long long)o->c->columns, (unsigned long long)o->d->rows,
              (unsigned long long)o->d->columns);
    plan->batch = o->d->batch;
    if (o->a->batch != plan->batch || o->b->batch != plan->batch || o->c->batch != plan->batch ||
        plan->batch < 0)
        WRONG("batch counts %d, %d, %d and %d of A, B, C and D", o->a->batch, o->b->batch,
              o->c->batch, plan->batch);
    plan->k = (int)k;
    plan->m = (int)(plan->exchanged ? n : m);
    plan->n = (int)(plan->exchanged ? m : n);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_plan(const struct lt_operands *o, struct lt_plan *plan)
{
    const struct mix *mix = NULL;
    const struct lt_product *p = o->product;
    *plan = (struct lt_plan){.exchanged = o->d->order == CUBLASLT_ORDER_ROW};
    enum library_precision factor;
    cublasStatus_t status = modes(p);
    status = status ? status : choose(o, &mix);
    status = status ? status : epilogue(o, mix, &plan->after);
    status = status ? status : lt_shape(CALL, o->a, "A");
    status = status ? status : lt_shape(CALL, o->b, "B");
    status = status ? status : lt_shape(CALL, o->c, "C");
    status = status ? status : lt_shape(CALL, o->d, "D");
    status = status ? status : sizes(o, plan);
    if (status)
        return status;
    struct blas_matrix a = lt_view(o->a, (cublasOperation_t)p->transa, plan->exchanged),
                       b = lt_view(o->b, (cublasOperation_t)p->transb, plan->exchanged);
    plan->a = plan->exchanged ? b : a;
    plan->b = plan->exchanged ? a : b;
    plan->c = lt_view(o->c, CUBLAS_OP_N, plan->exchanged);
    plan->ldd = (int)o->d->ld;
    plan->stride_d = o->d->stride;
    plan->after.by_column = plan->exchanged;
    if (!blas_precision(mix->factor, &factor))
        return CUBLAS_STATUS_INTERNAL_ERROR;
    plan->factor = blas_bytes(factor);
    const struct blas_gemm g = {.m = plan->m, .n = plan->n, .batch = plan->batch};
    plan->side = blas_tile(&g, factor);
    snprintf(plan->kernel, sizeof plan->kernel, "%s_%s",
             plan->side == GEMM_SMALL ? "small" : "large", mix->kernel);
    return CUBLAS_STATUS_SUCCESS;
}
