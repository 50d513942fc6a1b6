/* Qualifiers; the name that programs include. */
#ifndef EVGPU_CUDA_HOST_DEFINES_H
#define EVGPU_CUDA_HOST_DEFINES_H

#include "crt/host_defines.h"

#endif
