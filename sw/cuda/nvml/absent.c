/* Calls for what a simulated GPU does not have. */
#include "sw/cuda/nvml/nvml.h"

#define NOT_HERE(name, ...)                                                                        \
    nvmlReturn_t name(nvmlDevice_t device, __VA_ARGS__)                                            \
    {                                                                                              \
        NVML_DEVICE(device);                                                                       \
        return NVML_ERROR_NOT_SUPPORTED;                                                           \
    }

#pragma GCC diagnostic ignored "-Wunused-parameter"
NOT_HERE(nvmlDeviceGetUtilizationRates, nvmlUtilization_t *utilization)
NOT_HERE(nvmlDeviceGetSamples, nvmlSamplingType_t type, unsigned long long lastSeenTimeStamp,
         nvmlValueType_t *sampleValType, unsigned int *sampleCount, nvmlSample_t *samples)
NOT_HERE(nvmlDeviceGetTemperature, nvmlTemperatureSensors_t sensorType, unsigned int *temp)
NOT_HERE(nvmlDeviceGetTemperatureThreshold, nvmlTemperatureThresholds_t thresholdType,
         unsigned int *temp)
NOT_HERE(nvmlDeviceGetPowerUsage, unsigned int *power)
NOT_HERE(nvmlDeviceGetTotalEnergyConsumption, unsigned long long *energy)
NOT_HERE(nvmlDeviceGetPowerManagementMode, nvmlEnableState_t *mode)
NOT_HERE(nvmlDeviceGetPowerManagementLimit, unsigned int *limit)
NOT_HERE(nvmlDeviceGetPowerManagementDefaultLimit, unsigned int *defaultLimit)
NOT_HERE(nvmlDeviceGetPowerManagementLimitConstraints, unsigned int *minLimit,
         unsigned int *maxLimit)
NOT_HERE(nvmlDeviceGetEnforcedPowerLimit, unsigned int *limit)
NOT_HERE(nvmlDeviceGetFanSpeed, unsigned int *speed)
NOT_HERE(nvmlDeviceGetSerial, char *serial, unsigned int length)
NOT_HERE(nvmlDeviceGetBoardPartNumber, char *partNumber, unsigned int length)
NOT_HERE(nvmlDeviceGetVbiosVersion, char *version, unsigned int length)
NOT_HERE(nvmlDeviceGetPersistenceMode, nvmlEnableState_t *mode)
NOT_HERE(nvmlDeviceGetEccMode, nvmlEnableState_t *current, nvmlEnableState_t *pending)
NOT_HERE(nvmlDeviceGetPcieThroughput, nvmlPcieUtilCounter_t counter, unsigned int *value)
NOT_HERE(nvmlDeviceGetCurrPcieLinkGeneration, unsigned int *currLinkGen)
NOT_HERE(nvmlDeviceGetCurrPcieLinkWidth, unsigned int *currLinkWidth)
NOT_HERE(nvmlDeviceGetMaxPcieLinkGeneration, unsigned int *maxLinkGen)
NOT_HERE(nvmlDeviceGetMaxPcieLinkWidth, unsigned int *maxLinkWidth)
NOT_HERE(nvmlDeviceSetPersistenceMode, nvmlEnableState_t mode)
NOT_HERE(nvmlDeviceSetApplicationsClocks, unsigned int memClockMHz, unsigned int graphicsClockMHz)
NOT_HERE(nvmlDeviceSetGpuLockedClocks, unsigned int minGpuClockMHz, unsigned int maxGpuClockMHz)
NOT_HERE(nvmlDeviceSetPowerManagementLimit, unsigned int limit)
NOT_HERE(nvmlDeviceGetAPIRestriction, nvmlRestrictedAPI_t apiType, nvmlEnableState_t *isRestricted)
NOT_HERE(nvmlDeviceSetAPIRestriction, nvmlRestrictedAPI_t apiType, nvmlEnableState_t isRestricted)
NOT_HERE(nvmlDeviceGetAutoBoostedClocksEnabled, nvmlEnableState_t *isEnabled,
         nvmlEnableState_t *defaultIsEnabled)

nvmlReturn_t nvmlDeviceResetApplicationsClocks(nvmlDevice_t device)
{
    NVML_DEVICE(device);
    return NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceResetGpuLockedClocks(nvmlDevice_t device)
{
    NVML_DEVICE(device);
    return NVML_ERROR_NOT_SUPPORTED;
}
