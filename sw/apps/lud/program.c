/* lud: LU decomposition of a matrix on the GPU, three launches for each tile of the diagonal but
 * the last, compared with the host's bit by bit. */
#include "sw/apps/common/app.h"
#include "sw/apps/lud/lud.h"

enum { ROWS };

static void decompose(struct app *app, CUdeviceptr matrix, uint32_t n)
{
    struct app_launch diagonal = {.kernel = app_kernel(app, "lud", "lud_diagonal"),
                                  .block = {LUD_TILE}};
    struct app_launch perimeter = {.kernel = app_kernel(app, "lud", "lud_perimeter"),
                                   .block = {2 * LUD_TILE}};
    struct app_launch internal = {.kernel = app_kernel(app, "lud", "lud_internal"),
                                  .block = {LUD_TILE, LUD_TILE}};
    for (uint32_t at = 0; at < n; at += LUD_TILE) {
        uint32_t left = (n - at) / LUD_TILE - 1; /* tiles right of and below this one */
        app_launch(&diagonal, APP_ARGS(&matrix, &n, &at));
        if (left == 0)
            break;
        perimeter.grid[0] = internal.grid[0] = internal.grid[1] = left;
        app_launch(&perimeter, APP_ARGS(&matrix, &n, &at));
        app_launch(&internal, APP_ARGS(&matrix, &n, &at));
        APP_CALL(cuCtxSynchronize());
    }
}

int main(int argc, char **argv)
{
    struct app_option options[] = {[ROWS] = {"rows",
                                             "rows of the matrix, a multiple of 16 (Rodinia: 256, "
                                             "its large input: 2048)",
                                             .number = 256, .min = 16, .max = 16384}};
    struct app app = {.name = "lud",
                      .doc = "LU decomposition without pivoting in tiles of 16 x 16 (Rodinia lud): "
                             "kernels for the tile of the diagonal, its row and column, and the "
                             "rest.",
                      .options = options,
                      .count = 1};
    app_start(&app, argc, argv);
    uint32_t n = options[ROWS].number;
    if (n % LUD_TILE)
        app_fail(&app, APP_BAD_INPUT, "--rows is %u; it must be a multiple of %u", n, LUD_TILE);
    size_t count = (size_t)n * n;
    float *got = APP_ARRAY(&app, float, count), *want = APP_ARRAY(&app, float, count);
    lud_generate(app.seed, n, want);
    CUdeviceptr matrix = app_buffer(&app, want, count * sizeof(float));
    decompose(&app, matrix, n);
    APP_CALL(cuMemcpyDtoH(got, matrix, count * sizeof(float)));
    lud_reference(want, n);
    return app_end(&app, app_equal_floats(&app, "matrix", got, want, count));
}
