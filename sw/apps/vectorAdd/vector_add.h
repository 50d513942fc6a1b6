/* Host side of sw/apps/vectorAdd/vector_add.cu. */
#ifndef EVGPU_SW_VECTOR_ADD_H
#define EVGPU_SW_VECTOR_ADD_H

#include <stdint.h>

/* c[i] = a[i] + b[i], one rounding each: the kernel's bits. */
void vector_add_reference(const float *a, const float *b, float *c, uint32_t n);

#endif
