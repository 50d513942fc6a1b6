#include "sim/guest/program/stream/move.h"

#include <string.h>

#include "sim/guest/program/internal.h"

#define SLICE_BYTES (16u << 20)
#define ROW_BYTES   64u /* a row takes at least as long as so many bytes */

struct slices {
    const struct program *p;
    uint64_t done; /* of this slice */
};

/* After so many bytes; false: the run is to end. */
static bool go_on(struct slices *s, uint64_t bytes)
{
    s->done += bytes + ROW_BYTES;
    if (s->done < SLICE_BYTES)
        return true;
    s->done = 0;
    return !machine_stopped(s->p->machine);
}

bool move_box_fits(uint64_t width, uint64_t height, uint64_t depth, uint64_t pitch, uint64_t slice)
{
    uint64_t rows = 0, bytes = 0;
    if (height > 1 && pitch < width)
        return false;
    return depth == 1 || (!__builtin_mul_overflow(height - 1, pitch, &rows) &&
                          !__builtin_add_overflow(rows, width, &bytes) && slice >= bytes);
}

/* As memmove, from the end where the source would be overwritten. */
static bool move_row(struct slices *s, uint8_t *dst, const uint8_t *src, uint64_t bytes)
{
    bool from_end = dst > src && (uint64_t)(dst - src) < bytes;
    for (uint64_t done = 0, some; done < bytes; done += some) {
        some = bytes - done < SLICE_BYTES ? bytes - done : SLICE_BYTES;
        uint64_t at = from_end ? bytes - done - some : done;
        memmove(dst + at, src + at, (size_t)some);
        if (!go_on(s, some))
            return false;
    }
    return true;
}

void move_rows(const struct program *p, const struct copy_plan *plan, const uint8_t *payload)
{
    struct slices s = {.p = p};
    uint8_t *base = gpu_image(machine_gpu(p->machine))->base;
    uint8_t *dst = base + plan->dst;
    const uint8_t *src = payload ? payload : base + plan->src;
    for (uint64_t z = 0; z < plan->depth; z++) {
        for (uint64_t y = 0; y < plan->height; y++) {
            if (!move_row(&s, dst + z * plan->dst_slice + y * plan->dst_pitch,
                          src + z * plan->src_slice + y * plan->src_pitch, plan->width))
                return;
        }
    }
}

static bool set_row(struct slices *s, struct image *image, uint64_t address,
                    const struct set_plan *plan)
{
    uint8_t *row = image->base + address;
    bool zero = plan->element == 1 ? !(plan->value & 0xFF) : !plan->value;
    for (uint64_t done = 0, some; done < plan->width; done += some) {
        some = plan->width - done < SLICE_BYTES ? plan->width - done : SLICE_BYTES;
        if (zero)
            image_zero(image, address + done, some);
        else if (plan->element == 1)
            memset(row + done, (int)(plan->value & 0xFF), (size_t)some);
        for (uint64_t x = done; !zero && plan->element > 1 && x < done + some; x += plan->element)
            memcpy(row + x, &plan->value, plan->element);
        if (!go_on(s, some))
            return false;
    }
    return true;
}

void move_set(const struct program *p, const struct set_plan *plan)
{
    struct slices s = {.p = p};
    struct image *image = gpu_image(machine_gpu(p->machine));
    for (uint64_t z = 0; z < plan->depth; z++) {
        for (uint64_t y = 0; y < plan->height; y++) {
            uint64_t row = plan->dst + z * plan->slice + y * plan->pitch;
            image_set_written(image, row, plan->width);
            if (!set_row(&s, image, row, plan))
                return;
        }
    }
}

void move_note(const struct program *p, const struct copy_plan *plan)
{
    struct slices s = {.p = p};
    struct image *image = gpu_image(machine_gpu(p->machine));
    if (!image->written || plan->flags & WIRE_COPY_DST_HOST)
        return;
    bool from_host = plan->flags & (WIRE_COPY_SRC_HOST | WIRE_COPY_PAYLOAD);
    for (uint64_t z = 0; z < plan->depth; z++) {
        for (uint64_t y = 0; y < plan->height; y++) {
            uint64_t to = plan->dst + z * plan->dst_slice + y * plan->dst_pitch;
            uint64_t from = plan->src + z * plan->src_slice + y * plan->src_pitch;
            if (from_host)
                image_set_written(image, to, plan->width);
            else
                image_copy_written(image, to, from, plan->width);
            if (!go_on(&s, plan->width))
                return;
        }
    }
}
