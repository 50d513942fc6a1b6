/* Memory by handle: addresses without memory, memory without addresses, and both together. With an
 * argument a part of it, or a kernel's store where nothing may be stored. */
#include <unistd.h>

#include "tests/cuda/api/api.h"

#define UNIT (2u << 20)

static CUmemAllocationProp prop = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                   .requestedHandleTypes = CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
                                   .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static CUmemAccessDesc all = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
static CUmemAccessDesc none = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_NONE};

static void *pointer(CUdeviceptr address)
{
    return (void *)(uintptr_t)address;
}

static uint32_t word_at(CUdeviceptr address)
{
    uint32_t value = 0;
    OK(cuMemcpyDtoH(&value, address, sizeof value));
    return value;
}

static size_t available(void)
{
    size_t some = 0, total = 0;
    OK(cuMemGetInfo(&some, &total));
    return some;
}

static void properties(void)
{
    CUmemAllocationProp other = prop, got = {.type = CU_MEM_ALLOCATION_TYPE_INVALID};
    CUmemGenericAllocationHandle handle;
    size_t unit = 0;
    int value = 0;
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
    MUST(value == 1);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED,
                            0));
    MUST(value == 1);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, 0));
    MUST(value == 0);
    OK(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    MUST(unit == UNIT);
    OK(cuMemGetAllocationGranularity(&unit, &prop, CU_MEM_ALLOC_GRANULARITY_RECOMMENDED));
    MUST(unit == UNIT);
    OK(cuMemCreate(&handle, UNIT, &prop, 0));
    OK(cuMemGetAllocationPropertiesFromHandle(&got, handle));
    MUST(got.type == prop.type && got.requestedHandleTypes == prop.requestedHandleTypes);
    MUST(got.location.type == CU_MEM_LOCATION_TYPE_DEVICE && got.location.id == 0);
    OK(cuMemRelease(handle));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemGetAllocationPropertiesFromHandle(&got, handle));
    other.location.id = 1;
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&handle, UNIT, &other, 0));
    other = prop;
    other.requestedHandleTypes = CU_MEM_HANDLE_TYPE_WIN32;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, UNIT, &other, 0));
    other = prop;
    other.allocFlags.compressionType = CU_MEM_ALLOCATION_COMP_GENERIC;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemCreate(&handle, UNIT, &other, 0));
    other = prop;
    other.type = CU_MEM_ALLOCATION_TYPE_INVALID;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, UNIT, &other, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, UNIT, NULL, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemCreate(&handle, 4096, &prop, 0));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&handle, (size_t)1 << 40, &prop, 0));
}

/* More addresses than the device has memory; a wish, which is granted where it can be. */
static void addresses(void)
{
    CUdeviceptr a, b, c;
    OK(cuMemAddressReserve(&a, (size_t)32 << 30, 0, 0, 0));
    MUST(a % UNIT == 0);
    OK(cuMemAddressReserve(&b, UNIT, 0, a + ((size_t)32 << 30), 0));
    MUST(b == a + ((size_t)32 << 30));
    OK(cuMemAddressReserve(&c, UNIT, (size_t)1 << 30, b, 0));
    MUST(c != b && c % ((size_t)1 << 30) == 0);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(a, UNIT));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(a + UNIT, UNIT));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(a, 1, 1));
    OK(cuMemAddressFree(c, UNIT));
    OK(cuMemAddressFree(b, UNIT));
    OK(cuMemAddressFree(a, (size_t)32 << 30));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(a, (size_t)32 << 30));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&a, (size_t)1 << 45, 0, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&a, 4096, 0, 0, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressReserve(&a, UNIT, 3 * UNIT, 0, 0));
}

/* One handle at two addresses: what a kernel writes by the one is read by the other. */
static void aliases(void)
{
    CUmemGenericAllocationHandle handle;
    CUdeviceptr a, b;
    OK(cuMemAddressReserve(&a, 2 * UNIT, 0, 0, 0));
    b = a + UNIT;
    OK(cuMemCreate(&handle, UNIT, &prop, 0));
    OK(cuMemMap(a, UNIT, 0, handle, 0));
    OK(cuMemMap(b, UNIT, 0, handle, 0));
    OK(cuMemSetAccess(a, 2 * UNIT, &all, 1));
    MUST(word_at(a + 400) == 0);
    OK(launch_fill(pointer(a), 70, 1, NULL));
    OK(launch_wait(pointer(b), 1, NULL));
    MUST(word_at(a) == 71);
    OK(launch_fill(pointer(a), 7, 1000, NULL));
    MUST(word_at(b + 400) == 107);
    OK(launch_fill(pointer(b + 4000), 5000, 1000, NULL));
    MUST(word_at(a + 4000) == 5000 && word_at(a + 7996) == 5999 && word_at(b + 3996) == 1006);
    OK(cuMemsetD32(b, 9, 4));
    OK(cuMemcpyDtoD(a + 16, a, 16));
    MUST(word_at(b + 28) == 9 && word_at(b + 32) == 15);
    OK(cuMemUnmap(a, UNIT));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(a, 1, 1));
    MUST(word_at(b + 400) == 107);
    OK(cuMemUnmap(b, UNIT));
    /* The memory is still there, whatever address it has. */
    OK(cuMemMap(a, UNIT, 0, handle, 0));
    OK(cuMemSetAccess(a, UNIT, &all, 1));
    MUST(word_at(a + 400) == 107);
    OK(cuMemUnmap(a, UNIT));
    OK(cuMemRelease(handle));
    OK(cuMemAddressFree(a, 2 * UNIT));
}

/* The second half of a handle, and then all of it. */
static void offsets(void)
{
    CUmemGenericAllocationHandle handle;
    CUdeviceptr a, b;
    OK(cuMemAddressReserve(&a, 3 * UNIT, 0, 0, 0));
    b = a + UNIT;
    OK(cuMemCreate(&handle, 2 * UNIT, &prop, 0));
    OK(cuMemMap(a, UNIT, UNIT, handle, 0));
    OK(cuMemMap(b, 2 * UNIT, 0, handle, 0));
    OK(cuMemRelease(handle));
    OK(cuMemSetAccess(a, 3 * UNIT, &all, 1));
    OK(cuMemsetD32(a, 6, 1));
    OK(launch_fill(pointer(a + 4), 8, 1, NULL));
    MUST(word_at(b) == 0 && word_at(b + UNIT) == 6 && word_at(b + UNIT + 4) == 8);
    OK(cuMemUnmap(a, 3 * UNIT));
    OK(cuMemAddressFree(a, 3 * UNIT));
}

/* A range that grows: copies and sets over its pieces are one. Memory lasts as long as a mapping.
 */
static void grows(void)
{
    static uint32_t words[UNIT / 2];
    CUmemGenericAllocationHandle handle;
    CUdeviceptr a, base;
    size_t before = available(), bytes = 0;
    OK(cuMemAddressReserve(&a, 4 * UNIT, 0, 0, 0));
    for (unsigned int i = 0; i < 3; i++) {
        OK(cuMemCreate(&handle, UNIT, &prop, 0));
        OK(cuMemMap(a + i * UNIT, UNIT, 0, handle, 0));
        OK(cuMemSetAccess(a + i * UNIT, UNIT, &all, 1));
        OK(cuMemRelease(handle));
    }
    MUST(available() == before - 3 * UNIT);
    OK(launch_fill(pointer(a + UNIT / 2), 3, UNIT / 2, NULL));
    OK(cuMemcpyDtoH(words, a + UNIT / 2, sizeof words));
    for (uint32_t i = 0; i < UNIT / 2; i++)
        MUST(words[i] == 3 + i);
    OK(cuMemcpyHtoD(a + UNIT, words, sizeof words));
    MUST(word_at(a + 3 * UNIT - 4) == 3 + UNIT / 2 - 1);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD(a + UNIT + 4, words, sizeof words));
    OK(cuMemsetD32(a, 1, 3 * UNIT / 4));
    MUST(word_at(a + 2 * UNIT) == 1);
    OK(cuMemGetAddressRange(&base, &bytes, a + UNIT + 8));
    MUST(base == a + UNIT && bytes == UNIT);
    /* What cuMemRelease was told is no handle any more; the memory's address still leads to it. */
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRelease(handle));
    OK(cuMemRetainAllocationHandle(&handle, pointer(a + 2 * UNIT + 100)));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(a, UNIT / 2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(a + UNIT, 3 * UNIT));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemAddressFree(a, 4 * UNIT));
    GIVES(cudaErrorInvalidValue, cudaFree(pointer(a)));
    OK(cuMemUnmap(a, 3 * UNIT));
    MUST(available() == before - UNIT);
    OK(cuMemRelease(handle));
    MUST(available() == before);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemRetainAllocationHandle(&handle, pointer(a)));
    OK(cuMemAddressFree(a, 4 * UNIT));
}

static void access_rights(void)
{
    CUmemGenericAllocationHandle handle;
    CUmemAccessDesc read = all;
    CUdeviceptr a, plain;
    unsigned long long flags = 9;
    struct cudaPointerAttributes attributes;
    OK(cuMemAddressReserve(&a, 2 * UNIT, 0, 0, 0));
    OK(cuMemCreate(&handle, 2 * UNIT, &prop, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(a + 4096, UNIT, 0, handle, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(a, 2 * UNIT, UNIT, handle, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(a + UNIT, 2 * UNIT, 0, handle, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(a, UNIT, 0, handle + 1, 0));
    OK(cuMemMap(a, UNIT, UNIT, handle, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemMap(a, UNIT, 0, handle, 0));
    OK(cuMemGetAccess(&flags, &all.location, a));
    MUST(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(a, 1, 1));
    read.flags = CU_MEM_ACCESS_FLAGS_PROT_READ;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemSetAccess(a, UNIT, &read, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemSetAccess(a, 2 * UNIT, &all, 1));
    OK(cuMemSetAccess(a, UNIT, &all, 1));
    OK(cuMemGetAccess(&flags, &all.location, a + 5));
    MUST(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
    OK(cuMemsetD32(a, 1, 1));
    OK(cudaPointerGetAttributes(&attributes, pointer(a + 12)));
    MUST(attributes.type == cudaMemoryTypeDevice && attributes.devicePointer == pointer(a + 12));
    OK(cuMemSetAccess(a, UNIT, &none, 1));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemsetD32(a, 1, 1));
    OK(cuMemUnmap(a, UNIT));
    OK(cuMemRelease(handle));
    OK(cuMemAddressFree(a, 2 * UNIT));
    OK(cuMemAlloc(&plain, 256));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemGetAccess(&flags, &all.location, plain));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemUnmap(plain, UNIT));
    OK(cuMemFree(plain));
}

/* A handle as a file descriptor, and back. */
static void exported(void)
{
    CUmemAllocationProp closed = prop;
    CUmemGenericAllocationHandle handle, same;
    CUdeviceptr a;
    int file = -1, ends[2];
    OK(cuMemCreate(&handle, UNIT, &prop, 0));
    OK(cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    OK(cuMemImportFromShareableHandle(&same, pointer((CUdeviceptr)file),
                                      CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    OK(cuMemAddressReserve(&a, 2 * UNIT, 0, 0, 0));
    OK(cuMemMap(a, UNIT, 0, handle, 0));
    OK(cuMemMap(a + UNIT, UNIT, 0, same, 0));
    OK(cuMemSetAccess(a, 2 * UNIT, &all, 1));
    OK(cuMemsetD32(a, 77, 1));
    MUST(word_at(a + UNIT) == 77);
    OK(cuMemUnmap(a, 2 * UNIT));
    OK(cuMemRelease(same));
    OK(cuMemRelease(handle));
    OK(cuMemAddressFree(a, 2 * UNIT));
    close(file);
    MUST(!pipe(ends));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuMemImportFromShareableHandle(&same, pointer((CUdeviceptr)ends[0]),
                                         CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
    GIVES(CUDA_ERROR_NOT_SUPPORTED,
          cuMemImportFromShareableHandle(&same, NULL, CU_MEM_HANDLE_TYPE_WIN32));
    closed.requestedHandleTypes = CU_MEM_HANDLE_TYPE_NONE;
    OK(cuMemCreate(&handle, UNIT, &closed, 0));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuMemExportToShareableHandle(&file, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    OK(cuMemRelease(handle));
}

/* Neither addresses nor memory by handle belong to a context: a reset leaves them. */
static void reset(void)
{
    CUmemGenericAllocationHandle handle;
    CUdeviceptr a;
    size_t before = available();
    OK(cuMemAddressReserve(&a, UNIT, 0, 0, 0));
    OK(cuMemCreate(&handle, UNIT, &prop, 0));
    OK(cuMemMap(a, UNIT, 0, handle, 0));
    OK(cuMemRelease(handle));
    OK(cuMemSetAccess(a, UNIT, &all, 1));
    OK(cuMemsetD32(a, 5, 1));
    OK(cudaDeviceReset());
    OK(cudaFree(NULL));
    MUST(word_at(a) == 5);
    OK(cuMemUnmap(a, UNIT));
    OK(cuMemAddressFree(a, UNIT));
    MUST(available() >= before);
}

/* Where a kernel may not store: in addresses without memory, in memory without access, and where
 * memory was. */
static int stores(const char *where)
{
    CUmemGenericAllocationHandle handle;
    CUdeviceptr a;
    OK(cuMemAddressReserve(&a, 2 * UNIT, 0, 0, 0));
    OK(cuMemCreate(&handle, UNIT, &prop, 0));
    OK(cuMemMap(a, UNIT, 0, handle, 0));
    if (strcmp(where, "closed"))
        OK(cuMemSetAccess(a, UNIT, &all, 1));
    if (!strcmp(where, "gone"))
        OK(cuMemUnmap(a, UNIT));
    OK(launch_fill(pointer(!strcmp(where, "reserved") ? a + UNIT : a), 1, 1, NULL));
    GIVES(cudaErrorIllegalAddress, cudaDeviceSynchronize());
    return 0;
}

/* Two programs: the first tells by a file where it has mapped memory, and the second stores there,
 * then removes the file. Whoever waits makes calls, since time stands still for a program outside,
 * and gives up after many, since the other one may have failed. */
#define MOST_CALLS 1000000

static int owns(const char *path)
{
    CUmemGenericAllocationHandle handle;
    CUdeviceptr a;
    char other[256];
    OK(cuMemAddressReserve(&a, UNIT, 0, 0, 0));
    OK(cuMemCreate(&handle, UNIT, &prop, 0));
    OK(cuMemMap(a, UNIT, 0, handle, 0));
    OK(cuMemSetAccess(a, UNIT, &all, 1));
    snprintf(other, sizeof other, "%s.new", path);
    FILE *file = fopen(other, "w");
    MUST(file && fprintf(file, "%llx", a) > 0 && !fclose(file));
    MUST(!rename(other, path));
    for (int calls = 0; !access(path, F_OK); calls++)
        MUST(calls < MOST_CALLS && word_at(a) == 0);
    return 0;
}

static int intrudes(const char *path)
{
    CUdeviceptr a = 0;
    for (int calls = 0; access(path, F_OK); calls++, available())
        MUST(calls < MOST_CALLS);
    FILE *file = fopen(path, "r");
    MUST(file && fscanf(file, "%llx", &a) == 1 && !fclose(file));
    OK(launch_fill(pointer(a), 1, 1, NULL));
    cudaError_t error = cudaDeviceSynchronize();
    unlink(path);
    GIVES(cudaErrorIllegalAddress, error);
    return 0;
}

int main(int argc, char **argv)
{
    api_register();
    OK(cuInit(0));
    OK(cudaFree(NULL));
    if (argc > 2)
        return !strcmp(argv[1], "owns") ? owns(argv[2]) : intrudes(argv[2]);
    if (argc > 1 && strcmp(argv[1], "aliases"))
        return stores(argv[1]);
    if (argc > 1) {
        aliases();
        return 0;
    }
    properties();
    addresses();
    aliases();
    offsets();
    grows();
    access_rights();
    exported();
    reset();
    return 0;
}
