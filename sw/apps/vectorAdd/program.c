/* vectorAdd: c = a + b on the GPU, compared with the host's sum bit by bit. */
#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/vectorAdd/vector_add.h"

#define BLOCK 256u

enum { ELEMENTS };

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [ELEMENTS] = {"elements", "elements of a vector (full/empty bits paper: 8192 to 262144)",
                      .number = 50000, .min = 1, .max = 1u << 28}};
    struct app app = {.name = "vectorAdd",
                      .doc =
                          "Adds two vectors of floats, a thread per element (CUDA SDK vectorAdd).",
                      .options = options,
                      .count = 1};
    app_start(&app, argc, argv);
    uint32_t n = options[ELEMENTS].number;
    float *a = APP_ARRAY(&app, float, n), *b = APP_ARRAY(&app, float, n);
    float *c = APP_ARRAY(&app, float, n), *want = APP_ARRAY(&app, float, n);
    input_floats(app.seed, a, n);
    input_floats((uint64_t)app.seed + 1, b, n);
    vector_add_reference(a, b, want, n);

    size_t bytes = n * sizeof(float);
    struct app_launch launch = {.kernel = app_kernel(&app, "vector_add", "vector_add"),
                                .grid = {(n + BLOCK - 1) / BLOCK},
                                .block = {BLOCK}};
    CUdeviceptr da = app_buffer(&app, a, bytes), db = app_buffer(&app, b, bytes);
    CUdeviceptr dc = app_buffer(&app, NULL, bytes);
    app_launch(&launch, APP_ARGS(&da, &db, &dc, &n));
    APP_CALL(cuMemcpyDtoH(c, dc, bytes));
    return app_end(&app, app_equal_floats(&app, "c", c, want, n));
}
