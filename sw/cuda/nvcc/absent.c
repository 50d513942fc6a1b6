#include "sw/cuda/nvcc/absent.h"

#include <string.h>

/* Names begin so; of an entry that ends with "/" or ".h", the whole folder or file. */
struct absent {
    const char *header, *library; /* either may be NULL */
    const char *text;
};

#define LEAVE_OUT "; build the program without it"
#define LIBCUXX                                                                                    \
    "evgpu has no libcu++ of its own; pip install --target \"$(evgpu cuda-home)/cccl\" "           \
    "nvidia-cuda-cccl-cu12 brings it"
#define OPENGL                                                                                     \
    "evgpu shows no pictures and has no OpenGL interoperation; build the program without it"

#define SEVERAL                                                                                    \
    "evgpu has one GPU and no cuFFT on several; plan by cufftPlan1d, cufftPlan2d or cufftPlan3d"
#define LTO_IR "evgpu has no LTO-IR; take PTX by nvrtcGetPTX, and add it as NVJITLINK_INPUT_PTX"

/* clang-format off */
static const struct absent absents[] = {
    {"nvblas", "nvblas", "evgpu has no NVBLAS; include cublas_v2.h" },
    {"cufftw.h", "cufftw", "evgpu has no FFTW interface of cuFFT; include cufft.h"},
    {"cusolverMg", NULL, "evgpu has one GPU and no cuSOLVERMg; include cusolverDn.h"},
    {"cudnn", "cudnn", "evgpu has no cuDNN" LEAVE_OUT},
    {"cutensor", "cutensor", "evgpu has no cuTENSOR" LEAVE_OUT},
    {"npp", "npp", "evgpu has no NPP" LEAVE_OUT},
    {"nvjpeg", "nvjpeg", "evgpu has no nvJPEG" LEAVE_OUT},
    {"nccl", "nccl", "evgpu has one GPU and no NCCL" LEAVE_OUT},
    {"nvshmem", "nvshmem", "evgpu has one GPU and no NVSHMEM" LEAVE_OUT},
    {"cupti", "cupti", "evgpu has no CUPTI; `evgpu run --profile`, --timeline and --json measure"},
    {"nvperf", "nvperf", "evgpu has no CUPTI; `evgpu run --profile`, --timeline and --json measure"},
    {"nvvm.h", "nvvm", "evgpu has no libNVVM; compile to PTX with nvcc -ptx and load that"},
    {"optix", "optix", "evgpu has no OptiX" LEAVE_OUT},
    {"cutlass/", NULL, "evgpu has no CUTLASS; its headers are on GitHub, add their folder with -I"},
    {"cute/", NULL, "evgpu has no CUTLASS; its headers are on GitHub, add their folder with -I"},
    {"thrust/", NULL, "evgpu has no Thrust of its own; apt-get install libthrust-dev libcub-dev"},
    {"cub/", NULL, "evgpu has no CUB of its own; apt-get install libcub-dev libthrust-dev"},
    {"cuda/", NULL, LIBCUXX},
    {"nv/target", NULL, LIBCUXX},
    {"cudaGL.h", NULL, OPENGL},
    {"cudaEGL.h", NULL, "evgpu shows no pictures and has no EGL interoperation" LEAVE_OUT},
    {"cudaVDPAU.h", NULL, "evgpu has no VDPAU interoperation" LEAVE_OUT},
    {"cuda_egl_interop.h", NULL, "evgpu shows no pictures and has no EGL interoperation" LEAVE_OUT},
    {"cuda_vdpau_interop.h", NULL, "evgpu has no VDPAU interoperation" LEAVE_OUT},
    {"nvcuvid", "nvcuvid", "evgpu has no video decoder" LEAVE_OUT},
    {"nvsci", "nvsci", "evgpu has no NvSci" LEAVE_OUT},
    {"CL/", "OpenCL", "evgpu has no OpenCL; apt-get install ocl-icd-opencl-dev pocl-opencl-icd runs it on the CPU"},
    {"hip/", "amdhip64", "evgpu has no HIP; build the CUDA version of the program"},
    {"rocblas", "rocblas", "evgpu has no ROCm; build the CUDA version of the program"},
    {"sycl/", "sycl", "evgpu has no SYCL; build the CUDA version of the program"},
    {"vulkan/", "vulkan", "evgpu has no Vulkan; for the program's other parts apt-get install libvulkan-dev"},
    {"GL/glew", "GLEW", "evgpu shows no pictures; for the program's other parts apt-get install libglew-dev"},
    {"GL/", "glut", "evgpu shows no pictures; for the program's other parts apt-get install freeglut3-dev"},
    {NULL, "GL", "evgpu shows no pictures; for the program's other parts apt-get install libgl-dev"},
    {"GLFW/", "glfw", "evgpu shows no pictures; for the program's other parts apt-get install libglfw3-dev"},
    {"NvInfer", "nvinfer", "evgpu has no TensorRT" LEAVE_OUT},
    {"torch/", "torch", "PyTorch is no part of CUDA, and evgpu is no device of it" LEAVE_OUT},
    {"opencv2/", "opencv_", "OpenCV is no part of CUDA; apt-get install libopencv-dev, and add /usr/include/opencv4"},
    {"FreeImage", "freeimage", "FreeImage is no part of CUDA; apt-get install libfreeimage-dev"},
    {"mpi.h", "mpi", "MPI is no part of CUDA; apt-get install libopenmpi-dev, and add mpicc's folders"},
};
/* clang-format on */

static const char *find(const char *name, size_t length, bool library)
{
    for (size_t i = 0; i < sizeof absents / sizeof absents[0]; i++) {
        const char *begin = library ? absents[i].library : absents[i].header;
        if (begin && strlen(begin) <= length && !strncmp(name, begin, strlen(begin)))
            return absents[i].text;
    }
    return NULL;
}

const char *absent_header(const char *name, size_t length)
{
    return find(name, length, false);
}

const char *absent_library(const char *name, size_t length)
{
    return find(name, length, true);
}

const char *absent_name(const char *line, const char **error)
{
    static const struct {
        const char *name, *text;
    } names[] = {
        {"cudaLibXtDesc", SEVERAL}, {"cudaXtDesc", SEVERAL},    {"cufftXtSetGPUs", SEVERAL},
        {"cufftXtMalloc", SEVERAL}, {"cufftXtMemcpy", SEVERAL}, {"cufftXtExecDescriptor", SEVERAL},
        {"nvrtcGetLTOIR", LTO_IR},  {"nvrtcGetNVVM", LTO_IR},
    };
    *error = strstr(line, ": error: ");
    if (!*error ||
        !(strstr(*error, "undeclared identifier") || strstr(*error, "unknown type name") ||
          strstr(*error, "not declared") || strstr(*error, "not name a type")))
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strstr(*error, names[i].name))
            return names[i].text;
    }
    return NULL;
}
