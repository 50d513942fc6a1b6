/* The layers of images with many colours, in groups that each have their own filters: two colours
 * at a time are in shared memory. A kernel for each number of images and filters that
 * cuda-convnet's rules choose. */
// Addresses of shared memory have 32 bits:
// cu2ptx: -fcuda-short-ptr -Xclang -mllvm -Xclang -nvptx-short-ptr
#include "../common/conv_layer.cuh"

#define KERNEL(IMAGES, FILTERS) NAMED(conv_sparse_i##IMAGES##_f##FILTERS, IMAGES, FILTERS)
#define NAMED(NAME, IMAGES, FILTERS)                                                               \
    NUMBERS(NAME)                                                                                  \
    LAYER(NAME, group_colours_of_##NAME::number(), groups_of_##NAME::number())                     \
    extern "C" __global__ void NAME(const float *, const float *, float *, unsigned, unsigned,     \
                                    unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,    \
                                    unsigned)                                                      \
    {                                                                                              \
        filter_acts<layer_of_##NAME, IMAGES, FILTERS, 2>();                                        \
    }
#define NUMBERS(NAME)                                                                              \
    struct group_colours_of_##NAME {                                                               \
        NUMBER(NAME, number, 10)                                                                   \
    };                                                                                             \
    struct groups_of_##NAME {                                                                      \
        NUMBER(NAME, number, 11)                                                                   \
    };

KERNEL(1, 4)
KERNEL(1, 8)
KERNEL(2, 4)
KERNEL(2, 8)
KERNEL(4, 4)
KERNEL(4, 8)
