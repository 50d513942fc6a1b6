/* Dynamic programming over rows, a pyramid of rows per launch; time by simulated events. */
#include <stdio.h>

#include "check.h"

#define BLOCK_SIZE 128
#define HALO 1
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

__global__ void dynproc_kernel(int iteration, int *gpuWall, int *gpuSrc, int *gpuResults, int cols,
                               int startStep, int border)
{
    __shared__ int prev[BLOCK_SIZE];
    __shared__ int result[BLOCK_SIZE];
    int tx = threadIdx.x, small = BLOCK_SIZE - iteration * HALO * 2;
    int blkX = small * blockIdx.x - border, xidx = blkX + tx, blkXmax = blkX + BLOCK_SIZE - 1;
    int validXmin = (blkX < 0) ? -blkX : 0;
    int validXmax = (blkXmax > cols - 1) ? BLOCK_SIZE - 1 - (blkXmax - cols + 1) : BLOCK_SIZE - 1;
    int W = tx - 1 < validXmin ? validXmin : tx - 1, E = tx + 1 > validXmax ? validXmax : tx + 1;
    bool isValid = IN_RANGE(tx, validXmin, validXmax), computed;
    if (IN_RANGE(xidx, 0, cols - 1))
        prev[tx] = gpuSrc[xidx];
    __syncthreads();
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK_SIZE - i - 2) && isValid) {
            computed = true;
            int shortest = MIN(prev[W], prev[tx]);
            shortest = MIN(shortest, prev[E]);
            result[tx] = shortest + gpuWall[cols * (startStep + i) + xidx];
        }
        __syncthreads();
        if (i == iteration - 1)
            break;
        if (computed)
            prev[tx] = result[tx];
        __syncthreads();
    }
    if (computed)
        gpuResults[xidx] = result[tx];
}

int main(int argc, char **argv)
{
    const int cols = 1000, rows = 21, height = 5, border = height * HALO;
    const int small = BLOCK_SIZE - height * HALO * 2, blocks = (cols + small - 1) / small;
    int *data = new int[rows * cols], *got = new int[cols];
    int **wall = new int *[rows];
    unsigned seed = 4;
    for (int i = 0; i < rows; i++)
        wall[i] = data + cols * i;
    for (int i = 0; i < rows * cols; i++)
        data[i] = next_random(&seed) % 10;
    int *gpuWall, *gpuResult[2];
    cudaMalloc((void **)&gpuResult[0], sizeof(int) * cols);
    cudaMalloc((void **)&gpuResult[1], sizeof(int) * cols);
    cudaMemcpy(gpuResult[0], data, sizeof(int) * cols, cudaMemcpyHostToDevice);
    CHECK(cudaMalloc((void **)&gpuWall, sizeof(int) * (rows - 1) * cols));
    cudaMemcpy(gpuWall, data + cols, sizeof(int) * (rows - 1) * cols, cudaMemcpyHostToDevice);
    cudaEvent_t start, stop;
    float ms = 0;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    int src = 1, dst = 0;
    for (int t = 0; t < rows - 1; t += height) {
        int temp = src;
        src = dst;
        dst = temp;
        dynproc_kernel<<<blocks, BLOCK_SIZE>>>(MIN(height, rows - t - 1), gpuWall, gpuResult[src],
                                               gpuResult[dst], cols, t, border);
        CHECK(cudaDeviceSynchronize());
    }
    cudaEventRecord(stop, 0);
    cudaEventSynchronize(stop);
    CHECK(cudaEventElapsedTime(&ms, start, stop));
    cudaMemcpy(got, gpuResult[dst], sizeof(int) * cols, cudaMemcpyDeviceToHost);
    int *a = new int[cols], *b = new int[cols];
    for (int c = 0; c < cols; c++)
        a[c] = wall[0][c];
    for (int r = 1; r < rows; r++) {
        for (int c = 0; c < cols; c++)
            b[c] = wall[r][c] + MIN(MIN(a[c ? c - 1 : 0], a[c]), a[c < cols - 1 ? c + 1 : c]);
        int *swap = a;
        a = b;
        b = swap;
    }
    bool ok = ms > 0;
    for (int c = 0; c < cols; c++)
        ok = ok && got[c] == a[c];
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    return verdict("pathfinder", ok);
}
