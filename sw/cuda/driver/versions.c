/* Names that a program linked with NVIDIA's library asks for: since CUDA 3.2 and 4.0 many calls are
 * known as NAME_v2, some as NAME_v3. Here the plain name is the newest. And calls by their names.
 */
#include <dlfcn.h>
#include <stdio.h>

#include "sw/cuda/driver/context.h"

/* A symbol that goes on to another one, whatever its parameters. */
#if defined(__x86_64__)
#define GO_TO(name) "jmp " name "@PLT"
#elif defined(__aarch64__)
#define GO_TO(name) "b " name
#else
#error "one instruction that jumps to a function"
#endif
#define SECOND_NAME(new, name)                                                                     \
    __asm__(".pushsection .text\n.globl " new "\n.type " new ", @function\n" new ": " GO_TO(       \
        name) "\n.size " new ", .-" new "\n.popsection");
#define V2(name) SECOND_NAME(#name "_v2", #name)
#define V3(name) SECOND_NAME(#name "_v3", #name)

V2(cuCtxCreate)
V2(cuCtxDestroy)
V2(cuCtxPopCurrent)
V2(cuCtxPushCurrent)
V2(cuDevicePrimaryCtxRelease)
V2(cuDevicePrimaryCtxReset)
V2(cuDevicePrimaryCtxSetFlags)
V2(cuDeviceTotalMem)
V2(cuDeviceGetUuid)
V2(cuModuleGetGlobal)
V2(cuMemGetInfo)
V2(cuMemAlloc)
V2(cuMemAllocPitch)
V2(cuMemFree)
V2(cuMemGetAddressRange)
V2(cuMemAllocHost)
V2(cuMemHostGetDevicePointer)
V2(cuMemHostRegister)
V2(cuMemcpyHtoD)
V2(cuMemcpyDtoH)
V2(cuMemcpyDtoD)
V2(cuMemcpyDtoA)
V2(cuMemcpyAtoD)
V2(cuMemcpyHtoA)
V2(cuMemcpyAtoH)
V2(cuMemcpyHtoAAsync)
V2(cuMemcpyAtoHAsync)
V2(cuGraphicsResourceGetMappedPointer)
V2(cuGraphicsResourceSetMapFlags)
V2(cuMemcpyAtoA)
V2(cuMemcpy2D)
V2(cuMemcpy2DUnaligned)
V2(cuMemcpy3D)
V2(cuMemcpyHtoDAsync)
V2(cuMemcpyDtoHAsync)
V2(cuMemcpyDtoDAsync)
V2(cuMemcpy2DAsync)
V2(cuMemcpy3DAsync)
V2(cuMemsetD8)
V2(cuMemsetD16)
V2(cuMemsetD32)
V2(cuMemsetD2D8)
V2(cuMemsetD2D16)
V2(cuMemsetD2D32)
V2(cuArrayCreate)
V2(cuArrayGetDescriptor)
V2(cuArray3DCreate)
V2(cuArray3DGetDescriptor)
V2(cuTexRefSetAddress)
V2(cuTexRefGetAddress)
V2(cuStreamDestroy)
V2(cuEventDestroy)
V2(cuStreamWriteValue32)
V2(cuStreamWriteValue64)
V2(cuStreamWaitValue32)
V2(cuStreamWaitValue64)
V2(cuStreamBatchMemOp)
V2(cuLinkCreate)
V2(cuLinkAddData)
V2(cuLinkAddFile)
V2(cuIpcOpenMemHandle)
V2(cuStreamBeginCapture)
V2(cuGraphInstantiate)
V2(cuGraphAddKernelNode)
V2(cuGraphKernelNodeSetParams)
V2(cuGraphKernelNodeGetParams)
V2(cuGraphExecKernelNodeSetParams)
V2(cuTexRefSetAddress2D)
V3(cuTexRefSetAddress2D)

/* Another signature: `params` limits the context to some multiprocessors. */
CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams,
                        unsigned int flags, CUdevice dev);
CUresult cuCtxCreate_v3(CUcontext *pctx, CUexecAffinityParam *paramsArray, int numParams,
                        unsigned int flags, CUdevice dev)
{
    (void)paramsArray;
    CU_CHECK(!numParams, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
    return cuCtxCreate(pctx, flags, dev);
}

CUresult cuCtxCreate_v4(CUcontext *pctx, CUctxCreateParams *params, unsigned int flags,
                        CUdevice dev)
{
    CU_CHECK(!params || !params->cigParams, CUDA_ERROR_NOT_SUPPORTED);
    CU_CHECK(!params || !params->numExecAffinityParams, CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
    return cuCtxCreate(pctx, flags, dev);
}

CUresult cuGetProcAddress(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags)
{
    Dl_info info;
    CU_CHECK(symbol && pfn && cudaVersion > 0 && flags <= 2, CUDA_ERROR_INVALID_VALUE);
    *pfn = NULL;
    if (strncmp(symbol, "cu", 2) != 0 || !dladdr((void *)(uintptr_t)&cuGetProcAddress, &info) ||
        !info.dli_fname)
        return CUDA_ERROR_NOT_FOUND;
    void *library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return CUDA_ERROR_NOT_FOUND;
    *pfn = dlsym(library, symbol);
    dlclose(library);
    return *pfn ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

/* As CUDA 12 calls it. */
CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *symbolStatus);
CUresult cuGetProcAddress_v2(const char *symbol, void **pfn, int cudaVersion, cuuint64_t flags,
                             CUdriverProcAddressQueryResult *symbolStatus)
{
    CUresult status = cuGetProcAddress(symbol, pfn, cudaVersion, flags);
    if (symbolStatus)
        *symbolStatus = status ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND : CU_GET_PROC_ADDRESS_SUCCESS;
    return status;
}

/* NVIDIA's libraries ask the driver for tables of undocumented calls, which are not here. NVRTC
 * takes it for granted that it may ask. */
CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId);
CUresult cuGetExportTable(const void **ppExportTable, const CUuuid *pExportTableId)
{
    if (!ppExportTable || !pExportTableId)
        return CUDA_ERROR_INVALID_VALUE;
    *ppExportTable = NULL;
    return CUDA_ERROR_NOT_FOUND;
}
