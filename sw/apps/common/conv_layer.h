/* A convolution layer as cuda-convnet's filterActs computes it; its shape, and the
 * host's reference. */
#ifndef EVGPU_SW_CONV_LAYER_H
#define EVGPU_SW_CONV_LAYER_H

#include <stddef.h>
#include <stdint.h>

#define CONV_BLOCK_Y 4u  /* threads: filters of a block, pixels per step */
#define CONV_BLOCK_X 32u /* threads: images of a block */

/* Images lie side by side: images[colour][y][x][image], filters[colour][pixel][filter] with the
 * colours of one group, targets[filter][module][image]. A module is a place of the filter. */
struct conv_layer {
    uint32_t images, colours, image_side;
    uint32_t filters, filter_side;
    uint32_t padding; /* zeros around the image */
    uint32_t stride;
    uint32_t groups; /* filters of a group see the colours of that group only */
    /* From the above, by conv_run: */
    uint32_t group_colours, modules_side;
    uint32_t images_per_thread, filters_per_thread; /* 1, 2 or 4; 4 or 8 */
};

/* Sizes in values. */
size_t conv_image_values(const struct conv_layer *layer);
size_t conv_filter_values(const struct conv_layer *layer);
size_t conv_target_values(const struct conv_layer *layer);

/* Bit for bit what the kernels compute: a target is one chain of fused multiply-adds from 0 on,
 * over `cached` colours after another, within these over steps of CONV_BLOCK_Y pixels, within these
 * over the colours and then the pixels; the last step is filled up with zeros. */
void conv_reference(const struct conv_layer *layer, uint32_t cached, const float *images,
                    const float *filters, float *targets);

#endif
