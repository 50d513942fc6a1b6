/* Host side of sw/apps/matrixMul/matmul.cu. */
#ifndef EVGPU_SW_MATMUL_H
#define EVGPU_SW_MATMUL_H

#include <stdint.h>

#define MATMUL_TILE 16u /* the kernel's block is MATMUL_TILE x MATMUL_TILE threads */

/* c = a x b, n x n, row-major, bit for bit as the kernel computes it: each element is one chain of
 * fused multiply-adds (one rounding each, IEEE 754) that starts at +0 and takes k = 0, 1, ... in
 * order. The kernel's chain continues over the zeros that fill its last tile; the only value that
 * those can change is a sum of -0, which becomes +0, so one more step with zeros does the same. */
void matmul_reference(const float *a, const float *b, float *c, uint32_t n);

#endif
