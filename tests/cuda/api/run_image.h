/* A module that was made by a compiler or linker runs. */
#ifndef EVGPU_TESTS_CUDA_API_RUN_IMAGE_H
#define EVGPU_TESTS_CUDA_API_RUN_IMAGE_H

#include <cuda.h>

#include "tests/cuda/api/check.h"

/* What kernel `run` of the image makes of a word, which is its parameter. */
static unsigned int run_image(const char *image, unsigned int value)
{
    CUcontext context;
    CUmodule module;
    CUfunction run;
    CUdeviceptr p;
    void *args[] = {&p};
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuModuleLoadData(&module, image));
    OK(cuModuleGetFunction(&run, module, "run"));
    OK(cuMemAlloc(&p, 4));
    OK(cuMemcpyHtoD(p, &value, 4));
    OK(cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH(&value, p, 4));
    return value;
}

#endif
