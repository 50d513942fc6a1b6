#include "sw/apps/common/conv_layer.h"

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"

size_t conv_image_values(const struct conv_layer *l)
{
    return (size_t)l->colours * l->image_side * l->image_side * l->images;
}

size_t conv_filter_values(const struct conv_layer *l)
{
    return (size_t)l->group_colours * l->filter_side * l->filter_side * l->filters;
}

size_t conv_target_values(const struct conv_layer *l)
{
    return (size_t)l->filters * l->modules_side * l->modules_side * l->images;
}

struct input {
    const float *images, *filters;
    const float *zeros; /* as many as there are images */
    uint32_t cached;
};

/* The images' values of one colour under pixel `pixel` of the filter at a module. */
static const float *under(const struct conv_layer *l, const struct input *in, uint32_t colour,
                          uint32_t module, uint32_t pixel)
{
    uint32_t y = module / l->modules_side * l->stride + pixel / l->filter_side - l->padding,
             x = module % l->modules_side * l->stride + pixel % l->filter_side - l->padding;
    if (y >= l->image_side || x >= l->image_side) /* also what is left of 0, as it has wrapped */
        return in->zeros;
    return in->images + (((size_t)colour * l->image_side + y) * l->image_side + x) * l->images;
}

static inline __attribute__((always_inline)) void add(float *sums, const float *values,
                                                      float weight, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sums[i] = fmaf(values[i], weight, sums[i]);
}

/* The step of one filter at one module over CONV_BLOCK_Y pixels of the cached colours. */
static inline __attribute__((always_inline)) void step(const struct conv_layer *l,
                                                       const struct input *in, uint32_t filter,
                                                       uint32_t module, uint32_t first_colour,
                                                       uint32_t first_pixel, float *sums)
{
    uint32_t pixels = l->filter_side * l->filter_side;
    uint32_t group = filter / (l->filters / l->groups);
    for (uint32_t colour = first_colour; colour < first_colour + in->cached; colour++)
        for (uint32_t pixel = first_pixel; pixel < first_pixel + CONV_BLOCK_Y; pixel++) {
            if (pixel >= pixels) {
                add(sums, in->zeros, 0.0f, l->images);
                continue;
            }
            size_t weight = ((size_t)colour * pixels + pixel) * l->filters + filter;
            add(sums, under(l, in, group * l->group_colours + colour, module, pixel),
                in->filters[weight], l->images);
        }
}

static inline __attribute__((always_inline)) void convolve(const struct conv_layer *l,
                                                           const struct input *in, float *targets)
{
    uint32_t modules = l->modules_side * l->modules_side;
    for (uint32_t filter = 0; filter < l->filters; filter++)
        for (uint32_t module = 0; module < modules; module++) {
            float *sums = targets + ((size_t)filter * modules + module) * l->images;
            for (uint32_t i = 0; i < l->images; i++)
                sums[i] = 0.0f;
            for (uint32_t colour = 0; colour < l->group_colours; colour += in->cached)
                for (uint32_t pixel = 0; pixel < l->filter_side * l->filter_side;
                     pixel += CONV_BLOCK_Y)
                    step(l, in, filter, module, colour, pixel, sums);
        }
}

#if defined(__x86_64__)
/* fmaf is exact by definition: the same bits, with instructions instead of calls. */
static __attribute__((target("avx2,fma"))) void convolve_fma(const struct conv_layer *l,
                                                             const struct input *in, float *targets)
{
    convolve(l, in, targets);
}
#endif

void conv_reference(const struct conv_layer *l, uint32_t cached, const float *images,
                    const float *filters, float *targets)
{
    float *zeros = ALLOC_ARRAY(float, l->images);
    struct input in = {.images = images, .filters = filters, .zeros = zeros, .cached = cached};
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        convolve_fma(l, &in, targets);
    else
#endif
        convolve(l, &in, targets);
    free(zeros);
}
