/* Modules, functions and variables. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/core.h"

#define MESSAGE_ROOM 4096

static struct {
    pthread_mutex_t lock;
    CUmodule modules;
    CUfunction functions;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

CUresult evc_module_load(const char *name, const char *text, size_t bytes, CUmodule *module,
                         char **why)
{
    char *message = calloc(1, MESSAGE_ROOM);
    CUmodule m = calloc(1, sizeof *m);
    CUresult status = CUDA_ERROR_OUT_OF_MEMORY;
    if (message && m) {
        struct evc_call call = {.op = WIRE_MODULE,
                                .head = name,
                                .head_bytes = strlen(name) + 1,
                                .payload = text,
                                .payload_bytes = bytes,
                                .message = message,
                                .message_room = MESSAGE_ROOM};
        status = evc_call(&call);
        m->id = call.v[0];
    }
    if (status) {
        free(m);
        if (why)
            *why = message;
        else
            free(message);
        return status;
    }
    free(message);
    pthread_mutex_lock(&known.lock);
    m->next = known.modules;
    known.modules = m;
    pthread_mutex_unlock(&known.lock);
    *module = m;
    return CUDA_SUCCESS;
}

CUresult evc_module_image(const void *image, CUmodule *module, char **why)
{
    const char *text = evc_image_text(image);
    if (!image)
        return CUDA_ERROR_INVALID_VALUE;
    if (!text)
        return evc_no_ptx();
    return evc_module_load("module image", text, strlen(text), module, why);
}

bool evc_module_valid(CUmodule module)
{
    pthread_mutex_lock(&known.lock);
    CUmodule m = known.modules;
    while (m && m != module)
        m = m->next;
    pthread_mutex_unlock(&known.lock);
    return m != NULL;
}

bool evc_function_valid(CUfunction function)
{
    pthread_mutex_lock(&known.lock);
    CUfunction f = known.functions;
    while (f && f != function)
        f = f->next;
    pthread_mutex_unlock(&known.lock);
    return f != NULL;
}

CUresult evc_module_unload(CUmodule module)
{
    if (!evc_module_valid(module))
        return CUDA_ERROR_INVALID_HANDLE;
    struct evc_call call = {.op = WIRE_UNLOAD, .a = {module->id}};
    CUresult status = evc_call(&call);
    pthread_mutex_lock(&known.lock);
    for (CUfunction *f = &known.functions; *f;) {
        CUfunction old = *f;
        if (old->module != module) {
            f = &old->next;
            continue;
        }
        *f = old->next;
        free(old->params);
        free(old->name);
        free(old);
    }
    for (CUmodule *m = &known.modules; *m; m = &(*m)->next) {
        if (*m == module) {
            *m = module->next;
            break;
        }
    }
    pthread_mutex_unlock(&known.lock);
    free(module);
    return status;
}

static CUfunction find_function(CUmodule module, const char *name)
{
    pthread_mutex_lock(&known.lock);
    CUfunction f = known.functions;
    while (f && (f->module != module || strcmp(f->name, name) != 0))
        f = f->next;
    pthread_mutex_unlock(&known.lock);
    return f;
}

/* Until the program asks for another bound: what the kernel's own shared memory leaves of a
 * block's.
 */
static uint32_t dynamic_room(const struct wire_function *info)
{
    int most = 0;
    evc_attribute(&most, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
    return (uint32_t)most > info->shared_bytes ? (uint32_t)most - (uint32_t)info->shared_bytes : 0;
}

CUresult evc_function(CUmodule module, const char *name, CUfunction *function)
{
    if (!evc_module_valid(module))
        return CUDA_ERROR_INVALID_HANDLE;
    *function = find_function(module, name);
    if (*function)
        return CUDA_SUCCESS;
    CUfunction f = calloc(1, sizeof *f);
    if (!f)
        return CUDA_ERROR_OUT_OF_MEMORY;
    struct evc_call call = {.op = WIRE_FUNCTION,
                            .a = {module->id},
                            .payload = name,
                            .payload_bytes = strlen(name) + 1,
                            .answer = &f->info,
                            .answer_room = sizeof f->info};
    CUresult status = evc_call(&call);
    f->module = module;
    f->id = call.v[0];
    f->name = strdup(name);
    f->params = calloc(1, f->info.param_bytes + 1u);
    f->max_dynamic = dynamic_room(&f->info);
    if (status || !f->name || !f->params) {
        free(f->name);
        free(f->params);
        free(f);
        return status ? status : CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_lock(&known.lock);
    f->next = known.functions;
    known.functions = f;
    pthread_mutex_unlock(&known.lock);
    *function = f;
    return CUDA_SUCCESS;
}

CUresult evc_global(CUmodule module, const char *name, bool shown, uint64_t *address,
                    uint64_t *bytes)
{
    if (!evc_module_valid(module))
        return CUDA_ERROR_INVALID_HANDLE;
    struct evc_call call = {.op = WIRE_GLOBAL,
                            .a = {module->id, shown},
                            .payload = name,
                            .payload_bytes = strlen(name) + 1};
    CUresult status = evc_call(&call);
    if (!status && address)
        *address = call.v[0];
    if (!status && bytes)
        *bytes = call.v[1];
    return status;
}

CUresult evc_function_set_shared(CUfunction function, uint32_t bytes)
{
    struct evc_call call = {.op = WIRE_FUNCTION_SET,
                            .a = {function->id, WIRE_MAX_DYNAMIC_SHARED, bytes}};
    CUresult status = evc_call(&call);
    if (!status)
        function->max_dynamic = bytes;
    return status;
}

CUresult evc_occupancy(CUfunction function, uint32_t threads, uint64_t shared, uint32_t *blocks)
{
    struct evc_call call = {.op = WIRE_OCCUPANCY, .a = {function->id, threads, shared}};
    CUresult status = evc_call(&call);
    *blocks = status ? 0 : (uint32_t)call.v[0];
    return status;
}
