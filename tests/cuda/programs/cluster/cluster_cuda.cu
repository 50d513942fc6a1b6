#include "check.h"
#include "cluster.h"

#define THREADS_PER_BLOCK 512

static float *coord_d, *work_d;
static Point *p_d;

__device__ float d_dist(int p1, int p2, int num, int dim, float *coord_d)
{
    float retval = 0.0;
    for (int i = 0; i < dim; i++) {
        float tmp = coord_d[(i * num) + p1] - coord_d[(i * num) + p2];
        retval += tmp * tmp;
    }
    return retval;
}

__global__ void kernel_compute_cost(int num, int dim, long x, Point *p, float *coord_d, float *work_d)
{
    const int bid = blockIdx.x + gridDim.x * blockIdx.y, tid = blockDim.x * bid + threadIdx.x;
    if (tid < num) {
        float x_cost = d_dist(tid, x, num, dim, coord_d) * p[tid].weight, current = p[tid].cost;
        work_d[tid] = x_cost < current ? x_cost - current : 0.0f;
    }
}

float pgain(long x, Points *points, float *lower, bool *is_center)
{
    cudaError_t error;
    int num = points->num, dim = points->dim;
    float *coord_h = new float[num * dim];
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < num; j++)
            coord_h[(num * i) + j] = points->p[j].coord[i];
    CHECK(cudaMalloc((void **)&coord_d, num * dim * sizeof(float)));
    CHECK(cudaMalloc((void **)&work_d, num * sizeof(float)));
    CHECK(cudaMalloc((void **)&p_d, num * sizeof(Point)));
    CHECK(cudaMemcpy(coord_d, coord_h, num * dim * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(p_d, points->p, num * sizeof(Point), cudaMemcpyHostToDevice));
    int num_blocks = (int)((float)(num + THREADS_PER_BLOCK - 1) / (float)THREADS_PER_BLOCK);
    dim3 grid_size(num_blocks, 1, 1);
    kernel_compute_cost<<<grid_size, THREADS_PER_BLOCK>>>(num, dim, x, p_d, coord_d, work_d);
    cudaThreadSynchronize();
    error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("kernel error: %s\n", cudaGetErrorString(error));
        exit(EXIT_FAILURE);
    }
    CHECK(cudaMemcpy(lower, work_d, num * sizeof(float), cudaMemcpyDeviceToHost));
    float sum = 0;
    for (int i = 0; i < num; i++)
        sum += lower[i];
    delete[] coord_h;
    return sum;
}

void free_device()
{
    cudaFree(coord_d);
    cudaFree(work_d);
    cudaFree(p_d);
}
