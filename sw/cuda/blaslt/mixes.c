/* The types that products are computed in. */
#include "sw/cuda/blaslt/lt.h"

#define ALL (LT_EPILOGUES | LT_SPLITS)

const struct lt_mix lt_mixes[] = {
    {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "s_s", 4, ALL, "s_s", "s_s"},
    {CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, "d_d", 8, ALL, "d_d", "d_d"},
    {CUDA_C_32F, CUDA_C_32F, CUBLAS_COMPUTE_32F, CUDA_C_32F, "c_c", 8, LT_SPLITS, NULL, NULL},
    {CUDA_C_64F, CUDA_C_64F, CUBLAS_COMPUTE_64F, CUDA_C_64F, "z_z", 16, LT_SPLITS, NULL, NULL},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, CUDA_R_16F, "h_h_h", 2, ALL, "h_h", "h_h"},
    {CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "h_h", 2, ALL, "h_h", "h_h"},
    {CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "h_s", 2, ALL, "h_s", "s_s"},
    {CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, "b_b", 2, ALL, "b_b", "b_b"},
    {CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "b_s", 2, ALL, "b_s", "s_s"},
    {CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, "q_s", 1, ALL, NULL, "s_s"},
    {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I, "q_i", 1, LT_SPLITS | LT_BLOCKS, NULL,
     NULL},
    {CUDA_R_8I, CUDA_R_8I, CUBLAS_COMPUTE_32I, CUDA_R_32F, "q_q", 1, LT_EPILOGUES | LT_BLOCKS, NULL,
     NULL},
    {CUDA_C_16F, CUDA_C_16F, CUBLAS_COMPUTE_32F, CUDA_C_32F, "ch_ch", 2, LT_SPLITS | LT_PLANES,
     NULL, NULL},
    {CUDA_C_16F, CUDA_C_32F, CUBLAS_COMPUTE_32F, CUDA_C_32F, "ch_cs", 2, LT_SPLITS | LT_PLANES,
     NULL, NULL},
    {CUDA_C_16BF, CUDA_C_16BF, CUBLAS_COMPUTE_32F, CUDA_C_32F, "cb_cb", 2, LT_SPLITS | LT_PLANES,
     NULL, NULL},
    {CUDA_C_16BF, CUDA_C_32F, CUBLAS_COMPUTE_32F, CUDA_C_32F, "cb_cs", 2, LT_SPLITS | LT_PLANES,
     NULL, NULL},
};

uint32_t lt_mix_count(void)
{
    return sizeof lt_mixes / sizeof *lt_mixes;
}

uint32_t lt_mix_of(const struct lt_types *t)
{
    for (uint32_t i = 0; i < lt_mix_count(); i++) {
        const struct lt_mix *m = &lt_mixes[i];
        if (t->a == t->b && t->c == t->d && m->of_ab == (cudaDataType)t->a &&
            m->of_cd == (cudaDataType)t->d &&
            m->compute == blas_exact((cublasComputeType_t)t->compute) &&
            m->factor == (cudaDataType)t->factor)
            return i;
    }
    return lt_mix_count();
}
