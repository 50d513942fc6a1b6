/* Static device variables and kernels that host code names, in relocatable device code.
 *
 * clang 14 gives each a name of its own for each source file, "NAME__static__HASH" and
 * "NAME__intern__HASH", but only where it is defined: its uses and the host's registration still
 * say NAME. Here all come to say the same. */
#ifndef EVGPU_NVCC_STATICS_H
#define EVGPU_NVCC_STATICS_H

#include "sw/cuda/nvcc/list.h"

/* Finds the names in a PTX file and mends its uses; from[i] is the host's name, to[i] the device's.
 */
void statics_mend_ptx(const char *path, struct list *from, struct list *to);

/* Mends the names that an assembler file of host code registers. */
void statics_mend_host(const char *path, const struct list *from, const struct list *to);

#endif
