/* Layouts, products and preferences: made, changed, read. */
#include <stdlib.h>

#include "sw/cuda/blaslt/lt.h"

static const struct lt_attribute layout_list[] = {
    LT_AT(lt_layout, MATRIX_LAYOUT_TYPE, type),
    LT_AT(lt_layout, MATRIX_LAYOUT_ORDER, order),
    LT_AT(lt_layout, MATRIX_LAYOUT_ROWS, rows),
    LT_AT(lt_layout, MATRIX_LAYOUT_COLS, columns),
    LT_AT(lt_layout, MATRIX_LAYOUT_LD, ld),
    LT_AT(lt_layout, MATRIX_LAYOUT_BATCH_COUNT, batch),
    LT_AT(lt_layout, MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, stride),
    LT_AT(lt_layout, MATRIX_LAYOUT_PLANE_OFFSET, plane),
};
static const struct lt_attributes layouts = LT_ATTRIBUTES("matrix layout", layout_list);

static const struct lt_attribute product_list[] = {
    LT_AT(lt_product, MATMUL_DESC_COMPUTE_TYPE, compute),
    LT_AT(lt_product, MATMUL_DESC_SCALE_TYPE, scale),
    LT_AT(lt_product, MATMUL_DESC_POINTER_MODE, pointers),
    LT_AT(lt_product, MATMUL_DESC_TRANSA, transa),
    LT_AT(lt_product, MATMUL_DESC_TRANSB, transb),
    LT_AT(lt_product, MATMUL_DESC_TRANSC, transc),
    LT_AT(lt_product, MATMUL_DESC_FILL_MODE, fill),
    LT_AT(lt_product, MATMUL_DESC_EPILOGUE, epilogue),
    LT_AT(lt_product, MATMUL_DESC_BIAS_POINTER, bias),
    LT_AT(lt_product, MATMUL_DESC_BIAS_BATCH_STRIDE, bias_stride),
    LT_AT(lt_product, MATMUL_DESC_EPILOGUE_AUX_POINTER, auxiliary),
    LT_AT(lt_product, MATMUL_DESC_EPILOGUE_AUX_LD, auxiliary_ld),
    LT_AT(lt_product, MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, auxiliary_stride),
    LT_AT(lt_product, MATMUL_DESC_A_SCALE_POINTER, scale_a),
    LT_AT(lt_product, MATMUL_DESC_B_SCALE_POINTER, scale_b),
    LT_AT(lt_product, MATMUL_DESC_C_SCALE_POINTER, scale_c),
    LT_AT(lt_product, MATMUL_DESC_D_SCALE_POINTER, scale_d),
    LT_AT(lt_product, MATMUL_DESC_AMAX_D_POINTER, greatest_d),
    LT_AT(lt_product, MATMUL_DESC_FAST_ACCUM, fast),
    LT_AT(lt_product, MATMUL_DESC_BIAS_DATA_TYPE, bias_type),
};
static const struct lt_attributes products = LT_ATTRIBUTES("product", product_list);

static const struct lt_attribute transform_list[] = {
    LT_AT(lt_transform, MATRIX_TRANSFORM_DESC_SCALE_TYPE, scale),
    LT_AT(lt_transform, MATRIX_TRANSFORM_DESC_POINTER_MODE, pointers),
    LT_AT(lt_transform, MATRIX_TRANSFORM_DESC_TRANSA, transa),
    LT_AT(lt_transform, MATRIX_TRANSFORM_DESC_TRANSB, transb),
};
static const struct lt_attributes transforms = LT_ATTRIBUTES("transform", transform_list);

static const struct lt_attribute preference_list[] = {
    LT_AT(lt_preference, MATMUL_PREF_SEARCH_MODE, search),
    LT_AT(lt_preference, MATMUL_PREF_MAX_WORKSPACE_BYTES, workspace),
    LT_AT(lt_preference, MATMUL_PREF_REDUCTION_SCHEME_MASK, reduction),
    LT_AT(lt_preference, MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, align_a),
    LT_AT(lt_preference, MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, align_b),
    LT_AT(lt_preference, MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, align_c),
    LT_AT(lt_preference, MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, align_d),
    LT_AT(lt_preference, MATMUL_PREF_MAX_WAVES_COUNT, waves),
    LT_AT(lt_preference, MATMUL_PREF_POINTER_MODE_MASK, pointers),
    LT_AT(lt_preference, MATMUL_PREF_EPILOGUE_MASK, epilogues),
    LT_AT(lt_preference, MATMUL_PREF_IMPL_MASK, implementations),
};
static const struct lt_attributes preferences = LT_ATTRIBUTES("preference", preference_list);

cublasStatus_t cublasLtMatrixLayoutInit(cublasLtMatrixLayout_t layout, cudaDataType type,
                                        uint64_t rows, uint64_t cols, int64_t ld)
{
    BLAS_VALID(layout);
    *lt_layout(layout) = (struct lt_layout){
        .type = (uint32_t)type, .rows = rows, .columns = cols, .ld = ld, .batch = 1};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescInit(cublasLtMatmulDesc_t product, cublasComputeType_t compute,
                                      cudaDataType scale)
{
    BLAS_VALID(product);
    *lt_product(product) = (struct lt_product){.compute = (int32_t)compute,
                                               .scale = (int32_t)scale,
                                               .fill = CUBLAS_FILL_MODE_FULL,
                                               .epilogue = CUBLASLT_EPILOGUE_DEFAULT,
                                               .bias_type = -1};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixTransformDescInit(cublasLtMatrixTransformDesc_t transform,
                                               cudaDataType scale)
{
    BLAS_VALID(transform);
    *lt_transform(transform) = (struct lt_transform){.scale = (int32_t)scale};
    return CUBLAS_STATUS_SUCCESS;
}

/* What any address has that comes from cudaMalloc. */
#define ALIGNED 256

cublasStatus_t cublasLtMatmulPreferenceInit(cublasLtMatmulPreference_t preference)
{
    BLAS_VALID(preference);
    *lt_preference(preference) = (struct lt_preference){.reduction = ~0u,
                                                        .align_a = ALIGNED,
                                                        .align_b = ALIGNED,
                                                        .align_c = ALIGNED,
                                                        .align_d = ALIGNED,
                                                        .pointers = ~0u,
                                                        .epilogues = ~0u,
                                                        .implementations = ~0ull};
    return CUBLAS_STATUS_SUCCESS;
}

static cublasStatus_t keep(void *made)
{
    bool kept = made && library_keep(made);
    if (!kept)
        free(made);
    return kept ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

/* *to = what Init has filled */
#define CREATE(to, init)                                                                           \
    BLAS_VALID(to);                                                                                \
    *(to) = calloc(1, sizeof **(to));                                                              \
    cublasStatus_t status_ = keep(*(to));                                                          \
    return status_ ? status_ : init

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type,
                                          uint64_t rows, uint64_t cols, int64_t ld)
{
    CREATE(layout, cublasLtMatrixLayoutInit(*layout, type, rows, cols, ld));
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *product, cublasComputeType_t compute,
                                        cudaDataType scale)
{
    CREATE(product, cublasLtMatmulDescInit(*product, compute, scale));
}

cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t *transform,
                                                 cudaDataType scale)
{
    CREATE(transform, cublasLtMatrixTransformDescInit(*transform, scale));
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference)
{
    CREATE(preference, cublasLtMatmulPreferenceInit(*preference));
}

/* What all have. What a program has initialised in its own memory is not destroyed. */
#define DESCRIPTION(name, type, attributes, number)                                                \
    cublasStatus_t name##Destroy(type it)                                                          \
    {                                                                                              \
        BLAS_VALID(!it || library_knows(it));                                                      \
        library_forget(it);                                                                        \
        free(it);                                                                                  \
        return CUBLAS_STATUS_SUCCESS;                                                              \
    }                                                                                              \
    cublasStatus_t name##SetAttribute(type it, number attribute, const void *value, size_t bytes)  \
    {                                                                                              \
        return lt_set(&(attributes), it, (int)attribute, value, bytes);                            \
    }                                                                                              \
    cublasStatus_t name##GetAttribute(type it, number attribute, void *value, size_t bytes,        \
                                      size_t *written)                                             \
    {                                                                                              \
        return lt_get(&(attributes), it, (int)attribute, value, bytes, written);                   \
    }
DESCRIPTION(cublasLtMatrixLayout, cublasLtMatrixLayout_t, layouts, cublasLtMatrixLayoutAttribute_t)
DESCRIPTION(cublasLtMatmulDesc, cublasLtMatmulDesc_t, products, cublasLtMatmulDescAttributes_t)
DESCRIPTION(cublasLtMatrixTransformDesc, cublasLtMatrixTransformDesc_t, transforms,
            cublasLtMatrixTransformDescAttributes_t)
DESCRIPTION(cublasLtMatmulPreference, cublasLtMatmulPreference_t, preferences,
            cublasLtMatmulPreferenceAttributes_t)
