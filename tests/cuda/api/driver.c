/* The driver API: contexts, modules, functions, memory, old and new launches, textures' names. */
#include "sw/edge/edge.h"
#include "tests/cuda/api/api.h"

/* edge_cuda.h */
const struct edge_kernel *edge_cuda_kernel(CUfunction function, struct edge_error *err);
bool edge_cuda_port(const char *service, void *info, struct edge_error *err);

#define N 300u

static uint32_t a[N];

static void expect(CUdeviceptr p, uint32_t value)
{
    OK(cuMemcpyDtoH(a, p, sizeof a));
    for (uint32_t i = 0; i < N; i++)
        MUST(a[i] == value + i);
}

static void launches(CUfunction fill, CUdeviceptr p)
{
    uint32_t n = N, value = 5;
    void *args[] = {&p, &value, &n};
    OK(cuLaunchKernel(fill, 2, 1, 1, 256, 1, 1, 0, NULL, args, NULL));
    expect(p, 5);
    struct {
        CUdeviceptr p;
        uint32_t value, n;
    } packed = {p, 6, N};
    size_t bytes = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    OK(cuLaunchKernel(fill, 2, 1, 1, 256, 1, 1, 0, NULL, NULL, extra));
    expect(p, 6);
    bytes = 8;
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 2, 1, 1, 256, 1, 1, 0, NULL, NULL, extra));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 2, 1, 1, 256, 1, 1, 0, NULL, NULL, NULL));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(fill, 2, 1, 1, 4096, 1, 1, 0, NULL, args, NULL));
    OK(cuFuncSetBlockShape(fill, 256, 1, 1));
    OK(cuParamSetv(fill, 0, &p, sizeof p));
    OK(cuParamSeti(fill, 8, 7));
    OK(cuParamSeti(fill, 12, N));
    OK(cuParamSetSize(fill, 16));
    OK(cuLaunchGrid(fill, 2, 1));
    expect(p, 7);
}

static void contexts(void)
{
    CUcontext first, second, now;
    CUdeviceptr p;
    CUstream stream;
    CUevent event;
    OK(cuCtxGetCurrent(&first));
    OK(cuCtxCreate(&second, 0, 0));
    OK(cuCtxGetCurrent(&now));
    MUST(now == second && now != first);
    OK(cuMemAlloc(&p, 4));
    OK(cuCtxPopCurrent(&now));
    OK(cuCtxGetCurrent(&now));
    MUST(now == first);
    OK(cuPointerGetAttribute(&now, CU_POINTER_ATTRIBUTE_CONTEXT, p));
    MUST(now == second);
    OK(cuMemFree(p));
    OK(cuCtxPushCurrent(second));
    OK(cuCtxDestroy(second));
    OK(cuCtxGetCurrent(&now));
    MUST(now == first);
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(second));
    OK(cuCtxPopCurrent(NULL));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&p, 4));
    OK(cuCtxPushCurrent(first));
    OK(cuMemAlloc(&p, 8));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuEventCreate(&event, 0));
    /* What names a stream, an event or memory needs no current context. */
    OK(cuCtxPopCurrent(NULL));
    OK(cuMemcpyDtoDAsync(p, p + 4, 4, stream));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyDtoDAsync(p, p + 4, 4, NULL));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyDtoD(p, p + 4, 4));
    OK(cuEventRecord(event, stream));
    OK(cuEventSynchronize(event));
    OK(cuMemFree(p));
    OK(cuEventDestroy(event));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuStreamSynchronize(stream));
    OK(cuCtxPushCurrent(first));
    OK(cuStreamDestroy(stream));
}

/* A kernel that keeps `n` words alive, with or without a promise of its block. */
static void many_registers(CUdevice device, const char *promise)
{
    enum { WORDS = 100 };
    static char text[8192];
    CUmodule module;
    CUfunction keep;
    CUdeviceptr p;
    int used = 0, most = 0, all = 0, length;
    void *args[] = {&p};
    uint32_t *words = calloc(1024, 4 * WORDS);
    length = sprintf(text,
                     ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry keep(.param "
                     ".u64 p) %s\n{\n.reg .b32 %%r<%d>;\n.reg .b64 %%p, %%t;\nld.param.u64 %%p, "
                     "[p];\nmov.u32 %%r0, %%tid.x;\nmul.wide.u32 %%t, %%r0, %d;\nadd.u64 %%p, %%p, "
                     "%%t;\n",
                     promise, WORDS, 4 * WORDS);
    for (int i = 0; i < WORDS; i++)
        length += sprintf(text + length, "ld.global.u32 %%r%d, [%%p+%d];\n", i, 4 * i);
    for (int i = 0; i < WORDS; i++)
        length += sprintf(text + length, "st.global.u32 [%%p+%d], %%r%d;\n", 4 * i, WORDS - 1 - i);
    strcpy(text + length, "ret;\n}\n");
    OK(cuModuleLoadData(&module, text));
    OK(cuModuleGetFunction(&keep, module, "keep"));
    OK(cuFuncGetAttribute(&used, CU_FUNC_ATTRIBUTE_NUM_REGS, keep));
    OK(cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, keep));
    OK(cuDeviceGetAttribute(&all, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, device));
    MUST(used * most <= all && most % 32 == 0 && (*promise ? most == 1024 : used * 1024 > all));

    /* A larger block runs all the same. */
    for (uint32_t i = 0; i < 1024 * WORDS; i++)
        words[i] = i;
    OK(cuMemAlloc(&p, 1024 * 4 * WORDS));
    OK(cuMemcpyHtoD(p, words, 1024 * 4 * WORDS));
    OK(cuLaunchKernel(keep, 1, 1, 1, 1024, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(words, p, 1024 * 4 * WORDS));
    for (uint32_t i = 0; i < 1024 * WORDS; i++)
        MUST(words[i] == i / WORDS * WORDS + WORDS - 1 - i % WORDS);
    OK(cuMemFree(p));
    free(words);
}

/* Each attribute that CUDA 12.3 knows has a value. */
static void attributes(CUdevice device)
{
    int value = -1;
    for (int i = 1; i < CU_DEVICE_ATTRIBUTE_MAX; i++)
        OK(cuDeviceGetAttribute(&value, (CUdevice_attribute)i, device));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAX, device));
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED, device));
    MUST(!value);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS_V2, device));
    MUST(value == 1);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, device));
    MUST(value > 0);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH, device));
    MUST(value > 0);
}

/* Levels of half the size, and texture objects of them. */
static void mipmaps(void)
{
    const CUDA_ARRAY3D_DESCRIPTOR shape = {
        .Width = 12, .Height = 25, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = 4};
    CUDA_TEXTURE_DESC how = {.flags = CU_TRSF_NORMALIZED_COORDINATES};
    CUDA_RESOURCE_VIEW_DESC view = {.firstMipmapLevel = 2, .lastMipmapLevel = 1};
    CUDA_ARRAY3D_DESCRIPTOR got;
    CUmipmappedArray levels;
    CUarray array;
    CUtexObject object;
    OK(cuMipmappedArrayCreate(&levels, &shape, 9));
    OK(cuMipmappedArrayGetLevel(&array, levels, 4)); /* there are 25, 12, 6, 3 and 1 rows */
    OK(cuArray3DGetDescriptor(&got, array));
    MUST(got.Width == 1 && got.Height == 1 && got.Format == shape.Format && got.NumChannels == 4);
    OK(cuMipmappedArrayGetLevel(&array, levels, 1));
    OK(cuArray3DGetDescriptor(&got, array));
    MUST(got.Width == 6 && got.Height == 12);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMipmappedArrayGetLevel(&array, levels, 5));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY,
                                   .res.mipmap.hMipmappedArray = levels};
    OK(cuTexObjectCreate(&object, &resource, &how, NULL));
    OK(cuTexObjectDestroy(object));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuTexObjectCreate(&object, &resource, &how, &view));
    OK(cuMipmappedArrayDestroy(levels));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMipmappedArrayDestroy(levels));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuTexObjectCreate(&object, &resource, &how, NULL));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuMipmappedArrayGetLevel(&array, levels, 0));
}

/* Copies in a stream between the host and an array's rows, which have gaps. */
static void arrays(void)
{
    const CUDA_ARRAY3D_DESCRIPTOR shape = {
        .Width = 12, .Height = 25, .Format = CU_AD_FORMAT_UNSIGNED_INT32, .NumChannels = 1};
    uint32_t got[N - 2] = {0};
    CUarray array;
    CUstream stream;
    OK(cuArray3DCreate(&array, &shape));
    OK(cuStreamCreate(&stream, 0));
    for (uint32_t i = 0; i < N; i++)
        a[i] = 3 * i;
    OK(cuMemcpyHtoAAsync(array, 0, a, sizeof a, stream));
    OK(cuMemcpyAtoHAsync(got, array, 8, sizeof got, stream));
    OK(cuStreamSynchronize(stream));
    for (uint32_t i = 0; i < N - 2; i++)
        MUST(got[i] == 3 * (i + 2));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemcpyAtoHAsync(got, array, 8, sizeof a, stream));
    OK(cuStreamDestroy(stream));
    OK(cuArrayDestroy(array));
}

/* Several attributes of a pointer at once; of memory that CUDA does not know, they say so. */
static void pointers(CUdeviceptr p)
{
    CUpointer_attribute asked[] = {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
        CU_POINTER_ATTRIBUTE_HOST_POINTER};
    unsigned int type = 9;
    int ordinal = 9;
    CUdeviceptr start = 9;
    size_t bytes = 9;
    void *host = &ordinal, *answers[] = {&type, &ordinal, &start, &bytes, &host};
    OK(cuPointerGetAttributes(5, asked, answers, p + 4));
    MUST(type == CU_MEMORYTYPE_DEVICE && !ordinal && start == p && bytes == sizeof a && !host);
    OK(cuPointerGetAttributes(4, asked, answers, (CUdeviceptr)(uintptr_t)a));
    MUST(!type && ordinal == CU_DEVICE_INVALID && !start && !bytes);
    CUmemoryPool pool, own;
    CUdeviceptr of_pool;
    OK(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
    MUST(!pool);
    OK(cuMemAllocAsync(&of_pool, 16, NULL));
    OK(cuDeviceGetDefaultMemPool(&own, 0));
    OK(cuPointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, of_pool + 4));
    MUST(pool == own);
    OK(cuMemFreeAsync(of_pool, NULL));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttributes(0, asked, answers, p));
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, p));
}

/* Hints of a stream are kept; a later stream does not inherit them. */
static void hints(void)
{
    CUstreamAttrValue value = {.syncPolicy = CU_SYNC_POLICY_SPIN}, got = {0};
    CUstream stream, other;
    OK(cuStreamCreate(&stream, 0));
    OK(cuStreamCreate(&other, 0));
    OK(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
    OK(cuStreamCopyAttributes(other, stream));
    OK(cuStreamDestroy(stream));
    OK(cuStreamGetAttribute(other, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &got));
    MUST(got.syncPolicy == CU_SYNC_POLICY_SPIN);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamGetAttribute(other, (CUstreamAttrID)2, &got));
    OK(cuStreamDestroy(other));
    OK(cuStreamCreate(&stream, 0));
    OK(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &got));
    MUST(got.syncPolicy == CU_SYNC_POLICY_AUTO);
    OK(cuStreamDestroy(stream));
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuImportExternalMemory(NULL, NULL));
}

/* A function may lie where one of a module lay that is gone: it is another event kernel. */
static void event_kernels(void)
{
    static const char *const names[] = {"first", "second"};
    struct edge_error err = {0};
    char ptx[200];
    for (int i = 0; i < 2; i++) {
        CUmodule module;
        CUfunction function;
        snprintf(ptx, sizeof ptx,
                 ".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry %s(){ret;}\n",
                 names[i]);
        OK(cuModuleLoadData(&module, ptx));
        OK(cuModuleGetFunction(&function, module, names[i]));
        const struct edge_kernel *kernel = edge_cuda_kernel(function, &err);
        OK(cuModuleUnload(module));
        MUST(kernel && !strcmp(kernel->name, names[i]));
        MUST(!edge_cuda_kernel(function, NULL));
    }
    MUST(!edge_cuda_kernel(NULL, &err));
    MUST(!strcmp(err.text, "this is no kernel of a loaded module"));
    err.set = false;
    MUST(!edge_cuda_port(NULL, &err, &err) && !strcmp(err.text, "port: no name of a service"));
}

int main(void)
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction fill, none;
    CUdeviceptr p, counter;
    size_t bytes;
    const char *text;
    int value;
    char log[400] = "";
    GIVES(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGet(&device, 0));
    OK(cuInit(0));
    OK(cuDeviceGet(&device, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
    static const char *const here[] = {"0000:01:00.0", "0:1:0.0", "0:1:0", "1:0.0", "01:00"};
    for (size_t i = 0; i < sizeof here / sizeof here[0]; i++)
        OK(cuDeviceGetByPCIBusId(&device, here[i]));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&device, "0000:02:01:00"));
    GIVES(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetByPCIBusId(&device, "0:1:0.0 or so"));
    OK(cuCtxCreate(&context, 0, device));
    GIVES(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&module, "/nonexistent.ptx"));
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    GIVES(CUDA_ERROR_INVALID_PTX,
          cuModuleLoadDataEx(&module, ".version 6.0\nrubbish\n", 2, options, values));
    MUST(strstr(log, ":2"));
    GIVES(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&module, "\177ELF\1\1\1"));
    OK(cuModuleLoadData(&module, api_ptx));
    OK(cuModuleGetFunction(&fill, module, "fill"));
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&none, module, "fall"));
    OK(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
    MUST(bytes == 4);
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&counter, &bytes, module, "conter"));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, fill));
    MUST(value > 0);
    int most = 0;
    OK(cuDeviceGetAttribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, device));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, fill));
    MUST(most > 0 && value == most);
    OK(cuMemAlloc(&p, sizeof a));
    launches(fill, p);
    OK(cuMemsetD32(p, 0x01020304, N));
    OK(cuMemsetD16(p + 4, 7, 1));
    OK(cuMemsetD8(p + 8, 9, 2));
    OK(cuMemcpyDtoH(a, p, sizeof a));
    MUST(a[0] == 0x01020304 && a[1] == 0x01020007 && a[2] == 0x01020909);
    contexts();
    attributes(device);
    many_registers(device, "");
    many_registers(device, ".maxntid 1024, 1, 1");
    pointers(p);
    hints();
    event_kernels();
    arrays();
    mipmaps();
    OK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
    MUST(!strcmp(text, "CUDA_ERROR_OUT_OF_MEMORY"));
    OK(cuGetErrorName(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, &text));
    MUST(!strcmp(text, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT"));
    OK(cuGetErrorName(CUDA_ERROR_KEY_ROTATION, &text));
    MUST(!strcmp(text, "CUDA_ERROR_KEY_ROTATION"));
    OK(cuModuleUnload(module));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&fill, module, "fill"));
    OK(cuMemFree(p));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemFree(p));
    OK(cuCtxDestroy(context));
    return 0;
}
