/* backprop: passes of training of a neural network, the first layer on the GPU (two launches a
 * pass), compared with the host's network bit by bit. */
#include "sw/apps/backprop/backprop.h"
#include "sw/apps/common/app.h"
#include "sw/cuda/include/evgpu.h"

enum { NODES, PASSES, BESIDE };

struct device {
    struct app_launch forward, adjust;
    CUdeviceptr input, weights, change, partial, delta;
};

static struct device set_up(struct app *app, const struct backprop *net)
{
    uint32_t blocks = net->nodes / BACKPROP_SIDE;
    size_t weights = backprop_weights(net) * sizeof(float);
    struct device d = {.forward = {.kernel = app_kernel(app, "backprop", "backprop_forward"),
                                   .grid = {1, blocks},
                                   .block = {BACKPROP_SIDE, BACKPROP_SIDE}}};
    d.adjust = d.forward;
    d.adjust.kernel = app_kernel(app, "backprop", "backprop_adjust");
    d.input = app_buffer(app, net->input, ((size_t)net->nodes + 1) * sizeof(float));
    d.weights = app_buffer(app, NULL, weights);
    d.change = app_buffer(app, net->change, weights);
    d.partial = app_buffer(app, NULL, (size_t)blocks * BACKPROP_HIDDEN * sizeof(float));
    d.delta = app_buffer(app, NULL, sizeof net->hidden_delta);
    return d;
}

/* The weights go up twice: the first kernel uses their place for its sums. */
static void pass(struct device *d, struct backprop *net, float *partial)
{
    uint32_t hidden = BACKPROP_HIDDEN;
    size_t weights = backprop_weights(net) * sizeof(float);
    size_t sums = (size_t)net->nodes / BACKPROP_SIDE * BACKPROP_HIDDEN * sizeof(float);
    APP_CALL(cuMemcpyHtoD(d->weights, net->weights, weights));
    app_launch(&d->forward, APP_ARGS(&d->input, &d->weights, &d->partial, &hidden));
    APP_CALL(cuMemcpyDtoH(partial, d->partial, sums));
    backprop_errors(net, partial);
    APP_CALL(cuMemcpyHtoD(d->delta, net->hidden_delta, sizeof net->hidden_delta));
    APP_CALL(cuMemcpyHtoD(d->weights, net->weights, weights));
    app_launch(&d->adjust, APP_ARGS(&d->delta, &d->input, &d->weights, &d->change, &hidden));
    APP_CALL(cuMemcpyDtoH(net->weights, d->weights, weights));
    APP_CALL(cuMemcpyDtoH(net->change, d->change, weights));
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [NODES] = {"nodes",
                   "input units, a multiple of 16 (EDGE's artifact: 32768; Rodinia: 65536)",
                   .number = 32768, .min = 16, .max = 1048560},
        [PASSES] = {"passes", "passes of training, two launches each (Rodinia: 1)", .number = 1,
                    .min = 1, .max = 1000000},
        [BESIDE] = {"beside",
                    "go on, up to --passes, only as long as event services are at work on the same "
                    "machine",
                    APP_FLAG}};
    struct app app = {.name = "backprop",
                      .doc = "Trains a neural network by back propagation (Rodinia backprop): 16 "
                             "hidden units, blocks of 16 x 16 threads that add in a tree in shared "
                             "memory, then a kernel that adjusts the weights.",
                      .options = options,
                      .count = 3};
    app_start(&app, argc, argv);
    uint32_t nodes = options[NODES].number;
    if (nodes % BACKPROP_SIDE)
        app_fail(&app, APP_BAD_INPUT, "--nodes is %u; it must be a multiple of %u", nodes,
                 BACKPROP_SIDE);
    struct backprop net, want;
    backprop_generate(app.seed, nodes, &net);
    backprop_generate(app.seed, nodes, &want);
    size_t sums = (size_t)nodes / BACKPROP_SIDE * BACKPROP_HIDDEN, weights = backprop_weights(&net);
    float *partial = APP_ARRAY(&app, float, sums), *partial_want = APP_ARRAY(&app, float, sums);

    struct device device = set_up(&app, &net);
    bool right = true;
    uint32_t done = 0;
    do {
        pass(&device, &net, partial);
        backprop_forward(&want, partial_want);
        backprop_errors(&want, partial_want);
        backprop_adjust(&want);
        right = app_equal_floats(&app, "partial", partial, partial_want, sums) &&
                app_equal_floats(&app, "weights", net.weights, want.weights, weights) &&
                app_equal_floats(&app, "change", net.change, want.change, weights);
    } while (right && ++done < options[PASSES].number &&
             (!options[BESIDE].number || evgpuServicesAtWork()));
    app_figure("output", (double)net.output, "");
    backprop_free(&net);
    backprop_free(&want);
    return app_end(&app, right);
}
