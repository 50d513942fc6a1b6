/* Doubles: Box-Muller noise from a generator per particle, likelihoods, normalisation, resampling. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "check.h"

#define threads_per_block 128
#define PI 3.1415926535897932

__constant__ long M = INT_MAX;
__constant__ int A = 1103515245;
__constant__ int C = 12345;

__device__ __host__ double d_randu(int *seed, int index, long m, int a, int c)
{
    int num = a * seed[index] + c;
    seed[index] = num % m;
    num = seed[index];
    return fabs(num / ((double)m));
}

__device__ __host__ double d_randn(int *seed, int index, long m, int a, int c)
{
    double u = d_randu(seed, index, m, a, c), v = d_randu(seed, index, m, a, c);
    double cosine = cos(2 * PI * v);
    double rt = -2 * log(u);
    return sqrt(rt) * cosine;
}

__global__ void likelihood_kernel(double *x, double *y, double *weights, double *partial, int n, int *seed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __shared__ double buffer[512];
    if (i < n) {
        x[i] = x[i] + 1.0 + 5.0 * d_randn(seed, i, M, A, C);
        y[i] = y[i] - 2.0 + 2.0 * d_randn(seed, i, M, A, C);
        weights[i] = exp(-(pow(x[i] - 3.0, 2) + pow(y[i] + 1.0, 2)) / 50.0);
    }
    buffer[threadIdx.x] = i < n ? weights[i] : 0.0;
    __syncthreads();
    for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s)
            buffer[threadIdx.x] += buffer[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        partial[blockIdx.x] = buffer[0];
}

__global__ void find_index_kernel(double *xj, double *x, double *cdf, double *u, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int index = -1;
        for (int k = 0; k < n; k++) {
            if (cdf[k] >= u[i]) {
                index = k;
                break;
            }
        }
        if (index == -1)
            index = n - 1;
        xj[i] = x[index];
    }
    __syncthreads();
}

int main(int argc, char *argv[])
{
    const int n = 300, blocks = (n + threads_per_block - 1) / threads_per_block;
    int h_seed[n], s2[n];
    double x[n], y[n], w[n], cdf[n], u[n], xj[n], partial[blocks];
    for (int i = 0; i < n; i++) {
        s2[i] = h_seed[i] = 1000 + i * 7919;
        x[i] = y[i] = 0.0;
    }
    double *dx, *dy, *dw, *dp, *dc, *du, *dxj;
    int *ds;
    CHECK(cudaMalloc((void **)&dx, sizeof x));
    CHECK(cudaMalloc((void **)&dy, sizeof y));
    CHECK(cudaMalloc((void **)&dw, sizeof w));
    CHECK(cudaMalloc((void **)&dc, sizeof cdf));
    CHECK(cudaMalloc((void **)&du, sizeof u));
    CHECK(cudaMalloc((void **)&dxj, sizeof xj));
    CHECK(cudaMalloc((void **)&dp, sizeof partial));
    CHECK(cudaMalloc((void **)&ds, sizeof h_seed));
    CHECK(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(dy, y, sizeof y, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(ds, h_seed, sizeof h_seed, cudaMemcpyHostToDevice));
    likelihood_kernel<<<blocks, threads_per_block>>>(dx, dy, dw, dp, n, ds);
    CHECK(cudaMemcpy(w, dw, sizeof w, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(x, dx, sizeof x, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(partial, dp, sizeof partial, cudaMemcpyDeviceToHost));
    double sum = 0, total = 0;
    bool ok = true;
    for (int i = 0; i < n; i++) {
        double px = 1.0 + 5.0 * d_randn(s2, i, INT_MAX, 1103515245, 12345);
        double py = -2.0 + 2.0 * d_randn(s2, i, INT_MAX, 1103515245, 12345);
        double want = exp(-(pow(px - 3.0, 2) + pow(py + 1.0, 2)) / 50.0);
        ok = ok && near(x[i], px, 1e-12) && near(w[i], want, 1e-12);
        sum += w[i];
    }
    for (int b = 0; b < blocks; b++)
        total += partial[b];
    ok = ok && near(total, sum, 1e-12);
    double run = 0;
    for (int i = 0; i < n; i++) {
        cdf[i] = run += w[i] / sum;
        u[i] = (i + 0.5) / n;
    }
    CHECK(cudaMemcpy(dc, cdf, sizeof cdf, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(du, u, sizeof u, cudaMemcpyHostToDevice));
    find_index_kernel<<<blocks, threads_per_block>>>(dxj, dx, dc, du, n);
    CHECK(cudaMemcpy(xj, dxj, sizeof xj, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < n - 1 && cdf[k] < u[i])
            k++;
        ok = ok && xj[i] == x[k];
    }
    return verdict("particlefilter", ok);
}
