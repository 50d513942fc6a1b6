/* Resources shared with a graphics library: CUDA_ERROR_NOT_SUPPORTED. Included by cuda.h. */
#ifndef EVGPU_CUDA_DRIVER_GRAPHICS_H
#define EVGPU_CUDA_DRIVER_GRAPHICS_H

typedef struct CUgraphicsResource_st *CUgraphicsResource;

CUresult cuGraphicsUnregisterResource(CUgraphicsResource resource);
CUresult cuGraphicsSubResourceGetMappedArray(CUarray *pArray, CUgraphicsResource resource,
                                             unsigned int arrayIndex, unsigned int mipLevel);
CUresult cuGraphicsResourceGetMappedPointer(CUdeviceptr *pDevPtr, size_t *pSize,
                                            CUgraphicsResource resource);
CUresult cuGraphicsResourceSetMapFlags(CUgraphicsResource resource, unsigned int flags);
CUresult cuGraphicsMapResources(unsigned int count, CUgraphicsResource *resources,
                                CUstream hStream);
CUresult cuGraphicsUnmapResources(unsigned int count, CUgraphicsResource *resources,
                                  CUstream hStream);

#endif
