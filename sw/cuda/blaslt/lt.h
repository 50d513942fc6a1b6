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
    uint32_t pointers, epilogues;
    uint64_t implementations;
};

/* A way to compute products of one row of lt_mixes. */
struct lt_algorithm {
    uint32_t mark; /* LT_ALGORITHM: Init or the heuristic has filled it */
    int32_t id;
    uint32_t mix, tile; /* cublasLtMatmulTile_t */
    int32_t splits;     /* of k; 0 and 1: none */
    uint32_t reduction, swizzling, option, stages;
};
#define LT_ALGORITHM 0x616c676f

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
LT_PLACE(struct lt_algorithm, cublasLtMatmulAlgo_t, lt_algorithm)

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

/* Descriptions' lists of those. */
#define LT_AT(type, number, member)                                                                \
    {                                                                                              \
        CUBLASLT_##number, offsetof(struct type, member), sizeof(((struct type *)NULL)->member)    \
    }
#define LT_ATTRIBUTES(name, list)                                                                  \
    {                                                                                              \
        name, list, sizeof(list) / sizeof *(list)                                                  \
    }

/* The kernels' struct epilogue. */
struct lt_epilogue {
    const void *bias;
    long long stride;
    int by_column, activation;
    const void *auxiliary;
    long long ld, apart;
};

/* The kernels' struct planes or struct ordered; others take its matrix alone. */
struct lt_matrix {
    struct blas_matrix matrix;
    long long form; /* distance of planes, or an order of blocks */
};

/* The kernels' struct target, struct plane_target and struct ordered_target: distances of columns,
 * products and rows. */
struct lt_target {
    void *data;
    long long ld, stride, step, form;
};

/* mixes.c: the types of a and b, of c and d, of sums and of factors; how kernels' names end. */
struct lt_mix {
    cudaDataType of_ab, of_cd;
    cublasComputeType_t compute;
    cudaDataType factor;
    const char *kernel;
    size_t unit; /* bytes of what distances in a and b count */
    unsigned int flags;
    const char *sums_ab, *sums_d; /* kernels of gradients of a bias, or NULL */
};
enum lt_flags {
    LT_EPILOGUES = 1,
    LT_SPLITS = 2, /* d holds sums of parts */
    LT_PLANES = 4, /* complex numbers in planes */
    LT_BLOCKS = 8  /* orders of blocks: COL32 and others */
};
extern const struct lt_mix lt_mixes[];
/* The row of these types, or the number of rows. */
struct lt_types {
    uint32_t a, b, c, d; /* cudaDataType */
    int32_t compute, factor;
};
uint32_t lt_mix_of(const struct lt_types *types);
uint32_t lt_mix_count(void);

/* epilogues.c: what cublasLtEpilogue_t asks for. */
struct lt_after {
    uint32_t epilogue;
    int activation;
    bool bias, auxiliary;
    enum { GRADIENT_NONE, GRADIENT_A, GRADIENT_B, GRADIENT_D } gradient;
};
struct lt_operands {
    const struct lt_product *product;
    const struct lt_layout *a, *b, *c, *d;
};
struct lt_plan;
/* These two say on stderr why there is none. */
cublasStatus_t lt_epilogue(const struct lt_operands *o, const struct lt_mix *mix,
                           struct lt_plan *plan);
/* A bit for each that products of `mix` may have. */
uint32_t lt_epilogue_mask(const struct lt_mix *mix);
/* After the product, whose a, b and d `plan` has: sums the gradient, if it has one. */
cublasStatus_t lt_gradient(cublasLtHandle_t handle, const struct lt_plan *plan,
                           cudaStream_t stream);

/* plan.c: a product, ready for its kernel. */
struct lt_plan {
    char kernel[24], gradient[16]; /* its kernel's name, or "" */
    const struct lt_mix *mix;
    unsigned int side; /* of a block's tile */
    size_t factor;     /* bytes of alpha and of beta */
    int m, n, k, batch;
    int piece; /* of k, for a launch */
    struct lt_matrix a, b, c;
    struct lt_target d;
    bool exchanged; /* the transpose of d is computed: what a and b are is exchanged */
    struct lt_epilogue after;
    struct lt_matrix from; /* whose rows the gradient sums */
    int rows, columns, of; /* of that; its GRADIENT_... */
    void *sums;
    long long sums_stride;
};
/* They say on stderr why there is none, or what a call does not take. `forms`: LT_PLANES and
 * LT_BLOCKS that may be there. */
cublasStatus_t lt_shape(const char *call, const struct lt_layout *l, const char *name,
                        unsigned int forms);
/* Without an algorithm the best one. */
cublasStatus_t lt_plan(const struct lt_operands *o, const struct lt_algorithm *algorithm,
                       struct lt_plan *plan);
dim3 lt_grid(const struct lt_plan *plan);

/* algorithms.c: the side of a tile, or 0: there is no such tile for products of `mix`. */
unsigned int lt_side(uint32_t tile, const struct lt_mix *mix);

/* op of a matrix without its data, or with `turned` the transpose of that. */
struct lt_matrix lt_view(const struct lt_layout *l, cublasOperation_t trans, bool turned,
                         unsigned int forms);
/* A matrix to write, or where it is by rows its transpose. */
struct lt_target lt_target(const struct lt_layout *l, unsigned int forms);
/* A scalar of so many bytes, where the pointer mode says. */
struct blas_factor lt_factor(int32_t pointers, size_t bytes, const void *scalar);

#pragma GCC visibility pop

#endif
