/* kernelPair: two kernels, the second of which consumes what the first produces; one after the
 * other in a stream, or at once in two streams with full/empty words between them. */
#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"

enum { VALUES, ROUNDS, BLOCKS, BLOCK, MODE };
enum mode { ONE_STREAM, REGION, TWO_STREAMS };

static uint32_t steps(uint32_t value, uint32_t rounds)
{
    for (uint32_t i = 0; i < rounds; i++)
        value = value * 1664525u + 1013904223u;
    return value;
}

static void reference(const uint32_t *seeds, uint32_t *values, uint32_t *results, uint32_t n,
                      uint32_t rounds)
{
    for (uint32_t i = 0; i < n; i++)
        values[i] = steps(seeds[i], rounds);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t left = values[i ? i - 1 : 0], right = values[i + 1 < n ? i + 1 : i];
        results[i] = steps(values[i] ^ left ^ right, rounds);
    }
}

/* Microseconds from the first launch to the end of the second kernel, on the GPU.
 *
 * The producer's blocks have to be on the GPU first: consumers that fill it would wait for words
 * that nobody can write. */
static float run_pair(const struct app_launch *producer, const struct app_launch *consumer,
                      void **produce, void **consume)
{
    CUevent begin, end;
    float ms = 0;
    APP_CALL(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    APP_CALL(cuEventCreate(&end, CU_EVENT_DEFAULT));
    APP_CALL(cuEventRecord(begin, consumer->stream)); /* so that the producer is ahead */
    app_launch(producer, produce);
    app_launch(consumer, consume);
    APP_CALL(cuEventRecord(end, consumer->stream));
    APP_CALL(cuEventSynchronize(end));
    APP_CALL(cuEventElapsedTime(&ms, begin, end));
    APP_CALL(cuEventDestroy(begin));
    APP_CALL(cuEventDestroy(end));
    return ms * 1000;
}

int main(int argc, char **argv)
{
    static const char *const modes[] = {"one-stream", "region", "two-streams", NULL};
    struct app_option options[] = {
        [VALUES] = {"values", "values between the kernels", .number = 32768, .min = 1,
                    .max = 1u << 21},
        [ROUNDS] = {"rounds", "steps that a kernel computes per value", .number = 64, .min = 1,
                    .max = 1u << 20},
        [BLOCKS] = {"blocks", "blocks of each kernel: how much of the machine it fills",
                    .number = 16, .min = 1, .max = 65535},
        [BLOCK] = {"block", "threads per block", .number = 256, .min = 32, .max = 1024},
        [MODE] = {"mode",
                  "one-stream: ordinary memory; region: one stream, full/empty memory; "
                  "two-streams: full/empty memory and no barrier",
                  APP_CHOICE, .choices = modes}};
    struct app app = {.name = "kernelPair",
                      .doc = "A kernel that consumes what another one produces, word by word.",
                      .options = options,
                      .count = 5};
    app_start(&app, argc, argv);
    enum mode mode = (enum mode)options[MODE].number;
    uint32_t n = options[VALUES].number, rounds = options[ROUNDS].number;
    size_t bytes = (size_t)n * sizeof(uint32_t);
    uint32_t *seeds = APP_ARRAY(&app, uint32_t, n), *values = APP_ARRAY(&app, uint32_t, n);
    uint32_t *want = APP_ARRAY(&app, uint32_t, n), *got = APP_ARRAY(&app, uint32_t, n);
    input_words(app.seed, seeds, n, UINT32_MAX);
    reference(seeds, values, want, n, rounds);

    uint32_t block = options[BLOCK].number, grid = options[BLOCKS].number;
    struct app_launch producer = {
        app_kernel(&app, "kernel_pair", "producer"), {grid}, {block}, 0, NULL};
    struct app_launch consumer = {
        app_kernel(&app, "kernel_pair", "consumer"), {grid}, {block}, 0, NULL};
    int least, greatest;
    APP_CALL(cuCtxGetStreamPriorityRange(&least, &greatest));
    APP_CALL(cuStreamCreateWithPriority(&producer.stream, CU_STREAM_NON_BLOCKING, greatest));
    consumer.stream = producer.stream;
    if (mode == TWO_STREAMS)
        APP_CALL(cuStreamCreateWithPriority(&consumer.stream, CU_STREAM_NON_BLOCKING, least));
    CUdeviceptr d_seeds = app_buffer(&app, seeds, bytes), d_results = app_buffer(&app, NULL, bytes);
    CUdeviceptr d_values;
    if (mode == ONE_STREAM)
        APP_CALL(cuMemAlloc(&d_values, bytes));
    else
        APP_CALL(cuMemAllocFullEmpty(&d_values, bytes));
    if (mode == TWO_STREAMS)
        APP_CALL(cuMemMarkEmptyAsync(d_values, bytes, producer.stream));
    APP_CALL(cuCtxSynchronize());
    float us = run_pair(&producer, &consumer, APP_ARGS(&d_seeds, &d_values, &n, &rounds),
                        APP_ARGS(&d_values, &d_results, &n, &rounds));
    APP_CALL(cuMemcpyDtoH(got, d_results, bytes));
    APP_CALL(cuMemFree(d_values));
    app_figure("pair_us", (double)us, "us");
    return app_end(&app, app_equal(&app, "result", got, want, n));
}
