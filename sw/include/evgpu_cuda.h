/* CUDA C for clang without a CUDA toolkit: force-include this header and compile a kernel to PTX.
 *
 *   clang++-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib \
 *       --cuda-path=/nonexistent -isystem sw/include -isystem sw/cuda/include \
 *       -include cuda_runtime.h -O2 -S kernel.cu -o kernel.ptx
 *
 * which is what `sw/cu2ptx.sh kernel.cu kernel.ptx` does. Declare kernels `extern "C" __global__`,
 * so that their names in the PTX are the names in the source. The parts, each one subject:
 *
 * - cuda_runtime.h of the toolkit: qualifiers, vector types, threadIdx and its kin
 * - evgpu/libdevice.h: what stands behind the mathematical functions and integer intrinsics, whose
 *   names and overloads come from clang's own CUDA headers
 * - evgpu_cuda_sync.h: barriers, fences, votes, shuffles, clocks
 * - evgpu_cuda_atomic.h: atomic operations
 * - evgpu_cuda_memory.h: loads and stores with a cache operator, address spaces
 * - evgpu_cuda_surface.h: surfaces, which are refused
 * - evgpu_cuda_dpx.h: sums and extremes of integers
 *
 * and, where a program includes them: cuda_fp16.h, cooperative_groups.h, curand_kernel.h.
 *
 * The CUDA C++ Programming Guide defines the functions, except where a comment says
 * otherwise. */
#ifndef EVGPU_SW_EVGPU_CUDA_H

#ifndef __CUDA__
#error "evgpu_cuda.h: compile with clang++ -x cuda; the command is at the top of this file"
#endif

/* The toolkit's types and the C++ library come first, in the order that cuda_runtime.h knows; it
 * includes this header again where device code belongs. */
#ifndef EVGPU_CUDA_CUDA_RUNTIME_H
#include "cuda_runtime.h"
#else
#define EVGPU_SW_EVGPU_CUDA_H

/* The version of CUDA whose functions these are, as in cuda.h; clang's headers ask for it. */
#ifndef CUDA_VERSION
#define CUDA_VERSION 11050
#endif

#include "evgpu_cuda_types.h"

#include <__clang_cuda_libdevice_declares.h>

#include "evgpu/libdevice.h"

/* Functions of clang's header that need a newer PTX than sm_35 has, or that order memory too
 * little; ours come below. */
#define __all                evgpu_clang_all
#define __any                evgpu_clang_any
#define __ballot             evgpu_clang_ballot
#define __syncthreads_and    evgpu_clang_syncthreads_and
#define __syncthreads_count  evgpu_clang_syncthreads_count
#define __syncthreads_or     evgpu_clang_syncthreads_or
#define __threadfence        evgpu_clang_threadfence
#define __threadfence_block  evgpu_clang_threadfence_block
#define __threadfence_system evgpu_clang_threadfence_system
#include <__clang_cuda_device_functions.h>
#undef __all
#undef __any
#undef __ballot
#undef __syncthreads_and
#undef __syncthreads_count
#undef __syncthreads_or
#undef __threadfence
#undef __threadfence_block
#undef __threadfence_system

#include <__clang_cuda_math.h>

#include <__clang_cuda_cmath.h>

#include <__clang_cuda_complex_builtins.h>

#include "evgpu_cuda_math.h"

#include "evgpu_cuda_sync.h"

#include "evgpu_cuda_atomic.h"

#include "evgpu_cuda_memory.h"

#include "evgpu_cuda_surface.h"

#include "evgpu_cuda_dpx.h"

#endif
#endif
