/* convSparse: a convolution layer of images with many colours, in groups, compared with the host's
 * bit by bit. */
#include "sw/apps/common/conv_run.h"

int main(int argc, char **argv)
{
    struct app_option options[CONV_OPTIONS] = {
        [CONV_IMAGES] = {"images", "images at once (cuda-convnet on CIFAR-10: 128)", .number = 25,
                         .min = 1, .max = 1u << 20},
        [CONV_COLOURS] = {"colours",
                          "colours of an image, two or a multiple for each group "
                          "(CIFAR-10: 32)",
                          .number = 32, .min = 2, .max = 65536},
        [CONV_IMAGE_SIDE] = {"image-side", "pixels (CIFAR-10: 16)", .number = 8, .min = 1,
                             .max = 4096},
        [CONV_FILTERS] = {"filters", "filters, 16 or a multiple for each group (CIFAR-10: 32)",
                          .number = 32, .min = 16, .max = 65520},
        [CONV_FILTER_SIDE] = {"filter-side", "pixels (CIFAR-10: 5)", .number = 5, .min = 1,
                              .max = 4096},
        [CONV_PADDING] = {"padding", "zeros around an image (CIFAR-10: 2)", .number = 2, .min = 0,
                          .max = 4095},
        [CONV_STRIDE] = {"stride", "pixels from one place of a filter to the next (CIFAR-10: 1)",
                         .number = 1, .min = 1, .max = 4096},
        [CONV_TIMES] = {"times", CONV_TIMES_HELP, .number = 1, .min = 1, .max = UINT32_MAX},
        [CONV_BESIDE] = {"beside", CONV_BESIDE_HELP, APP_FLAG},
        [CONV_GROUPS] = {"groups", "groups of colours, each with filters of its own (CIFAR-10: 1)",
                         .number = 1, .min = 1, .max = 4096}};
    struct app app = {.name = "convSparse",
                      .doc = "A convolution layer of images with many colours (cuda-convnet "
                             "filterActs_YxX_sparse, its second layer on CIFAR-10): blocks of "
                             "32 x 4 threads, pixels of two colours and filters in shared memory.",
                      .options = options,
                      .count = CONV_OPTIONS};
    app_start(&app, argc, argv);
    return conv_run(&app, "conv_sparse", 2);
}
