#ifndef BACKPROP_CUDA_KERNEL
#define BACKPROP_CUDA_KERNEL

#include <stdio.h>

__global__ void layer_forward(float *input_cuda, float *hidden_cuda, float *partial)
{
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int index = WIDTH * HEIGHT * by + WIDTH * ty + tx;
    __shared__ float input_node[HEIGHT];
    __shared__ float weight_matrix[HEIGHT][WIDTH];
    if (tx == 0)
        input_node[ty] = input_cuda[HEIGHT * by + ty];
    __syncthreads();
    weight_matrix[ty][tx] = hidden_cuda[index];
    __syncthreads();
    weight_matrix[ty][tx] = weight_matrix[ty][tx] * input_node[ty];
    __syncthreads();
    for (int i = 1; i <= __log2f(HEIGHT); i++) {
        int power_two = __powf(2, i);
        if (ty % power_two == 0)
            weight_matrix[ty][tx] = weight_matrix[ty][tx] + weight_matrix[ty + power_two / 2][tx];
        __syncthreads();
    }
    if (ty == 0)
        partial[by * WIDTH + tx] = weight_matrix[0][tx];
}

#endif
