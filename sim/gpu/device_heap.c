#include "sim/gpu/device_heap.h"

#include <string.h>

#define HEADER    16u /* bytes in front of a block: its class and a mark, or the next free block */
#define USED_MARK 0x6576686561705553u
#define FREE_MARK 0x6576686561704652u

struct header {
    uint64_t mark, value; /* USED_MARK: class; FREE_MARK: address of the next free block of it */
};

/* Four classes per power of two: at most a quarter of a block is lost. */
static uint64_t class_bytes(uint32_t class)
{
    uint64_t step = 16ull << class / 4;
    return 4 * step + class % 4 * step;
}

static uint32_t class_of(uint64_t bytes)
{
    uint32_t class = 0;
    while (class < DEVICE_HEAP_CLASSES && class_bytes(class) < bytes)
        class ++;
    return class;
}

static struct header *header_of(struct image *image, uint64_t address)
{
    return (struct header *)(void *)(image->base + address - HEADER);
}

static bool take_area(struct device_heap *heap, struct image *image)
{
    if (heap->base)
        return true;
    heap->base = image_alloc(image, heap->limit, 256);
    image_describe(image, heap->base,
                   &(struct image_note){.access = IMAGE_CLOSED, .what = "the heap of kernels"});
    heap->top = heap->base;
    heap->end = heap->base + heap->limit;
    return heap->base != 0;
}

uint64_t device_heap_alloc(struct device_heap *heap, struct image *image, uint64_t bytes)
{
    if (!bytes || bytes > heap->limit || !take_area(heap, image))
        return 0;
    uint32_t class = class_of(bytes);
    uint64_t address = heap->free[class];
    if (address) {
        heap->free[class] = header_of(image, address)->value;
    } else {
        uint64_t need = HEADER + class_bytes(class);
        if (need > heap->end - heap->top)
            return 0;
        address = heap->top + HEADER;
        heap->top += need;
    }
    *header_of(image, address) = (struct header){USED_MARK, class};
    return address;
}

bool device_heap_free(struct device_heap *heap, struct image *image, uint64_t address)
{
    if (!heap->base || address < heap->base + HEADER || address >= heap->top || address % 16)
        return false;
    struct header *h = header_of(image, address);
    if (h->mark != USED_MARK || h->value >= DEVICE_HEAP_CLASSES)
        return false;
    uint32_t class = (uint32_t)h->value;
    memset(image->base + address, 0,
           (size_t)class_bytes(class)); /* the next owner's may be another */
    *h = (struct header){FREE_MARK, heap->free[class]};
    heap->free[class] = address;
    return true;
}
