/* Work in several streams, copies that overlap kernels, events between them, mapped memory, callbacks. */
#include <string.h>

#include "check.h"

__global__ void init_array(int *g_data, int *factor, int num_iterations)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < num_iterations; i++)
        g_data[idx] += *factor;
}

__global__ void vectorAddGPU(float *a, float *b, float *c, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N)
        c[idx] = a[idx] + b[idx];
}

static int called;
static void CUDART_CB on_done(cudaStream_t stream, cudaError_t status, void *data)
{
    called += status == cudaSuccess && *(int *)data == 42;
}
static void CUDART_CB on_host(void *data)
{
    ++*(int *)data;
}

int main(int argc, char **argv)
{
    const int nstreams = 4, n = 16 * 1024, niterations = 3;
    const int nbytes = n * sizeof(int);
    int c = 5, *a, *d_a, *d_c;
    CHECK(cudaSetDeviceFlags(cudaDeviceMapHost));
    CHECK(cudaMallocHost((void **)&a, nbytes));
    memset(a, 255, nbytes);
    CHECK(cudaMalloc((void **)&d_a, nbytes));
    CHECK(cudaMalloc((void **)&d_c, sizeof(int)));
    CHECK(cudaMemcpy(d_c, &c, sizeof(int), cudaMemcpyHostToDevice));
    cudaStream_t *streams = (cudaStream_t *)malloc(nstreams * sizeof(cudaStream_t));
    for (int i = 0; i < nstreams; i++)
        CHECK(cudaStreamCreate(&(streams[i])));
    cudaEvent_t start_event, stop_event;
    CHECK(cudaEventCreateWithFlags(&start_event, cudaEventBlockingSync));
    CHECK(cudaEventCreate(&stop_event, cudaEventDefault));
    dim3 threads(256, 1), blocks(n / (nstreams * threads.x), 1);
    CHECK(cudaMemset(d_a, 0, nbytes));
    CHECK(cudaEventRecord(start_event, 0));
    for (int i = 0; i < nstreams; i++)
        init_array<<<blocks, threads, 0, streams[i]>>>(d_a + i * n / nstreams, d_c, niterations);
    for (int i = 0; i < nstreams; i++)
        CHECK(cudaMemcpyAsync(a + i * n / nstreams, d_a + i * n / nstreams, nbytes / nstreams,
                              cudaMemcpyDeviceToHost, streams[i]));
    CHECK(cudaEventRecord(stop_event, 0));
    unsigned long counter = 0;
    while (cudaEventQuery(stop_event) == cudaErrorNotReady)
        counter++;
    float elapsed = 0;
    CHECK(cudaEventElapsedTime(&elapsed, start_event, stop_event));
    bool ok = elapsed > 0;
    for (int i = 0; i < n; i++)
        ok = ok && a[i] == c * niterations;
    printf("streams %d, %s\n", ok, counter ? "the host went on meanwhile" : "the host waited");

    cudaEvent_t between;
    int flag = 42, hosted = 0;
    CHECK(cudaEventCreateWithFlags(&between, cudaEventDisableTiming));
    init_array<<<1, 32, 0, streams[0]>>>(d_a, d_c, 1);
    CHECK(cudaEventRecord(between, streams[0]));
    CHECK(cudaStreamWaitEvent(streams[1], between, 0));
    init_array<<<1, 32, 0, streams[1]>>>(d_a, d_a + 1, 1);
    CHECK(cudaStreamAddCallback(streams[1], on_done, &flag, 0));
    CHECK(cudaLaunchHostFunc(streams[1], on_host, &hosted));
    CHECK(cudaStreamSynchronize(streams[1]));
    CHECK(cudaMemcpy(a, d_a, 4, cudaMemcpyDeviceToHost));
    ok = ok && called == 1 && hosted == 1 && a[0] == 40;
    printf("order %d\n", ok);

    float *x, *y, *z, *dx, *dy, *dz;
    CHECK(cudaHostAlloc((void **)&x, 4000, cudaHostAllocMapped));
    CHECK(cudaHostAlloc((void **)&y, 4000, cudaHostAllocMapped));
    CHECK(cudaHostAlloc((void **)&z, 4000, cudaHostAllocMapped));
    for (int i = 0; i < 1000; i++) {
        x[i] = i;
        y[i] = 2 * i;
    }
    CHECK(cudaHostGetDevicePointer((void **)&dx, (void *)x, 0));
    CHECK(cudaHostGetDevicePointer((void **)&dy, (void *)y, 0));
    CHECK(cudaHostGetDevicePointer((void **)&dz, (void *)z, 0));
    vectorAddGPU<<<4, 256>>>(dx, dy, dz, 1000);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 1000; i++)
        ok = ok && z[i] == 3 * i;
    for (int i = 0; i < nstreams; i++)
        CHECK(cudaStreamDestroy(streams[i]));
    CHECK(cudaFreeHost(x));
    CHECK(cudaFreeHost(a));
    CHECK(cudaEventDestroy(start_event));
    return verdict("streams", ok);
}
