/* Device memory contents: a flat, sparse, zero-filled byte array. The host pays only for pages that
 * are touched. Timing is elsewhere (cache.h, dram.h); this is the functional state. */
#ifndef EVGPU_MEM_IMAGE_H
#define EVGPU_MEM_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"

#define IMAGE_HEAP_BASE 0x10000u /* addresses below are never valid, so that NULL faults */

struct image {
    uint8_t *base;   /* host pointer of device address 0 */
    uint64_t bytes;  /* size of the address space */
    uint64_t brk;    /* one past the highest allocated byte */
};

/* `bytes`: size of the device memory. */
bool image_create(struct image *image, uint64_t bytes, struct error *err);
void image_destroy(struct image *image);

/* Bump allocation with `align` (power of two); 0 when full. Freed blocks are reused first fit. */
uint64_t image_alloc(struct image *image, uint64_t bytes, uint64_t align);
void image_release(struct image *image, uint64_t address);

/* True when [address, address+bytes) lies in allocated memory. */
static inline bool image_valid(const struct image *image, uint64_t address, uint64_t bytes)
{
    return address >= IMAGE_HEAP_BASE && address < image->brk && bytes <= image->brk - address;
}

#endif
