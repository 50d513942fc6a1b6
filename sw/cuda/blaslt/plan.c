/* From a description of a product to its kernel and that kernel's matrices. */
#include <limits.h>
#include <stdio.h>

#include "sw/cuda/blaslt/lt.h"

#define CALL "cublasLtMatmul"

/* Returns the status, which the line on stderr explains. */
#define REFUSE(status, ...)                                                                        \
    do {                                                                                           \
        evc_explain(CUDA_ERROR_NOT_SUPPORTED, CALL ": " __VA_ARGS__);                              \
        return (status);                                                                           \
    } while (0)
#define UNSUPPORTED(...) REFUSE(CUBLAS_STATUS_NOT_SUPPORTED, __VA_ARGS__)
#define WRONG(...)       REFUSE(CUBLAS_STATUS_INVALID_VALUE, __VA_ARGS__)

static cublasStatus_t choose(const struct lt_operands *o, const struct lt_algorithm *algorithm,
                             struct lt_plan *plan)
{
    const struct lt_product *p = o->product;
    const struct lt_types types = {o->a->type, o->b->type, o->c->type,
                                   o->d->type, p->compute, p->scale};
    uint32_t mix = lt_mix_of(&types);
    if (types.a != types.b || types.c != types.d)
        UNSUPPORTED(
            "A and B are of types %u and %u, C and D of %u and %u; evgpu wants two equal pairs",
            types.a, types.b, types.c, types.d);
    if (mix == lt_mix_count())
        UNSUPPORTED("no kernel for A and B of type %u, D of type %u, compute type %d, scale type "
                    "%d (library_types.h, cublas_api.h)",
                    types.a, types.d, p->compute, p->scale);
    if (algorithm && algorithm->mix != mix)
        WRONG("the algorithm is for other types (see cublasLtMatmulAlgoInit)");
    plan->mix = &lt_mixes[mix];
    return CUBLAS_STATUS_SUCCESS;
}

/* The tile and the pieces of k. */
static cublasStatus_t divide(const struct lt_algorithm *algorithm, struct lt_plan *plan)
{
    const struct blas_gemm g = {.m = plan->m, .n = plan->n, .batch = plan->batch};
    enum library_precision factor;
    if (!blas_precision(plan->mix->factor, &factor))
        return CUBLAS_STATUS_INTERNAL_ERROR;
    plan->factor = blas_bytes(factor);
    plan->side = blas_tile(&g, factor);
    plan->piece = plan->k;
    if (algorithm && algorithm->tile)
        plan->side = lt_side(algorithm->tile, plan->mix);
    if (!plan->side)
        UNSUPPORTED("tile %u (cublasLtMatmulTile_t) is none of CUBLASLT_ALGO_CAP_TILE_IDS",
                    algorithm->tile);
    if (algorithm && (algorithm->stages || algorithm->option || algorithm->swizzling))
        UNSUPPORTED("stages %u, custom option %u, swizzling %u: the algorithm has 0 of each",
                    algorithm->stages, algorithm->option, algorithm->swizzling);
    if (algorithm && algorithm->splits > 1) {
        if (algorithm->reduction != CUBLASLT_REDUCTION_SCHEME_INPLACE ||
            !(plan->mix->flags & LT_SPLITS))
            UNSUPPORTED("%d pieces of k with reduction scheme %u: the algorithm adds them in place "
                        "(1), and not to bytes",
                        algorithm->splits, algorithm->reduction);
        plan->piece = plan->k / algorithm->splits + (plan->k % algorithm->splits != 0);
    }
    snprintf(plan->kernel, sizeof plan->kernel, "%s_%s",
             plan->side == GEMM_SMALL ? "small" : "large", plan->mix->kernel);
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t modes(const struct lt_product *p)
{
    const struct {
        const void *pointer;
        const char *name;
    } absent[] = {{p->scale_a, "A_SCALE_POINTER"},
                  {p->scale_b, "B_SCALE_POINTER"},
                  {p->scale_c, "C_SCALE_POINTER"},
                  {p->scale_d, "D_SCALE_POINTER"},
                  {p->greatest_d, "AMAX_D_POINTER"}};
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

/* Bytes of a part of a complex number that may lie in planes, or 0. */
static int part_of(const struct lt_layout *l)
{
    bool halves = l->type == CUDA_C_16F || l->type == CUDA_C_16BF;
    return halves ? 2 : l->type == CUDA_C_32F ? 4 : 0;
}

static bool in_blocks(const struct lt_layout *l)
{
    return l->order != CUBLASLT_ORDER_COL && l->order != CUBLASLT_ORDER_ROW;
}

/* The elements that a leading dimension counts: a line, or 32 columns of whole blocks. */
static uint64_t line_of(const struct lt_layout *l)
{
    switch (l->order) {
    case CUBLASLT_ORDER_ROW:
        return l->columns;
    case CUBLASLT_ORDER_COL32:
        return l->rows * 32;
    case CUBLASLT_ORDER_COL4_4R2_8C:
        return (l->rows + 7) / 8 * 8 * 32;
    case CUBLASLT_ORDER_COL32_2R_4R4:
        return (l->rows + 31) / 32 * 32 * 32;
    default:
        return l->rows;
    }
}

cublasStatus_t lt_shape(const char *call, const struct lt_layout *l, const char *name,
                        unsigned int forms)
{
    const CUresult why = CUDA_ERROR_NOT_SUPPORTED;
    if (in_blocks(l) && (!(forms & LT_BLOCKS) || l->order < CUBLASLT_ORDER_COL ||
                         l->order > CUBLASLT_ORDER_COL32_2R_4R4)) {
        evc_explain(why,
                    "%s: order %d of %s; evgpu has CUBLASLT_ORDER_COL and CUBLASLT_ORDER_ROW, of "
                    "bytes with results of bytes and integers also COL32, COL4_4R2_8C and "
                    "COL32_2R_4R4",
                    call, l->order, name);
    } else if (l->plane && (!(forms & LT_PLANES) || !part_of(l) || l->plane % part_of(l))) {
        evc_explain(why,
                    "%s: %s has planes %lld bytes apart; evgpu has those of complex halves, and "
                    "of floats beside them, by whole parts",
                    call, name, (long long)l->plane);
    } else if (l->rows > INT_MAX || l->columns > INT_MAX || l->ld > INT_MAX) {
        evc_explain(why, "%s: %s has %llu x %llu elements; evgpu has sizes below 2^31", call, name,
                    (unsigned long long)l->rows, (unsigned long long)l->columns);
    } else if (l->ld < 1 || (uint64_t)l->ld < line_of(l)) {
        evc_explain(why, "%s: %s has leading dimension %lld and lines of %llu", call, name,
                    (long long)l->ld, (unsigned long long)line_of(l));
        return CUBLAS_STATUS_INVALID_VALUE;
    } else {
        return CUBLAS_STATUS_SUCCESS;
    }
    return CUBLAS_STATUS_NOT_SUPPORTED;
}

struct lt_matrix lt_view(const struct lt_layout *l, cublasOperation_t trans, bool turned,
                         unsigned int forms)
{
    bool by_rows = (l->order == CUBLASLT_ORDER_ROW) ^ (trans != CUBLAS_OP_N) ^ turned;
    const struct lt_target t = lt_target(l, forms);
    struct lt_matrix m = {.matrix = {.row = by_rows ? t.ld : t.step,
                                     .column = by_rows ? t.step : t.ld,
                                     .stride = t.stride,
                                     .conjugated = trans == CUBLAS_OP_C},
                          .form = t.form};
    if (in_blocks(l)) { /* of blocks, whether the matrix is turned, and what lies between them */
        m.matrix.row = by_rows;
        m.matrix.column = t.ld;
    }
    return m;
}

struct lt_target lt_target(const struct lt_layout *l, unsigned int forms)
{
    struct lt_target t = {.ld = l->ld, .stride = l->stride, .step = 1};
    if (in_blocks(l)) {
        t.step = 0;
        t.form = l->order;
    } else if (forms & LT_PLANES) {
        t.step = l->plane ? 1 : 2; /* parts to the next number */
        t.ld *= t.step;
        t.stride *= t.step;
        t.form = l->plane ? l->plane / part_of(l) : 1;
    }
    return t;
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

cublasStatus_t lt_plan(const struct lt_operands *o, const struct lt_algorithm *algorithm,
                       struct lt_plan *plan)
{
    const struct lt_product *p = o->product;
    *plan = (struct lt_plan){.exchanged = o->d->order == CUBLASLT_ORDER_ROW};
    cublasStatus_t status = modes(p);
    status = status ? status : choose(o, algorithm, plan);
    if (status)
        return status;
    const unsigned int forms = plan->mix->flags;
    status = lt_epilogue(o, plan->mix, plan);
    status = status ? status : lt_shape(CALL, o->a, "A", forms);
    status = status ? status : lt_shape(CALL, o->b, "B", forms);
    status = status ? status : lt_shape(CALL, o->c, "C", forms);
    status = status ? status : lt_shape(CALL, o->d, "D", forms);
    status = status ? status : sizes(o, plan);
    status = status ? status : divide(algorithm, plan);
    if (status)
        return status;
    if (plan->piece < plan->k && (in_blocks(o->a) || in_blocks(o->b)))
        UNSUPPORTED("k in pieces wants A and B by columns or rows");
    struct lt_matrix a = lt_view(o->a, (cublasOperation_t)p->transa, plan->exchanged, forms),
                     b = lt_view(o->b, (cublasOperation_t)p->transb, plan->exchanged, forms);
    plan->a = plan->exchanged ? b : a;
    plan->b = plan->exchanged ? a : b;
    plan->c = lt_view(o->c, CUBLAS_OP_N, plan->exchanged, forms);
    plan->d = lt_target(o->d, forms);
    plan->after.by_column = plan->exchanged;
    return CUBLAS_STATUS_SUCCESS;
}

dim3 lt_grid(const struct lt_plan *plan)
{
    return (dim3){library_blocks(plan->m, plan->side, ~0u),
                  library_blocks(plan->n, plan->side, ~0u), (unsigned int)plan->batch};
}
