/* Every type of the runtime API. */
#ifndef EVGPU_CUDA_BUILTIN_TYPES_H
#define EVGPU_CUDA_BUILTIN_TYPES_H
#define __BUILTIN_TYPES_H__

#include "crt/host_defines.h"

#include "device_types.h"

#include "vector_types.h"

#include "driver_types.h"

#include "surface_types.h"

#include "texture_types.h"

#endif
