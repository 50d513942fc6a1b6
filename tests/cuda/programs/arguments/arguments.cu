/* Kernels with arguments of up to 32764 bytes, the limit since CUDA 12.1, of which some are in flight at a time. */
#include <vector>

#include "check.h"

template <int Words> struct many {
    int word[Words];
};

template <int Words> __global__ void sum(const __grid_constant__ many<Words> in, long long *out)
{
    long long total = 0;
    for (int i = threadIdx.x; i < Words; i += blockDim.x)
        total += in.word[i];
    atomicAdd((unsigned long long *)out, (unsigned long long)total);
}

/* Adds to `want` what the kernel will add to *out. */
template <int Words> static void launch(int start, long long *out, long long *want)
{
    many<Words> in;
    for (int i = 0; i < Words; i++) {
        in.word[i] = start + i;
        *want += in.word[i];
    }
    sum<Words><<<2, 64>>>(in, out);
}

/* Launches with attributes convert what is given to what the kernel takes. */
__global__ void scaled(long long *out, float by, long long n)
{
    if (threadIdx.x == 0)
        *out = (long long)(by * (float)n) + blockDim.x;
}
__device__ int touched;
__global__ void touch()
{
    touched = gridDim.x;
}
static bool with_attributes(long long *out)
{
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute attribute[1];
    config.gridDim = 1;
    config.blockDim = dim3(32);
    config.attrs = attribute;
    config.numAttrs = 1;
    attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute[0].val.programmaticStreamSerializationAllowed = 1;
    CHECK(cudaLaunchKernelEx(&config, scaled, out, 2.5, 3));
    long long got = 0;
    CHECK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    config.gridDim.x = 5;
    int blocks = 0;
    CHECK(cudaLaunchKernelEx(&config, touch));
    CHECK(cudaMemcpyFromSymbol(&blocks, touched, sizeof blocks));

    /* As CUDA 12 and 13 ask a stream for its capture */
    cudaStream_t stream;
    cudaGraph_t graph, ended;
    const cudaGraphNode_t *before;
    const cudaGraphEdgeData *edges = (const cudaGraphEdgeData *)&stream;
    cudaStreamCaptureStatus status;
    unsigned long long id;
    size_t count[2] = {7, 7};
    CHECK(cudaStreamCreate(&stream));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    touch<<<1, 1, 0, stream>>>();
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &before, &count[0]));
    CHECK(cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &before, &edges, &count[1]));
    CHECK(cudaStreamEndCapture(stream, &ended));
    /* As CUDA 12 calls it, with flags and without */
    cudaGraphExec_t exec[2];
    cudaGraphExecUpdateResultInfo info;
    CHECK(cudaGraphInstantiate(&exec[0], ended));
    CHECK(cudaGraphInstantiate(&exec[1], ended, 0));
    CHECK(cudaGraphExecUpdate(exec[1], ended, &info));
    got += info.result != cudaGraphExecUpdateSuccess || info.errorNode;
    int types = 7;
    CHECK(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
    return got == 7 + 32 && blocks == 5 && graph == ended && count[0] == 1 && count[1] == 1 && !edges &&
           types == cudaMemHandleTypePosixFileDescriptor;
}

int main()
{
    const int rounds = 40;
    const int most = 32764 / 4 - 4; /* beside the pointer and its alignment */
    long long *out;
    std::vector<long long> want(3), got(3);
    CHECK(cudaMalloc(&out, 3 * sizeof *out));
    CHECK(cudaMemset(out, 0, 3 * sizeof *out));
    for (int i = 0; i < rounds; i++) {
        launch<1000>(i, out, &want[0]);
        launch<1200>(2 * i, out + 1, &want[1]);
        launch<most>(3 * i, out + 2, &want[2]);
    }
    CHECK(cudaMemcpy(got.data(), out, 3 * sizeof *out, cudaMemcpyDeviceToHost));
    bool ok = true;
    for (int i = 0; i < 3; i++)
        ok = ok && got[i] == 2 * want[i]; /* two blocks */
    ok = ok && with_attributes(out);
    return verdict("arguments", ok);
}
