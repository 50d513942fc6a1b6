/* Between image.c and image_table.c. */
#ifndef EVGPU_MEM_IMAGE_IMAGE_INTERNAL_H
#define EVGPU_MEM_IMAGE_IMAGE_INTERNAL_H

#include <stddef.h>

#include "sim/mem/image/image.h"

/* Index of the first block that starts after the address. */
uint32_t image_block_after(const struct image *image, uint64_t address);

/* Block `index` is released: it goes to those that are remembered, its parts go. */
void image_forget(struct image *image, uint32_t index);

/* Of the map of what was written. */
size_t image_written_bytes(const struct image *image);

#endif
