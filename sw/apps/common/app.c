#include "sw/apps/common/app.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void app_check(CUresult result, const char *call)
{
    const char *name = "an unknown error", *text = "";
    if (!result)
        return;
    cuGetErrorName(result, &name);
    cuGetErrorString(result, &text);
    fprintf(stderr, "%s: %s (%s)\n", call, name, text);
    exit(APP_NO_GPU);
}

uint32_t app_number(int argc, char **argv, int index, uint32_t value, uint32_t min, uint32_t max)
{
    if (index >= argc)
        return value;
    char *end = NULL;
    unsigned long number = strtoul(argv[index], &end, 0);
    if (!*argv[index] || *end || argv[index][0] == '-' || number < min || number > max) {
        fprintf(stderr, "%s: argument %d is '%s'; it must be %u to %u\n", argv[0], index,
                argv[index], min, max);
        exit(APP_BAD_INPUT);
    }
    return (uint32_t)number;
}

static const char *find(const char *app, const char *file, char path[PATH_MAX])
{
    char self[PATH_MAX];
    snprintf(path, PATH_MAX, "sw/apps/%s/%s", app, file);
    if (access(path, R_OK) == 0)
        return path;
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    for (int up = 0; n > 0 && up < 5; up++) {
        self[n] = '\0';
        char *slash = strrchr(self, '/');
        if (!slash)
            break;
        *slash = '\0';
        n = slash - self;
        int length = snprintf(path, PATH_MAX, "%s/sw/apps/%s/%s", self, app, file);
        if (length > 0 && length < PATH_MAX && access(path, R_OK) == 0)
            return path;
    }
    return file;
}

CUfunction app_kernel(const char *app, const char *file, const char *kernel)
{
    char path[PATH_MAX];
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction function;
    APP_CALL(cuInit(0));
    APP_CALL(cuDeviceGet(&device, 0));
    APP_CALL(cuCtxCreate(&context, 0, device));
    APP_CALL(cuModuleLoad(&module, find(app, file, path)));
    APP_CALL(cuModuleGetFunction(&function, module, kernel));
    return function;
}

CUdeviceptr app_buffer(const void *data, size_t bytes)
{
    CUdeviceptr buffer;
    APP_CALL(cuMemAlloc(&buffer, bytes));
    if (data)
        APP_CALL(cuMemcpyHtoD(buffer, data, bytes));
    return buffer;
}
