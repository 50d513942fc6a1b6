/* What would share memory with OpenGL, which is not there. */
#include "sw/cuda/driver/context.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"
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
