__constant__ float factor;
__device__ int launches;

extern "C" __global__ void vecAdd(const float *a, const float *b, float *c, int n)
{
    extern __shared__ float tile[];
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? a[i] : 0;
    __syncthreads();
    if (i < n)
        c[i] = tile[threadIdx.x] + factor * b[i];
    if (i == 0)
        launches++;
}
