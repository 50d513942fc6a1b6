/* The .approx functions, in arithmetic that is exact or correctly rounded on every IEEE machine
 * (no libm), so that their results are the same bits everywhere. Errors are far below what the PTX
 * ISA allows (f32: within 1 ulp of the exact result). Special values as in the ISA's tables. */
#ifndef EVGPU_PTX_EXECUTE_APPROX_H
#define EVGPU_PTX_EXECUTE_APPROX_H

#include <stdint.h>

float approx_ex2(float x);
float approx_tanh(float x);

/* sin and cos of numbers from approx_lanes.h:APPROX_NEAR on, of infinities and NaN. */
float approx_far_sin(float x);
float approx_far_cos(float x);

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64: the upper 32 bits are computed, the lower ones are
 * 0. */
enum approx_kind { APPROX_RCP, APPROX_RSQRT };
uint64_t approx_f64(uint64_t bits, enum approx_kind kind);

/* rsqrt.approx.f64, which GPUs emulate in software: all bits, of subnormal numbers too; within 1
 * ulp of the exact result. */
uint64_t rsqrt_f64(uint64_t bits);

#endif
