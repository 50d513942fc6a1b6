/* cuFFT's extensions: plans with sizes of 64 bits and types as data. Several GPUs, callbacks and
 * half precision are not there. */
#ifndef EVGPU_CUDA_CUFFTXT_H
#define EVGPU_CUDA_CUFFTXT_H

#include "cufft.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The types of the data are CUDA_R_32F, CUDA_C_32F, CUDA_R_64F or CUDA_C_64F, that of the execution
 * is the complex one of the same precision. */
cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long int *n,
                                long long int *inembed, long long int istride, long long int idist,
                                cudaDataType inputtype, long long int *onembed,
                                long long int ostride, long long int odist, cudaDataType outputtype,
                                long long int batch, size_t *workSize, cudaDataType executiontype);
cufftResult cufftXtExec(cufftHandle plan, void *input, void *output, int direction);

#ifdef __cplusplus
}
#endif
#endif
