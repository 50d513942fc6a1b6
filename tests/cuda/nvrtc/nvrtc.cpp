/* Kernels that the program compiles while it runs: templates by name expressions, headers from
 * memory, macros, a variable; and the mistakes that a user makes. */
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::printf("line %d: %s\n", __LINE__, #condition);                                    \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (0)

static const char source[] = R"(
#include "shape/scale.h"
#ifdef second
#error this macro is undefined again
#endif
__constant__ float offset[2];
template <typename T, int Times> __global__ void scale(T *data, int n)
{
    int i = first(blockIdx.x * blockDim.x + threadIdx.x, unknown);
    if (i < n)
        data[i] = scaled(data[i], T(FACTOR)) * Times + T(offset[i & 1]);
}
static __constant__ int bias[2];
namespace { namespace inner { __device__ int none[2], stays; } }
extern "C" __global__ void sums(const int *in, int *out)
{
    assert(in);
    __shared__ int part[64];
    part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    for (int step = 32; step; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            part[threadIdx.x] += part[threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0] + bias[1] + inner::none[0] + int32_t(inner::stays);
}
)";
static const char header[] =
    "#pragma once\n"
    "template <typename T> __device__ T scaled(T value, T by) { return value * by; }\n";

static std::string log_of(nvrtcProgram program)
{
    size_t size = 0;
    EXPECT(nvrtcGetProgramLogSize(program, &size) == NVRTC_SUCCESS);
    std::vector<char> log(size + 1);
    EXPECT(nvrtcGetProgramLog(program, log.data()) == NVRTC_SUCCESS);
    return log.data();
}

static nvrtcResult compile(const char *text, std::vector<const char *> options, std::string *log)
{
    nvrtcProgram program;
    EXPECT(nvrtcCreateProgram(&program, text, "wrong.cu", 0, NULL, NULL) == NVRTC_SUCCESS);
    nvrtcResult result = nvrtcCompileProgram(program, (int)options.size(), options.data());
    *log = log_of(program);
    EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS && program == NULL);
    return result;
}

/* Called as one of the C library's, which the program does not ask for. */
static const char limits[] = "#define cudaDeviceSynchronize() cudaSuccess\n";

static void mistakes()
{
    std::string log;
    EXPECT(compile("__global__ void k() {\n  int x = unknown;\n}\n", {}, &log) ==
           NVRTC_ERROR_COMPILATION);
    EXPECT(log.find("wrong.cu:2") != std::string::npos && log.find("unknown") != std::string::npos);
    EXPECT(compile("\n#include <beside/absent.cuh>\n", {}, &log) == NVRTC_ERROR_COMPILATION);
    EXPECT(log.find("wrong.cu(2): catastrophic error: cannot open source file "
                    "\"beside/absent.cuh\"\n#include") == 0);
    EXPECT(compile("#include <cudnn.h>\n", {}, &log) == NVRTC_ERROR_COMPILATION);
    EXPECT(log.find("wrong.cu(1): catastrophic error: cannot open source file \"cudnn.h\"\n"
                    "evgpu has no cuDNN; ") == 0);
    EXPECT(compile("__global__ void k() {}\n", {"--no-such-option"}, &log) ==
           NVRTC_ERROR_INVALID_OPTION);
    EXPECT(log.find("--no-such-option") != std::string::npos);
    EXPECT(nvrtcCreateProgram(NULL, "", NULL, 0, NULL, NULL) == NVRTC_ERROR_INVALID_INPUT);
    EXPECT(!std::strcmp(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION), "NVRTC_ERROR_COMPILATION"));
}

static nvrtcProgram compiled()
{
    const char *headers[] = {header, limits}, *names[] = {"shape/scale.h", "limits.h"}, *lowered;
    /* NVRTC knows no int32_t. */
    const char *options[] = {
        "--gpu-architecture=compute_35", "-DFACTOR=3", "--std=c++14", "-Dint32_t=int",
        "--define-macro=first(a,b)=a",   "-D",         "second",      "-Usecond"};
    const int n_options = sizeof options / sizeof options[0];
    nvrtcProgram program;
    EXPECT(nvrtcCreateProgram(&program, source, "made.cu", 2, headers, names) == NVRTC_SUCCESS);
    EXPECT(nvrtcAddNameExpression(program, "scale<float, 2>") == NVRTC_SUCCESS);
    EXPECT(nvrtcAddNameExpression(program, "&scale<int, 5>") == NVRTC_SUCCESS);
    EXPECT(nvrtcAddNameExpression(program, "offset") == NVRTC_SUCCESS);
    EXPECT(nvrtcGetLoweredName(program, "offset", &lowered) ==
           NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
    if (nvrtcCompileProgram(program, n_options, options) != NVRTC_SUCCESS) {
        std::printf("%s\n", log_of(program).c_str());
        std::exit(1);
    }
    EXPECT(nvrtcAddNameExpression(program, "sums") ==
           NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
    return program;
}

static CUfunction kernel_of(CUmodule module, nvrtcProgram program, const char *expression)
{
    const char *name = expression;
    CUfunction kernel;
    EXPECT(std::strcmp(expression, "sums") == 0 ||
           nvrtcGetLoweredName(program, expression, &name) == NVRTC_SUCCESS);
    EXPECT(cuModuleGetFunction(&kernel, module, name) == CUDA_SUCCESS);
    return kernel;
}

template <typename T> static void check_scale(CUfunction kernel, int times)
{
    const int n = 1000;
    int count = n;
    T data[n];
    CUdeviceptr memory;
    for (int i = 0; i < n; i++)
        data[i] = (T)(i - 300);
    EXPECT(cuMemAlloc(&memory, sizeof data) == CUDA_SUCCESS);
    EXPECT(cuMemcpyHtoD(memory, data, sizeof data) == CUDA_SUCCESS);
    void *arguments[] = {&memory, &count};
    EXPECT(cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, NULL, arguments, NULL) == CUDA_SUCCESS);
    EXPECT(cuMemcpyDtoH(data, memory, sizeof data) == CUDA_SUCCESS);
    for (int i = 0; i < n; i++)
        EXPECT(data[i] == (T)(i - 300) * 3 * times + (i & 1 ? 40 : 7));
    EXPECT(cuMemFree(memory) == CUDA_SUCCESS);
}

static void check_sums(CUfunction kernel)
{
    int in[256], out[4];
    CUdeviceptr from, to;
    for (int i = 0; i < 256; i++)
        in[i] = i * i - 77;
    EXPECT(cuMemAlloc(&from, sizeof in) == CUDA_SUCCESS);
    EXPECT(cuMemAlloc(&to, sizeof out) == CUDA_SUCCESS);
    EXPECT(cuMemcpyHtoD(from, in, sizeof in) == CUDA_SUCCESS);
    void *arguments[] = {&from, &to};
    EXPECT(cuLaunchKernel(kernel, 4, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL) == CUDA_SUCCESS);
    EXPECT(cuMemcpyDtoH(out, to, sizeof out) == CUDA_SUCCESS);
    for (int b = 0; b < 4; b++) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += in[b * 64 + i];
        EXPECT(out[b] == sum + 9 + 1000);
    }
}

int main()
{
    int major = 0, minor = 0, architectures = 0;
    EXPECT(nvrtcVersion(&major, &minor) == NVRTC_SUCCESS && major == 11);
    EXPECT(nvrtcGetNumSupportedArchs(&architectures) == NVRTC_SUCCESS && architectures > 0);
    mistakes();
    nvrtcProgram program = compiled();
    size_t size = 0, bytes = 0;
    EXPECT(nvrtcGetPTXSize(program, &size) == NVRTC_SUCCESS && size > 1);
    size_t none = 1;
    EXPECT(nvrtcGetNVVMSize(program, &none) == NVRTC_SUCCESS && !none);
    EXPECT(nvrtcGetNVVMSize(nullptr, &none) == NVRTC_ERROR_INVALID_PROGRAM);
    std::vector<char> ptx(size);
    EXPECT(nvrtcGetPTX(program, ptx.data()) == NVRTC_SUCCESS &&
           std::strlen(ptx.data()) == size - 1);

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUdeviceptr offset;
    const char *name;
    EXPECT(cuInit(0) == CUDA_SUCCESS && cuDeviceGet(&device, 0) == CUDA_SUCCESS);
    EXPECT(cuCtxCreate(&context, 0, device) == CUDA_SUCCESS);
    EXPECT(cuModuleLoadData(&module, ptx.data()) == CUDA_SUCCESS);
    EXPECT(nvrtcGetLoweredName(program, "offset", &name) == NVRTC_SUCCESS);
    EXPECT(cuModuleGetGlobal(&offset, &bytes, module, name) == CUDA_SUCCESS && bytes == 8);
    const float offsets[2] = {7, 40};
    EXPECT(cuMemcpyHtoD(offset, offsets, sizeof offsets) == CUDA_SUCCESS);
    /* A static variable by its own name. */
    const int biases[2] = {5, 9};
    EXPECT(cuModuleGetGlobal(&offset, &bytes, module, "bias") == CUDA_SUCCESS && bytes == 8);
    EXPECT(cuModuleGetGlobal(&offset, &bytes, module, "bia") == CUDA_ERROR_NOT_FOUND);
    EXPECT(cuMemcpyHtoD(offset, biases, sizeof biases) == CUDA_SUCCESS);
    /* One that no kernel writes, and that has no other name. */
    const int thousands[2] = {1000, 2000};
    EXPECT(cuModuleGetGlobal(&offset, &bytes, module, "_ZN12_GLOBAL__N_15inner4noneE") ==
               CUDA_SUCCESS &&
           bytes == 8);
    EXPECT(cuMemcpyHtoD(offset, thousands, sizeof thousands) == CUDA_SUCCESS);
    check_scale<float>(kernel_of(module, program, "scale<float, 2>"), 2);
    check_scale<int>(kernel_of(module, program, "&scale<int, 5>"), 5);
    check_sums(kernel_of(module, program, "sums"));
    EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
    std::printf("PASSED\n");
    return 0;
}
