/* CUDA C for clang without a CUDA toolkit: force-include this header and compile a kernel to PTX.
 *
 *   clang++-14 -x cuda --cuda-device-only --cuda-gpu-arch=sm_35 -nocudainc -nocudalib \
 *       --cuda-path=/nonexistent -include sw/include/evgpu_cuda.h -O2 -S kernel.cu -o kernel.ptx
 *
 * which is what `sw/cu2ptx.sh kernel.cu kernel.ptx` does. Declare kernels `extern "C" __global__`,
 * so that their names in the PTX are the names in the source, and leave host code out of the file.
 * The parts, each one subject:
 *
 * - evgpu_cuda_types.h: qualifiers, threadIdx and its kin, dim3 and the vector types
 * - evgpu_cuda_sync.h: barriers, fences, votes, shuffles, clocks
 * - evgpu_cuda_atomic.h: atomic operations
 * - evgpu_cuda_math.h: arithmetic, integer intrinsics, elementary functions, cached loads
 *
 * What the functions do is in the CUDA C++ Programming Guide, except where a comment says
 * otherwise. Not there: textures, surfaces, half precision, printf, malloc, cooperative groups, and
 * everything that sm_35 does not have. */
#ifndef EVGPU_SW_EVGPU_CUDA_H
#define EVGPU_SW_EVGPU_CUDA_H

#ifndef __CUDA__
#error "evgpu_cuda.h: compile with clang++ -x cuda; the command is at the top of this file"
#endif

#include "evgpu_cuda_types.h"

#include "evgpu_cuda_sync.h"

#include "evgpu_cuda_atomic.h"

#include "evgpu_cuda_math.h"

#endif
