/* NVML: the device as the runtime API describes it, the memory that a program takes, and the
 * errors of what a simulated GPU does not have. */
#include <cuda_runtime_api.h>
#include <nvml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATUS_NAME(status) nvmlErrorString((nvmlReturn_t)(status))
#include "tests/cuda/api/check.h"

#define MIB (1ull << 20)

static void ways_to_the_device(nvmlDevice_t device)
{
    static const char *const same[] = {"0000:01:00.0", "00000000:01:00.0", "0:1:0", "01:00",
                                       "01:00.0"};
    nvmlDevice_t found = NULL;
    nvmlPciInfo_t pci;
    char uuid[NVML_DEVICE_UUID_BUFFER_SIZE];
    unsigned int index = 7;
    GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByIndex(1, &found));
    OK(nvmlDeviceGetIndex(device, &index));
    MUST(index == 0);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        found = NULL;
        OK(nvmlDeviceGetHandleByPciBusId(same[i], &found));
        MUST(found == device);
    }
    GIVES(NVML_ERROR_NOT_FOUND, nvmlDeviceGetHandleByPciBusId("0000:02:00.0", &found));
    GIVES(NVML_ERROR_NOT_FOUND, nvmlDeviceGetHandleByPciBusId("0001:01:00.0", &found));
    GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetHandleByPciBusId("first", &found));
    OK(nvmlDeviceGetPciInfo(device, &pci));
    MUST(!strcmp(pci.busId, "00000000:01:00.0") && !strcmp(pci.busIdLegacy, "0000:01:00.0"));
    MUST(pci.domain == 0 && pci.bus == 1 && pci.device == 0);
    /* The bytes of "evgpu". */
    OK(nvmlDeviceGetUUID(device, uuid, sizeof uuid));
    MUST(!strcmp(uuid, "GPU-65766770-7500-0000-0000-000000000000"));
    GIVES(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetUUID(device, uuid, 40));
    OK(nvmlDeviceGetHandleByUUID("GPU-65766770-7500-0000-0000-000000000000", &found));
    GIVES(NVML_ERROR_NOT_FOUND,
          nvmlDeviceGetHandleByUUID("GPU-65766770-7500-0000-0000-000000000001", &found));
}

static void what_it_is(nvmlDevice_t device, const struct cudaDeviceProp *prop)
{
    char name[NVML_DEVICE_NAME_BUFFER_SIZE], text[NVML_SYSTEM_NVML_VERSION_BUFFER_SIZE];
    unsigned int mhz = 0, count = 1, width = 0;
    int major = 0, minor = 0, version = 0, same = 0;
    unsigned long long reasons = 1;
    OK(nvmlDeviceGetName(device, name, sizeof name));
    MUST(!strcmp(name, prop->name));
    OK(nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
    MUST(major == prop->major && minor == prop->minor);
    OK(nvmlDeviceGetMemoryBusWidth(device, &width));
    MUST((int)width == prop->memoryBusWidth);
    OK(nvmlDeviceGetClockInfo(device, NVML_CLOCK_SM, &mhz));
    MUST(mhz && (int)mhz == prop->clockRate / 1000);
    OK(nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_MEM, &mhz));
    MUST(mhz && (int)mhz == prop->memoryClockRate / 1000);
    GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetClockInfo(device, NVML_CLOCK_VIDEO, &mhz));
    OK(nvmlDeviceGetSupportedMemoryClocks(device, &count, &mhz));
    MUST(count == 1 && (int)mhz == prop->memoryClockRate / 1000);
    count = 0;
    GIVES(NVML_ERROR_INSUFFICIENT_SIZE,
          nvmlDeviceGetSupportedGraphicsClocks(device, mhz, &count, NULL));
    MUST(count == 1);
    GIVES(NVML_ERROR_NOT_FOUND,
          nvmlDeviceGetSupportedGraphicsClocks(device, mhz + 1, &count, &mhz));
    OK(nvmlDeviceGetCurrentClocksThrottleReasons(device, &reasons));
    MUST(reasons == nvmlClocksThrottleReasonNone);
    reasons = nvmlClocksThrottleReasonAll;
    OK(nvmlDeviceGetSupportedClocksThrottleReasons(device, &reasons));
    MUST(reasons == nvmlClocksThrottleReasonNone);
    OK(nvmlSystemGetCudaDriverVersion(&version));
    OK(cudaDriverGetVersion(&same));
    MUST(version == same);
    OK(nvmlSystemGetDriverVersion(text, sizeof text));
    MUST(atoi(text) == NVML_CUDA_DRIVER_VERSION_MAJOR(version));
}

static void memory(nvmlDevice_t device)
{
    nvmlMemory_t before, after;
    nvmlMemory_v2_t second = {0};
    nvmlProcessInfo_t process = {0};
    unsigned int count = 0;
    size_t available, total;
    void *p;
    OK(nvmlDeviceGetMemoryInfo(device, &before));
    OK(cudaMalloc(&p, 3 * MIB));
    OK(nvmlDeviceGetMemoryInfo(device, &after));
    MUST(after.used - before.used == 3 * MIB && before.free - after.free == 3 * MIB);
    OK(cudaMemGetInfo(&available, &total));
    MUST(after.free == available && after.total == total);
    GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetMemoryInfo_v2(device, &second));
    second.version = nvmlMemory_v2;
    OK(nvmlDeviceGetMemoryInfo_v2(device, &second));
    MUST(second.used == after.used && second.total == after.total);
    GIVES(NVML_ERROR_INSUFFICIENT_SIZE, nvmlDeviceGetComputeRunningProcesses(device, &count, NULL));
    MUST(count == 1);
    OK(nvmlDeviceGetComputeRunningProcesses(device, &count, &process));
    MUST(process.pid == (unsigned int)getpid() && process.usedGpuMemory == after.used);
    OK(cudaFree(p));
}

/* The second word has no processor of a machine with fewer than 65. */
static void processors(nvmlDevice_t device)
{
    unsigned long set[2] = {0, 7};
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    OK(nvmlDeviceGetCpuAffinity(device, 2, set));
    MUST(n >= 64 || (set[0] == (1ul << n) - 1 && !set[1]));
    set[1] = 7;
    OK(nvmlDeviceGetCpuAffinity(device, 1, set));
    MUST(set[1] == 7);
    GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetCpuAffinity(device, 0, set));
    GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetCpuAffinity(device, 2, NULL));
    OK(nvmlDeviceSetCpuAffinity(device));
    OK(nvmlDeviceClearCpuAffinity(device));
    GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceSetCpuAffinity(NULL));
}

static void not_there(nvmlDevice_t device)
{
    nvmlUtilization_t use;
    unsigned int value;
    char text[NVML_DEVICE_PART_NUMBER_BUFFER_SIZE];
    nvmlEnableState_t state;
    GIVES(NVML_ERROR_NOT_SUPPORTED,
          nvmlDeviceGetAPIRestriction(device, NVML_RESTRICTED_API_SET_APPLICATION_CLOCKS, &state));
    GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetPowerUsage(device, &value));
    GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetBoardPartNumber(device, text, sizeof text));
    GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &value));
    GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceGetUtilizationRates(device, &use));
    GIVES(NVML_ERROR_NOT_SUPPORTED, nvmlDeviceSetApplicationsClocks(device, 1, 1));
    GIVES(NVML_ERROR_INVALID_ARGUMENT, nvmlDeviceGetPowerUsage(NULL, &value));
}

int main(void)
{
    struct cudaDeviceProp prop;
    nvmlDevice_t device = NULL;
    unsigned int count = 0;
    GIVES(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetCount(&count));
    GIVES(NVML_ERROR_UNINITIALIZED, nvmlShutdown());
    OK(nvmlInit());
    OK(nvmlInitWithFlags(0));
    OK(nvmlDeviceGetCount(&count));
    MUST(count == 1);
    OK(nvmlDeviceGetHandleByIndex(0, &device));
    OK(cudaGetDeviceProperties(&prop, 0));
    ways_to_the_device(device);
    what_it_is(device, &prop);
    memory(device);
    processors(device);
    not_there(device);
    OK(nvmlShutdown());
    OK(nvmlDeviceGetCount(&count));
    OK(nvmlShutdown());
    GIVES(NVML_ERROR_UNINITIALIZED, nvmlDeviceGetCount(&count));
    MUST(strcmp(nvmlErrorString(NVML_ERROR_NOT_FOUND), nvmlErrorString(NVML_ERROR_NOT_SUPPORTED)));
    MUST(!strcmp(nvmlErrorString((nvmlReturn_t)500), nvmlErrorString(NVML_ERROR_UNKNOWN)));
    return 0;
}
