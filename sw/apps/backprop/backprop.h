/* Host side of sw/apps/backprop/backprop.cu: a network of `nodes` inputs, 16 hidden units and one
 * output, and one pass of training, bit for bit as the kernels compute it. */
#ifndef EVGPU_SW_BACKPROP_H
#define EVGPU_SW_BACKPROP_H

#include <stddef.h>
#include <stdint.h>

#define BACKPROP_SIDE   16u /* the kernels' block is 16 x 16 threads: 16 hidden units, 16 inputs */
#define BACKPROP_HIDDEN BACKPROP_SIDE
#define BACKPROP_ROW    (BACKPROP_HIDDEN + 1) /* weights of one input unit */

/* Unit 0 of each layer is the bias, which is 1. */
struct backprop {
    uint32_t nodes; /* a multiple of BACKPROP_SIDE */
    float *input;   /* nodes + 1 */
    float *weights; /* (nodes + 1) x BACKPROP_ROW: to the hidden units */
    float *change;  /* same: the last step of each */
    float hidden[BACKPROP_ROW], hidden_delta[BACKPROP_ROW];
    float output_weights[BACKPROP_ROW], output_change[BACKPROP_ROW];
    float output, target;
};

size_t backprop_weights(const struct backprop *net); /* how many there are to the hidden units */

/* Deterministic in `seed`: inputs in [0, 1), weights in [-1, 1), the target 0.1 of Rodinia. */
void backprop_generate(uint64_t seed, uint32_t nodes, struct backprop *net);
void backprop_free(struct backprop *net);

/* The host reference of the first kernel: partial has nodes / 16 x BACKPROP_HIDDEN values. A
 * block's products are added in a tree: neighbours, then pairs, then fours, then eights. */
void backprop_forward(const struct backprop *net, float *partial);

/* The host's own part of a pass: hidden units from the partial sums, the output, the errors of both
 * layers, and the step of the output's weights. */
void backprop_errors(struct backprop *net, const float *partial);

/* The host reference of the second kernel, in double precision with one rounding to float per
 * value.
 */
void backprop_adjust(struct backprop *net);

#endif
