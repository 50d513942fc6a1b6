/* Clocks, which the machine fixes, and the state that goes with them. */
#include "sw/cuda/nvml/nvml.h"

static nvmlReturn_t clock_of(nvmlDevice_t device, nvmlClockType_t type, unsigned int *mhz)
{
    NVML_DEVICE(device);
    const struct wire_device *d = evc_device();
    NVML_CHECK(d, NVML_ERROR_GPU_IS_LOST);
    NVML_CHECK(mhz && (unsigned int)type < NVML_CLOCK_COUNT, NVML_ERROR_INVALID_ARGUMENT);
    NVML_CHECK(type != NVML_CLOCK_VIDEO, NVML_ERROR_NOT_SUPPORTED);
    *mhz = (type == NVML_CLOCK_MEM ? d->memory_khz : d->core_khz) / 1000;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int *clock)
{
    return clock_of(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type,
                                       unsigned int *clock)
{
    return clock_of(device, type, clock);
}

nvmlReturn_t nvmlDeviceGetClock(nvmlDevice_t device, nvmlClockType_t clockType,
                                nvmlClockId_t clockId, unsigned int *clockMHz)
{
    NVML_DEVICE(device);
    NVML_CHECK((unsigned int)clockId < NVML_CLOCK_ID_COUNT, NVML_ERROR_INVALID_ARGUMENT);
    return clock_of(device, clockType, clockMHz);
}

nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, nvmlClockType_t clockType,
                                            unsigned int *clockMHz)
{
    return clock_of(device, clockType, clockMHz);
}

nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, nvmlClockType_t clockType,
                                                   unsigned int *clockMHz)
{
    return clock_of(device, clockType, clockMHz);
}

/* A list of one: *count is its room, then its length. */
static nvmlReturn_t one_clock(nvmlDevice_t device, nvmlClockType_t type, unsigned int *count,
                              unsigned int *clocks)
{
    unsigned int mhz = 0;
    nvmlReturn_t status = clock_of(device, type, &mhz);
    NVML_CHECK(!status, status);
    NVML_CHECK(count && (!*count || clocks), NVML_ERROR_INVALID_ARGUMENT);
    unsigned int room = *count;
    *count = 1;
    NVML_CHECK(room, NVML_ERROR_INSUFFICIENT_SIZE);
    clocks[0] = mhz;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetSupportedMemoryClocks(nvmlDevice_t device, unsigned int *count,
                                                unsigned int *clocksMHz)
{
    return one_clock(device, NVML_CLOCK_MEM, count, clocksMHz);
}

nvmlReturn_t nvmlDeviceGetSupportedGraphicsClocks(nvmlDevice_t device, unsigned int memoryClockMHz,
                                                  unsigned int *count, unsigned int *clocksMHz)
{
    unsigned int memory = 0;
    nvmlReturn_t status = clock_of(device, NVML_CLOCK_MEM, &memory);
    NVML_CHECK(!status, status);
    NVML_CHECK(memory == memoryClockMHz, NVML_ERROR_NOT_FOUND);
    return one_clock(device, NVML_CLOCK_GRAPHICS, count, clocksMHz);
}

nvmlReturn_t nvmlDeviceGetCurrentClocksThrottleReasons(nvmlDevice_t device,
                                                       unsigned long long *clocksThrottleReasons)
{
    NVML_DEVICE(device);
    NVML_CHECK(clocksThrottleReasons, NVML_ERROR_INVALID_ARGUMENT);
    *clocksThrottleReasons = nvmlClocksThrottleReasonNone;
    return NVML_SUCCESS;
}

nvmlReturn_t
nvmlDeviceGetSupportedClocksThrottleReasons(nvmlDevice_t device,
                                            unsigned long long *supportedClocksThrottleReasons)
{
    NVML_DEVICE(device);
    NVML_CHECK(supportedClocksThrottleReasons, NVML_ERROR_INVALID_ARGUMENT);
    *supportedClocksThrottleReasons = nvmlClocksThrottleReasonNone;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetPerformanceState(nvmlDevice_t device, nvmlPstates_t *pState)
{
    NVML_DEVICE(device);
    NVML_CHECK(pState, NVML_ERROR_INVALID_ARGUMENT);
    *pState = NVML_PSTATE_0;
    return NVML_SUCCESS;
}
