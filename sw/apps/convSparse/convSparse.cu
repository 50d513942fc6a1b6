/* The layers of images with many colours, in groups that each have their own filters: two colours
 * at a time are in shared memory. A kernel for each number of images and filters that
 * cuda-convnet's rules choose. */
#include "../common/conv_layer.cuh"

#define KERNEL(IMAGES, FILTERS)                                                                    \
    extern "C" __global__ void conv_sparse_i##IMAGES##_f##FILTERS(                                 \
        const float *__restrict__ images, const float *__restrict__ filters, float *targets,       \
        unsigned count, unsigned filter_count, unsigned image_side, unsigned filter_side,          \
        unsigned padding, unsigned stride, unsigned modules_side, unsigned group_colours,          \
        unsigned groups)                                                                           \
    {                                                                                              \
        filter_acts<IMAGES, FILTERS, 2>(images, filters, targets,                                  \
                                        {count, filter_count, image_side, filter_side, padding,    \
                                         stride, modules_side, group_colours, groups});            \
    }

KERNEL(1, 4)
KERNEL(1, 8)
KERNEL(2, 4)
KERNEL(2, 8)
KERNEL(4, 4)
KERNEL(4, 8)
