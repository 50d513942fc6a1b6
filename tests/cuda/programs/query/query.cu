/* What a program may ask about the device, the versions, a kernel, memory and errors. */
#include <cuda.h>
#include <cuda_occupancy.h>
#include <string.h>

#include "check.h"

__global__ void kernel(float *a)
{
    __shared__ float tile[128];
    tile[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    a[threadIdx.x] = tile[127 - threadIdx.x];
}

static size_t forty_each(int threads)
{
    return 40 * (size_t)threads;
}

/* The header that computes what the runtime answers, in its forms of C and C++. */
static bool right_occupancy(const cudaFuncAttributes &f)
{
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    const cudaOccDeviceProp p(device);
    const cudaOccFuncAttributes a(f);
    const cudaOccDeviceState state;
    cudaOccResult result;
    int blocks, unit = 0, most = 0, grid[3], size[3];
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 12000));
    bool ok = !cudaOccMaxActiveBlocksPerMultiprocessor(&result, &p, &a, &state, 128, 12000) &&
              result.activeBlocksPerMultiprocessor == blocks && result.limitingFactors == OCC_LIMIT_SHARED_MEMORY;
    ok = ok && !cudaOccMaxPotentialOccupancyBlockSize(&grid[0], &size[0], &p, &a, &state, NULL, 12000) &&
         !cudaOccMaxPotentialOccupancyBlockSize(&grid[1], &size[1], &p, &a, &state, 12000) &&
         grid[0] == grid[1] && size[0] == size[1] && size[0] > 0;
    ok = ok && !cudaOccMaxPotentialOccupancyBlockSize(&grid[0], &size[0], &p, &a, &state, forty_each, 0) &&
         !cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid[1], &size[1], &p, &a, &state, forty_each) &&
         !cudaOccMaxPotentialOccupancyBlockSizeVariableSMem(&grid[2], &size[2], &p, &a, &state,
                                                            [](int threads) { return threads > 64 ? 99999 : 0; });
    ok = ok && grid[0] == grid[1] && size[0] == size[1] && size[2] == 64 && grid[2] > grid[0];
    ok = ok && !cudaOccSMemAllocationGranularity(&unit, &p) && __occRoundUp(513, unit) >= 513 &&
         __occRoundUp(13, 4) == 16 && __occRoundUp(12, 4) == 12 && __occDivideRoundUp(9, 4) == 3;
    ok = ok && !cudaOccRegAllocationGranularity(&unit, &p) && unit == 128 &&
         !cudaOccRegAllocationMaxPerThread(&most, &p) && most == 255 &&
         cudaOccSMemAllocationGranularity(NULL, &p) == CUDA_OCC_ERROR_INVALID_INPUT;
    return ok;
}

int main()
{
    int count = 0, driver = 0, runtime = 0;
    bool ok = true;
    CHECK(cudaGetDeviceCount(&count));
    for (int dev = 0; dev < count; ++dev) {
        cudaSetDevice(dev);
        cudaDeviceProp p;
        CHECK(cudaGetDeviceProperties(&p, dev));
        cudaDriverGetVersion(&driver);
        cudaRuntimeGetVersion(&runtime);
        printf("Device %d: \"%s\"\n", dev, p.name);
        printf("  CUDA Driver Version / Runtime Version          %d.%d / %d.%d\n", driver / 1000,
               (driver % 100) / 10, runtime / 1000, (runtime % 100) / 10);
        printf("  CUDA Capability Major/Minor version number:    %d.%d\n", p.major, p.minor);
        printf("  Total amount of global memory:                 %.0f MBytes\n", p.totalGlobalMem / 1048576.0f);
        printf("  (%2d) Multiprocessors, GPU Max Clock rate:      %.0f MHz\n", p.multiProcessorCount,
               p.clockRate * 1e-3f);
        printf("  Max dimension size of a thread block (x,y,z): (%d, %d, %d)\n", p.maxThreadsDim[0],
               p.maxThreadsDim[1], p.maxThreadsDim[2]);
        ok = ok && *p.name && p.major >= 3 && p.warpSize == 32 && p.multiProcessorCount > 0 &&
             p.sharedMemPerBlock >= 16384 && p.regsPerBlock > 0 && p.maxThreadsPerBlock >= 512 &&
             p.maxGridSize[0] >= 65535 && p.memoryBusWidth > 0 && p.totalConstMem == 65536;
        int warp = 0;
        CHECK(cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, dev));
        ok = ok && warp == p.warpSize;
    }
    CUdevice device;
    char name[100] = "";
    int major = 0;
    ok = ok && cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS &&
         cuDeviceGetName(name, sizeof name, device) == CUDA_SUCCESS &&
         cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) == CUDA_SUCCESS;
    printf("driver: %s\n", name);

    size_t before, after, total;
    void *block;
    CHECK(cudaMemGetInfo(&before, &total));
    CHECK(cudaMalloc(&block, 1 << 20));
    CHECK(cudaMemGetInfo(&after, &total));
    ok = ok && before - after >= 1 << 20 && before <= total;
    cudaPointerAttributes attributes;
    CHECK(cudaPointerGetAttributes(&attributes, block));
    ok = ok && attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == block;

    cudaFuncAttributes f;
    CHECK(cudaFuncGetAttributes(&f, kernel));
    int blocks = 0, size = 0, grid = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, 0));
    CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &size, kernel, 0, 0));
    printf("kernel: %d registers, %zu bytes of shared memory, %d blocks of 128, best %d x %d\n", f.numRegs,
           f.sharedSizeBytes, blocks, grid, size);
    ok = ok && f.sharedSizeBytes == 512 && f.numRegs > 0 && blocks > 0 && size % 32 == 0 && grid > 0 &&
         right_occupancy(f);

    ok = ok && cudaMalloc(&block, (size_t)1 << 50) == cudaErrorMemoryAllocation &&
         !strcmp(cudaGetErrorName(cudaGetLastError()), "cudaErrorMemoryAllocation") &&
         cudaGetLastError() == cudaSuccess;
    kernel<<<1, 100000>>>((float *)block);
    cudaError_t status = cudaGetLastError();
    printf("too large: %s\n", cudaGetErrorString(status));
    ok = ok && status == cudaErrorInvalidConfiguration && cudaSetDevice(count) == cudaErrorInvalidDevice;
    cudaDeviceReset();
    return verdict("query", ok);
}
