/* What would share memory with OpenGL. */
#include "sw/cuda/include/cuda_gl_interop.h"
#include "sw/cuda/runtime/state.h"

cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t resource)
{
    (void)resource;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t resource, unsigned int flags)
{
    (void)resource, (void)flags;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphicsMapResources(int count, cudaGraphicsResource_t *resources,
                                     cudaStream_t stream)
{
    (void)count, (void)resources, (void)stream;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphicsUnmapResources(int count, cudaGraphicsResource_t *resources,
                                       cudaStream_t stream)
{
    (void)count, (void)resources, (void)stream;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphicsResourceGetMappedPointer(void **devPtr, size_t *size,
                                                 cudaGraphicsResource_t resource)
{
    (void)devPtr, (void)size, (void)resource;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t *array,
                                                  cudaGraphicsResource_t resource,
                                                  unsigned int arrayIndex, unsigned int mipLevel)
{
    (void)array, (void)resource, (void)arrayIndex, (void)mipLevel;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLGetDevices(unsigned int *pCudaDeviceCount, int *pCudaDevices,
                             unsigned int cudaDeviceCount, enum cudaGLDeviceList deviceList)
{
    (void)pCudaDeviceCount, (void)pCudaDevices, (void)cudaDeviceCount, (void)deviceList;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphicsGLRegisterImage(struct cudaGraphicsResource **resource, GLuint image,
                                        GLenum target, unsigned int flags)
{
    (void)resource, (void)image, (void)target, (void)flags;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGraphicsGLRegisterBuffer(struct cudaGraphicsResource **resource, GLuint buffer,
                                         unsigned int flags)
{
    (void)resource, (void)buffer, (void)flags;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLSetGLDevice(int device)
{
    (void)device;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLRegisterBufferObject(GLuint bufObj)
{
    (void)bufObj;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLMapBufferObject(void **devPtr, GLuint bufObj)
{
    (void)devPtr, (void)bufObj;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLUnmapBufferObject(GLuint bufObj)
{
    (void)bufObj;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLUnregisterBufferObject(GLuint bufObj)
{
    (void)bufObj;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLSetBufferObjectMapFlags(GLuint bufObj, unsigned int flags)
{
    (void)bufObj, (void)flags;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLMapBufferObjectAsync(void **devPtr, GLuint bufObj, cudaStream_t stream)
{
    (void)devPtr, (void)bufObj, (void)stream;
    return rt_answer(cudaErrorNotSupported);
}

cudaError_t cudaGLUnmapBufferObjectAsync(GLuint bufObj, cudaStream_t stream)
{
    (void)bufObj, (void)stream;
    return rt_answer(cudaErrorNotSupported);
}
