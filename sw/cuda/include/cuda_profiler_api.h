/* cudaProfilerStart() and cudaProfilerStop(), which cuda_runtime_api.h declares: they mark a range
 * for a profiler, and there is none to mark it for. */
#ifndef EVGPU_CUDA_CUDA_PROFILER_API_H
#define EVGPU_CUDA_CUDA_PROFILER_API_H
#define __CUDA_PROFILER_API_H__

#include "cuda_runtime_api.h"

#endif
