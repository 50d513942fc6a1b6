/* copyLatency: what calls for copies and launches take, the measurements of the full/empty paper's
 * section 6.4 and its Figures 9 and 10, between the application's clock readings. */
#include <stdio.h>
#include <string.h>

#include "sw/apps/common/app.h"
#include "sw/cuda/include/cuda_runtime_api.h"

#define LAUNCHES                                                                                   \
    33u /* each in a stream of its own, so that only the driver holds the next one up */

enum { BYTES };

struct run {
    struct app app;
    size_t bytes;
    uint8_t *from, *to; /* pinned */
    CUdeviceptr device;
    CUstream stream, launches[LAUNCHES];
};

static double now(void)
{
    unsigned long long ns = 0;
    evgpuGetTime(&ns);
    return (double)ns / 1000;
}

static bool same(struct run *r, const char *what)
{
    for (size_t i = 0; i < r->bytes; i++) {
        if (r->to[i] == r->from[i])
            continue;
        printf("%s: %s: byte %zu is %u, not %u\n", r->app.name, what, i, r->to[i], r->from[i]);
        return false;
    }
    memset(r->to, 0, r->bytes);
    return true;
}

static bool synchronous(struct run *r)
{
    double begin = now();
    APP_CALL(cuMemcpyHtoD(r->device, r->from, r->bytes));
    app_figure("sync_htod", now() - begin, "us");
    begin = now();
    APP_CALL(cuMemcpyDtoH(r->to, r->device, r->bytes));
    app_figure("sync_dtoh", now() - begin, "us");
    return same(r, "after synchronous copies");
}

/* The copy in `parts` equal calls (the last one takes the rest): time until the first call returns,
 * and until all is synchronised. */
static double asynchronous(struct run *r, bool in, size_t parts, double *returned)
{
    double begin = now();
    size_t part = r->bytes / parts;
    for (size_t i = 0; i < parts; i++) {
        size_t at = i * part, bytes = i + 1 < parts ? part : r->bytes - at;
        if (in)
            APP_CALL(cuMemcpyHtoDAsync(r->device + at, r->from + at, bytes, r->stream));
        else
            APP_CALL(cuMemcpyDtoHAsync(r->to + at, r->device + at, bytes, r->stream));
        *returned = i ? *returned : now() - begin;
    }
    APP_CALL(cuStreamSynchronize(r->stream));
    return now() - begin;
}

static bool asynchronous_both(struct run *r)
{
    double returned = 0;
    double in = asynchronous(r, true, 1, &returned);
    app_figure("async_htod_return", returned, "us");
    app_figure("async_htod", in, "us");
    double out = asynchronous(r, false, 1, &returned);
    app_figure("async_dtoh_return", returned, "us");
    app_figure("async_dtoh", out, "us");
    bool right = same(r, "after asynchronous copies");
    if (r->bytes < 2)
        return right;
    double halves = asynchronous(r, true, 2, &returned);
    app_figure("halves_htod", halves, "us");
    app_figure("halves_difference", halves - in, "us");
    asynchronous(r, false, 1, &returned);
    return same(r, "after two halves") && right;
}

static double launches(struct run *r, CUfunction kernel, uint32_t count, double *returned)
{
    double begin = now();
    for (uint32_t i = 0; i < count; i++) {
        struct app_launch launch = {.kernel = kernel, .stream = r->launches[i]};
        uint32_t value = i + 1;
        app_launch(&launch, APP_ARGS(&r->device, &value));
        *returned = i ? *returned : now() - begin;
    }
    APP_CALL(cuStreamSynchronize(r->launches[count - 1]));
    return now() - begin;
}

static bool kernels(struct run *r)
{
    CUfunction kernel = app_kernel(&r->app, "copy_latency", "mark");
    double returned = 0;
    uint32_t word = 0;
    for (uint32_t i = 0; i < LAUNCHES; i++)
        APP_CALL(cuStreamCreate(&r->launches[i], CU_STREAM_NON_BLOCKING));
    launches(r, kernel, 2, &returned); /* the first ones fetch the code */
    double one = launches(r, kernel, 1, &returned);
    double many = launches(r, kernel, LAUNCHES, &returned);
    app_figure("launch_return", returned, "us");
    app_figure("launch", one, "us");
    app_figure("launch_driver", (many - one) / (LAUNCHES - 1), "us");
    APP_CALL(cuMemcpyDtoH(&word, r->device, sizeof word));
    for (uint32_t i = 0; i < LAUNCHES; i++)
        APP_CALL(cuStreamDestroy(r->launches[i]));
    return app_equal(&r->app, "word of the kernel", &word, &(uint32_t){LAUNCHES}, 1);
}

int main(int argc, char **argv)
{
    struct app_option options[] = {[BYTES] = {"bytes", "bytes of a copy (Figure 10: 4 to 4194304)",
                                              .number = 4096, .min = 1, .max = 1u << 28}};
    struct run r = {.app = {.name = "copyLatency",
                            .doc = "Times of copies and launches, as the full/empty bits paper "
                                   "measures them (section 6.4, Figures 9 and 10).",
                            .options = options,
                            .count = 1}};
    app_start(&r.app, argc, argv);
    r.bytes = options[BYTES].number;
    r.from = app_pinned(&r.app, r.bytes, 1);
    r.to = app_pinned(&r.app, r.bytes, 1);
    for (size_t i = 0; i < r.bytes; i++)
        r.from[i] = (uint8_t)(i * 7 + i / 256 + r.app.seed);
    r.device = app_buffer(&r.app, NULL, r.bytes < 4 ? 4 : r.bytes);
    APP_CALL(cuStreamCreate(&r.stream, CU_STREAM_NON_BLOCKING));
    APP_CALL(cuCtxSynchronize());
    bool right = synchronous(&r) & asynchronous_both(&r) & kernels(&r);
    APP_CALL(cuStreamDestroy(r.stream));
    return app_end(&r.app, right);
}
