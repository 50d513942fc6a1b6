/* gcc's <omp.h> for clang, which knows no argument of the attribute malloc. */
#ifndef EVGPU_CUDA_CLANG_OMP_H
#define EVGPU_CUDA_CLANG_OMP_H

#pragma push_macro("__malloc__")
#define __malloc__(...) __malloc__
#include_next <omp.h>
#pragma pop_macro("__malloc__")

#endif
