/* Device memory contents: a flat, sparse, zero-filled byte array. The host pays only for pages that
 * are touched. Timing is elsewhere (cache.h, dram.h); this is the functional state. */
#ifndef EVGPU_MEM_IMAGE_H
#define EVGPU_MEM_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/base/error.h"

#define IMAGE_HEAP_BASE 0x10000u /* addresses below are never valid, so that NULL faults */

struct image {
    uint8_t *base;              /* host pointer of device address 0 */
    uint64_t bytes;             /* size of the address space */
    uint64_t start;             /* its lowest address, 0 unless shared */
    uint64_t heap;              /* lowest address that an allocation may have */
    int file;                   /* of a shared image, else -1 */
    uint64_t brk;               /* one past the highest allocated byte */
    uint64_t allocated;         /* bytes in allocated blocks */
    struct image_block *blocks; /* allocated blocks by address */
    uint32_t n_blocks, block_capacity;
};

/* `bytes`: size of the device memory, more than IMAGE_HEAP_BASE. False with `err` when the host
 * does not give the address space. */
bool image_create(struct image *image, uint64_t bytes, struct error *err);
void image_destroy(struct image *image);

/* Same, for memory that other processes map as well: a memory file, with the address space at
 * `start` (a multiple of 2^40, so that what is derived from low address bits is the same). */
bool image_create_shared(struct image *image, uint64_t start, uint64_t bytes, struct error *err);

/* Zero-filled block aligned to `align` (power of two); 0 when full or `align` is not a power of
 * two. Released blocks are reused first fit, otherwise the heap grows. 0 bytes count as 1. */
uint64_t image_alloc(struct image *image, uint64_t bytes, uint64_t align);

/* Releases the block that starts at the address; its pages go back to the host. False when no block
 * starts there (a wrong or second release): nothing happened. */
bool image_release(struct image *image, uint64_t address);

/* True when [address, address+bytes) lies between the heap's base and its highest allocated byte;
 * released blocks below that count as inside. */
static inline bool image_valid(const struct image *image, uint64_t address, uint64_t bytes)
{
    return address >= image->heap && address < image->brk && bytes <= image->brk - address;
}

#endif
