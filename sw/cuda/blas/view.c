/* Matrices as kernels see them. */
#include "sw/cuda/blas/blas.h"

struct blas_matrix blas_turned(cublasOperation_t trans, const void *data, int ld)
{
    bool plain = trans == CUBLAS_OP_N;
    return (struct blas_matrix){.data = data,
                                .row = plain ? 1 : ld,
                                .column = plain ? ld : 1,
                                .conjugated = trans == CUBLAS_OP_C};
}

bool blas_half_valid(const struct blas_half *half)
{
    return blas_is_fill(half->uplo) && half->n >= 0 &&
           (half->form != HALF_FULL || blas_fits(half->ld, half->n)) &&
           (half->form != HALF_BAND || (half->k >= 0 && half->ld > half->k));
}

struct blas_view blas_view(enum library_precision precision, const struct blas_half *half,
                           enum blas_mirror mirror)
{
    bool lower = half->uplo == CUBLAS_FILL_MODE_LOWER, both = mirror != MIRROR_NONE;
    int reach = half->form == HALF_BAND && half->k < half->n ? half->k : half->n;
    struct blas_view view = {
        .all = blas_turned(CUBLAS_OP_N, half->a, half->ld),
        .n = half->n,
        .below = lower || both ? reach : 0,
        .above = lower && !both ? 0 : reach,
        .half = both ? blas_fill(half->uplo) : FILL_FULL,
        .mirror = mirror,
    };
    if (half->form == HALF_PACKED) {
        view.packing = lower ? PACKED_LOWER : PACKED_UPPER;
        view.all.column = 0;
    }
    if (half->form == HALF_BAND) { /* diagonals are rows */
        view.all.column = half->ld - 1;
        if (!lower)
            view.all.data = (const char *)half->a + (size_t)half->k * blas_bytes(precision);
    }
    return view;
}

void blas_turn(struct blas_view *view, cublasOperation_t trans)
{
    struct blas_view old = *view;
    if (trans == CUBLAS_OP_N)
        return;
    view->all.row = old.all.column;
    view->all.column = old.all.row;
    view->all.conjugated ^= trans == CUBLAS_OP_C;
    view->below = old.above;
    view->above = old.below;
}
