/* The common part of the convolution programs (convColor, convSparse): options, choice
 * of the kernel, run and comparison. */
#ifndef EVGPU_SW_CONV_RUN_H
#define EVGPU_SW_CONV_RUN_H

#include "sw/apps/common/app.h"
#include "sw/apps/common/conv_layer.h"

/* Places in the table of options that every such program begins with; the last may be missing. */
enum {
    CONV_IMAGES,
    CONV_COLOURS,
    CONV_IMAGE_SIDE,
    CONV_FILTERS,
    CONV_FILTER_SIDE,
    CONV_PADDING,
    CONV_STRIDE,
    CONV_TIMES,
    CONV_BESIDE,
    CONV_GROUPS,
    CONV_OPTIONS
};

/* Help of the options that are the same in all. */
#define CONV_TIMES_HELP "launches, one after the other"
#define CONV_BESIDE_HELP                                                                           \
    "go on, up to --times, only as long as event services are at work on the same machine"

/* Runs the layer that the options tell, as often as they tell, with one of the app's kernels and
 * compares all targets bit by bit; the exit status. Kernels are named after what a thread computes:
 * PREFIX_i1_f4 is for 1 image and 4 filters. By cuda-convnet's rules a thread has 4 images where
 * 128 divides their number, 2 where 64 does, otherwise 1, and 8 filters where 32 divides the
 * filters of a group, otherwise 4. `cached`: colours in shared memory at once; 0 for all, and then
 * a kernel is for so many colours (PREFIX_i1_f4_c3). Sizes that no kernel has end the program. */
int conv_run(struct app *app, const char *prefix, uint32_t cached);

#endif
