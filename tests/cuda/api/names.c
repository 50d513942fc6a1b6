/* Names that programs and other runtimes ask for: enumerations, second names of calls, calls by
 * their names, and what one device without other tools has to answer; linking. */
#include <dlfcn.h>

#include "sw/cuda/include/cudaProfiler.h"
#include "sw/cuda/include/cuda_gl_interop.h"
#include "tests/cuda/api/api.h"

/* Two sources: one calls what the other one has; a local variable of the same name in each. */
static const char caller_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".extern .func (.param .b32 r) twice(.param .b32 x);\n"
    ".global .align 4 .u32 own = 3;\n"
    ".visible .entry run(.param .u64 p)\n{\n.reg .b64 %rd<3>;\n.reg .b32 %r<4>;\n"
    "ld.param.u64 %rd0, [p];\nld.global.u32 %r0, [own];\n{\n.param .b32 a;\n.param .b32 b;\n"
    "st.param.b32 [a], %r0;\ncall (b), twice, (a);\nld.param.b32 %r1, [b];\n}\n"
    "st.global.u32 [%rd0], %r1;\nret;\n}\n";
static const char callee_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".global .align 4 .u32 own = 100;\n"
    ".visible .func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %r<4>;\n"
    "ld.param.b32 %r0, [x];\nld.global.u32 %r1, [own];\nadd.u32 %r0, %r0, %r0;\n"
    "add.u32 %r0, %r0, %r1;\nst.param.b32 [r], %r0;\nret;\n}\n";

/* The first source's values name a variable of the second one, and one of its own. */
static const char names_ptx[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n"
    ".extern .global .align 4 .u32 there[2];\n"
    ".global .align 4 .u32 here = 5;\n"
    ".visible .global .align 8 .u64 both[2] = {generic(there) + 4, generic(here)};\n"
    ".visible .entry run(.param .u64 p)\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<3>;\n"
    "ld.param.u64 %rd0, [p];\nld.global.u64 %rd1, [both];\nld.global.u64 %rd2, [both+8];\n"
    "ld.u32 %r0, [%rd1];\nld.u32 %r1, [%rd2];\nadd.u32 %r0, %r0, %r1;\n"
    "st.global.u32 [%rd0], %r0;\nret;\n}\n";
static const char named_ptx[] = ".version 6.0\n.target sm_35\n.address_size 64\n"
                                ".visible .global .align 4 .u32 there[2] = {1, 70};\n";

/* The number that the kernel `run` of a linked image stores. */
static uint32_t linked_result(const void *image)
{
    CUmodule module;
    CUfunction run;
    CUdeviceptr p;
    uint32_t got = 0;
    void *args[] = {&p};
    OK(cuModuleLoadData(&module, image));
    OK(cuModuleGetFunction(&run, module, "run"));
    OK(cuMemAlloc(&p, 4));
    OK(cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(&got, p, 4));
    OK(cuMemFree(p));
    return got;
}

static void add_ptx(CUlinkState state, const char *text, size_t bytes, const char *name)
{
    OK(cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)(uintptr_t)text, bytes, name, 0, NULL, NULL));
}

static void linking_values(void)
{
    CUlinkState state;
    void *image;
    size_t bytes;
    OK(cuLinkCreate(0, NULL, NULL, &state));
    add_ptx(state, names_ptx, sizeof names_ptx, "names");
    add_ptx(state, named_ptx, sizeof named_ptx, "named");
    OK(cuLinkComplete(state, &image, &bytes));
    MUST(linked_result(image) == 75);
    OK(cuLinkDestroy(state));
}

static void linking(void)
{
    CUlinkState state;
    void *image;
    size_t bytes;
    char log[256] = "";
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};

    OK(cuLinkCreate(0, NULL, NULL, &state));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuLinkComplete(state, &image, &bytes));
    add_ptx(state, caller_ptx, sizeof caller_ptx, "caller");
    add_ptx(state, callee_ptx, sizeof callee_ptx, "callee");
    OK(cuLinkComplete(state, &image, &bytes));
    MUST(bytes == strlen(image) + 1);
    MUST(linked_result(image) == 106);
    OK(cuLinkDestroy(state));

    OK(cuLinkCreate(2, options, values, &state));
    add_ptx(state, caller_ptx, sizeof caller_ptx, "alone.ptx");
    GIVES(CUDA_ERROR_INVALID_PTX, cuLinkComplete(state, &image, &bytes));
    MUST(strstr(log, "Undefined reference to 'twice' in 'alone.ptx'"));
    GIVES(CUDA_ERROR_FILE_NOT_FOUND,
          cuLinkAddFile(state, CU_JIT_INPUT_PTX, "/nonexistent.ptx", 0, NULL, NULL));
    OK(cuLinkDestroy(state));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(state));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuLinkComplete(state, &image, &bytes));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuLinkAddData((CUlinkState)&image, CU_JIT_INPUT_PTX, (void *)(uintptr_t)caller_ptx,
                        sizeof caller_ptx, "caller", 0, NULL, NULL));
    GIVES(CUDA_ERROR_INVALID_HANDLE,
          cuLinkAddFile((CUlinkState)&image, CU_JIT_INPUT_PTX, "/nonexistent.ptx", 0, NULL, NULL));
}

static void second_names(void)
{
    static const char *const names[] = {"cuCtxCreate_v2",          "cuMemAlloc_v2",
                                        "cuMemcpyHtoD_v2",         "cuMemsetD2D32_v2",
                                        "cuStreamDestroy_v2",      "cuLinkAddData_v2",
                                        "cuTexRefSetAddress2D_v3", "cuCtxCreate_v3",
                                        "cuGetProcAddress_v2",     "cuIpcOpenMemHandle_v2"};
    CUresult (*allocate)(CUdeviceptr *, size_t) = NULL;
    CUdeviceptr p = 0;
    void *found;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        MUST(dlsym(RTLD_DEFAULT, names[i]));
    *(void **)&allocate = dlsym(RTLD_DEFAULT, "cuMemAlloc_v2");
    OK(allocate(&p, 64));
    OK(cuMemFree(p));
    OK(cuGetProcAddress("cuMemAlloc", &found, CUDA_VERSION, CU_GET_PROC_ADDRESS_DEFAULT));
    *(void **)&allocate = found;
    OK(allocate(&p, 64));
    OK(cuMemFree(p));
    OK(cuGetProcAddress("cuMemAlloc", &found, CUDA_VERSION,
                        CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuGetProcAddress("cuMemAlloc", &found, CUDA_VERSION, 3));
    GIVES(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("cuNothing", &found, CUDA_VERSION, 0));
    MUST(!found);
    GIVES(CUDA_ERROR_NOT_FOUND, cuGetProcAddress("evc_call", &found, CUDA_VERSION, 0));
}

static void entry_points(void)
{
    CUresult (*allocate)(CUdeviceptr *, size_t) = NULL;
    enum cudaDriverEntryPointQueryResult found;
    void *function = &found;
    CUdeviceptr p = 0;
    OK(cudaInitDevice(0, cudaDeviceScheduleSpin, cudaInitDeviceFlagsAreValid));
    GIVES(cudaErrorInvalidDevice, cudaInitDevice(1, 0, 0));
    OK(cudaGetDriverEntryPoint("cuMemAlloc", (void **)&allocate, cudaEnableDefault));
    OK(allocate(&p, 64));
    OK(cuMemFree(p));
    GIVES(cudaErrorSymbolNotFound, cudaGetDriverEntryPoint("cuNothing", &function, 0));
    OK(cudaGetDriverEntryPointByVersion("cuNothing", &function, 12000, 0, &found));
    MUST(!function && found == cudaDriverEntryPointSymbolNotFound);
    GIVES(cudaErrorInvalidValue, cudaGetDriverEntryPoint("cuMemAlloc", &function, 3));
}

/* Streams and events by the calls that CUDA 11 and 12 have added. */
static void numbers_of_streams(void)
{
    cudaStream_t s;
    cudaEvent_t event;
    unsigned long long own = 0, same = 0, legacy = 1;
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&event));
    OK(cudaStreamGetId(s, &own));
    OK(cuStreamGetId((CUstream)s, &same));
    OK(cudaStreamGetId(NULL, &legacy));
    MUST(own && own == same && !legacy);
    OK(cuEventRecordWithFlags((CUevent)event, (CUstream)s, CU_EVENT_RECORD_DEFAULT));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuEventRecordWithFlags((CUevent)event, (CUstream)s, 2));
    OK(cudaEventSynchronize(event));
    OK(cudaEventDestroy(event));
    OK(cudaStreamDestroy(s));
}

static void contexts_of_cuda_13(void)
{
    CUctxCigParam queue = {CIG_DATA_TYPE_NV_BLOB, NULL};
    CUexecAffinityParam part = {CU_EXEC_AFFINITY_TYPE_SM_COUNT, {{1}}};
    CUctxCreateParams params = {0}, shared = {.cigParams = &queue},
                      narrow = {.execAffinityParams = &part, .numExecAffinityParams = 1};
    CUresult (*create)(CUcontext *, unsigned int, CUdevice) = cuCtxCreate;
    CUcontext own, now;
    OK(cuCtxCreate(&own, &params, CU_CTX_SCHED_SPIN, 0));
    OK(cuCtxGetCurrent(&now));
    MUST(now == own);
    OK(cuCtxDestroy(own));
    OK(cuCtxCreate(&own, NULL, 0, 0));
    OK(cuCtxDestroy(own));
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuCtxCreate(&own, &shared, 0, 0));
    GIVES(CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY, cuCtxCreate(&own, &narrow, 0, 0));
    GIVES(CUDA_ERROR_INVALID_DEVICE, create(&own, 0, 1));
}

static void contexts(void)
{
    CUcontext own, again, now;
    int mode = -1, value;
    CUdeviceptr p, q;
    uint32_t five = 0;
    OK(cuDeviceGetAttribute(&mode, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 0));
    MUST(mode == CU_COMPUTEMODE_DEFAULT);
    OK(cuCtxCreate(&own, 0, 0));
    OK(cuCtxAttach(&again, 0));
    MUST(again == own);
    OK(cuCtxDetach(own)); /* once more than it was made */
    OK(cuCtxGetCurrent(&now));
    MUST(now == own);
    OK(cuMemAlloc(&p, 4));
    OK(cuMemAlloc(&q, 4));
    OK(cuMemsetD32(p, 5, 1));
    OK(cuMemcpyPeer(q, own, p, own, 4));
    OK(cuMemcpyDtoH(&five, q, 4));
    MUST(five == 5);
    GIVES(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess(own, 0));
    GIVES(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, cuCtxDisablePeerAccess(own));
    GIVES(CUDA_ERROR_INVALID_DEVICE,
          cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
    OK(cuMemFree(p));
    OK(cuMemFree(q));
    OK(cuCtxDetach(own));
    OK(cuCtxGetCurrent(&now));
    MUST(now != own);
    OK(cuProfilerStart());
    OK(cuProfilerStop());
}

static size_t no_shared(int block)
{
    (void)block;
    return 0;
}

static void occupancy(void)
{
    CUmodule module;
    CUfunction fill;
    int grid, block, again, blocks;
    size_t shared;
    OK(cuModuleLoadData(&module, api_ptx));
    OK(cuModuleGetFunction(&fill, module, "fill"));
    OK(cuFuncGetAttribute(&again, CU_FUNC_ATTRIBUTE_PTX_VERSION, fill));
    MUST(again == 35); /* of .target sm_35 */
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, fill, no_shared, 0, 0));
    OK(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &again, fill, no_shared, 0, 0,
                                                 CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE));
    MUST(block == again && block > 0);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, fill, block, 0,
                                                            CU_OCCUPANCY_DEFAULT));
    MUST(blocks > 0);
    OK(cuOccupancyAvailableDynamicSMemPerBlock(&shared, fill, blocks, block));
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&again, fill, block, shared));
    MUST(again == blocks);
    GIVES(CUDA_ERROR_INVALID_VALUE,
          cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &again, fill, no_shared, 0, 0, 8));
}

/* The driver's names of what processes.c does with the runtime's; this process may not open its
 * own.
 */
static void other_processes(void)
{
    CUipcMemHandle handle;
    CUipcEventHandle event_handle;
    CUevent event, opened;
    CUdeviceptr p, again;
    int value = 0;
    OK(cuMemAlloc(&p, 4));
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS));
    OK(cuPointerGetAttribute(&value, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, p));
    MUST(value == 1);
    OK(cuIpcGetMemHandle(&handle, p));
    OK(cuIpcGetEventHandle(&event_handle, event));
    GIVES(CUDA_ERROR_INVALID_CONTEXT,
          cuIpcOpenMemHandle(&again, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuIpcOpenEventHandle(&opened, event_handle));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuIpcCloseMemHandle(p));
    OK(cuEventDestroy(event));
    OK(cuMemFree(p));
}

static void absent(void)
{
    struct cudaGraphicsResource *resource;
    GIVES(cudaErrorNotSupported, cudaGraphicsGLRegisterBuffer(&resource, 1, 0));
    GIVES(cudaErrorNotSupported, cudaGLSetGLDevice(0));
}

static void stream_attributes(void)
{
    cudaStream_t stream;
    int *p;
    union cudaStreamAttrValue value = {.accessPolicyWindow = {.num_bytes = 64, .hitRatio = 0.5f}},
                              got = {0};
    OK(cudaMalloc((void **)&p, 64));
    OK(cudaStreamCreate(&stream));
    value.accessPolicyWindow.base_ptr = p;
    value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
    OK(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    OK(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got));
    MUST(got.accessPolicyWindow.base_ptr == p && got.accessPolicyWindow.hitRatio == 0.5f);
    OK(cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &got));
    MUST(got.syncPolicy == cudaSyncPolicyAuto);
    value.accessPolicyWindow.hitRatio = 2;
    GIVES(cudaErrorInvalidValue,
          cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value));
    OK(cudaCtxResetPersistingL2Cache());
    OK(cudaStreamDestroy(stream));
}

int main(void)
{
    OK(cuInit(0));
    OK(cudaFree(NULL));
    second_names();
    entry_points();
    numbers_of_streams();
    contexts_of_cuda_13();
    contexts();
    occupancy();
    linking();
    linking_values();
    other_processes();
    absent();
    stream_attributes();
    return 0;
}
