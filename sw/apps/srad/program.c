/* srad: iterations of diffusion on an image with speckle, two launches each, compared with the
 * host's image bit by bit. */
#include <string.h>

#include "sw/apps/common/app.h"
#include "sw/apps/srad/srad.h"

enum { ROWS, COLUMNS, REGION, ITERATIONS, LAMBDA };

struct device {
    struct app_launch coefficient, update;
    CUdeviceptr image, north, south, west, east, diffusion;
    size_t bytes;
};

static struct device set_up(struct app *app, const struct srad_image *image)
{
    size_t bytes = (size_t)image->rows * image->columns * sizeof(float);
    struct device d = {
        .coefficient = {.kernel = app_kernel(app, "srad", "srad_coefficient"),
                        .grid = {image->columns / SRAD_SIDE, image->rows / SRAD_SIDE},
                        .block = {SRAD_SIDE, SRAD_SIDE}},
        .image = app_buffer(app, NULL, bytes),
        .north = app_buffer(app, NULL, bytes),
        .south = app_buffer(app, NULL, bytes),
        .west = app_buffer(app, NULL, bytes),
        .east = app_buffer(app, NULL, bytes),
        .diffusion = app_buffer(app, NULL, bytes),
        .bytes = bytes};
    d.update = d.coefficient;
    d.update.kernel = app_kernel(app, "srad", "srad_update");
    return d;
}

/* The image goes up and down in each iteration, as in the benchmark: the host has to see its
 * region. */
static void iterate(struct device *d, struct srad_image *image, float speckle, float lambda)
{
    uint32_t columns = image->columns;
    APP_CALL(cuMemcpyHtoD(d->image, image->pixels, d->bytes));
    app_launch(&d->coefficient, APP_ARGS(&d->image, &d->north, &d->south, &d->west, &d->east,
                                         &d->diffusion, &columns, &speckle));
    app_launch(&d->update, APP_ARGS(&d->image, &d->north, &d->south, &d->west, &d->east,
                                    &d->diffusion, &columns, &lambda));
    APP_CALL(cuMemcpyDtoH(image->pixels, d->image, d->bytes));
}

static void need_multiple(const struct app *app, const struct app_option *side)
{
    if (side->number % SRAD_SIDE)
        app_fail(app, APP_BAD_INPUT, "--%s is %u; it must be a multiple of %u", side->name,
                 side->number, SRAD_SIDE);
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [ROWS] = {"rows", "rows of the image, a multiple of 16 (Rodinia: 2048)", .number = 256,
                  .min = 16, .max = 16384},
        [COLUMNS] = {"columns", "columns, a multiple of 16 (Rodinia: 2048)", .number = 256,
                     .min = 16, .max = 16384},
        [REGION] = {"region",
                    "sides of the square at the image's beginning that has no structure "
                    "(Rodinia: 128)",
                    .number = 128, .min = 2, .max = 16384},
        [ITERATIONS] = {"iterations", "iterations (Rodinia: 2)", .number = 2, .min = 1,
                        .max = 1000000},
        [LAMBDA] = {"lambda", "weight of an update in thousandths (Rodinia: 500)", .number = 500,
                    .min = 0, .max = 1000}};
    struct app app = {.name = "srad",
                      .doc = "Speckle reducing anisotropic diffusion (Rodinia srad, version 2): "
                             "blocks of 16 x 16 threads with tiles in shared memory, two kernels "
                             "an iteration.",
                      .options = options,
                      .count = 5};
    app_start(&app, argc, argv);
    need_multiple(&app, &options[ROWS]);
    need_multiple(&app, &options[COLUMNS]);
    struct srad_image image = {options[ROWS].number, options[COLUMNS].number, NULL}, want = image;
    size_t count = (size_t)image.rows * image.columns;
    uint32_t side = options[REGION].number;
    struct srad_region region = {.last_row = (side < image.rows ? side : image.rows) - 1,
                                 .last_column = (side < image.columns ? side : image.columns) - 1};
    float lambda = (float)options[LAMBDA].number / 1000.0f;
    image.pixels = APP_ARRAY(&app, float, count);
    want.pixels = APP_ARRAY(&app, float, count);
    srad_generate(app.seed, &image);
    memcpy(want.pixels, image.pixels, count * sizeof(float));

    struct device device = set_up(&app, &image);
    bool right = true;
    for (uint32_t i = 0; i < options[ITERATIONS].number && right; i++) {
        float speckle = srad_speckle(&image, &region);
        iterate(&device, &image, speckle, lambda);
        srad_reference(&want, speckle, lambda);
        right = app_equal_floats(&app, "image", image.pixels, want.pixels, count);
    }
    app_figure("speckle", (double)srad_speckle(&image, &region), "");
    return app_end(&app, right);
}
