#include "sim/system/guest_map.h"

#include "sim/system/machine_internal.h"

uint64_t guest_reserve(struct guest *g, uint64_t bytes, uint64_t align, uint64_t wish)
{
    uint64_t least = align > GUEST_MAP_UNIT ? align : GUEST_MAP_UNIT;
    return image_reserve(gpu_image(g->machine->gpu), bytes, least, wish);
}

void guest_unreserve(struct guest *g, uint64_t address)
{
    image_unreserve(gpu_image(g->machine->gpu), address);
}

/* What was written by one address may be read by another one, so all of it counts as written. */
static struct image_block part_of(const struct guest *g, const struct guest_mapping *m, bool open)
{
    return (struct image_block){.address = m->address,
                                .bytes = m->bytes,
                                .note = {.access = open ? IMAGE_OPEN : IMAGE_CLOSED,
                                         .initialised = true,
                                         .owner = g->owner,
                                         .serial = m->serial,
                                         .what = "mapped memory"}};
}

bool guest_map(struct guest *g, const struct guest_mapping *mapping)
{
    const struct image_block part = part_of(g, mapping, false);
    return image_map(gpu_image(g->machine->gpu), &part, mapping->from);
}

void guest_map_access(struct guest *g, const struct guest_mapping *mapping, bool open)
{
    const struct image_block part = part_of(g, mapping, open);
    image_add_part(gpu_image(g->machine->gpu), &part);
}

void guest_unmap(struct guest *g, const struct guest_mapping *mapping)
{
    image_unmap(gpu_image(g->machine->gpu),
                &(struct image_range){mapping->address, mapping->bytes});
}
