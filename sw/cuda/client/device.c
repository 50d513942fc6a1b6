/* The machine as CUDA's attributes, and the context's limits. */
#include <limits.h>

#include "sw/cuda/client/core.h"

#define MAX_GRID_X   2147483647
#define MAX_GRID_YZ  65535
#define MAX_BLOCK_Z  64
#define TEXTURE_1D   65536
#define TEXTURE_2D   65536
#define TEXTURE_3D   4096
#define TEXTURE_LINE 134217728

/* What does not depend on the machine. */
static bool fixed_attribute(int *value, int attribute)
{
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
        *value = MAX_BLOCK_Z;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
        *value = MAX_GRID_X;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
        *value = MAX_GRID_YZ;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_PITCH:
        *value = INT_MAX;
        return true;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT:
    case CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT:
        *value = (int)EVC_PITCH_ALIGN;
        return true;
    case CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT:
        *value = 32;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH:
        *value = TEXTURE_1D;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT:
        *value = TEXTURE_2D;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT:
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH:
        *value = TEXTURE_3D;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH:
        *value = TEXTURE_LINE;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH:
        *value = INT_MAX;
        return true;
    case CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS:
    case CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING:
    case CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY:
    case CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS:
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
    case CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_GPU_OVERLAP:
    case CU_DEVICE_ATTRIBUTE_PCI_BUS_ID:
        *value = 1;
        return true;
    case CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT:
    case CU_DEVICE_ATTRIBUTE_INTEGRATED:
    case CU_DEVICE_ATTRIBUTE_COMPUTE_MODE:
    case CU_DEVICE_ATTRIBUTE_ECC_ENABLED:
    case CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID:
    case CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID:
    case CU_DEVICE_ATTRIBUTE_TCC_DRIVER:
    case CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD:
    case CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD_GROUP_ID:
    case CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
    case CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED:
    case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH:
    case 100: /* pageable memory access uses host page tables */
    case 101: /* managed memory stays on the device */
    case 111: /* shared memory reserved by the system */
    case 115: /* memory pools */
        *value = 0;
        return true;
    default:
        return false;
    }
}

static bool machine_attribute(uint32_t *value, int attribute, const struct wire_device *d)
{
    switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
        *value = d->max_threads_per_block;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        *value = d->shared_bytes;
        return true;
    case CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY:
        *value = (uint32_t)d->const_bytes;
        return true;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
        *value = d->warp_size;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
        *value = d->registers;
        return true;
    case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
        *value = d->core_khz;
        return true;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = d->cores;
        return true;
    case CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE:
        *value = d->memory_khz;
        return true;
    case CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH:
        *value = d->memory_bus_bits;
        return true;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
        *value = d->l2_bytes;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
        *value = d->threads;
        return true;
    case CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT:
        *value = d->copy_engines;
        return true;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
        *value = d->major;
        return true;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
        *value = d->minor;
        return true;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR:
        *value = d->blocks;
        return true;
    case CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO:
        *value = d->single_to_double;
        return true;
    default:
        return false;
    }
}

CUresult evc_attribute(int *value, int attribute)
{
    const struct wire_device *d = evc_device();
    uint32_t of_machine = 0;
    if (!d)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if (fixed_attribute(value, attribute))
        return CUDA_SUCCESS;
    if (!machine_attribute(&of_machine, attribute, d))
        return CUDA_ERROR_INVALID_VALUE;
    *value = of_machine > INT_MAX ? INT_MAX : (int)of_machine;
    return CUDA_SUCCESS;
}

CUresult evc_limit(uint32_t limit, uint64_t *value, bool set)
{
    struct evc_call call = {.op = WIRE_LIMIT, .a = {limit, *value, set}};
    CUresult status = evc_call(&call);
    if (!status)
        *value = call.v[0];
    return status;
}

CUresult evc_reset(void)
{
    struct evc_call call = {.op = WIRE_RESET};
    return evc_call(&call);
}
