/* The functions behind clang's CUDA headers (__nv_...), in place of NVIDIA's bitcode library; for
 * device code only. Included by evgpu_cuda.h after clang's <__clang_cuda_libdevice_declares.h>.
 *
 * Errors stay within the maximum ulp errors of the CUDA C++ Programming Guide (appendix
 * "Mathematical Functions"); tests/sw/test_device_math.c measures them. Single precision computes
 * in single precision where programs use it in inner loops; the rare functions go through their
 * double form.
 *
 * - libdevice_int.h: integers, bits, conversions, arithmetic with a rounding mode
 * - libdevice_parts.h: parts of floating-point numbers, rounding to integers, remainders
 * - libdevice_sum.h: sums and products of two words, polynomials
 * - libdevice_exp.h: exponentials, logarithms, powers, hyperbolic functions and roots
 * - libdevice_trig.h: trigonometric functions
 * - libdevice_float.h: single precision
 * - libdevice_special.h: error functions, gamma, Bessel
 * - libdevice_poly.h, libdevice_table.h, libdevice_bessel.h: coefficients, by interpolation in
 * Chebyshev's points with 60 digits */
#ifndef EVGPU_SW_LIBDEVICE_H
#define EVGPU_SW_LIBDEVICE_H

#define EVGPU_LD       static __device__ __inline__ __attribute__((unused))
#define EVGPU_LD_SMALL static __device__ __inline__ __attribute__((unused, always_inline))
#define EVGPU_NV       extern "C" __device__ __inline__ __attribute__((unused))
#define EVGPU_LD_TABLE static __device__ const double __attribute__((unused))

#include "libdevice_int.h"

#include "libdevice_parts.h"

#include "libdevice_sum.h"

#include "libdevice_poly.h"

#include "libdevice_exp.h"

#include "libdevice_trig.h"

#include "libdevice_float.h"

#include "libdevice_table.h"

#include "libdevice_bessel.h"

#include "libdevice_special.h"

#endif
