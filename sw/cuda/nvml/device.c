/* The device: how it is found, what it is called, memory and processes. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sw/cuda/nvml/nvml.h"

struct nvmlDevice_st {
    unsigned int index;
};

static struct nvmlDevice_st only;

nvmlDevice_t nvml_device(void)
{
    return &only;
}

bool nvml_is_device(nvmlDevice_t device)
{
    return device == &only;
}

/* --- finding it ---------------------------------------------------------------------------------
 */

nvmlReturn_t nvmlDeviceGetCount(unsigned int *deviceCount)
{
    NVML_READY();
    NVML_CHECK(deviceCount, NVML_ERROR_INVALID_ARGUMENT);
    *deviceCount = 1;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device)
{
    NVML_READY();
    NVML_CHECK(device && index == only.index, NVML_ERROR_INVALID_ARGUMENT);
    *device = &only;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device)
{
    char own[NVML_DEVICE_UUID_BUFFER_SIZE];
    NVML_READY();
    NVML_CHECK(uuid && device, NVML_ERROR_INVALID_ARGUMENT);
    nvmlReturn_t status = nvmlDeviceGetUUID(&only, own, sizeof own);
    NVML_CHECK(!status, status);
    NVML_CHECK(!strcasecmp(uuid, own), NVML_ERROR_NOT_FOUND);
    *device = &only;
    return NVML_SUCCESS;
}

/* "bus:device" with or without a domain in front and a function behind, in hexadecimal. */
static bool parse_bus_id(const char *text, nvmlPciInfo_t *pci)
{
    char rest[8] = "";
    pci->domain = 0;
    if (sscanf(text, "%x:%x:%x%7s", &pci->domain, &pci->bus, &pci->device, rest) < 3) {
        pci->domain = 0;
        if (sscanf(text, "%x:%x%7s", &pci->bus, &pci->device, rest) < 2)
            return false;
    }
    return !*rest || !strcmp(rest, ".0");
}

nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char *pciBusId, nvmlDevice_t *device)
{
    nvmlPciInfo_t wanted = {0}, own;
    NVML_READY();
    NVML_CHECK(pciBusId && device && parse_bus_id(pciBusId, &wanted), NVML_ERROR_INVALID_ARGUMENT);
    nvmlReturn_t status = nvmlDeviceGetPciInfo(&only, &own);
    NVML_CHECK(!status, status);
    NVML_CHECK(wanted.domain == own.domain && wanted.bus == own.bus && wanted.device == own.device,
               NVML_ERROR_NOT_FOUND);
    *device = &only;
    return NVML_SUCCESS;
}

/* --- names and numbers --------------------------------------------------------------------------
 */

nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char *name, unsigned int length)
{
    NVML_DEVICE(device);
    const struct wire_device *d = evc_device();
    NVML_CHECK(d, NVML_ERROR_GPU_IS_LOST);
    return nvml_text(name, length, d->name);
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int *index)
{
    NVML_DEVICE(device);
    NVML_CHECK(index, NVML_ERROR_INVALID_ARGUMENT);
    *index = device->index;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int *minorNumber)
{
    return nvmlDeviceGetIndex(device, minorNumber);
}

nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char *uuid, unsigned int length)
{
    uint8_t bytes[sizeof(CUuuid)];
    char text[NVML_DEVICE_UUID_BUFFER_SIZE];
    NVML_DEVICE(device);
    evc_uuid(bytes);
    int n = snprintf(text, sizeof text, "GPU");
    for (size_t i = 0; i < sizeof bytes; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%02x",
                      i == 0 || (i >= 4 && i <= 10 && i % 2 == 0) ? "-" : "", bytes[i]);
    return nvml_text(uuid, length, text);
}

nvmlReturn_t nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci)
{
    int domain = 0, bus = 0, number = 0;
    NVML_DEVICE(device);
    NVML_CHECK(pci, NVML_ERROR_INVALID_ARGUMENT);
    CUresult status = evc_attribute(&domain, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
    if (!status)
        status = evc_attribute(&bus, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
    if (!status)
        status = evc_attribute(&number, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
    NVML_CHECK(!status, nvml_status(status));
    *pci = (nvmlPciInfo_t){
        .domain = (unsigned int)domain, .bus = (unsigned int)bus, .device = (unsigned int)number};
    snprintf(pci->busId, sizeof pci->busId, "%08x:%02x:%02x.0", pci->domain, pci->bus, pci->device);
    snprintf(pci->busIdLegacy, sizeof pci->busIdLegacy, "%04x:%02x:%02x.0", pci->domain & 0xffffu,
             pci->bus & 0xffu, pci->device & 0xffu);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    NVML_DEVICE(device);
    NVML_CHECK(major && minor, NVML_ERROR_INVALID_ARGUMENT);
    CUresult status = evc_attribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
    if (!status)
        status = evc_attribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    return nvml_status(status);
}

nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t *mode)
{
    NVML_DEVICE(device);
    NVML_CHECK(mode, NVML_ERROR_INVALID_ARGUMENT);
    *mode = NVML_COMPUTEMODE_DEFAULT;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned int *multiGpuBool)
{
    NVML_DEVICE(device);
    NVML_CHECK(multiGpuBool, NVML_ERROR_INVALID_ARGUMENT);
    *multiGpuBool = 0;
    return NVML_SUCCESS;
}

/* --- memory -------------------------------------------------------------------------------------
 */

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *memory)
{
    uint64_t available = 0, total = 0;
    NVML_DEVICE(device);
    NVML_CHECK(memory, NVML_ERROR_INVALID_ARGUMENT);
    CUresult status = evc_memory_info(&available, &total);
    NVML_CHECK(!status, nvml_status(status));
    *memory = (nvmlMemory_t){.total = total, .free = available, .used = total - available};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *memory)
{
    nvmlMemory_t info;
    NVML_DEVICE(device);
    NVML_CHECK(memory && memory->version == nvmlMemory_v2, NVML_ERROR_INVALID_ARGUMENT);
    nvmlReturn_t status = nvmlDeviceGetMemoryInfo(device, &info);
    NVML_CHECK(!status, status);
    *memory = (nvmlMemory_v2_t){
        .version = nvmlMemory_v2, .total = info.total, .free = info.free, .used = info.used};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int *busWidth)
{
    NVML_DEVICE(device);
    const struct wire_device *d = evc_device();
    NVML_CHECK(d, NVML_ERROR_GPU_IS_LOST);
    NVML_CHECK(busWidth, NVML_ERROR_INVALID_ARGUMENT);
    *busWidth = d->memory_bus_bits;
    return NVML_SUCCESS;
}

/* --- processes ----------------------------------------------------------------------------------
 */

/* *count: room, then how many there are. */
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *infoCount,
                                                  nvmlProcessInfo_t *infos)
{
    nvmlMemory_t memory;
    NVML_DEVICE(device);
    NVML_CHECK(infoCount && (!*infoCount || infos), NVML_ERROR_INVALID_ARGUMENT);
    unsigned int room = *infoCount;
    *infoCount = 1;
    NVML_CHECK(room, NVML_ERROR_INSUFFICIENT_SIZE);
    nvmlReturn_t status = nvmlDeviceGetMemoryInfo(device, &memory);
    NVML_CHECK(!status, status);
    infos[0] = (nvmlProcessInfo_t){.pid = (unsigned int)getpid(),
                                   .usedGpuMemory = memory.used,
                                   .gpuInstanceId = ~0u,
                                   .computeInstanceId = ~0u};
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned int *infoCount,
                                                   nvmlProcessInfo_t *infos)
{
    NVML_DEVICE(device);
    NVML_CHECK(infoCount && (!*infoCount || infos), NVML_ERROR_INVALID_ARGUMENT);
    *infoCount = 0;
    return NVML_SUCCESS;
}

#undef nvmlDeviceGetCount
#undef nvmlDeviceGetHandleByIndex
#undef nvmlDeviceGetHandleByPciBusId
#undef nvmlDeviceGetPciInfo
#undef nvmlDeviceGetComputeRunningProcesses
#undef nvmlDeviceGetGraphicsRunningProcesses
NVML_OLDER(nvmlDeviceGetCount(unsigned int *deviceCount), "nvmlDeviceGetCount_v2");
NVML_OLDER(nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t *device),
           "nvmlDeviceGetHandleByIndex_v2");
NVML_OLDER(nvmlDeviceGetHandleByPciBusId(const char *pciBusId, nvmlDevice_t *device),
           "nvmlDeviceGetHandleByPciBusId_v2");
NVML_OLDER(nvmlDeviceGetPciInfo(nvmlDevice_t device, nvmlPciInfo_t *pci),
           "nvmlDeviceGetPciInfo_v3");
NVML_OLDER(nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *infoCount,
                                                nvmlProcessInfo_t *infos),
           "nvmlDeviceGetComputeRunningProcesses_v3");
NVML_OLDER(nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned int *infoCount,
                                                 nvmlProcessInfo_t *infos),
           "nvmlDeviceGetGraphicsRunningProcesses_v3");

/* --- processors near to it ----------------------------------------------------------------------
 */

nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int cpuSetSize,
                                      unsigned long *cpuSet)
{
    enum { WORD_BITS = 8 * sizeof *cpuSet };
    NVML_DEVICE(device);
    NVML_CHECK(cpuSetSize && cpuSet, NVML_ERROR_INVALID_ARGUMENT);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    memset(cpuSet, 0, cpuSetSize * sizeof *cpuSet);
    for (unsigned int i = 0; i < processors && i / WORD_BITS < cpuSetSize; i++)
        cpuSet[i / WORD_BITS] |= 1ul << i % WORD_BITS;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceSetCpuAffinity(nvmlDevice_t device)
{
    NVML_DEVICE(device);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceClearCpuAffinity(nvmlDevice_t device)
{
    NVML_DEVICE(device);
    return NVML_SUCCESS;
}
