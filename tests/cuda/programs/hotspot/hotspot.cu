/* Heat in a plate: several steps per launch in shared memory, with halos that shrink. */
#include <assert.h>
#include <stdio.h>
#include <sys/time.h>

#include "check.h"

#define BLOCK 16
#define EXPAND_RATE 2
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)
#define MIN(a, b) ((a) <= (b) ? (a) : (b))

__global__ void calculate_temp(int iteration, const float *power, float *temp_src, float *temp_dst,
                               int n, int border, float cap, float rx, float ry, float rz,
                               float step)
{
    __shared__ float temp_on_cuda[BLOCK][BLOCK];
    __shared__ float power_on_cuda[BLOCK][BLOCK];
    __shared__ float temp_t[BLOCK][BLOCK];
    const float amb_temp = 80.0;
    float step_div_cap = step / cap, rx_1 = 1 / rx, ry_1 = 1 / ry, rz_1 = 1 / rz;
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int small = BLOCK - iteration * 2;
    int blkY = small * by - border, blkX = small * bx - border;
    int yidx = blkY + ty, xidx = blkX + tx;
    int index = n * yidx + xidx;
    bool inside = IN_RANGE(yidx, 0, n - 1) && IN_RANGE(xidx, 0, n - 1);
    if (inside) {
        temp_on_cuda[ty][tx] = temp_src[index];
        power_on_cuda[ty][tx] = power[index];
    }
    __syncthreads();
    int validYmin = (blkY < 0) ? -blkY : 0, validXmin = (blkX < 0) ? -blkX : 0;
    int validYmax = (blkY + BLOCK - 1 > n - 1) ? BLOCK - 1 - (blkY + BLOCK - 1 - n + 1) : BLOCK - 1;
    int validXmax = (blkX + BLOCK - 1 > n - 1) ? BLOCK - 1 - (blkX + BLOCK - 1 - n + 1) : BLOCK - 1;
    int N = ty - 1 < validYmin ? validYmin : ty - 1, S = ty + 1 > validYmax ? validYmax : ty + 1;
    int W = tx - 1 < validXmin ? validXmin : tx - 1, E = tx + 1 > validXmax ? validXmax : tx + 1;
    bool computed;
    for (int i = 0; i < iteration; i++) {
        computed = false;
        if (IN_RANGE(tx, i + 1, BLOCK - i - 2) && IN_RANGE(ty, i + 1, BLOCK - i - 2) &&
            IN_RANGE(tx, validXmin, validXmax) && IN_RANGE(ty, validYmin, validYmax)) {
            computed = true;
            temp_t[ty][tx] =
                temp_on_cuda[ty][tx] +
                step_div_cap * (power_on_cuda[ty][tx] +
                                (temp_on_cuda[S][tx] + temp_on_cuda[N][tx] - 2.0 * temp_on_cuda[ty][tx]) * ry_1 +
                                (temp_on_cuda[ty][E] + temp_on_cuda[ty][W] - 2.0 * temp_on_cuda[ty][tx]) * rx_1 +
                                (amb_temp - temp_on_cuda[ty][tx]) * rz_1);
        }
        __syncthreads();
        if (i == iteration - 1)
            break;
        if (computed)
            temp_on_cuda[ty][tx] = temp_t[ty][tx];
        __syncthreads();
    }
    if (computed)
        temp_dst[index] = temp_t[ty][tx];
}

int main()
{
    const int n = 64, steps = 4, height = 2;
    const int border = height * EXPAND_RATE / 2, small = BLOCK - height * EXPAND_RATE;
    const int blocks = (n + small - 1) / small;
    const float cap = 0.5f, rx = 1.5f, ry = 1.25f, rz = 40.0f, step = 0.01f;
    struct timeval start, end;
    float *temp = (float *)malloc(n * n * 4), *power = (float *)malloc(n * n * 4);
    double *a = (double *)malloc(n * n * 8), *b = (double *)malloc(n * n * 8);
    unsigned seed = 5;
    for (int i = 0; i < n * n; i++) {
        a[i] = temp[i] = 320 + 20 * next_float(&seed);
        power[i] = next_float(&seed);
    }
    float *d_temp[2], *d_power;
    CHECK(cudaMalloc((void **)&d_temp[0], n * n * 4));
    CHECK(cudaMalloc((void **)&d_temp[1], n * n * 4));
    CHECK(cudaMalloc((void **)&d_power, n * n * 4));
    CHECK(cudaMemcpy(d_temp[0], temp, n * n * 4, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_power, power, n * n * 4, cudaMemcpyHostToDevice));
    gettimeofday(&start, NULL);
    int src = 1, dst = 0;
    for (int t = 0; t < steps; t += height) {
        int swap = src;
        src = dst;
        dst = swap;
        calculate_temp<<<dim3(blocks, blocks), dim3(BLOCK, BLOCK)>>>(
            MIN(height, steps - t), d_power, d_temp[src], d_temp[dst], n, border, cap, rx, ry, rz, step);
    }
    CHECK(cudaDeviceSynchronize());
    gettimeofday(&end, NULL);
    assert(end.tv_sec >= start.tv_sec);
    CHECK(cudaMemcpy(temp, d_temp[dst], n * n * 4, cudaMemcpyDeviceToHost));

    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < n; y++) {
            for (int x = 0; x < n; x++) {
                double c = a[y * n + x];
                double N = a[(y ? y - 1 : 0) * n + x], S = a[(y < n - 1 ? y + 1 : y) * n + x];
                double W = a[y * n + (x ? x - 1 : 0)], E = a[y * n + (x < n - 1 ? x + 1 : x)];
                b[y * n + x] = c + step / cap * (power[y * n + x] + (S + N - 2 * c) / ry +
                                                 (E + W - 2 * c) / rx + (80.0 - c) / rz);
            }
        }
        double *swap = a;
        a = b;
        b = swap;
    }
    int ok = 1;
    for (int i = 0; i < n * n; i++)
        ok = ok && near(temp[i], a[i], 1e-5);
    return verdict("hotspot", ok);
}
