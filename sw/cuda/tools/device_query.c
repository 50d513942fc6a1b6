/* __nvcc_device_query: the compute capability of the device that a program started now would get,
 * as build tools ask for it: "60", without a decimal point. */
#include <stdio.h>

#include "sw/cuda/include/cuda.h"

int main(void)
{
    CUdevice device;
    int major = 0, minor = 0;
    CUresult status = cuInit(0);
    if (!status)
        status = cuDeviceGet(&device, 0);
    if (!status)
        status = cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    if (!status)
        status = cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    if (status)
        return 1; /* the library has said why */
    printf("%d%d\n", major, minor);
    return 0;
}
