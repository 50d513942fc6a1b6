/* Devices, limits and the context of the runtime API. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/driver/context.h"
#include "sw/cuda/runtime/state.h"

static struct {
    unsigned int flags;
    enum cudaFuncCache cache;
    enum cudaSharedMemConfig shared;
} device = {.shared = cudaSharedMemBankSizeFourByte};

#define RT_DEVICE()                                                                                \
    const struct wire_device *d = evc_device();                                                    \
    RT_CHECK(d, cudaErrorDevicesUnavailable)

cudaError_t evgpuHostTime(unsigned long long nanoseconds)
{
    RT_DEVICE();
    evc_host_time(nanoseconds);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t evgpuGetTime(unsigned long long *nanoseconds)
{
    RT_DEVICE();
    RT_CHECK(nanoseconds, cudaErrorInvalidValue);
    *nanoseconds = evc_clock();
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceReset(void)
{
    CUresult status = evc_reset();
    if (!status) {
        rt_forget();
        cu_runtime_resets();
    }
    return rt_answer(status);
}

cudaError_t cudaThreadExit(void)
{
    return cudaDeviceReset();
}

cudaError_t cudaDeviceSynchronize(void)
{
    return rt_done(evc_device_sync());
}

cudaError_t cudaThreadSynchronize(void)
{
    return rt_done(evc_device_sync());
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
    uint64_t wanted = value;
    return rt_done(evc_limit(limit, &wanted, true));
}

cudaError_t cudaDeviceGetLimit(size_t *pValue, enum cudaLimit limit)
{
    uint64_t value = 0;
    RT_CHECK(pValue, cudaErrorInvalidValue);
    CUresult status = evc_limit(limit, &value, false);
    *pValue = (size_t)value;
    return rt_done(status);
}

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *pValue, enum cudaLimit limit)
{
    return cudaDeviceGetLimit(pValue, limit);
}

/* A preference, kept: the machine's caches have sizes of their own. */
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    RT_CHECK(pCacheConfig, cudaErrorInvalidValue);
    *pCacheConfig = device.cache;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    RT_CHECK((unsigned int)cacheConfig <= cudaFuncCachePreferEqual, cudaErrorInvalidValue);
    device.cache = cacheConfig;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *pCacheConfig)
{
    return cudaDeviceGetCacheConfig(pCacheConfig);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache cacheConfig)
{
    return cudaDeviceSetCacheConfig(cacheConfig);
}

/* Banks of the machine are 4 bytes wide, whatever is asked for. */
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *pConfig)
{
    RT_CHECK(pConfig, cudaErrorInvalidValue);
    *pConfig = device.shared;
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    RT_CHECK((unsigned int)config <= cudaSharedMemBankSizeEightByte, cudaErrorInvalidValue);
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    RT_DEVICE();
    if (leastPriority)
        *leastPriority = d->least_priority;
    if (greatestPriority)
        *greatestPriority = d->greatest_priority;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGetPCIBusId(char *pciBusId, int len, int number)
{
    RT_CHECK(pciBusId && len >= 13, cudaErrorInvalidValue);
    RT_CHECK(number == 0, cudaErrorInvalidDevice);
    snprintf(pciBusId, (size_t)len, "0000:01:00.0");
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGetByPCIBusId(int *number, const char *pciBusId)
{
    RT_CHECK(number && pciBusId, cudaErrorInvalidValue);
    RT_CHECK(evc_pci_is(pciBusId), cudaErrorInvalidDevice);
    *number = 0;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaGetDeviceCount(int *count)
{
    RT_CHECK(count, cudaErrorInvalidValue);
    *count = 0;
    RT_CHECK(!cuInit(0), cudaErrorNoDevice);
    *count = 1;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attr, int number)
{
    RT_CHECK(number == 0, cudaErrorInvalidDevice);
    CUresult status = cuInit(0);
    return rt_answer(status ? status : evc_attribute(value, (int)attr));
}

static int attribute(enum cudaDeviceAttr attr)
{
    int value = 0;
    evc_attribute(&value, (int)attr);
    return value;
}

static void fill_limits(struct cudaDeviceProp *p)
{
    p->maxThreadsPerBlock = attribute(cudaDevAttrMaxThreadsPerBlock);
    p->maxThreadsDim[0] = attribute(cudaDevAttrMaxBlockDimX);
    p->maxThreadsDim[1] = attribute(cudaDevAttrMaxBlockDimY);
    p->maxThreadsDim[2] = attribute(cudaDevAttrMaxBlockDimZ);
    p->maxGridSize[0] = attribute(cudaDevAttrMaxGridDimX);
    p->maxGridSize[1] = attribute(cudaDevAttrMaxGridDimY);
    p->maxGridSize[2] = attribute(cudaDevAttrMaxGridDimZ);
    p->memPitch = (size_t)attribute(cudaDevAttrMaxPitch);
    p->maxTexture1D = attribute(cudaDevAttrMaxTexture1DWidth);
    p->maxTexture1DMipmap = attribute(cudaDevAttrMaxTexture1DMipmappedWidth);
    p->maxTexture2DMipmap[0] = attribute(cudaDevAttrMaxTexture2DMipmappedWidth);
    p->maxTexture2DMipmap[1] = attribute(cudaDevAttrMaxTexture2DMipmappedHeight);
    p->maxTexture1DLinear = attribute(cudaDevAttrMaxTexture1DLinearWidth);
    p->maxTexture2D[0] = p->maxTexture2D[1] = attribute(cudaDevAttrMaxTexture2DWidth);
    p->maxTexture2DGather[0] = p->maxTexture2DGather[1] =
        attribute(cudaDevAttrMaxTexture2DGatherWidth);
    p->maxTexture2DLinear[0] = p->maxTexture2DLinear[1] =
        attribute(cudaDevAttrMaxTexture2DLinearWidth);
    p->maxTexture2DLinear[2] = attribute(cudaDevAttrMaxTexture2DLinearPitch);
    for (int i = 0; i < 3; i++) {
        p->maxTexture3D[i] = attribute(cudaDevAttrMaxTexture3DWidth);
        p->maxTexture3DAlt[i] = attribute(cudaDevAttrMaxTexture3DWidthAlt);
        p->maxSurface3D[i] = attribute(cudaDevAttrMaxSurface3DWidth);
    }
    p->maxTextureCubemap = p->maxSurfaceCubemap = attribute(cudaDevAttrMaxTextureCubemapWidth);
    p->maxTexture1DLayered[0] = attribute(cudaDevAttrMaxTexture1DLayeredWidth);
    p->maxTexture1DLayered[1] = attribute(cudaDevAttrMaxTexture1DLayeredLayers);
    p->maxTexture2DLayered[0] = p->maxTexture2DLayered[1] =
        attribute(cudaDevAttrMaxTexture2DLayeredWidth);
    p->maxTexture2DLayered[2] = attribute(cudaDevAttrMaxTexture2DLayeredLayers);
    p->maxSurface1D = attribute(cudaDevAttrMaxSurface1DWidth);
    p->maxSurface2D[0] = p->maxSurface2D[1] = attribute(cudaDevAttrMaxSurface2DWidth);
    p->maxSurface1DLayered[0] = attribute(cudaDevAttrMaxSurface1DLayeredWidth);
    p->maxSurface1DLayered[1] = attribute(cudaDevAttrMaxSurface1DLayeredLayers);
    p->maxSurface2DLayered[0] = p->maxSurface2DLayered[1] =
        attribute(cudaDevAttrMaxSurface2DLayeredWidth);
    p->maxSurface2DLayered[2] = attribute(cudaDevAttrMaxSurface2DLayeredLayers);
    p->textureAlignment = (size_t)attribute(cudaDevAttrTextureAlignment);
    p->texturePitchAlignment = (size_t)attribute(cudaDevAttrTexturePitchAlignment);
    p->surfaceAlignment = (size_t)attribute(cudaDevAttrSurfaceAlignment);
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *prop, int number)
{
    RT_CHECK(prop, cudaErrorInvalidValue);
    RT_DEVICE();
    RT_CHECK(number == 0 && !cuInit(0), cudaErrorInvalidDevice);
    *prop = (struct cudaDeviceProp){.totalGlobalMem = (size_t)d->memory_bytes,
                                    .sharedMemPerBlock = d->shared_bytes,
                                    .regsPerBlock = (int)d->registers,
                                    .warpSize = (int)d->warp_size,
                                    .clockRate = (int)d->core_khz,
                                    .totalConstMem = (size_t)d->const_bytes,
                                    .major = (int)d->major,
                                    .minor = (int)d->minor,
                                    .deviceOverlap = 1,
                                    .multiProcessorCount = (int)d->cores,
                                    .canMapHostMemory = 1,
                                    .concurrentKernels = 1,
                                    .pciBusID = 1,
                                    .asyncEngineCount = (int)d->copy_engines,
                                    .unifiedAddressing = 1,
                                    .memoryClockRate = (int)d->memory_khz,
                                    .memoryBusWidth = (int)d->memory_bus_bits,
                                    .l2CacheSize = (int)d->l2_bytes,
                                    .maxThreadsPerMultiProcessor = (int)d->threads,
                                    .streamPrioritiesSupported = 1,
                                    .globalL1CacheSupported = 1,
                                    .localL1CacheSupported = 1,
                                    .sharedMemPerMultiprocessor = d->shared_bytes,
                                    .regsPerMultiprocessor = (int)d->registers,
                                    .managedMemory = 1,
                                    .singleToDoublePrecisionPerfRatio = (int)d->single_to_double,
                                    .concurrentManagedAccess = 1,
                                    .cooperativeLaunch = 1,
                                    .sharedMemPerBlockOptin = d->shared_bytes,
                                    .maxBlocksPerMultiProcessor = (int)d->blocks};
    snprintf(prop->name, sizeof prop->name, "%s", d->name);
    evc_uuid((uint8_t *)prop->uuid.bytes);
    fill_limits(prop);
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attr, int srcDevice,
                                      int dstDevice)
{
    (void)attr;
    RT_CHECK(value, cudaErrorInvalidValue);
    RT_CHECK(srcDevice == 0 && dstDevice == 0, cudaErrorInvalidDevice);
    return rt_done((CUresult)cudaErrorInvalidDevice); /* a device is no peer of itself */
}

cudaError_t cudaChooseDevice(int *number, const struct cudaDeviceProp *prop)
{
    RT_CHECK(number && prop, cudaErrorInvalidValue);
    RT_DEVICE();
    (void)d;
    *number = 0;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaSetDevice(int number)
{
    RT_DEVICE();
    (void)d;
    RT_CHECK(number == 0, cudaErrorInvalidDevice);
    return rt_done(CUDA_SUCCESS); /* the primary context is current from now on */
}

cudaError_t cudaInitDevice(int number, unsigned int deviceFlags, unsigned int flags)
{
    RT_CHECK(flags <= cudaInitDeviceFlagsAreValid, cudaErrorInvalidValue);
    cudaError_t status = cudaSetDevice(number);
    return status || !flags ? status : cudaSetDeviceFlags(deviceFlags);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **funcPtr,
                                             unsigned int cudaVersion, unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *driverStatus)
{
    RT_CHECK(symbol && *symbol && funcPtr && cudaVersion && cudaVersion <= INT_MAX && flags <= 2,
             cudaErrorInvalidValue);
    CUresult status = cuGetProcAddress(symbol, funcPtr, (int)cudaVersion, flags);
    if (driverStatus)
        *driverStatus = status ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
    return rt_answer(driverStatus && status == CUDA_ERROR_NOT_FOUND ? CUDA_SUCCESS : status);
}

cudaError_t cudaGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags)
{
    return cudaGetDriverEntryPointByVersion(symbol, funcPtr, CUDA_VERSION, flags, NULL);
}

cudaError_t cudaGetDevice(int *number)
{
    RT_CHECK(number, cudaErrorInvalidValue);
    RT_DEVICE();
    (void)d;
    *number = 0;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaSetValidDevices(int *device_arr, int len)
{
    RT_CHECK(len >= 0 && (device_arr || !len), cudaErrorInvalidValue);
    for (int i = 0; i < len; i++)
        RT_CHECK(device_arr[i] == 0, cudaErrorInvalidDevice);
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaSetDeviceFlags(unsigned int flags)
{
    RT_CHECK(!(flags & ~(unsigned int)cudaDeviceMask), cudaErrorInvalidValue);
    device.flags = flags;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags)
{
    RT_CHECK(flags, cudaErrorInvalidValue);
    *flags = device.flags | cudaDeviceMapHost;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaDriverGetVersion(int *driverVersion)
{
    RT_CHECK(driverVersion, cudaErrorInvalidValue);
    *driverVersion = CUDA_VERSION;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaRuntimeGetVersion(int *runtimeVersion)
{
    RT_CHECK(runtimeVersion, cudaErrorInvalidValue);
    *runtimeVersion = CUDART_VERSION;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaDeviceCanAccessPeer(int *canAccessPeer, int number, int peerDevice)
{
    RT_CHECK(canAccessPeer, cudaErrorInvalidValue);
    RT_CHECK(number == 0 && peerDevice == 0, cudaErrorInvalidDevice);
    *canAccessPeer = 0;
    return rt_answer(CUDA_SUCCESS);
}

cudaError_t cudaDeviceEnablePeerAccess(int peerDevice, unsigned int flags)
{
    (void)peerDevice;
    RT_CHECK(!flags, cudaErrorInvalidValue);
    return rt_done((CUresult)cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceDisablePeerAccess(int peerDevice)
{
    (void)peerDevice;
    return rt_done((CUresult)cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaProfilerStart(void)
{
    return rt_done(CUDA_SUCCESS);
}

cudaError_t cudaProfilerStop(void)
{
    return rt_done(CUDA_SUCCESS);
}
