#include "sw/apps/common/app.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/data_file.h"

struct app_held {
    struct app_held *next;
    void *host, *pinned; /* one of these */
    CUdeviceptr device;
};

void app_fail(const struct app *app, int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fprintf(stderr, "%s: ", app->name);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(status);
}

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

static struct app_held *hold(struct app *app)
{
    struct app_held *held = calloc(1, sizeof *held);
    if (!held)
        app_fail(app, APP_BAD_INPUT, "no memory");
    held->next = app->held;
    app->held = held;
    return held;
}

void *app_memory(struct app *app, size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        app_fail(app, APP_BAD_INPUT, "out of memory for %zu elements of %zu bytes", count, size);
    hold(app)->host = memory;
    return memory;
}

char *app_file(struct app *app, const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END))
        app_fail(app, APP_BAD_INPUT, "%s cannot be opened", path);
    long end = ftell(file);
    rewind(file);
    if (end < 0 || end == LONG_MAX) /* a pipe, a folder */
        app_fail(app, APP_BAD_INPUT, "%s is not a file", path);
    char *text = app_memory(app, (size_t)end + 1, 1);
    *bytes = fread(text, 1, (size_t)end, file);
    fclose(file);
    if (*bytes != (size_t)end)
        app_fail(app, APP_BAD_INPUT, "%s cannot be read", path);
    return text;
}

static void need_context(struct app *app)
{
    CUdevice device;
    if (app->context)
        return;
    APP_CALL(cuInit(0));
    APP_CALL(cuDeviceGet(&device, 0));
    APP_CALL(cuCtxCreate(&app->context, 0, device));
}

CUdeviceptr app_buffer(struct app *app, const void *data, size_t bytes)
{
    CUdeviceptr buffer;
    need_context(app);
    APP_CALL(cuMemAlloc(&buffer, bytes));
    hold(app)->device = buffer;
    if (data)
        APP_CALL(cuMemcpyHtoD(buffer, data, bytes));
    return buffer;
}

CUdeviceptr app_empty_buffer(struct app *app, size_t bytes)
{
    CUdeviceptr buffer;
    need_context(app);
    CUresult result = cuMemAllocFullEmpty(&buffer, bytes);
    if (result == CUDA_ERROR_NOT_SUPPORTED)
        app_fail(app, APP_NO_GPU,
                 "the machine has no memory with full/empty bits; set fe.region_kib, or take "
                 "gtx580.ini");
    APP_CALL(result);
    hold(app)->device = buffer;
    APP_CALL(cuMemMarkEmptyAsync(buffer, bytes, NULL));
    APP_CALL(cuCtxSynchronize());
    return buffer;
}

void *app_pinned(struct app *app, size_t count, size_t size)
{
    void *memory = NULL;
    need_context(app);
    APP_CALL(cuMemAllocHost(&memory, (count ? count : 1) * size));
    hold(app)->pinned = memory;
    return memory;
}

CUfunction app_kernel(struct app *app, const char *file, const char *kernel)
{
    char name[256], path[PATH_MAX];
    CUfunction function;
    need_context(app);
    if (!app->module) {
        struct error err = {0};
        snprintf(name, sizeof name, "sw/apps/%s/%s.ptx", app->name, file);
        if (!find_kernel(name, path, sizeof path, &err))
            app_fail(app, APP_BAD_INPUT, "%s", err.text);
        APP_CALL(cuModuleLoad(&app->module, path));
    }
    APP_CALL(cuModuleGetFunction(&function, app->module, kernel));
    return function;
}

void app_launch(const struct app_launch *l, void **arguments)
{
    uint32_t d[6];
    for (int i = 0; i < 3; i++) {
        d[i] = l->grid[i] ? l->grid[i] : 1;
        d[3 + i] = l->block[i] ? l->block[i] : 1;
    }
    APP_CALL(cuLaunchKernel(l->kernel, d[0], d[1], d[2], d[3], d[4], d[5], l->shared, l->stream,
                            arguments, NULL));
}

uint32_t app_resident_blocks(CUfunction kernel, uint32_t threads)
{
    CUdevice device;
    int cores = 0, blocks = 0;
    APP_CALL(cuCtxGetDevice(&device));
    APP_CALL(cuDeviceGetAttribute(&cores, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device));
    APP_CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, (int)threads, 0));
    return (uint32_t)(cores * blocks);
}

int app_end(struct app *app, bool right)
{
    while (app->held) {
        struct app_held *held = app->held;
        app->held = held->next;
        if (held->device)
            APP_CALL(cuMemFree(held->device));
        if (held->pinned)
            APP_CALL(cuMemFreeHost(held->pinned));
        free(held->host);
        free(held);
    }
    if (app->module)
        APP_CALL(cuModuleUnload(app->module));
    if (app->context)
        APP_CALL(cuCtxDestroy(app->context));
    app->module = NULL;
    app->context = NULL;
    if (!right || !app->quiet)
        printf("%s: %s\n", app->name, right ? "right" : "WRONG");
    return right ? 0 : APP_WRONG;
}
