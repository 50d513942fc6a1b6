/* Plans by 64-bit sizes and data types, and executions by the plan's own type. */
#include "sw/cuda/fft/plan.h"

#include <limits.h>

#include "sw/cuda/include/cufftXt.h"

/* False: there is no such transform. */
static bool type_of(cudaDataType in, cudaDataType out, cudaDataType by, cufftType *type)
{
    static const struct {
        cudaDataType in, out, by;
        cufftType type;
    } types[] = {{CUDA_C_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_C2C},
                 {CUDA_R_32F, CUDA_C_32F, CUDA_C_32F, CUFFT_R2C},
                 {CUDA_C_32F, CUDA_R_32F, CUDA_C_32F, CUFFT_C2R},
                 {CUDA_C_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_Z2Z},
                 {CUDA_R_64F, CUDA_C_64F, CUDA_C_64F, CUFFT_D2Z},
                 {CUDA_C_64F, CUDA_R_64F, CUDA_C_64F, CUFFT_Z2D}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].in == in && types[i].out == out && types[i].by == by) {
            *type = types[i].type;
            return true;
        }
    }
    return false;
}

/* False: one of them is too large for a plan. */
static bool narrow(const long long *from, int rank, int *to)
{
    for (int i = 0; from && i < rank; i++) {
        if (from[i] > INT_MAX)
            return false;
        to[i] = from[i] < 0 ? -1 : (int)from[i];
    }
    return true;
}

typedef cufftResult many(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist,
                         int *onembed, int ostride, int odist, cufftType type, int batch,
                         size_t *size);

/* What `call` does with sizes of 32 bits. */
static cufftResult by_narrow(many *call, cufftHandle plan, int rank, long long *n,
                             long long *inembed, long long istride, long long idist,
                             long long *onembed, long long ostride, long long odist, cufftType type,
                             long long batch, size_t *size)
{
    int sizes[FFT_RANK], in[FFT_RANK], out[FFT_RANK], rest[5];
    const long long others[] = {istride, idist, ostride, odist, batch};
    FFT_CHECK(rank >= 1 && rank <= FFT_RANK && n, CUFFT_INVALID_VALUE);
    FFT_CHECK(narrow(n, rank, sizes) && narrow(inembed, rank, in) && narrow(onembed, rank, out) &&
                  narrow(others, 5, rest),
              CUFFT_INVALID_SIZE);
    return call(plan, rank, sizes, inembed ? in : NULL, rest[0], rest[1], onembed ? out : NULL,
                rest[2], rest[3], type, rest[4], size);
}

cufftResult cufftMakePlanMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, long long *onembed,
                                long long ostride, long long odist, cufftType type, long long batch,
                                size_t *size)
{
    return by_narrow(cufftMakePlanMany, plan, rank, n, inembed, istride, idist, onembed, ostride,
                     odist, type, batch, size);
}

cufftResult cufftGetSizeMany64(cufftHandle plan, int rank, long long *n, long long *inembed,
                               long long istride, long long idist, long long *onembed,
                               long long ostride, long long odist, cufftType type, long long batch,
                               size_t *size)
{
    return by_narrow(cufftGetSizeMany, plan, rank, n, inembed, istride, idist, onembed, ostride,
                     odist, type, batch, size);
}

cufftResult cufftXtMakePlanMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                                long long istride, long long idist, cudaDataType inputtype,
                                long long *onembed, long long ostride, long long odist,
                                cudaDataType outputtype, long long batch, size_t *workSize,
                                cudaDataType executiontype)
{
    cufftType type;
    FFT_CHECK(rank >= 1 && rank <= FFT_RANK && n, CUFFT_INVALID_VALUE);
    FFT_CHECK(type_of(inputtype, outputtype, executiontype, &type), CUFFT_NOT_SUPPORTED);
    return cufftMakePlanMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist,
                               type, batch, workSize);
}

cufftResult cufftXtGetSizeMany(cufftHandle plan, int rank, long long *n, long long *inembed,
                               long long istride, long long idist, cudaDataType inputtype,
                               long long *onembed, long long ostride, long long odist,
                               cudaDataType outputtype, long long batch, size_t *workSize,
                               cudaDataType executiontype)
{
    cufftType type;
    FFT_CHECK(type_of(inputtype, outputtype, executiontype, &type), CUFFT_NOT_SUPPORTED);
    return cufftGetSizeMany64(plan, rank, n, inembed, istride, idist, onembed, ostride, odist, type,
                              batch, workSize);
}

cufftResult cufftXtExec(cufftHandle handle, void *input, void *output, int direction)
{
    const struct fft_plan *plan = fft_plan_of(handle);
    FFT_CHECK(plan && plan->made, CUFFT_INVALID_PLAN);
    switch (plan->type) {
    case CUFFT_C2C:
        return cufftExecC2C(handle, input, output, direction);
    case CUFFT_Z2Z:
        return cufftExecZ2Z(handle, input, output, direction);
    case CUFFT_R2C:
        return cufftExecR2C(handle, input, output);
    case CUFFT_D2Z:
        return cufftExecD2Z(handle, input, output);
    case CUFFT_C2R:
        return cufftExecC2R(handle, input, output);
    case CUFFT_Z2D:
        return cufftExecZ2D(handle, input, output);
    }
    return CUFFT_INVALID_PLAN;
}
