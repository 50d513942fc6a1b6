/* Addresses without memory of their own, beyond those that have some: ranges are reserved, and
 * memory of allocated blocks appears in them where it is mapped, as often as one likes. All
 * addresses of one byte are the same memory to the host, so nothing has to be translated. Caches
 * and DRAM take each for another line. Of shared images only. */
#ifndef EVGPU_MEM_IMAGE_MAP_H
#define EVGPU_MEM_IMAGE_MAP_H

#include "sim/mem/image/image.h"

#define IMAGE_MAP_UNIT  (2u << 20)   /* of ranges and mappings */
#define IMAGE_FAR_BYTES (1ull << 38) /* of all ranges */

/* Sizes and addresses are multiples of IMAGE_MAP_UNIT. `wish`: an address, which is taken if the
 * range is free there; 0: none. `align`: a power of two. 0 when there is no room. */
uint64_t image_reserve(struct image *image, uint64_t bytes, uint64_t align, uint64_t wish);
/* The range begins there, and nothing is mapped in it. */
void image_unreserve(struct image *image, uint64_t address);
/* One that holds the address. */
bool image_is_reserved(const struct image *image, uint64_t address);

/* The memory from `from` on appears as `part`, in a reserved range where nothing is mapped. False:
 * the host refuses it. */
bool image_map(struct image *image, const struct image_block *part, uint64_t from);
void image_unmap(struct image *image, const struct image_range *range);

#endif
