/* The layers of images with 1, 2 or 3 colours, all of which are in shared memory at once: a kernel
 * for each number of images, filters and colours that cuda-convnet's rules choose. */
#include "../common/conv_layer.cuh"

#define KERNEL(IMAGES, FILTERS, COLOURS)                                                           \
    extern "C" __global__ void conv_color_i##IMAGES##_f##FILTERS##_c##COLOURS(                     \
        const float *__restrict__ images, const float *__restrict__ filters, float *targets,       \
        unsigned count, unsigned filter_count, unsigned image_side, unsigned filter_side,          \
        unsigned padding, unsigned stride, unsigned modules_side)                                  \
    {                                                                                              \
        filter_acts<IMAGES, FILTERS, COLOURS>(images, filters, targets,                            \
                                              {count, filter_count, image_side, filter_side,       \
                                               padding, stride, modules_side, COLOURS, 1});        \
    }
#define KERNELS(COLOURS)                                                                           \
    KERNEL(1, 4, COLOURS)                                                                          \
    KERNEL(1, 8, COLOURS)                                                                          \
    KERNEL(2, 4, COLOURS)                                                                          \
    KERNEL(2, 8, COLOURS)                                                                          \
    KERNEL(4, 4, COLOURS)                                                                          \
    KERNEL(4, 8, COLOURS)

KERNELS(1)
KERNELS(2)
KERNELS(3)
