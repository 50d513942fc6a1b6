/* OpenMP in the host code of .cu files: clang's code on gcc's library. */
#ifndef EVGPU_NVCC_OPENMP_H
#define EVGPU_NVCC_OPENMP_H

#include "sw/cuda/nvcc/options.h"

/* -Xcompiler -fopenmp is given: clang then emits its calls. */
bool openmp_asked(const struct options *options);
/* What clang calls joins the object, if it calls anything (sw/cuda/openmp). */
void openmp_join(const struct options *options, const char *object);

#endif
