#include "sim/mem/image/map.h"

#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"

/* Index of the first range that begins after the address. */
static uint32_t range_after(const struct image *image, uint64_t address)
{
    uint32_t at = 0;
    while (at < image->n_ranges && image->ranges[at].address <= address)
        at++;
    return at;
}

/* The range lies among the far addresses and meets no other one; *at: where it belongs. */
static bool is_free(const struct image *image, uint64_t address, uint64_t bytes, uint32_t *at)
{
    uint64_t offset = address - image->far.address;
    *at = range_after(image, address);
    const struct image_range *before = *at ? &image->ranges[*at - 1] : NULL;
    return offset < image->far.bytes && bytes <= image->far.bytes - offset &&
           (!before || before->address + before->bytes <= address) &&
           (*at == image->n_ranges || bytes <= image->ranges[*at].address - address);
}

/* First fit: at the beginning, or behind a range. */
static uint64_t find_room(const struct image *image, uint64_t bytes, uint64_t align, uint32_t *at)
{
    for (uint32_t i = 0; i <= image->n_ranges; i++) {
        uint64_t from =
            i ? image->ranges[i - 1].address + image->ranges[i - 1].bytes : image->far.address;
        uint64_t start = (from + align - 1) & ~(align - 1);
        if (start >= from && is_free(image, start, bytes, at))
            return start;
    }
    return 0;
}

uint64_t image_reserve(struct image *image, uint64_t bytes, uint64_t align, uint64_t wish)
{
    uint32_t at = 0;
    bool granted = wish && !(wish & (align - 1)) && is_free(image, wish, bytes, &at);
    uint64_t start = granted ? wish : find_room(image, bytes, align, &at);
    if (!start)
        return 0;
    ARRAY_RESERVE(image->ranges, image->n_ranges, image->range_capacity);
    memmove(&image->ranges[at + 1], &image->ranges[at],
            (image->n_ranges - at) * sizeof *image->ranges);
    image->ranges[at] = (struct image_range){start, bytes};
    image->n_ranges++;
    return start;
}

void image_unreserve(struct image *image, uint64_t address)
{
    uint32_t after = range_after(image, address);
    if (!after || image->ranges[after - 1].address != address)
        return;
    image->n_ranges--;
    memmove(&image->ranges[after - 1], &image->ranges[after],
            (image->n_ranges + 1 - after) * sizeof *image->ranges);
}

bool image_is_reserved(const struct image *image, uint64_t address)
{
    uint32_t after = range_after(image, address);
    const struct image_range *range = after ? &image->ranges[after - 1] : NULL;
    return range && address - range->address < range->bytes;
}

bool image_map(struct image *image, const struct image_block *part, uint64_t from)
{
    void *at = image->base + part->address;
    if (mmap(at, (size_t)part->bytes, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_FIXED | MAP_NORESERVE, image->file,
             (off_t)(from - image->start)) != at)
        return false;
    image_add_part(image, part);
    return true;
}

void image_unmap(struct image *image, const struct image_range *range)
{
    mmap(image->base + range->address, (size_t)range->bytes, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    image_remove_part(image, range->address);
}
