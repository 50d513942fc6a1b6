#include <cuda.h>
#include <math.h>
#include <stdio.h>

#include "check.h"
#include "network.h"

#include "backprop_cuda_kernel.cu"

extern "C" void forward_on_gpu(const float *input, float *weights, float *hidden)
{
    float *input_cuda, *weights_cuda, *partial_cuda, *partial;
    int blocks = IN / HEIGHT;
    dim3 grid(1, blocks), threads(WIDTH, HEIGHT);
    partial = (float *)malloc(blocks * WIDTH * sizeof(float));
    cudaMalloc((void **)&input_cuda, IN * sizeof(float));
    cudaMalloc((void **)&weights_cuda, IN * WIDTH * sizeof(float));
    cudaMalloc((void **)&partial_cuda, blocks * WIDTH * sizeof(float));
    cudaMemcpy(input_cuda, input, IN * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(weights_cuda, weights, IN * WIDTH * sizeof(float), cudaMemcpyHostToDevice);
    layer_forward<<<grid, threads>>>(input_cuda, weights_cuda, partial_cuda);
    cudaThreadSynchronize();
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("bpnn kernel error: %s\n", cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
    cudaMemcpy(partial, partial_cuda, blocks * WIDTH * sizeof(float), cudaMemcpyDeviceToHost);
    for (int h = 0; h < WIDTH; h++) {
        float sum = 0;
        for (int b = 0; b < blocks; b++)
            sum += partial[b * WIDTH + h];
        hidden[h] = squash(sum);
    }
    cudaFree(input_cuda);
    cudaFree(weights_cuda);
    cudaFree(partial_cuda);
    free(partial);
}
