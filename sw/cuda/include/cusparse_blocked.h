/* cuSPARSE's matrices in blocks and slices: a part of cusparse.h, which includes it.
 *
 * They multiply vectors and matrices as they are (SpMV, SpMM; no transposes, no batches of them),
 * also as CUDA_R_16F with sums in CUDA_R_32F. SDDMM fills the blocks of BSR, DenseToSparse those of
 * Blocked-ELL; SpSV and SpSM solve triangles in slices. Other calls return
 * CUSPARSE_STATUS_NOT_SUPPORTED for them. */
#ifndef EVGPU_CUDA_CUSPARSE_BLOCKED_H
#define EVGPU_CUDA_CUSPARSE_BLOCKED_H

/* BSR: `offsets` of rows of blocks, the column of each block, and its elements in an order. */
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *matrix, int64_t block_rows,
                                   int64_t block_columns, int64_t blocks, int64_t height,
                                   int64_t width, void *offsets, void *indices, void *values,
                                   cusparseIndexType_t offset, cusparseIndexType_t index,
                                   cusparseIndexBase_t base, cudaDataType type,
                                   cusparseOrder_t order);
/* Sliced ELL: `height` rows share a slice, whose elements lie column after column; `size` elements
 * with the padding, whose column is -1. */
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t *matrix, int64_t rows,
                                         int64_t columns, int64_t nnz, int64_t size, int64_t height,
                                         void *offsets, void *indices, void *values,
                                         cusparseIndexType_t offset, cusparseIndexType_t index,
                                         cusparseIndexBase_t base, cudaDataType type);
/* Blocked-ELL: square blocks; each row has `stored` elements, row after row. The column of a block
 * that is not there is -1. */
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *matrix, int64_t rows,
                                          int64_t columns, int64_t side, int64_t stored,
                                          void *indices, void *values, cusparseIndexType_t index,
                                          cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                       int64_t *side, int64_t *stored, void **indices,
                                       void **values, cusparseIndexType_t *index,
                                       cusparseIndexBase_t *base, cudaDataType *type);

/* Before the generic calls: BSR with square blocks, whose elements lie by rows or by columns.
 * y = alpha a x + beta y; c = alpha a op(b) + beta c. */
#define CUSPARSE_EACH(R, T)                                                                        \
    cusparseStatus_t cusparse##R##bsrmv(                                                           \
        cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t op, int mb,    \
        int nb, int blocks, const T *alpha, const cusparseMatDescr_t descr, const T *values,       \
        const int *offsets, const int *indices, int side, const T *x, const T *beta, T *y);        \
    cusparseStatus_t cusparse##R##bsrmm(                                                           \
        cusparseHandle_t handle, cusparseDirection_t direction, cusparseOperation_t op,            \
        cusparseOperation_t op_b, int mb, int n, int kb, int blocks, const T *alpha,               \
        const cusparseMatDescr_t descr, const T *values, const int *offsets, const int *indices,   \
        int side, const T *b, int ldb, const T *beta, T *c, int ldc);
CUSPARSE_EACH(S, float)
CUSPARSE_EACH(D, double)
#undef CUSPARSE_EACH

#endif
