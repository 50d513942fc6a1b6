/* NVML itself: its beginning and end, versions, error texts. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "sw/cuda/nvml/nvml.h"

static struct {
    pthread_mutex_t lock;
    unsigned int users; /* nvmlInit without its nvmlShutdown */
} begun = {.lock = PTHREAD_MUTEX_INITIALIZER};

nvmlReturn_t nvmlInitWithFlags(unsigned int flags)
{
    NVML_CHECK(flags <= (NVML_INIT_FLAG_NO_GPUS | NVML_INIT_FLAG_NO_ATTACH),
               NVML_ERROR_INVALID_ARGUMENT);
    NVML_CHECK(evc_device(), NVML_ERROR_DRIVER_NOT_LOADED);
    pthread_mutex_lock(&begun.lock);
    begun.users++;
    pthread_mutex_unlock(&begun.lock);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlInit(void)
{
    return nvmlInitWithFlags(0);
}

nvmlReturn_t nvmlShutdown(void)
{
    pthread_mutex_lock(&begun.lock);
    bool used = begun.users > 0;
    begun.users -= used;
    pthread_mutex_unlock(&begun.lock);
    return used ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

bool nvml_ready(void)
{
    pthread_mutex_lock(&begun.lock);
    bool used = begun.users > 0;
    pthread_mutex_unlock(&begun.lock);
    return used;
}

nvmlReturn_t nvml_text(char *to, unsigned int room, const char *text)
{
    NVML_CHECK(to, NVML_ERROR_INVALID_ARGUMENT);
    NVML_CHECK(strlen(text) < room, NVML_ERROR_INSUFFICIENT_SIZE);
    strcpy(to, text);
    return NVML_SUCCESS;
}

nvmlReturn_t nvml_status(CUresult status)
{
    switch (status) {
    case CUDA_SUCCESS:
        return NVML_SUCCESS;
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
        return NVML_ERROR_GPU_IS_LOST;
    default:
        return NVML_ERROR_UNKNOWN;
    }
}

const char *nvmlErrorString(nvmlReturn_t result)
{
    static const char *const texts[] = {
        [NVML_SUCCESS] = "success",
        [NVML_ERROR_UNINITIALIZED] = "NVML is not initialised",
        [NVML_ERROR_INVALID_ARGUMENT] = "invalid argument",
        [NVML_ERROR_NOT_SUPPORTED] = "not supported by the simulated GPU",
        [NVML_ERROR_NO_PERMISSION] = "no permission",
        [NVML_ERROR_ALREADY_INITIALIZED] = "already initialised",
        [NVML_ERROR_NOT_FOUND] = "not found",
        [NVML_ERROR_INSUFFICIENT_SIZE] = "the buffer is too small",
        [NVML_ERROR_INSUFFICIENT_POWER] = "the device lacks external power",
        [NVML_ERROR_DRIVER_NOT_LOADED] = "there is no simulator",
        [NVML_ERROR_TIMEOUT] = "time-out",
        [NVML_ERROR_IRQ_ISSUE] = "an interrupt does not arrive",
        [NVML_ERROR_LIBRARY_NOT_FOUND] = "a library is missing",
        [NVML_ERROR_FUNCTION_NOT_FOUND] = "a function is missing",
        [NVML_ERROR_CORRUPTED_INFOROM] = "the information ROM is damaged",
        [NVML_ERROR_GPU_IS_LOST] = "the simulator has ended",
        [NVML_ERROR_RESET_REQUIRED] = "the device needs a reset",
        [NVML_ERROR_OPERATING_SYSTEM] = "the operating system refuses it",
        [NVML_ERROR_LIB_RM_VERSION_MISMATCH] = "library and driver are of different versions",
        [NVML_ERROR_IN_USE] = "the device is in use",
        [NVML_ERROR_MEMORY] = "out of memory",
        [NVML_ERROR_NO_DATA] = "no data",
        [NVML_ERROR_VGPU_ECC_NOT_SUPPORTED] = "error correction excludes it",
        [NVML_ERROR_INSUFFICIENT_RESOURCES] = "resources are short",
    };
    return (size_t)result < sizeof texts / sizeof texts[0] ? texts[result] : "unknown error";
}

/* --- versions -----------------------------------------------------------------------------------
 */

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length)
{
    char text[32];
    NVML_READY();
    snprintf(text, sizeof text, "%d.%d", NVML_CUDA_DRIVER_VERSION_MAJOR(CUDA_VERSION),
             NVML_CUDA_DRIVER_VERSION_MINOR(CUDA_VERSION));
    return nvml_text(version, length, text);
}

nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length)
{
    char driver[32], text[64];
    nvmlReturn_t status = nvmlSystemGetDriverVersion(driver, sizeof driver);
    NVML_CHECK(!status, status);
    snprintf(text, sizeof text, "%s.%s", NVML_API_VERSION_STR, driver);
    return nvml_text(version, length, text);
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *cudaDriverVersion)
{
    NVML_READY();
    NVML_CHECK(cudaDriverVersion, NVML_ERROR_INVALID_ARGUMENT);
    *cudaDriverVersion = CUDA_VERSION;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *cudaDriverVersion)
{
    return nvmlSystemGetCudaDriverVersion(cudaDriverVersion);
}

nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char *name, unsigned int length)
{
    char path[64], text[4096] = "";
    NVML_READY();
    NVML_CHECK(name && length, NVML_ERROR_INVALID_ARGUMENT);
    snprintf(path, sizeof path, "/proc/%u/cmdline", pid);
    FILE *file = fopen(path, "r");
    NVML_CHECK(file, NVML_ERROR_NOT_FOUND);
    size_t got = fread(text, 1, sizeof text - 1, file); /* ends the name with a zero */
    fclose(file);
    NVML_CHECK(got, NVML_ERROR_NOT_FOUND);
    snprintf(name, length, "%s", text);
    return NVML_SUCCESS;
}

#undef nvmlInit
NVML_OLDER(nvmlInit(void), "nvmlInit_v2");
