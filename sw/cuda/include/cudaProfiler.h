/* cuProfilerStart() and cuProfilerStop(): they mark a range for a profiler, and there is none to
 * mark it for. */
#ifndef EVGPU_CUDA_CUDA_PROFILER_H
#define EVGPU_CUDA_CUDA_PROFILER_H

#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum CUoutput_mode_enum { CU_OUT_KEY_VALUE_PAIR = 0, CU_OUT_CSV = 1 } CUoutput_mode;

CUresult cuProfilerInitialize(const char *configFile, const char *outputFile,
                              CUoutput_mode outputMode); /* CUDA_ERROR_NOT_SUPPORTED */
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
