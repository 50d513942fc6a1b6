/* Training of the first layer of a neural network by back propagation, as Rodinia's backprop does
 * it: `nodes` input units, 16 hidden units, one launch of each kernel for a pass.
 *
 * Block 16 x 16, grid 1 x nodes/16: x is the hidden unit, y the input unit within the block's
 * sixteen. Units and weights count from 1; unit 0 is the bias. weights is (nodes + 1) rows of
 * (hidden + 1). */
#define SIDE 16

#define ETA      0.3 /* doubles, as in the benchmark: part of the arithmetic is in double precision */
#define MOMENTUM 0.3

/* partial[block][hidden]: what the block's sixteen inputs contribute to each hidden unit, summed by
 * a tree in shared memory. What is left of the tree goes over the weights, as the benchmark has it:
 * the host brings the weights again before the second kernel. */
extern "C" __global__ void backprop_forward(const float *__restrict__ input, float *weights,
                                            float *partial, unsigned hidden)
{
    __shared__ float unit[SIDE];
    __shared__ float tree[SIDE][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * SIDE + y + 1;
    unsigned weight = row * (hidden + 1) + x + 1;
    if (x == 0)
        unit[y] = input[row];
    __syncthreads();
    tree[y][x] = weights[weight];
    __syncthreads();
    tree[y][x] = tree[y][x] * unit[y];
    __syncthreads();
    for (unsigned pair = 2; pair <= SIDE; pair *= 2) {
        if (y % pair == 0)
            tree[y][x] += tree[y + pair / 2][x];
        __syncthreads();
    }
    weights[weight] = tree[y][x];
    __syncthreads();
    if (x == 0)
        partial[blockIdx.y * hidden + y] = tree[0][y];
}

__device__ static void adjust(float *weight, float *change, float delta, float value)
{
    double step = fma(MOMENTUM, (double)*change, ETA * (double)delta * (double)value);
    *weight = (float)((double)*weight + step);
    *change = (float)step;
}

/* Every weight takes a step along its gradient and a part of its last step (`change`). */
extern "C" __global__ void backprop_adjust(const float *__restrict__ delta,
                                           const float *__restrict__ input, float *weights,
                                           float *change, unsigned hidden)
{
    unsigned x = threadIdx.x + 1, row = blockIdx.y * SIDE + threadIdx.y + 1;
    unsigned weight = row * (hidden + 1) + x;
    adjust(&weights[weight], &change[weight], delta[x], input[row]);
    __syncthreads();
    if (threadIdx.y == 0 && blockIdx.y == 0)
        adjust(&weights[x], &change[x], delta[x], 1.0f);
}
