/* Particles in boxes with neighbours: structs of doubles, a box per block. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"

#define fp double
#define PER_BOX 32
#define DOT(A, B) ((A.x) * (B.x) + (A.y) * (B.y) + (A.z) * (B.z))

typedef struct {
    fp x, y, z;
} THREE_VECTOR;
typedef struct {
    fp v, x, y, z;
} FOUR_VECTOR;
typedef struct nei_str {
    int x, y, z, number;
    long offset;
} nei_str;
typedef struct box_str {
    int x, y, z, number;
    long offset;
    int nn;
    nei_str nei[26];
} box_str;
typedef struct par_str {
    fp alpha;
} par_str;
typedef struct dim_str {
    int boxes1d_arg;
    long number_boxes;
} dim_str;

__global__ void kernel_gpu_cuda(par_str d_par, dim_str d_dim, box_str *d_box, FOUR_VECTOR *d_rv, fp *d_qv,
                                FOUR_VECTOR *d_fv)
{
    int bx = blockIdx.x, wtx = threadIdx.x;
    if (bx >= d_dim.number_boxes)
        return;
    fp a2 = 2.0 * d_par.alpha * d_par.alpha;
    __shared__ FOUR_VECTOR rA[PER_BOX], rB[PER_BOX];
    __shared__ double qB[PER_BOX];
    int first_i = d_box[bx].offset;
    rA[wtx] = d_rv[first_i + wtx];
    __syncthreads();
    for (int k = 0; k < 1 + d_box[bx].nn; k++) {
        int pointer = k == 0 ? bx : d_box[bx].nei[k - 1].number;
        int first_j = d_box[pointer].offset;
        rB[wtx] = d_rv[first_j + wtx];
        qB[wtx] = d_qv[first_j + wtx];
        __syncthreads();
        for (int j = 0; j < PER_BOX; j++) {
            fp r2 = (fp)rA[wtx].v + (fp)rB[j].v - DOT((fp)rA[wtx], (fp)rB[j]);
            fp u2 = a2 * r2, vij = exp(-u2), fs = 2 * vij;
            THREE_VECTOR d;
            d.x = (fp)rA[wtx].x - (fp)rB[j].x;
            d.y = (fp)rA[wtx].y - (fp)rB[j].y;
            d.z = (fp)rA[wtx].z - (fp)rB[j].z;
            d_fv[first_i + wtx].v += (double)((fp)qB[j] * vij);
            d_fv[first_i + wtx].x += (double)((fp)qB[j] * fs * d.x);
            d_fv[first_i + wtx].y += (double)((fp)qB[j] * fs * d.y);
            d_fv[first_i + wtx].z += (double)((fp)qB[j] * fs * d.z);
        }
        __syncthreads();
    }
}

int main()
{
    const int boxes = 4, n = boxes * PER_BOX;
    par_str par;
    par.alpha = 0.5;
    dim_str dim;
    dim.boxes1d_arg = 4;
    dim.number_boxes = boxes;
    box_str box[boxes] = {};
    for (int b = 0; b < boxes; b++) {
        box[b].number = b;
        box[b].offset = b * PER_BOX;
        for (int o = 0; o < boxes; o++) {
            if (abs(o - b) == 1)
                box[b].nei[box[b].nn++].number = o;
        }
    }
    FOUR_VECTOR rv[n], fv[n] = {};
    fp qv[n];
    unsigned seed = 2;
    for (int i = 0; i < n; i++) {
        rv[i].v = next_float(&seed);
        rv[i].x = next_float(&seed);
        rv[i].y = next_float(&seed);
        rv[i].z = next_float(&seed);
        qv[i] = next_float(&seed);
    }
    box_str *d_box;
    FOUR_VECTOR *d_rv, *d_fv;
    fp *d_qv;
    CHECK(cudaMalloc((void **)&d_box, sizeof box));
    CHECK(cudaMalloc((void **)&d_rv, sizeof rv));
    CHECK(cudaMalloc((void **)&d_fv, sizeof fv));
    CHECK(cudaMalloc((void **)&d_qv, sizeof qv));
    cudaMemcpy(d_box, box, sizeof box, cudaMemcpyHostToDevice);
    cudaMemcpy(d_rv, rv, sizeof rv, cudaMemcpyHostToDevice);
    cudaMemcpy(d_fv, fv, sizeof fv, cudaMemcpyHostToDevice);
    cudaMemcpy(d_qv, qv, sizeof qv, cudaMemcpyHostToDevice);
    kernel_gpu_cuda<<<dim3(boxes, 1), PER_BOX>>>(par, dim, d_box, d_rv, d_qv, d_fv);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(fv, d_fv, sizeof fv, cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int i = 0; i < n; i++) {
        double v = 0, x = 0;
        for (int j = 0; j < n; j++) {
            if (abs(i / PER_BOX - j / PER_BOX) > 1)
                continue;
            double r2 = rv[i].v + rv[j].v - DOT(rv[i], rv[j]), e = exp(-2 * par.alpha * par.alpha * r2);
            v += qv[j] * e;
            x += qv[j] * 2 * e * (rv[i].x - rv[j].x);
        }
        ok = ok && near(fv[i].v, v, 1e-12) && near(fv[i].x, x, 1e-12);
    }
    return verdict("lavaMD", ok);
}
