/* Declarations that must precede the C++ library in a .cu file; included by cuda_runtime.h.
 *
 * The library's constexpr functions count as functions for both sides unless a device function of
 * the same name and parameters is known before: hence the declarations first, then the library. */
#ifndef EVGPU_CUDA_CRT_DEVICE_BEGIN_H
#define EVGPU_CUDA_CRT_DEVICE_BEGIN_H

#include "host_defines.h"

#include <__clang_cuda_math_forward_declares.h>

/* Both sides have one malloc and one free, so that decltype(&free) and templates know which: the C
 * library's declarations are theirs. */
#define malloc(size) __attribute__((host, device)) malloc(size)
#define free(memory) __attribute__((host, device)) free(memory)
#include <malloc.h>
#include <stdlib.h>
#undef malloc
#undef free

#include <cmath>
#include <cstdlib>
#include <string.h>

#include <__clang_cuda_builtin_vars.h>

/* The loader supplies these (CUDA C++ Programming Guide, system calls of PTX). */
extern "C" {
__device__ int vprintf(const char *, const char *);
__device__ void __assertfail(const char *message, const char *file, unsigned line,
                             const char *function, size_t char_size);
/* clang makes vprintf() of it. */
__device__ int printf(const char *, ...);
}

/* The function that the C library's assert() calls, with __LINE__. The library's own takes the line
 * as unsigned; so does CCCL's, for both sides, which it declares under NDEBUG. */
__device__ static inline void __assert_fail(const char *message, const char *file, int line,
                                            const char *function)
{
    __assertfail(message, file, (unsigned)line, function, sizeof(char));
}

/* Device functions new and delete come with <new>, by clang's own wrapper. */
#include <new>

#endif
