/* Algorithms: found, made, configured, checked. There is one, with tiles of two sizes. */
#include <string.h>

#include "sw/cuda/blaslt/lt.h"

/* That of the tiled products among NVIDIA's. */
#define ID 10

static bool is_complex(const struct lt_mix *mix)
{
    return mix->factor == CUDA_C_32F || mix->factor == CUDA_C_64F;
}

static uint32_t large(const struct lt_mix *mix)
{
    return is_complex(mix) ? CUBLASLT_MATMUL_TILE_32x32 : CUBLASLT_MATMUL_TILE_64x64;
}

unsigned int lt_side(uint32_t tile, const struct lt_mix *mix)
{
    if (tile == CUBLASLT_MATMUL_TILE_16x16)
        return GEMM_SMALL;
    return tile != large(mix) ? 0 : is_complex(mix) ? GEMM_MIDDLE : GEMM_LARGE;
}

static const struct lt_attribute config_list[] = {
    LT_AT(lt_algorithm, ALGO_CONFIG_ID, id),
    LT_AT(lt_algorithm, ALGO_CONFIG_TILE_ID, tile),
    LT_AT(lt_algorithm, ALGO_CONFIG_SPLITK_NUM, splits),
    LT_AT(lt_algorithm, ALGO_CONFIG_REDUCTION_SCHEME, reduction),
    LT_AT(lt_algorithm, ALGO_CONFIG_CTA_SWIZZLING, swizzling),
    LT_AT(lt_algorithm, ALGO_CONFIG_CUSTOM_OPTION, option),
    LT_AT(lt_algorithm, ALGO_CONFIG_STAGES_ID, stages),
};
static const struct lt_attributes config = LT_ATTRIBUTES("algorithm", config_list);

/* What an algorithm can do. */
struct capabilities {
    int32_t splits, batches, out_of_place, halves, option, orders, negative;
    uint32_t reductions, swizzling, pointers, epilogues, aligned;
    uint64_t implementation;
    uint32_t tiles[2];
};
static const struct lt_attribute capability_list[] = {
    LT_AT(capabilities, ALGO_CAP_SPLITK_SUPPORT, splits),
    LT_AT(capabilities, ALGO_CAP_REDUCTION_SCHEME_MASK, reductions),
    LT_AT(capabilities, ALGO_CAP_CTA_SWIZZLING_SUPPORT, swizzling),
    LT_AT(capabilities, ALGO_CAP_STRIDED_BATCH_SUPPORT, batches),
    LT_AT(capabilities, ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT, out_of_place),
    LT_AT(capabilities, ALGO_CAP_UPLO_SUPPORT, halves),
    LT_AT(capabilities, ALGO_CAP_TILE_IDS, tiles),
    LT_AT(capabilities, ALGO_CAP_CUSTOM_OPTION_MAX, option),
    LT_AT(capabilities, ALGO_CAP_CUSTOM_MEMORY_ORDER, orders),
    LT_AT(capabilities, ALGO_CAP_POINTER_MODE_MASK, pointers),
    LT_AT(capabilities, ALGO_CAP_EPILOGUE_MASK, epilogues),
    LT_AT(capabilities, ALGO_CAP_LD_NEGATIVE, negative),
    LT_AT(capabilities, ALGO_CAP_NUMERICAL_IMPL_FLAGS, implementation),
    LT_AT(capabilities, ALGO_CAP_MIN_ALIGNMENT_A_BYTES, aligned),
    LT_AT(capabilities, ALGO_CAP_MIN_ALIGNMENT_B_BYTES, aligned),
    LT_AT(capabilities, ALGO_CAP_MIN_ALIGNMENT_C_BYTES, aligned),
    LT_AT(capabilities, ALGO_CAP_MIN_ALIGNMENT_D_BYTES, aligned),
};
static const struct lt_attributes capability =
    LT_ATTRIBUTES("algorithm's ability", capability_list);

/* Bits of CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS. */
static uint64_t implementation(const struct lt_mix *mix)
{
    const uint64_t sums =
        mix->compute == CUBLAS_COMPUTE_32I   ? CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32I
        : mix->compute == CUBLAS_COMPUTE_64F ? CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_64F
                                             : CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;
    uint64_t input = CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
    if (mix->of_ab == CUDA_R_64F || mix->of_ab == CUDA_C_64F)
        input = CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_64F;
    else if (mix->of_ab == CUDA_R_16F || mix->of_ab == CUDA_C_16F)
        input = CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F;
    else if (mix->of_ab == CUDA_R_16BF || mix->of_ab == CUDA_C_16BF)
        input = CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF;
    else if (mix->of_ab == CUDA_R_8I)
        input = CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_8I;
    return CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | sums | input;
}

static struct lt_algorithm made(uint32_t mix)
{
    return (struct lt_algorithm){.mark = LT_ALGORITHM, .id = ID, .mix = mix};
}

/* The row of these types; 0 and a line on stderr: there is none. */
static bool find(const struct lt_types *types, uint32_t *mix)
{
    *mix = lt_mix_of(types);
    if (*mix < lt_mix_count())
        return true;
    evc_explain(CUDA_ERROR_NOT_SUPPORTED,
                "cublasLt: no algorithm for types %u, %u, %u and %u of A, B, C and D, compute type "
                "%d, scale type %d (library_types.h, cublas_api.h)",
                types->a, types->b, types->c, types->d, types->compute, types->factor);
    return false;
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType scale, cudaDataType a, cudaDataType b,
                                        cudaDataType c, cudaDataType d, int room, int ids[],
                                        int *count)
{
    uint32_t mix;
    BLAS_HANDLE(handle);
    BLAS_VALID(room > 0 && ids && count);
    const struct lt_types types = {(uint32_t)a, (uint32_t)b,      (uint32_t)c,
                                   (uint32_t)d, (int32_t)compute, (int32_t)scale};
    *count = find(&types, &mix);
    if (!*count)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    ids[0] = ID;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType scale, cudaDataType a, cudaDataType b,
                                      cudaDataType c, cudaDataType d, int id,
                                      cublasLtMatmulAlgo_t *algo)
{
    uint32_t mix;
    BLAS_HANDLE(handle);
    BLAS_VALID(algo);
    const struct lt_types types = {(uint32_t)a, (uint32_t)b,      (uint32_t)c,
                                   (uint32_t)d, (int32_t)compute, (int32_t)scale};
    if (!find(&types, &mix))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (id != ID) {
        evc_explain(CUDA_ERROR_INVALID_VALUE,
                    "cublasLtMatmulAlgoInit: algorithm %d; evgpu has %d alone", id, ID);
        return CUBLAS_STATUS_INVALID_VALUE;
    }
    *lt_algorithm(algo) = made(mix);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    const void *value, size_t bytes)
{
    BLAS_VALID(algo && lt_algorithm(algo)->mark == LT_ALGORITHM);
    BLAS_VALID(attribute != CUBLASLT_ALGO_CONFIG_ID); /* is only read */
    return lt_set(&config, algo, (int)attribute, value, bytes);
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t attribute,
                                                    void *value, size_t bytes, size_t *written)
{
    BLAS_VALID(algo && ((const struct lt_algorithm *)(const void *)algo)->mark == LT_ALGORITHM);
    return lt_get(&config, algo, (int)attribute, value, bytes, written);
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t *algo,
                                                 cublasLtMatmulAlgoCapAttributes_t attribute,
                                                 void *value, size_t bytes, size_t *written)
{
    const struct lt_algorithm *from = (const void *)algo;
    BLAS_VALID(algo && from->mark == LT_ALGORITHM && from->mix < lt_mix_count());
    const struct lt_mix *mix = &lt_mixes[from->mix];
    const bool splits = mix->flags & LT_SPLITS;
    const struct capabilities c = {
        .splits = splits,
        .reductions = splits ? CUBLASLT_REDUCTION_SCHEME_INPLACE : CUBLASLT_REDUCTION_SCHEME_NONE,
        .batches = 1,
        .out_of_place = 1,
        .orders = 1,
        .pointers = CUBLASLT_POINTER_MODE_MASK_HOST | CUBLASLT_POINTER_MODE_MASK_DEVICE,
        .epilogues = lt_epilogue_mask(mix),
        .aligned = (uint32_t)mix->unit,
        .implementation = implementation(mix),
        .tiles = {CUBLASLT_MATMUL_TILE_16x16, large(mix)}};
    if (attribute == CUBLASLT_ALGO_CAP_STAGES_IDS) { /* a list of none */
        BLAS_VALID(bytes || written);
        if (written)
            *written = 0;
        return CUBLAS_STATUS_SUCCESS;
    }
    return lt_get(&capability, &c, (int)attribute, value, bytes, written);
}

static cublasStatus_t examine(const struct lt_operands *o, const struct lt_algorithm *algorithm,
                              cublasLtMatmulHeuristicResult_t *result)
{
    struct lt_plan plan;
    int processors = 1;
    *result = (cublasLtMatmulHeuristicResult_t){.state = lt_plan(o, algorithm, &plan)};
    if (result->state)
        return result->state;
    BLAS_CHECK(!cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0),
               CUBLAS_STATUS_NOT_INITIALIZED);
    dim3 grid = lt_grid(&plan);
    struct lt_algorithm found = *algorithm;
    if (!found.tile)
        found.tile = plan.side == GEMM_SMALL ? CUBLASLT_MATMUL_TILE_16x16 : large(plan.mix);
    *lt_algorithm(&result->algo) = found;
    result->wavesCount = (float)grid.x * (float)grid.y * (float)grid.z / (float)processors;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algo,
                                       cublasLtMatmulHeuristicResult_t *result)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(product && a && b && c && d && algo && result);
    cublasLtMatmulAlgo_t tried = *algo;
    BLAS_VALID(lt_algorithm(&tried)->mark == LT_ALGORITHM);
    const struct lt_operands o = {lt_product(product), lt_layout(a), lt_layout(b), lt_layout(c),
                                  lt_layout(d)};
    return examine(&o, lt_algorithm(&tried), result);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int room,
                                              cublasLtMatmulHeuristicResult_t results[], int *count)
{
    BLAS_HANDLE(handle);
    BLAS_VALID(product && a && b && c && d && preference && room > 0 && results && count);
    const struct lt_operands o = {lt_product(product), lt_layout(a), lt_layout(b), lt_layout(c),
                                  lt_layout(d)};
    struct lt_plan plan;
    cublasStatus_t status = lt_plan(&o, NULL, &plan);
    *count = 0;
    if (status)
        return status;
    struct lt_algorithm tried = made((uint32_t)(plan.mix - lt_mixes));
    status = examine(&o, &tried, &results[(*count)++]);
    if (status || room == 1)
        return status;
    tried.tile = plan.side == GEMM_SMALL ? large(plan.mix) : CUBLASLT_MATMUL_TILE_16x16;
    return examine(&o, &tried, &results[(*count)++]);
}
