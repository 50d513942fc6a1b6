/* matrixMul [ROWS [TIMES]]: square matrices multiplied on the GPU, TIMES times one after the other,
 * compared with the host's product bit by bit. Exit status 0: equal. Prints the simulated time of
 * each product. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/matrixMul/matmul.h"

#define DEFAULT_ROWS 128u

static void multiply(CUfunction kernel, void **arguments, uint32_t n, uint32_t times)
{
    uint32_t tiles = (n + MATMUL_TILE - 1) / MATMUL_TILE;
    CUevent begin, end;
    APP_CALL(cuEventCreate(&begin, CU_EVENT_DEFAULT));
    APP_CALL(cuEventCreate(&end, CU_EVENT_DEFAULT));
    for (uint32_t i = 0; i < times; i++) {
        float ms = 0;
        APP_CALL(cuEventRecord(begin, NULL));
        APP_CALL(cuLaunchKernel(kernel, tiles, tiles, 1, MATMUL_TILE, MATMUL_TILE, 1, 0, NULL,
                                arguments, NULL));
        APP_CALL(cuEventRecord(end, NULL));
        APP_CALL(cuEventSynchronize(end));
        APP_CALL(cuEventElapsedTime(&ms, begin, end));
        printf("product %u: %.3f us\n", i + 1, (double)ms * 1000);
    }
    APP_CALL(cuEventDestroy(begin));
    APP_CALL(cuEventDestroy(end));
}

int main(int argc, char **argv)
{
    uint32_t n = app_number(argc, argv, 1, DEFAULT_ROWS, 1, 16384);
    uint32_t times = app_number(argc, argv, 2, 1, 1, 1000000);
    size_t count = (size_t)n * n, bytes = count * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes), *want = malloc(bytes);
    if (!a || !b || !c || !want) {
        fprintf(stderr, "%s: no memory for %u x %u matrices\n", argv[0], n, n);
        return APP_BAD_INPUT;
    }
    input_floats(1, a, count);
    input_floats(2, b, count);
    matmul_reference(a, b, want, n);

    CUfunction kernel = app_kernel("matrixMul", "matmul.ptx", "matmul");
    CUdeviceptr da = app_buffer(a, bytes), db = app_buffer(b, bytes), dc = app_buffer(NULL, bytes);
    void *arguments[] = {&da, &db, &dc, &n};
    multiply(kernel, arguments, n, times);
    APP_CALL(cuMemcpyDtoH(c, dc, bytes));

    size_t wrong = 0;
    while (wrong < count && memcmp(&c[wrong], &want[wrong], sizeof *c) == 0)
        wrong++;
    if (wrong < count)
        printf("matrixMul %u x %u: element %zu is %.9g, the host has %.9g\n", n, n, wrong,
               (double)c[wrong], (double)want[wrong]);
    else
        printf("matrixMul %u x %u: equal to the host's\n", n, n);
    free(a);
    free(b);
    free(c);
    free(want);
    return wrong < count ? APP_WRONG : 0;
}
