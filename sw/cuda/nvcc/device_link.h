/* Device code of several objects into one object more, which must be linked with them. */
#ifndef EVGPU_NVCC_DEVICE_LINK_H
#define EVGPU_NVCC_DEVICE_LINK_H

#include "sw/cuda/nvcc/options.h"

/* Looks into `files` (objects, archives, -l words); false where none of them has relocatable device
 * code, else `output` is the object. */
bool device_link(const struct options *options, const struct list *files, const char *output);

#endif
