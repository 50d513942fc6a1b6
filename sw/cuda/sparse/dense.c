/* Dense operands of products and solutions. */
#include "sw/cuda/sparse/sparse.h"

struct sparse_dense sparse_of_vector(cusparseDnVecDescr_t vector)
{
    return (struct sparse_dense){.lines = {.data = vector->values, .element = 1, .next = 0},
                                 .rows = vector->size,
                                 .columns = 1,
                                 .type = vector->type};
}

struct sparse_dense sparse_of_matrix(cusparseDnMatDescr_t matrix, cusparseOperation_t op)
{
    bool plain = op == CUSPARSE_OPERATION_NON_TRANSPOSE;
    bool along = (matrix->order == CUSPARSE_ORDER_COL) == plain;
    return (struct sparse_dense){.lines = {.data = matrix->values,
                                           .element = along ? 1 : matrix->ld,
                                           .next = along ? matrix->ld : 1},
                                 .rows = plain ? matrix->rows : matrix->columns,
                                 .columns = plain ? matrix->columns : matrix->rows,
                                 .type = matrix->type};
}
