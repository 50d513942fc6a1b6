/* The linker of device code: PTX modules of several sources to one. */
#ifndef EVGPU_NVCC_PTX_LINK_H
#define EVGPU_NVCC_PTX_LINK_H

#include "sw/cuda/nvcc/object.h"

/* Resolves what each module declares .extern, keeps one of each .weak definition, and renames what
 * is local to a module where another has the same name. Ends with messages that name symbol and
 * file on what is undefined or defined twice. Returns the text. */
char *ptx_link(const struct device_objects *objects);

#endif
