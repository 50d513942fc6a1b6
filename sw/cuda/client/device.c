/* The machine as CUDA's attributes, and the context's limits. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "sw/cuda/client/core.h"

/* What does not depend on the machine. A known attribute that has no row here, nor below, is of
 * something that is not there, and 0: gathering fetches, peers, compressed memory, ECC. */
static const struct {
    int attribute, value;
} fixed[] = {
    {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, INT_MAX},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
    {CU_DEVICE_ATTRIBUTE_MAX_PITCH, INT_MAX},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, (int)EVC_PITCH_ALIGN},
    {CU_DEVICE_ATTRIBUTE_SURFACE_ALIGNMENT, (int)EVC_PITCH_ALIGN},
    {CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT, 32},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH, 4096},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS, 2048},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACECUBEMAP_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT, 65536},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH, 134217728},
    {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH, INT_MAX},
    {CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, 1},
    {CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR},
    {CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
    {CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY, 1},
    {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
    {CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V2, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR_V2, 1},
    {CU_DEVICE_ATTRIBUTE_CAN_FLUSH_REMOTE_WRITES, 1},
    {CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_MEM_SYNC_DOMAIN_COUNT, 1},
    {CU_DEVICE_ATTRIBUTE_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED, 1},
    {CU_DEVICE_ATTRIBUTE_GPU_OVERLAP, 1},
    {CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 1},
};

static bool fixed_attribute(int *value, int attribute)
{
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        if (fixed[i].attribute == attribute) {
            *value = fixed[i].value;
            return true;
        }
    }
    return false;
}

/* Where an attribute stands in the machine's description. */
#define OF_MACHINE(name, field)                                                                    \
    {                                                                                              \
        CU_DEVICE_ATTRIBUTE_##name, offsetof(struct wire_device, field)                            \
    }
static const struct {
    int attribute;
    size_t offset;
} of_machine[] = {
    OF_MACHINE(MAX_THREADS_PER_BLOCK, max_threads_per_block),
    OF_MACHINE(MAX_BLOCK_DIM_X, max_threads_per_block),
    OF_MACHINE(MAX_BLOCK_DIM_Y, max_threads_per_block),
    OF_MACHINE(MAX_SHARED_MEMORY_PER_BLOCK, shared_bytes),
    OF_MACHINE(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, shared_bytes),
    OF_MACHINE(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, shared_bytes),
    OF_MACHINE(TOTAL_CONSTANT_MEMORY, const_bytes),
    OF_MACHINE(WARP_SIZE, warp_size),
    OF_MACHINE(MAX_REGISTERS_PER_BLOCK, registers),
    OF_MACHINE(MAX_REGISTERS_PER_MULTIPROCESSOR, registers),
    OF_MACHINE(CLOCK_RATE, core_khz),
    OF_MACHINE(MULTIPROCESSOR_COUNT, cores),
    OF_MACHINE(MEMORY_CLOCK_RATE, memory_khz),
    OF_MACHINE(GLOBAL_MEMORY_BUS_WIDTH, memory_bus_bits),
    OF_MACHINE(L2_CACHE_SIZE, l2_bytes),
    OF_MACHINE(MAX_THREADS_PER_MULTIPROCESSOR, threads),
    OF_MACHINE(ASYNC_ENGINE_COUNT, copy_engines),
    OF_MACHINE(COMPUTE_CAPABILITY_MAJOR, major),
    OF_MACHINE(COMPUTE_CAPABILITY_MINOR, minor),
    OF_MACHINE(MAX_BLOCKS_PER_MULTIPROCESSOR, blocks),
    OF_MACHINE(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO, single_to_double),
};

static bool machine_attribute(uint32_t *value, int attribute, const struct wire_device *d)
{
    for (size_t i = 0; i < sizeof of_machine / sizeof of_machine[0]; i++) {
        if (of_machine[i].attribute == attribute) {
            memcpy(value, (const char *)d + of_machine[i].offset, sizeof *value);
            return true;
        }
    }
    return false;
}

CUresult evc_attribute(int *value, int attribute)
{
    const struct wire_device *d = evc_device();
    uint32_t number = 0;
    if (!d)
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (!value)
        return CUDA_ERROR_INVALID_VALUE;
    if (fixed_attribute(value, attribute))
        return CUDA_SUCCESS;
    if (!machine_attribute(&number, attribute, d) &&
        (attribute <= 0 || attribute >= CU_DEVICE_ATTRIBUTE_MAX))
        return CUDA_ERROR_INVALID_VALUE;
    *value = number > INT_MAX ? INT_MAX : (int)number;
    return CUDA_SUCCESS;
}

bool evc_pci_is(const char *id)
{
    unsigned int domain = 0, bus = 0, device = 0, function = 0;
    int end = 0;
    if (sscanf(id, "%x:%x:%x%n", &domain, &bus, &device, &end) != 3) {
        domain = 0;
        if (sscanf(id, "%x:%x%n", &bus, &device, &end) != 2)
            return false;
    }
    int more = 0;
    if (sscanf(id + end, ".%x%n", &function, &more) == 1)
        end += more;
    return !id[end] && !domain && bus == 1 && !device && !function;
}

void evc_uuid(uint8_t bytes[sizeof(CUuuid)])
{
    static const char name[sizeof(CUuuid)] = "evgpu";
    memcpy(bytes, name, sizeof name);
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
    evc_advice_forget(0, UINT64_MAX);
    evc_host_unregister_all();
    return evc_call(&call);
}
