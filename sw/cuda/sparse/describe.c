/* Descriptions of vectors and matrices. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/sparse/sparse.h"

/* Gives the caller a description of its own. */
static cusparseStatus_t give(void *to, const void *description, size_t size)
{
    void *made = malloc(size);
    SPARSE_CHECK(made, CUSPARSE_STATUS_ALLOC_FAILED);
    memcpy(made, description, size);
    memcpy(to, &made, sizeof made);
    return sparse_keep(made);
}

#define DESTROY(Type, what)                                                                        \
    cusparseStatus_t cusparseDestroy##Type(cusparse##Type##Descr_t what)                           \
    {                                                                                              \
        SPARSE_VALID(library_knows(what));                                                         \
        library_forget(what);                                                                      \
        free(what);                                                                                \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparse##Type##GetValues(cusparse##Type##Descr_t what, void **values)        \
    {                                                                                              \
        SPARSE_VALID(library_knows(what) && values);                                               \
        *values = what->values;                                                                    \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }                                                                                              \
    cusparseStatus_t cusparse##Type##SetValues(cusparse##Type##Descr_t what, void *values)         \
    {                                                                                              \
        SPARSE_VALID(library_knows(what) && values);                                               \
        what->values = values;                                                                     \
        return CUSPARSE_STATUS_SUCCESS;                                                            \
    }
DESTROY(DnVec, vector)
DESTROY(SpVec, vector)
DESTROY(DnMat, matrix)
DESTROY(SpMat, matrix)

/* Results that the caller wants have a place. */
#define PUT(place, value)                                                                          \
    do {                                                                                           \
        if (place)                                                                                 \
            *(place) = (value);                                                                    \
    } while (0)

static bool is_index(cusparseIndexType_t index)
{
    return index == CUSPARSE_INDEX_32I || index == CUSPARSE_INDEX_64I;
}

static cusparseIndexType_t index_type(bool wide)
{
    return wide ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
}

/* --- vectors -----------------------------------------------------------------------------------
 */

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                     cudaDataType type)
{
    SPARSE_VALID(vector && size >= 0);
    struct cusparseDnVecDescr of = {.size = size, .values = values, .type = type};
    return give(vector, &of, sizeof of);
}

cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t vector, int64_t *size, void **values,
                                  cudaDataType *type)
{
    SPARSE_VALID(library_knows(vector));
    PUT(size, vector->size);
    PUT(values, vector->values);
    PUT(type, vector->type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, int64_t size, int64_t nnz,
                                     void *indices, void *values, cusparseIndexType_t index,
                                     cusparseIndexBase_t base, cudaDataType type)
{
    SPARSE_VALID(vector && size >= 0 && nnz >= 0 && nnz <= size && sparse_is_base(base));
    SPARSE_SUPPORTED(is_index(index) && size <= INT_MAX);
    struct cusparseSpVecDescr of = {.size = size,
                                    .nnz = nnz,
                                    .indices = indices,
                                    .values = values,
                                    .index = index,
                                    .base = base,
                                    .type = type};
    return give(vector, &of, sizeof of);
}

cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t vector, int64_t *size, int64_t *nnz,
                                  void **indices, void **values, cusparseIndexType_t *index,
                                  cusparseIndexBase_t *base, cudaDataType *type)
{
    SPARSE_VALID(library_knows(vector));
    PUT(size, vector->size);
    PUT(nnz, vector->nnz);
    PUT(indices, vector->indices);
    PUT(values, vector->values);
    PUT(index, vector->index);
    PUT(base, vector->base);
    PUT(type, vector->type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseSpVecDescr_t vector, cusparseIndexBase_t *base)
{
    SPARSE_VALID(library_knows(vector) && base);
    *base = vector->base;
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- dense matrices ----------------------------------------------------------------------------
 */

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns,
                                     int64_t ld, void *values, cudaDataType type,
                                     cusparseOrder_t order)
{
    SPARSE_VALID(matrix && rows >= 0 && columns >= 0);
    SPARSE_VALID(order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW);
    SPARSE_VALID(ld >= (order == CUSPARSE_ORDER_COL ? rows : columns));
    struct cusparseDnMatDescr of = {
        .rows = rows, .columns = columns, .ld = ld, .values = values, .type = type, .order = order};
    return give(matrix, &of, sizeof of);
}

cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                  int64_t *ld, void **values, cudaDataType *type,
                                  cusparseOrder_t *order)
{
    SPARSE_VALID(library_knows(matrix));
    PUT(rows, matrix->rows);
    PUT(columns, matrix->columns);
    PUT(ld, matrix->ld);
    PUT(values, matrix->values);
    PUT(type, matrix->type);
    PUT(order, matrix->order);
    return CUSPARSE_STATUS_SUCCESS;
}

/* --- sparse matrices ---------------------------------------------------------------------------
 */

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    SPARSE_VALID(matrix && rows >= 0 && columns >= 0 && nnz >= 0 && sparse_is_base(base));
    SPARSE_SUPPORTED(is_index(offset) && is_index(index));
    SPARSE_SUPPORTED(rows < INT_MAX && columns < INT_MAX && nnz < INT_MAX);
    struct cusparseSpMatDescr of = {.format = CUSPARSE_FORMAT_CSR,
                                    .wide_offsets = offset == CUSPARSE_INDEX_64I,
                                    .wide_indices = index == CUSPARSE_INDEX_64I,
                                    .rows = rows,
                                    .columns = columns,
                                    .nnz = nnz,
                                    .offsets = offsets,
                                    .indices = indices,
                                    .values = values,
                                    .base = base,
                                    .type = type};
    return give(matrix, &of, sizeof of);
}

cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type)
{
    cusparseStatus_t status = cusparseCreateCsr(matrix, rows, columns, nnz, offsets, indices,
                                                values, offset, index, base, type);
    if (!status)
        (*matrix)->format = CUSPARSE_FORMAT_CSC;
    return status;
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns,
                                   int64_t nnz, void *of_rows, void *of_columns, void *values,
                                   cusparseIndexType_t index, cusparseIndexBase_t base,
                                   cudaDataType type)
{
    cusparseStatus_t status = cusparseCreateCsr(matrix, rows, columns, nnz, of_rows, of_columns,
                                                values, index, index, base, type);
    if (!status)
        (*matrix)->format = CUSPARSE_FORMAT_COO;
    return status;
}

cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                int64_t *nnz, void **offsets, void **indices, void **values,
                                cusparseIndexType_t *offset, cusparseIndexType_t *index,
                                cusparseIndexBase_t *base, cudaDataType *type)
{
    SPARSE_VALID(library_knows(matrix) && matrix->format == CUSPARSE_FORMAT_CSR);
    PUT(rows, matrix->rows);
    PUT(columns, matrix->columns);
    PUT(nnz, matrix->nnz);
    PUT(offsets, matrix->offsets);
    PUT(indices, matrix->indices);
    PUT(values, matrix->values);
    PUT(offset, index_type(matrix->wide_offsets));
    PUT(index, index_type(matrix->wide_indices));
    PUT(base, matrix->base);
    PUT(type, matrix->type);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                int64_t *nnz, void **of_rows, void **of_columns, void **values,
                                cusparseIndexType_t *index, cusparseIndexBase_t *base,
                                cudaDataType *type)
{
    SPARSE_VALID(library_knows(matrix) && matrix->format == CUSPARSE_FORMAT_COO);
    PUT(of_rows, matrix->offsets);
    PUT(of_columns, matrix->indices);
    PUT(values, matrix->values);
    PUT(index, index_type(matrix->wide_indices));
    PUT(base, matrix->base);
    PUT(type, matrix->type);
    return cusparseSpMatGetSize(matrix, rows, columns, nnz);
}

static cusparseStatus_t set_pointers(cusparseSpMatDescr_t matrix, cusparseFormat_t format,
                                     void *offsets, void *indices, void *values)
{
    SPARSE_VALID(library_knows(matrix) && matrix->format == format && offsets && indices && values);
    matrix->offsets = offsets;
    matrix->indices = indices;
    matrix->values = values;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_CSR, offsets, indices, values);
}

cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void *offsets, void *indices,
                                        void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_CSC, offsets, indices, values);
}

cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *of_rows,
                                        void *of_columns, void *values)
{
    return set_pointers(matrix, CUSPARSE_FORMAT_COO, of_rows, of_columns, values);
}

cusparseStatus_t cusparseSpMatGetSize(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                      int64_t *nnz)
{
    SPARSE_VALID(library_knows(matrix));
    PUT(rows, matrix->rows);
    PUT(columns, matrix->columns);
    PUT(nnz, matrix->nnz);
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetFormat(cusparseSpMatDescr_t matrix, cusparseFormat_t *format)
{
    SPARSE_VALID(library_knows(matrix) && format);
    *format = matrix->format;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetIndexBase(cusparseSpMatDescr_t matrix, cusparseIndexBase_t *base)
{
    SPARSE_VALID(library_knows(matrix) && base);
    *base = matrix->base;
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size)
{
    SPARSE_VALID(library_knows(matrix) && data);
    if (attribute == CUSPARSE_SPMAT_FILL_MODE) {
        SPARSE_VALID(size == sizeof matrix->fill);
        memcpy(data, &matrix->fill, size);
    } else {
        SPARSE_VALID(attribute == CUSPARSE_SPMAT_DIAG_TYPE && size == sizeof matrix->diag);
        memcpy(data, &matrix->diag, size);
    }
    return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size)
{
    SPARSE_VALID(library_knows(matrix) && data);
    if (attribute == CUSPARSE_SPMAT_FILL_MODE) {
        SPARSE_VALID(size == sizeof matrix->fill && sparse_is_fill(*(cusparseFillMode_t *)data));
        memcpy(&matrix->fill, data, size);
    } else {
        SPARSE_VALID(attribute == CUSPARSE_SPMAT_DIAG_TYPE && size == sizeof matrix->diag);
        SPARSE_VALID(sparse_is_diag(*(cusparseDiagType_t *)data));
        memcpy(&matrix->diag, data, size);
    }
    return CUSPARSE_STATUS_SUCCESS;
}
