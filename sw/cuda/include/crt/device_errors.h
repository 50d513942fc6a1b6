/* Names and texts of errors in device code: of those that calls there return. Included by
 * device_code.h. */
#ifndef EVGPU_CUDA_CRT_DEVICE_ERRORS_H
#define EVGPU_CUDA_CRT_DEVICE_ERRORS_H

extern "C" {
__device__ inline const char *cudaGetErrorName(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "cudaSuccess";
    case cudaErrorInvalidValue:
        return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
        return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
        return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidMemcpyDirection:
        return "cudaErrorInvalidMemcpyDirection";
    case cudaErrorLaunchMaxDepthExceeded:
        return "cudaErrorLaunchMaxDepthExceeded";
    case cudaErrorInvalidDeviceFunction:
        return "cudaErrorInvalidDeviceFunction";
    case cudaErrorLaunchOutOfResources:
        return "cudaErrorLaunchOutOfResources";
    case cudaErrorNotSupported:
        return "cudaErrorNotSupported";
    default:
        return "unrecognized error code";
    }
}

__device__ inline const char *cudaGetErrorString(cudaError_t error)
{
    switch (error) {
    case cudaSuccess:
        return "no error";
    case cudaErrorInvalidValue:
        return "invalid argument";
    case cudaErrorMemoryAllocation:
        return "out of memory";
    case cudaErrorInvalidConfiguration:
        return "invalid configuration argument";
    case cudaErrorInvalidMemcpyDirection:
        return "invalid copy direction for memcpy";
    case cudaErrorLaunchMaxDepthExceeded:
        return "launch would exceed maximum depth of nested launches";
    case cudaErrorInvalidDeviceFunction:
        return "invalid device function";
    case cudaErrorLaunchOutOfResources:
        return "too many resources requested for launch";
    case cudaErrorNotSupported:
        return "operation not supported";
    default:
        return "unrecognized error code";
    }
}
}

#endif
