/* Errors and devices of the driver API. */
#include <stdio.h>
#include <string.h>

#include "sw/cuda/driver/context.h"

CUresult cuGetErrorString(CUresult error, const char **pStr)
{
    CU_CHECK(pStr, CUDA_ERROR_INVALID_VALUE);
    *pStr = evc_error_name(error, false) ? evc_error_text(error) : NULL;
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorName(CUresult error, const char **pStr)
{
    CU_CHECK(pStr, CUDA_ERROR_INVALID_VALUE);
    *pStr = evc_error_name(error, false);
    return *pStr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDriverGetVersion(int *driverVersion)
{
    CU_CHECK(driverVersion, CUDA_ERROR_INVALID_VALUE);
    *driverVersion = CUDA_VERSION;
    return CUDA_SUCCESS;
}

/* The checks that every call with a device makes. */
static CUresult check_device(CUdevice dev, const void *result)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(dev == 0, CUDA_ERROR_INVALID_DEVICE);
    CU_CHECK(result, CUDA_ERROR_INVALID_VALUE);
    return evc_device() ? CUDA_SUCCESS : CUDA_ERROR_DEVICE_UNAVAILABLE;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
    CUresult status = check_device(ordinal, device);
    CU_CHECK(!status, status);
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count)
{
    CUresult status = check_device(0, count);
    CU_CHECK(!status, status);
    *count = 1;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int len, CUdevice dev)
{
    CUresult status = check_device(dev, name);
    CU_CHECK(!status, status);
    CU_CHECK(len > 0, CUDA_ERROR_INVALID_VALUE);
    snprintf(name, (size_t)len, "%s", evc_device()->name);
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice dev)
{
    CUresult status = check_device(dev, uuid);
    CU_CHECK(!status, status);
    evc_uuid((uint8_t *)uuid->bytes);
    return CUDA_SUCCESS;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice dev)
{
    CUresult status = check_device(dev, bytes);
    CU_CHECK(!status, status);
    *bytes = (size_t)evc_device()->memory_bytes;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *pi, CUdevice_attribute attrib, CUdevice dev)
{
    CUresult status = check_device(dev, pi);
    CU_CHECK(!status, status);
    return evc_attribute(pi, (int)attrib);
}

CUresult cuDeviceGetProperties(CUdevprop *prop, CUdevice dev)
{
    CUresult status = check_device(dev, prop);
    CU_CHECK(!status, status);
    const struct wire_device *d = evc_device();
    int threads = (int)d->max_threads_per_block;
    *prop = (CUdevprop){.maxThreadsPerBlock = threads,
                        .maxThreadsDim = {threads, threads, 64},
                        .maxGridSize = {2147483647, 65535, 65535},
                        .sharedMemPerBlock = (int)d->shared_bytes,
                        .totalConstantMemory = (int)d->const_bytes,
                        .SIMDWidth = (int)d->warp_size,
                        .memPitch = 2147483647,
                        .regsPerBlock = (int)d->registers,
                        .clockRate = (int)d->core_khz,
                        .textureAlign = (int)EVC_PITCH_ALIGN};
    return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice dev)
{
    CUresult status = check_device(dev, major);
    CU_CHECK(!status, status);
    CU_CHECK(minor, CUDA_ERROR_INVALID_VALUE);
    *major = (int)evc_device()->major;
    *minor = (int)evc_device()->minor;
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *pciBusId, int len, CUdevice dev)
{
    CUresult status = check_device(dev, pciBusId);
    CU_CHECK(!status, status);
    CU_CHECK(len >= 13, CUDA_ERROR_INVALID_VALUE);
    snprintf(pciBusId, (size_t)len, "0000:01:00.0");
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *dev, const char *pciBusId)
{
    CUresult status = check_device(0, dev);
    CU_CHECK(!status, status);
    CU_CHECK(pciBusId, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(evc_pci_is(pciBusId), CUDA_ERROR_INVALID_DEVICE);
    *dev = 0;
    return CUDA_SUCCESS;
}

/* L2 has no lines that persist. */
CUresult cuCtxResetPersistingL2Cache(void)
{
    CU_READY();
    return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *canAccessPeer, CUdevice dev, CUdevice peerDev)
{
    CUresult status = check_device(dev, canAccessPeer);
    CU_CHECK(!status, status);
    CU_CHECK(peerDev == 0, CUDA_ERROR_INVALID_DEVICE);
    *canAccessPeer = 0;
    return CUDA_SUCCESS;
}
