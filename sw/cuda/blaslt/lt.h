/* Inside cuBLASLt: what lies in its descriptions, and their attributes. */
#ifndef EVGPU_CUDA_BLASLT_LT_H
#define EVGPU_CUDA_BLASLT_LT_H

#include "sw/cuda/blas/blas.h"
#include "sw/cuda/include/cublasLt.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

struct cublasLtContext {
    struct library library;
};

struct lt_layout {
    uint32_t type; /* cudaDataType */
    int32_t order;
    uint64_t rows, columns;
    int64_t ld;
    int32_t batch;
    int64_t stride, plane;
};

struct lt_product {
    int32_t compute, scale; /* cublasComputeType_t, cudaDataType */
    int32_t pointers, transa, transb, transc, fill;
    uint32_t epilogue;
    const void *bias;
    int64_t bias_stride;
    const void *auxiliary;
    int64_t auxiliary_ld, auxiliary_stride;
    const void *scale_a, *scale_b, *scale_c, *scale_d, *greatest_d;
    int8_t fast;
    int32_t bias_type; /* cudaDataType, or -1: D's */
};

struct lt_transform {
    int32_t scale; /* cudaDataType */
    int32_t pointers, transa, transb;
};

struct lt_preference {
    uint32_t search;
    uint64_t workspace;
    uint32_t reduction, align_a, align_b, align_c, align_d;
    float waves;
};

/* Their places in what programs hold. */
#define LT_PLACE(type, opaque, name)                                                               \
    _Static_assert(sizeof(type) <= sizeof(opaque), "a description fits");                          \
    static inline type *name(opaque *from)                                                         \
    {                                                                                              \
        return (type *)(void *)from;                                                               \
    }
LT_PLACE(struct lt_layout, cublasLtMatrixLayoutOpaque_t, lt_layout)
LT_PLACE(struct lt_product, cublasLtMatmulDescOpaque_t, lt_product)
LT_PLACE(struct lt_transform, cublasLtMatrixTransformDescOpaque_t, lt_transform)
LT_PLACE(struct lt_preference, cublasLtMatmulPreferenceOpaque_t, lt_preference)

/* attributes.c: the members of a description, by their numbers. */
struct lt_attribute {
    int number;
    size_t offset, bytes;
};
struct lt_attributes {
    const char *of; /* for messages */
    const struct lt_attribute *list;
    size_t count;
};
cublasStatus_t lt_set(const struct lt_attributes *attributes, void *to, int number,
                      const void *value, size_t bytes);
cublasStatus_t lt_get(const struct lt_attributes *attributes, const void *from, int number,
                      void *value, size_t bytes, size_t *written);

/* The kernels' struct epilogue. */
struct lt_epilogue {
    const void *bias;
    long long stride;
    int by_column, activation;
};

/* plan.c: a product, ready for its kernel. */
struct lt_plan {
    char kernel[24];
    unsigned int side; /* of a block's tile */
    size_t factor;     /* bytes of alpha and of beta */
    int m, n, k, batch, ldd;
    struct blas_matrix a, b, c;
    long long stride_d;
    bool exchanged; /* the transpose of d is computed: what a and b are is exchanged */
    struct lt_epilogue after;
};
struct lt_operands {
    const struct lt_product *product;
    const struct lt_layout *a, *b, *c, *d;
};
/* These say on stderr why there is none, or what a call does not take. */
cublasStatus_t lt_shape(const char *call, const struct lt_layout *l, const char *name);
cublasStatus_t lt_plan(const struct lt_operands *o, struct lt_plan *plan);

/* op of a matrix without its data, or with `turned` the transpose of that. */
struct blas_matrix lt_view(const struct lt_layout *l, cublasOperation_t trans, bool turned);
/* A scalar of so many bytes, where the pointer mode says. */
struct blas_factor lt_factor(int32_t pointers, size_t bytes, const void *scalar);

#pragma GCC visibility pop

#endif
