/* Host side of sw/apps/vectorAdd/vector_add.cu. */
#ifndef EVGPU_SW_VECTOR_ADD_H
#define EVGPU_SW_VECTOR_ADD_H

#include <stdint.h>

/* c[i] = a[i] + b[i], one rounding each: the kernel's bits. */
void vector_add_reference(const float *a, const float *b, float *c, uint32_t n);

/* A model of the time that one thread of the full/empty bits paper's CPU needs, in microseconds.
 *
 * The paper names the processor (Xeon E3-1245, Sandy Bridge, 3.3 GHz; Table 1) and gives no times.
 * A plain loop with its counter in memory, as compilers make it without optimisation, takes six
 * cycles per element: five from the counter's store to its load and one to add (Agner Fog's
 * tables). Moving 16 bytes per element, three vectors and the lines that are read to be written,
 * over 32 bytes per cycle between the caches is 0.5 cycles. Each page of 4 KiB of each vector costs
 * a page walk of 28 cycles and, because prefetching ends with the page, two lines of the L3 at 30:
 * 0.26 cycles.
 *
 * Together 2.05 ns per element. Of several loops that are plausible this one was chosen because 128
 * K elements then take what the paper's baseline takes with Table 2's latencies: its first
 * break-even point is a calibration, and only the second is a prediction. An optimised loop is
 * bound by memory, at about half of that: no GPU behind PCIe 2.0, whose copies alone take 1.76 ns
 * per element, would be faster without overlap. */
double vector_add_cpu_us(uint32_t n);

#endif
