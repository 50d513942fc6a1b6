/* The driver API alone: modules from files, a global, launches with parameters and with extras. */
#include <cuda.h>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#define CHECK_DRV(call)                                                                            \
    do {                                                                                           \
        CUresult status = (call);                                                                  \
        if (status != CUDA_SUCCESS) {                                                              \
            const char *text = "";                                                                 \
            cuGetErrorString(status, &text);                                                       \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, text);                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#include "check.h"

static bool run(CUmodule module, const char *name)
{
    const int n = 1000;
    CUfunction vecAdd;
    CUdeviceptr da, db, dc, factor, launches;
    size_t bytes;
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; i++) {
        a[i] = (float)i;
        b[i] = (float)(i % 7);
    }
    float two = 2;
    CHECK_DRV(cuModuleGetFunction(&vecAdd, module, "vecAdd"));
    CHECK_DRV(cuModuleGetGlobal(&factor, &bytes, module, "factor"));
    CHECK_DRV(cuMemcpyHtoD(factor, &two, bytes));
    CHECK_DRV(cuMemAlloc(&da, n * sizeof(float)));
    CHECK_DRV(cuMemAlloc(&db, n * sizeof(float)));
    CHECK_DRV(cuMemAlloc(&dc, n * sizeof(float)));
    CHECK_DRV(cuMemcpyHtoD(da, a.data(), n * sizeof(float)));
    CHECK_DRV(cuMemcpyHtoD(db, b.data(), n * sizeof(float)));
    int count = n;
    void *args[] = {&da, &db, &dc, &count};
    CHECK_DRV(cuLaunchKernel(vecAdd, 4, 1, 1, 256, 1, 1, 256 * sizeof(float), NULL, args, NULL));
    CHECK_DRV(cuCtxSynchronize());
    struct {
        CUdeviceptr a, b, c;
        int n;
    } block = {da, db, dc, n};
    size_t size = 28;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block, CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     CU_LAUNCH_PARAM_END};
    CHECK_DRV(cuLaunchKernel(vecAdd, 4, 1, 1, 256, 1, 1, 256 * sizeof(float), NULL, NULL, extra));
    CHECK_DRV(cuMemcpyDtoH(c.data(), dc, n * sizeof(float)));
    int launched = 0;
    CHECK_DRV(cuModuleGetGlobal(&launches, &bytes, module, "launches"));
    CHECK_DRV(cuMemcpyDtoH(&launched, launches, sizeof launched));
    bool ok = launched == 2;
    for (int i = 0; i < n; i++)
        ok = ok && c[i] == a[i] + 2 * b[i];
    CHECK_DRV(cuMemFree(da));
    CHECK_DRV(cuModuleUnload(module));
    printf("%s %d\n", name, ok);
    return ok;
}

int main()
{
    CUdevice device;
    CUcontext context;
    CUmodule module;
    int count = 0;
    CHECK_DRV(cuInit(0));
    CHECK_DRV(cuDeviceGetCount(&count));
    CHECK_DRV(cuDeviceGet(&device, 0));
    CHECK_DRV(cuCtxCreate(&context, 0, device));
    CHECK_DRV(cuModuleLoad(&module, "kernels.ptx"));
    bool ok = run(module, "file");
    std::ifstream file("kernels.fatbin");
    std::stringstream text;
    text << file.rdbuf();
    char log[1024] = "";
    CUjit_option names[] = {CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER, CU_JIT_MAX_REGISTERS};
    void *values[] = {(void *)(size_t)sizeof log, log, (void *)(size_t)32};
    CHECK_DRV(cuModuleLoadDataEx(&module, text.str().c_str(), 3, names, values));
    ok = run(module, "image") && ok;
    CUfunction function;
    CHECK_DRV(cuModuleLoad(&module, "kernels.ptx"));
    ok = ok && cuModuleGetFunction(&function, module, "no_such_kernel") == CUDA_ERROR_NOT_FOUND &&
         cuModuleLoad(&module, "no_such_file.ptx") == CUDA_ERROR_FILE_NOT_FOUND;
    CHECK_DRV(cuCtxDestroy(context));
    return verdict("driver", ok);
}
