/* Linear algebra with host references and a tolerance in percent, macros for sizes and types. */
#include <unistd.h>
#include <sys/time.h>

#include "check.h"

#define PERCENT_DIFF_ERROR_THRESHOLD 0.05
#define NI 48
#define NJ 40
#define NK 56
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 8
#define ALPHA 32412.0f
#define BETA 2123.0f

typedef float DATA_TYPE;

static float absVal(float a)
{
    return a < 0 ? a * -1 : a;
}
static float percentDiff(double val1, double val2)
{
    if (absVal(val1) < 0.01 && absVal(val2) < 0.01)
        return 0.0f;
    return 100.0f * (absVal(absVal(val1 - val2) / absVal(val1 + 0.00000001f)));
}

__global__ void gemm_kernel(DATA_TYPE *a, DATA_TYPE *b, DATA_TYPE *c)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if ((i < NI) && (j < NJ)) {
        c[i * NJ + j] *= BETA;
        for (int k = 0; k < NK; k++)
            c[i * NJ + j] += ALPHA * a[i * NK + k] * b[k * NJ + j];
    }
}

__global__ void convolution2D_kernel(DATA_TYPE *A, DATA_TYPE *B)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    DATA_TYPE c11 = +0.2, c21 = +0.5, c31 = -0.8, c12 = -0.3, c22 = +0.6, c32 = -0.9, c13 = +0.4, c23 = +0.7, c33 = +0.10;
    if ((i < NI - 1) && (j < NJ - 1) && (i > 0) && (j > 0)) {
        B[i * NJ + j] = c11 * A[(i - 1) * NJ + (j - 1)] + c21 * A[(i - 1) * NJ + (j + 0)] +
                        c31 * A[(i - 1) * NJ + (j + 1)] + c12 * A[(i + 0) * NJ + (j - 1)] +
                        c22 * A[(i + 0) * NJ + (j + 0)] + c32 * A[(i + 0) * NJ + (j + 1)] +
                        c13 * A[(i + 1) * NJ + (j - 1)] + c23 * A[(i + 1) * NJ + (j + 0)] +
                        c33 * A[(i + 1) * NJ + (j + 1)];
    }
}

__global__ void std_kernel(DATA_TYPE *mean, DATA_TYPE *std, DATA_TYPE *data)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < NJ) {
        mean[j] = 0.0;
        for (int i = 0; i < NI; i++)
            mean[j] += data[i * NJ + j];
        mean[j] /= (float)NI;
        std[j] = 0.0;
        for (int i = 0; i < NI; i++)
            std[j] += (data[i * NJ + j] - mean[j]) * (data[i * NJ + j] - mean[j]);
        std[j] /= NI;
        std[j] = sqrt(std[j]);
        if (std[j] <= 0.005f)
            std[j] = 1.0;
    }
}

int main(int argc, char *argv[])
{
    DATA_TYPE A[NI * NK], B[NK * NJ], C[NI * NJ], D[NI * NJ], mean[NJ], dev[NJ], got[NI * NJ], *a, *b, *c, *d;
    unsigned seed = 31;
    for (int i = 0; i < NI * NK; i++)
        A[i] = next_float(&seed);
    for (int i = 0; i < NK * NJ; i++)
        B[i] = next_float(&seed);
    for (int i = 0; i < NI * NJ; i++)
        C[i] = next_float(&seed);
    cudaDeviceProp deviceProp;
    cudaGetDeviceProperties(&deviceProp, 0);
    printf("setting device %d with name %s\n", 0, deviceProp.name);
    cudaMalloc((void **)&a, sizeof A);
    cudaMalloc((void **)&b, sizeof B);
    cudaMalloc((void **)&c, sizeof C);
    cudaMalloc((void **)&d, sizeof D);
    cudaMemcpy(a, A, sizeof A, cudaMemcpyHostToDevice);
    cudaMemcpy(b, B, sizeof B, cudaMemcpyHostToDevice);
    cudaMemcpy(c, C, sizeof C, cudaMemcpyHostToDevice);
    dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
    dim3 grid((size_t)(ceil(((float)NJ) / ((float)block.x))), (size_t)(ceil(((float)NI) / ((float)block.y))));
    convolution2D_kernel<<<grid, block>>>(c, d);
    std_kernel<<<2, 32>>>(a, b + NJ, c);
    CHECK(cudaMemcpy(D, d, sizeof D, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(mean, a, sizeof mean, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(dev, b + NJ, sizeof dev, cudaMemcpyDeviceToHost));
    cudaMemcpy(a, A, sizeof A, cudaMemcpyHostToDevice);
    cudaMemcpy(b, B, sizeof B, cudaMemcpyHostToDevice);
    gemm_kernel<<<grid, block>>>(a, b, c);
    cudaThreadSynchronize();
    CHECK(cudaMemcpy(got, c, sizeof C, cudaMemcpyDeviceToHost));
    int fail = 0;
    for (int i = 0; i < NI; i++) {
        for (int j = 0; j < NJ; j++) {
            double sum = C[i * NJ + j] * BETA;
            for (int k = 0; k < NK; k++)
                sum += (double)ALPHA * A[i * NK + k] * B[k * NJ + j];
            fail += percentDiff(sum, got[i * NJ + j]) > PERCENT_DIFF_ERROR_THRESHOLD;
            if (i && j && i < NI - 1 && j < NJ - 1) {
                static const double w[9] = {0.2, 0.5, -0.8, -0.3, 0.6, -0.9, 0.4, 0.7, 0.1};
                double s = 0;
                for (int k = 0; k < 9; k++)
                    s += w[k] * C[(i + k / 3 - 1) * NJ + j + k % 3 - 1];
                fail += !near(D[i * NJ + j], s, 1e-5);
            }
        }
    }
    for (int j = 0; j < NJ; j++) {
        double m = 0, s = 0;
        for (int i = 0; i < NI; i++)
            m += C[i * NJ + j] / NI;
        for (int i = 0; i < NI; i++)
            s += (C[i * NJ + j] - m) * (C[i * NJ + j] - m) / NI;
        fail += !near(mean[j], m, 1e-5) || !near(dev[j], sqrt(s), 1e-5);
    }
    printf("Non-Matching CPU-GPU Outputs Beyond Error Threshold of %4.2f Percent: %d\n",
           PERCENT_DIFF_ERROR_THRESHOLD, fail);
    return verdict("polybench", fail == 0);
}
