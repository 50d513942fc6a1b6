/* matrixMul [--beside] [--quiet] [ROWS [TIMES [SEED]]]: square matrices multiplied on the GPU,
 * TIMES times one after the other, compared with the host's product bit by bit. Exit status 0:
 * equal. Prints the simulated time of each product. With --beside it goes on, up to TIMES, only as
 * long as event services are at work on the same machine; with --quiet it prints only what is
 * wrong. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/matrixMul/matmul.h"
#include "sw/cuda/include/evgpu.h"

#define DEFAULT_ROWS 128u

struct request {
    uint32_t rows, times, seed;
    bool beside, quiet;
};

static bool take_flag(int *argc, char **argv, const char *flag)
{
    for (int i = 1; i < *argc; i++) {
        if (strcmp(argv[i], flag) != 0)
            continue;
        memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof *argv);
        --*argc;
        return true;
    }
    return false;
}

static void timed_product(CUfunction kernel, void **arguments, uint32_t n, uint32_t number)
{
    uint32_t tiles = (n + MATMUL_TILE - 1) / MATMUL_TILE;
    CUevent begin, end;
    float ms = 0;
    APP_CALL(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    APP_CALL(cuEventCreate(&end, CU_EVENT_DEFAULT));
    APP_CALL(cuEventRecord(begin, NULL));
    APP_CALL(cuLaunchKernel(kernel, tiles, tiles, 1, MATMUL_TILE, MATMUL_TILE, 1, 0, NULL,
                            arguments, NULL));
    APP_CALL(cuEventRecord(end, NULL));
    APP_CALL(cuEventSynchronize(end));
    APP_CALL(cuEventElapsedTime(&ms, begin, end));
    printf("product %u: %.3f us\n", number, (double)ms * 1000);
    APP_CALL(cuEventDestroy(begin));
    APP_CALL(cuEventDestroy(end));
}

static void multiply(CUfunction kernel, void **arguments, const struct request *r)
{
    uint32_t tiles = (r->rows + MATMUL_TILE - 1) / MATMUL_TILE, done = 0;
    do {
        done++;
        if (!r->quiet) {
            timed_product(kernel, arguments, r->rows, done);
            continue;
        }
        APP_CALL(cuLaunchKernel(kernel, tiles, tiles, 1, MATMUL_TILE, MATMUL_TILE, 1, 0, NULL,
                                arguments, NULL));
        APP_CALL(cuCtxSynchronize());
    } while (done < r->times && (!r->beside || evgpuServicesAtWork()));
}

static int compare(const struct request *r, const float *got, const float *want)
{
    size_t wrong = 0, count = (size_t)r->rows * r->rows;
    while (wrong < count && memcmp(&got[wrong], &want[wrong], sizeof *got) == 0)
        wrong++;
    if (wrong < count)
        printf("matrixMul %u x %u: element %zu is %.9g, the host has %.9g\n", r->rows, r->rows,
               wrong, (double)got[wrong], (double)want[wrong]);
    else if (!r->quiet)
        printf("matrixMul %u x %u: equal to the host's\n", r->rows, r->rows);
    return wrong < count ? APP_WRONG : 0;
}

int main(int argc, char **argv)
{
    struct request r = {.beside = take_flag(&argc, argv, "--beside"),
                        .quiet = take_flag(&argc, argv, "--quiet")};
    r.rows = app_number(argc, argv, 1, DEFAULT_ROWS, 1, 16384);
    r.times = app_number(argc, argv, 2, 1, 1, UINT32_MAX);
    r.seed = app_number(argc, argv, 3, 1, 0, UINT32_MAX);
    size_t count = (size_t)r.rows * r.rows, bytes = count * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes), *want = malloc(bytes);
    if (!a || !b || !c || !want) {
        fprintf(stderr, "%s: no memory for %u x %u matrices\n", argv[0], r.rows, r.rows);
        return APP_BAD_INPUT;
    }
    input_floats(r.seed, a, count);
    input_floats((uint64_t)r.seed + 1, b, count);

    CUfunction kernel = app_kernel("matrixMul", "matmul.ptx", "matmul");
    CUdeviceptr da = app_buffer(a, bytes), db = app_buffer(b, bytes), dc = app_buffer(NULL, bytes);
    void *arguments[] = {&da, &db, &dc, &r.rows};
    multiply(kernel, arguments, &r);
    APP_CALL(cuMemcpyDtoH(c, dc, bytes));
    matmul_reference(a, b, want, r.rows);
    int status = compare(&r, c, want);
    APP_CALL(cuMemFree(da));
    APP_CALL(cuMemFree(db));
    APP_CALL(cuMemFree(dc));
    free(a);
    free(b);
    free(c);
    free(want);
    return status;
}
