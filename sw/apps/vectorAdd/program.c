/* vectorAdd: c = a + b on the GPU, compared with the host's sum bit by bit. */
#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/common/offload.h"
#include "sw/apps/vectorAdd/vector_add.h"

#define BLOCK 256u

enum { ELEMENTS, MODE };

struct run {
    struct app_launch launch;
    struct offload offload;
    uint32_t n;
};

static void launch(void *user, CUstream stream)
{
    struct run *r = user;
    struct offload *o = &r->offload;
    r->launch.stream = stream;
    app_launch(&r->launch, APP_ARGS(&o->in[0].device, &o->in[1].device, &o->out[0].device, &r->n));
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [ELEMENTS] = {"elements", "elements of a vector (full/empty bits paper: 8192 to 262144)",
                      .number = 50000, .min = 1, .max = 1u << 28},
        [MODE] = OFFLOAD_OPTION};
    struct app app = {.name = "vectorAdd",
                      .doc =
                          "Adds two vectors of floats, a thread per element (CUDA SDK vectorAdd).",
                      .options = options,
                      .count = 2};
    app_start(&app, argc, argv);
    uint32_t n = options[ELEMENTS].number;
    size_t bytes = n * sizeof(float);
    struct run r = {.offload = offload_create(&app, options[MODE].number), .n = n};
    r.launch = (struct app_launch){.kernel = app_kernel(&app, "vector_add", "vector_add"),
                                   .grid = {(n + BLOCK - 1) / BLOCK},
                                   .block = {BLOCK}};
    float *a = offload_in(&r.offload, bytes), *b = offload_in(&r.offload, bytes);
    float *c = offload_out(&r.offload, bytes), *want = APP_ARRAY(&app, float, n);
    input_floats(app.seed, a, n);
    input_floats((uint64_t)app.seed + 1, b, n);
    vector_add_reference(a, b, want, n);
    offload_run(&r.offload, launch, &r);
    app_figure("cpu", vector_add_cpu_us(n), "us"); /* to compare with: Figure 12 */
    return app_end(&app, app_equal_floats(&app, "c", c, want, n));
}
