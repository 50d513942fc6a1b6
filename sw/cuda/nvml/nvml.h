/* What the files of NVML share. */
#ifndef EVGPU_CUDA_NVML_NVML_H
#define EVGPU_CUDA_NVML_NVML_H

#include "sw/cuda/client/core.h"
#include "sw/cuda/include/nvml.h"

/* Not for programs. */
#pragma GCC visibility push(hidden)

/* Between nvmlInit and nvmlShutdown. */
bool nvml_ready(void);
bool nvml_is_device(nvmlDevice_t device);
nvmlDevice_t nvml_device(void);

/* A text with its zero into the program's buffer. */
nvmlReturn_t nvml_text(char *to, unsigned int room, const char *text);
nvmlReturn_t nvml_status(CUresult status);

#pragma GCC visibility pop

/* The checks of a call, in NVML's order. */
#define NVML_READY()                                                                               \
    do {                                                                                           \
        if (!nvml_ready())                                                                         \
            return NVML_ERROR_UNINITIALIZED;                                                       \
    } while (0)
#define NVML_CHECK(condition, error)                                                               \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return (error);                                                                        \
    } while (0)
#define NVML_DEVICE(device)                                                                        \
    do {                                                                                           \
        NVML_READY();                                                                              \
        NVML_CHECK(nvml_is_device(device), NVML_ERROR_INVALID_ARGUMENT);                           \
    } while (0)

/* The form of a call before the one whose name programs get; their parameters are the same. */
#define NVML_OLDER(name, newer) nvmlReturn_t name __attribute__((alias(newer)))

#endif
