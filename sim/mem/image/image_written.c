/* One bit per byte of the address space, of which the host pays for the pages that are touched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "sim/mem/image/image_internal.h"

size_t image_written_bytes(const struct image *image)
{
    const struct image_range *far = &image->far;
    uint64_t all = far->bytes ? far->address + far->bytes - image->start : image->bytes;
    return (size_t)(all / 8 + 1);
}

void image_watch(struct image *image)
{
    void *at = mmap(NULL, image_written_bytes(image), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) {
        fprintf(stderr, "evgpu: the host has no address space for --check=uninit\n");
        exit(EXIT_FAILURE);
    }
    image->written = at;
}

static bool get(const struct image *image, uint64_t address)
{
    uint64_t bit = address - image->start;
    return image->written[bit / 8] >> bit % 8 & 1;
}

static void put(struct image *image, uint64_t address, bool value)
{
    uint64_t bit = address - image->start;
    uint8_t mask = (uint8_t)(1u << bit % 8);
    image->written[bit / 8] =
        (uint8_t)(value ? image->written[bit / 8] | mask : image->written[bit / 8] & ~mask);
}

bool image_written(const struct image *image, uint64_t address, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        if (get(image, address + i))
            return true;
    return false;
}

/* Bit by bit to the first and from the last whole byte of the map. */
static void set_all(struct image *image, uint64_t address, uint64_t bytes, bool value)
{
    uint64_t end = address + bytes;
    if (!image->written)
        return;
    for (; address < end && (address - image->start) % 8; address++)
        put(image, address, value);
    if (address < end) {
        uint64_t whole = (end - address) / 8;
        memset(&image->written[(address - image->start) / 8], value ? 0xFF : 0, (size_t)whole);
        address += 8 * whole;
    }
    for (; address < end; address++)
        put(image, address, value);
}

void image_set_written(struct image *image, uint64_t address, uint64_t bytes)
{
    set_all(image, address, bytes, true);
}

void image_clear_written(struct image *image, uint64_t address, uint64_t bytes)
{
    set_all(image, address, bytes, false);
}

void image_copy_written(struct image *image, uint64_t to, uint64_t from, uint64_t bytes)
{
    struct image_block block;
    uint64_t distance;
    if (!image->written)
        return;
    if (image_locate(image, from, &block, &distance) != IMAGE_INSIDE || block.note.initialised) {
        set_all(image, to, bytes, true);
        return;
    }
    for (uint64_t i = 0; i < bytes; i++)
        put(image, to + i, get(image, from + i));
}
