/* What our own CUDA programs have in common: the driver API with committed PTX, so that gcc alone
 * builds them. */
#ifndef EVGPU_SW_APP_H
#define EVGPU_SW_APP_H

#include <stdint.h>

#include "sw/cuda/include/cuda.h"

#define APP_WRONG     1 /* exit status: a result differs from the host reference */
#define APP_BAD_INPUT 2
#define APP_NO_GPU    3

/* Ends the program, with one line, when a call has failed. */
#define APP_CALL(call) app_check((call), #call)
void app_check(CUresult result, const char *call);

/* Argument `index` as a number from `min` to `max`, or `value` when it is not there. */
uint32_t app_number(int argc, char **argv, int index, uint32_t value, uint32_t min, uint32_t max);

/* Initialises the API with a context; the kernel of sw/apps/NAME/FILE, found from the current
 * directory or from the place of this program in build/apps. */
CUfunction app_kernel(const char *app, const char *file, const char *kernel);

/* Device memory with these contents (NULL: none). */
CUdeviceptr app_buffer(const void *data, size_t bytes);

#endif
