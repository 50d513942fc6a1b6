/* What would share memory and semaphores with Vulkan, Direct3D and others, which are not there. */
#include "sw/cuda/driver/context.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
CU_NOT_HERE(cuImportExternalMemory, CUexternalMemory *extMem_out,
            const CUDA_EXTERNAL_MEMORY_HANDLE_DESC *memHandleDesc)
CU_NOT_HERE(cuExternalMemoryGetMappedBuffer, CUdeviceptr *devPtr, CUexternalMemory extMem,
            const CUDA_EXTERNAL_MEMORY_BUFFER_DESC *bufferDesc)
CU_NOT_HERE(cuExternalMemoryGetMappedMipmappedArray, CUmipmappedArray *mipmap,
            CUexternalMemory extMem, const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC *mipmapDesc)
CU_NOT_HERE(cuDestroyExternalMemory, CUexternalMemory extMem)
CU_NOT_HERE(cuImportExternalSemaphore, CUexternalSemaphore *extSem_out,
            const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC *semHandleDesc)
CU_NOT_HERE(cuSignalExternalSemaphoresAsync, const CUexternalSemaphore *extSemArray,
            const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *paramsArray, unsigned int numExtSems,
            CUstream stream)
CU_NOT_HERE(cuWaitExternalSemaphoresAsync, const CUexternalSemaphore *extSemArray,
            const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *paramsArray, unsigned int numExtSems,
            CUstream stream)
CU_NOT_HERE(cuDestroyExternalSemaphore, CUexternalSemaphore extSem)
