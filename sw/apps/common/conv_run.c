#include "sw/apps/common/conv_run.h"

#include <stdio.h>

#include "sw/apps/common/input_data.h"
#include "sw/cuda/include/evgpu.h"

#define MOST_VALUES (1u << 28) /* of an array: element numbers have 32 bits */

static struct conv_layer read_options(const struct app *app)
{
    const struct app_option *o = app->options;
    struct conv_layer l = {.images = o[CONV_IMAGES].number,
                           .colours = o[CONV_COLOURS].number,
                           .image_side = o[CONV_IMAGE_SIDE].number,
                           .filters = o[CONV_FILTERS].number,
                           .filter_side = o[CONV_FILTER_SIDE].number,
                           .padding = o[CONV_PADDING].number,
                           .stride = o[CONV_STRIDE].number,
                           .groups = app->count > CONV_GROUPS ? o[CONV_GROUPS].number : 1};
    if (l.filter_side > l.image_side + 2 * l.padding)
        app_fail(app, APP_BAD_INPUT,
                 "--filter-side is %u; it must not exceed the image with its padding, %u",
                 l.filter_side, l.image_side + 2 * l.padding);
    if (l.padding >= l.filter_side)
        app_fail(app, APP_BAD_INPUT, "--padding is %u; it must be less than --filter-side, %u",
                 l.padding, l.filter_side);
    if (l.filters % (l.groups * 4 * CONV_BLOCK_Y))
        app_fail(app, APP_BAD_INPUT, "--filters is %u; it must be a multiple of %u (%u groups)",
                 l.filters, l.groups * 4 * CONV_BLOCK_Y, l.groups);
    if (l.colours % l.groups)
        app_fail(app, APP_BAD_INPUT, "--colours is %u; it must be a multiple of --groups, %u",
                 l.colours, l.groups);
    return l;
}

static void derive(const struct app *app, struct conv_layer *l, uint32_t cached)
{
    l->group_colours = l->colours / l->groups;
    l->modules_side =
        1 + (2 * l->padding + l->image_side - l->filter_side + l->stride - 1) / l->stride;
    l->images_per_thread = l->images % 128 == 0 ? 4 : l->images % 64 == 0 ? 2 : 1;
    l->filters_per_thread = l->filters / l->groups % 32 == 0 ? 8 : 4;
    if (cached && l->group_colours % cached)
        app_fail(app, APP_BAD_INPUT, "--colours is %u; it must be a multiple of %u (%u groups)",
                 l->colours, cached * l->groups, l->groups);
    size_t most = conv_image_values(l);
    most = conv_filter_values(l) > most ? conv_filter_values(l) : most;
    most = conv_target_values(l) > most ? conv_target_values(l) : most;
    if (most > MOST_VALUES)
        app_fail(app, APP_BAD_INPUT, "an array of this layer has %zu values; the most is %u", most,
                 MOST_VALUES);
    uint32_t blocks =
        l->modules_side * l->modules_side * (l->filters / (CONV_BLOCK_Y * l->filters_per_thread));
    if (blocks > 65535)
        app_fail(app, APP_BAD_INPUT,
                 "the filters at %u positions need %u rows of blocks; a grid has at most 65535",
                 l->modules_side * l->modules_side, blocks);
}

static struct app_launch choose(struct app *app, const struct conv_layer *l, const char *prefix,
                                uint32_t cached)
{
    char kernel[64];
    int used = snprintf(kernel, sizeof kernel, "%s_i%u_f%u", prefix, l->images_per_thread,
                        l->filters_per_thread);
    if (!cached && used > 0 && used < (int)sizeof kernel)
        snprintf(kernel + used, sizeof kernel - (size_t)used, "_c%u", l->colours);
    uint32_t images = CONV_BLOCK_X * l->images_per_thread,
             filters = CONV_BLOCK_Y * l->filters_per_thread;
    return (struct app_launch){.kernel = app_kernel(app, app->name, kernel),
                               .grid = {(l->images + images - 1) / images,
                                        l->modules_side * l->modules_side * (l->filters / filters)},
                               .block = {CONV_BLOCK_X, CONV_BLOCK_Y}};
}

int conv_run(struct app *app, const char *prefix, uint32_t cached)
{
    struct conv_layer l = read_options(app);
    derive(app, &l, cached);
    size_t image_values = conv_image_values(&l), filter_values = conv_filter_values(&l),
           target_values = conv_target_values(&l);
    float *images = APP_ARRAY(app, float, image_values),
          *filters = APP_ARRAY(app, float, filter_values),
          *targets = APP_ARRAY(app, float, target_values),
          *want = APP_ARRAY(app, float, target_values);
    input_floats(app->seed, images, image_values);
    input_floats((uint64_t)app->seed + 1, filters, filter_values);

    struct app_launch launch = choose(app, &l, prefix, cached);
    CUdeviceptr on_images = app_buffer(app, images, image_values * sizeof(float)),
                on_filters = app_buffer(app, filters, filter_values * sizeof(float)),
                on_targets = app_buffer(app, NULL, target_values * sizeof(float));
    uint32_t done = 0;
    do {
        app_launch(&launch, APP_ARGS(&on_images, &on_filters, &on_targets, &l.images, &l.filters,
                                     &l.image_side, &l.filter_side, &l.padding, &l.stride,
                                     &l.modules_side, &l.group_colours, &l.groups));
        APP_CALL(cuCtxSynchronize());
    } while (++done < app->options[CONV_TIMES].number &&
             (!app->options[CONV_BESIDE].number || evgpuServicesAtWork()));
    APP_CALL(cuMemcpyDtoH(targets, on_targets, target_values * sizeof(float)));
    conv_reference(&l, cached ? cached : l.colours, images, filters, want);
    return app_end(app, app_equal_floats(app, "targets", targets, want, target_values));
}
