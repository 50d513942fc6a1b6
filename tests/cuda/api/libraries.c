/* Libraries and kernels, launches with attributes, and the calls by which other processes' and
 * other contexts' memory is reached: the part of the driver API that Python's bindings use. */
#include "tests/cuda/api/api.h"

/* Adds n to each of the block's words; `base` is where the host looks. */
static const char code[] =
    ".version 6.0\n.target sm_35\n.address_size 64\n.visible .global .align 4 .u32 base = 40;\n"
    ".visible .entry raise(.param .u64 p, .param .u32 n)\n{\n.reg .b64 %rd<4>;\n.reg .b32 "
    "%r<5>;\n"
    "ld.param.u64 %rd0, [p];\nld.param.u32 %r0, [n];\nld.global.u32 %r1, [base];\n"
    "mov.u32 %r2, %tid.x;\nmul.wide.u32 %rd1, %r2, 4;\nadd.u64 %rd0, %rd0, %rd1;\n"
    "add.u32 %r0, %r0, %r1;\nst.global.u32 [%rd0], %r0;\nret;\n}\n";

#define WORDS 32u

static void libraries(void)
{
    CUlibrary library = NULL, of = NULL;
    CUkernel kernel = NULL;
    CUmodule module = NULL;
    CUfunction function = NULL;
    CUsurfref surface = NULL;
    CUdeviceptr base = 0, p = 0;
    size_t bytes = 0, offset = 9, size = 9;
    const char *name = NULL;
    int value = 0;
    uint32_t n = 2, got[WORDS];
    void *args[] = {&p, &n};

    OK(cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuLibraryGetKernel(&kernel, library, "raise"));
    GIVES(CUDA_ERROR_NOT_FOUND, cuLibraryGetKernel(&kernel, library, "lower"));
    OK(cuLibraryGetKernel(&kernel, library, "raise"));
    OK(cuKernelGetName(&name, kernel));
    MUST(strcmp(name, "raise") == 0);
    OK(cuKernelGetLibrary(&of, kernel));
    MUST(of == library);
    OK(cuKernelGetParamInfo(kernel, 0, &offset, &size));
    MUST(offset == 0 && size == 8);
    OK(cuKernelGetParamInfo(kernel, 1, &offset, &size));
    MUST(offset == 8 && size == 4);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuKernelGetParamInfo(kernel, 2, &offset, &size));
    OK(cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel, 0));
    MUST(value >= 512);
    GIVES(CUDA_ERROR_INVALID_DEVICE,
          cuKernelGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, kernel, 1));
    OK(cuKernelSetAttribute(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 4096, kernel, 0));
    OK(cuKernelSetCacheConfig(kernel, CU_FUNC_CACHE_PREFER_L1, 0));
    OK(cuLibraryGetModule(&module, library));
    OK(cuModuleGetFunction(&function, module, "raise"));
    GIVES(CUDA_ERROR_NOT_FOUND, cuModuleGetSurfRef(&surface, module, "raise"));
    OK(cuLibraryGetGlobal(&base, &bytes, library, "base"));
    MUST(bytes == 4);
    GIVES(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&base, &bytes, library, "base"));

    OK(cuMemAlloc(&p, sizeof got));
    OK(cuLaunchKernel((CUfunction)(void *)kernel, 1, 1, 1, WORDS, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(got, p, sizeof got));
    MUST(got[0] == 42 && got[WORDS - 1] == 42);

    CUlaunchAttribute attributes[] = {{.id = CU_LAUNCH_ATTRIBUTE_PRIORITY},
                                      {.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE}};
    CUlaunchConfig config = {1, 1, 1, WORDS, 1, 1, 0, NULL, attributes, 2};
    attributes[1].value.cooperative = 1;
    n = 3;
    OK(cuKernelGetFunction(&function, kernel));
    OK(cuLaunchKernelEx(&config, function, args, NULL));
    OK(cuMemcpyDtoH(got, p, sizeof got));
    MUST(got[0] == 43 && got[WORDS - 1] == 43);
    attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attributes[0].value.clusterDim.x = 2;
    attributes[0].value.clusterDim.y = attributes[0].value.clusterDim.z = 1;
    GIVES(CUDA_ERROR_NOT_SUPPORTED, cuLaunchKernelEx(&config, function, args, NULL));

    OK(cuMemFree(p));
    OK(cuLibraryUnload(library));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuLibraryUnload(library));
    GIVES(CUDA_ERROR_INVALID_HANDLE, cuKernelGetFunction(&function, kernel));
    GIVES(CUDA_ERROR_FILE_NOT_FOUND,
          cuLibraryLoadFromFile(&library, "/nonexistent", NULL, NULL, 0, NULL, NULL, 0));
}

/* Boxes between contexts, and memory of a stream. */
static void peers(void)
{
    CUcontext here;
    CUdeviceptr from, to, managed;
    uint8_t sent[4 * 8], got[4 * 8];
    OK(cuCtxGetCurrent(&here));
    for (size_t i = 0; i < sizeof sent; i++)
        sent[i] = (uint8_t)(i * 7);
    OK(cuMemAlloc(&from, sizeof sent));
    OK(cuMemAlloc(&to, sizeof sent));
    OK(cuMemcpyHtoD(from, sent, sizeof sent));
    OK(cuMemsetD8(to, 0, sizeof got));
    CUDA_MEMCPY3D_PEER box = {.srcMemoryType = CU_MEMORYTYPE_DEVICE,
                              .srcDevice = from,
                              .srcContext = here,
                              .srcPitch = 8,
                              .srcXInBytes = 2,
                              .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                              .dstDevice = to,
                              .dstContext = here,
                              .dstPitch = 8,
                              .dstXInBytes = 1,
                              .WidthInBytes = 5,
                              .Height = 4,
                              .Depth = 1};
    OK(cuMemcpy3DPeer(&box));
    OK(cuMemcpyDtoH(got, to, sizeof got));
    for (size_t i = 0; i < sizeof got; i++)
        MUST(got[i] == (i % 8 >= 1 && i % 8 < 6 ? sent[i + 1] : 0));
    box.srcContext = NULL;
    GIVES(CUDA_ERROR_INVALID_CONTEXT, cuMemcpy3DPeerAsync(&box, NULL));
    box.srcMemoryType = CU_MEMORYTYPE_HOST; /* has no context */
    box.srcHost = sent;
    OK(cuMemsetD8(to, 0, sizeof got));
    OK(cuMemcpy3DPeerAsync(&box, NULL));
    OK(cuMemcpyDtoH(got, to, sizeof got));
    MUST(got[1] == sent[2] && !got[0]);
    box.srcMemoryType = CU_MEMORYTYPE_UNIFIED; /* knows it */
    box.srcDevice = from;
    OK(cuMemcpy3DPeer(&box));
    size_t total = 0;
    OK(cuMemGetInfo(NULL, &total));
    OK(cudaMemGetInfo(&total, NULL));
    MUST(total);

    /* Rows of 8 bytes: a word, a half word and a byte in the third and fourth. */
    OK(cuMemsetD2D32Async(to + 16, 8, 0x01010101, 1, 1, NULL));
    OK(cuMemsetD2D16Async(to + 22, 8, 0x0202, 1, 2, NULL));
    OK(cuMemsetD2D8Async(to + 20, 8, 3, 1, 2, NULL));
    OK(cuMemcpyDtoH(got, to, sizeof got));
    MUST(memcmp(got + 16, "\1\1\1\1\3", 5) == 0 && got[20 + 8] == 3);
    MUST(got[22] == 2 && got[23] == 2 && got[30] == 2 && got[31] == 2 && got[15] == 0);

    OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
    OK(cuStreamAttachMemAsync(NULL, managed, 0, CU_MEM_ATTACH_SINGLE));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(NULL, from, 0, CU_MEM_ATTACH_SINGLE));
    GIVES(CUDA_ERROR_INVALID_VALUE, cuStreamAttachMemAsync(NULL, managed, 0, 8));
    OK(cuMemFree(managed));
    OK(cuMemFree(from));
    OK(cuMemFree(to));
}

int main(void)
{
    CUcontext context;
    CUlibrary library;
    GIVES(CUDA_ERROR_NOT_INITIALIZED,
          cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuInit(0));
    /* A library needs no context. */
    OK(cuLibraryLoadData(&library, code, NULL, NULL, 0, NULL, NULL, 0));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuLibraryUnload(library));
    libraries();
    peers();
    OK(cuCtxDestroy(context));
    return 0;
}
