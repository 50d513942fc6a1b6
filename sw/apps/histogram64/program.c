/* histogram64: a histogram of bytes in 64 bins, compared with the host's counts exactly. */
#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"

#define BINS        64u
#define THREADS     64u
#define MERGE       256u
#define BYTES       16u                       /* that a thread counts at a time */
#define BLOCK_BYTES (THREADS * (255u & ~15u)) /* at most, so that no counter of a byte overflows   \
                                               */

enum { KILOBYTES };

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [KILOBYTES] = {"kilobytes", "bytes to count, times 1024 (full/empty bits paper: 256)",
                       .number = 256, .min = 1, .max = 1u << 20}};
    struct app app = {.name = "histogram64",
                      .doc = "Counts bytes in 64 bins by their upper six bits: counters of a byte "
                             "per thread in shared memory, then a kernel that merges the blocks' "
                             "histograms (CUDA SDK histogram64).",
                      .options = options,
                      .count = 1};
    app_start(&app, argc, argv);
    size_t bytes = (size_t)options[KILOBYTES].number * 1024;
    uint32_t blocks = (uint32_t)((bytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
    uint32_t count = (uint32_t)(bytes / BYTES);
    uint8_t *data = APP_ARRAY(&app, uint8_t, bytes);
    uint32_t got[BINS], want[BINS] = {0};
    input_bytes(app.seed, data, bytes);
    for (size_t i = 0; i < bytes; i++)
        want[data[i] >> 2]++;

    struct app_launch histogram = {.kernel = app_kernel(&app, "histogram64", "histogram64"),
                                   .grid = {blocks},
                                   .block = {THREADS}};
    struct app_launch merge = {
        .kernel = app_kernel(&app, "histogram64", "merge64"), .grid = {BINS}, .block = {MERGE}};
    CUdeviceptr input = app_buffer(&app, data, bytes);
    CUdeviceptr partial = app_buffer(&app, NULL, (size_t)blocks * BINS * sizeof(uint32_t));
    CUdeviceptr result = app_buffer(&app, NULL, sizeof got);
    app_launch(&histogram, APP_ARGS(&input, &count, &partial));
    app_launch(&merge, APP_ARGS(&partial, &blocks, &result));
    APP_CALL(cuMemcpyDtoH(got, result, sizeof got));
    return app_end(&app, app_equal(&app, "histogram", got, want, BINS));
}
