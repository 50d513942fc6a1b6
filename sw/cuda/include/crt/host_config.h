/* Every host compiler that clang stands for is supported. */
#ifndef EVGPU_CUDA_CRT_HOST_CONFIG_H
#define EVGPU_CUDA_CRT_HOST_CONFIG_H

#include "crt/host_defines.h"

#endif
