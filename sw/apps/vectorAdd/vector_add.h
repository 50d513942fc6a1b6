/* Host side of sw/apps/vectorAdd/vector_add.cu. */
#ifndef EVGPU_SW_VECTOR_ADD_H
#define EVGPU_SW_VECTOR_ADD_H

#include <stdint.h>

/* c[i] = a[i] + b[i], one rounding each: the kernel's bits. */
void vector_add_reference(const float *a, const float *b, float *c, uint32_t n);

/* A model of the time that one thread of the full/empty bits paper's CPU needs, in microseconds.
 *
 * The paper gives a processor (Xeon E3-1245, Sandy Bridge, 3.3 GHz; Table 1) and no time. A plain
 * loop with its counter in memory, as compilers make it without optimisation, takes six cycles per
 * element: five from the counter's store to its load and one to add, Agner Fog's tables for Sandy
 * Bridge. Each page of 4 KiB of each of three vectors costs a page walk of 28 cycles and, because
 * prefetching ends with the page, two lines of the L3 at 30 cycles: 0.26 cycles per element.
 * Together 1.9 ns, at which 128 K elements take what the paper's baseline takes with Table 2's
 * latencies, so that the first of its two break-even points confirms the model and only the second
 * is predicted. An optimised loop would be bound by memory, at about half of that; no GPU behind
 * PCIe 2.0, whose copies alone take 1.76 ns per element, would then be faster without overlap. */
double vector_add_cpu_us(uint32_t n);

#endif
