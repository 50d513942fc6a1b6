/* Why a call fails, in one line on stderr. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sw/cuda/client/core.h"

#define REASONS 256

static struct {
    pthread_mutex_t lock;
    uint64_t said[REASONS]; /* hashes of lines */
    uint32_t count;
} reasons = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local bool told;

bool evc_told(void)
{
    bool was = told;
    told = false;
    return was;
}

void evc_note_told(void)
{
    told = true;
}

static bool is_new(const char *line)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *line; line++)
        hash = (hash ^ (unsigned char)*line) * 0x100000001b3u;
    bool new = true;
    pthread_mutex_lock(&reasons.lock);
    for (uint32_t i = 0; i < reasons.count; i++)
        new = new &&reasons.said[i] != hash;
    if (new &&reasons.count < REASONS)
        reasons.said[reasons.count++] = hash;
    pthread_mutex_unlock(&reasons.lock);
    return new;
}

CUresult evc_explain(CUresult error, const char *format, ...)
{
    char line[1024];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    told = true;
    if (is_new(line))
        fprintf(stderr, "evgpu: %s\n", line);
    return error;
}

/* Errors that say all there is to say, or that a message has come before. */
static bool is_clear(uint32_t error)
{
    static const uint32_t clear[] = {CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_DEINITIALIZED,
                                     CUDA_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_NO_DEVICE,
                                     CUDA_ERROR_NOT_READY};
    for (size_t i = 0; i < sizeof clear / sizeof clear[0]; i++) {
        if (error == clear[i])
            return true;
    }
    return (error >= CUDA_ERROR_ILLEGAL_ADDRESS && error <= CUDA_ERROR_LAUNCH_TIMEOUT) ||
           (error >= CUDA_ERROR_ASSERT && error <= CUDA_ERROR_LAUNCH_FAILED);
}

static const char *hint(uint32_t error)
{
    switch (error) {
    case CUDA_ERROR_INVALID_DEVICE:
        return "; there is one device, with the number 0";
    case CUDA_ERROR_INVALID_HANDLE:
        return "; a stream, event, module, array, texture or link does not exist, or no longer";
    case CUDA_ERROR_NOT_SUPPORTED:
        return "; docs/guide/programs.md lists what is missing";
    case CUDA_ERROR_INVALID_CONTEXT:
        return "; no context is current in this thread: cuCtxCreate, cuCtxSetCurrent or a call of "
               "the runtime makes one";
    default:
        return "";
    }
}

void evc_explain_failure(uint32_t error, const char *call, const char *needs, bool runtime)
{
    const char *name = evc_error_name(error, runtime), *text = evc_error_text(error);
    bool of_api = strncmp(call, "cu", 2) == 0;
    if (told || is_clear(error) || !name)
        return;
    const char *more = hint(error);
    if (*more)
        needs = NULL;
    evc_explain((CUresult)error, "%s%s%s (%s)%s%s%s", of_api ? call : "", of_api ? ": " : "", text,
                name, needs ? "; it needs " : "", needs ? needs : "", more);
}

CUresult evc_no_ptx(void)
{
    return evc_explain(CUDA_ERROR_NO_BINARY_FOR_GPU,
                       "the module is machine code (a cubin), and evgpu runs PTX; numba "
                       "makes PTX where nvJitLink (nvidia-nvjitlink-cu12) is not installed");
}
