/* vectorAdd [ELEMENTS]: c = a + b on the GPU, compared with the host's. Exit status 0: equal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/vectorAdd/vector_add.h"

#define BLOCK 256u

int main(int argc, char **argv)
{
    uint32_t n = app_number(argc, argv, 1, 50000, 1, 1u << 28);
    size_t bytes = n * sizeof(float);
    float *a = malloc(bytes), *b = malloc(bytes), *c = malloc(bytes), *want = malloc(bytes);
    if (!a || !b || !c || !want) {
        fprintf(stderr, "%s: no memory for %u elements\n", argv[0], n);
        return APP_BAD_INPUT;
    }
    input_floats(1, a, n);
    input_floats(2, b, n);
    vector_add_reference(a, b, want, n);

    CUfunction kernel = app_kernel("vectorAdd", "vector_add.ptx", "vector_add");
    CUdeviceptr da = app_buffer(a, bytes), db = app_buffer(b, bytes), dc = app_buffer(NULL, bytes);
    void *arguments[] = {&da, &db, &dc, &n};
    APP_CALL(cuLaunchKernel(kernel, (n + BLOCK - 1) / BLOCK, 1, 1, BLOCK, 1, 1, 0, NULL, arguments,
                            NULL));
    APP_CALL(cuMemcpyDtoH(c, dc, bytes));
    APP_CALL(cuMemFree(da));
    APP_CALL(cuMemFree(db));
    APP_CALL(cuMemFree(dc));

    uint32_t wrong = 0;
    while (wrong < n && memcmp(&c[wrong], &want[wrong], sizeof *c) == 0)
        wrong++;
    if (wrong < n)
        printf("vectorAdd of %u elements: element %u is %.9g, the host has %.9g\n", n, wrong,
               (double)c[wrong], (double)want[wrong]);
    else
        printf("vectorAdd of %u elements: equal to the host's\n", n);
    free(a);
    free(b);
    free(c);
    free(want);
    return wrong < n ? APP_WRONG : 0;
}
