/* convColor: a convolution layer of images with few colours, compared with the host's bit by bit.
 */
#include "sw/apps/common/conv_run.h"

int main(int argc, char **argv)
{
    struct app_option options[CONV_GROUPS] = {
        [CONV_IMAGES] = {"images", "images at once (EDGE's artifact: 200)", .number = 100, .min = 1,
                         .max = 1u << 20},
        [CONV_COLOURS] = {"colours",
                          "colours of an image (EDGE's artifact: 1; cuda-convnet on CIFAR-10: 3)",
                          .number = 1, .min = 1, .max = 3},
        [CONV_IMAGE_SIDE] = {"image-side", "pixels (EDGE's artifact: 28; CIFAR-10: 32)",
                             .number = 28, .min = 1, .max = 4096},
        [CONV_FILTERS] = {"filters",
                          "filters, a multiple of 16 (EDGE's artifact: 16; CIFAR-10: 32)",
                          .number = 16, .min = 16, .max = 65520},
        [CONV_FILTER_SIDE] = {"filter-side", "pixels (both: 5)", .number = 5, .min = 1,
                              .max = 4096},
        [CONV_PADDING] = {"padding", "zeros around an image (EDGE's artifact: 0; CIFAR-10: 2)",
                          .number = 0, .min = 0, .max = 4095},
        [CONV_STRIDE] = {"stride", "pixels from one place of a filter to the next (both: 1)",
                         .number = 1, .min = 1, .max = 4096},
        [CONV_TIMES] = {"times", CONV_TIMES_HELP, .number = 1, .min = 1, .max = UINT32_MAX},
        [CONV_BESIDE] = {"beside", CONV_BESIDE_HELP, APP_FLAG}};
    struct app app = {.name = "convColor",
                      .doc = "A convolution layer of images with few colours (cuda-convnet "
                             "filterActs_YxX_color, the sizes of LeNet's first layer): blocks of "
                             "32 x 4 threads, pixels of all colours and filters in shared memory.",
                      .options = options,
                      .count = CONV_GROUPS};
    app_start(&app, argc, argv);
    return conv_run(&app, "conv_color", 0);
}
