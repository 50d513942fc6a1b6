/* The architectures that code may be compiled for. */
#ifndef EVGPU_NVCC_ARCH_H
#define EVGPU_NVCC_ARCH_H

#include <stdbool.h>

#include "sw/cuda/nvcc/options.h"

/* "sm_35", "compute_35", "35": the number; anything else ends with a message that names `option`.
 */
int arch_number(const char *name, const char *option);

/* Sets what to compile for, options->target: of those asked for, the highest that the simulated
 * GPU's own generation covers, else the lowest; what clang does not know becomes its nearest, with
 * a warning. */
void arch_choose(struct options *options);

/* Adds what -arch, -gencode or -code names. */
void arch_add(struct options *options, const char *value, const char *option);
void arch_add_gencode(struct options *options, const char *value);

/* Prints one line for each, as --list-gpu-arch does with "compute". */
/* The values of -arch, for --help. */
void arch_help(void);
void arch_print(const char *prefix);

#endif
