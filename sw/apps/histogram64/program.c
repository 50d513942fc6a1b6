/* histogram64: a histogram of bytes in 64 bins, compared with the host's counts exactly. */
#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/common/offload.h"

#define BINS    64u
#define THREADS 64u
#define MERGE   256u
#define BYTES   16u /* that a thread counts at a time */
#define BLOCK_BYTES                                                                                \
    (THREADS * (255u & ~15u)) /* at most, so that no counter of a byte overflows                   \
                               */

enum { KILOBYTES, MODE };

struct run {
    struct app_launch histogram, merge;
    struct offload offload;
    CUdeviceptr partial;
    uint32_t count, blocks;
};

static void launch(void *user, CUstream stream)
{
    struct run *r = user;
    struct offload *o = &r->offload;
    r->histogram.stream = r->merge.stream = stream;
    app_launch(&r->histogram, APP_ARGS(&o->in[0].device, &r->count, &r->partial));
    app_launch(&r->merge, APP_ARGS(&r->partial, &r->blocks, &o->out[0].device));
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [KILOBYTES] = {"kilobytes", "bytes to count, times 1024 (full/empty bits paper: 256)",
                       .number = 256, .min = 1, .max = 1u << 20},
        [MODE] = OFFLOAD_OPTION};
    struct app app = {.name = "histogram64",
                      .doc = "Counts bytes in 64 bins by their upper six bits: counters of a byte "
                             "per thread in shared memory, then a kernel that merges the blocks' "
                             "histograms (CUDA SDK histogram64).",
                      .options = options,
                      .count = 2};
    app_start(&app, argc, argv);
    size_t bytes = (size_t)options[KILOBYTES].number * 1024;
    struct run r = {.offload = offload_create(&app, options[MODE].number),
                    .blocks = (uint32_t)((bytes + BLOCK_BYTES - 1) / BLOCK_BYTES),
                    .count = (uint32_t)(bytes / BYTES)};
    r.histogram = (struct app_launch){.kernel = app_kernel(&app, "histogram64", "histogram64"),
                                      .grid = {r.blocks},
                                      .block = {THREADS}};
    r.merge = (struct app_launch){
        .kernel = app_kernel(&app, "histogram64", "merge64"), .grid = {BINS}, .block = {MERGE}};
    r.partial = app_buffer(&app, NULL, (size_t)r.blocks * BINS * sizeof(uint32_t));
    uint8_t *data = offload_in(&r.offload, bytes);
    uint32_t *got = offload_out(&r.offload, BINS * sizeof *got), want[BINS] = {0};
    input_bytes(app.seed, data, bytes);
    for (size_t i = 0; i < bytes; i++)
        want[data[i] >> 2]++;
    offload_run(&r.offload, launch, &r);
    return app_end(&app, app_equal(&app, "histogram", got, want, BINS));
}
