/* Error checks and the choice of a device, as sample programs call them. Our own; a program's copy
 * comes first. */
#ifndef EVGPU_CUDA_HELPER_CUDA_H
#define EVGPU_CUDA_HELPER_CUDA_H

#include <stdio.h>
#include <stdlib.h>

#include <cuda_runtime.h>
#include <helper_string.h>

#ifndef MAX
#define MAX(a, b) (a > b ? a : b)
#endif

static inline const char *_cudaGetErrorEnum(cudaError_t error)
{
    return cudaGetErrorName(error);
}

template <class T>
void check(T result, char const *const func, const char *const file, int const line)
{
    if (!result)
        return;
    fprintf(stderr, "CUDA error at %s:%d code=%d(%s) \"%s\" \n", file, line,
            static_cast<unsigned int>(result), _cudaGetErrorEnum(static_cast<cudaError_t>(result)),
            func);
    exit(EXIT_FAILURE);
}
#define checkCudaErrors(val) check((val), #val, __FILE__, __LINE__)

inline void __getLastCudaError(const char *errorMessage, const char *file, const int line)
{
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line,
            errorMessage, static_cast<int>(error), cudaGetErrorString(error));
    exit(EXIT_FAILURE);
}
#define getLastCudaError(msg) __getLastCudaError(msg, __FILE__, __LINE__)

inline void __printLastCudaError(const char *errorMessage, const char *file, const int line)
{
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        fprintf(stderr, "%s(%i) : getLastCudaError() CUDA error : %s : (%d) %s.\n", file, line,
                errorMessage, static_cast<int>(error), cudaGetErrorString(error));
}
#define printLastCudaError(msg) __printLastCudaError(msg, __FILE__, __LINE__)

inline int ftoi(float value)
{
    return value >= 0 ? static_cast<int>(value + 0.5) : static_cast<int>(value - 0.5);
}

/* Lanes of single precision of a multiprocessor, by compute capability. */
inline int _ConvertSMVer2Cores(int major, int minor)
{
    switch (major) {
    case 3:
        return 192;
    case 5:
        return 128;
    case 6:
        return minor ? 128 : 64;
    case 7:
        return 64;
    default:
        return major >= 8 && minor ? 128 : 64;
    }
}
inline const char *_ConvertSMVer2ArchName(int, int)
{
    return "evgpu";
}

inline int gpuDeviceInit(int devID)
{
    int count = 0;
    checkCudaErrors(cudaGetDeviceCount(&count));
    if (devID < 0)
        devID = 0;
    if (devID >= count) {
        fprintf(stderr, "gpuDeviceInit(): device %d of %d\n", devID, count);
        return -devID;
    }
    checkCudaErrors(cudaSetDevice(devID));
    return devID;
}
inline int gpuGetMaxGflopsDeviceId()
{
    return 0;
}

inline int findCudaDevice(int argc, const char **argv)
{
    int device = 0;
    if (checkCmdLineFlag(argc, argv, "device"))
        device = getCmdLineArgumentInt(argc, argv, "device");
    device = gpuDeviceInit(device);
    if (device < 0)
        exit(EXIT_FAILURE);
    cudaDeviceProp properties;
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device, properties.name,
           properties.major, properties.minor);
    return device;
}

inline bool checkCudaCapabilities(int major_version, int minor_version)
{
    cudaDeviceProp properties;
    int device = 0;
    checkCudaErrors(cudaGetDevice(&device));
    checkCudaErrors(cudaGetDeviceProperties(&properties, device));
    return properties.major > major_version ||
           (properties.major == major_version && properties.minor >= minor_version);
}

#endif
