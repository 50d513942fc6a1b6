/* productStream: a continuous stream of matrix products, as a kernel for each or by persistent
 * blocks that poll a queue (EDGE, section II-B, Figure 4b). */
#include <math.h>

#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/productStream/product_stream.h"

enum { TILES, INNER, TIMES, BLOCKS, WAY };
enum way { LAUNCHES, PERSISTENT };

#define WIDE 2u /* tiles in a row of C */

struct stream {
    struct product *products;
    uint32_t count;
    uint32_t rows, columns, inner; /* elements */
};

static void reference(const struct stream *s, const float *a, const float *b, float *c)
{
    for (uint32_t t = 0; t < s->count; t++)
        for (uint32_t i = 0; i < s->rows; i++)
            for (uint32_t j = 0; j < s->columns; j++) {
                float sum = s->products[t].start;
                for (uint32_t k = 0; k < s->inner; k++)
                    sum = fmaf(a[i * s->inner + k], b[k * s->columns + j], sum);
                c[((size_t)t * s->rows + i) * s->columns + j] = sum;
            }
}

static void describe(const struct stream *s, CUdeviceptr a, CUdeviceptr b, CUdeviceptr c)
{
    uint32_t tiles = s->rows / PRODUCT_TILE * (s->columns / PRODUCT_TILE);
    for (uint32_t t = 0; t < s->count; t++)
        s->products[t] = (struct product){
            .a = a,
            .b = b,
            .c = c + (uint64_t)t * s->rows * s->columns * sizeof(float),
            .inner = s->inner,
            .columns = s->columns,
            .tiles = tiles,
            .last = (t + 1) * tiles,
            .start = (float)t,
        };
}

static void launch_each(struct app *app, const struct stream *s)
{
    CUfunction kernel = app_kernel(app, "product_stream", "product");
    struct app_launch l = {kernel, {s->products->tiles}, {PRODUCT_TILE, PRODUCT_TILE}, 0, NULL};
    for (uint32_t t = 0; t < s->count; t++)
        app_launch(&l, APP_ARGS(&s->products[t]));
}

/* False: a tile was not finished exactly once. */
static bool all_done(struct app *app, const struct stream *s, CUdeviceptr queue)
{
    struct product_queue *q = app_memory(app, 1, sizeof *q);
    uint32_t *done = APP_ARRAY(app, uint32_t, s->count), *want = APP_ARRAY(app, uint32_t, s->count);
    APP_CALL(cuMemcpyDtoH(q, queue, sizeof *q));
    for (uint32_t t = 0; t < s->count; t++) {
        done[t] = q->products[t].done;
        want[t] = s->products[t].tiles;
    }
    return app_equal(app, "finished tiles", done, want, s->count);
}

/* Microseconds on the GPU from the first product to the last. */
static double run(struct app *app, const struct stream *s, CUdeviceptr queue, uint32_t blocks)
{
    CUevent begin, end;
    float ms = 0;
    APP_CALL(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    APP_CALL(cuEventCreate(&end, CU_EVENT_DEFAULT));
    APP_CALL(cuEventRecord(begin, NULL));
    if (queue) {
        CUfunction kernel = app_kernel(app, "product_stream", "polling");
        uint32_t fill = app_resident_blocks(kernel, PRODUCT_TILE * PRODUCT_TILE);
        struct app_launch l = {
            kernel, {blocks ? blocks : fill}, {PRODUCT_TILE, PRODUCT_TILE}, 0, NULL};
        app_launch(&l, APP_ARGS(&queue));
    } else {
        launch_each(app, s);
    }
    APP_CALL(cuEventRecord(end, NULL));
    APP_CALL(cuEventSynchronize(end));
    APP_CALL(cuEventElapsedTime(&ms, begin, end));
    APP_CALL(cuEventDestroy(begin));
    APP_CALL(cuEventDestroy(end));
    return (double)ms * 1000;
}

int main(int argc, char **argv)
{
    static const char *const ways[] = {"launches", "persistent", NULL};
    struct app_option options[] = {
        [TILES] = {"tiles", "blocks of a product (EDGE, Figure 4b: 2 and 120), an even number",
                   .number = 2, .min = 2, .max = 4096},
        [INNER] = {"inner", "columns of A and rows of B, a multiple of 16", .number = 64, .min = 16,
                   .max = 4096},
        [TIMES] = {"products", "products of the stream", .number = 32, .min = 1,
                   .max = PRODUCTS_MOST},
        [BLOCKS] = {"blocks", "persistent blocks; 0: as many as the GPU holds", .max = 65535},
        [WAY] = {"way", "launches: a kernel for each product; persistent: blocks that poll a queue",
                 APP_CHOICE, .choices = ways}};
    struct app app = {.name = "productStream",
                      .doc = "A continuous stream of matrix products (EDGE, section II-B).",
                      .options = options,
                      .count = 5};
    app_start(&app, argc, argv);
    if (options[TILES].number % WIDE || options[INNER].number % PRODUCT_TILE)
        app_fail(&app, APP_BAD_INPUT, "tiles must be even, inner a multiple of %d", PRODUCT_TILE);
    struct stream s = {.count = options[TIMES].number,
                       .rows = options[TILES].number / WIDE * PRODUCT_TILE,
                       .columns = WIDE * PRODUCT_TILE,
                       .inner = options[INNER].number};
    struct product_queue *q = app_memory(&app, 1, sizeof *q);
    s.products = q->products;
    size_t one = (size_t)s.rows * s.columns, results = one * s.count;
    float *a = APP_ARRAY(&app, float, (size_t)s.rows *s.inner);
    float *b = APP_ARRAY(&app, float, (size_t)s.inner *s.columns);
    float *got = APP_ARRAY(&app, float, results), *want = APP_ARRAY(&app, float, results);
    input_floats(app.seed, a, (size_t)s.rows * s.inner);
    input_floats((uint64_t)app.seed + 1, b, (size_t)s.inner * s.columns);
    CUdeviceptr da = app_buffer(&app, a, (size_t)s.rows * s.inner * sizeof(float));
    CUdeviceptr db = app_buffer(&app, b, (size_t)s.inner * s.columns * sizeof(float));
    CUdeviceptr dc = app_buffer(&app, NULL, results * sizeof(float));
    describe(&s, da, db, dc);
    q->published = s.count + 1; /* with the one that ends the stream */
    bool persistent = options[WAY].number == PERSISTENT;
    CUdeviceptr queue = persistent ? app_buffer(&app, q, sizeof *q) : 0;
    double us = run(&app, &s, queue, options[BLOCKS].number);
    app_figure("product_us", us / s.count, "us");
    APP_CALL(cuMemcpyDtoH(got, dc, results * sizeof(float)));
    reference(&s, a, b, want);
    bool right = app_equal_floats(&app, "c", got, want, results);
    return app_end(&app, right && (!persistent || all_done(&app, &s, queue)));
}
