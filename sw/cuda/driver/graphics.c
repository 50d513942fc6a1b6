/* What would share memory with OpenGL, and mipmaps: there is neither. */
#include "sw/cuda/driver/context.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
CU_NOT_HERE(cuMipmappedArrayCreate, CUmipmappedArray *pHandle,
            const CUDA_ARRAY3D_DESCRIPTOR *pMipmappedArrayDesc, unsigned int numMipmapLevels)
CU_NOT_HERE(cuMipmappedArrayGetLevel, CUarray *pLevelArray, CUmipmappedArray hMipmappedArray,
            unsigned int level)
CU_NOT_HERE(cuMipmappedArrayDestroy, CUmipmappedArray hMipmappedArray)

CU_NOT_HERE(cuGraphicsUnregisterResource, CUgraphicsResource resource)
CU_NOT_HERE(cuGraphicsSubResourceGetMappedArray, CUarray *pArray, CUgraphicsResource resource,
            unsigned int arrayIndex, unsigned int mipLevel)
CU_NOT_HERE(cuGraphicsResourceGetMappedPointer, CUdeviceptr *pDevPtr, size_t *pSize,
            CUgraphicsResource resource)
CU_NOT_HERE(cuGraphicsResourceSetMapFlags, CUgraphicsResource resource, unsigned int flags)
CU_NOT_HERE(cuGraphicsMapResources, unsigned int count, CUgraphicsResource *resources,
            CUstream hStream)
CU_NOT_HERE(cuGraphicsUnmapResources, unsigned int count, CUgraphicsResource *resources,
            CUstream hStream)
