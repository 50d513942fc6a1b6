#include "sw/cuda/driver/context.h"

#include <pthread.h>
#include <stdlib.h>

#define STACK 64

struct CUctx_st {
    unsigned int flags;
    uint32_t uses; /* primary: retains; others: 1 until destroyed */
    CUfunc_cache cache;
    CUsharedconfig shared;
    struct CUctx_st *next;
};

static struct {
    pthread_mutex_t lock;
    bool initialised;
    bool runtime; /* one of the primary's uses is the runtime API's */
    struct CUctx_st primary;
    struct CUctx_st *created;
} contexts = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct {
    CUcontext entry[STACK];
    int depth;
} stack;

static CUcontext current(void)
{
    return stack.depth ? stack.entry[stack.depth - 1] : NULL;
}

static bool valid(CUcontext ctx)
{
    if (ctx == &contexts.primary)
        return true;
    pthread_mutex_lock(&contexts.lock);
    CUcontext c = contexts.created;
    while (c && c != ctx)
        c = c->next;
    pthread_mutex_unlock(&contexts.lock);
    return c != NULL;
}

CUresult cu_initialised(void)
{
    if (evc_in_host_function())
        return CUDA_ERROR_NOT_PERMITTED;
    return contexts.initialised ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult cu_ready(void)
{
    CUresult status = cu_initialised();
    if (status)
        return status;
    if (!current())
        return CUDA_ERROR_INVALID_CONTEXT;
    return valid(current()) ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult cu_ready_for(CUstream stream)
{
    bool made = stream && stream != CU_STREAM_LEGACY && stream != CU_STREAM_PER_THREAD;
    return made ? cu_initialised() : cu_ready();
}

CUresult cu_refuse(CUresult error, const char *call, const char *needs)
{
    evc_explain_failure(error, call, needs, false);
    if (!strncmp(call, "cu", 2)) /* no helper's */
        evc_told();
    return error;
}

CUresult cuInit(unsigned int Flags)
{
    if (Flags)
        return CUDA_ERROR_INVALID_VALUE;
    if (!evc_device())
        return CUDA_ERROR_NO_DEVICE;
    contexts.initialised = true;
    return CUDA_SUCCESS;
}

void cu_runtime_uses(void)
{
    if (stack.depth && contexts.runtime)
        return;
    contexts.initialised = true;
    pthread_mutex_lock(&contexts.lock);
    contexts.primary.uses += !contexts.runtime;
    contexts.runtime = true;
    pthread_mutex_unlock(&contexts.lock);
    if (!stack.depth)
        stack.entry[stack.depth++] = &contexts.primary;
}

void cu_runtime_resets(void)
{
    pthread_mutex_lock(&contexts.lock);
    contexts.primary.uses -= contexts.runtime;
    contexts.runtime = false;
    pthread_mutex_unlock(&contexts.lock);
    if (stack.depth && stack.entry[stack.depth - 1] == &contexts.primary)
        stack.depth--;
}

/* --- primary context -------------------------------------------------------------------------- */

CUresult cuDevicePrimaryCtxRetain(CUcontext *pctx, CUdevice dev)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(dev == 0, CUDA_ERROR_INVALID_DEVICE);
    CU_CHECK(pctx, CUDA_ERROR_INVALID_VALUE);
    pthread_mutex_lock(&contexts.lock);
    contexts.primary.uses++;
    pthread_mutex_unlock(&contexts.lock);
    *pctx = &contexts.primary;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice dev)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(dev == 0, CUDA_ERROR_INVALID_DEVICE);
    pthread_mutex_lock(&contexts.lock);
    bool retained = contexts.primary.uses != 0;
    contexts.primary.uses -= retained;
    bool last = retained && !contexts.primary.uses && !contexts.created;
    pthread_mutex_unlock(&contexts.lock);
    if (last)
        return evc_reset();
    return retained ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice dev, unsigned int flags)
{
    CU_CHECK(dev == 0, CUDA_ERROR_INVALID_DEVICE);
    CU_CHECK(!(flags & ~(unsigned int)CU_CTX_FLAGS_MASK), CUDA_ERROR_INVALID_VALUE);
    contexts.primary.flags = flags;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxGetState(CUdevice dev, unsigned int *flags, int *active)
{
    CU_CHECK(dev == 0, CUDA_ERROR_INVALID_DEVICE);
    CU_CHECK(flags && active, CUDA_ERROR_INVALID_VALUE);
    *flags = contexts.primary.flags;
    *active = contexts.primary.uses != 0;
    return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxReset(CUdevice dev)
{
    CU_CHECK(dev == 0, CUDA_ERROR_INVALID_DEVICE);
    contexts.primary.flags = 0;
    return evc_reset();
}

/* --- created contexts ------------------------------------------------------------------------- */

CUresult cuCtxCreate(CUcontext *pctx, unsigned int flags, CUdevice dev)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(dev == 0, CUDA_ERROR_INVALID_DEVICE);
    CU_CHECK(pctx && !(flags & ~(unsigned int)CU_CTX_FLAGS_MASK), CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(stack.depth < STACK, CUDA_ERROR_OUT_OF_MEMORY);
    CUcontext ctx = calloc(1, sizeof *ctx);
    CU_CHECK(ctx, CUDA_ERROR_OUT_OF_MEMORY);
    ctx->flags = flags;
    ctx->uses = 1;
    pthread_mutex_lock(&contexts.lock);
    ctx->next = contexts.created;
    contexts.created = ctx;
    pthread_mutex_unlock(&contexts.lock);
    stack.entry[stack.depth++] = ctx;
    *pctx = ctx;
    return CUDA_SUCCESS;
}

/* The last context takes what was allocated in it along. */
CUresult cuCtxDestroy(CUcontext ctx)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(ctx != &contexts.primary && valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    pthread_mutex_lock(&contexts.lock);
    for (CUcontext *c = &contexts.created; *c; c = &(*c)->next) {
        if (*c == ctx) {
            *c = ctx->next;
            break;
        }
    }
    bool last = !contexts.created && !contexts.primary.uses;
    pthread_mutex_unlock(&contexts.lock);
    if (stack.depth && stack.entry[stack.depth - 1] == ctx)
        stack.depth--;
    free(ctx);
    return last ? evc_reset() : CUDA_SUCCESS;
}

CUresult cuCtxAttach(CUcontext *pctx, unsigned int flags)
{
    CU_READY();
    CU_CHECK(pctx && !flags, CUDA_ERROR_INVALID_VALUE);
    CU_CHECK(current() != &contexts.primary, CUDA_ERROR_INVALID_CONTEXT);
    pthread_mutex_lock(&contexts.lock);
    current()->uses++;
    pthread_mutex_unlock(&contexts.lock);
    *pctx = current();
    return CUDA_SUCCESS;
}

CUresult cuCtxDetach(CUcontext ctx)
{
    CU_READY();
    CU_CHECK(ctx && ctx == current(), CUDA_ERROR_INVALID_CONTEXT);
    pthread_mutex_lock(&contexts.lock);
    bool others = ctx->uses > 1;
    ctx->uses -= others;
    pthread_mutex_unlock(&contexts.lock);
    return others ? CUDA_SUCCESS : cuCtxDestroy(ctx);
}

CUresult cuCtxPushCurrent(CUcontext ctx)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(ctx && valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    CU_CHECK(stack.depth < STACK, CUDA_ERROR_OUT_OF_MEMORY);
    stack.entry[stack.depth++] = ctx;
    return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *pctx)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(stack.depth, CUDA_ERROR_INVALID_CONTEXT);
    stack.depth--;
    if (pctx)
        *pctx = stack.entry[stack.depth];
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext ctx)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(!ctx || valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    if (stack.depth)
        stack.depth--;
    if (ctx)
        stack.entry[stack.depth++] = ctx;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *pctx)
{
    CUresult status = cu_initialised();
    CU_CHECK(!status, status);
    CU_CHECK(pctx, CUDA_ERROR_INVALID_VALUE);
    *pctx = current();
    return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device)
{
    CU_READY();
    CU_CHECK(device, CUDA_ERROR_INVALID_VALUE);
    *device = 0;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetFlags(unsigned int *flags)
{
    CU_READY();
    CU_CHECK(flags, CUDA_ERROR_INVALID_VALUE);
    *flags = current()->flags;
    return CUDA_SUCCESS;
}

CUresult cuCtxSynchronize(void)
{
    CU_READY();
    return evc_device_sync();
}

CUresult cuCtxSetLimit(CUlimit limit, size_t value)
{
    uint64_t wanted = value;
    CU_READY();
    return evc_limit(limit, &wanted, true);
}

CUresult cuCtxGetLimit(size_t *pvalue, CUlimit limit)
{
    uint64_t value = 0;
    CU_READY();
    CU_CHECK(pvalue, CUDA_ERROR_INVALID_VALUE);
    CUresult status = evc_limit(limit, &value, false);
    *pvalue = (size_t)value;
    return status;
}

/* A preference: the machine's L1 and shared memory have sizes of their own. */
CUresult cuCtxGetCacheConfig(CUfunc_cache *pconfig)
{
    CU_READY();
    CU_CHECK(pconfig, CUDA_ERROR_INVALID_VALUE);
    *pconfig = current()->cache;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetCacheConfig(CUfunc_cache config)
{
    CU_READY();
    CU_CHECK(config <= CU_FUNC_CACHE_PREFER_EQUAL, CUDA_ERROR_INVALID_VALUE);
    current()->cache = config;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetSharedMemConfig(CUsharedconfig *pConfig)
{
    CU_READY();
    CU_CHECK(pConfig, CUDA_ERROR_INVALID_VALUE);
    *pConfig = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE;
    return CUDA_SUCCESS;
}

CUresult cuCtxSetSharedMemConfig(CUsharedconfig config)
{
    CU_READY();
    CU_CHECK(config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE, CUDA_ERROR_INVALID_VALUE);
    current()->shared = config;
    return CUDA_SUCCESS;
}

CUresult cuCtxGetApiVersion(CUcontext ctx, unsigned int *version)
{
    CU_CHECK(!ctx || valid(ctx), CUDA_ERROR_INVALID_CONTEXT);
    CU_CHECK(version, CUDA_ERROR_INVALID_VALUE);
    *version = 3020;
    return CUDA_SUCCESS;
}

bool cu_context_valid(CUcontext ctx)
{
    return ctx && valid(ctx);
}

CUresult cuCtxGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    CU_READY();
    const struct wire_device *d = evc_device();
    CU_CHECK(d, CUDA_ERROR_DEVICE_UNAVAILABLE);
    if (leastPriority)
        *leastPriority = d->least_priority;
    if (greatestPriority)
        *greatestPriority = d->greatest_priority;
    return CUDA_SUCCESS;
}
