/* matrixMul: square matrices multiplied on the GPU, compared with the host's product bit by bit.
 * Prints the simulated time of each product. */
#include <stdio.h>

#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/common/offload.h"
#include "sw/apps/matrixMul/matmul.h"
#include "sw/cuda/include/evgpu.h"

enum { ROWS, TIMES, BESIDE, QUIET, MODE };

#define PRODUCTS 4u /* the mode without offload.h */

struct run {
    struct app_launch launch;
    struct offload offload;
    uint32_t n;
};

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

/* Blocking copies, and products as often as the options say. */
static bool products(struct app *app, struct run *r)
{
    uint32_t n = r->n;
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    float *a = APP_ARRAY(app, float, count), *b = APP_ARRAY(app, float, count);
    float *c = APP_ARRAY(app, float, count), *want = APP_ARRAY(app, float, count);
    input_floats(app->seed, a, count);
    input_floats((uint64_t)app->seed + 1, b, count);
    CUdeviceptr da = app_buffer(app, a, bytes), db = app_buffer(app, b, bytes);
    CUdeviceptr dc = app_buffer(app, NULL, bytes);
    multiply(&r->launch, APP_ARGS(&da, &db, &dc, &n), app->options);
    APP_CALL(cuMemcpyDtoH(c, dc, bytes));
    matmul_reference(a, b, want, n);
    return app_equal_floats(app, "c", c, want, count);
}

static void launch(void *user, CUstream stream)
{
    struct run *r = user;
    struct offload *o = &r->offload;
    r->launch.stream = stream;
    app_launch(&r->launch, APP_ARGS(&o->in[0].device, &o->in[1].device, &o->out[0].device, &r->n));
}

static bool offloaded(struct app *app, struct run *r)
{
    size_t count = (size_t)r->n * r->n, bytes = count * sizeof(float);
    r->offload = offload_create(app, app->options[MODE].number);
    float *a = offload_in(&r->offload, bytes), *b = offload_in(&r->offload, bytes);
    float *c = offload_out(&r->offload, bytes), *want = APP_ARRAY(app, float, count);
    input_floats(app->seed, a, count);
    input_floats((uint64_t)app->seed + 1, b, count);
    offload_run(&r->offload, launch, r);
    matmul_reference(a, b, want, r->n);
    return app_equal_floats(app, "c", c, want, count);
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"baseline", "start", "finish", "overlap", "products", NULL};
    struct app_option options[] = {
        [ROWS] = {"rows", "rows of a matrix (full/empty bits paper: 64; EDGE's artifact: 512)",
                  .number = 128, .min = 1, .max = 16384},
        [TIMES] = {"times", "products, one after the other", .number = 1, .min = 1,
                   .max = UINT32_MAX},
        [BESIDE] = {"beside",
                    "go on, up to --times, only as long as event services are at work on the same "
                    "machine",
                    APP_FLAG},
        [QUIET] = {"quiet", "print only what is wrong", APP_FLAG},
        [MODE] = {"mode",
                  "one product by a pattern of calls, Figure 7 of the full/empty bits paper, or "
                  "--times products with blocking copies",
                  APP_CHOICE, .number = PRODUCTS, .choices = modes}};
    struct app app = {.name = "matrixMul",
                      .doc =
                          "Multiplies square matrices of floats, tiles of 16 x 16 through shared "
                          "memory (CUDA SDK matrixMul).",
                      .options = options,
                      .count = 5};
    app_start(&app, argc, argv);
    app.quiet = options[QUIET].number;
    uint32_t n = options[ROWS].number, tiles = (n + MATMUL_TILE - 1) / MATMUL_TILE;
    struct run r = {.n = n};
    r.launch = (struct app_launch){.kernel = app_kernel(&app, "matmul", "matmul"),
                                   .grid = {tiles, tiles},
                                   .block = {MATMUL_TILE, MATMUL_TILE}};
    bool right = options[MODE].number == PRODUCTS ? products(&app, &r) : offloaded(&app, &r);
    return app_end(&app, right);
}
