#include <cuda.h>
#include <stdio.h>

#include "check.h"

#define THREADS 256
#define FLT_MAX 3.40282347e+38

texture<float, 1, cudaReadModeElementType> t_features;
texture<float, 1, cudaReadModeElementType> t_features_flipped;
texture<float, 1, cudaReadModeElementType> t_clusters;

__constant__ float c_clusters[32 * 34];

__global__ static void invert_mapping(float *input, float *output, int npoints, int nfeatures)
{
    int point_id = threadIdx.x + blockDim.x * blockIdx.x;
    if (point_id < npoints) {
        for (int i = 0; i < nfeatures; i++)
            output[point_id + npoints * i] = input[point_id * nfeatures + i];
    }
}

__global__ static void kmeansPoint(int nfeatures, int npoints, int nclusters, int *membership)
{
    const unsigned int block_id = gridDim.x * blockIdx.y + blockIdx.x;
    const unsigned int point_id = block_id * blockDim.x * blockDim.y + threadIdx.x;
    int index = -1;
    if (point_id < npoints) {
        float min_dist = FLT_MAX;
        for (int i = 0; i < nclusters; i++) {
            int base = i * nfeatures;
            float ans = 0.0;
            for (int j = 0; j < nfeatures; j++) {
                int addr = point_id + j * npoints;
                float diff = (tex1Dfetch(t_features, addr) - c_clusters[base + j]);
                ans += diff * diff;
            }
            if (ans < min_dist) {
                min_dist = ans;
                index = i;
            }
        }
        membership[point_id] = index;
    }
}

extern "C" void assign_on_gpu(const float *features, const float *clusters, int points, int nclusters,
                              int nfeatures, int *membership)
{
    float *feature_d, *flipped_d;
    int *membership_d;
    size_t size = points * nfeatures * sizeof(float);
    CHECK(cudaMalloc((void **)&feature_d, size));
    CHECK(cudaMalloc((void **)&flipped_d, size));
    CHECK(cudaMalloc((void **)&membership_d, points * sizeof(int)));
    CHECK(cudaMemcpy(flipped_d, features, size, cudaMemcpyHostToDevice));
    int blocks = (points + THREADS - 1) / THREADS;
    invert_mapping<<<blocks, THREADS>>>(flipped_d, feature_d, points, nfeatures);

    cudaChannelFormatDesc chDesc0 = cudaCreateChannelDesc<float>();
    t_features.filterMode = cudaFilterModePoint;
    t_features.normalized = false;
    t_features.channelDesc = chDesc0;
    if (cudaBindTexture(NULL, &t_features, feature_d, &chDesc0, size) != CUDA_SUCCESS)
        printf("Couldn't bind features array to texture!\n");
    CHECK(cudaMemcpyToSymbol(c_clusters, clusters, nclusters * nfeatures * sizeof(float), 0,
                             cudaMemcpyHostToDevice));
    dim3 grid(blocks, 1), threads(THREADS);
    kmeansPoint<<<grid, threads>>>(nfeatures, points, nclusters, membership_d);
    cudaThreadSynchronize();
    CHECK(cudaMemcpy(membership, membership_d, points * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaUnbindTexture(t_features));
    cudaFree(feature_d);
    cudaFree(flipped_d);
    cudaFree(membership_d);
}
