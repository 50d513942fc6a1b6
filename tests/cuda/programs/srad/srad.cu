/* Speckle reduction: exp and log of an image, a reduction of sums per launch, diffusion. */
#include <cmath>
#include <cstdio>
#include <cstring>
#include <iostream>

#include "check.h"

#define fp float
#define NUMBER_THREADS 128

__global__ void extract(long d_Ne, fp *d_I)
{
    int ei = blockIdx.x * NUMBER_THREADS + threadIdx.x;
    if (ei < d_Ne)
        d_I[ei] = exp(d_I[ei] / 255);
}

__global__ void prepare(long d_Ne, fp *d_I, fp *d_sums, fp *d_sums2)
{
    int ei = blockIdx.x * NUMBER_THREADS + threadIdx.x;
    if (ei < d_Ne) {
        d_sums[ei] = d_I[ei];
        d_sums2[ei] = d_I[ei] * d_I[ei];
    }
}

__global__ void reduce(long d_Ne, int d_no, int d_mul, fp *d_sums, fp *d_sums2)
{
    int tx = threadIdx.x, ei = (blockIdx.x * NUMBER_THREADS) + tx;
    __shared__ fp d_psum[NUMBER_THREADS];
    __shared__ fp d_psum2[NUMBER_THREADS];
    d_psum[tx] = ei < d_no ? d_sums[ei * d_mul] : 0;
    d_psum2[tx] = ei < d_no ? d_sums2[ei * d_mul] : 0;
    __syncthreads();
    for (int i = 2; i <= NUMBER_THREADS; i = 2 * i) {
        if ((tx + 1) % i == 0) {
            d_psum[tx] = d_psum[tx] + d_psum[tx - i / 2];
            d_psum2[tx] = d_psum2[tx] + d_psum2[tx - i / 2];
        }
        __syncthreads();
    }
    if (tx == NUMBER_THREADS - 1) {
        d_sums[blockIdx.x * d_mul * NUMBER_THREADS] = d_psum[tx];
        d_sums2[blockIdx.x * d_mul * NUMBER_THREADS] = d_psum2[tx];
    }
}

__global__ void diffuse(fp lambda, int rows, int cols, const int *iN, const int *iS, fp q0sqr, fp *c,
                        const fp *I)
{
    int ei = blockIdx.x * NUMBER_THREADS + threadIdx.x;
    if (ei >= rows * cols)
        return;
    int row = ei % rows, col = ei / rows;
    fp jc = I[ei];
    fp dn = I[iN[row] + rows * col] - jc, ds = I[iS[row] + rows * col] - jc;
    fp g2 = (dn * dn + ds * ds) / (jc * jc), l = (dn + ds) / jc;
    fp num = (0.5 * g2) - ((1.0 / 16.0) * (l * l)), den = 1 + (.25 * l);
    fp qsqr = num / (den * den);
    den = (qsqr - q0sqr) / (q0sqr * (1 + q0sqr));
    fp value = 1.0 / (1.0 + den);
    c[ei] = value < 0 ? 0 : value > 1 ? 1 : value;
}

__global__ void compress(long d_Ne, fp *d_I)
{
    int ei = blockIdx.x * NUMBER_THREADS + threadIdx.x;
    if (ei < d_Ne)
        d_I[ei] = log(d_I[ei]) * 255;
}

int main(int argc, char *argv[])
{
    const int rows = 50, cols = 40;
    long Ne = rows * cols;
    fp *image = new fp[Ne], *got = new fp[Ne], *c = new fp[Ne];
    int *iN = new int[rows], *iS = new int[rows];
    unsigned seed = 9;
    for (int i = 0; i < Ne; i++)
        image[i] = 20 + 200 * next_float(&seed);
    for (int i = 0; i < rows; i++) {
        iN[i] = i ? i - 1 : 0;
        iS[i] = i < rows - 1 ? i + 1 : i;
    }
    fp *d_I, *d_sums, *d_sums2, *d_c;
    int *d_iN, *d_iS;
    CHECK(cudaMalloc((void **)&d_I, sizeof(fp) * Ne));
    CHECK(cudaMalloc((void **)&d_c, sizeof(fp) * Ne));
    CHECK(cudaMalloc((void **)&d_sums, sizeof(fp) * Ne));
    CHECK(cudaMalloc((void **)&d_sums2, sizeof(fp) * Ne));
    CHECK(cudaMalloc((void **)&d_iN, sizeof(int) * rows));
    CHECK(cudaMalloc((void **)&d_iS, sizeof(int) * rows));
    CHECK(cudaMemcpy(d_I, image, sizeof(fp) * Ne, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_iN, iN, sizeof(int) * rows, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_iS, iS, sizeof(int) * rows, cudaMemcpyHostToDevice));
    dim3 threads, blocks;
    threads.x = NUMBER_THREADS;
    threads.y = 1;
    blocks.x = (Ne + NUMBER_THREADS - 1) / NUMBER_THREADS;
    blocks.y = 1;
    extract<<<blocks, threads>>>(Ne, d_I);
    prepare<<<blocks, threads>>>(Ne, d_I, d_sums, d_sums2);
    int no = Ne, mul = 1;
    while (no > 1) {
        int n = (no + NUMBER_THREADS - 1) / NUMBER_THREADS;
        reduce<<<n, threads>>>(Ne, no, mul, d_sums, d_sums2);
        no = n;
        mul *= NUMBER_THREADS;
    }
    fp total, total2;
    CHECK(cudaMemcpy(&total, d_sums, sizeof(fp), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(&total2, d_sums2, sizeof(fp), cudaMemcpyDeviceToHost));
    fp mean = total / Ne, variance = total2 / Ne - mean * mean, q0sqr = variance / (mean * mean);
    diffuse<<<blocks, threads>>>(0.5f, rows, cols, d_iN, d_iS, q0sqr, d_c, d_I);
    compress<<<blocks, threads>>>(Ne, d_I);
    CHECK(cudaMemcpy(got, d_I, sizeof(fp) * Ne, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(c, d_c, sizeof(fp) * Ne, cudaMemcpyDeviceToHost));

    double sum = 0, sum2 = 0;
    bool ok = true;
    for (int i = 0; i < Ne; i++) {
        double e = std::exp(image[i] / 255.0);
        sum += e;
        sum2 += e * e;
        ok = ok && near(got[i], image[i], 1e-4);
    }
    ok = ok && near(total, sum, 1e-4) && near(total2, sum2, 1e-4);
    for (int i = 0; i < Ne; i++) {
        int row = i % rows, base = i - row;
        double j = exp(image[i] / 255.0), dn = exp(image[base + iN[row]] / 255.0) - j,
               ds = exp(image[base + iS[row]] / 255.0) - j;
        double g2 = (dn * dn + ds * ds) / (j * j), l = (dn + ds) / j, den = 1 + .25 * l;
        double q = (0.5 * g2 - l * l / 16) / (den * den);
        double want = 1 / (1 + (q - q0sqr) / (q0sqr * (1 + q0sqr)));
        want = std::min(1.0, std::max(0.0, want));
        ok = ok && near(c[i], want, 1e-3);
    }
    std::cout << "mean " << mean << std::endl;
    return verdict("srad", ok);
}
