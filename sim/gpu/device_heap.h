/* The heap of malloc() in kernels: an area of device memory, taken when it is first needed. Blocks
 * of one size class are reused; which address comes next depends on the calls alone. */
#ifndef EVGPU_GPU_DEVICE_HEAP_H
#define EVGPU_GPU_DEVICE_HEAP_H

#include "sim/mem/image/image.h"

#define DEVICE_HEAP_BYTES   (8u << 20) /* as CUDA's default limit */
#define DEVICE_HEAP_CLASSES 128

struct device_heap {
    uint64_t limit;                     /* bytes; may change until the first malloc */
    uint64_t base, end, top;            /* base 0: not taken yet */
    uint64_t free[DEVICE_HEAP_CLASSES]; /* first free block of each size class, 0: none */
};

/* Address of a block aligned to 16 bytes; 0: the heap is full. 0 bytes give 0. */
uint64_t device_heap_alloc(struct device_heap *heap, struct image *image, uint64_t bytes);

/* False: no allocated block starts there. */
bool device_heap_free(struct device_heap *heap, struct image *image, uint64_t address);

#endif
