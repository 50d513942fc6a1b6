/* Device memory contents: a flat, sparse, zero-filled byte array. The host pays only for pages that
 * are touched. Timing is elsewhere (cache.h, dram.h); this is the functional state. */
#ifndef EVGPU_MEM_IMAGE_IMAGE_H
#define EVGPU_MEM_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

#define IMAGE_HEAP_BASE 0x10000u /* addresses below are never valid, so that NULL faults */

/* The kind of an allocation, its owner, and the accesses that kernels may make. */
enum image_access {
    IMAGE_OPEN,        /* kernels read and write it */
    IMAGE_CONST,       /* constant variables: kernels read it */
    IMAGE_READ_ONLY,   /* kernels read it */
    IMAGE_CONST_SHOWN, /* constant variables whose address the host has: kernels write it there */
    IMAGE_CLOSED       /* the machine's own: kernels have no business there */
};

struct image_note {
    uint8_t access;       /* enum image_access */
    bool initialised;     /* its contents mean something from the beginning, or the host writes them
                           * without a call: reads are never of what was not written */
    bool lent_for_writes; /* its borrower may also write it */
    uint32_t owner;       /* of image_add_owner: only its kernels; 0: whatever kernel */
    uint32_t borrower;    /* of image_lend; 0: none */
    uint64_t limit;       /* bytes of it that count as the allocation; 0: all */
    uint64_t serial;      /* the owner's how manieth, from 1; 0: not counted */
    const char *what;     /* "device memory", ...; outlives the image */
    const char *name;     /* of a variable, a kernel, or NULL; outlives the image */
    uint32_t place;       /* heap: PTX line of the malloc; 0: none */
};

struct image_block {
    uint64_t address, bytes;
    uint64_t room; /* from the address on that no other block begins in */
    struct image_note note;
};

#define IMAGE_HISTORY 256u /* released blocks that are remembered */

/* Blocks within one block, for the heap of kernels. */
struct image_part {
    struct image_block block; /* bytes: those that were asked for */
    bool live;
};

struct image_range {
    uint64_t address, bytes;
};

struct image {
    uint8_t *base;              /* host pointer of device address 0 */
    uint64_t bytes;             /* size of the address space that has memory */
    struct image_range far;     /* addresses beyond it, which have what is mapped there (map.h) */
    struct image_range *ranges; /* of them, those that are reserved, by address */
    uint32_t n_ranges, range_capacity;
    uint64_t start;             /* its lowest address, 0 unless shared */
    uint64_t heap;              /* lowest address that an allocation may have */
    int file;                   /* of a shared image, else -1 */
    uint64_t brk;               /* one past the highest allocated byte */
    uint64_t allocated;         /* bytes in allocated blocks */
    struct image_block *blocks; /* allocated blocks by address */
    uint32_t n_blocks, block_capacity;
    struct image_part *parts; /* by address; a block that has any is known by them alone */
    uint32_t n_parts, part_capacity;
    struct image_block *released; /* ring of IMAGE_HISTORY */
    uint64_t n_released;
    char **owners; /* names, by number - 1 */
    uint32_t n_owners, owner_capacity;
    bool unguarded;   /* kernels may access what is another owner's */
    uint8_t *written; /* bit per byte from `start` on, or NULL: not watched */
    uint32_t version; /* another one after every release and note */
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

/* Zero-filled block at the highest multiple of `multiple` that leaves room for it, out of the way
 * of all others; 0 when an allocated block is in its place. */
uint64_t image_alloc_top(struct image *image, uint64_t bytes, uint64_t multiple);

/* Releases the block that starts at the address; its pages go back to the host. False when no block
 * starts there (a wrong or second release): nothing happened. */
bool image_release(struct image *image, uint64_t address);

/* Fills bytes of the address space with 0. Pages of a memory file that nobody has touched stay
 * untouched. */
void image_zero(struct image *image, uint64_t address, uint64_t bytes);

/* --- what is where -----------------------------------------------------------------------------
 */

/* Somebody who allocates, for messages: "program vectorAdd". The name is copied. */
uint32_t image_add_owner(struct image *image, const char *name);
const char *image_owner(const struct image *image, uint32_t owner); /* NULL: none */

/* Describes the block that starts at the address; new blocks are open, and nobody's. */
void image_describe(struct image *image, uint64_t address, const struct image_note *note);

/* A part of a block: added, or used again after its release. Parts never overlap. */
void image_add_part(struct image *image, const struct image_block *part);
void image_release_part(struct image *image, uint64_t address);
/* The part that starts at the address is no more; messages remember it. */
void image_remove_part(struct image *image, uint64_t address);

/* From now on kernels may write the constant variable that starts at the address; not when another
 * kind of block does. */
void image_show_constant(struct image *image, uint64_t address);

/* From now on kernels of `borrower` may also read the block that starts at the address, or read and
 * write it. */
void image_lend(struct image *image, uint64_t address, uint32_t borrower, bool for_writes);

bool image_is_constant(const struct image_note *note);

/* The block is another's than of `owner` (0: of everybody), and is not lent to it. */
bool image_refuses(const struct image *image, const struct image_note *note, uint32_t owner,
                   bool write);

/* The first part in use of the owner's at or after the address; 0: none. */
uint64_t image_part_of(const struct image *image, uint32_t owner, uint64_t from);

/* The bounds of what holds `address` and a kernel of `owner` may access (0: of anybody); `constant`
 * stands for loads of constant memory, `write` for stores and atomics. False: nothing does. */
bool image_span(const struct image *image, uint32_t owner, uint64_t address, bool constant,
                bool write, uint64_t *low, uint64_t *high);

/* The bounds of the block in use that holds `address` and is of `owner` (0: of anybody), whatever
 * kernels may do there. False: there is none. */
bool image_holds(const struct image *image, uint32_t owner, uint64_t address, uint64_t *low,
                 uint64_t *high);

enum image_relation {
    IMAGE_NOWHERE, /* there are no allocations */
    IMAGE_INSIDE,  /* distance: from the first byte */
    IMAGE_FREED,   /* the same, of one that has been released */
    IMAGE_BEFORE,  /* distance: to the first byte */
    IMAGE_AFTER    /* distance: from the last byte */
};

/* The allocation that holds the address, else the one that was released last and held it, else the
 * nearest that kernels can access. */
enum image_relation image_locate(const struct image *image, uint64_t address,
                                 struct image_block *block, uint64_t *distance);

/* --- what was written ---------------------------------------------------------------------------
 */

/* From now on it is known which bytes of new allocations were written, if their note does not say
 * that they mean something from the beginning. Costs an eighth of the memory that is touched. */
void image_watch(struct image *image);
bool image_written(const struct image *image, uint64_t address, uint64_t bytes); /* any of them */
/* Nothing happens in an image that is not watched. */
void image_set_written(struct image *image, uint64_t address, uint64_t bytes);
void image_clear_written(struct image *image, uint64_t address, uint64_t bytes);
/* As a copy does that moves these bytes. */
void image_copy_written(struct image *image, uint64_t to, uint64_t from, uint64_t bytes);

/* True when [address, address+bytes) lies between the heap's base and its highest allocated byte;
 * released blocks below that count as inside. Of far addresses none does. */
static inline bool image_valid(const struct image *image, uint64_t address, uint64_t bytes)
{
    return address >= image->heap && address < image->brk && bytes <= image->brk - address;
}

static inline bool image_is_far(const struct image *image, uint64_t address)
{
    return address - image->far.address < image->far.bytes;
}

#endif
