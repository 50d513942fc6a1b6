/* matrixMul: square matrices multiplied on the GPU, compared with the host's product bit by bit.
 * Prints the simulated time of each product. */
#include <stdio.h>

#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/matrixMul/matmul.h"
#include "sw/cuda/include/evgpu.h"

enum { ROWS, TIMES, BESIDE, QUIET };

static void timed_product(const struct app_launch *launch, void **arguments, uint32_t number)
{
    CUevent begin, end;
    float ms = 0;
    APP_CALL(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    APP_CALL(cuEventCreate(&end, CU_EVENT_DEFAULT));
    APP_CALL(cuEventRecord(begin, NULL));
    app_launch(launch, arguments);
    APP_CALL(cuEventRecord(end, NULL));
    APP_CALL(cuEventSynchronize(end));
    APP_CALL(cuEventElapsedTime(&ms, begin, end));
    printf("product %u: %.3f us\n", number, (double)ms * 1000);
    APP_CALL(cuEventDestroy(begin));
    APP_CALL(cuEventDestroy(end));
}

static void multiply(const struct app_launch *launch, void **arguments,
                     const struct app_option *options)
{
    uint32_t done = 0;
    do {
        done++;
        if (!options[QUIET].number) {
            timed_product(launch, arguments, done);
            continue;
        }
        app_launch(launch, arguments);
        APP_CALL(cuCtxSynchronize());
    } while (done < options[TIMES].number && (!options[BESIDE].number || evgpuServicesAtWork()));
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [ROWS] = {"rows", "rows of a matrix (full/empty bits paper: 64; EDGE: 256)", .number = 128,
                  .min = 1, .max = 16384},
        [TIMES] = {"times", "products, one after the other", .number = 1, .min = 1,
                   .max = UINT32_MAX},
        [BESIDE] = {"beside",
                    "go on, up to --times, only as long as event services are at work on the same "
                    "machine",
                    APP_FLAG},
        [QUIET] = {"quiet", "print only what is wrong", APP_FLAG}};
    struct app app = {.name = "matrixMul",
                      .doc =
                          "Multiplies square matrices of floats, tiles of 16 x 16 through shared "
                          "memory (CUDA SDK matrixMul).",
                      .options = options,
                      .count = 4};
    app_start(&app, argc, argv);
    app.quiet = options[QUIET].number;
    uint32_t n = options[ROWS].number, tiles = (n + MATMUL_TILE - 1) / MATMUL_TILE;
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    float *a = APP_ARRAY(&app, float, count), *b = APP_ARRAY(&app, float, count);
    float *c = APP_ARRAY(&app, float, count), *want = APP_ARRAY(&app, float, count);
    input_floats(app.seed, a, count);
    input_floats((uint64_t)app.seed + 1, b, count);

    struct app_launch launch = {.kernel = app_kernel(&app, "matmul", "matmul"),
                                .grid = {tiles, tiles},
                                .block = {MATMUL_TILE, MATMUL_TILE}};
    CUdeviceptr da = app_buffer(&app, a, bytes), db = app_buffer(&app, b, bytes);
    CUdeviceptr dc = app_buffer(&app, NULL, bytes);
    multiply(&launch, APP_ARGS(&da, &db, &dc, &n), options);
    APP_CALL(cuMemcpyDtoH(c, dc, bytes));
    matmul_reference(a, b, want, n);
    return app_end(&app, app_equal_floats(&app, "c", c, want, count));
}
