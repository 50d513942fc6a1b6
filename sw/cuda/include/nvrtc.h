/* NVRTC: CUDA C++ compiled while the program runs, as NVRTC User Guide 11.5 describes it.
 *
 * nvcc of the toolkit, which stands beside the library, compiles, so its options, headers and
 * limits are those here (docs/guide/toolkit.md). Every call may come from any thread; a program of
 * the library (nvrtcProgram) belongs to one thread at a time. Compiling takes no simulated time. */
#ifndef EVGPU_CUDA_NVRTC_H
#define EVGPU_CUDA_NVRTC_H
#define __NVRTC_H__ /* for programs that ask whether it is there */

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    NVRTC_SUCCESS = 0,
    NVRTC_ERROR_OUT_OF_MEMORY = 1,
    NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
    NVRTC_ERROR_INVALID_INPUT = 3,
    NVRTC_ERROR_INVALID_PROGRAM = 4,
    NVRTC_ERROR_INVALID_OPTION = 5,
    NVRTC_ERROR_COMPILATION = 6,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
    NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
    NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
    NVRTC_ERROR_INTERNAL_ERROR = 11,
    NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult result);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs);
nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs);

nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name,
                               int numHeaders, const char *const *headers,
                               const char *const *includeNames);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog);
nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options);

/* Sizes count the final '\0'. */
nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet);
nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx);
/* There is no machine code: after -arch=sm_NN this is the PTX, which cuModuleLoadData takes, and
 * after -arch=compute_NN nothing (size 0). */
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin);
/* There is none without -dlto, and -dlto makes none here: the size is 0. */
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet);
nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log);

/* Before compilation: the address of a kernel, __device__ or __constant__ variable, which may be an
 * instance of a template. */
nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *name_expression);
/* After it: the name in the PTX, the program's until it is destroyed. */
nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *name_expression,
                                const char **lowered_name);

#ifdef __cplusplus
}

#if defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>
#include <stdlib.h>

#include <string>
#include <typeinfo>

template <typename T> struct __nvrtcGetTypeName_helper_t {
};

/* The name of a type as source text, for name expressions. */
static inline nvrtcResult nvrtcGetTypeName(const std::type_info &tinfo, std::string *result)
{
    int status = 0;
    char *name = abi::__cxa_demangle(tinfo.name(), NULL, NULL, &status);
    if (!result || !name)
        return result ? NVRTC_ERROR_INTERNAL_ERROR : NVRTC_ERROR_INVALID_INPUT;
    *result = name;
    free(name);
    return NVRTC_SUCCESS;
}

/* Through a template of its own, since typeid drops references and qualifiers. */
template <typename T> nvrtcResult nvrtcGetTypeName(std::string *result)
{
    nvrtcResult status = nvrtcGetTypeName(typeid(__nvrtcGetTypeName_helper_t<T>), result);
    size_t open = status ? std::string::npos : result->find('<');
    if (open == std::string::npos)
        return status ? status : NVRTC_ERROR_INTERNAL_ERROR;
    *result = result->substr(open + 1, result->rfind('>') - open - 1);
    return NVRTC_SUCCESS;
}
#endif

#endif

#endif
