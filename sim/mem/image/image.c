/* The address space is one mapping without reserved swap, so that only touched pages cost memory.
 * Block headers live outside it, in an array sorted by address: device code cannot damage them, and
 * a released neighbour is merged at once. */
#include "sim/mem/image/image.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/mem/image/image_internal.h"
#include "sim/mem/image/map.h"

#define BLOCK_UNIT 256u /* bytes */
#define SMALL_UNIT 16u
#define ZERO_LEAST (1u << 16) /* bytes that are worth asking the file which of them are there */

static uint64_t round_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}

static size_t all_bytes(const struct image *image)
{
    const struct image_range *far = &image->far;
    return (size_t)(far->bytes ? far->address + far->bytes - image->start : image->bytes);
}

static bool map(struct image *image, uint64_t bytes, struct error *err)
{
    bool shared = image->file >= 0;
    if (bytes <= IMAGE_HEAP_BASE || bytes > SIZE_MAX)
        return error_set(err,
                         "device memory of %" PRIu64
                         " bytes: must be more than %u bytes and fit the "
                         "host's address space",
                         bytes, IMAGE_HEAP_BASE);
    image->bytes = bytes;
    if (shared)
        image->far =
            (struct image_range){image->start + round_up(bytes, IMAGE_MAP_UNIT), IMAGE_FAR_BYTES};
    void *at = mmap(NULL, all_bytes(image), shared ? PROT_NONE : PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at != MAP_FAILED && shared)
        at = mmap(at, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE,
                  image->file, 0);
    if (at == MAP_FAILED)
        return error_set(err,
                         "device memory of %" PRIu64
                         " bytes: the host refuses the address space (%s); set a smaller "
                         "gpu.memory_mib or raise the limit (ulimit -v)",
                         bytes, strerror(errno));
    image->base = (uint8_t *)at - image->start;
    image->heap = image->start + IMAGE_HEAP_BASE;
    image->brk = image->heap;
    return true;
}

bool image_create(struct image *image, uint64_t bytes, struct error *err)
{
    *image = (struct image){.file = -1};
    return map(image, bytes, err);
}

bool image_create_shared(struct image *image, uint64_t start, uint64_t bytes, struct error *err)
{
    *image = (struct image){.start = start,
                            .file = memfd_create("evgpu", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    if (image->file < 0 || ftruncate(image->file, (off_t)bytes))
        return error_set(
            err, "device memory of %" PRIu64 " bytes: the host cannot create a memory file (%s)",
            bytes, strerror(errno));
    /* A program that shared it could take it from under us. */
    if (fcntl(image->file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return error_set(err, "device memory: the host cannot seal a memory file (%s)",
                         strerror(errno));
    return map(image, bytes, err);
}

void image_destroy(struct image *image)
{
    if (image->base)
        munmap(image->base + image->start, all_bytes(image));
    if (image->bytes && image->file >= 0)
        close(image->file);
    if (image->written)
        munmap(image->written, image_written_bytes(image));
    free(image->ranges);
    free(image->blocks);
    free(image->parts);
    free(image->released);
    for (uint32_t i = 0; i < image->n_owners; i++)
        free(image->owners[i]);
    free(image->owners);
    *image = (struct image){.file = -1};
}

/* Start of an aligned block of `bytes` within [from, to), or 0. */
static uint64_t fit(uint64_t from, uint64_t to, uint64_t bytes, uint64_t align)
{
    uint64_t start = round_up(from, align);
    return start >= from && start <= to && bytes <= to - start ? start : 0;
}

/* The rest of the last unit of a block stays free, so that who runs over its end meets nothing;
 * variables, which are small, have some of it in any case. */
static uint64_t room_of(uint64_t bytes, uint64_t align)
{
    if (align >= BLOCK_UNIT)
        return round_up(bytes, BLOCK_UNIT);
    return bytes < UINT64_MAX - SMALL_UNIT ? round_up(bytes + 1, SMALL_UNIT) : bytes;
}

static uint64_t from_top(const struct image *image)
{
    const struct image_block *top = &image->blocks[image->n_blocks - 1];
    return top->address + top->room;
}

static void add_block(struct image *image, uint32_t at, const struct image_block *block)
{
    ARRAY_RESERVE(image->blocks, image->n_blocks, image->block_capacity);
    memmove(&image->blocks[at + 1], &image->blocks[at],
            (image->n_blocks - at) * sizeof *image->blocks);
    image->blocks[at] = *block;
    image->n_blocks++;
    image->allocated += block->bytes;
    if (block->address + block->bytes > image->brk)
        image->brk = block->address + block->bytes;
}

uint64_t image_alloc(struct image *image, uint64_t bytes, uint64_t align)
{
    if (!align || align & (align - 1))
        return 0;
    if (!bytes)
        bytes = 1;
    uint64_t room = room_of(bytes, align);
    uint64_t gaps = image->brk - image->heap - image->allocated;
    uint32_t at = image->n_blocks;
    uint64_t start = 0;
    uint64_t from = image->heap;
    for (uint32_t i = 0; bytes <= gaps && !start && i < image->n_blocks; i++) {
        start = fit(from, image->blocks[i].address, room, align);
        at = start ? i : at;
        from = image->blocks[i].address + image->blocks[i].room;
    }
    if (!start)
        start = fit(image->n_blocks ? from_top(image) : image->heap, image->start + image->bytes,
                    bytes, align);
    if (!start)
        return 0;
    add_block(image, at, &(struct image_block){.address = start, .bytes = bytes, .room = room});
    return start;
}

uint64_t image_alloc_top(struct image *image, uint64_t bytes, uint64_t multiple)
{
    uint64_t end = image->start + image->bytes;
    uint64_t lowest = image->n_blocks ? from_top(image) : image->heap;
    if (bytes > image->bytes || !multiple)
        return 0;
    uint64_t start = (end - bytes) / multiple * multiple;
    if (start < lowest)
        return 0;
    add_block(image, image->n_blocks,
              &(struct image_block){.address = start, .bytes = bytes, .room = end - start});
    return start;
}

/* Index of the block that starts at the address, or n_blocks. */
static uint32_t find_block(const struct image *image, uint64_t address)
{
    uint32_t after = image_block_after(image, address);
    return after && image->blocks[after - 1].address == address ? after - 1 : image->n_blocks;
}

/* Whole pages go back to the host, so that a released gigabyte costs nothing. */
static void zero(struct image *image, const struct image_block *block)
{
    const uint64_t page = 4096;
    uint64_t end = block->address + block->bytes;
    uint64_t first = round_up(block->address, page);
    uint64_t last = end & ~(page - 1);
    int advice = image->file >= 0 ? MADV_REMOVE : MADV_DONTNEED;
    if (first >= last || madvise(image->base + first, (size_t)(last - first), advice)) {
        memset(image->base + block->address, 0, (size_t)block->bytes);
        return;
    }
    memset(image->base + block->address, 0, (size_t)(first - block->address));
    memset(image->base + last, 0, (size_t)(end - last));
}

bool image_release(struct image *image, uint64_t address)
{
    uint32_t i = find_block(image, address);
    if (i == image->n_blocks)
        return false;
    zero(image, &image->blocks[i]);
    image_forget(image, i);
    image->allocated -= image->blocks[i].bytes;
    memmove(&image->blocks[i], &image->blocks[i + 1],
            (image->n_blocks - i - 1) * sizeof *image->blocks);
    image->n_blocks--;
    const struct image_block *top = image->n_blocks ? &image->blocks[image->n_blocks - 1] : NULL;
    image->brk = top ? top->address + top->bytes : image->heap;
    return true;
}

void image_zero(struct image *image, uint64_t address, uint64_t bytes)
{
    const uint64_t start = image->start, end = address + bytes;
    bool in_file = image->file >= 0 && bytes >= ZERO_LEAST && end <= start + image->bytes;
    while (address < end) {
        uint64_t to = end;
        off_t data = in_file ? lseek(image->file, (off_t)(address - start), SEEK_DATA) : -1;
        if (in_file && data < 0 && errno == ENXIO)
            return; /* none up to the end of the file */
        if (data >= 0) {
            off_t hole = lseek(image->file, data, SEEK_HOLE);
            address = start + (uint64_t)data;
            to = hole > data && start + (uint64_t)hole < end ? start + (uint64_t)hole : end;
        }
        if (address < end)
            memset(image->base + address, 0, (size_t)(to - address));
        address = to;
    }
}
