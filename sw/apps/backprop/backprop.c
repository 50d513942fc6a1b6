#include "sw/apps/backprop/backprop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sw/apps/common/input_data.h"

#define ETA      0.3
#define MOMENTUM 0.3

size_t backprop_weights(const struct backprop *net)
{
    return ((size_t)net->nodes + 1) * BACKPROP_ROW;
}

void backprop_generate(uint64_t seed, uint32_t nodes, struct backprop *net)
{
    *net = (struct backprop){.nodes = nodes, .target = 0.1f};
    size_t weights = backprop_weights(net);
    net->input = ALLOC_ARRAY(float, (size_t)nodes + 1);
    net->weights = ALLOC_ARRAY(float, weights);
    net->change = ALLOC_ARRAY(float, weights);
    input_range(seed, net->input, (size_t)nodes + 1, 0.0f, 1.0f);
    input_floats(seed + 1, net->weights, weights);
    input_floats(seed + 2, net->output_weights, BACKPROP_ROW);
    net->input[0] = net->hidden[0] = 1.0f;
}

void backprop_free(struct backprop *net)
{
    free(net->input);
    free(net->weights);
    free(net->change);
    *net = (struct backprop){0};
}

void backprop_forward(const struct backprop *net, float *partial)
{
    float tree[BACKPROP_SIDE];
    for (uint32_t block = 0; block < net->nodes / BACKPROP_SIDE; block++)
        for (uint32_t j = 0; j < BACKPROP_HIDDEN; j++) {
            for (uint32_t y = 0; y < BACKPROP_SIDE; y++) {
                size_t unit = (size_t)block * BACKPROP_SIDE + y + 1;
                tree[y] = net->weights[unit * BACKPROP_ROW + j + 1] * net->input[unit];
            }
            for (uint32_t pair = 2; pair <= BACKPROP_SIDE; pair *= 2)
                for (uint32_t y = 0; y < BACKPROP_SIDE; y += pair)
                    tree[y] += tree[y + pair / 2];
            partial[(size_t)block * BACKPROP_HIDDEN + j] = tree[0];
        }
}

static float squash(float x)
{
    return (float)(1.0 / (1.0 + exp(-(double)x)));
}

static void step(float *weight, float *change, float delta, float value)
{
    double by = fma(MOMENTUM, (double)*change, ETA * (double)delta * (double)value);
    *weight = (float)((double)*weight + by);
    *change = (float)by;
}

void backprop_errors(struct backprop *net, const float *partial)
{
    for (uint32_t j = 1; j <= BACKPROP_HIDDEN; j++) {
        float sum = 0.0f;
        for (uint32_t block = 0; block < net->nodes / BACKPROP_SIDE; block++)
            sum += partial[(size_t)block * BACKPROP_HIDDEN + j - 1];
        net->hidden[j] = squash(sum + net->weights[j]);
    }
    float sum = 0.0f;
    for (uint32_t j = 0; j < BACKPROP_ROW; j++)
        sum += net->output_weights[j] * net->hidden[j];
    net->output = squash(sum);
    float delta = net->output * (1.0f - net->output) * (net->target - net->output);
    for (uint32_t j = 1; j < BACKPROP_ROW; j++)
        net->hidden_delta[j] =
            net->hidden[j] * (1.0f - net->hidden[j]) * (delta * net->output_weights[j]);
    for (uint32_t j = 0; j < BACKPROP_ROW; j++)
        step(&net->output_weights[j], &net->output_change[j], delta, net->hidden[j]);
}

void backprop_adjust(struct backprop *net)
{
    for (size_t unit = 0; unit <= net->nodes; unit++)
        for (uint32_t j = 1; j < BACKPROP_ROW; j++)
            step(&net->weights[unit * BACKPROP_ROW + j], &net->change[unit * BACKPROP_ROW + j],
                 net->hidden_delta[j], net->input[unit]);
}
