/* The CUDA runtime for C++: the C API, and in .cu files everything that device code may use.
 *
 * nvcc includes it in front of every .cu file. It then decides the order in which host and device
 * functions of one name are declared: clang keeps both, and calls the one for the side that it
 * compiles, as long as the device's are there before the C++ library's. */
#ifndef EVGPU_CUDA_CUDA_RUNTIME_H
#define EVGPU_CUDA_CUDA_RUNTIME_H
#define __CUDA_RUNTIME_H__

#include "crt/host_config.h"

#ifdef __CUDA__
#include "crt/device_begin.h"
#endif

#include "builtin_types.h"

#include "vector_functions.h"

#include "driver_functions.h"

#include "cuda_runtime_api.h"

#ifdef __cplusplus

#include "channel_descriptor.h"

#include "cuda_texture_types.h"

#include "cuda_surface_types.h"

#include "crt/runtime_templates.h"

#endif

#ifdef __CUDA__
#include "crt/device_code.h"

#include "crt/host_math.h"

/* What programs find there without asking for it. */
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <utility>
#endif
#endif

#endif
