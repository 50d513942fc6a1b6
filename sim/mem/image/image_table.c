/* Which allocation an address belongs to, and what it missed. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/mem/image/image_internal.h"

uint32_t image_block_after(const struct image *image, uint64_t address)
{
    uint32_t low = 0;
    uint32_t high = image->n_blocks;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (image->blocks[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint32_t part_after(const struct image *image, uint64_t address)
{
    uint32_t low = 0;
    uint32_t high = image->n_parts;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (image->parts[middle].block.address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* --- notes ------------------------------------------------------------------------------------ */

uint32_t image_add_owner(struct image *image, const char *name)
{
    ARRAY_RESERVE(image->owners, image->n_owners, image->owner_capacity);
    image->owners[image->n_owners++] = alloc_string(name);
    return image->n_owners;
}

const char *image_owner(const struct image *image, uint32_t owner)
{
    return owner && owner <= image->n_owners ? image->owners[owner - 1] : NULL;
}

void image_describe(struct image *image, uint64_t address, const struct image_note *note)
{
    uint32_t after = image_block_after(image, address);
    if (!after || image->blocks[after - 1].address != address)
        return;
    image->blocks[after - 1].note = *note;
    image->version++;
    if (note->access != IMAGE_CLOSED && !note->initialised)
        image_clear_written(image, address, image->blocks[after - 1].bytes);
}

void image_show_constant(struct image *image, uint64_t address)
{
    uint32_t after = image_block_after(image, address);
    struct image_block *block = after ? &image->blocks[after - 1] : NULL;
    if (!block || block->address != address || block->note.access != IMAGE_CONST)
        return;
    block->note.access = IMAGE_CONST_SHOWN;
    image->version++;
}

void image_lend(struct image *image, uint64_t address, uint32_t borrower, bool for_writes)
{
    uint32_t after = image_block_after(image, address);
    if (!after || image->blocks[after - 1].address != address)
        return;
    image->blocks[after - 1].note.borrower = borrower;
    image->blocks[after - 1].note.lent_for_writes = for_writes;
    image->version++;
}

static void remember(struct image *image, const struct image_block *block)
{
    if (!image->released)
        image->released = ALLOC_ARRAY(struct image_block, IMAGE_HISTORY);
    image->released[image->n_released++ % IMAGE_HISTORY] = *block;
}

void image_forget(struct image *image, uint32_t index)
{
    const struct image_block *block = &image->blocks[index];
    uint32_t first = part_after(image, block->address - 1);
    uint32_t end = part_after(image, block->address + block->bytes - 1);
    image->version++;
    if (block->note.access != IMAGE_CLOSED)
        remember(image, block);
    if (first == end)
        return;
    memmove(&image->parts[first], &image->parts[end],
            (image->n_parts - end) * sizeof *image->parts);
    image->n_parts -= end - first;
}

void image_add_part(struct image *image, const struct image_block *part)
{
    uint32_t at = part_after(image, part->address);
    image->version++;
    image_clear_written(image, part->address, part->bytes);
    if (at && image->parts[at - 1].block.address == part->address) {
        image->parts[at - 1] = (struct image_part){.block = *part, .live = true};
        return;
    }
    ARRAY_RESERVE(image->parts, image->n_parts, image->part_capacity);
    memmove(&image->parts[at + 1], &image->parts[at], (image->n_parts - at) * sizeof *image->parts);
    image->parts[at] = (struct image_part){.block = *part, .live = true};
    image->n_parts++;
}

void image_release_part(struct image *image, uint64_t address)
{
    uint32_t after = part_after(image, address);
    if (!after || image->parts[after - 1].block.address != address)
        return;
    image->parts[after - 1].live = false;
    image->version++;
}

void image_remove_part(struct image *image, uint64_t address)
{
    uint32_t after = part_after(image, address);
    if (!after || image->parts[after - 1].block.address != address)
        return;
    if (image->parts[after - 1].block.note.access != IMAGE_CLOSED)
        remember(image, &image->parts[after - 1].block);
    memmove(&image->parts[after - 1], &image->parts[after],
            (image->n_parts - after) * sizeof *image->parts);
    image->n_parts--;
    image->version++;
}

uint64_t image_part_of(const struct image *image, uint32_t owner, uint64_t from)
{
    for (uint32_t i = from ? part_after(image, from - 1) : 0; i < image->n_parts; i++) {
        if (image->parts[i].live && image->parts[i].block.note.owner == owner)
            return image->parts[i].block.address;
    }
    return 0;
}

/* --- look-up ---------------------------------------------------------------------------------- */

static uint64_t size_of(const struct image_block *block)
{
    uint64_t limit = block->note.limit;
    return limit && limit < block->bytes ? limit : block->bytes;
}

static bool holds(const struct image_block *block, uint64_t address)
{
    return address - block->address < size_of(block);
}

/* The block, or the part of one, that holds the address; `freed`: a part that is not in use. What
 * is mapped at far addresses is a part of no block. */
static const struct image_block *find(const struct image *image, uint64_t address, bool *freed)
{
    uint32_t after = image_block_after(image, address);
    const struct image_block *block = after ? &image->blocks[after - 1] : NULL;
    *freed = false;
    if (!block || !holds(block, address))
        block = NULL;
    if (!block && !image_is_far(image, address))
        return NULL;
    uint32_t part = part_after(image, address);
    if (part && holds(&image->parts[part - 1].block, address)) {
        *freed = !image->parts[part - 1].live;
        return &image->parts[part - 1].block;
    }
    return block;
}

bool image_refuses(const struct image *image, const struct image_note *note, uint32_t owner,
                   bool write)
{
    bool lent = note->borrower == owner && (note->lent_for_writes || !write);
    return owner && note->owner && note->owner != owner && !lent && !image->unguarded;
}

bool image_is_constant(const struct image_note *note)
{
    return note->access == IMAGE_CONST || note->access == IMAGE_CONST_SHOWN;
}

bool image_span(const struct image *image, uint32_t owner, uint64_t address, bool constant,
                bool write, uint64_t *low, uint64_t *high)
{
    bool freed;
    const struct image_block *block = find(image, address, &freed);
    if (!block || freed || block->note.access == IMAGE_CLOSED ||
        image_refuses(image, &block->note, owner, write) ||
        (constant && !image_is_constant(&block->note)) ||
        (write && (block->note.access == IMAGE_CONST || block->note.access == IMAGE_READ_ONLY)))
        return false;
    *low = block->address;
    *high = block->address + size_of(block);
    return true;
}

bool image_holds(const struct image *image, uint32_t owner, uint64_t address, uint64_t *low,
                 uint64_t *high)
{
    bool freed;
    const struct image_block *block = find(image, address, &freed);
    if (!block || freed ||
        (owner && block->note.owner && block->note.owner != owner && !image->unguarded))
        return false;
    *low = block->address;
    *high = block->address + size_of(block);
    return true;
}

struct nearest {
    const struct image_block *block;
    enum image_relation relation;
    uint64_t distance;
};

static void consider(struct nearest *n, const struct image_block *block, uint64_t address)
{
    bool before = address < block->address;
    uint64_t distance =
        before ? block->address - address : address - (block->address + size_of(block)) + 1;
    if (block->note.access == IMAGE_CLOSED || (n->block && distance >= n->distance))
        return;
    *n = (struct nearest){block, before ? IMAGE_BEFORE : IMAGE_AFTER, distance};
}

static const struct image_block *find_released(const struct image *image, uint64_t address)
{
    for (uint64_t n = image->n_released; n && image->n_released - n < IMAGE_HISTORY; n--) {
        const struct image_block *block = &image->released[(n - 1) % IMAGE_HISTORY];
        if (holds(block, address))
            return block;
    }
    return NULL;
}

/* Of a closed block that lends parts only these count, not what was there before it. */
static bool is_divided(const struct image *image, const struct image_block *block)
{
    return part_after(image, block->address - 1) !=
           part_after(image, block->address + block->bytes - 1);
}

enum image_relation image_locate(const struct image *image, uint64_t address,
                                 struct image_block *block, uint64_t *distance)
{
    bool freed;
    const struct image_block *there = find(image, address, &freed);
    struct nearest n = {.block = NULL};
    if (there && there->note.access != IMAGE_CLOSED) {
        n.block = there;
        n.relation = freed ? IMAGE_FREED : IMAGE_INSIDE;
        n.distance = address - n.block->address;
    } else if (!(there && is_divided(image, there)) &&
               (n.block = find_released(image, address)) != NULL) {
        n.relation = IMAGE_FREED;
        n.distance = address - n.block->address;
    } else {
        for (uint32_t i = 0; i < image->n_blocks; i++)
            consider(&n, &image->blocks[i], address);
        for (uint32_t i = 0; i < image->n_parts; i++)
            if (image->parts[i].live)
                consider(&n, &image->parts[i].block, address);
    }
    if (!n.block)
        return IMAGE_NOWHERE;
    *block = *n.block;
    block->bytes = size_of(n.block);
    *distance = n.distance;
    return n.relation;
}
