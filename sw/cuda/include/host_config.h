/* The name that programs include. */
#ifndef EVGPU_CUDA_HOST_CONFIG_H
#define EVGPU_CUDA_HOST_CONFIG_H

#include "crt/host_config.h"

#endif
