/* The layers of images with 1, 2 or 3 colours, all of which are in shared memory at once: a kernel
 * for each number of images, filters and colours that cuda-convnet's rules choose. */
// Addresses of shared memory have 32 bits:
// cu2ptx: -fcuda-short-ptr -Xclang -mllvm -Xclang -nvptx-short-ptr
#include "../common/conv_layer.cuh"

#define KERNEL(IMAGES, FILTERS, COLOURS)                                                           \
    NAMED(conv_color_i##IMAGES##_f##FILTERS##_c##COLOURS, IMAGES, FILTERS, COLOURS)
#define NAMED(NAME, IMAGES, FILTERS, COLOURS)                                                      \
    LAYER(NAME, COLOURS, 1)                                                                        \
    extern "C" __global__ void NAME(const float *, const float *, float *, unsigned, unsigned,     \
                                    unsigned, unsigned, unsigned, unsigned, unsigned)              \
    {                                                                                              \
        filter_acts<layer_of_##NAME, IMAGES, FILTERS, COLOURS>();                                  \
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
