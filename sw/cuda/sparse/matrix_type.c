/* Types of matrices. */
#include <stdlib.h>

#include "sw/cuda/sparse/sparse.h"

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *descr)
{
    SPARSE_VALID(descr);
    *descr = calloc(1, sizeof **descr);
    return sparse_keep(*descr);
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descr)
{
    SPARSE_VALID(!descr || library_knows(descr));
    library_forget(descr);
    free(descr);
    return CUSPARSE_STATUS_SUCCESS;
}

static bool is_type(cusparseMatrixType_t type)
{
    return (unsigned int)type <= CUSPARSE_MATRIX_TYPE_TRIANGULAR;
}

/* A member with its setter and getter. */
#define MEMBER(Name, type_t, member, is)                                                           \
    cusparseStatus_t cusparseSetMat##Name(cusparseMatDescr_t descr, type_t member)                 \
    {                                                                                              \
        SPARSE_VALID(library_knows(descr) && is(member));                                          \
        descr->member = member;                                                                    \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    type_t cusparseGetMat##Name(const cusparseMatDescr_t descr)                                    \
    {                                                                                              \
        return library_knows(descr) ? descr->member : (type_t)0;                                   \
    }
MEMBER(Type, cusparseMatrixType_t, type, is_type)
MEMBER(FillMode, cusparseFillMode_t, fill, sparse_is_fill)
MEMBER(DiagType, cusparseDiagType_t, diag, sparse_is_diag)
MEMBER(IndexBase, cusparseIndexBase_t, base, sparse_is_base)
